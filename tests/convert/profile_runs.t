#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads profiles of ONNX Runtime in which runs failed or overlap.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# profile FILE: its rows, and what bench-convert reports
profile() {
	bench-convert -M wall "$1" 2>err | columns operation,sample,value,status
	sed 's|^bench-convert: ||; s|^/.*/||' err
}

is "$(profile "$data/onnxruntime-failed.json")" ',0,331000,
000 relu1,0,159000,
001 gather1,0,81000,
002 exp1,0,39000,
,1,237000,failed
000 relu1,1,15000,failed
001 gather1,1,18000,failed
,2,53000,
000 relu1,2,14000,
001 gather1,2,5000,
002 exp1,2,5000,
,3,122000,failed
000 relu1,3,6000,failed
001 gather1,3,6000,failed
,4,50000,
000 relu1,4,10000,
001 gather1,4,4000,
002 exp1,4,4000,
onnxruntime-failed.json: 2 runs ended before operations that other runs computed, and have the status failed' \
	'bench-convert marks runs of ONNX Runtime that lack operations of other runs as failed'
is "$(profile "$data/onnxruntime-parallel.json")" ',0,18798000,
000 right,0,186000,
001 left,0,109000,
002 sum,0,47000,
,1,23715000,
,2,20065000,
,3,15534000,
000 right,3,67000,
001 left,3,41000,
002 sum,3,19000,
onnxruntime-parallel.json: 6 executions of operations are omitted, because several runs overlap and the profile does not state to which run they belong' \
	'bench-convert omits operations that could belong to several runs of ONNX Runtime'
# Both times of a run are rounded down.
sed 's/"dur" :50,"ts" :9584/"dur" :30,"ts" :9584/' "$data/onnxruntime-failed.json" >early.json
is "$(profile early.json | grep ',4,')" ',4,30000,
000 relu1,4,10000,
001 gather1,4,4000,
002 exp1,4,4000,' \
	'bench-convert gives an operation that begins in the microsecond after a run of ONNX Runtime to the run'
sed 's/"dur" :53,/"dur" :-53,/' "$data/onnxruntime-failed.json" >negative.json
is "$(profile negative.json | grep -v ',[013],')" ',2,122000,failed
000 relu1,2,6000,failed
001 gather1,2,6000,failed
negative.json: 3 executions of operations are omitted, because the profile does not have the end of their run
negative.json: 2 runs ended before operations that other runs computed, and have the status failed' \
	'bench-convert ignores events of ONNX Runtime whose time is negative'
done_testing
