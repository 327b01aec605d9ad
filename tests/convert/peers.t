#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert writes files that other programs can read, and reads the files that the installed
# versions of other programs write.
. "${0%/*}/../lib/tap.sh"

data=$ROOT/tests/fixtures/data/convert

if skip_unless promtool "promtool finds no fault in Prometheus' text"; then
	printf 'bench,1st,a-b,a b,host,metric,unit,value\n"x\\""\ny",1,2,3,h,wall,ns,1500\n' >odd.csv
	for file in "$data/go.txt" "$data/perf-repeated.txt" odd.csv; do
		bench-convert -q -t prometheus "$file" >metrics.prom
		ok "promtool finds no fault in the Prometheus text from ${file##*/}" \
			sh -c 'promtool check metrics <metrics.prom'
	done
fi

if skip_unless benchcmp "benchcmp reads Go's text"; then
	bench-convert -t go "$data/go.txt" >old.txt
	is "$(benchcmp "$data/go.txt" old.txt 2>/dev/null | grep -c '^BenchmarkAlloc-2 .*+0\.00%')" 6 \
		"benchcmp finds the names of Go in the text that bench-convert writes"
	sed 's/53.77 ns/107.54 ns/; s/49.79 ns/99.58 ns/' old.txt >new.txt
	like "$(benchcmp -best old.txt new.txt 2>/dev/null | tr -s ' ')" \
		'BenchmarkAlloc-2 49.8 99.6 [+]100.00%' "benchcmp reads Go's text"
fi

compare=/usr/share/benchmark/compare.py
if skip_unless $compare "Google Benchmark's compare.py reads its JSON"; then
	bench-convert -q -t gbench "$data/gbench.json" >old.json
	sed 's/"real_time": 6.87/"real_time": 13.87/' old.json >new.json
	/usr/bin/python3 $compare --no-color benchmarks old.json new.json >compared 2>&1
	like "$(cat compared)" '^copy/1024/repeats:3 +\+1\.0[0-9]+ +\+0\.0000 +7 +14 ' \
		"Google Benchmark's compare.py reads its JSON"
	bench-convert "$data/gbench-names.json" | bench-convert -t gbench -o back.json
	/usr/bin/python3 $compare --no-color benchmarks "$data/gbench-names.json" back.json >compared 2>&1
	is "$(sed -n 's/ *+0\.0000 *+0\.0000 .*//p' compared | uniq)" "copy/64
copy/4096
named/n:8/min_time:0.010
named/n:1/mode:2/real_time
manual/iterations:7/manual_time
manual/process_time/real_time/threads:2
fails/iterations:5/repeats:3" "Google Benchmark's compare.py finds each name of a file that went through CSV and back"
	bench-convert "$data/gbench-aggregates.json" | bench-convert -t gbench -o back.json
	/usr/bin/python3 $compare --no-color benchmarks "$data/gbench-aggregates.json" back.json >compared 2>&1
	is "$(sed -n 's/ *+0\.0000 *+0\.0000 .*//p' compared | grep copy | uniq)" "copy/1024/repeats:3_mean
copy/1024/repeats:3_median
copy/1024/repeats:3_stddev
copy/4096/repeats:3_mean
copy/4096/repeats:3_median
copy/4096/repeats:3_stddev" "Google Benchmark's compare.py finds the aggregates of a file that went through CSV and back"
	bench-run -q -r 2 --processes 1 -f "$BUILD/lib/benchutils/basics.so:qsort_copy" |
		bench-convert -t gbench -o functions.json
	/usr/bin/python3 $compare --no-color benchmarks functions.json functions.json >compared 2>&1
	like "$(cat compared)" '^qsort_copy[^ ]* +\+0\.0000 +\+0\.0000 ' "Google Benchmark's compare.py reads the JSON of functions that bench-run measured"
fi

if skip_unless pyperf "bench-convert reads the values that pyperf itself reads"; then
	cat >peer.py <<'.'
import pyperf, sys
from our_rows import compare, rows, scaled
exponent = {"second": 9, "byte": 0, "integer": 0}
want, peaks = [], []
for b in pyperf.BenchmarkSuite.load(sys.argv[1]).get_benchmarks():
    for process, run in enumerate(b.get_runs()):
        facts = run.get_metadata()
        for sample, value in enumerate(run.values):
            want.append((b.get_name(), str(process), str(sample), scaled(value, exponent[b.get_unit()])))
        if run.values and ("mem_max_rss" in facts or "command_max_rss" in facts):
            peaks.append((str(process), facts.get("command_max_rss", facts.get("mem_max_rss"))))
got = rows(sys.argv[1], "bench", "process", "sample", "metric")
compare([(bench, process, sample, value) for bench, process, sample, metric, value in got if sample], want)
assert [(process, value) for _, process, _, metric, value in got if metric == "max_rss"] == peaks, peaks
.
	export PYTHONPATH="$ROOT/tests/convert" PYTHONDONTWRITEBYTECODE=1
	python=$VENV/bin/python3
	"$python" -m pyperf timeit -q -p 2 -n 2 -w 1 -l 10 -o timeit.json.gz pass >out 2>&1
	for file in "$data/pyperf.json" "$data/pyperf-command.json.gz" "$data/pyperf-memory.json" timeit.json.gz; do
		ok "bench-convert reads the values that pyperf itself reads from ${file##*/}" "$python" peer.py "$file"
	done
fi

if skip_unless hyperfine "bench-convert reads the JSON of the installed hyperfine"; then
	hyperfine -N -r 3 -w 0 -L n 1,2 'echo {n}' --export-json h.json >out 2>&1
	is "$(bench-convert h.json | grep -c ',wall,ns,[0-9.]*,ok$')" 6 \
		"bench-convert reads the JSON of the installed hyperfine"
	# The documented fields, which programs that read its files use.
	bench-convert -t hyperfine h.json >h2.json
	if skip_unless jq "bench-convert writes the documented fields of hyperfine"; then
		is "$(jq -r '.results[0] | [.command, (.times | length), .mean == (.times | add / 3),
			(.min | type), .parameters.n] | @csv' h2.json | sed 's/true\|false/is/')" \
			'"echo 1",3,is,"number","1"' "bench-convert writes the documented fields of hyperfine"
		picoseconds='[.results[].times[] * 1e12 | round]'
		is "$(jq -c "$picoseconds" h2.json)" "$(jq -c "$picoseconds" h.json)" \
			"bench-convert writes the times of hyperfine that it read"
	fi
fi

if skip_unless perf "bench-convert reads the output of the installed perf"; then
	for options in '-x,' '-x; -r 2' '-j' '-j -r 2' '-x, -I 10' '-j -I 10'; do
		# shellcheck disable=SC2086
		perf stat $options -e task-clock,page-faults -o perf.out -- sleep 0.03 >out 2>&1
		is "$(bench-convert perf.out | grep -c -e 'task-clock,ns,[0-9.]*,ok' \
			-e 'page-faults,1,[0-9.]*,ok' | sed 's/[2-9]\|[1-9][0-9]/some/')" some \
			"bench-convert reads the output of perf stat $options"
	done
fi

flamegraph=/usr/share/perl5/Devel/NYTProf/flamegraph.pl
if skip_unless $flamegraph "flamegraph.pl draws the folded stacks that bench-convert writes"; then
	# drawn FILE: the functions that flamegraph.pl draws, with their samples
	drawn() { perl $flamegraph "$1" 2>&1 | sed -n 's/.*<title>\(.*\)<.title>.*/\1/p; /Ignored/p' | sort; }
	for file in folded.txt folded-perf.txt; do
		bench-convert "$data/$file" | bench-convert -t folded -o back.folded
		is "$(drawn back.folded)" "$(drawn "$data/$file")" "flamegraph.pl draws what bench-convert writes of $file as it draws the file"
	done
	is "$(drawn back.folded | grep -e '^all' -e hash)" 'all (541 samples, 100%)
hash (404 samples, 74.68%)' "flamegraph.pl draws the functions of a file that bench-convert writes"
	printf 'stack,metric,value\nmain;a b;7 c,samples,2\nmain;x <y>;z,samples,3\n' | bench-convert -t folded -o odd.folded
	is "$(drawn odd.folded)" '7 c (2 samples, 40.00%)
a b (2 samples, 40.00%)
all (5 samples, 100%)
main (5 samples, 100.00%)
x (y) (3 samples, 60.00%)
z (3 samples, 60.00%)' "flamegraph.pl draws functions whose names have spaces"
fi
done_testing
