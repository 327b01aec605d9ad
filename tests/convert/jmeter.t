#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the samples of JMeter.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/formats
bench-convert "$data/jmeter.csv" >rows.csv
is "$(columns time,bench,sample,metric,unit,value,status <rows.csv | head -n 4)" '2019-01-16T22:05:57.242000000Z,HP-0,0,latency,ns,1172000000,ok
2019-01-16T22:05:57.242000000Z,HP-0,0,first_byte,ns,1170000000,ok
2019-01-16T22:05:57.242000000Z,HP-0,0,connect,ns,704000000,ok
2019-01-16T22:05:58.416000000Z,HP-1,0,latency,ns,772000000,ok' 'bench-convert reads the times of a sample of JMeter, and when it began'
is "$(columns bench,sample,metric,value <rows.csv | grep ,latency, | tr '\n' ' ')" \
	'HP-0,0,latency,1172000000 HP-1,0,latency,772000000 HP-2,0,latency,980000000 HP,0,latency,2924000000 HP-0,1,latency,722000000 HP-1,1,latency,199000000 HP-2,1,latency,392000000 HP,1,latency,1313000000 ' \
	'bench-convert reads each label of JMeter as a benchmark, also a transaction'
is "$(bench-convert "$data/jmeter-failed.csv" | columns bench,sample,metric,value,status)" 'JR-OK,0,latency,164000000,ok
JR-KO,0,latency,329000000,failed
JR-OK,1,latency,147000000,ok' 'a sample of JMeter that was not a success has failed, and a time of 0 was not measured'
printf 'timeStamp,elapsed,label,success,bytes,Latency\n1551783636695,164,JR-OK,true,18,3\n' >few.csv
is "$(bench-convert few.csv | columns bench,metric,value | tr '\n' ' ')" 'JR-OK,latency,164000000 JR-OK,first_byte,3000000 ' \
	'bench-convert does not take the columns of JMeter for those of perf'
cut -d, -f1-8 "$data/jmeter-failed.csv" | sed 's/^1551783636695/2019-03-05 11:00:36.695/' >old.csv
is "$(bench-convert old.csv | columns time,bench,value | head -n 1)" '2019-03-05T11:00:36.695000000Z,JR-OK,164000000' \
	'bench-convert reads files of older versions of JMeter, even with dates'
is "$(printf 'timeStamp,elapsed,label,success\n-1,2,a,true\n-1000,2,a,true\n1969-12-31T23:59:58.5Z,2,a,true\n' |
	bench-convert | columns time | tr '\n' ' ')" \
	'1969-12-31T23:59:59.999000000Z 1969-12-31T23:59:59.000000000Z 1969-12-31T23:59:58.500000000Z ' \
	'a clock of JMeter that is before 1970 is a time'
sed '2s/,164,/,"1,164",/' "$data/jmeter-failed.csv" >comma.csv
status 2 'bench-convert rejects a time of JMeter with a comma' bench-convert comma.csv
done_testing
