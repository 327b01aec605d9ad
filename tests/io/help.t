#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --help and --list-options of every program.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8

# headings PROGRAM: the lines of its help that begin a group
headings() { "$1" --help | sed -n 's/^\([A-Z].*\):$/\1/p'; }
# helped PROGRAM: the long options in its help, in order
helped() { "$1" --help | sed -n 's/^  \(-[^ ],\|   \) \(--[a-z-]*\).*/\2/p'; }
# listed PROGRAM: the long options that completions are made from, in order
listed() { "$1" --list-options | awk -F '\t' '$1 != "verb" { print $2 }'; }

(cd "$BUILD/bin" && ls) >tools
while read -r tool; do
	$tool --help | awk '!/^(usage:|      ) / && length > 80' >long
	is "$(cat long)" '' "no line of $tool --help is longer than 80 columns, apart from its usage"
	is "$(headings "$tool" | tail -n +2 | grep -cx General)" 1 \
		"$tool --help shows the shared options under a heading after the first"
	is "$(listed "$tool")" "$(helped "$tool")" \
		"$tool --list-options has the options of --help, without headings"
	is "$($tool --help | grep -c -- '--verbose  *accepted, no effect')" \
		"$(sed -n '/Fl \\-verbose$/{n;p;}' "$ROOT/man/$tool.1" | grep -c 'it has no effect')" \
		"$tool --help and the manual page agree on whether -v has an effect"
done <tools

is "$(headings bench-run | head -n 3)" "$(printf 'Subjects\nParameters and workers\nNumber of samples')" \
	"bench-run --help groups its options by task"
is "$(bench-run --help | sed -n '/^Energy and carbon:/,/^$/s/^ *\(--[a-z-]*\).*/\1/p')" \
	"$(printf '%s\n' --energy --energy-idle --energy-model --carbon)" \
	"bench-run --help shows the options of energy under their heading"
(cd "$ROOT/tools" && grep -l OPT_HEADING bench-*.c options/*.c) | sed 's|.*/||; s/\.c$//; s/_/-/' >grouped
grep -vxF -f grouped tools >ungrouped
while read -r tool; do
	is "$(headings "$tool" | head -n 1)" Options \
		"$tool --help has a heading for a table of options without groups"
done <ungrouped
status 2 "bench-run rejects a heading of its help as an option" bench-run '--Subjects' true
status 2 "bench-run rejects an empty long option" bench-run '--=x' true
like "$(bench-run --help)" 'table of all metrics, instead of' 'bench-run --help says that --table replaces its summary'
like "$(bench-stat --help)" 'aligned table .default on a terminal' 'bench-stat --help says that a table is the default on a terminal'
is "$(bench-list --help | sed -n '/^Verbs/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' | sort)" \
	"$(bench-list --list-options | sed -n 's/^verb	//p' | sort)" 'bench-list --help explains each of its verbs'
done_testing
