#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that bench-convert writes for other programs, as these programs read them.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
python=$VENV/bin/python3
# Two processes of a function, whose samples are interleaved; a kept warm-up; a parameter; a
# failure next to a success, a subject that only failed, one that was skipped; an unusual name.
cat >rows.csv <<'.'
run,time,host,commit,kind,bench,n,process,sample,iterations,metric,unit,value,status
r1,2026-11-28T10:00:00.123456789Z,box,c1,function,sort,10,0,-1,8,wall,ns,9000000,ok
r1,2026-11-28T10:00:01Z,box,c1,function,sort,10,0,0,8,wall,ns,1000000,ok
r1,2026-11-28T10:00:02Z,box,c1,function,sort,10,1,0,16,wall,ns,1300000,ok
r1,2026-11-28T10:00:03Z,box,c1,function,sort,10,0,1,8,wall,ns,1100000,ok
r1,2026-11-28T10:00:04Z,box,c1,function,sort,10,1,1,16,wall,ns,1200000,ok
r1,2026-11-28T10:00:05Z,box,c1,function,sort,20,0,0,4,wall,ns,3000000.25,ok
r1,2026-11-28T10:00:06Z,box,c1,function,sort,30,0,0,,wall,ns,,failed:exit=3
r1,2026-11-28T10:00:07Z,box,c1,function,sort,40,,0,,wall,ns,,skipped
r1,2026-11-28T10:00:08Z,box,c1,command,"./a ""b""",,,0,1,wall,ns,2000000,ok
r1,2026-11-28T10:00:08Z,box,c1,command,"./a ""b""",,,0,1,max_rss,B,4096,ok
r1,2026-11-28T10:00:08Z,box,c1,command,"./a ""b""",,,0,1,sys,ns,0,ok
r1,2026-11-28T10:00:08Z,box,c1,command,"./a ""b""",,,0,1,energy,J,0.5,ok
r1,2026-11-28T10:00:09Z,box,c1,command,"./a ""b""",,,1,1,wall,ns,2500000,ok
r1,2026-11-28T10:00:09Z,box,c1,command,"./a ""b""",,,1,1,max_rss,B,8192,ok
r1,2026-11-28T10:00:09Z,box,c1,command,"./a ""b""",,,1,1,sys,ns,2000,ok
r1,2026-11-28T10:00:10Z,box,c1,command,"./a ""b""",,,2,1,wall,ns,500,timeout
.
# The same measurements with values twice as large
awk -F, -v OFS=, 'NR > 1 && $13 != "" { $13 *= 2 } { print }' rows.csv >slower.csv

if skip_unless pyperf "pyperf reads the JSON that bench-convert writes for it"; then
	pyperf() { "$python" -m pyperf "$@"; }
	bench-convert -t pyperf -o old.json rows.csv 2>err
	is "$(cat err)" "bench-convert: rows.csv: 3 rows that failed or were not measured are omitted: pyperf has no place for them
bench-convert: 2 metrics are omitted, first sys of ./a \"b\": pyperf accepts only values above 0, in seconds, in bytes or as whole numbers" \
		"bench-convert reports which metrics pyperf does not accept"
	cat >runs.py <<'.'
import pyperf, sys
for b in pyperf.BenchmarkSuite.load(sys.argv[1]):
    print(b.get_name(), b.get_unit(), b.get_metadata().get("hostname"), b.get_metadata().get("commit_id"), sep="|")
    for r in b.get_runs():
        m = r.get_metadata()
        print("", *r.values, m.get("loops"), m.get("date"))
.
	is "$("$python" runs.py old.json)" 'sort/n=10|second|box|c1
 0.001 0.0011 8 2026-11-28 10:00:01.000000
 0.0013 0.0012 16 2026-11-28 10:00:02.000000
sort/n=20|second|box|c1
 0.00300000025 4 2026-11-28 10:00:05.000000
./a "b"|second|box|c1
 0.002 1 2026-11-28 10:00:08.000000
 0.0025 1 2026-11-28 10:00:09.000000
./a "b" max_rss|byte|box|c1
 4096 1 2026-11-28 10:00:08.000000
 8192 1 2026-11-28 10:00:09.000000' "pyperf reads each process that bench-convert writes as a run"
	bench-convert -q -t pyperf -M wall -o new.json slower.csv
	like "$(pyperf compare_to --table old.json new.json 2>&1)" '^\| sort/n=10 +\| 1.15 ms +\| 2.30 ms: 2.00x slower +\|' \
		"pyperf compare_to compares files that bench-convert writes"
	for command in check stats hist metadata show; do
		ok "pyperf $command accepts a file that bench-convert writes" pyperf $command old.json
	done
	is "$(bench-convert -M wall old.json | columns bench,n,process,sample,iterations,metric,unit,value | head -5)" \
		'sort,10,0,0,8,wall,ns,1000000
sort,10,0,1,8,wall,ns,1100000
sort,10,1,0,16,wall,ns,1300000
sort,10,1,1,16,wall,ns,1200000
sort,20,0,0,4,wall,ns,3000000.25' "bench-convert reads back what it writes for pyperf"
	printf 'commit,bench,metric,unit,value\nc1,a,wall,ns,5\nc2,a,wall,ns,6\n,"x\ny ",wall,ns,7\n,"\001",load,1,10000000\n' |
		bench-convert -q -t pyperf -o names.json
	is "$("$python" runs.py names.json | grep '|' | cut -d'|' -f1)" 'a
a (2)
x y
load' "pyperf reads benchmarks with equal names and names of several lines"
	status 2 "bench-convert rejects rows without a value that pyperf accepts" \
		sh -c 'printf "bench,metric,unit,value\na,wall,ns,0\n" | bench-convert -t pyperf'
fi

if skip_unless pytest-benchmark "pytest-benchmark reads the JSON that bench-convert writes for it"; then
	bench-convert -t pytest -o old.json rows.csv 2>err
	bench-convert -q -t pytest -o new.json slower.csv
	like "$(cat err)" '3 rows that failed or were not measured are omitted: pytest has no place for them$' \
		"bench-convert reports failed rows that pytest-benchmark has no place for"
	"$python" -m pytest_benchmark compare --group-by fullname --columns median,rounds,iterations old.json new.json >compared 2>&1
	is "$(tr -s ' ' <compared | grep '^sort\[10\]')" 'sort[10] (old) 1.1500 (1.0) 4 1
sort[10] (new) 2.3000 (2.00) 4 1' "pytest-benchmark compare compares files that bench-convert writes"
	cat >stats.py <<'.'
import json, random, sys
from pytest_benchmark.stats import Stats
wrong = set()
for b in json.load(open(sys.argv[1]))["benchmarks"]:
    s = Stats()
    s.data = b["stats"]["data"]
    for name, want in s.as_dict().items():
        got = b["stats"][name]
        if got != want and (isinstance(want, str) or abs(got - want) > 1e-12 * abs(want)):
            wrong.add(f"{name}: {got} for {want} of {len(s.data)}")
    seen = b
print(len(json.load(open(sys.argv[1]))["benchmarks"]), *sorted(wrong))
.
	awk 'BEGIN { srand(7); print "bench,metric,unit,value"
		for (n = 1; n <= 40; n++) for (i = 0; i < n; i++) printf "b%d,wall,ns,%d\n", n, rand() ^ 8 * 1e6 + 1 }' >many.csv
	bench-convert -t pytest -o many.json many.csv
	is "$("$python" stats.py many.json)" 40 "bench-convert writes the statistics that pytest-benchmark computes of the rounds"
	is "$(bench-convert old.json | columns bench,n,sample,metric,unit,value | grep -v '^sort.*10' | sed 's/\[20\]//')" 'sort,20,0,wall,ns,3000000.25
"./a ""b""",,0,wall,ns,2000000
"./a ""b""",,1,wall,ns,2500000
"./a ""b""",,,max_rss,1,6144
"./a ""b""",,,sys,1,1000
"./a ""b""",,,energy,1,0.5' "bench-convert reads back what it writes for pytest-benchmark"
	is "$(bench-convert -t pytest "$data/pytest.json" | bench-convert | columns bench,n,host,commit,sample,iterations,metric,value | sort)" \
		"$(bench-convert "$data/pytest.json" | columns bench,n,host,commit,sample,iterations,metric,value | sort)" \
		"bench-convert writes for pytest-benchmark what it read of it"
	status 2 "bench-convert rejects two commits for pytest-benchmark" \
		sh -c 'printf "commit,bench,metric,unit,value\nc1,a,wall,ns,5\nc2,a,wall,ns,6\n" | bench-convert -t pytest'
	like "$(cat "$T/.err")" 'rows of more than one commit, but a file of pytest-benchmark has one' \
		"the message about two commits says what a file of pytest-benchmark has"
fi

if skip_unless asv "asv reads the results that bench-convert writes for it"; then
	asv() { "$python" -m asv "$@"; }
	git init -q . && git config user.name a && git config user.email a@b
	for file in rows slower; do
		git commit -q --allow-empty -m "$file"
		commit=$(git rev-parse HEAD)
		sed "s/,c1,/,$commit,/" "$file.csv" >"$file.asv.csv"
		bench-convert -t asv -o result.json "$file.asv.csv" 2>err
		mkdir -p results/box
		mv result.json "results/box/$(echo "$commit" | cut -c1-8)-benchutils.json"
	done
	is "$(cat err)" "bench-convert: 1 row that failed is omitted: asv has a place for failures only if all samples of a benchmark failed" \
		"bench-convert reports failures next to successes, which asv cannot store"
	ok "bench-convert writes the list of benchmarks for asv" bench-convert -q -t asv-benchmarks -o results/benchmarks.json rows.csv
	echo '{"version": 1, "machine": "box", "os": "", "arch": "", "cpu": "", "num_cpu": "", "ram": ""}' >results/box/machine.json
	echo '{"version": 1, "project": "x", "repo": ".", "branches": ["HEAD"], "environment_type": "existing",
		"results_dir": "results", "html_dir": "html"}' >asv.conf.json
	asv show "$commit^" >shown 2>&1
	is "$(grep -A12 '^time_sort' shown | grep -E '^ +(n|[0-9]|1/)' | tr -s ' ')" ' 1/4 failed
 n 
 10 1.15±0.07ms 
 20 3.00±0ms 
 30 failed 
 40 n/a ' "asv show prints results, failures and skips that bench-convert writes"
	like "$(grep -A2 '^peakmem' shown | tr -s ' ')" '^ 6.14±1k$' "asv show prints bytes that bench-convert writes"
	like "$(grep -A2 '^track_energy' shown | tr -s ' ')" '^ 0.5±0$' "asv show prints values in any unit that bench-convert writes"
	asv compare "$commit^" "$commit" >compared 2>&1
	like "$(cat compared)" '\| 1.15±0.07ms +\| 2.30±0.1ms +\| ~2.00 +\| time_sort\(10\) ' "asv compare compares results that bench-convert writes"
	ok "asv publish accepts results that bench-convert writes" asv publish --no-pull
	bench-convert -t asv -o one.json rows.asv.csv 2>err
	is "$(bench-convert one.json | columns host,bench,param1,sample,iterations,metric,value,status)" 'box,time_sort,10,0,,wall,1000000,ok
box,time_sort,10,1,,wall,1300000,ok
box,time_sort,10,2,,wall,1100000,ok
box,time_sort,10,3,,wall,1200000,ok
box,time_sort,20,0,4,wall,3000000.25,ok
box,time_sort,30,,,wall,,failed
box,time_sort,40,,,wall,,skipped
box,"time_./a ""b""",,0,1,wall,2000000,ok
box,"time_./a ""b""",,1,1,wall,2500000,ok
box,"peakmem_./a ""b""",,0,1,memory,4096,ok
box,"peakmem_./a ""b""",,1,1,memory,8192,ok
box,"track_sys_./a ""b""",,0,1,track,0,ok
box,"track_sys_./a ""b""",,1,1,track,2e-06,ok
box,"track_energy_./a ""b""",,0,1,track,0.5,ok' "bench-convert reads back what it writes for asv"
	bench-convert -t asv -o again.json "$data/asv.json"
	same() { bench-convert "$1" | columns bench,param1,param2,sample,iterations,metric,value,status | sort; }
	is "$(same again.json)" "$(same "$data/asv.json")" "bench-convert writes for asv what it read of it"
	status 2 "bench-convert rejects rows without a commit for asv" \
		sh -c 'printf "bench,metric,unit,value\na,wall,ns,5\n" | bench-convert -t asv'
	awk 'BEGIN { print "commit,bench,a,b,c,metric,unit,value"; for (i = 0; i < 101; i++) printf "c,x,%d,%d,%d,wall,ns,1\n", i, i, i }' >wide.csv
	status 2 "bench-convert rejects too many combinations of parameters for asv" bench-convert -t asv wide.csv
fi

# The values, types and units of families, as the parser of prometheus_client reads them
cat >families.py <<'.'
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
for f in text_string_to_metric_families(open(sys.argv[1]).read()):
    print(f.name, f.type, f.unit, f.documentation, sep="|")
    for s in f.samples:
        labels = {k: v for k, v in s.labels.items() if k not in ("host", "commit", "kind")}
        print("", s.name, *(f"{k}={v}" for k, v in labels.items()), s.value, s.timestamp or "")
.
bench-convert -t openmetrics -o rows.om rows.csv
if skip_unless prometheus-client "prometheus_client parses the OpenMetrics text that bench-convert writes"; then
	"$python" families.py rows.om >families 2>&1
	is "$(grep -A8 '^bench_wall' families)" 'bench_wall_seconds|summary|seconds|elapsed time
 bench_wall_seconds bench=sort n=10 quantile=0 0.001 1795860004.000000000
 bench_wall_seconds bench=sort n=10 quantile=0.25 0.001075 1795860004.000000000
 bench_wall_seconds bench=sort n=10 quantile=0.5 0.00115 1795860004.000000000
 bench_wall_seconds bench=sort n=10 quantile=0.75 0.001225 1795860004.000000000
 bench_wall_seconds bench=sort n=10 quantile=1 0.0013 1795860004.000000000
 bench_wall_seconds_sum bench=sort n=10 0.0046 1795860004.000000000
 bench_wall_seconds_count bench=sort n=10 4 1795860004.000000000
 bench_wall_seconds bench=sort n=20 quantile=0 0.00300000025 1795860005.000000000' \
		"prometheus_client parses quantiles, sums, numbers and times of samples"
	is "$(grep -A9 '^bench_failed' families)" 'bench_failed_rows|gauge||rows that failed or were not measured
 bench_failed_rows bench=sort n=30 metric=wall status=failed:exit=3 1 1795860006.000000000
 bench_failed_rows bench=sort n=40 metric=wall status=skipped 1 1795860007.000000000
 bench_failed_rows bench=./a "b" metric=wall status=timeout 1 1795860010.000000000' "prometheus_client parses the numbers of failed rows"
	cat >odd.csv <<'.'
bench,1st,a-b,a b,quantile,status,metric,unit,value
"x\""
y",1,2,3,4,ok,wall,ns,1500
z,,,,,ok,wall,s,-1
z,,,,,ok,wall_count,ns,2
z,,,,,ok,wall,,3
z,,,,,ok,wall_seconds,1,3
z,,,,,ok,été,o/o,3
.
	bench-convert -t openmetrics -o odd.om odd.csv
	"$python" families.py odd.om >families 2>&1
	is "$(grep -c '|' families),$(grep 'quantile=0 ' families)" '6,y x1st=1 a_b=2 a_b_=3 quantile_=4 quantile=0 1.5e-06 
 bench_wall__seconds bench=z quantile=0 -1 
 bench_wall_count_seconds bench=z quantile=0 2e-09 
 bench_wall bench=z quantile=0 3 
 bench_wall_seconds_ bench=z quantile=0 3 
 bench___t___o_o bench=z quantile=0 3 ' "prometheus_client parses unusual names and values below 0"
	is "$(grep -c '|summary|' families)" 5 "bench-convert writes a gauge of OpenMetrics if values are below 0"
	printf 'bench,metric,unit,value,status\na,wall,ns,,timeout\n' | bench-convert -t openmetrics -o failed.om
	is "$("$python" families.py failed.om | tail -1)" ' bench_failed_rows bench=a metric=wall status=timeout 1 ' \
		"bench-convert writes OpenMetrics text of rows that all failed"
fi
if skip_unless promtool "promtool reads the OpenMetrics text that bench-convert writes"; then
	promtool tsdb create-blocks-from openmetrics rows.om blocks >out 2>&1
	mkdir blocks/wal
	like "$(promtool tsdb dump blocks 2>err)" '^\{__name__="bench_wall_seconds", bench="sort", commit="c1", host="box", kind="function", n="10", quantile="0.5"\} 0.00115 1795860004000$' \
		"promtool makes blocks of the OpenMetrics text that bench-convert writes"
fi

bench-convert -t otlp -o rows.json rows.csv
if skip_unless opentelemetry-proto "OpenTelemetry's protocol buffers parse the JSON that bench-convert writes"; then
	cat >points.py <<'.'
import sys
from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
for r in Parse(open(sys.argv[1]).read(), ExportMetricsServiceRequest()).resource_metrics:
    print(*(f"{a.key}={a.value.string_value}" for a in r.resource.attributes))
    for m in r.scope_metrics[0].metrics:
        print(m.name, m.unit, m.description, sep="|")
        for p in m.gauge.data_points:
            print("", *(f"{a.key}={a.value.string_value or a.value.int_value}" for a in p.attributes),
                p.as_double if p.HasField("as_double") else None, p.flags, p.time_unix_nano)
.
	"$python" points.py rows.json >points 2>&1
	is "$(head -4 points),$(grep '=sort n=[34]0' points),$(grep '|' points | tail -3)" 'service.name=benchutils host.name=box vcs.ref.head.revision=c1
bench.wall|ns|elapsed time
 kind=function bench=sort n=10 run=r1 process=0 sample=-1 iterations=8 9000000.0 0 1795860000123456789
 kind=function bench=sort n=10 run=r1 process=0 sample=0 iterations=8 1000000.0 0 1795860001000000000, kind=function bench=sort n=30 run=r1 process=0 sample=0 status=failed:exit=3 None 1 1795860006000000000
 kind=function bench=sort n=40 run=r1 sample=0 status=skipped None 1 1795860007000000000,bench.max_rss|By|peak resident memory
bench.sys|ns|CPU time in the kernel
bench.energy|J|energy of all independent domains during the run' "OpenTelemetry's protocol buffers parse the JSON that bench-convert writes"
	is "$(grep -c '^ ' points)" 16 "bench-convert writes a data point of OpenTelemetry for each row"
	printf 'host,commit,t,metric,unit,value\na,c,5,queue,x,1\nb,c,6,queue,x,2\na,c,7,queue,x,3\n' | bench-convert -t otlp -o two.json
	is "$("$python" points.py two.json | tr '\n' ';')" 'service.name=benchutils host.name=a vcs.ref.head.revision=c;bench.queue|{x}|; 1.0 0 5; 3.0 0 7;service.name=benchutils host.name=b vcs.ref.head.revision=c;bench.queue|{x}|; 2.0 0 6;' \
		"bench-convert writes a resource of OpenTelemetry for each machine, and time series"
fi

# A measurement of bench-run
bench-run -q -r 3 -w 0 -- true >run.csv
for to in pyperf pytest openmetrics otlp asv-benchmarks; do
	ok "bench-convert writes what bench-run measured as $to" bench-convert -q -t $to -o "run.$to" run.csv
done
done_testing
