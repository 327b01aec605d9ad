#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The order of exported rows does not depend on the order in which runs were added, and series of one chunk and of
# many chunks follow each other.
. "${0%/*}/../lib/tap.sh"

# write_run NUMBER SAMPLES: writes a run of 40 benchmarks on the day of this number
write_run() {
	awk -v run="$1" -v samples="$2" 'BEGIN {
		print "run,time,bench,size,sample,metric,unit,value"
		for (b = 0; b < 40; b++)
			for (s = 0; s < samples; s++)
				printf "run-%d,2026-01-0%dT00:00:00Z,bench-%d,%d,%d,wall,ns,%d\n",
					run, run, b * 7 % 40, b % 3, s, run * 1000 + b * 10 + s
	}' >"run-$1.csv"
}
for run in 1 2 3; do
	write_run $run $run
	bench-store -q -D ordered.db add run-$run.csv
done
awk 'FNR > 1 || NR == 1' run-[123].csv >expected.csv
# columns FILE: prints the columns of the inputs
columns() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		{ print $at["run"] "," $at["time"] "," $at["bench"] "," $at["size"] "," $at["sample"] "," \
			$at["metric"] "," $at["unit"] "," $at["value"] }' "$1"
}

bench-store -D ordered.db export >ordered.csv
columns ordered.csv >written.csv
is "$(cksum <written.csv)" "$(cksum <expected.csv)" "runs that were added in their order are exported as they were added"

for order in '3 2 1' '2 3 1' '1 3 2'; do
	rm -f other.db
	for run in $order; do
		bench-store -q -D other.db add "run-$run.csv"
	done
	bench-store -D other.db export >other.csv
	is "$(cksum <other.csv)" "$(cksum <ordered.csv)" "runs that were added in the order $order are exported by their times"
done

# A run that gets another series later has ids after those of the next run.
head -n 40 run-1.csv >first.csv
rm -f other.db
for file in first.csv run-2.csv run-3.csv run-1.csv; do
	bench-store -q -D other.db add $file
done
bench-store -D other.db export >other.csv
is "$(cksum <other.csv)" "$(cksum <ordered.csv)" "a series that was added to the first run later is exported with its run"

# Another program may leave times empty: runs are then in the order of their ids.
bench-store -D other.db sql -w "UPDATE benchmark_runs SET time = ''" >out 2>&1
bench-store -D other.db export >other.csv
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && $at["run"] != run { print run = $at["run"] }' other.csv)" "run-1
run-2
run-3" "runs whose times are empty are exported one after the other"

bench-store -D ordered.db export --since 2026-01-01 >since.csv
is "$(cksum <since.csv)" "$(cksum <ordered.csv)" "an export of all times equals one of the whole database"
bench-store -D ordered.db export --where "bench <> 'bench-7'" >where.csv
is "$(cksum <where.csv)" "$(grep -v ',bench-7,' ordered.csv | cksum)" "an export of other series omits the ones between them"

# 140,000 samples are 35 chunks, more than one statement reads at a time.
awk 'BEGIN {
	print "run,time,bench,size,sample,metric,unit,value"
	for (b = 0; b < 5; b++)
		for (s = 0; s < (b % 2 ? 140000 : 3); s++)
			printf "long,2026-01-05T00:00:00Z,long-%d,1,%d,wall,ns,%d\n", b, s, s * (b + 1)
}' >long.csv
bench-store -q -D long.db add long.csv
bench-store -D long.db export >exported.csv
is "$(columns exported.csv | cksum)" "$(cksum <long.csv)" "series of many chunks and of one chunk are exported as they were added"
done_testing
