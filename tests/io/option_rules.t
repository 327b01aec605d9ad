#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which options go together is a table of each program; io/opt_rule makes the messages from its rows.
. "${0%/*}/../lib/tap.sh"

# refused COMMAND...: prints the message of wrong options, without its reference to --help
refused() {
	"$@" 2>&1 >/dev/null </dev/null | sed 's/^[^:]*: //; s/ (see .* --help)$//'
}

is "$(refused bench-prof --duration 1s true)" '--duration requires -p' 'an option that requires another one is refused without it'
is "$(refused bench-compare --since v1 a b)" '--since requires --history or --since-change' \
	'an option that requires one of several names all of them'
is "$(refused bench-list --seed 1 kernels)" '-M, -k, --step, --seed and --external-data require --export' \
	'options with the same requirement are listed together'
is "$(refused bench-prof --heap -F 10 true)" '--heap cannot be combined with --wait, -p, -e or -F' \
	'an option that excludes others names all of them, as the rule spells them'
is "$(refused bench-prof --frequency 10 --heap true)" '--heap cannot be combined with --wait, -p, -e or -F' \
	'a rule also applies to the long names of its options, in any order'
is "$(refused bench-stat --diagnose --sort n)" '--sort cannot be combined with --components or --diagnose, which print no statistics' \
	'the reason of a rule follows its options'
is "$(refused bench-compare --gate --json a b)" '--gate, --markdown, --csv, --table and --json cannot be combined' \
	'the formats that all programs share can be part of a rule'
is "$(refused bench-compare --csv --table a b)" '--csv, --table and --json cannot be combined' \
	'several formats are refused before the rules of the program'
status 2 'options that break a rule are wrong usage' bench-env --diff --hash a b
status 0 'the help is shown although options break a rule' bench-env --diff --hash --help
is "$(BENCH_RUN_OPTS=--gate refused bench-run true | cut -d\; -f1)" \
	'--compare, --reference, --threshold, --gate and --unsure require --until decided' \
	'the rules apply to options of the environment variable'
is "$(refused bench-list --generate x.c -M llama libx.so)" '-M, -k, --step, --seed and --external-data require --export' \
	'bench-list --generate refuses options that only --export has'

# words_of SOURCE: prints the options in the rules of a program
words_of() {
	sed -n '/opt_rule rules\[\] = {/,/^};/p' "$1" | grep -o '"-[^"]*"' | tr -d '"' | tr ' ' '\n' | sort -u
}
for source in $(cd "$ROOT" && grep -l 'opt_rule rules\[\]' tools/*.c tools/options/*.c); do
	program=$(basename "$source" .c | tr _ -)
	"$program" --list-options | cut -f1,2 | tr '\t' '\n' | sort -u >known
	words_of "$ROOT/$source" | comm -23 - known | sed "s|^|$source: |"
done >unknown
is "$(cat unknown)" '' 'each option in a rule is an option of the program'
done_testing
