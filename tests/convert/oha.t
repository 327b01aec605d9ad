#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the JSON of oha.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/formats
is "$(bench-convert -n ping "$data/oha.json" | columns bench,metric,unit,value,status)" \
	'ping,latency,ns,62937193.53889765,ok
ping,latency_min,ns,2435368,ok
ping,latency_median,ns,11042267,ok
ping,latency_p90,ns,18704154,ok
ping,latency_p95,ns,21092119,ok
ping,latency_p99,ns,43479896,ok
ping,latency_p99.9,ns,8207158342,ok
ping,latency_max,ns,8238461265,ok
ping,throughput,1/s,319.4286240572688,ok
ping,bandwidth,B/s,1269.7162834201295,ok
ping,success_share,1,1,ok' 'bench-convert reads the latencies and rates of oha'
# The members that oha writes as null if no request succeeded
sed '/"latencyPercentiles"/,/}/s/: [0-9.]*\(,*\)$/: null\1/
	s/\("\(successRate\|slowest\|fastest\|average\|sizePerRequest\)"\): [0-9.]*/\1: null/' "$data/oha.json" >failed.json
is "$(bench-convert failed.json | columns metric,value,status)" 'latency,,failed
latency_min,,failed
latency_median,,failed
latency_p90,,failed
latency_p95,,failed
latency_p99,,failed
latency_p99.9,,failed
latency_max,,failed
throughput,319.4286240572688,failed
bandwidth,1269.7162834201295,failed
success_share,,failed' 'bench-convert reads a benchmark of oha in which no request succeeded as failed'
sed 's/"successRate": 1/"successRate": 0/' "$data/oha.json" >none.json
is "$(bench-convert none.json | columns status | sort -u)" failed 'bench-convert reads a benchmark of oha with a success rate of 0 as failed'
sed '/latencyPercentiles/,/}/d' "$data/oha.json" >other.json
status 2 'bench-convert rejects JSON that lacks the percentiles of oha' bench-convert other.json
done_testing
