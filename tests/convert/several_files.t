#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert of several files and of directories: one table with the columns of all, in which
# samples of different files remain different samples.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
bench-convert "$data/go.txt" "$data/hyperfine.json" "$data/perf-counts.txt" >all.csv
is "$(head -1 all.csv)" \
	'run,env,kind,bench,pkg,procs,n,sample,iterations,metric,unit,value,status,running_pct' \
	'bench-convert unites the columns of several files'
is "$(columns bench,metric,value all.csv)" \
	"$(for file in go.txt hyperfine.json perf-counts.txt; do bench-convert "$data/$file" | columns bench,metric,value; done)" \
	'bench-convert writes the rows of several files in the order of the files'
is "$(column run all.csv | uniq | sort | uniq -c | awk '{ print $1, length($2) }')" '1 16
1 16
1 16' 'bench-convert gives each of several files a run of its own'
is "$(bench-convert "$data/go.txt" | head -1 | cut -d, -f1)" env 'bench-convert adds no run to a single file'
sed 's/3\.044/4.044/' "$data/go.txt" >second.txt
bench-convert "$data/go.txt" second.txt >two.csv
is "$(bench-stat -s n two.csv | columns bench,n,metric | grep -c ',4,wall$')" "$(bench-stat -s n two.csv | grep -c wall)" \
	'bench-stat counts the samples of two files with the same benchmarks'
bench-store -D s.db add two.csv >out 2>&1
bench-convert second.txt "$data/go.txt" | bench-store -D s.db add >out 2>&1
is "$(bench-store -D s.db export | grep -c ,wall,)" "$(grep -c ,wall, two.csv)" \
	'bench-store keeps the samples of several files once, in any order of the files'
is "$(bench-convert "$data/go.txt" <"$data/hyperfine.json" - | column bench | sort -u | paste -sd' ')" 'Alloc Sum echo {n}' \
	'bench-convert reads standard input among other files'
is "$(bench-convert -t markdown "$data/go.txt" "$data/hyperfine.json" | grep -c '^| \(echo\|Alloc\|Sum\)')" \
	"$({ bench-convert -t markdown "$data/go.txt"; bench-convert -t markdown "$data/hyperfine.json"; } | grep -c '^| \(echo\|Alloc\|Sum\)')" \
	'bench-convert writes a format of summaries from several files'
is "$(bench-convert --json "$data/go.txt" second.txt | bench-convert | cksum)" "$(cksum <two.csv)" \
	'bench-convert reads the rows of several files back from JSON'
status 2 'bench-convert rejects several files of which one cannot be read' bench-convert "$data/go.txt" missing.txt
is "$(wc -c <"$T/.out")" 0 'bench-convert writes nothing if one of several files cannot be read'
echo 'Dear Sir or Madam' >letter.txt
status 2 'bench-convert rejects several files of which one has an unknown format' bench-convert "$data/go.txt" letter.txt
like "$(cat "$T/.err")" '^bench-convert: letter.txt: unknown format' 'the message about an unknown format names the file'
bench-stat "$data/../recorded.csv" >stat.csv 2>/dev/null || bench-stat two.csv >stat.csv
status 2 'bench-convert rejects statistics together with other files' bench-convert "$data/go.txt" stat.csv
is "$(cat "$T/.err")" 'bench-convert: stat.csv: a table without measurements, which must be converted alone' \
	'the message about statistics says that they must be converted alone'

# Directories
mkdir -p tree/b/deep tree/a tree/.hidden
cp "$data/go.txt" tree/b/deep/
cp "$data/hyperfine.json" tree/a/
cp "$data/folded.txt" tree/.hidden/
cp letter.txt tree/
ln -s ../tree tree/a/loop
ln -s "$data/perf-counts.txt" tree/perf.txt
: >tree/empty
printf '\0' >tree/binary
is "$(bench-convert tree 2>err | cksum)" "$(bench-convert tree/a/hyperfine.json tree/b/deep/go.txt tree/perf.txt | cksum)" \
	'bench-convert reads the files in a directory, but not hidden ones and loops'
is "$(cat err)" 'bench-convert: 3 files in directories of an unknown format, first tree/binary; skipped' \
	'bench-convert reports how many files in a directory have no known format'
head -c 300 "$data/hyperfine.json" >tree/a/cut.json
like "$(bench-convert tree 2>&1 >out)" '^bench-convert: tree/a/cut.json:[0-9]*: not valid JSON: .*; skipped$' \
	'bench-convert reports a file in a directory that is cut off'
mkdir nothing letters
status 2 'bench-convert rejects an empty directory' bench-convert nothing
is "$(cat "$T/.err")" 'bench-convert: nothing: no files in the directory' 'the message about an empty directory names it'
cp letter.txt letters/
status 2 'bench-convert rejects a directory of letters' bench-convert -q letters
is "$(cat "$T/.err")" 'bench-convert: no file in the directories has a known format (bench-convert --list lists the known ones)' \
	'the message about a directory of letters says what is missing'

# Criterion's tree, which has the results before in base, and the estimates of the samples
criterion() {
	mkdir -p "$1"
	printf '{"sampling_mode":"Linear","iters":[10.0,20.0],"times":[%s]}' "$2" >"$1/sample.json"
	printf '{"mean":{"point_estimate":%s},"median":{"point_estimate":1}}' "$3" >"$1/estimates.json"
}
for bench in sort/10 sort/100; do
	criterion target/criterion/$bench/base 1.0,2.0 9
	criterion target/criterion/$bench/new 100.0,400.0 15
	criterion target/criterion/$bench/change 1.0,2.0 0.5
	rm target/criterion/$bench/change/sample.json
done
is "$(bench-convert target/criterion | columns bench,sample,metric,value)" 'sort/10,0,wall,10
sort/10,1,wall,20
sort/100,0,wall,10
sort/100,1,wall,20' "bench-convert reads the newest samples in the directory of Criterion.rs, and nothing twice"
is "$(bench-convert target/criterion/sort/10/base/estimates.json | columns bench,metric,value | head -1)" sort/10,wall,9 \
	"bench-convert reads earlier results of Criterion.rs if they are named"
mkdir -p mine/base mine/new
cp "$data/go.txt" mine/base
cp second.txt mine/new
is "$(bench-convert mine | grep -c wall)" 12 'bench-convert reads other directories that have the names of those of Criterion.rs'

# Together with compression, files next to the input, pages and columns of failures
gzip -c "$data/go.txt" >go.txt.gz
is "$(bench-convert go.txt.gz "$data/hyperfine.json" | cksum)" "$(bench-convert "$data/go.txt" "$data/hyperfine.json" | cksum)" \
	'bench-convert decompresses each of several files'
mkdir -p packed results/box
cp go.txt.gz packed
head -c 100 go.txt.gz >packed/cut.gz
is "$(bench-convert packed 2>err | grep -c ',wall,')" "$(bench-convert "$data/go.txt" | grep -c ',wall,')" \
	'bench-convert reads compressed files in a directory'
like "$(cat err)" '^bench-convert: packed/cut.gz: .*; skipped$' 'bench-convert reports a compressed file in a directory that is cut off'
cp "$data/asv-parameters.json" results/box
cp "$data/asv-benchmarks.json" results/benchmarks.json
is "$(bench-convert -q results | columns bench,n,order,metric,unit | sort -u)" \
	"$(bench-convert results/box/asv-parameters.json | columns bench,n,order,metric,unit | sort -u)" \
	'bench-convert reads the file next to the results of asv in a directory'
printf 'meaning Mine\nneed tests\neach tests/*\nbench {name}\nmetric wall ns unit=ns\n' >page
for n in 1 2 3; do printf '{"tests": [{"name": "a", "ns": %d}]}' $n >mine$n.json; done
is "$(bench-convert -f ./page mine1.json mine2.json mine3.json | columns bench,metric,value)" 'a,wall,1
a,wall,2
a,wall,3' 'bench-convert reads several files by one page'
is "$(bench-convert -q "$data/../formats/jmh.json" "$data/../formats/vegeta.json" "$data/../formats/jmh-params.json" | sed 1d | grep -c ,)" \
	"$(for file in jmh vegeta jmh-params; do bench-convert -n x "$data/../formats/$file.json" | sed 1d; done | grep -c ,)" \
	'bench-convert reads several files of formats that pages describe'
for to in prometheus openmetrics otlp; do
	is "$(bench-convert -t $to "$data/gbench-names.json" | grep -c 'x_name\|x_message')" 0 \
		"bench-convert -t $to has no labels for the columns that only Google Benchmark needs"
done
like "$(bench-convert -t prometheus "$data/gbench-names.json")" '^bench_wall_failed_samples.* 1$' \
	'bench-convert -t prometheus counts the failures of Google Benchmark'
done_testing
