#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests what share/examples/ci/bench-ci.sh decides when benchmarks fail: before there is a baseline, and
# when the commit that repairs them is slower. The program prints its own cost.
. "${0%/*}/../lib/tap.sh"

script=$ROOT/share/examples/ci/bench-ci.sh
mkdir project artifact && cd project || exit
git init -q -b main .
git config user.name x
git config user.email x@example.org
cat >ci.conf <<'END'
BENCH_MEASURE="bench-run -q -e none -w 0 -r 1 -n task --extract 'cost:ns=cost ([0-9]+)' -- sh task"
BENCH_COMPARE='--metric cost,ok' BENCH_BASELINE=../artifact BENCH_KEEP=yes
END
echo bench-out >.gitignore
# commit TEXT: commits a program. The names of kept files have the time in seconds, hence the sleep
commit() {
	echo "$1" >task
	git add .
	git commit -q -m change
	sleep 1
}
ci() { sh "$script" ci.conf; }
kept() { find ../artifact -name '*.csv' | wc -l; }

commit 'exit 1'
status 1 'bench-ci.sh fails if samples fail and there is no baseline' ci
like "$(cat "$T/.err")" 'samples fail: this commit does not become the baseline' 'bench-ci.sh reports that a commit with failed samples does not become the baseline'
like "$(cat bench-out/report.md)" '\*\*FAIL\*\*: samples fail' 'the report of bench-ci.sh reports failed samples without a baseline'
is "$(kept)" 0 'bench-ci.sh makes no commit with failed samples the first baseline'

commit 'echo cost 1000'
status 0 'bench-ci.sh passes the first commit without failed samples' ci
commit 'exit 1'
status 1 'bench-ci.sh fails a commit whose samples newly fail' ci
is "$(kept)" 1 'bench-ci.sh does not keep a commit whose samples newly fail'
commit 'echo cost 1200'
status 1 'bench-ci.sh compares a commit that repairs a benchmark with the last commit that did not fail' ci
like "$(cat "$T/.out")" '^worse: task: cost 1\.000 .s -> 1\.200 .s' 'bench-ci.sh reports that the repaired benchmark is slower'
is "$(kept)" 2 'bench-ci.sh keeps a worse commit without failed samples'

sed 's/^BENCH_MEASURE=.*/BENCH_MEASURE=true/' ci.conf >silent.conf
status 2 'bench-ci.sh fails if BENCH_MEASURE writes nothing' sh "$script" silent.conf
is "$(cat "$T/.err")" 'bench-ci.sh: BENCH_MEASURE wrote no samples: true' 'bench-ci.sh reports that BENCH_MEASURE writes nothing'
is "$(kept)" 2 'bench-ci.sh keeps no empty baseline'
: >../artifact/99991231T000000Z-none.csv
status 0 'bench-ci.sh ignores an empty baseline' ci

done_testing
