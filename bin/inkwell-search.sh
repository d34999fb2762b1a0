#!/bin/sh
# Prints up to 25 lines `path:line  [tags]  snippet`, best first.
# ROOT is the project's folder, the current one if not given.

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
	echo "usage: inkwell-search.sh QUERY [ROOT]" >&2
	exit 2
fi
self=$(readlink -f -- "$0") || exit 2
exec "${self%/*}/inkwell" search --root="${2:-.}" -- "$1"
