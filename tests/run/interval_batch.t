#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run --interval: the processes of functions and kernels over time.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

export ASAN_OPTIONS=detect_leaks=0
cat >held.c <<'END'
#include <bench.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
/* Holds 64 MB in its loop, and sleeps. */
BENCH(held, "category=memory")
{
	char *held = malloc(64000000);

	memset(held, 1, 64000000);
	BENCH_KEEP(held);
	BENCH_LOOP(b) {
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	free(held);
}
/* Computes. */
BENCH(computes, "category=loop")
{
	BENCH_LOOP(b) {
		for (volatile int i = 0; i < 100000; i++)
			;
	}
}
END
gcc -O2 -shared -fPIC -I "$ROOT/include" -o held.so held.c || exit 1
measure() { timeout 60 bench-run -q -e none --processes 2 -r 3 -w 0 --interval 10ms "$@" >out; }
# rows METRIC: process, sample, t, value, unit and status of its rows
rows() {
	awk -F, -v m="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == m { print $at["process"], $at["sample"], $at["t"], $at["value"], $at["unit"], $at["status"] }' out
}

measure -f held.so:held
is "$(rows rss | awk '{ print $1, $2, $5, $6 }' | uniq)" '0 0 B ok
1 0 B ok' 'each process of a function has a time series of rss'
is "$(rows rss | awk '{ n[$1]++ } END { print (n[0] >= 3 && n[0] <= 100), (n[1] >= 3 && n[1] <= 100) }')" '1 1' \
	'a batch of at least 10 intervals has several observations'
is "$(rows rss | awk 'NF != 6 || $3 < 0 || $3 > 20e9 || ($1 == process && $3 < last + 5e6) { print } { process = $1; last = $3 }')" '' \
	'observations of a function are at least about an interval apart'
is "$(rows rss | awk '$4 < 64e6 || $4 > 1e9')" '' 'the time series of rss contains the memory that a function holds'
is "$(rows cpu_utilisation | awk '{ n++; sum += $4 } END { print (n > 2 && sum / n < 0.5) }')" 1 'a function that sleeps uses little processor time'
is "$(rows threads | cut -d' ' -f4 | sort -u) $(rows processes | cut -d' ' -f4 | sort -u)" '1 1' \
	'the processes of a function do not include those of other subjects'
is "$(rows wall | wc -l)" 6 'the batch that is observed is no sample'
measure --processes 1 -J 2 -O sequential -f held.so:held
is "$(rows processes | cut -d' ' -f4 | uniq | tr '\n' ' ')" '1 2 ' 'the time series of workers has all of their processes'
is "$(rows rss | awk '$4 < 128e6' | wc -l) $(rows rss | wc -l)" "$(rows processes | grep -c ' 1 1 ok$') $(rows processes | wc -l)" \
	'rss of two workers is the sum over their processes'
measure --processes 1 -j 2 -O sequential -f held.so:held
is "$(rows threads | cut -d' ' -f4 | uniq | tr '\n' ' ')" '1 2 ' 'the time series of threads has both of them'
measure --processes 1 -f held.so:computes
is "$(rows cpu_utilisation | awk '{ n++; sum += $4 } END { print (n > 2 && sum / n > 0.2 && sum / n < 1.2) }')" 1 'a function that computes keeps a processor busy'
measure --processes 1 -b cpu -k copy -P n=1000
is "$(rows rss | awk '$2 == 0 && $3 > 0 && $4 > 1e6' | wc -l | awk '{ print ($1 > 2) }')" 1 'a kernel has a time series'
timeout 60 bench-run -q -e none --processes 2 -r 3 -w 0 -f held.so:held >out
is "$(rows rss | awk 'NF == 5' | wc -l) $(rows threads | wc -l)" '6 0' 'rss has one value for each sample without --interval'
done_testing
