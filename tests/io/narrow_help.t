#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --help fits a terminal that is narrower than 80 columns, apart from words that are wider than it.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8

# help_at COLUMNS PROGRAM: prints its --help as a terminal of this width shows it
help_at() { timeout 60 script -qec "stty cols $1; $2 --help" /dev/null </dev/null | tr -d '\r'; }
# words FILE: the words of a help, without the way in which it is broken into lines
words() { tr -s ' \n' '\n' <"$1" | grep .; }

(cd "$BUILD/bin" && ls) >tools
while read -r tool; do
	for columns in 40 60; do
		help_at $columns "$tool" >narrow
		is "$(awk -v most=$columns 'length > most && NF > 1' narrow)" '' "$tool --help fits a terminal of $columns columns"
	done
	$tool --help >wide
	is "$(words narrow | grep -vxF "$tool" | cksum)" "$(words wide | grep -vxF "$tool" | cksum)" \
		"$tool --help has the same words on a narrow terminal"
	help_at 200 "$tool" >very_wide
	ok "$tool --help is the same on a terminal of 200 columns and in a pipe" cmp wide very_wide
done <tools

help_at 40 bench-list >narrow
is "$(sed -n '/^  -P/,/repeat/p' narrow)" '  -P, --param NAME=VALUE
        compute the sizes of kernels and
        models for this value
        (repeatable)' 'on a narrow terminal, the help of an option is below its name'
help_at 60 bench-list >narrow
is "$(sed -n '/^  -P/,/able)/p' narrow)" '  -P, --param NAME=VALUE       compute the sizes of kernels
                               and models for this value
                               (repeatable)' 'at 60 columns, the help of an option is beside its name'
help_at 5 bench-env >narrow
is "$(awk 'length > 40' narrow)" '' 'a terminal of 5 columns breaks lines itself'
done_testing
