#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the JSON of memtier_benchmark.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/formats
bench-convert "$data/memtier.json" >rows.csv
is "$(columns time,protocol,threads,clients,pipeline,ratio,data_size,key_pattern <rows.csv | sort -u)" \
	'2026-11-29T00:37:46.926000000Z,redis,1,2,1,1:10,32,R:R' 'bench-convert reads the time and the settings of memtier_benchmark'
is "$(columns bench,iterations,metric,unit,value <rows.csv | grep ^Gets)" 'Gets,544,latency,ns,62000
Gets,,latency_min,ns,24000
Gets,,latency_max,ns,4159000
Gets,,latency_p50,ns,47000
Gets,,latency_p99,ns,183000
Gets,,latency_p99.9,ns,2063000
Gets,,throughput,1/s,24889.05
Gets,,hit_rate,1/s,0
Gets,,miss_rate,1/s,24889.05
Gets,,connection_error_rate,1/s,0
Gets,,operations,1,544
Gets,,connection_errors,1,0' 'bench-convert reads the values of a command of memtier_benchmark'
is "$(columns bench <rows.csv | uniq)" 'Sets
Gets
Totals' 'bench-convert omits commands that memtier_benchmark never sent'
is "$(columns bench,metric <rows.csv | grep -E '^Totals,latency(,|_p50)')" Totals,latency_p50 \
	'bench-convert omits the mean latency of all commands of memtier_benchmark, which is truncated'
sed 's/"Interrupted": "false"/"Interrupted": "true"/' "$data/memtier.json" >interrupted.json
is "$(bench-convert interrupted.json | columns status | sort -u)" failed 'bench-convert reads a run of memtier_benchmark that was interrupted as failed'
sed 's/"Count": [0-9]*/"Count": 0/' "$data/memtier.json" >none.json
status 2 'bench-convert rejects a run of memtier_benchmark without a connection' bench-convert none.json
is "$(grep -c 'none.json: no measurements in the format memtier: ' "$T/.err")" 1 \
	'the message about a run of memtier_benchmark without a connection says that there are no measurements'
done_testing
