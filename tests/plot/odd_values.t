#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Values that a plot cannot show as they are: zeros, negative times, two units, equal times, long names.
. "${0%/*}/../lib/tap.sh"

skip_unless gnuplot "plots of odd values" || done_testing

# points BLOCK COLUMNS: fields of the rows of a block of data of a script
points() { sed -n "/^[$]$1/,/^EOD/p" | awk "/^[0-9]/ { print $2 }" | tr '\n' ' '; }
# speedup METRIC UNIT: six values at 1, 2 and 4 workers, where those at 2 workers are 0
speedup() {
	awk -v name="$1,$2" 'BEGIN { print "bench,workers,sample,metric,unit,value"
		for (w = 1; w <= 4; w *= 2) for (s = 0; s < 6; s++) print "x," w "," s "," name "," (w == 2 ? 0 : 100 * w) }'
}
speedup throughput 1/s >rate.csv
status 0 "a speedup of a rate of 0 is drawn" bench-plot speedup --script -o rate.gp rate.csv
is "$(points points '$1, $2' <rate.gp)" '1 1 2 0 4 4 ' "a rate of 0 is a speedup of 0"
speedup wall ns >time.csv
like "$(bench-plot speedup -F txt time.csv)" '6 values without a ratio left out \(division by 0\)' \
	"a speedup counts the times of 0, which have no ratio"
is "$(bench-plot speedup --script time.csv | points points '$1, $2')" '1 1 4 0.25 ' \
	"a speedup shows the values that have a ratio"
status 0 "bench-report draws a speedup of values of 0" bench-report -o report.html rate.csv
sed 's/,1,\(.\),throughput,1.s,.*/,1,\1,throughput,1\/s,0/' rate.csv >base.csv
status 2 "a speedup relative to 0 is an error" bench-plot speedup -F txt base.csv
like "$(cat .err)" 'those at the least x are 0' "the message states what is 0"

# Duplicate rows, and equal values that are not duplicates: of both halves of an A/A measurement.
awk 'BEGIN { print "run,bench,aa,sample,metric,unit,value,status"; for (i = 0; i < 9; i++) for (h = 0; h < 2; h++)
	print "r,x," (h ? "b" : "a") "," i ",wall,ns," (i < 8 ? 100 + i : "") "," (i < 8 ? "ok" : "failed") }' >halves.csv
cat halves.csv halves.csv >twice.csv
for kind in box bar ecdf; do
	bench-plot $kind --script twice.csv | sed -n 's,^>,,p' | paste -sd' ' >twice
	like "$(cat twice)" 'n = 16,.2 failed, left out,.18 duplicate rows left out' "bench-plot $kind leaves out duplicate rows and counts them"
done
is "$(bench-plot bar --script twice.csv | sed 's/, 18 duplicate.*//')" "$(bench-plot bar --script halves.csv)" \
	"duplicate rows do not change intervals"

{
	echo kind,bench,process,sample,t,metric,unit,value
	echo model,m,0,0,,first_token,ns,5e6
	echo model,m,0,0,1,inter_token,ns,-1
} >tokens.csv
status 2 "a negative time between tokens is an error" bench-plot tokens -F txt tokens.csv
like "$(cat .err)" 'tokens.csv, line 3: inter_token is -1 ns, but a time cannot be below 0' "the message names the line of a negative time"

awk 'BEGIN { print "bench,rate,sample,metric,unit,value"
	for (r = 100; r <= 300; r += 100) for (s = 0; s < 20; s++) print "x," r "," s ",latency," (r == 300 ? "ms,1" : "ns,1e6") }' >units.csv
for kind in load capacity; do
	status 2 "bench-plot $kind refuses to draw two units on one axis" bench-plot $kind -F txt units.csv
	like "$(cat .err)" "units.csv, line 42: metric latency has two units, 'ns' and 'ms'" "the message of $kind names both units and the line"
done

# trend COMMIT: a history of eight commits whose names begin with COMMIT, at one time
trend() {
	awk -v commit="$1" 'BEGIN { print "run,time,commit,bench,sample,metric,unit,value"
		for (c = 0; c < 8; c++) for (s = 0; s < 3; s++)
			print "r" c ",2026-01-01T00:00:00Z," commit c ",x," s ",wall,ns," 1000 + c }'
}
trend release-1.2. >equal.csv
is "$(bench-plot trend --script equal.csv | points points '$1')" '0 1 2 3 4 5 6 7 ' \
	"commits with the same time have equal distances"
like "$(bench-plot trend -F txt equal.csv)" 'release-1\.2\.[0-7].*release-1\.2\.[0-7]' "the name of a release is not cut"
trend 0123456789abcdef0123456789abcdef0123456 >hash.csv
like "$(bench-plot trend -F txt hash.csv)" ' 012345678 ' "a hash is shortened to nine digits"

# A clock was reset to 1970 when the third of twelve commits was measured.
awk 'BEGIN { print "run,time,commit,bench,metric,unit,value"
	for (c = 0; c < 12; c++) print "r" c "," (c == 2 ? "1970-01-01T00:01" : "2026-01-" c + 10 "T00:00") ":00Z,c" c ",x,wall,ns," 1000 + c }' >reset.csv
is "$(bench-plot trend --script reset.csv | points points '$1')" '0 1 2 3 4 5 6 7 8 9 10 11 ' \
	"commits have equal distances if a clock that was reset would squeeze them"
like "$(bench-plot trend -F txt reset.csv | tr '\n' ' ')" 'evenly spaced, because nothing was measured in +56 years' \
	"the subtitle of a trend explains equal distances"
is "$(bench-plot trend -x time --script reset.csv | points points '$1' | wc -w)" 12 "-x time draws a squeezed history over time"
{ sed '1s/$/,host/; 2,$s/$/,a/' reset.csv && sed 1d reset.csv | sed 's/1970-01-01T00:01/2026-01-12T00:00/; s/^r/s/; s/$/,b/'; } >hosts.csv
is "$(bench-plot trend --script hosts.csv | points points '$1')" '2 0 1 3 4 5 6 7 8 9 10 11 0 1 2 3 4 5 6 7 8 9 10 11 ' \
	"the clock of one host that was reset leaves the commits of another host in order"
sed 's/,1970/,2025/' reset.csv >year.csv
unlike "$(bench-plot trend -F txt year.csv)" 'evenly' "a history with a gap of a year is drawn over time"
# Three rounds of four commits.
awk 'BEGIN { print "run,time,commit,bench,metric,unit,value"
	for (r = 0; r < 3; r++) for (c = 0; c < 4; c++) print "r" r c ",2026-01-0" r + 1 "T0" (c + r) % 4 ":00:00Z,c" c ",x,wall,ns," 1000 + c }' >turns.csv
printf 'c%d\n' 0 1 2 3 >rounds
is "$(bench-plot trend -F txt turns.csv | grep -c 'measured in turns') $(bench-plot trend --order rounds -F txt turns.csv | grep -c 'measured in turns')" \
	'1 0' "the subtitle of a trend says that commits were measured in turns, unless --order is given"

# wide METRIC UNIT: eight values of each of seven subjects, over twelve powers of ten
wide() {
	awk -v name="$1,$2" 'BEGIN { print "bench,sample,metric,unit,value"
		for (e = 0; e <= 12; e += 2) for (s = 0; s < 8; s++) print "b" e "," s "," name "," 10 ^ e * (1 + s / 100) }'
}
wide wall ns >wide.csv
for kind in bar box strip; do
	bench-plot $kind --script wide.csv >wide.gp
	like "$(cat wide.gp)" 'value_log = 1' "the axis of a $kind of very different values is logarithmic"
	bench-plot $kind -F txt --size 100 wide.csv >wide.txt
	like "$(tail -n 1 wide.txt)" '^ *wall, logarithmic' "the label of a $kind states that its axis is logarithmic"
	like "$(cat wide.txt)" ' 1 µs  *100 µs  *10 ms  *1 s  *100 s' "the tics of a $kind are at powers of ten of a second"
done
bench-plot box --log none --script wide.csv >wide.gp
like "$(cat wide.gp)" 'value_log = 0' "--log none keeps the axis of boxes linear"

awk 'BEGIN { print "bench,n,metric,unit,value"; for (n = 1; n <= 1000; n *= 10) print "a," n ",wall,ns," n * 2.346 }' >cells.csv
is "$(bench-plot heat -x n -g bench --script cells.csv | points cells '$6')" \
	'0.00235 0.0235 0.235 2.35 ' "the numbers of a heat map have three significant digits"
like "$(bench-plot heat -x n -g bench -F txt cells.csv)" 'brighter is larger, on a logarithmic scale' "a heat map states that its scale is logarithmic"

status 2 "a text of too few lines is an error" bench-plot line -x n --size 20x8 -F txt cells.csv
like "$(cat .err)" 'a plot of 20 by 8 characters is too small for its contents: use --size 80x[0-9]+ or more' "the message names a number of lines that would do"
size=$(sed 's/.*--size \([0-9x]*\) .*/\1/' .err)
status 0 "the number of lines that the message names is enough" bench-plot line -x n --size "$size" -F txt cells.csv

awk 'BEGIN { print "kind,bench,metric,unit,value"
	split("1e9 3e9 12e9", rate); split("0.1 1 10", intensity)
	for (i = 1; i <= 3; i++) printf "kernel,k%d,flop_rate,flop/s,%s\nkernel,k%d,arithmetic_intensity,flop/B,%s\n", i, rate[i], i, intensity[i]
	for (i = 1; i <= 3; i++) printf "kernel,k%d,peak_flop_rate,flop/s,10e9\nkernel,k%d,peak_bandwidth,B/s,5e9\n", i, i }' >roof.csv
like "$(bench-plot roofline -F txt --size 100x24 roof.csv)" 'medians and the measured peaks of the device, 2 above the peaks' \
	"a roofline counts the kernels above the roof"
done_testing
