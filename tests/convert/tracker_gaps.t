#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert of files of services that track benchmarks in which something is missing.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# Bencher
echo '{"none": {}, "a": {"latency": {"value": 1.5}}, "b": null, "c": [{"parameters": {"n": "1"}}]}' >bencher.json
is "$(bench-convert bencher.json 2>err)" 'bench,metric,unit,value
a,wall,ns,1.5' 'bench-convert recognizes the Bencher Metric Format by the first benchmark that has measures'
is "$(cat err)" 'bench-convert: bencher.json: the benchmark none has no measures
bench-convert: bencher.json: the benchmark b has no measures
bench-convert: bencher.json: the benchmark c has no measures' 'bench-convert reports benchmarks of Bencher without measures'
echo '{"a": [], "b": [{"measures": {"latency": {"value": 2}}}]}' >list.json
is "$(bench-convert list.json 2>/dev/null | columns bench,value)" b,2 \
	'bench-convert recognizes the Bencher Metric Format after an empty list'

# github-action-benchmark
# refuse JSON SUBJECT MESSAGE
refuse() {
	echo "$1" >file.json
	status 2 "bench-convert rejects $2" bench-convert file.json
	is "$(cat "$T/.err")" "bench-convert: file.json: $3" "the message about $2 has the file and the reason"
}
refuse '[{"name": "a", "unit": "ms", "value": "1,234"}]' 'thousands separators of github-action-benchmark' \
	'the value of the benchmark a is not a number'
refuse '[{"name": "a", "unit": "ms", "value": 1}, {"name": "b", "unit": "ms", "value": null}]' \
	'a missing value of github-action-benchmark' 'the value of the benchmark b is not a number'
refuse '[{"name": "", "unit": "ms", "value": 1}]' 'a missing name of github-action-benchmark' 'a benchmark has no name'
refuse '{"lastUpdate": 1, "entries": {"S": [{"date": 1, "benches": [{"name": "a", "unit": "ms", "value": 1}]}, {"date": 2}]}}' \
	'a run of github-action-benchmark without benchmarks' 'a run of the suite S has no array benches'
# Units
for unit in ns us ms s sec ns/iter us/iter ms/iter s/iter ns/op us/op ms/op s/op µs μs ops/sec iter/sec req/s ops/s; do
	echo "{\"name\": \"x\", \"unit\": \"$unit\", \"value\": 1.5}"
done | paste -sd, | sed 's/^/[/; s/$/]/' >units.json
is "$(bench-convert units.json | columns metric,unit,value)" 'wall,ns,1.5
wall,ns,1500
wall,ns,1500000
wall,ns,1500000000
wall,ns,1500000000
wall,ns,1.5
wall,ns,1500
wall,ns,1500000
wall,ns,1500000000
wall,ns,1.5
wall,ns,1500
wall,ns,1500000
wall,ns,1500000000
wall,ns,1500
wall,ns,1500
throughput,1/s,1.5
throughput,1/s,1.5
throughput,1/s,1.5
throughput,1/s,1.5' 'bench-convert converts the units of github-action-benchmark'
is "$(echo '[{"name": "x wall", "unit": "ms", "value": 1}, {"name": "x wall", "unit": "ns", "value": 1}]' |
	bench-convert | columns bench,metric,unit,value)" 'x wall,wall,ns,1000000
x,wall,ns,1' 'bench-convert takes the last word of a name as a metric only if the unit is that of the metric'
echo '{"x": {"build-time": {"value": 2, "lower_value": null}, "file-size": {"value": 3}}}' >measures.json
is "$(bench-convert measures.json)" 'bench,metric,unit,value
x,build-time,s,2
x,file-size,B,3' 'bench-convert converts the units of the measures of Bencher'
done_testing
