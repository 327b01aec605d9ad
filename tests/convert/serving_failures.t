#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads requests and runs that failed in results of vLLM and LoadGen.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert

# A server that gives no reason leaves the error empty.
sed 's/"Service Unavailable"/""/g' "$data/vllm-failed.json" >no-reason.json
is "$(bench-convert no-reason.json | columns sample,metric,value,status | grep '^[123],\(first\|lat\)')" \
	'1,first_token,22303450.999970663,ok
2,first_token,,failed
3,first_token,42594992.9995113,ok
1,latency,59441375.00046054,ok
2,latency,,failed
3,latency,58827025.00093728,ok' 'bench-convert reads requests of vLLM that failed without an error as such'
sed 's/"ttfts": \[[0-9.e-]*/"ttfts": [0.0/' "$data/vllm-detailed.json" >unmeasured.json
is "$(bench-convert unmeasured.json | columns sample,metric,value,status | grep '^0,\(first\|lat\)')" \
	'0,first_token,,skipped
0,latency,67018929.99990378,ok' 'bench-convert reads a time of 0 of vLLM as one that was not measured'

# LoadGen writes no results in the mode AccuracyOnly.
mkdir -p results
cp "$data/loadgen-accuracy.txt" "$data/loadgen-single.txt" results
bench-convert results/loadgen-accuracy.txt >out 2>err
is "$?,$(wc -c <out),$(cat err)" \
	'2,0,bench-convert: results/loadgen-accuracy.txt: LoadGen wrote no results; did it only test accuracy?
bench-convert: results/loadgen-accuracy.txt: no measurements in the format loadgen' \
	'bench-convert rejects a summary of LoadGen without results'
is "$(bench-convert results 2>&1 >out),$(columns bench,scenario,metric <out | head -1)" \
	'bench-convert: results/loadgen-accuracy.txt: LoadGen wrote no results; did it only test accuracy?,PySUT,SingleStream,throughput' \
	'bench-convert reports a summary of LoadGen without results in a directory'
done_testing
