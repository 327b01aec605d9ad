#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the JSON and the text of nccl-tests.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
all=bench,host,device,ranks,place,size,datatype,redop,root,sample,iterations,metric,unit,value,status

# JSON
is "$(bench-convert "$data/nccl-tests.json" | columns $all | grep 'bandwidth\|,[03],,latency')" \
	'all_reduce_perf,node1,Tesla T4,2,out,134217728,half,sum,-1,0,50,bandwidth,B/s,5731221000,ok
all_reduce_perf,node1,Tesla T4,2,out,134217728,half,sum,-1,0,50,bus_bandwidth,B/s,5731221000,ok
all_reduce_perf,node1,Tesla T4,2,out,134217728,half,sum,-1,0,,latency,ns,23677312.851,ok
all_reduce_perf,node1,Tesla T4,2,out,134217728,half,sum,-1,3,,latency,ns,23492160.797,ok
all_reduce_perf,node1,Tesla T4,2,in,134217728,half,sum,-1,0,50,bandwidth,B/s,5717374000,ok
all_reduce_perf,node1,Tesla T4,2,in,134217728,half,sum,-1,0,50,bus_bandwidth,B/s,5717374000,ok
all_reduce_perf,node1,Tesla T4,2,in,134217728,half,sum,-1,0,,latency,ns,23332031.25,ok
all_reduce_perf,node1,Tesla T4,2,in,134217728,half,sum,-1,3,,latency,ns,23463071.823,ok' \
	'bench-convert reads the bandwidths and the times of all iterations of the JSON of nccl-tests'
jq -r '.results[0] | .out_of_place_per_iter, .in_place_per_iter | .avg_us, .min_us, .max_us | . * 1e3 | round' \
	"$data/nccl-tests.json" >theirs
bench-convert -M latency "$data/nccl-tests.json" | bench-stat --csv | columns mean,min,max |
	tr , '\n' | while read -r x; do printf '%.0f\n' "$x"; done >ours
is "$(cat ours)" "$(cat theirs)" 'the iterations have the mean, minimum and maximum that nccl-tests computed'
jq 'del(.results[0].out_of_place_per_iter) | .results[0].in_place = null | .config.graph = 4' \
	"$data/nccl-tests.json" >mean.json
is "$(bench-convert mean.json | columns place,iterations,metric,value)" 'out,200,latency,23418697.56
out,200,bandwidth,5731221000
out,200,bus_bandwidth,5731221000' 'bench-convert reads the mean of all operations if there are no times of iterations'
jq '.results[0].in_place.nwrong = 3 | .results += .results | .results[1].out_of_place.nwrong = null' \
	"$data/nccl-tests.json" >wrong.json
is "$(bench-convert wrong.json | columns place,sample,metric,status | grep 'bus\|,\(49\|99\),')" 'out,0,bus_bandwidth,ok
out,49,latency,ok
in,0,bus_bandwidth,failed
in,49,latency,failed
out,1,bus_bandwidth,ok
out,99,latency,ok
in,1,bus_bandwidth,failed
in,99,latency,failed' 'results with wrong values failed, and equal results of nccl-tests are samples'
is "$(bench-convert "$data/nccl-tests-failed.json" | columns bench,metric,value,status)" 'all_reduce_perf,latency,,failed' \
	'bench-convert reads JSON of nccl-tests without results as failed'

# Text
is "$(bench-convert "$data/nccl-tests-iterations.txt" | columns $all | grep ,in,)" \
	'all_reduce_perf,node1,Tesla T4,2,in,134217728,half,sum,-1,0,50,latency,ns,23475400,ok
all_reduce_perf,node1,Tesla T4,2,in,134217728,half,sum,-1,0,50,bandwidth,B/s,5720000000,ok
all_reduce_perf,node1,Tesla T4,2,in,134217728,half,sum,-1,0,50,bus_bandwidth,B/s,5720000000,ok
all_reduce_perf,node1,Tesla T4,2,in,134217728,half,sum,-1,0,50,latency_min,ns,23258400,ok
all_reduce_perf,node1,Tesla T4,2,in,134217728,half,sum,-1,0,50,latency_max,ns,23697400,ok
all_reduce_perf,node1,Tesla T4,2,in,134217728,half,sum,-1,0,50,latency_p99,ns,23697400,ok' \
	'bench-convert reads what nccl-tests prints with times of iterations, between lines of NCCL'
for file in slurm mpi; do
	grep -c float "$data/nccl-tests-$file.txt"
	bench-convert -n x "$data/nccl-tests-$file.txt" | columns metric | grep -c latency
done >counts
is "$(tr '\n' ' ' <counts)" '5 10 3 6 ' 'each line of a size has a result in place and one out of place'
is "$(bench-convert -n x "$data/nccl-tests-slurm.txt" | columns bench,place,size,metric,value,status | grep ',\(8\|17179869184\),')" \
	'x,out,8,latency,69120,ok
x,out,8,bandwidth,,skipped
x,out,8,bus_bandwidth,,skipped
x,in,8,latency,72430,ok
x,in,8,bandwidth,,skipped
x,in,8,bus_bandwidth,,skipped
x,out,17179869184,latency,66132000,ok
x,out,17179869184,bandwidth,259780000000,ok
x,out,17179869184,bus_bandwidth,487090000000,ok
x,in,17179869184,latency,66109000,ok
x,in,17179869184,bandwidth,259870000000,ok
x,in,17179869184,bus_bandwidth,487260000000,ok' 'bench-convert reads lines of nccl-tests with the label of a process of Slurm'
is "$(bench-convert -n x "$data/nccl-tests-mpi.txt" | columns place,size,metric,value | tail -n 1)" 'in,2147483648,bus_bandwidth,437890000000' \
	'bench-convert reads lines of nccl-tests with the label of a process of Open MPI'
sed 's/5.72       0  23258.4/5.72       2  23258.4/; s/5.73       0/5.73     N\/A/' "$data/nccl-tests-iterations.txt" >wrong.txt
is "$(bench-convert wrong.txt | columns place,metric,status | grep bus)" 'out,bus_bandwidth,ok
in,bus_bandwidth,failed' 'a line with wrong values failed, and one that was not checked did not'
sed '/^ *134217728/,$d' "$data/nccl-tests-iterations.txt" >none.txt
is "$(cat none.txt "$data/nccl-tests-iterations.txt" | bench-convert | columns bench,metric,value,status | head -n 2)" \
	'all_reduce_perf,latency,,failed
all_reduce_perf,latency,23418700,ok' 'bench-convert reads a test of nccl-tests without results as failed'
sed 's/23475.4 .*/23475.4    5.7/' "$data/nccl-tests-iterations.txt" >short.txt
rejects=$(bench-convert short.txt 2>&1 >out)
is "$rejects,$(wc -c <out)" 'bench-convert: short.txt:19: no value in each column: the file is damaged,0' \
	'bench-convert rejects a line of nccl-tests that lacks columns'
sed 's/23475.4/2347x/' "$data/nccl-tests-iterations.txt" >damaged.txt
is "$(bench-convert damaged.txt 2>&1)" "bench-convert: damaged.txt:19: time is not a number: '2347x': the file is damaged" \
	'bench-convert rejects a time of nccl-tests that is no number'

# Old versions and those of rccl-tests, which print the largest error, and that all are small at the end.
cat >errors.txt <<'END'
# nThread: 1 nGpus: 1 minBytes: 8 maxBytes: 8 step: 2(factor) warmupIters: 5 iters: 20 validation: 1
#   Rank  0 Pid 106347 on  nid000013 device  0 [0000:c9:00.0] Device 738c
#   Rank  1 Pid  97185 on  nid000014 device  0 [0000:c9:00.0] Device 738c
#       size         count      type   redop     time   algbw   busbw  error     time   algbw   busbw  error
           8             2     float     sum    41.99    0.01    0.02  1e-07    42.18    0.03    0.04  4e+00
# Out of bounds values : 0 OK
END
errors() { bench-convert | columns device,ranks,iterations,place,metric,value,status | grep bus; }
is "$(errors <errors.txt)" 'Device 738c,2,20,out,bus_bandwidth,20000000,ok
Device 738c,2,20,in,bus_bandwidth,40000000,ok' 'bench-convert reads rccl-tests with the errors of old versions'
is "$(sed 's/1e-07/  N\/A/; s/4e+00/  N\/A/' errors.txt | errors | grep -c ',ok$')" 2 \
	'bench-convert reads an old version of nccl-tests that was not to check its results'
is "$(sed 's/4e+00/&*/' errors.txt | errors | sed 's/.*,//' | paste -sd' ')" 'ok failed' 'a result whose error has a star failed'
is "$(sed 's/0 OK/1 FAILED/' errors.txt | cat - errors.txt | errors | sed 's/.*,//' | paste -sd' ')" 'failed failed ok ok' \
	'all results of a test of an old version failed if its end says that some did'
is "$(sed 's/^/ 0: /' errors.txt | errors)" "$(errors <errors.txt)" 'the label of a process of Slurm may be padded'
is "$(cat errors.txt "$data/hpl.txt" | errors 2>/dev/null)" "$(errors <errors.txt)" \
	'lines of another program after a test of nccl-tests are not results'
done_testing
