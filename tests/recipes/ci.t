#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests share/examples/ci/bench-ci.sh in a scratch project whose CI service restores and keeps a
# directory. The program prints its own cost, so the load of the machine does not matter.
. "${0%/*}/../lib/tap.sh"

script=$ROOT/share/examples/ci/bench-ci.sh
mkdir project artifact && cd project || exit
git init -q -b main .
git config user.name x
git config user.email x@example.org
# The cost varies from run to run by some per mille, and repeats after ten runs.
cat >prog <<'END'
#!/bin/sh
n=$(cat "$COUNT" 2>/dev/null || echo 0)
echo $((n + 1)) >"$COUNT"
echo "cost $((COST + n % 10))"
END
chmod 755 prog
echo '#!/bin/sh
COST=1000 exec ./prog' >task
cat >margins.csv <<'END'
bench,metric,threshold
,cost,5%
,,100000%
END
cat >ci.conf <<'END'
measure="bench-run -q -e none -w 0 -r 1 -n ${NAME:-task} --extract 'cost:ns=cost ([0-9]+)' -- sh task"
: "${BENCH_MEASURE:=$measure}" "${BENCH_BASELINE:=../artifact}"
BENCH_COMPARE='--thresholds margins.csv'
BENCH_POST='cat >../posted.md'
BENCH_KEPT=3
END
echo bench-out >.gitignore
git add .
git commit -q -m first
export COUNT="$T/count"
# ci [NAME=VALUE...]: runs the script for a commit, as a CI service does
ci() { env "$@" sh "$script" ci.conf; }
kept() { find ../artifact -name '*.csv' | wc -l; }

status 0 'bench-ci.sh passes the first commit, which has no baseline' ci BENCH_KEEP=yes
like "$(cat "$T/.err")" 'no baseline yet' 'bench-ci.sh reports that there is no baseline'
is "$(kept)" 1 'bench-ci.sh makes the first commit the baseline'
like "$(cat ../posted.md)" 'nothing was compared' 'bench-ci.sh reports that nothing was compared for the first commit'
is "$(grep -c ,cost, ../artifact/*.csv)" 10 'bench-ci.sh measures a commit in ten runs'

is "$(grep -c dirty ../artifact/*.csv)" 0 'bench-ci.sh writes no dirty commit for a clean tree'

echo more >file
git add .
git commit -q -m 'no change'
sleep 1
status 0 'bench-ci.sh passes a commit without a change' ci BENCH_KEEP=yes
like "$(cat "$T/.out")" '^PASS: .* 0 worse' 'bench-ci.sh prints PASS and the counts for a commit that passes'
like "$(cat ../posted.md)" '^\*\*PASS' 'the report of bench-ci.sh begins with PASS for a commit that passes'
is "$(kept)" 2 'bench-ci.sh keeps a commit that passes'

sed -i s/1000/1200/ task
git commit -qam 'a fifth slower'
status 1 'bench-ci.sh fails a commit that is 20% slower' ci BENCH_KEEP=no
like "$(cat "$T/.out")" '^worse: task: cost .*\+(19|20)\.[0-9]%' 'bench-ci.sh prints the benchmark that became worse, and the change in percent'
like "$(tail -n 1 "$T/.out")" '^FAIL: .*: 1 worse' 'bench-ci.sh prints FAIL and the counts for a commit that fails'
like "$(cat ../posted.md)" '\| \*\*worse\*\* \| <code>task</code> \| <code>cost</code> \|' 'the report of bench-ci.sh names the benchmark and the metric that became worse'
is "$(kept)" 2 'bench-ci.sh does not keep a commit that fails without BENCH_KEEP'
is "$(ls bench-out)" 'gate.xml
new.csv
report.md' 'bench-ci.sh writes the samples and the report to bench-out'

# A page for people who must not know the machine
head -c 32 /dev/urandom >../key
status 1 'bench-ci.sh writes a page' ci BENCH_PAGE='--title Costs --anonymize-key ../key'
like "$(cat bench-out/report.html)" '<title>Costs</title>' 'bench-ci.sh passes options to bench-report'
like "$(cat bench-out/report.html)" 'host-[0-9a-f]{10}' 'bench-ci.sh writes an anonymized page'
rm bench-out/report.html

like "$(cat bench-out/gate.xml)" '<failure message="worse: task: cost ' 'bench-ci.sh writes the decision as test results'

# Limits.
printf 'bench,metric,max\n*,cost,1us\n' >../budget.csv
status 1 'bench-ci.sh fails a commit that breaks a budget' ci BENCH_BASE=HEAD BENCH_BASELINE=none BENCH_BUDGET=../budget.csv
like "$(cat "$T/.out")" ' broken' 'bench-ci.sh prints the budget that is broken'
like "$(cat ../posted.md)" '^    task .* broken' 'the report of bench-ci.sh has the budget that is broken'
like "$(cat bench-out/budget.xml)" 'failures="1"' 'bench-ci.sh writes the budgets as test results'
printf 'bench,metric,max\n*,cost,1s\nnothing,cost,1s\n' >../budget.csv
status 2 'bench-ci.sh fails if a budget matches nothing' ci BENCH_BASELINE=none BENCH_BUDGET=../budget.csv
sed -i /nothing/d ../budget.csv
status 0 'bench-ci.sh passes a commit that meets its budget' ci BENCH_BASELINE=none BENCH_BUDGET=../budget.csv

# Both commits on this machine, in turns.
status 1 'bench-ci.sh fails a slower commit that is measured in turns with its parent' ci BENCH_BASE=HEAD~1 'BENCH_BUILD=touch built' BENCH_BASELINE=none
like "$(tail -n 1 "$T/.out")" '^FAIL: .*: 1 worse' 'bench-ci.sh prints FAIL for a slower commit that is measured in turns with its parent'
is "$(grep -c ,cost, bench-out/old.csv),$(grep -c ,cost, bench-out/new.csv)" 10,10 'bench-ci.sh measures both commits in ten runs each'
is "$(git worktree list | wc -l),$(ls bench-out)" '1,gate.xml
new.csv
old.csv
report.md' 'bench-ci.sh leaves the streams of both commits, but no worktree'
status 0 'bench-ci.sh passes a commit that is measured in turns with itself' ci BENCH_BASE=HEAD BENCH_BASELINE=none
# An alarm is measured again by the time of another program, which BENCH_BUILD writes for the base.
again='bench-run -q -e none -w 0 --until decided --compare tree --gate --unsure fail --threshold 75% -P tree=$BENCH_OLD,$BENCH_NEW -n nap -- sh {tree}/nap'
# recheck COMMAND: runs the script for a slower commit that is measured in turns with its parent
recheck() { ci BENCH_BASE=HEAD~1 'BENCH_BUILD=echo sleep 0.03 >nap' BENCH_BASELINE=none "BENCH_AGAIN=$1"; }
echo sleep 0.03 >nap
status 0 'bench-ci.sh withdraws an alarm if nothing is worse when it is measured again' recheck "$again"
like "$(cat "$T/.err")" 'the alarm is withdrawn' 'bench-ci.sh reports that an alarm is withdrawn'
like "$(head -n 1 ../posted.md)" '^\*\*PASS\*\* when measured again' 'the report of bench-ci.sh begins with PASS if an alarm is withdrawn'
echo sleep 0.1 >nap
status 1 'bench-ci.sh raises an alarm that is confirmed when it is measured again' recheck "$again"
like "$(cat "$T/.err")" 'worse: nap ' 'bench-ci.sh prints the verdict that confirms an alarm'
is "$(ls bench-out)" 'again.csv
gate.xml
new.csv
old.csv
report.md' 'bench-ci.sh leaves the samples that confirm an alarm'
status 1 'bench-ci.sh raises an alarm if it cannot be measured again' recheck false-or-none
rm nap
git worktree add -q --detach bench-out/base HEAD
status 0 'bench-ci.sh measures although a killed script has left a worktree' ci BENCH_BASE=HEAD BENCH_BASELINE=none
is "$(git worktree list | wc -l)" 1 'bench-ci.sh removes the worktree that a killed script has left'
mkdir bench-out/base
status 0 'bench-ci.sh measures although a killed script has left a directory' ci BENCH_BASE=HEAD BENCH_BASELINE=none BENCH_RUNS=7
status 0 'bench-ci.sh passes a commit that is measured against itself, with kept runs for the floor' ci BENCH_BASE=HEAD
is "$(bench-compare -q --floor "$(find ../artifact -name '*.csv' | head -n 1)" bench-out/old.csv bench-out/new.csv |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["metric"] == "cost" { print ($at["floor"] > 0) }')" 1 'bench-compare --floor computes a noise floor from the runs that bench-ci.sh keeps'

# A commit that fails in three of five runs.
good=$(git rev-parse HEAD)
echo '#!/bin/sh
n=$(cat "$COUNT.tries" 2>/dev/null || echo 0)
echo $((n + 1)) >"$COUNT.tries"
COST=1200 ./prog && exit $(((n + 1) % 2))' >task
git commit -qam 'fails often'
status 1 'bench-ci.sh fails a commit that fails in three of five runs' \
	ci BENCH_BASE="$good" BENCH_RUNS=5 BENCH_BASELINE=none
like "$(cat "$T/.out")" '^failing: .*bench=task: 3 of 5 samples failed in .*, 0 of 5 in ' 'bench-ci.sh reports how many samples failed'
like "$(cat ../posted.md)" '^- <code>failing&#58; ' 'the report of bench-ci.sh has the samples that failed'
status 2 'bench-ci.sh cannot decide about two runs of each commit' ci BENCH_BASE="$good" BENCH_RUNS=2 BENCH_BASELINE=none NAME=other \
	'BENCH_MEASURE=bench-run -q -e none -w 0 -r 1 -n task -- true'
like "$(cat "$T/.out")" '^cannot decide: task: wall: .* with 2 runs of each side.*; measure at least [45] runs of each side' 'bench-ci.sh reports how many runs a decision takes'
git reset -q --hard "$good"

# Errors.
status 2 'bench-ci.sh rejects a configuration without BENCH_MEASURE' env sh "$script"
like "$(cat "$T/.err")" 'BENCH_MEASURE is not set' 'bench-ci.sh reports that BENCH_MEASURE is not set'
status 2 'bench-ci.sh fails if BENCH_MEASURE fails' ci BENCH_MEASURE=false-or-none
is "$(cat ../posted.md)" "**ERROR**: this commit was not compared; the log of the job has the details.

    BENCH_MEASURE failed: false-or-none" 'bench-ci.sh posts an error instead of leaving the report of an earlier commit'
status 2 'bench-ci.sh rejects a table of thresholds that does not exist' env BENCH_COMPARE='--thresholds none.csv' \
	BENCH_BASELINE=../artifact BENCH_RUNS=1 BENCH_MEASURE='bench-run -q -e none -w 0 -r 1 -- true' sh "$script"
like "$(cat bench-out/report.md)" '^    bench-compare: none\.csv: No such file' 'the report of bench-ci.sh says why nothing could be compared'
status 2 'bench-ci.sh rejects a budget that does not exist before it measures' ci BENCH_BUDGET=none.csv BENCH_MEASURE=false-or-none
like "$(cat ../posted.md)" 'BENCH_BUDGET: none\.csv cannot be read: create it' 'the report of bench-ci.sh says what to do if its budget does not exist'
status 2 'bench-ci.sh rejects a configuration that does not exist' sh "$script" nowhere.conf
status 2 'bench-ci.sh rejects a base commit that does not exist' ci BENCH_BASE=nowhere
like "$(cat "$T/.err")" 'git cannot check out nowhere; .* fetch the whole history' 'bench-ci.sh says what to do if a base commit is missing'
status 2 'bench-ci.sh rejects a base commit that cannot be built' ci BENCH_BASE=HEAD BENCH_BUILD=false
is "$(git worktree list | wc -l)" 1 'bench-ci.sh leaves no worktree of a base commit that it rejects'
status 2 'bench-ci.sh fails if its only benchmark vanished' ci NAME=other BENCH_KEEP=yes
like "$(cat "$T/.err")" 'run this job once with BENCH_ALLOW_MISSING=yes' 'bench-ci.sh says what to do if its only benchmark was renamed'
is "$(kept)" 2 'bench-ci.sh does not keep a run that lacks a benchmark of the baseline'
status 0 'bench-ci.sh accepts that its only benchmark was renamed if BENCH_ALLOW_MISSING is yes' ci NAME=other BENCH_RUNS=1 BENCH_ALLOW_MISSING=yes
like "$(tail -n 1 "$T/.out")" '^PASS: nothing could be compared' 'bench-ci.sh says that nothing could be compared after its only benchmark was renamed'
mkdir ../two
for _ in 1 2 3 4 5; do
	bench-run -q -e none -w 0 -r 1 --extract 'cost:ns=cost ([0-9]+)' -n task -c 'sh task' -n gone -c 'sh task' >>../two/1.csv
done
status 2 'bench-ci.sh fails if one of two benchmarks was removed' ci BENCH_BASELINE=../two BENCH_RUNS=5
like "$(cat "$T/.err")" 'run this job once with BENCH_ALLOW_MISSING=yes' 'bench-ci.sh says what to do if a benchmark was removed on purpose'
status 0 'bench-ci.sh accepts a removed benchmark if BENCH_ALLOW_MISSING is yes' ci BENCH_BASELINE=../two BENCH_RUNS=5 BENCH_ALLOW_MISSING=yes
for _ in 1 2 3; do
	sleep 1
	ci BENCH_KEEP=yes >/dev/null 2>&1
done
is "$(kept)" 3 'bench-ci.sh keeps at most BENCH_KEPT commits'
status 0 'bench-ci.sh reports a regression on the main branch only once' ci BENCH_KEEP=no

if skip_unless own-mounts 'bench-ci.sh fails on a full disk' && skip_unless root 'bench-ci.sh fails on a full disk'; then
	mkdir ../small
	status 2 'bench-ci.sh fails on a full disk' unshare -m sh -c 'mount -t tmpfs -o size=8k none ../small && mkdir ../small/b &&
		BENCH_KEEP=yes BENCH_BASELINE=../small/b sh "$0" ci.conf; status=$?; ls ../small/b >../left; exit $status' "$script"
	is "$(cat ../left)" '' 'bench-ci.sh leaves no incomplete baseline on a full disk'
fi

if skip_unless /usr/lib/python3/dist-packages/yaml 'the CI examples are YAML and call bench-ci.sh'; then
	for file in github-workflow gitlab-ci; do
		ok "$file.yml is YAML and calls bench-ci.sh" /usr/bin/python3 -c '
import sys, yaml
def texts(x):
    if isinstance(x, dict): x = list(x.values())
    return sum(map(texts, x), []) if isinstance(x, list) else [str(x)]
assert any("examples/ci/bench-ci.sh" in t for t in texts(yaml.safe_load(open(sys.argv[1]))))
' "$ROOT/share/examples/ci/$file.yml"
	done
fi
done_testing
