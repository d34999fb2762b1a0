//! The program from the outside: what it promises (`contract`), what others got wrong (`cases`), what hostile files do
//! to it (`hostile`), how the index lives (`lifecycle`), what always holds (`laws`), how well it answers (`fixtures`),
//! and how the source is kept (`tidy`).

mod answers;
mod cases;
mod contract;
mod fixtures;
mod fuzz;
mod hostile;
mod laws;
mod lifecycle;
mod sandbox;
mod tidy;
