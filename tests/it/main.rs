//! The program from the outside: what it promises (`contract`, `check`), what is drift (`drift`), what others got wrong
//! (`cases`), what hostile files and repositories do to it (`hostile`, `hostile_code`), what a judge may do (`judge`),
//! how agents are served (`mcp`), how the index lives (`lifecycle`) and what checks keep (`check_cache`), what always
//! holds (`laws`), how well it answers (`fixtures`), and how the source is kept (`tidy`).

mod answers;
mod cases;
mod check;
mod check_cache;
mod contract;
mod drift;
mod finalize;
mod fixtures;
mod fuzz;
mod grounded;
mod grounded_laws;
mod hostile;
mod hostile_code;
mod judge;
mod laws;
mod lexical;
mod lifecycle;
mod mcp;
mod plugin;
mod sandbox;
mod shell;
mod tidy;
mod verify_citations;
mod verify_receipt;
