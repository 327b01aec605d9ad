#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each allocation of the programs fails in turn. A program must either write the same output, or end
# with status 2 and a message, but never write less and end with status 0.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

if ! skip_unless unsanitized 'programs end well when memory is gone'; then
	done_testing
fi
gcc -O1 -shared -fPIC -o sweep.so "$ROOT/tests/lib/fault_sweep.c" || exit 1

# keys: JSON with its members' values left out, for output that differs from run to run
keys() { sed 's/": .*/":/' "$1"; }

# sweep COMPARE PROGRAM [ARG...]: makes allocations fail, one in each run of the program, and prints
# the allocations after which it went wrong. COMPARE prints what must be the same of its output.
sweep() {
	compare=$1
	shift
	rm -rf sweep
	mkdir sweep
	LD_PRELOAD=$T/sweep.so SWEEP=malloc SWEEP_RUNS=$runs SWEEP_DIR=$T/sweep "$@" >sweep.log </dev/null
	$compare sweep/0.out >wanted
	while read -r k status; do
		case $status in
		0) $compare sweep/"$k".out | cmp -s - wanted || echo "$k: another output and status 0" ;;
		2)
			[ "$(wc -l <sweep/"$k".err)" -eq 1 ] || echo "$k: $(wc -l <sweep/"$k".err) lines of messages"
			grep -qi memory sweep/"$k".err || echo "$k: $(cat sweep/"$k".err)"
			;;
		*) echo "$k: status $status" ;;
		esac
	done <sweep.log
}

# survives COMPARE DESCRIPTION PROGRAM [ARG...]
survives() {
	compare=$1 what=$2
	shift 2
	sweep "$compare" "$@" >wrong
	[ "$(wc -l <sweep.log)" -gt 20 ] || echo "only $(wc -l <sweep.log) runs" >>wrong
	is "$(head -n 5 wrong)" '' "$what writes its whole output or fails when an allocation fails"
}

data=$ROOT/tests/fixtures/data/convert
for run in 1 2; do
	printf 'run,time,host,env,commit,bench,size,sample,metric,unit,value\n'
	for i in 0 1 2 3 4 5; do
		echo "$run,2026-11-22T22:34:33.776Z,h,e,c$run,\"a \"\"b\"\"\",$((i % 2)),$i,wall,ns,$((100 * run + i))"
	done
done >in.csv
head -7 in.csv >old.csv
tail -7 in.csv >new.csv
bench-convert -t json in.csv >in.json
bench-stat --csv in.csv >stat.csv
bench-store -q -D s.db add in.csv

runs=300
survives cat 'bench-stat --json' bench-stat --json in.csv
survives cat 'bench-stat of JSON' bench-stat in.json
survives cat 'bench-compare --json' bench-compare --json -q -C 80% --adjust none new.csv old.csv
runs=80
survives cat 'bench-store export --json' bench-store -D s.db export --json
survives cat 'bench-store list --json' bench-store -D s.db list --json
runs=150
for format in csv json json-lines; do
	survives cat "bench-convert from json to $format" bench-convert -t $format in.json
done
runs=80
survives cat 'bench-convert of statistics' bench-convert --json stat.csv
for format in json hyperfine gbench bencher github-smaller; do
	survives cat "bench-convert from gbench to $format" bench-convert -t $format "$data/gbench.json"
done
for file in hyperfine.json pytest.json go.txt; do
	survives cat "bench-convert from $file" bench-convert "$data/$file"
done
survives keys 'bench-run --json' bench-run -q -e none -w 0 -r 2 --commit c --json -- true
done_testing
