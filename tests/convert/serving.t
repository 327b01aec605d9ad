#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the results of programs that measure model servers: LoadGen.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data

# LoadGen
is "$(bench-convert "$data/convert/loadgen-single.txt" | columns kind,bench,scenario,mode,sample,metric,unit,value,status)" \
	'model,PySUT,SingleStream,PerformanceOnly,,throughput,1/s,897.66,ok
model,PySUT,SingleStream,PerformanceOnly,,throughput_net,1/s,902.48,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_min,ns,1044520,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_max,ns,3694622,ok
model,PySUT,SingleStream,PerformanceOnly,,latency,ns,1108057,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_p50,ns,1100704,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_p90,ns,1113943,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_p95,ns,1122565,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_p97,ns,1132400,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_p99,ns,1215123,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_p99.9,ns,3694622,ok' \
	'bench-convert reads rates and percentiles of a summary of LoadGen'
is "$(bench-convert "$data/convert/loadgen-server.txt" | columns scenario,metric,unit,value,status | grep 'rate\|put\|p99\|latency,')" \
	'Server,throughput,1/s,90.23,failed
Server,offered_rate,1/s,90.37,failed
Server,latency,ns,2259854,failed
Server,latency_p99,ns,8446847,failed
Server,latency_p99.9,ns,8446847,failed' 'bench-convert reads an invalid run of LoadGen as failed'
is "$(bench-convert "$data/convert/loadgen-offline.txt" | columns scenario,metric,value,status | head -2)" \
	'Offline,throughput,870.15,ok
Offline,latency_min,3693471,ok' 'bench-convert reads the rate of samples of the scenario Offline'
is "$(bench-convert "$data/convert/loadgen-tokens.txt" | columns metric,unit,value | grep 'token' | grep -v 'p[59]\|m[ai]')" \
	'token_rate,1/s,1472.14
first_token,ns,4052908
per_token,ns,1040691' 'bench-convert reads times and the rate of tokens of LoadGen'
is "$(bench-convert "$data/convert/loadgen-tokens.txt" | columns metric,value | grep 'token_p\(50\|99.9\)')" \
	'first_token_p50,3509146
first_token_p99.9,18817939
per_token_p50,1023834
per_token_p99.9,4281258' 'bench-convert reads percentiles of the times of tokens of LoadGen'
head -n 30 "$data/convert/loadgen-single.txt" >short.txt
bench-convert short.txt >out 2>err
is "$?,$(wc -c <out),$(cat err)" \
	'2,0,bench-convert: short.txt: no section "Test Parameters Used": the file is cut off, or LoadGen did not measure' \
	'bench-convert rejects a summary of LoadGen that is cut off'
cat "$data/convert/loadgen-single.txt" "$data/convert/loadgen-server.txt" >both.txt
bench-convert both.txt >out 2>err
is "$?,$(wc -c <out),$(cat err)" \
	'2,0,bench-convert: both.txt: 2 summaries of LoadGen in one file: convert each file by itself' \
	'bench-convert rejects several summaries of LoadGen in one file'
sed 's/^No errors encountered during test.$/1 ERROR encountered. See detailed log./' "$data/convert/loadgen-single.txt" >errors.txt
is "$(bench-convert errors.txt 2>&1 >/dev/null)" 'bench-convert: errors.txt: LoadGen reports errors; see mlperf_log_detail.txt' \
	'bench-convert passes on that LoadGen reports errors'
done_testing
