#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The memory that programs need for many subjects of one sample each, in multiples of their input,
# and the stack that programs need.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

skip_unless unsanitized 'many subjects take little memory' || { done_testing; exit; }

# many RUN FACTOR: samples of 30,000 subjects, 67 bytes each
many() {
	awk -v run="$1" -v factor="$2" 'BEGIN {
		print "run,bench,sample,metric,unit,value,status"
		for (i = 0; i < 30000; i++)
			printf "%s,parser/benchmark_of_documents_%06d,0,wall,ns,%.0f,ok\n",
				run, i, factor * (1e6 + i * 7919 % 10007)
	}'
}
many 4f2c81d09a7e 1 >old.csv
many 91be03d6c5f2 1.01 >new.csv
size=$(wc -c <old.csv)

bench-run -q -e none -i -w 0 -r 1 --csv \
	-n 'bench-stat' -c 'bench-stat -q old.csv' \
	-n 'bench-stat --table' -c 'bench-stat -q --table old.csv' \
	-n 'bench-compare' -c 'bench-compare -q old.csv new.csv' \
	-n 'bench-report' -c 'bench-report -o report.html old.csv' \
	-n 'bench-convert --to openmetrics' -c 'bench-convert -q --to openmetrics -o metrics.txt old.csv' \
	-n 'bench-convert --to gbench' -c 'bench-convert -q --to gbench -o gbench.json old.csv' \
	-n 'bench-convert --to hyperfine' -c 'bench-convert -q --to hyperfine -o hyperfine.json old.csv' \
	>peaks.csv 2>.err
while read -r files most program; do
	multiple=$(columns bench,metric,value peaks.csv | awk -F , -v p="$program" -v size="$((files * size))" '
		$1 == p && $2 == "max_rss" { printf "%.1f\n", $3 / size }')
	ok "$program with 30,000 subjects needs less than $most times its input, here $multiple" \
		awk -v x="$multiple" -v most="$most" 'BEGIN { exit !(x > 0 && x < most) }'
done <<'END'
1 5.3 bench-stat
1 8 bench-stat --table
2 6.8 bench-compare
1 11.4 bench-report
1 6.2 bench-convert --to openmetrics
1 6.4 bench-convert --to gbench
1 6.4 bench-convert --to hyperfine
END

# on_small_stack COMMAND [ARG...]: an environment takes part of a stack, so it is nearly empty
# shellcheck disable=SC3045 # all shells of Linux have -s
on_small_stack() { (ulimit -s 64 && env -i PATH="$PATH" HOME="$HOME" "$@"); }
head -n 101 old.csv >few.csv
ok 'bench-store add runs on a stack of 64 KiB' on_small_stack bench-store -D few.db add few.csv
ok 'bench-store export runs on a stack of 64 KiB' on_small_stack bench-store -D few.db export
ok 'bench-report runs on a stack of 64 KiB' on_small_stack bench-report -o few.html few.csv
if skip_unless gnuplot 'bench-plot runs on a stack of 64 KiB'; then
	ok 'bench-plot runs on a stack of 64 KiB' on_small_stack bench-plot bar -o few.svg few.csv
fi
done_testing
