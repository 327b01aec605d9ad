#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs compared with others that do the same work: prints the tables of docs/performance.md. ROUNDS
# (6, the fewest that have an interval) take half an hour on an idle machine with two processors.
# PYTHON is a Python that may have DuckDB, pandas and SciPy; BENCHSTAT is Go's benchstat. The samples
# need 1 GB below $TMPDIR.
#
#	programs.sh [ROUNDS [PROGRAM...]]
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=$(cd "${BUILD:-$here/../../build}" && pwd)/bin:$PATH
rounds=${1:-6}
[ $# = 0 ] || shift
python=${PYTHON:-python3}
dir=
. "$here/lib/rounds.sh"
. "$here/lib/beside.sh"
cd "$dir"

here() { command -v "$1" >/dev/null; }
in_python() { "$python" -c "import $1" 2>/dev/null; }
# peer NAME COMMAND-OF-ITS-PACKAGE COMMAND [PREPARE]: adds a program if it is here
peer() { if here "$2"; then program "$1" "$3" "${4:-}"; else absent "$1"; fi; }
# python_peer NAME MODULE SCRIPT
python_peer() { if in_python "$2"; then program "$1" "$python $3"; else absent "$1"; fi; }

# Starting and measuring processes
measure_run() {
	work '1000 runs of true'
	program 'bench-run, time and resources' 'bench-run -q -e none -w 0 -r 1000 -- /bin/true'
	peer 'hyperfine -N' hyperfine 'hyperfine -N -w 0 -r 1000 --export-json h.json /bin/true'
	compare
	work '1000 runs of true'
	program 'bench-run, default events' 'bench-run -q -w 0 -r 1000 -- /bin/true'
	peer 'perf stat -r' perf 'perf stat -r 1000 /bin/true'
	compare
}

# The mean, median and 95th percentile of each group. samples COUNT GROUPS: writes rows.csv
samples() {
	awk -v n="$1" -v groups="$2" 'BEGIN {
		print "bench,sample,metric,unit,value"
		seed = 1
		for (i = 0; i < n; i++) {
			seed = (seed * 16807) % 2147483647
			printf "b%07d,%d,wall,ns,%.2f\n", i * 7919 % groups, int(i / groups), 1e6 + seed % 100000 / 100
		}
	}' >rows.csv
}
cat >in_duckdb.py <<'END'
import duckdb
duckdb.sql("COPY (SELECT bench, metric, unit, avg(value), median(value), quantile_cont(value, 0.95)"
           " FROM 'rows.csv' GROUP BY ALL) TO 'duckdb.csv'")
END
cat >in_pandas.py <<'END'
import pandas as pd
value = pd.read_csv("rows.csv").groupby(["bench", "metric", "unit"]).value
pd.DataFrame({"mean": value.mean(), "median": value.median(), "p95": value.quantile(0.95)}).to_csv("pandas.csv")
END
# stat_of TEXT COUNT GROUPS
stat_of() {
	samples "$2" "$3"
	work "$1"
	program bench-stat 'bench-stat -q -s mean,median,p95 rows.csv'
	python_peer DuckDB duckdb in_duckdb.py
	python_peer pandas pandas in_pandas.py
	# These take minutes for more rows or groups.
	if [ "$2" -le 1000000 ] && [ "$3" -le 100000 ]; then
		peer Miller mlr 'mlr --icsv --ocsv stats1 -i -a mean,p50,p95 -f value -g bench,metric,unit rows.csv'
		peer datamash datamash 'datamash -t, -H -s -g1,3,4 mean 5 median 5 perc:95 5 <rows.csv'
	fi
	compare
	rm rows.csv
}
measure_stat() {
	stat_of '1 million samples in 10 groups' 1000000 10
	stat_of '10 million samples in 10 groups' 10000000 10
	stat_of '1 million samples in 100 thousand groups' 1000000 100000
	stat_of '1 million samples in 1 million groups' 1000000 1000000
}

# Two sides of 2000 benchmarks with 30 samples each
cat >in_scipy.py <<'END'
import csv
import numpy as np
from scipy import stats
def read(path):
    values = {}
    with open(path) as file:
        for row in csv.DictReader(file):
            values.setdefault(row["bench"], []).append(float(row["value"]))
    return values
old, new = read("old.csv"), read("new.csv")
for bench in old:
    x, y = np.array(old[bench]), np.array(new[bench])
    ratios = np.sort(np.divide.outer(y, x), axis=None)
    error = np.sqrt(len(x) * len(y) * (len(x) + len(y) + 1) / 12)
    k = int(np.ceil(len(ratios) / 2 - 0.5 - stats.norm.isf(0.025) * error))
    p = stats.mannwhitneyu(y, x, method="exact").pvalue
    print(bench, p, np.median(ratios), ratios[k - 1], ratios[-k], sep=",")
END
measure_compare() {
	for side in old new; do
		awk -v side=$side 'BEGIN {
			srand(side == "new" ? 7 : 8)
			print "run,bench,sample,metric,unit,value"
			for (b = 0; b < 2000; b++)
				for (s = 0; s < 30; s++)
					printf "%s,b%d,%d,wall,ns,%d\n", side, b, s,
						(b % 97 + 3) * 1e6 * exp((rand() + rand() + rand() + rand() - 2) * 0.05)
		}' >$side.csv
		awk -F, 'NR > 1 { print "Benchmark" $2, 1, $6, "ns/op" }' $side.csv >$side.txt
	done
	work '2000 benchmarks, 30 samples a side'
	program bench-compare 'bench-compare -q old.csv new.csv || test $? = 1'
	if [ -n "${BENCHSTAT:-}" ]; then
		program benchstat "$BENCHSTAT old.txt new.txt"
	else
		absent benchstat
	fi
	python_peer 'SciPy, the same test and interval' scipy in_scipy.py
	compare
}

# Rows in a table of SQLite without types. store_of TEXT COUNT SERIES: writes rows.csv, and adds it
store_of() {
	awk -v n="$2" -v series="$3" 'BEGIN {
		srand(1)
		print "run,time,host,env,commit,kind,bench,sample,metric,unit,value,status"
		for (i = 0; i < n; i++)
			printf "run-1,2026-01-01T00:00:00Z,host,env,c0,command,suite/b%06d,%d,wall,ns,%d,ok\n",
				i % series, int(i / series), 1e6 * (1 + rand())
	}' >rows.csv
	work "$1, added"
	program 'bench-store add' 'bench-store -q -D add.db add rows.csv' 'rm -f add.db*'
	peer 'sqlite3 .import' sqlite3 "sqlite3 import.db -cmd '.mode csv' '.import rows.csv t'" 'rm -f import.db'
	compare
	work "$1, read"
	program 'bench-store export' 'bench-store -D add.db export'
	peer 'sqlite3 -csv SELECT' sqlite3 "sqlite3 -csv import.db 'SELECT * FROM t'"
	compare
	rm -f rows.csv ./*.db
}
measure_store() {
	store_of '1 million samples in 10 series' 1000000 10
	store_of '100 thousand series of one sample' 100000 100000
	store_of '20 thousand series of 10 samples' 200000 20000
}

# Files of 100 MB of other programs as CSV
cat >in_json.py <<'END'
import csv, json, sys
out = csv.writer(sys.stdout)
with open(sys.argv[2]) as file:
    data = json.load(file)
if sys.argv[1] == "gbench":
    for b in data["benchmarks"]:
        for metric in "real_time", "cpu_time":
            out.writerow([b["name"], b["repetition_index"], b["iterations"], metric, b["time_unit"], b[metric]])
elif sys.argv[1] == "hyperfine":
    for b in data["results"]:
        out.writerows([b["command"], i, "wall", "s", x] for i, x in enumerate(b["times"]))
else:
    for b in data["benchmarks"]:
        out.writerows([b["fullname"], i, "wall", "s", x] for i, x in enumerate(b["stats"]["data"]))
END
write_gbench() {
	awk 'BEGIN {
		srand(1)
		print "{\"context\": {\"date\": \"2026-01-01T00:00:00+00:00\", \"host_name\": \"h\"}, \"benchmarks\": ["
		for (i = 0; i < 280000; i++)
			printf "%s{\"name\": \"BM_sort/%d\", \"family_index\": %d, \"per_family_instance_index\": 0,\n" \
				"\"run_name\": \"BM_sort/%d\", \"run_type\": \"iteration\", \"repetitions\": 2,\n" \
				"\"repetition_index\": %d, \"threads\": 1, \"iterations\": %d,\n" \
				"\"real_time\": %.12e, \"cpu_time\": %.12e, \"time_unit\": \"ns\",\n" \
				"\"label\": \"a label that a program may print for each benchmark, to tell them apart\"}",
				i ? ",\n" : "", i / 2, i / 2, i / 2, i % 2, 1000 * (1 + rand()), 1e4 * rand(), 1e4 * rand()
		print "]}"
	}'
}
write_hyperfine() {
	awk 'BEGIN {
		srand(2)
		print "{\"results\": ["
		for (i = 0; i < 40; i++) {
			printf "%s{\"command\": \"sleep %d\", \"mean\": 0.5, \"times\": [\n", i ? ",\n" : "", i
			for (k = 0; k < 110000; k++)
				printf "%s%.18f", k ? ",\n" : "", rand()
			printf "]}"
		}
		print "]}"
	}'
}
write_pytest() {
	awk 'BEGIN {
		srand(3)
		print "{\"machine_info\": {\"node\": \"h\"}, \"commit_info\": {}, \"benchmarks\": ["
		for (i = 0; i < 40; i++) {
			printf "%s{\"group\": null, \"name\": \"test_%d\", \"fullname\": \"test_a.py::test_%d\"," \
				" \"params\": null, \"param\": null, \"extra_info\": {}, \"options\": {}," \
				" \"stats\": {\"mean\": 0.5, \"iterations\": 1, \"data\": [\n", i ? ",\n" : "", i, i
			for (k = 0; k < 110000; k++)
				printf "%s%.18f", k ? ",\n" : "", rand()
			printf "]}}"
		}
		print "], \"datetime\": \"2026-01-01T00:00:00+00:00\", \"version\": \"5.3.1\"}"
	}'
}
cat >gbench.jq <<'END'
.benchmarks[] | [.name, .repetition_index, .iterations, "real_time", .time_unit, .real_time],
	[.name, .repetition_index, .iterations, "cpu_time", .time_unit, .cpu_time] | @csv
END
cat >hyperfine.jq <<'END'
.results[] | .command as $c | .times | to_entries[] | [$c, .key, "wall", "s", .value] | @csv
END
cat >pytest.jq <<'END'
.benchmarks[] | .fullname as $c | .stats.data | to_entries[] | [$c, .key, "wall", "s", .value] | @csv
END
measure_convert() {
	for format in gbench hyperfine pytest; do
		write_$format >in.json
		work "$(wc -c <in.json | awk '{ printf "%.0f", $1 / 1e6 }') MB of $format"
		program bench-convert 'bench-convert -q in.json'
		peer jq jq "jq -r -f $format.jq in.json"
		program "Python's json and csv" "$python in_json.py $format in.json"
		compare
	done
	rm in.json
}

# The exported functions of all objects below /usr/lib
measure_list() {
	# xargs would split paths with blanks, of which there are very few.
	bench-list -a --csv functions /usr/lib 2>/dev/null | cut -d, -f3 | sed -n 's,^\(/.*\):[^:]*$,\1,p' |
		grep -v '[ "'\'']' | sort -u >objects
	work "the functions of $(wc -l <objects) objects, $(xargs stat -L -c %s <objects | awk '{ n += $1 } END { printf "%.0f", n / 1e6 }') MB"
	program bench-list 'xargs -a objects bench-list -a --csv functions'
	peer 'nm -D --defined-only' nm 'xargs -a objects nm -D --defined-only'
	compare
}

# A page for many rows; nothing else makes the same page
measure_report() {
	for benches in 1000 5000; do
		awk -v n=$benches 'BEGIN {
			srand(1)
			print "run,time,host,kind,bench,sample,metric,unit,value"
			for (b = 0; b < n; b++)
				for (s = 0; s < 100; s++)
					printf "r1,2026-01-01T00:00:%02dZ,h,function,lib.so:bench_%d,%d,wall,ns,%.6f\n",
						s % 60, b, s, (1 + b) * 1000 * (1 + rand() / 10)
		}' >rows.csv
		work "$benches benchmarks of 100 samples, $(wc -c <rows.csv | awk '{ printf "%.1f", $1 / 1e6 }') MB"
		program bench-report 'bench-report -q -o out.html rows.csv'
		compare
	done
	rm rows.csv
}

# A program that calls itself for a second, and its folded stacks
measure_prof() {
	busy="perl -e 'sub f { my \$n = shift; \$n < 2 ? \$n : f(\$n - 1) + f(\$n - 2) } f(32)'"
	bench-prof -q -e cpu-clock -- true >/dev/null 2>&1 || {
		echo '| | bench-prof: this machine does not allow sampling | | | | |'
		return
	}
	work 'a program of 1 s at 999 Hz, folded'
	program bench-prof "bench-prof -q -e cpu-clock -F 999 --folded -- $busy"
	peer 'perf record, perf report' perf "perf record -q -e cpu-clock -F 999 -g -o perf.data $busy
		perf report -i perf.data --stdio --no-children -g folded"
	program 'the program alone' "$busy"
	compare
}

version() { "$@" 2>/dev/null | head -n 1 | grep -o '[0-9][0-9.]*[0-9]' | head -n 1; }
versions() {
	for name in hyperfine perf mlr datamash sqlite3 jq nm; do
		! here $name || printf '%s %s, ' $name "$(version $name --version)"
	done
	for name in duckdb pandas scipy; do
		! in_python $name || printf '%s %s, ' $name "$("$python" -c "import $name; print($name.__version__)")"
	done
	printf 'Python %s' "$(version "$python" --version)"
}
load() { cut -d' ' -f1-3 /proc/loadavg; }

echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors; $(versions)."
echo "Load before: $(load). Time is ${MEASURE:-elapsed}; $rounds rounds."
[ $# != 0 ] || set -- run stat compare store convert list report prof
for name in "$@"; do
	printf '\n### bench-%s\n\n' "$name"
	head_of_table
	measure_"$name"
done
printf '\nLoad after: %s\n' "$(load)"
