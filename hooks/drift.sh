#!/bin/sh
# Runs after an edit and tells the model where the docs that the working tree's changes touch no longer match the code.
# The event comes as JSON on the standard input, what the model shall read goes as JSON to the standard output. The same
# findings are told once in a session. Nothing here can fail an edit: whatever goes wrong, it is silent and ends with 0.
# INKWELL_HOOK=off switches it off.

[ "${INKWELL_HOOK-}" = off ] && exit 0
self=$(readlink -f -- "$0") || exit 0
inkwell=${self%/*/*}/bin/inkwell

# In a string of the event every quotation mark is escaped, so this is the event's own key.
session=$(sed -n 's/.*"session_id" *: *"\([A-Za-z0-9_-]*\)".*/\1/p' | head -n 1)
told=${CLAUDE_PLUGIN_DATA:-${XDG_CACHE_HOME:-${HOME-}/.cache}/inkwell}/told

findings=$("$inkwell" --root="${CLAUDE_PROJECT_DIR:-.}" check --changed 2>/dev/null </dev/null)
if [ $? -ne 1 ]; then
	rm -f -- "$told/${session:-none}" 2>/dev/null
	exit 0
fi

# A set of findings is the same wherever its lines have moved to.
digest=$(printf '%s\n' "$findings" | sed -n 's/:[0-9]*:[0-9]*: \([a-z-]*: .* drift detected \)/: \1/p' | LC_ALL=C sort -u | cksum)
[ "$(cat -- "$told/${session:-none}" 2>/dev/null)" = "$digest" ] && exit 0
mkdir -p -- "$told" 2>/dev/null && printf '%s\n' "$digest" 2>/dev/null >"$told/${session:-none}"
find "$told" -type f -mtime +7 -exec rm -f {} + 2>/dev/null

# The program shows control characters as escapes, so only these need care in a JSON string.
tab=$(printf '\t')
shown=$(
	{
		printf '%s\n' 'inkwell: after this edit the docs do not match the code in these places.' \
			'Mend what your changes broke, in the docs or in the code; leave what was wrong before, but mention it.' ''
		printf '%s\n' "$findings"
	} | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e "s/$tab/\\\\t/g" | LC_ALL=C awk '
		{ size += length($0) + 2 }
		size > 8000 { print "… `inkwell check --changed` prints the rest"; exit }
		{ print }
	' | LC_ALL=C awk '{ printf "%s\\n", $0 }'
)
printf '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"%s"}}\n' "$shown"
