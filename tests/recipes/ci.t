#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The recipe for continuous integration, in a project of its own whose service restores and keeps
# a folder. The program tells its own cost, so that no machine is too busy for this.
. "${0%/*}/../lib/tap.sh"

script=$ROOT/share/examples/ci/bench-ci.sh
mkdir project artifact && cd project || exit
git init -q -b main .
git config user.name x
git config user.email x@example.org
# The cost varies from run to run by per mills, and is the same in each of a row of ten.
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
measure="bench-run -q -e none -w 0 -r 1 -n ${NAME:-task} --metric 'cost:ns=cost ([0-9]+)' -- sh task"
: "${BENCH_MEASURE:=$measure}" "${BENCH_BASELINE:=../artifact}"
BENCH_COMPARE='--thresholds margins.csv'
BENCH_POST='cat >../posted.md'
BENCH_KEPT=3
END
echo bench-out >.gitignore
git add .
git commit -q -m first
export COUNT="$T/count"
# ci [NAME=VALUE...]: what the service does for a commit
ci() { env "$@" sh "$script" ci.conf; }
kept() { find ../artifact -name '*.csv' | wc -l; }

status 0 'the first commit has no baseline' ci BENCH_KEEP=yes
like "$(cat "$T/.err")" 'no baseline yet' 'a missing baseline is reported'
is "$(kept)" 1 'the first commit becomes the baseline'
like "$(cat ../posted.md)" 'nothing was compared' 'the report of the first commit says that nothing was compared'
is "$(grep -c ,cost, ../artifact/*.csv)" 10 'the first commit is measured in ten runs'

is "$(grep -c dirty ../artifact/*.csv)" 0 'the rows of a clean tree name no dirty commit'

echo more >file
git add .
git commit -q -m 'no change'
sleep 1
status 0 'a commit without a change passes' ci BENCH_KEEP=yes
like "$(cat "$T/.out")" '^PASS: .* 0 worse' 'the log of a commit that passes ends with PASS and the counts'
like "$(cat ../posted.md)" '^\*\*PASS' 'the report of a commit that passes begins with PASS'
is "$(kept)" 2 'a commit that passes is kept'

sed -i s/1000/1200/ task
git commit -qam 'a fifth slower'
status 1 'a commit that is a fifth slower fails' ci BENCH_KEEP=no
like "$(cat "$T/.out")" '^worse: task: cost .*\+(19|20)\.[0-9]%' 'the log names the benchmark that became worse, and by how much'
like "$(tail -n 1 "$T/.out")" '^FAIL: .*: 1 worse' 'the log of a commit that fails ends with FAIL and the counts'
like "$(cat ../posted.md)" '\| \*\*worse\*\* \| <code>task</code> \| <code>cost</code> \|' 'the report names the benchmark and the metric that became worse'
is "$(kept)" 2 'a commit that fails is not kept'
is "$(ls bench-out)" 'new.csv
report.md' 'the measurement and the report are in bench-out'

# The better way: both commits on this machine, in turns.
status 1 'a slower commit fails when measured in turns with the commit before it' ci BENCH_BASE=HEAD~1 'BENCH_BUILD=touch built' BENCH_BASELINE=none
like "$(tail -n 1 "$T/.out")" '^FAIL: .*: 1 worse' 'a slower commit fails for the same reason when measured in turns'
is "$(grep -c ,cost, bench-out/old.csv),$(grep -c ,cost, bench-out/new.csv)" 10,10 'both commits are measured in ten runs each'
is "$(git worktree list | wc -l),$(ls bench-out)" '1,new.csv
old.csv
report.md' 'a measurement in turns leaves no worktree, and both streams'
status 0 'a commit measured in turns with itself passes' ci BENCH_BASE=HEAD BENCH_BASELINE=none
git worktree add -q --detach bench-out/base HEAD
status 0 'a worktree that a killed run has left does no harm' ci BENCH_BASE=HEAD BENCH_BASELINE=none
is "$(git worktree list | wc -l)" 1 'a worktree that a killed run has left is removed'
mkdir bench-out/base
status 0 'a folder that a killed run has left does no harm' ci BENCH_BASE=HEAD BENCH_BASELINE=none BENCH_RUNS=1
status 0 'a commit measured against itself passes with kept runs as the floor' ci BENCH_BASE=HEAD
is "$(bench-compare -q --floor "$(find ../artifact -name '*.csv' | head -n 1)" bench-out/old.csv bench-out/new.csv |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["metric"] == "cost" { print ($at["floor"] > 0) }')" 1 'the kept runs give the floor of the noise'

# Trouble.
status 2 'a configuration without a command that measures is refused' env sh "$script"
like "$(cat "$T/.err")" 'BENCH_MEASURE is not set' 'the refusal names the setting that is missing'
status 2 'a measurement that cannot be made fails' ci BENCH_MEASURE=false-or-none
status 2 'a configuration that does not exist is refused' sh "$script" nowhere.conf
status 2 'a base commit that does not exist is refused' ci BENCH_BASE=nowhere
status 2 'a base commit that cannot be built is refused' ci BENCH_BASE=HEAD BENCH_BUILD=false
is "$(git worktree list | wc -l)" 1 'a refused base commit leaves no worktree'
status 2 'a benchmark that vanished fails' ci NAME=other BENCH_KEEP=yes
is "$(kept)" 2 'a run without a benchmark of the baseline is not kept'
for _ in 1 2 3; do
	sleep 1
	ci BENCH_KEEP=yes >/dev/null 2>&1
done
is "$(kept)" 3 'no more commits are kept than asked for'
status 0 'what was worse on the main branch is told once' ci BENCH_KEEP=no

if skip_unless own-mounts 'a full disk' && skip_unless root 'a full disk'; then
	mkdir ../small
	status 2 'a full disk ends with status 2' unshare -m sh -c 'mount -t tmpfs -o size=8k none ../small && mkdir ../small/b &&
		BENCH_KEEP=yes BENCH_BASELINE=../small/b sh "$0" ci.conf; status=$?; ls ../small/b >../left; exit $status' "$script"
	is "$(cat ../left)" '' 'a full disk leaves no half of a baseline'
fi

if skip_unless /usr/lib/python3/dist-packages/yaml 'the workflows are YAML'; then
	for file in github-workflow gitlab-ci; do
		ok "$file.yml is YAML and calls the script" /usr/bin/python3 -c '
import sys, yaml
def texts(x):
    if isinstance(x, dict): x = list(x.values())
    return sum(map(texts, x), []) if isinstance(x, list) else [str(x)]
assert any("examples/ci/bench-ci.sh" in t for t in texts(yaml.safe_load(open(sys.argv[1]))))
' "$ROOT/share/examples/ci/$file.yml"
	done
fi
done_testing
