#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run --extract of numbers whose digits are grouped by commas. The output is that of
# valgrind 3.19 --tool=cachegrind, with another process id.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

run() { bench-run -q -e none -w 0 -r 1 -n command "$@"; }
# extracted REGEX COMMAND...: the value and the status of the metric
extracted() {
	regex=$1
	shift
	run --extract "x=$regex" -- "$@" >x.csv
	rows x x.csv | columns value,status
}
output=$ROOT/tests/fixtures/data/cachegrind.txt
is "$(extracted 'I +refs: +([^ ]+)$' cat "$output")" 2064908,ok '--extract reads instructions that cachegrind counts in millions'
is "$(extracted 'D +refs: +([^ ]+)' cat "$output")" 721058,ok '--extract reads references that cachegrind counts in thousands'
is "$(extracted 'rd +[+] +([0-9,]+) wr' cat "$output")" 266698,ok '--extract reads a number within a line of cachegrind'
is "$(extracted 'total_size ([0-9,]+)$' cat "$output")" 335544320,ok '--extract reads a size of cachegrind'
is "$(extracted 'I1 +miss rate: +([^%]+)' cat "$output")" 0.07,ok '--extract reads a rate of cachegrind'

# Other programs
for number in 1,234:1234 -12,345,678.25:-12345678.25 999,999,999,999:999999999999 12,345.5e3:12345500; do
	is "$(extracted 'refs: ([^ ]*)$' echo "refs: ${number%:*}")" "${number#*:},ok" "--extract reads the number ${number%:*}"
done
for number in 0,5 0,123 1,23 1,2345 1234,567 1,,234 "1,234," ,123 1,234x 12,34,567 1.234,567 "1'234" 1_000; do
	is "$(extracted 'refs: ([^ ]*)$' echo "refs: $number")" ,skipped "--extract does not read $number as a number"
done
bench-run -e none -w 0 -r 2 --extract 'rate=rate: ([^ ]*)' -o x.csv -- echo 'rate: 0,5 s' 2>err
like "$(cat err)" "^bench-run: --extract rate: 2 matches are not a number; the first was '0,5': run the command with LC_ALL=C if this is a decimal comma$" \
	'bench-run reports matches of --extract that are not a number'
bench-run -e none -w 0 -r 2 --extract 'rate=rate: ([^ ]*)' -o x.csv -- echo 'none' 2>err
is "$(cat err)" 'bench-run: --extract rate: the expression matched none of 2 outputs' \
	'bench-run reports an --extract that matched no output'
bench-run -e none -w 0 -r 1 --extract 'rate=rate: ([^ ]*)' --extract 'none=none' -o x.csv -- echo 'rate: 0,5 s' 2>err
is "$(cat err)" "bench-run: --extract rate: 1 match is not a number: '0,5': run the command with LC_ALL=C if this is a decimal comma
bench-run: --extract none: the expression did not match the output" 'the messages about --extract are in the singular if there is one output'
bench-run -q -e none -w 0 -r 2 --extract 'rate=rate: ([^ ]*)' -o x.csv -- echo 'none' 2>err
is "$(cat err)" '' 'bench-run -q does not report an --extract that matched no output'

if skip_unless /usr/share/i18n/locales/de_DE "--extract does not read a number that may have a decimal comma"; then
	localedef -i de_DE -f UTF-8 "$T/de_DE.UTF-8" 2>/dev/null
	export LOCPATH="$T" LC_ALL=de_DE.UTF-8
	is "$(extracted '(1,[0-9,]*)$' echo 1,234)" ,skipped "--extract does not read a number that may have a decimal comma"
	is "$(extracted '(1,[0-9,]*)$' echo 1,234,567)" 1234567,ok \
		"--extract reads a number with two commas in a locale with a decimal comma"
	unset LOCPATH LC_ALL
fi
if skip_unless valgrind "--extract reads the instructions of the installed cachegrind"; then
	like "$(extracted 'I *refs: +([^ ]+)$' valgrind --tool=cachegrind --cachegrind-out-file=/dev/null true)" \
		'^[1-9][0-9]{4,},ok$' "--extract reads the instructions of the installed cachegrind"
fi
done_testing
