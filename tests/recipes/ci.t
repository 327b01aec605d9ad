#!/bin/sh
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
like "$(cat "$T/.err")" 'no baseline yet' '... which is said'
is "$(kept)" 1 '... and becomes it'
like "$(cat ../posted.md)" 'nothing was compared' '... and the report says so'
is "$(grep -c ,cost, ../artifact/*.csv)" 10 '... with ten runs'

is "$(grep -c dirty ../artifact/*.csv)" 0 '... of a clean tree'

echo more >file
git add .
git commit -q -m 'no change'
sleep 1
status 0 'a commit without a change passes' ci BENCH_KEEP=yes
like "$(cat "$T/.out")" '^PASS: .* 0 worse' '... and its log ends so'
like "$(cat ../posted.md)" '^\*\*PASS' '... and its report begins so'
is "$(kept)" 2 '... and is kept'

sed -i s/1000/1200/ task
git commit -qam 'a fifth slower'
status 1 'a commit that is a fifth slower fails' ci BENCH_KEEP=no
like "$(cat "$T/.out")" '^worse: task: cost .*\+(19|20)\.[0-9]%' '... and the log names it'
like "$(tail -n 1 "$T/.out")" '^FAIL: .*: 1 worse' '... and ends so'
like "$(cat ../posted.md)" '\| \*\*worse\*\* \| <code>task</code> \| <code>cost</code> \|' '... and so does the report'
is "$(kept)" 2 '... and is not kept'
is "$(ls bench-out)" 'new.csv
report.md' 'what was measured and reported is there'

# The better way: both commits on this machine, in turns.
status 1 'measured in turns with the commit before it fails, too' ci BENCH_BASE=HEAD~1 'BENCH_BUILD=touch built' BENCH_BASELINE=none
like "$(tail -n 1 "$T/.out")" '^FAIL: .*: 1 worse' '... for the same reason'
is "$(grep -c ,cost, bench-out/old.csv),$(grep -c ,cost, bench-out/new.csv)" 10,10 '... from as many runs of both'
is "$(git worktree list | wc -l),$(ls bench-out)" '1,new.csv
old.csv
report.md' '... and nothing is left of it'
status 0 'in turns with itself it passes' ci BENCH_BASE=HEAD BENCH_BASELINE=none
git worktree add -q --detach bench-out/base HEAD
status 0 'also where a run that was killed has left its tree' ci BENCH_BASE=HEAD BENCH_BASELINE=none
is "$(git worktree list | wc -l)" 1 '... which is gone then'
mkdir bench-out/base
status 0 'or a folder' ci BENCH_BASE=HEAD BENCH_BASELINE=none BENCH_RUNS=1
status 0 'the runs that are kept tell the floor' ci BENCH_BASE=HEAD
is "$(bench-compare -q --floor "$(find ../artifact -name '*.csv' | head -n 1)" bench-out/old.csv bench-out/new.csv |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["metric"] == "cost" { print ($at["floor"] > 0) }')" 1 '... of the noise'

# Trouble.
status 2 'no command that measures' env sh "$script"
like "$(cat "$T/.err")" 'BENCH_MEASURE is not set' '... is said'
status 2 'a measurement that cannot be made fails' ci BENCH_MEASURE=false-or-none
status 2 '... told by its configuration' sh "$script" nowhere.conf
status 2 'so does a commit that is not there' ci BENCH_BASE=nowhere
status 2 'and one that cannot be built' ci BENCH_BASE=HEAD BENCH_BUILD=false
is "$(git worktree list | wc -l)" 1 '... without a trace'
status 2 'a benchmark that vanished fails' ci NAME=other BENCH_KEEP=yes
is "$(kept)" 2 '... and is no baseline'
for _ in 1 2 3; do
	sleep 1
	ci BENCH_KEEP=yes >/dev/null 2>&1
done
is "$(kept)" 3 'no more commits are kept than asked for'
status 0 'what was worse on the main branch is told once' ci BENCH_KEEP=no

if skip_unless own-mounts 'a full disk' && skip_unless root 'a full disk'; then
	mkdir ../small
	status 2 'a full disk is trouble' unshare -m sh -c 'mount -t tmpfs -o size=8k none ../small && mkdir ../small/b &&
		BENCH_KEEP=yes BENCH_BASELINE=../small/b sh "$0" ci.conf; status=$?; ls ../small/b >../left; exit $status' "$script"
	is "$(cat ../left)" '' '... and leaves half a baseline nowhere'
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
