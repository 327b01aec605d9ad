#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The example benchmarks compile with the commands in their comments and without a warning, contain
# their benchmarks, and run. The suites name existing benchmarks, and have names.
. "${0%/*}/../lib/tap.sh"

cp "$ROOT"/share/examples/functions/* .
export C_INCLUDE_PATH="$ROOT/include" CPLUS_INCLUDE_PATH="$ROOT/include"
warn='-Wall -Wextra -Wshadow -Wconversion'
gcc -o once "$ROOT/tests/discover/bench_once.c"

# compiles FILE [FLAG...]: compiles with the command in the first comment and additional flags
compiles() {
	file=$1
	shift
	command=$(sed -n '1,/^#include\|^use/s/.*[[:space:]]\(\(gcc\|g++\|rustc\) .* -o .*\)/\1/p' "$file")
	sh -c "PATH=/usr/bin:\$PATH $command $*" >warnings 2>&1
	is "$?$(cat warnings)" 0 "$file compiles with its command and without a warning"
}
compiles_c() { compiles "$1" -std=c17 "$warn" -Wstrict-prototypes -Wmissing-prototypes; }
# notes OBJECT: the symbols and the metadata of the section .benchutils
notes() {
	readelf -p .benchutils "$1" | sed -n 's/.*bench1^I//p' |
		awk -F '\\^I' '{ print $1, $2, $5 }' | LC_ALL=C sort -k 2
}
exported() { nm -D --defined-only "$1" | sed -n 's/.* T \(benchmark_.*\)/\1/p' | LC_ALL=C sort; }
# runs OBJECT SYMBOL [NAME=VALUE...]
runs() {
	object=$1
	shift
	status 0 "$* of $object runs" ./once "./$object" "$@" ITERATIONS=10
	is "$(cat .out)" "$1 next=2 items=0 bytes=0" "$1 of $object runs to the end of its loop"
}
# agrees OBJECT: each benchmark has metadata, and each metadata entry has a benchmark
agrees() { is "$(notes "$1" | cut -d' ' -f2)" "$(exported "$1")" "${1##*/} has metadata of exactly its benchmarks"; }

compiles_c memory.c
agrees memory.so
like "$(notes memory.so)" '^loop benchmark_memcpy category=memory param\.n=64,.* bytes=n$' 'memory.so has metadata of memcpy'
for name in memcpy memset strlen malloc_pair malloc_many; do
	runs memory.so benchmark_$name n=1000
done

compiles_c sort.c
agrees sort.so
for order in random sorted reversed few; do
	runs sort.so benchmark_qsort n=1000 order=$order
done
runs sort.so benchmark_qsort_copy n=1000
status 3 'qsort of sort.so fails with an unknown order' ./once ./sort.so benchmark_qsort n=10 order=no
is "$(cat .err)" 'fail: order is not random, sorted, reversed or few' 'qsort of sort.so reports an unknown order'
status 3 'qsort of sort.so fails without the parameter order' ./once ./sort.so benchmark_qsort n=10

if skip_unless libz 'zlib.c compiles with its command and without a warning'; then
	compiles_c zlib.c
	agrees zlib.so
	like "$(notes zlib.so)" '^loop benchmark_compress .*setup=zlib_open teardown=zlib_close.* param\.level=1,6,9$' \
		'zlib.so has metadata of the setup of compress'
	for name in crc32 adler32 'compress level=6' uncompress; do
		# shellcheck disable=SC2086
		runs zlib.so benchmark_$name setup=zlib_open teardown=zlib_close n=10000
	done
fi

if skip_unless g++ 'numbers.cc compiles with its command and without a warning'; then
	compiles numbers.cc "$warn"
	agrees numbers.so
	for name in std_sort vector_copy map_find string_append; do
		runs numbers.so benchmark_$name n=1000
	done
fi

if skip_unless /usr/bin/rustc 'arithmetic.rs compiles with its command and without a warning'; then
	compiles arithmetic.rs -D warnings
	agrees arithmetic.so
	is "$(notes arithmetic.so)" 'loop benchmark_collatz category=arithmetic param.n=27,97,871
call benchmark_gcd category=arithmetic' 'arithmetic.so has metadata of a loop and a call'
	runs arithmetic.so benchmark_collatz n=27
	status 0 'gcd of arithmetic.so runs, which is a call without a loop' ./once ./arithmetic.so benchmark_gcd
fi

# bench-list finds and bench-run measures the C, C++ and Rust examples.
bench-list --csv ./*.so >found.csv
is "$(cut -d, -f1 found.csv | sed 1d | sort | uniq -c | sed 's/^ *//')" "$(($(wc -l <found.csv) - 1)) function" 'bench-list finds only functions in the example objects'
is "$(awk -F, 'NR > 1 && !/,ok,/' found.csv)" '' 'bench-list reports that all example benchmarks can be measured'
status 0 'bench-run measures the example benchmarks' \
	bench-run -q -e none -r 2 -w 0 --processes 1 --sample-time 100us -I found.csv
is "$(grep -c ',wall,ns,[0-9.]*,ok,' .out)" "$(grep -c ',wall,' .out)" 'each sample of the example benchmarks has a value'
is "$(grep ',wall,' .out | cut -d, -f7 | sort -u | wc -l)" "$(sed 1d found.csv | cut -d, -f2 | sort -u | wc -l)" 'bench-run measures each example benchmark'

# The benchmarks that the suites name exist and run.
basics=$BUILD/lib/benchutils/basics.so
agrees "$basics"
for suite in small large; do
	sed 's/,[0-9]*$/,/' "$ROOT/share/suites/$suite.csv" >suite.csv
	status 0 "bench-run measures the suite $suite" \
		bench-run -q -e none -r 1 -w 0 --processes 1 -I suite.csv
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["metric"] == "wall" { print $at["kind"], $at["bench"], $at["status"] }' .out | sort -u >ran
	is "$(grep -v ' ok$' ran)" '' "each benchmark of the suite $suite succeeds"
	is "$(wc -l <ran)" "$(sed 1d suite.csv | cut -d, -f1,2 | sort -u | wc -l)" "bench-run measures each benchmark of the suite $suite"
done

# Suites have names, but a file with the same name is measured instead.
export BENCH_SHARE="$PWD/own"
mkdir -p own/suites
cp -r "$ROOT"/share/metrics.csv "$ROOT"/share/energy own
printf 'kind,bench,subject\ncommand,in_suite,true\n' >own/suites/tiny.csv
printf 'kind,bench,subject\ncommand,in_file,true\n' >file.csv
measured() { bench-run -q -e none -r 1 -w 0 -I "$1" | sed -n '/,wall,/s/.*,command,\([^,]*\),.*/\1/p'; }
is "$(measured tiny)" in_suite 'bench-run -I measures a suite of share by its name'
cp file.csv tiny
is "$(measured tiny)" in_file 'bench-run -I prefers a file to the suite of the same name'
printf 'kind,bench\n' >own/suites/broken.csv
status 2 'a suite that cannot be read is an error' bench-run -r 1 -I broken
like "$(cat .err)" "^bench-run: $PWD/own/suites/broken.csv:1: not a table of subjects" 'the message about a broken suite has its path'
status 2 'a name that is neither a file nor a suite is an error' bench-run -r 1 -I absent
done_testing
