#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# An event that perf stat counts several times in a run, once for each metric that needs it, is not
# several samples.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
for name in perf-occurrences.txt perf-occurrences.jsonl; do
	is "$(bench-convert -q "$data/$name" | columns occurrence,metric)" ',task-clock
,page-faults
2,page-faults' "bench-convert distinguishes the second count of an event in $name"
done
is "$(bench-convert "$data/perf-occurrences.txt" 2>&1 >/dev/null | sed 's/.*perf-/perf-/')" \
	'perf-occurrences.txt: the event page-faults and perhaps others occur several times in a run: the factor occurrence numbers them' \
	'a note says once that events occur several times in a run'
is "$(bench-convert -q "$data/perf-console-new.txt" | columns occurrence,metric,value | grep backend,)" ',stalled-cycles-backend,24739777784
2,stalled-cycles-backend,24735208758' 'bench-convert distinguishes the second count of an event in the text of perf stat'
is "$(bench-convert -q -M stalled-cycles-backend "$data/perf-console-new.txt" | bench-stat --csv -s n | columns occurrence,metric,n)" ',stalled-cycles-backend,1
2,stalled-cycles-backend,1' 'bench-stat does not count an event that occurs twice in a run as two samples'
is "$(bench-convert -q "$data/perf-occurrences-interval.txt" | columns occurrence,metric | grep -c '^2,page-faults$')" 3 \
	'bench-convert distinguishes the second count of an event in each interval'
cat "$data/perf-occurrences.txt" "$data/perf-occurrences.txt" >twice.txt
is "$(bench-convert -q twice.txt | columns occurrence,sample,metric | grep page-faults)" ',0,page-faults
2,0,page-faults
,1,page-faults
2,1,page-faults' 'each run that perf appended to a file has its own occurrences of events'
grep -v '^#' "$data/perf-occurrences.txt" | sed '$d' >run.txt
cat run.txt run.txt >runs.txt
is "$(bench-convert -q runs.txt | bench-stat --csv -s n | cut -d, -f2-)" 'metric,unit,n
task-clock,ns,2
page-faults,1,2' 'counts that a shell appended to a file without a start of perf are samples'
done_testing
