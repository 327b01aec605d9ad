#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests which baseline share/examples/ci/bench-ci.sh chooses if the jobs of a CI service run on machines of
# several kinds, of which one is twice as fast.
. "${0%/*}/../lib/tap.sh"

script=$ROOT/share/examples/ci/bench-ci.sh
# job ENV COST [NAME=VALUE]...: measures a commit on a machine with this env, whose samples have this cost
job() {
	{
		echo run,host,env,commit,kind,bench,sample,metric,unit,value
		for run in 0 1 2 3 4 5 6 7 8 9; do echo "$1-$2-$run,host-$1,$1,$2,command,task,0,wall,ns,$(($2 + run))"; done
	} >samples.csv
	shift 2
	env BENCH_RUNS=1 BENCH_MEASURE="cat '$T/samples.csv'" BENCH_BASELINE=artifact "$@" sh "$script"
}
kept() {
	sleep 1
	job "$@" BENCH_KEEP=yes >/dev/null 2>&1
}

kept slow 2000
kept fast 1000
status 0 'bench-ci.sh compares a commit with the newest baseline of the same env' job slow 2001
like "$(cat "$T/.out")" '^PASS: 1 compared: .* 1 same' 'bench-ci.sh finds no difference to the baseline of the same env'
is "$(grep -c 'env differs' "$T/.err")" 0 'bench-ci.sh does not compare different machines if it need not'
status 1 'bench-ci.sh finds a regression on the slower of two machines' job slow 2400
status 1 'bench-ci.sh finds a regression on the faster of two machines, which the slower one would hide' job fast 1200
kept fast 1200
status 0 'bench-ci.sh takes the newest of several baselines of an env' job fast 1201
job other 1203 >out 2>err
like "$(cat err)" 'env differs between the sides .fast and other' 'bench-ci.sh compares with the newest baseline if none has the same env, and reports it'

done_testing
