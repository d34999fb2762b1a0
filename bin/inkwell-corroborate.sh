#!/bin/sh
# Prints a line `citation<TAB>verdict` for each claim of the chunks on the standard input.
# ROOT is the project's folder. Sentences about behaviour are judged by `claude`, unless
# INKWELL_CORROBORATE_SUBAGENT names another command, or none by being empty.

if [ $# -ne 1 ]; then
	echo "usage: inkwell-corroborate.sh ROOT < CHUNKS" >&2
	exit 2
fi
self=$(readlink -f -- "$0") || exit 2
export INKWELL_CORROBORATE_SUBAGENT="${INKWELL_CORROBORATE_SUBAGENT-claude}"
exec "${self%/*}/inkwell" corroborate --root="$1"
