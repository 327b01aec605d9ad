#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A project's continuous integration from end to end, in a scratch git repository: every commit
# is measured and kept, a commit that slows a function by 3 % is caught, commits that change
# nothing raise no alarm, git bisect finds the one that did. The program tells what its work
# cost, with noise of 1 % from a seeded generator, so that no busy machine decides this; one
# walk at the end takes the time.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null COUNTER="$T/counter" BENCH_DB="$T/bench.db"
export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@example.org GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@example.org

mkdir project && cd project || exit 1
git init -q -b main .
cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "steps.h"

/* The function whose cost is watched: so many steps. */
static unsigned long work(void)
{
	unsigned long done = 0;

	for (volatile unsigned long i = 0; i < STEPS; i++)
		done++;
	return done;
}

/* A number about 1, another one each time the program runs. */
static double noise(const char *path)
{
	unsigned long long runs = 0, state;
	double sum = 0;
	FILE *f = fopen(path, "r");

	if (f && fscanf(f, "%llu", &runs) != 1)
		return 1;
	if (f)
		fclose(f);
	f = fopen(path, "w");
	if (f) {
		fprintf(f, "%llu\n", runs + 1);
		fclose(f);
	}
	state = 0x9e3779b97f4a7c15u * (runs + 1);
	for (int i = 0; i < 12; i++) {
		state ^= state >> 12;
		state ^= state << 25;
		state ^= state >> 27;
		sum += (double)(state * 0x2545f4914f6cdd1du >> 11) * 0x1p-53;
	}
	return 1 + (sum - 6) / 100;
}

int main(void)
{
	const char *counter = getenv("COUNTER");
	unsigned long steps = work();

	printf("cost %.0f\n", (double)steps * (counter ? noise(counter) : 1));
}
END
printf 'prog: prog.c steps.h\n\t@gcc -O1 -o prog prog.c\n' >Makefile
printf 'prog\n' >.gitignore
# commit STEPS MESSAGE
commit() {
	echo "#define STEPS $1" >steps.h
	echo "$2" >>log
	git add -A && git commit -q -m "$2"
}
# measure RUNS: as the CI does
measure() { bench-run -q -e none -w 0 -r "$1" -n task --metric 'cost:1=cost ([0-9]+)' -- ./prog; }

# 24 commits; the 17th makes the function 3 % slower, the 9th does not compile.
for i in $(seq 24); do
	if [ "$i" -eq 9 ]; then
		commit '(' "commit 9 does not compile"
	elif [ "$i" -eq 17 ]; then
		slow="commit 17 handles one more case"
		commit 103000 "$slow"
	else
		commit "$([ "$i" -lt 17 ] && echo 100000 || echo 103000)" "commit $i"
	fi
done
git rev-list --reverse main >../order
while read -r hash <&3; do
	git checkout -q "$hash"
	make -s prog 2>/dev/null || continue
	measure 5 | bench-store -q add
	bench-store export --metric cost >../history.csv
	# The gate of each commit: its own value beside all since the last change.
	bench-compare -q --since-change --order ../order ../history.csv >../gate.csv 2>/dev/null
	[ $? -eq 1 ] && git log -1 --format=%s
done 3<"$T/order" >../caught
is "$(head -n 1 ../caught)" "$slow" "the gate stops the commit that makes it 3 % slower, and none before"
status 1 "the history has a change for the worse" bench-compare --history --order ../order ../history.csv
is "$(wc -l <"$T/.out")" 2 "exactly one change point is found"
found=$(column commit "$T/.out")
is "$(git log -1 --format=%s "$found")" "$slow" "the change point is at the slow commit"
like "$(column ratio "$T/.out")" '^1\.0[234]' "the change is one of about 3 %"
git checkout -q main
status 0 "commits after it are as they should be" \
	bench-compare --history --since "$(git rev-parse main~5)" --order ../order ../history.csv

# The search, with a baseline that no checkout touches. Only the cost counts here: whether this
# machine is busy is no matter.
printf 'bench,metric,threshold\n,cost,1%%\n,,100000%%\n' >../margins.csv
git checkout -q main~23
make -s prog
for _ in 1 2 3 4 5 6; do measure 5; done >../good.csv
git bisect start main main~23 >/dev/null 2>&1
cat >../step <<'END'
make -s prog 2>/dev/null || exit 125
for run in 1 2 3 4 5 6; do
	bench-run -q -e none -w 0 -r 5 -n task --metric 'cost:1=cost ([0-9]+)' -- ./prog
done >../new.csv
bench-compare -q --bisect --thresholds ../margins.csv ../good.csv ../new.csv
END
git bisect run sh ../step >../bisect.out 2>&1
like "$(cat ../bisect.out)" 'is the first bad commit' "git bisect run comes to an end"
is "$(git log -1 --format=%s refs/bisect/bad)" "$slow" "git bisect run ends at the slow commit"
git bisect reset >/dev/null 2>&1
status 125 "a step without a baseline skips the commit" \
	bench-compare --bisect ../nowhere.csv ../new.csv

# 200 commits that change nothing that matters, each of them through both gates.
git checkout -q main
make -s prog
head -n 1 ../history.csv >../quiet.csv
alarms=0 gates=0
for i in $(seq 200); do
	git commit -q --allow-empty -m "nothing $i"
	measure 5 | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "metric") c = i; print; next }
		$c == "cost"' >>../quiet.csv
	[ "$i" -gt 8 ] || continue
	bench-compare -q --since-change ../quiet.csv >/dev/null 2>&1
	[ $? -eq 1 ] && alarms=$((alarms + 1))
	bench-compare -q --history --since "$(git rev-parse HEAD~3)" ../quiet.csv >/dev/null 2>&1
	[ $? -eq 1 ] && alarms=$((alarms + 1))
	gates=$((gates + 2))
done
ok "200 commits that change nothing: $alarms alarms at $gates gates" [ "$alarms" -le 1 ]
bench-compare -q --history --threshold 0 ../quiet.csv >../quiet.out
ok "the history of equal commits has next to no change, even without a margin" [ "$(wc -l <../quiet.out)" -le 2 ]
is "$(bench-compare --since-change ../quiet.csv | awk -F, 'NR == 2 { print $5 + $6 }')" 200 "the comparison with the last change takes all commits"

# The time itself: both sides in the blocks of one run, 30 % apart. Three tries, on a busy machine.
unset COUNTER
for side in old new; do
	echo "#define STEPS $([ $side = old ] && echo 3000000 || echo 3900000)" >steps.h
	gcc -O1 -o ../$side prog.c
done
git checkout -q steps.h
printf 'bench,metric,threshold\n,user,10%%\n,,100000%%\n' >../margins.csv
for _ in 1 2 3; do
	bench-run -q -e none -r 15 -n old -c ../old -n new -c ../new >../time.csv
	bench-compare -q -b bench --thresholds ../margins.csv ../time.csv >../time.out
	verdict=$?
	[ $verdict -eq 1 ] && break
done
is "$verdict" 1 "a function that takes 30 % longer is caught by its time"
done_testing
