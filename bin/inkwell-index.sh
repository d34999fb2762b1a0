#!/bin/sh
# Builds the index of a project's docs or brings it up to date. It is kept outside the project.
# ROOT is the project's folder, the current one if not given.

if [ $# -gt 1 ]; then
	echo "usage: inkwell-index.sh [ROOT]" >&2
	exit 2
fi
self=$(readlink -f -- "$0") || exit 2
exec "${self%/*}/inkwell" index --root="${1:-.}"
