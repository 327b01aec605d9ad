#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests share/examples/commits/bench-commits.sh in a scratch git repository of ten commits. The
# program prints its own cost, so the load of the machine does not matter.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@example.org GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@example.org
commits="$ROOT/share/examples/commits/bench-commits.sh"

mkdir project && cd project || exit 1
git init -q -b main .
# commit COST: commits a program with this cost, or one that cannot be built
commit() {
	printf '#!/bin/sh\n%s\n' "$([ "$1" = broken ] && echo 'exit 1' || echo 'cp source prog')" >build
	printf '#!/bin/sh\necho cost %s\n' "$1" >source
	chmod +x build source
	git add -A && git commit -q -m "cost $1"
}
for cost in 100 101 99 broken 100 150 149 151 152 150; do commit $cost; done
cat >../commits.conf <<'END'
BENCH_BUILD=./build
BENCH_MEASURE="bench-run -q -e none -w 0 -r 1 -n task --extract cost:1='cost (.*)' -- ./prog"
BENCH_ROUNDS=2 BENCH_TREES=../trees BENCH_SAMPLES=../samples.csv BENCH_ORDER=../order
END

# runs: prints the number of runs of each commit that has samples, the oldest commit first
runs() {
	bench-stat -q --csv -g commit,run --metric cost ../samples.csv | column commit | sort | uniq -c >../runs
	while read -r hash; do awk -v hash="$hash" '$2 == hash { print $1 }' ../runs; done <../order | xargs
}

status 1 "bench-commits.sh exits with status 1 if a commit cannot be built" sh "$commits" main ../commits.conf
like "$(cat "$T/.err")" "^bench-commits.sh: [0-9a-f]+ cost broken: BENCH_BUILD failed; not measured" \
	"bench-commits.sh names the commit that cannot be built"
is "$(runs)" "2 2 2 2 2 2 2 2 2" "bench-commits.sh measures each of the other commits in BENCH_ROUNDS runs"
is "$(git worktree list | wc -l) $(ls -d ../trees 2>/dev/null)" "1 " "bench-commits.sh leaves no tree behind"
is "$(cat ../order)" "$(git rev-list --reverse main)" "bench-commits.sh writes the commits to BENCH_ORDER, the oldest first"
status 1 "bench-compare --history finds a change in the samples of bench-commits.sh" \
	bench-compare --history --order ../order --metric cost ../samples.csv
is "$(git log -1 --format=%s "$(column commit "$T/.out")")" "cost 150" "the change is at the commit that causes it"

commit 153
cp ../samples.csv ../before.csv
status 0 "bench-commits.sh accepts options and a range of git rev-list" sh "$commits" '-n 3 main~4..main' ../commits.conf
is "$(runs)" "2 2 2 2 2 2 2 2 2 2" "bench-commits.sh measures only the commits that have no samples yet"
ok "bench-commits.sh appends to BENCH_SAMPLES" cmp -n "$(wc -c <../before.csv)" ../samples.csv ../before.csv

rm ../samples.csv
status 1 "bench-commits.sh counts a broken commit that it has chosen" \
	env BENCH_MOST=3 sh "$commits" main~3 ../commits.conf
like "$(cat "$T/.err")" 'measuring 3 of 8 commits; BENCH_MOST sets how many' "bench-commits.sh says that it measures not all commits"
is "$(bench-stat -q --csv -g commit --metric cost ../samples.csv | sed 1d | wc -l)" 2 "bench-commits.sh measures the first and the last commit"

# Each measurement may have several runs, and benchmarks whose names need quotes.
{
	sed '/^BENCH_MEASURE/d' ../commits.conf
	echo "BENCH_MEASURE=\"bench-run -q -e none -w 0 -r 1 -P n=1,2 -n 'a,b' -- true {n}; bench-run -q -e none -w 0 -r 1 -n task -- true\""
	echo 'BENCH_SAMPLES=../two_runs.csv'
} >../two.conf
status 0 "bench-commits.sh accepts a command that measures in two runs" sh "$commits" '-n 1 main' ../two.conf
is "$(bench-stat -q --csv -g run,bench,n --metric wall ../two_runs.csv | sed '1d; s/^[^,]*,//; s/,wall.*//' | sort | uniq -c | xargs)" \
	'2 a,b,1 2 a,b,2 2 task,' "bench-commits.sh counts rounds, each of which may have several runs"
sum=$(cksum <../two_runs.csv)
status 0 "bench-commits.sh measures no commit again that has all rounds of several runs" sh "$commits" '-n 1 main' ../two.conf
is "$(cksum <../two_runs.csv)" "$sum" "bench-commits.sh adds no samples to a commit that has all rounds"

# A directory with the name of BENCH_TREES that CDPATH leads to is another one.
mkdir -p ../elsewhere/trees && touch ../elsewhere/trees/kept
sed 's|=../trees|=trees|' ../commits.conf >../near.conf
status 0 "bench-commits.sh makes its trees here, regardless of CDPATH" \
	env CDPATH="$T/elsewhere" sh "$commits" '-n 1 main' ../near.conf
is "$(ls ../elsewhere/trees)$(ls -d trees 2>/dev/null)" kept "bench-commits.sh removes its own trees and no others"

echo 'no samples' >../damaged.csv
sed 's|=../samples.csv|=../damaged.csv|' ../commits.conf >../damaged.conf
status 2 "bench-commits.sh refuses samples that cannot be read" sh "$commits" main ../damaged.conf
is "$(cat ../damaged.csv)" 'no samples' "bench-commits.sh appends nothing to samples that cannot be read"

mkdir ../trees
status 2 "bench-commits.sh refuses a directory of trees that exists" sh "$commits" main ../commits.conf
rmdir ../trees
status 2 "bench-commits.sh refuses revisions that git does not know" sh "$commits" nowhere ../commits.conf
status 2 "bench-commits.sh refuses to measure without BENCH_MEASURE" sh "$commits" main /dev/null
BENCH_MEASURE='exit 2' && export BENCH_MEASURE
rm ../samples.csv
status 2 "bench-commits.sh fails if no commit can be measured" env BENCH_SAMPLES=../none.csv sh "$commits" main~9 /dev/null
like "$(cat "$T/.err")" 'cost 100: BENCH_MEASURE failed; not measured again' "bench-commits.sh names a commit that cannot be measured"
done_testing
