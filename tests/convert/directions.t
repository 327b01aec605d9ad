#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-compare knows in which direction metrics that bench-convert reads are better.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# side FACTOR: six samples of each metric
side() {
	awk -v factor="$1" 'BEGIN {
		print "bench,metric,unit,value"
		n = split("success_share:1 failed_rate:1/s connection_error_rate:1/s miss_rate:1/s hit_rate:1/s " \
			"bandwidth_max:B/s requests:1 transactions:1 operations:1 throughput_sd:1/s", metric, " ")
		for (m = 1; m <= n; m++) {
			split(metric[m], part, ":")
			for (i = 0; i < 6; i++) print "x," part[1] "," part[2] "," factor * (90 + i)
		}
	}'
}
side 1 >old.csv
side 0.1 >new.csv
bench-compare -q --csv old.csv new.csv >verdicts.csv
is "$(columns metric,verdict <verdicts.csv)" 'success_share,worse
failed_rate,better
connection_error_rate,better
miss_rate,better
hit_rate,worse
bandwidth_max,worse
requests,differs
transactions,differs
operations,differs
throughput_sd,differs' 'fewer failures are better, a lower share of successes is worse, and numbers of requests are neither'
grep 'metric\|success_share' old.csv >good.csv
grep 'metric\|success_share' new.csv >bad.csv
status 1 'bench-compare --gate fails if fewer requests succeed' bench-compare -q --gate good.csv bad.csv
done_testing
