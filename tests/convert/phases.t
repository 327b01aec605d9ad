#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads benchmarks that consist of several phases: the values of all phases once, and
# those of one phase with its load.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/formats
latency() { columns phase,load,concurrency,iterations,metric,value,status | grep ',latency,'; }
mkdir -p two/phases/stress two/phases/warmup
cp "$data/aiperf-phases.json" two/profile_export_aiperf.json
cp "$data/aiperf-phase.json" two/phases/stress/profile_export_aiperf.json
cp "$data/aiperf-phase.json" two/phases/warmup/profile_export_aiperf.json
is "$(bench-convert two/profile_export_aiperf.json 2>err | latency)" ',concurrency,,16,latency,60626869.125,ok' \
	'bench-convert reads the values of all phases of AIPerf once, without the load in which they differ'
is "$(cat err)" 'bench-convert: two/profile_export_aiperf.json: the values are those of 2 records (input_config/phases/*) together; they differ in concurrency' \
	'bench-convert reports that values are those of several phases'
is "$(bench-convert two/phases/stress/profile_export_aiperf.json 2>&1 | latency)" \
	'stress,concurrency,4,8,latency,62550498.49999999,ok' 'bench-convert reads the values of one phase of AIPerf with its load'
is "$(cd two/phases/stress && bench-convert profile_export_aiperf.json | latency)" \
	'stress,concurrency,4,8,latency,62550498.49999999,ok' \
	'bench-convert finds the phase of a file in the current directory'
is "$(bench-convert two/phases/warmup/profile_export_aiperf.json | latency)" \
	'warmup,concurrency,2,8,latency,62550498.49999999,ok' 'bench-convert reads a warm-up of AIPerf as a phase of this name'
is "$(bench-convert <two/phases/stress/profile_export_aiperf.json 2>/dev/null | latency)" \
	',concurrency,,8,latency,62550498.49999999,ok' 'bench-convert assumes no load if it does not know the phase'
is "$(bench-convert "$data/aiperf.json" 2>&1 | latency)" ',concurrency,2,12,latency,89268196.66666667,ok' \
	'bench-convert reads a benchmark of AIPerf with one phase with its load'

# Pages
cat >page <<'.'
meaning m
need parts
each parts/*
shared
directory part run/{name}
bench {/name}
factor size {size}
factor mode {mode}
metric wall /ns unit=ns
.
mkdir -p run/b
echo '{"name": "x", "ns": 5, "parts": [{"name": "a", "size": 1, "mode": "m"}, {"name": "b", "size": 2, "mode": "m"}]}' >run/b/x.json
cp run/b/x.json x.json
parts() { bench-convert -f ./page "$1" | columns part,size,mode,value; }
is "$(parts x.json 2>/dev/null)" ',,m,5' 'bench-convert reads the values that records of a page share once'
is "$(parts run/b/x.json)" 'b,2,m,5' 'bench-convert reads only the record whose directory the file is in'
grep -v '^each' page >no-each
bench-convert -f ./no-each x.json 2>err
is "$(cat err)" "bench-convert: ./no-each:8: 'shared' and 'directory' are for records that 'each' selects" \
	'bench-convert rejects a page without each whose records share values'
done_testing
