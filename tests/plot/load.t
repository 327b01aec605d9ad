#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the plots of measurements under load: load, capacity and goodput.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8

# Two rates with three periods each. At 10/s, the latencies are 1 to 900 ms. At 20/s they are ten times
# as long, and the servers complete only 15/s.
awk 'BEGIN {
	print "kind,bench,rate,process,sample,metric,unit,value,status"
	for (rate = 10; rate <= 20; rate += 10)
		for (period = 0; period < 3; period++) {
			at = "command,serve," rate "," period ","
			for (i = 0; i < 300; i++)
				print at i ",latency,ns," (i * 77 % 300 * 3 + period + 1) * 1e6 * (rate == 10 ? 1 : 10) ",ok"
			print at "0,offered_rate,1/s," rate ",ok"
			print at "0,throughput,1/s," (rate == 10 ? 10 : 15) ",ok"
			print at "0,utilization,1," (rate == 10 ? 0.6 : 0.99) ",ok"
			print at "0,goodput,1/s," (rate == 10 ? 9 : 2) ",ok"
		}
}' >load.csv

# data NAME: prints a block of data of the script on standard input
data() { sed -n "/^\\\$$1 << EOD/,/^EOD/p" | sed -e '1,2d' -e '$d' -e '/^$/d'; }
# columns N...: prints columns, joined by commas and blanks
columns() { awk -v list="$*" '{ n = split(list, c, " "); s = ""; for (i = 1; i <= n; i++) s = s (i > 1 ? " " : "") $c[i]; all = all (NR > 1 ? ", " : "") s } END { print all }'; }

bench-plot load --script --slo latency=2s -o load.gp load.csv 2>err
is "$?$(cat err)" 0 "bench-plot load draws rates without a message"
is "$(data points <load.gp | columns 1 2)" \
	"10 0.89101, 20 8.9101, 10 0.8101, 20 8.101, 10 0.4505, 20 4.505" \
	"bench-plot load draws p99, p90 and p50 at each rate"
is "$(data intervals <load.gp | awk '$3 <= $2 && $2 <= $4 && $3 < $4' | wc -l | tr -d ' ')" 6 \
	"bench-plot load draws an interval around each quantile"
is "$(data saturated <load.gp | awk '$1 < 1e9' | columns 1)" "20, 20, 20" \
	"bench-plot load marks only the rate at which the servers are saturated"
like "$(cat load.gp)" 'limit 2 s' "bench-plot load --slo names the limit"
is "$(sed -n 's/^limit = //p' load.gp)" 2 "bench-plot load --slo draws the limit in the unit of the axis"

bench-plot capacity --script -o capacity.gp load.csv
is "$(data points <capacity.gp | columns 1 2)" "10 0.89101, 15 8.9101" \
	"bench-plot capacity draws p99 over the throughput"
is "$(sed -n 's/^>\([0-9]*\/s\)$/\1/p' capacity.gp | paste -sd' ' -)" "10/s 20/s" \
	"bench-plot capacity names each point by its offered rate"

bench-plot goodput --script -o goodput.gp load.csv
is "$(data points <goodput.gp | columns 2)" "10, 20, 10, 15, 9, 2" \
	"bench-plot goodput draws the offered, completed and timely requests of each rate"
like "$(cat goodput.gp)" '20/s .saturated.' "bench-plot goodput says which rate is saturated"

sed -e 's/,20,0,299,latency,ns,[0-9]*,ok/,20,0,299,latency,ns,9000000000,timeout/' load.csv >left.csv
bench-plot load --script left.csv >left.gp
is "$(data beyond <left.gp | awk '$1 < 1e9' | wc -l | tr -d ' ')" 0 \
	"bench-plot load draws quantiles below the requests that were not started as values"
sed -e 's/,20,\([0-9]*\),\([0-9]*[5-9]\),latency,ns,[0-9]*,ok/,20,\1,\2,latency,ns,9000000000,timeout/' load.csv >left.csv
bench-plot load --script left.csv >left.gp
is "$(data beyond <left.gp | awk '$1 < 1e9' | columns 1 2)" "20 9, 20 9" \
	"bench-plot load draws quantiles that depend on requests that were not started at their limit"

# All requests at 15/s failed.
{
	cat load.csv
	sed -e '1d' -e 's/serve,20,/serve,15,/' -e 's/,latency,ns,[^,]*,ok/,latency,ns,,failed:exit=1/' load.csv | grep 'serve,15,' |
		sed 's/offered_rate,1.s,20/offered_rate,1\/s,15/; s/throughput,1.s,15/throughput,1\/s,12/'
} >failed.csv
bench-plot load --script failed.csv >failed.gp
is "$(sed -n 's/^gap\[.\] = //p' failed.gp | paste -sd, -)" 15,15,15 "bench-plot load marks a rate at which all requests failed"
is "$(sed -n '/^.points /,/^EOD/p' failed.gp | awk '/^[0-9]/ { print $1 } !NF { print "|" }' | paste -sd' ' -)" \
	'10 | 20 | | 10 | 20 | | 10 | 20' "bench-plot load interrupts its lines at a rate without values"
like "$(cat failed.gp)" '900 failed, left out' "bench-plot load counts the failed requests of a rate without values"
like "$(sed -n 's/^>//p' failed.gp | paste -sd' ')" '× on the axis: no value' "bench-plot load explains the mark"
bench-plot capacity --script failed.csv >failed.gp
is "$(sed -n 's/^gap\[.\] = //p' failed.gp) $(grep -c '^>15/s$' failed.gp)" "12 0" \
	"bench-plot capacity marks a rate without values at its throughput"
like "$(bench-plot goodput --script failed.csv)" '15/s' "bench-plot goodput draws a rate at which all requests failed"
grep -v ',ok$' failed.csv >none.csv
status 2 "bench-plot load refuses requests that all failed" bench-plot load --script none.csv

{ cat load.csv && sed -e 1d -e 's/,serve,/,b,/' load.csv; } >two.csv
bench-plot load --script two.csv >two.gp
is "$(sed -n 's/^>\(.*p99)*\)$/\1/p' two.gp | sort -u | paste -sd' ' -)" "b, p99 (same as serve, p99) serve, p99" \
	"bench-plot load names the lines of several subjects"

# One request of each period is so slow that p99 has no interval.
awk -F, '$5 % 3 == 0 || NR == 1' load.csv >few.csv
bench-plot load --script few.csv >few.gp
is "$(data intervals <few.gp | sed -n '1s/ .*//p')" 1e9 \
	"bench-plot keeps the place of a line that has no interval"

for kind in load capacity goodput; do
	bench-plot $kind --size 80x24 load.csv >text 2>err
	is "$?$(cat err) $(($(wc -L <text) > 80))" "0 0" "bench-plot $kind draws on a terminal of 80 columns"
	bench-plot $kind --theme dark --size 420 -o $kind.svg load.csv 2>err
	is "$?$(cat err)" 0 "bench-plot $kind draws a narrow dark plot"
done
like "$(bench-plot load --size 80x24 load.csv)" '×' "bench-plot load marks saturated rates on a terminal"

sed 's/^/r,/; 1s/^r/run/' load.csv >once.csv
awk 'BEGIN { print "run,kind,bench,sample,metric,unit,value"
	for (i = 0; i < 3; i++) printf "r,kernel,k,%d,flop_rate,flop/s,1e%d\nr,kernel,k,%d,arithmetic_intensity,flop/B,2\n", i, 9 + i, i }' >kernel.csv
# drawn SCRIPT: prints the blocks of data of a script, without its texts
drawn() { sed -n '/^\$said/,/^EOD/d; /^\$.* << EOD/,/^EOD/p' "$1"; }
for kind in load capacity goodput roofline; do
	[ $kind = roofline ] && mv kernel.csv once.csv
	{ cat once.csv && tail -n +2 once.csv; } >twice.csv
	bench-plot $kind --script once.csv >once
	bench-plot $kind --script twice.csv >twice
	like "$(cat twice)" '[0-9]+ duplicate rows left out' "bench-plot $kind counts duplicate rows"
	is "$(drawn twice)" "$(drawn once)" "bench-plot $kind draws duplicate rows once"
done

grep -v latency load.csv >none.csv
is "$(bench-plot load none.csv 2>&1)" \
	"bench-plot: no latency to draw: measure under load, such as with bench-run --rate 10,20,50" \
	"bench-plot load says how to measure if there is no latency"
is "$(bench-plot load -y latency -y utilization --slo wait=1s load.csv 2>&1)" \
	"bench-plot: --slo has no limit of latency, which is drawn: add latency=DURATION, or draw another metric with -y" \
	"bench-plot --slo requires a limit of the metric that is drawn"
like "$(bench-plot goodput --slo latency=1s load.csv 2>&1)" '--slo works only for load, capacity and tokens' \
	"bench-plot goodput rejects --slo"
for kind in load capacity goodput timeline roofline; do
	status 2 "bench-plot $kind rejects -g" bench-plot $kind -g bench load.csv
	like "$(cat "$T/.err")" "^bench-plot: -g does not work for $kind, which draws each subject separately: omit -g" \
		"bench-plot $kind says why it rejects -g"
done
like "$(bench-plot load --slo latency=soon load.csv 2>&1)" "--slo: .*soon" \
	"bench-plot load rejects a limit that is no duration"
awk 'BEGIN { print "bench,rate,sample,metric,unit,value"
	for (b = 0; b < 10000; b++) for (r = 10; r < 40; r += 10) print "b" b "," r ",0,latency,ns,1000000" }' >many.csv
for kind in load capacity; do
	status 2 "bench-plot $kind refuses very many subjects without delay" timeout 20 bench-plot $kind --script many.csv
	like "$(cat .err)" '10000 series are too many for a plot$' "the message of bench-plot $kind counts the series"
done

done_testing
