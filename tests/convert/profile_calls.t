#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert computes the times of operations of PyTorch that call others as PyTorch does.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# calls FILE: for each operation its name, calls, wall and self
calls() {
	bench-convert "$1" 2>err | columns operation,metric,value | awk -F, '
		$2 == "wall" { wall = $3 }
		$2 == "self" { self = $3 }
		$2 == "calls" { print $1, $3, wall, self }'
	sed 's/^bench-convert: //' err
}

# The values that key_averages() of the same profile returned. The annotation "inner" has no rows.
is "$(calls "$data/pytorch-annotation.json")" 'F 1 312554 79007
aten::mul 1 85397 34231
aten::to 1 51166 7562
aten::_to_copy 1 43604 22853
aten::empty_strided 1 7421 7421
aten::copy_ 1 13330 13330
aten::exp 1 13591 13591
aten::sum 1 39138 31747
aten::as_strided 1 5218 5218
aten::fill_ 1 2173 2173' \
	'bench-convert counts an operation of PyTorch that only calls itself once, and no annotation as its own time'

# trace EVENT...: a trace of executions name:ts:dur, in microseconds, of one thread
trace() {
	printf '{"schemaVersion": 1, "traceEvents": ['
	for event; do
		printf '%s' "$event" | awk -F: '{ printf "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s\", \"ts\": %s, \"dur\": %s, \"pid\": 1, \"tid\": 1},\n", $1, $2, $3 }'
	done
	printf '{"ph": "M"}]}\n'
}
trace a:0:10 b:1:17 >late.json
is "$(calls late.json)" 'a 1 10000 1000
b 1 17000 17000' 'bench-convert subtracts only the part of an operation of PyTorch that is inside the one that called it'
trace a:0:2 b:0:1 c:1:1.5 >rounded.json
is "$(calls rounded.json)" 'a 1 2000 0
b 1 1000 1000
c 1 1500 1500' 'bench-convert computes no negative time from the rounded times of PyTorch'
trace a:0:10 a:1:8 a:2:6 b:10:5 a:20:9 c:21:1 a:23:4 >inside.json
is "$(calls inside.json)" 'a 3 19000 18000
b 1 5000 5000
c 1 1000 1000' 'bench-convert counts executions of an operation of PyTorch inside itself if there are other operations'
trace a:0:10 b:2:-1 >negative.json
is "$(calls negative.json)" 'a 1 10000 10000
negative.json: 1 execution of an operation is omitted, because its time is negative' \
	'bench-convert reports operations of PyTorch whose time is negative'
done_testing
