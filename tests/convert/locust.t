#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the statistics of Locust.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/formats
bench-convert "$data/locust.csv" | sed 's/"missing, page"/missing page/' >rows.csv
is "$(columns bench,method,iterations,metric,unit,value,status <rows.csv | head -n 10)" '/,GET,149,latency,ns,8044194.590603556,ok
/,GET,,latency_min,ns,2400523.99999513,ok
/,GET,,latency_median,ns,4000000,ok
/,GET,,latency_p90,ns,15000000,ok
/,GET,,latency_p95,ns,21000000,ok
/,GET,,latency_p99,ns,55000000,ok
/,GET,,latency_max,ns,180282103.0000814,ok
/,GET,,throughput,1/s,49.846043163975715,ok
/,GET,,failed_requests,1,0,ok
/,GET,,failed_rate,1/s,0,ok' 'bench-convert reads the statistics of Locust, with times in ns'
is "$(columns bench,metric,value,status <rows.csv | grep 'failed_requests\|,throughput')" '/,throughput,49.846043163975715,ok
/,failed_requests,0,ok
missing page,throughput,15.72324851481113,failed
missing page,failed_requests,47,failed
Aggregated,throughput,65.56929167878684,ok
Aggregated,failed_requests,47,ok' 'bench-convert reads requests of Locust that all failed as failed'
sed '2s/.*/GET,\/,0,0,0,0.0,0,0,0.0,0.0,0.0,0,0,0,0,0,0,0,0,0,0,0\r/' "$data/locust.csv" >none.csv
is "$(bench-convert none.csv | sed 's/.*page"/missing page/' | columns bench | sort -u)" 'Aggregated
missing page' 'bench-convert reads no zeros of a name without a request as times'
sed '2s/,7,10,15,/,7,10,N\/A,/' "$data/locust.csv" >missing.csv
is "$(bench-convert missing.csv | columns metric,value,status | grep latency_p90 | head -n 1)" 'latency_p90,,skipped' \
	'a percentile that Locust does not know has no value'
done_testing
