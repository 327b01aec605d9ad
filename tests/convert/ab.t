#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads what ab (ApacheBench) prints, and its files of percentiles and requests.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# of NAME: the rows of a file
of() { bench-convert "$data/ab$1" | columns bench,concurrency,iterations,metric,unit,value,status; }
b=http://server:8080/sleep,4
is "$(of .txt | sed -n '1,12p;22,27p;34p')" "$b,,wall,ns,202000000,ok
$b,,requests,1,60,ok
$b,,failed_requests,1,0,ok
$b,,throughput,1/s,296.72,ok
$b,,time_per_request,ns,13481000,ok
$b,,bandwidth,B/s,34713.6,ok
$b,,connect_min,ns,,skipped
$b,,connect,ns,,skipped
$b,,connect_sd,ns,200000,ok
$b,,connect_median,ns,,skipped
$b,,connect_max,ns,2000000,ok
$b,,processing_min,ns,1000000,ok
$b,,latency_min,ns,1000000,ok
$b,60,latency,ns,12000000,ok
$b,,latency_sd,ns,6700000,ok
$b,,latency_median,ns,11000000,ok
$b,,latency_max,ns,23000000,ok
$b,,latency_p50,ns,11000000,ok
$b,,latency_p99,ns,23000000,ok" 'bench-convert reads a test of ab, and times that it rounded to 0 as missing'
is "$(bench-convert "$data/ab-errors.txt" | columns keep_alive,metric,value | grep -E 'requests|err|exc')" 'true,requests,40
true,failed_requests,26
true,connect_errors,0
true,receive_errors,0
true,length_errors,26
true,exceptions,0
true,http_errors,10' 'bench-convert reads how many requests of ab failed, and why'
is "$(bench-convert -n b "$data/ab-refused.txt" | columns bench,metric,value,status,x_message)" \
	'b,throughput,,failed,Benchmarking server (be patient)...apr_socket_recv: Connection refused (111)' \
	'bench-convert reads a test of ab without a connection as failed, with its message'
cat "$data/ab.txt" "$data/ab-refused.txt" "$data/ab.txt" >tests.txt
is "$(bench-convert tests.txt | columns bench,sample,metric,value,status | grep throughput)" \
	'http://server:8080/sleep,0,throughput,296.72,ok
,0,throughput,,failed
http://server:8080/sleep,1,throughput,296.72,ok' 'bench-convert reads several tests of ab as samples of their subjects'
sed -e 's/mean\[+\/-sd\] median/avg/' -e '/^Total: /s/12   6.7     11/12/' "$data/ab.txt" >short.txt
is "$(bench-convert short.txt | columns metric,value | grep -E '^latency(_[^p]|,)')" 'latency_min,1000000
latency,12000000
latency_max,23000000' 'bench-convert reads the times of ab -S, which lack median and standard deviation'
sed 's/^Document Path/SSL\/TLS Protocol:       TLSv1.3\n&/' "$data/ab.txt" >tls.txt
is "$(bench-convert tls.txt | columns bench | sort -u)" https://server:8080/sleep \
	'bench-convert reads from the text of ab that connections were encrypted'
sed -e 's/^Complete requests: .*/Complete requests:      0/' -e 's/^\(Time per request: *\)[0-9.]*/\1inf/' "$data/ab.txt" >none.txt
is "$(bench-convert none.txt | columns metric,value,status | grep -E 'requests|per_')" 'requests,0,failed
failed_requests,0,failed
time_per_request,,failed' 'bench-convert reads a test of ab without a request as failed'
sed 's/^Requests per second: .*/Requests per second: ?/' "$data/ab.txt" >bad.txt
status 2 'bench-convert rejects a value of ab that is no number' bench-convert bad.txt
is "$(cat "$T/.err")" "bench-convert: bad.txt:$(grep -n 'Requests per' bad.txt | cut -d : -f 1): no number" \
	'the message about a value of ab that is no number has its line'

is "$(bench-convert "$data/ab.csv" | columns metric,unit,value | sed -n '1,2p;51p;100,101p')" 'latency_min,ns,984000
latency_p1,ns,1351000
latency_p50,ns,11153000
latency_p99,ns,23060000
latency_max,ns,23060000' 'bench-convert reads the percentiles of ab -e'
printf 'Percentage served,Time in ms\n50,0.000\n' >zero.csv
is "$(bench-convert zero.csv | columns metric,value,status)" latency_p50,,skipped \
	'bench-convert reads a percentile that ab -e rounded to 0 as missing'
for line in 101,1 -1,1 x,1 50,x 50,-1 50; do
	printf 'Percentage served,Time in ms\n%s\n' "$line" >bad.csv
	status 2 "bench-convert rejects the line '$line' in percentiles of ab -e" bench-convert bad.csv
	is "$(cat "$T/.err")" 'bench-convert: bad.csv:2: not a percentile of ab -e' \
		"bench-convert reports the place of the line '$line'"
done

bench-convert "$data/ab.tsv" >rows.csv 2>notes
is "$(columns time,sample,metric,unit,value <rows.csv | sed -n '1,4p;$p')" \
	'2026-11-29T00:03:32.000000000Z,0,connect,ns,0
2026-11-29T00:03:32.000000000Z,0,processing,ns,1000000
2026-11-29T00:03:32.000000000Z,0,latency,ns,1000000
2026-11-29T00:03:32.000000000Z,0,waiting,ns,1000000
2026-11-29T00:03:32.000000000Z,59,waiting,ns,23000000' 'bench-convert reads the requests of ab -g'
is "$(wc -l <rows.csv; cat notes)" 241 'bench-convert reads every request of ab -g, without a message'
sed '2s/1\t1$/0\t1/' "$data/ab.tsv" >zero.tsv
bench-convert zero.tsv >zero.csv 2>notes
is "$(rows latency zero.csv | columns value | head -n 1; cat notes)" \
	'0
bench-convert: zero.tsv: 1 of 60 latencies are 0, because ab rounded them to milliseconds' \
	'bench-convert reports latencies that ab -g rounded to 0'
for line in '1795910612	0	1	1' 'x	0	1	1	1' '-1	0	1	1	1' '1795910612	0	1	-1	1' '9795910612000	0	1	1	1'; do
	{ head -n 1 "$data/ab.tsv" && printf 'Sun Nov 29 00:03:32 2026\t%s\n' "$line"; } >bad.tsv
	status 2 "bench-convert rejects the request '$line' of ab -g" bench-convert bad.tsv
	is "$(cat "$T/.err")" 'bench-convert: bad.tsv:2: not a request of ab -g' "bench-convert reports the place of the request '$line'"
done
for name in ab.txt ab.csv ab.tsv; do
	head -c 200 "$data/$name" >"cut-$name"
	status 2 "bench-convert rejects $name if it ends within a line" bench-convert "cut-$name"
done
done_testing
