#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The SYNOPSIS of a manual page and the usage in --help have the same forms, and all options of the program.
# Both name the same defaults.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8

# synopsis PROGRAM: the source of the section
synopsis() { awk '/^\.Sh/ { inside = $2 == "SYNOPSIS"; next } inside' "$ROOT/man/$1.1"; }
# named PROGRAM: the options in the section, such as -r and --runs
named() {
	synopsis "$1" | sed 's/\\-/--/g' | awk '{
		for (i = 1; i <= NF; i++)
			if ($i ~ /^--/) print $i
			else if ($(i - 1) ~ /^\.?Fl$/) for (k = 1; k <= length($i); k++) print "-" substr($i, k, 1)
	}'
}
# filters PROGRAM: the long options in the group of filters of its help
filters() { "$1" --help | sed -n '/^Filters/,/^$/s/^ .*\(--[a-z-]*\).*/\1/p'; }
# item PROGRAM NAME: the source of the item of a long option in the page
item() {
	awk -v name="\\\\-${2#--} " '/^\.It / { inside = index($0 " ", name) } /^\.(Ss|Sh)/ { inside = 0 } inside' "$ROOT/man/$1.1"
}
# defaults PROGRAM: the options whose help ends with a number, such as (95%) or (30s), and that number
defaults() {
	"$1" --list-options | awk -F '\t' '$1 != "verb" && match($4, /\([0-9][0-9.]*(%|[a-z]*)\)$/) {
		print $2, substr($4, RSTART + 1, RLENGTH - 2) }'
}
# Options of all programs, and of all verbs of bench-store, which the synopsis may leave out.
printf '%s\n' --wait --quiet --verbose --help --version --wide --no-pager --csv --table --json >shared

(cd "$BUILD/bin" && ls) >tools
while read -r tool; do
	is "$($tool --help | sed '/^$/q' | grep -cE "^(usage:|      ) $tool ")" "$(synopsis "$tool" | grep -c '^\.Nm')" \
		"the usage of $tool --help has as many forms as the SYNOPSIS of its page"
	named "$tool" | sort -u >in_page
	defaults "$tool" | while read -r name value; do
		item "$tool" "$name" | grep -qwF -e "$value" || echo "$name $value"
	done >unnamed
	is "$(cat unnamed)" '' "the page of $tool names the same defaults as its --help"
	if synopsis "$tool" | awk '/^\.Nm/ && NR > 1 { exit } { print }' | grep -q 'Ar options'; then
		continue
	fi
	filters "$tool" >of_filters
	$tool --list-options | awk -F '\t' '$1 != "verb" { print ($1 == "" ? "-" : $1), $2 }' |
		while read -r letter name; do
			grep -qxF -e "$letter" -e "$name" in_page || cat shared of_filters | grep -qxF -e "$name" || echo "$name"
		done >missing
	is "$(cat missing)" '' "the SYNOPSIS of $tool has all options of the program"
done <tools
done_testing
