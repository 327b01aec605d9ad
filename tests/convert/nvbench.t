#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the JSON of NVBench.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

file=$ROOT/tests/fixtures/data/convert/nvbench.json
rows() { bench-convert "$1" | columns kind,bench,device,BlockSize,NumBlocks,iterations,metric,unit,value,status; }

is "$(rows "$file" | sed -n '6,13p')" 'function,copy_sweep_grid_shape,Quadro GV100,64,64,78,wall,ns,6489484.55128205,ok
function,copy_sweep_grid_shape,Quadro GV100,64,64,,wall_cv,1,0.0015111507522308748,ok
function,copy_sweep_grid_shape,Quadro GV100,64,64,78,gpu_time,ns,6484057.010748448,ok
function,copy_sweep_grid_shape,Quadro GV100,64,64,,gpu_time_cv,1,0.0012531664584969381,ok
function,copy_sweep_grid_shape,Quadro GV100,64,64,,throughput,1/s,10349826333.845528,ok
function,copy_sweep_grid_shape,Quadro GV100,64,64,,bandwidth,B/s,82798610670.76422,ok
function,copy_sweep_grid_shape,Quadro GV100,64,64,,bandwidth_share,1,0.09512708027431552,ok
function,copy_sweep_grid_shape,Quadro GV100,64,64,81,batch_gpu_time,ns,6481402.361834491,ok' \
	'bench-convert reads the summaries of NVBench with the axes, the device and the numbers of executions'

# their TAG: the values of all states, in nanoseconds
their() {
	jq -r --arg tag "$1" '.benchmarks[].states[].summaries[]? | select(.tag == $tag) | .data[0].value |
		tonumber * 1e9 * 1e3 | round / 1e3' "$file"
}
for pair in gpu_time=nv/cold/time/gpu/mean wall=nv/cold/time/cpu/mean batch_gpu_time=nv/batch/time/gpu/mean; do
	their "${pair#*=}" >theirs
	bench-convert -M "${pair%%=*}" "$file" | columns value | grep . | jq '. * 1e3 | round / 1e3' >ours
	is "$(cat ours)" "$(cat theirs)" "bench-convert reads each ${pair%%=*} of NVBench"
done
is "$(bench-convert "$file" | columns In,Out,metric,value,status,x_message | grep skipped)" \
	'I8,I8,gpu_time,,skipped,Not a conversion: InputType == OutputType.' 'a state that NVBench skipped has its reason'
is "$(bench-convert "$file" | columns In,Out,metric,unit,value | grep 'I64.*\(count\|gmem\)')" 'I8,I64,element_count_Items,1,67108864
I8,I64,gmem_reads_InSize,B,67108864
I8,I64,gmem_writes_OutSize,B,536870912' 'sizes that a benchmark of NVBench states are metrics'

jq '.benchmarks |= .[:1] | .benchmarks[0].states[0] |= (.device = 7 | .summaries |= map(.tag |= sub("mean"; "median")))' \
	"$file" >median.json
is "$(bench-convert median.json | columns device,metric | sed -n '1p;3p')" '7,wall_median
7,gpu_time_median' 'bench-convert reads other statistics of NVBench, and the number of an unknown device'
jq '.benchmarks |= .[:1] | .benchmarks[0].states[0].summaries |= [
	{tag: "mine/FLOP rate", hint: "item_rate", data: [{name: "value", type: "float64", value: "2e9"}]},
	{tag: "nv/cold/time/gpu/q1", hint: "duration", data: [{name: "value", type: "float64", value: "nan"}]},
	{tag: "nv/json/bin:nv/cold/sample_times", hint: "file/sample_times", data: [{name: "size", type: "int64", value: "5"}]}]' \
	"$file" >own.json
is "$(bench-convert own.json | columns metric,unit,value,status)" 'mine_FLOP rate,1/s,2000000000,ok
gpu_time_q1,ns,,skipped' "a summary of the user is a metric, NaN is no value, and the names of files of samples are not read"
jq '.benchmarks |= .[:1] | .benchmarks[0].states[0].summaries = null' "$file" >none.json
is "$(bench-convert none.json | columns bench,metric,value,status)" 'simple,gpu_time,,skipped' \
	'a state of NVBench without numbers has no value'

# summaries TAG...: makes a file whose only state has these summaries.
summaries() {
	printf '%s\n' "$@" | jq -R . | jq -s --slurpfile all "$file" 'map({tag: ., data: [{name: "value", value: "3"}]}) as $summaries |
		$all[0] | .benchmarks |= .[:1] | .benchmarks[0].states |= .[:1] | .benchmarks[0].states[0].summaries = $summaries'
}
is "$(summaries nv/cold/time/gpu/iqr/absolute nv/cold/time/gpu/ir/absolute nv/cold/time/gpu/ir/relative |
	bench-convert | columns metric | paste -sd' ')" 'gpu_time_iqr gpu_time_iqr gpu_time_relative_iqr' \
	'interquartile ranges of old versions of NVBench have the same names'
summaries nv/cold/sm_clock_rate/scaling/percent nv/cupti/l1_hit_rate | bench-convert >counters.csv
for factor in 1 2; do
	bench-convert -t json counters.csv | jq "[.[] as \$row | range(8) | \$row + {sample: ., value: ($factor * \$row.value + . / 100)}]" >$factor.json
done
is "$(bench-compare --csv 1.json 2.json 2>/dev/null | columns metric,verdict | paste -sd' ')" \
	'sm_clock_rate_scaling_percent,differs cupti_l1_hit_rate,differs' 'counters of NVBench are neither better nor worse'
done_testing
