#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the counts of threads whose names contain spaces and signs, such as those of Java.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
is "$(bench-convert "$data/perf-console-threads.txt" | columns place,metric,value,status)" 'VM Thread-16147,task-clock,103890000,ok
GC Thread#0-16145,task-clock,100620000,ok
C2 CompilerThre-16146,task-clock,98700000,ok
python3-16103,task-clock,,skipped
VM Thread-16147,context-switches,115,ok
GC Thread#0-16145,context-switches,114,ok
C2 CompilerThre-16146,context-switches,111,ok
python3-16103,context-switches,,skipped
,wall,303627723,ok' 'bench-convert reads the text of perf stat --per-thread'
is "$(bench-convert "$data/perf-console-threads-interval.txt" | columns place | sort | uniq -c | tr -s ' ')" \
	"$(tail -n +4 "$data/perf-console-threads-interval.txt" | cut -c18-46 | sed 's/^ *//; s/ *$//' | sort | uniq -c | tr -s ' ')" \
	'bench-convert reads each count of perf stat --per-thread -I'
printf '#           time             counts unit events\n     0.100136612      5  x y z page-faults\n' >cut.txt
status 2 'bench-convert rejects a count of an interval that it cannot read' bench-convert cut.txt
printf '#           time             counts unit events\n0.5 a line of the program\n     0.100136612      5   page-faults\n' >line.txt
is "$(bench-convert line.txt | columns metric,value)" page-faults,5 'bench-convert ignores lines of the measured program among intervals'
done_testing
