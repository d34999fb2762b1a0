#!/bin/sh
# Prints the sections that answer a question best, then the Sources and Corroboration blocks.
# ROOT is the project's folder, the current one if not given. Sentences about behaviour are judged by `claude`, unless
# INKWELL_CORROBORATE_SUBAGENT names another command, or none by being empty.

if [ $# -lt 1 ] || [ $# -gt 3 ]; then
	echo "usage: inkwell-query-retrieve.sh QUESTION [ROOT] [TOP_N=5]" >&2
	exit 2
fi
self=$(readlink -f -- "$0") || exit 2
export INKWELL_CORROBORATE_SUBAGENT="${INKWELL_CORROBORATE_SUBAGENT-claude}"
exec "${self%/*}/inkwell" query --format chunks --root="${2:-.}" --top="${3:-5}" -- "$1"
