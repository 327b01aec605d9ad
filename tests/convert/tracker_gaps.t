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
done_testing
