#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the percentiles of HDR histograms, as the libraries for Java, C and Python print
# them, and as wrk2 does.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# rows FILE [OPTION...]: the file's rows as sample,iterations,metric,unit,value,status
rows() { bench-convert "$@" | columns sample,iterations,metric,unit,value,status; }

is "$(rows "$data/histogram-java.hgrm" | grep 'p0,\|p50,\|p90,\|p99.296875,\|p100,\|20000')" '0,,value_p0,,0.001,ok
0,,value_p50,,0.102,ok
0,,value_p90,,0.468,ok
0,,value_p99.296875,,1.886,ok
0,,value_p100,,27.525,ok
0,20000,value,,0.207,ok
0,20000,value_sd,,0.407,ok
0,20000,value_max,,27.525,ok' "bench-convert reads percentiles, mean, standard deviation, maximum and count of HdrHistogram"
is "$(rows "$data/histogram-java.hgrm" | wc -l)" "$(($(grep -c '^ *[0-9]' "$data/histogram-java.hgrm") + 3))" \
	"bench-convert reads each percentile of HdrHistogram"
is "$(rows "$data/histogram-c.hgrm")" "$(awk '
	/^ *[0-9]/ { sub(/0+$/, "", $2); printf "0,,value_p%.10g,,%.10g,ok\n", 100 * $2, $1 }
	END { print "0,3000,value,,1.041,ok\n0,3000,value_sd,,1.141,ok\n0,3000,value_max,,16.815,ok" }' \
	"$data/histogram-c.hgrm")" "bench-convert reads each percentile of HdrHistogram_c"
is "$(rows "$data/histogram-python.hgrm" | tail -4)" '0,,value_p99.980337295,,6.951,ok
0,,value_p100,,6.951,ok
0,5000,value,,0.561,ok
0,5000,value_max,,6.951,ok' "bench-convert leaves out the standard deviation of HdrHistogram_py, which is in another unit"
is "$(rows "$data/histogram-empty.hgrm")" '0,,value,,,skipped' "bench-convert reads no value of an empty histogram"
is "$(bench-convert -n request "$data/histogram-c.hgrm" | columns bench | sort -u)" request \
	"bench-convert -n names the benchmark of a histogram"
is "$(cat "$data/histogram-c.hgrm" "$data/histogram-java.hgrm" | bench-convert -M value | columns sample,value)" '0,1.041
1,0.207' "bench-convert numbers the histograms of a file"

printf '%s\n' 'Value Percentile TotalCount 1/(1-Percentile)' '1.5 0.999999 7 1747626.67' '2.5 1.000000 8 3495253.33' \
	'3.5 1.000000 9 inf' '#[Mean = 1.5, StdDeviation = 0.5]' '#[Max = 3.5, Total count = 9]' '#[Buckets = 27, SubBuckets = 2048]' >rounded.hgrm
is "$(rows rounded.hgrm | grep _p)" '0,,value_p99.9999,,1.5,ok
0,,value_p100,,3.5,ok' "bench-convert reads the last of several percentiles that are rounded to the same number"

# refused MESSAGE SUBJECT FILE: one line with the message, and no output
refused() {
	bench-convert "$3" >out 2>err
	is "$?,$(wc -c <out),$(cat err)" "2,0,bench-convert: $1" "bench-convert rejects $2"
}
sed '$d' "$data/histogram-c.hgrm" >short.hgrm
refused 'short.hgrm: a histogram has no line "#[Buckets": it is cut off' "a histogram without its last line" short.hgrm
cat short.hgrm "$data/histogram-java.hgrm" >two.hgrm
refused 'two.hgrm:31: the histogram before this line is cut off: it has no line "#[Buckets"' \
	"a histogram that another one follows before its last line" two.hgrm
sed '/Max/d' "$data/histogram-c.hgrm" >short.hgrm
refused 'short.hgrm:30: a histogram without a total count: the file is damaged' "a histogram without its count" short.hgrm
sed '5s/0\.500000//' "$data/histogram-c.hgrm" >short.hgrm
refused 'short.hgrm:5: a row without percentile or count: the file is damaged' "a row without a percentile" short.hgrm

# wrk2
bench-convert "$data/wrk2.txt" 2>err | columns bench,metric,unit,value | grep 'p99.99,\|requests\|_max' >out
is "$(cat out),$(cat err)" "http://127.0.0.1:18098/,latency_max,ns,7940000
http://127.0.0.1:18098/,requests,1,1201
http://127.0.0.1:18098/,latency_p99.99,ns,7940000,bench-convert: $data/wrk2.txt: lines of the format wrk are read, but not those of the format hgrm (-f hgrm reads them)" \
	"bench-convert reads the summary of wrk2, and says that the detailed spectrum is not read"
is "$(rows -f hgrm "$data/wrk2.txt" | grep 'p50,\|p99.5313,\|p100\|value,')" '0,,value_p50,,1.642,ok
0,,value_p99.5313,,7.943,ok
0,,value_p100,,7.943,ok
0,198,value,,1.933,ok' "bench-convert -f hgrm reads the detailed spectrum of wrk2"
done_testing
