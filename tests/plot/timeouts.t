#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plots of samples some of which timed out. Such a sample is slower than all others, so a plot
# without it would show the subject as too fast.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8

# block NAME COLUMNS: columns of a data block of the script on standard input
block() { sed -n "/^[$]$1 /,/^EOD/p" | awk "NF && /^[0-9]/ && \$1 < 1e9 { print $2 }" | paste -sd' ' -; }
# texts: the texts of the script on standard input, in one line
texts() { sed -n 's/^>//p' | paste -sd'|' -; }

{
	echo bench,n,sample,metric,unit,value,status
	for v in 1 2 3; do echo "a,1,$v,wall,ns,$v,ok"; done
	echo a,1,4,wall,ns,5,timeout
	for v in 2 4; do echo "a,2,$v,wall,ns,$v,ok"; done
	for v in 5 6 7; do echo "a,2,$v,wall,ns,5,timeout"; done
	for v in 1 2 3; do echo "b,2,$v,wall,ns,5,timeout"; done
} >some.csv

bench-plot ecdf --script some.csv >ecdf.gp
is "$(block steps '$1 ":" $2' <ecdf.gp)" '1:0 1:0.25 2:0.5 3:0.75 5:0.75 2:0 2:0.2 4:0.4 5:0.4 5:0' \
	"a distribution counts samples that timed out among those above the limit"
is "$(block beyond '$1 ":" $2' <ecdf.gp)" '5:0.75 5:0.4 5:0' "a distribution ends below 1 with an arrow at the limit"
like "$(texts <ecdf.gp)" '7 timed out, drawn at the limit' "the subtitle of a distribution counts the timeouts"

# A value above a limit, for which the share is an estimate: 1 - 3/4 * (1 - 1/2)
printf 'bench,sample,metric,unit,value,status\nc,1,wall,ns,1,ok\nc,2,wall,ns,2,timeout\nc,3,wall,ns,3,ok\nc,4,wall,ns,4,timeout\n' >two.csv
is "$(bench-plot ecdf --script two.csv | block steps '$1 ":" $2')" '1:0 1:0.25 3:0.625 4:0.625' \
	"a distribution beyond a limit is that of Kaplan and Meier"

bench-plot hist --script some.csv >hist.gp
is "$(block beyond '$2' <hist.gp)" '5 5 5' "each lane of a histogram has an arrow at its limit"
like "$(texts <hist.gp)" 'n = 4, peak 2, 1 timed out\|n = 5, peak 1, 3 timed out\|n = 3, 3 timed out' \
	"the notes of a histogram count the timeouts"

bench-plot heat -x n -g bench --script some.csv >heat.gp
is "$(block cells '$3 ":" $6' <heat.gp)" '2.5:2.50 5:>5.00 5:>5.00' \
	"a cell of a heat map is a lower bound if its median timed out"
like "$(texts <heat.gp)" '7 timed out, counted as above the limit' "the subtitle of a heat map explains its bounds"

# row BENCH WORKERS VALUE STATUS...: samples
row() {
	bench=$1 workers=$2
	shift 2
	while [ $# -gt 0 ]; do echo "$bench,$workers,$#,wall,ns,$1,$2" && shift 2; done
}
{
	echo bench,workers,sample,metric,unit,value,status
	row a 1 8 ok 8 ok 8 ok
	row a 2 4 ok 4 ok 6 timeout
	row a 4 2 ok 4 timeout 4 timeout
	row b 1 10 timeout 10 timeout 10 timeout
	row b 2 5 ok 4 ok 7 timeout
	row b 4 5 ok 5 ok 5 ok
} >workers.csv
bench-plot speedup --script workers.csv >workers.gp
is "$(block points '$1 ":" $2 ":" $3' <workers.gp)" '1:1:3 2:2:3 4:2:3 1:0.5:3 2:1:3 4:1:3' \
	"the medians of a speedup count samples that timed out among the slowest"
is "$(block beyond '$1 ":" $2' <workers.gp)" '4:2 1:0.5' "a speedup whose median timed out has an arrow below its upper bound"
like "$(texts <workers.gp)" 'ratios of wall to the median at the least workers that has a median' \
	"the subtitle of a speedup says that the median at the least x timed out"
like "$(texts <workers.gp)" '7 timed out, drawn at the limit' "the subtitle of a speedup counts the timeouts"
grep -v '^b,' workers.csv | bench-plot speedup --script >a.gp
is "$(block points '$1 ":" $2' <a.gp)" '1:1 2:2 4:2' "a speedup without a timeout at the least x is the ratio to it"
unlike "$(texts <a.gp)" 'that has a median' "the subtitle of a speedup names the least x if it has a median"
awk 'NR == 1 || /timeout/' workers.csv >slow.csv
status 2 "bench-plot refuses a speedup without any median" bench-plot speedup --script slow.csv
like "$(cat .err)" 'a speedup needs a median at one x, but all medians are above the limits of samples that timed out$' \
	"the message says that all medians timed out"

# more values of n than there can be groups: before and after this number, one sample of three timed
# out, then two of three, then one of one
awk 'BEGIN { print "bench,n,sample,metric,unit,value,status"
	for (n = 1; n <= 12000; n++) {
		kind = n % 5000 == 500 ? 1 : n % 5000 == 600 ? 2 : n % 5000 == 700 ? 3 : 0
		print "a," n ",0,wall,ns," 100 (kind == 3 ? ",timeout" : ",ok")
		if (kind == 1) print "a," n ",1,wall,ns,9,ok\na," n ",2,wall,ns,300,timeout"
		if (kind == 2) print "a," n ",1,wall,ns,200,timeout\na," n ",2,wall,ns,300,timeout" } }' >many.csv
bench-plot line --log none --script many.csv >many.gp
is "$(block beyond '$1 ":" $2' <many.gp)" '600:200 700:100 5600:200 5700:100 10600:200 10700:100' \
	"a line of very many values has an arrow at each median that timed out"
is "$(block points '$1 ":" $2 ":" $3' <many.gp | tr ' ' '\n' | grep -v ':100:1$' | paste -sd' ')" \
	'600:200:3 5600:200:3 10500:100:3 10600:200:3' "the medians of a line of very many values count timeouts"
like "$(texts <many.gp)" '12 timed out, drawn at the limit' "the subtitle of a line of very many values counts the timeouts"
unlike "$(texts <many.gp)" 'failed' "timeouts are not counted among the values that are left out"

# six commits of four samples: some time out, all but one, all; and one fails
{
	echo run,time,commit,bench,sample,metric,unit,value,status
	for c in 1 2 3 4 5 6; do
		for s in 1 2 3 4; do
			case $c$s in
			34 | 4[234] | 5?) end=9,timeout ;;
			64) end=,failed:exit=1 ;;
			*) end=$s,ok ;;
			esac
			echo "r$c,2026-01-0${c}T00:00:00Z,c$c,x,$s,wall,ns,$end"
		done
	done
} >history.csv
bench-plot trend -x commit --script history.csv >history.gp
is "$(block points '$1 ":" $2' <history.gp)" '0:2.5 1:2.5 2:2.5 3:9 5:2' \
	"the medians of a history count samples that timed out among the largest"
is "$(block beyond '$1 ":" $2' <history.gp)" '3:9' "a commit of a history whose median timed out has an arrow at its lower bound"
like "$(texts <history.gp)" '4 timed out, counted as above the limit,[|]5 failed, left out' \
	"the subtitle of a history counts the samples that timed out and those that failed"

# load: at 10 requests per second, all are served; at 20, one of four times out; at 30, three of four
awk 'BEGIN { print "bench,rate,sample,metric,unit,value,status"
	for (r = 10; r <= 30; r += 10) {
		for (s = 0; s < 4; s++)
			print "a," r "," s ",latency,ns," (s < r / 10 - 1 + (r > 20) ? "9000000,timeout" : "5000000,ok")
		for (s = 0; s < 2; s++)
			print "a," r "," s ",throughput,1/s," (r == 20 && s ? ",failed:exit=1" : r ",ok") "\na," r "," s ",offered_rate,1/s," r ",ok" } }' >load.csv
for kind in load capacity; do
	bench-plot $kind --script load.csv >$kind.gp
	is "$(awk '/^beyond_series/ { print ($3 > 0) }' $kind.gp)" 1 "$kind draws the arrows of quantiles above a limit"
	like "$(texts <$kind.gp | tr '|' ' ')" '4 timed out or not served, counted as above the limit' "the subtitle of $kind counts the timeouts"
done
is "$(block beyond '$1 ":" sprintf("%.3g", $2)' <load.gp)" '20:8.88 30:9 20:7.8 30:9 30:9' "the quantiles of a load that timed out have arrows"
like "$(bench-plot goodput --script load.csv | texts)" '1 failed, left out' "the subtitle of goodput counts periods that failed"

# goodput and roofline: of four rates of a, one timed out; of four rates of b, three
awk 'BEGIN { print "bench,rate,sample,metric,unit,value,status"
	for (s = 0; s < 4; s++) {
		print "a,10," s ",offered_rate,1/s,10,ok\na,20," s ",offered_rate,1/s,20,ok"
		print "a,10," s ",latency,ns,5000000,ok\na,20," s ",latency,ns,5000000,ok"
		print "a,10," s ",throughput,1/s," (s == 3 ? ",timeout" : 7 + s ",ok")
		print "a,20," s ",throughput,1/s," (s ? ",timeout" : "7,ok") } }' >late.csv
bench-plot goodput --script late.csv >late.gp
like "$(texts <late.gp | tr '|' ' ')" '4 timed out, counted as slower than the others' "the subtitle of goodput counts periods that timed out"
like "$(texts <late.gp | tr '|' ' ')" '1 bar left out: the median timed out' "goodput has no bar for a median that timed out"
is "$(bench-plot goodput -F txt --size 70x20 late.csv | grep -c completed)" 1 "goodput has a legend for the bar that is left"
awk 'BEGIN { print "kind,bench,sample,metric,unit,value,status"
	for (s = 0; s < 4; s++) {
		print "kernel,a," s ",arithmetic_intensity,flop/B,2,ok\nkernel,b," s ",arithmetic_intensity,flop/B,2,ok"
		print "kernel,a," s ",flop_rate,flop/s," (s == 3 ? ",timeout" : (7 + s) * 1e9 ",ok")
		print "kernel,b," s ",flop_rate,flop/s," (s ? ",timeout" : "7e9,ok") } }' >late-roof.csv
bench-plot roofline --script late-roof.csv >late-roof.gp
like "$(texts <late-roof.gp | tr '|' ' ')" '4 timed out, counted as slower than the others, *1 left out: the median timed out' \
	"the subtitle of a roofline counts the samples that timed out and the subjects without a median"
is "$(block points '$2' <late-roof.gp)" 7.5 "the median of a roofline counts samples that timed out as the slowest"

# timelines: the samples that failed are counted, not their rows
awk 'BEGIN { print "bench,sample,t,metric,unit,value,status"
	for (s = 0; s < 3; s++) for (t = 0; t < 9; t++)
		print "a," s "," t * 1e6 ",rss,B," 1000 + t "," (s ? "ok" : "timeout") "\na," s "," t * 1e6 ",power,W," 9 + t "," (s ? "ok" : "timeout") }' >series.csv
like "$(bench-plot timeline --script series.csv | texts)" '[^0-9]1 failed, left out' "the subtitle of a timeline counts samples that failed, not rows"

# a ratio with one end of its interval, one with both, one with none
printf 'bench,metric,unit,ratio,ratio_lo,ratio_hi,verdict\na,wall,ns,1.5,0.5,,unsure\nb,wall,ns,0.5,0,0.8,better\nc,wall,ns,1.2,1.1,1.3,worse\nd,wall,ns,2,,,unsure\n' >ratios.csv
bench-plot compare --log none --script ratios.csv >ratios.gp
is "$(block intervals '$1 ":" $3 ":" $4' <ratios.gp)" "1:0.5:$(sed -n 's/^value_to = //p' ratios.gp) 2:$(sed -n 's/^value_from = //p' ratios.gp):0.8 3:1.1:1.3" \
	"an interval of a ratio with only one end reaches to the end of the axis"
like "$(texts <ratios.gp)" 'an interval up to the edge has no end there' "the subtitle explains an interval with one end"
unlike "$(sed 2,3d ratios.csv | bench-plot compare --script | texts)" 'up to the edge' "the subtitle does not mention intervals to the edge if there are none"

{
	echo bench,backend,sample,metric,unit,value,status
	for s in 1 2 3; do
		echo "k,cpu,$s,flop_rate,flop/s,9e9,ok"
		echo "slow,cpu,$s,flop_rate,flop/s,$([ $s != 1 ] && echo 9e9,ok || echo ,timeout)"
		printf 'k,cpu,%d,arithmetic_intensity,flop/B,2,ok\nslow,cpu,%d,arithmetic_intensity,flop/B,4,ok\n' $s $s
	done
} >kernels.csv
like "$(bench-plot roofline --script kernels.csv | texts)" '[|]slow .1 of 3 failed.' "a name in a roofline counts the samples that failed"

if skip_unless gnuplot "plots of timeouts"; then
	like "$(bench-plot trend -F txt history.csv)" '↑' "a history on a terminal has arrows at lower bounds"
	like "$(bench-plot speedup -F txt workers.csv)" '↓' "a speedup on a terminal has arrows below its upper bounds"
	like "$(bench-plot speedup -F svg workers.csv)" 'b, workers=1: below 0.5' "the description of a speedup says what is below a bound"
	for kind in ecdf hist; do
		like "$(bench-plot $kind -F txt some.csv)" '→' "a $kind on a terminal has arrows at the limit"
	done
	like "$(bench-plot heat -x n -g bench -F txt some.csv)" '>5.00' "a heat map on a terminal shows lower bounds"
	like "$(bench-plot ecdf -F svg some.csv)" 'a, n=2: above 5 ns' "the description of a plot says what is above a limit"
fi

# wide METRIC: ten values of each of five subjects, over eight powers of ten
awk 'BEGIN { print "bench,sample,metric,unit,value"
	for (e = 0; e <= 8; e += 2) for (s = 0; s < 10; s++) print "b" e "," s ",wall,ns," 10 ^ e * (1 + s / 100) }' >wide.csv
like "$(bench-plot ecdf --script wide.csv)" 'x_log = 1' "the axis of a distribution of very different values is logarithmic"
like "$(bench-plot ecdf --log none --script wide.csv)" 'x_log = 0' "--log none keeps the axis of a distribution linear"

done_testing
