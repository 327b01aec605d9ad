#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Messages about wrong values and files say what was wrong, and what to do instead. tests/io/hints.t has
# those about mistyped names.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8
printf 'a,b\n1,2\n' >foreign.csv
printf 'run,bench,sample,metric,unit,value\nr,a,0,wall,ns,1\nr,b,0,wall,ns,2\n' >s.csv
mkdir empty
echo kind,bench,subject >none.csv

# Each line: the exit status, a command, and what its message is after the name of the program.
messages() {
	cat <<'END'
2|bench-run -I foreign.csv|foreign.csv:1: not a table of subjects (kind,bench,subject,...), such as bench-list writes
2|bench-run -c 'a "b'|command line 'a "b': a quotation mark is not closed
2|bench-run -c "''"|the name of a program is empty: give a program to measure
2|bench-run ''|the name of a program is empty: give a program to measure
2|bench-prof ''|the name of a program is empty: give a program to measure
2|bench-run -c ''|a command line is empty: give a program to measure
2|bench-run -P n=1..8*1 true {n}|-P: range '1..8*1' never ends: its factor must be above 1
2|bench-run -P n=0..8*2 true {n}|-P: range '0..8*2' never ends: it must begin above 0
2|bench-run -P n=1..8+0 true {n}|-P: range '1..8+0' never ends: its step must be above 0
2|bench-run --until x true|--until: unknown value 'x' (there is: decided; see bench-run --help)
2|bench-run -n a -n b true|-n is given 2 times, but there is only 1 subject to name
2|bench-run --engine-option a=b true|--engine-option: for kernels and models only, and 'true' is a command (see bench-run --help)
2|bench-run -j 2 true|--threads: for functions, kernels and models only, and 'true' is a command (use -J to run copies of a command concurrently; see bench-run --help)
2|bench-prof record -g -- true|record: not found in PATH (there is no verb: bench-prof COMMAND profiles a command)
2|bench-run -k add -b ref -P n=0|-P n=0: %/kernels.csv: input: a size of 'a' is less than 1
2|bench-run -k add -b ref -P n=x|-P n=x: 'x' is not a count (for example 20 or 10k)
2|bench-run -f basics.so:qsort -P n=x|%/basics.so:benchmark_qsort: parameter 'n': 'x' is not a count (for example 20 or 10k)
2|bench-run -I none.csv|none.csv: the table has no subjects, so there is nothing to measure
2|bench-list models -P batch=x|-P batch=x: 'x' is not a count (for example 20 or 10k)
2|bench-store -D none.db list|none.db: No such file or directory (bench-store add creates a database)
2|bench-store -D s.db sql 'select ?'|the statement has 1 placeholder, but 0 values were given
2|bench-plot hist --mark a=b s.csv|--mark works only for trend (see bench-plot --help)
2|bench-plot hist --tests 5 s.csv|--tests works only for trend (see bench-plot --help)
2|bench-compare --history --since x s.csv|--since: 'x' is not a commit with a time in the input, a date (2026-01-31) or an age (30d)
1|bench-list models none|no name matches 'none'
1|bench-list -a events none|no name matches 'none'
1|bench-list kernels models|no name matches 'models'; separate verbs by commas, as in backends,devices
1|bench-list events none|no name matches 'none' among the events that can be counted (-a lists all)
1|bench-list empty|no benchmark found (-v reports the skipped files)
END
}
bench-store -q -D s.db add s.csv
messages >lines
while IFS='|' read -r want command message; do
	sh -c "$command" >out 2>err </dev/null
	is "$?,$(sed 's|: /.*/basics|: %/basics|; s|: /.*/\(kernels.csv\):[0-9]*|: %/\1|' err)" "$want,${command%% *}: $message" "'$command' says what is wrong, and what to do"
done <lines
is "$(BENCH_ONNXRUNTIME=none bench-list backends onnxruntime 2>&1 >out)" '' \
	'bench-list does not report that no name matches if it lists a backend that cannot be used'
is "$(bench-env --table none 2>/dev/null)$(bench-list --table none 2>/dev/null)" '' 'a table without rows has no header'
is "$(bench-list -q models none 2>&1 >out)" '' 'bench-list -q does not report that no name matches'

for command in 'list --bench none' 'list runs --tag none' 'export --bench none' 'export --facts --host none'; do
	# shellcheck disable=SC2086
	is "$(bench-store -D s.db $command 2>&1 >out)$(bench-store -q -D s.db $command 2>&1 >out)" \
		'bench-store: nothing in the database matches the filters' "bench-store $command reports filters that match nothing, except with -q"
done
is "$(bench-store -D s.db prune -n --bench none 2>&1 >out) $?" 'bench-store: no run is selected; nothing would be removed 0' \
	'bench-store prune -n says that no run is selected'
is "$(bench-store -D s.db list --bench a 2>&1 >out)$(bench-store -D s.db export --bench a 2>&1 >out)" '' \
	'bench-store is silent if something matches the filters'
sed 1q s.csv >header.csv
is "$(bench-stat header.csv 2>&1 >out)$(bench-stat -q header.csv 2>&1 >out)" 'bench-stat: the input has a header, but no samples' \
	'bench-stat reports a stream without samples, except with -q'

is "$(bench-run --list-options until | paste -sd,),$(bench-run --list-options stdout | paste -sd,)" decided,null,inherit,pipe \
	'bench-run lists the values of --until and --stdout for completion'
if skip_unless own-mounts 'bench-run reports that /dev is missing' && skip_unless root 'bench-run reports that /dev is missing'; then
	# shellcheck disable=SC2016 # the inner shell expands it
	is "$(unshare -m sh -c 'mount -t tmpfs none /dev && bench-run -r 1 -- true' 2>&1)" \
		'bench-run: /dev/null: No such file or directory; commands need it as their standard input and output (in a container or chroot, mount /dev)' \
		'bench-run reports that /dev is missing'
fi
done_testing
