#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the measured peaks of devices, with a backend that takes the time of a device with known peaks.
# timing
. "${0%/*}/../lib/tap.sh"

export BENCH_BACKEND_PATH="$BUILD/tests/plugins"
quick() { timeout 60 bench-run -e none -r 3 -w 0 --processes 1 --sample-time 5ms -b peaks "$@" 2>err; }
# cells COLUMN...: prints columns of the CSV rows on standard input
cells() {
	awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] != "rows" { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }'
}
# value METRIC FILE: prints the first value of a metric
value() { cells metric value <"$2" | sed -n "s/^$1 //p" | head -n 1; }
# near WHAT VALUE WANTED: checks that a value is at most 5% less and 1% more than wanted
near() { is "$(awk "BEGIN { print ($2 > 0.95 * $3 && $2 < 1.01 * $3) }")" 1 "$1 ($2)"; }

quick -k triad -P n=100000,10000000 >triad.csv
near "peak_flop_rate is measured with as many elements as the device needs" "$(value peak_flop_rate triad.csv)" 4e12
near "peak_matrix_rate is that of the backend's matrix products" "$(value peak_matrix_rate triad.csv)" 2e13
near "peak_bandwidth is that of data beyond the cache" "$(value peak_bandwidth triad.csv)" 1e11
near "peak_cache_bandwidth is that of data in the cache" "$(value peak_cache_bandwidth triad.csv)" 4e11
is "$(value peak_cache_size triad.csv)" 12582912 "peak_cache_size is the size from which on the cache is no faster"
is "$(awk "BEGIN { print ($(value open triad.csv) > 8e7) }")" 1 "open includes the start of the driver in the first process"
PEAKS_COLD=0.4 quick -k triad -P n=100000 >cold.csv
near "peak_bandwidth ignores a first run that takes long because it touches its memory" "$(value peak_bandwidth cold.csv)" 1e11
PEAKS_COLD=2.2 quick -k triad -P n=100000 >slow.csv
is "$(awk "BEGIN { print ($(value peak_bandwidth slow.csv) < 1e9) }")" 1 "a device that needs seconds for a run is measured once"
fractions() { cells "$1" metric value <"$2" | awk -v of="$3" '$1 == of && $2 == "peak_fraction" { print ($3 > most ? most = $3 : most) }' | tail -n 1; }
like "$(fractions n triad.csv 100000)" '^(0\.|1\.0[01])' "a kernel in the cache is compared with the cache's bandwidth"
like "$(fractions n triad.csv 10000000)" '^(0\.|1\.0[01])' "a kernel beyond the cache is compared with the memory's bandwidth"
quick -k gemm -P m=512,40 -P n=4000 -P k=4000 >gemm.csv
like "$(fractions m gemm.csv 512)" '^(0\.|1\.0[01])' "a matrix product is compared with the rate of matrix products"
is "$(cells m metric value status <gemm.csv | grep '^40 peak_fraction' | sort -u)" "40 peak_fraction  skipped" \
	"peak_fraction is empty if a kernel is faster than the peak"
like "$(cat err)" "'gemm' reached [0-9.e+]* of the highest rate" "bench-run reports the share above the peak"
timeout 60 bench-run -q -e none -r 1 -w 0 --processes 1 -b peaks -k triad -P n=10000 >long.csv
is "$(cells metric iterations <long.csv | awk '$1 == "wall" { print ($2 > 5000) }')" 1 \
	"a sample of a kernel on a device lasts 20 ms"

# Counters of several threads need another process; the peaks do not.
PEAKS_LOG=$T/log timeout 60 bench-run -q -e task-clock -r 2 -w 0 --processes 1 --sample-time 5ms -b peaks -k triad \
	-P n=10000 >threads.csv
is "$(wc -l <log) $(cells metric <threads.csv | grep -c '^peak_[^f]')" "3 4" \
	"peaks are measured once if a process is started again for the counters of its threads"
quick --no-peaks -k triad -P n=10000 >none.csv
is "$(cells metric status <none.csv | grep -c '^wall ok$') $(cells metric <none.csv | grep -c '^peak_')" "3 0" \
	"--no-peaks leaves out the peaks and what depends on them"
done_testing
