#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Continuous integration of a project from end to end, in a scratch git repository: every commit is
# measured and kept, a commit that slows a function by 3% fails, commits without a change pass, and
# git bisect finds the slow commit. The program prints its own cost, with noise of 1% from a seeded
# generator, so the load of the machine does not matter. One comparison at the end uses the time.
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

/* Does the work whose cost is measured, and returns the number of steps. */
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
# commit STEPS MESSAGE: commits a version of the program with this cost
commit() {
	echo "#define STEPS $1" >steps.h
	echo "$2" >>log
	git add -A && git commit -q -m "$2"
}
# measure RUNS: measures the program
measure() { bench-run -q -e none -w 0 -r "$1" -n task --extract 'cost:1=cost ([0-9]+)' -- ./prog; }

# 24 commits: the 9th does not compile, and the 17th makes the function 3% slower.
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
	# The gate of each commit compares its value with all values since the last change.
	bench-compare -q --since-change --order ../order ../history.csv >../gate.csv 2>/dev/null
	[ $? -eq 1 ] && git log -1 --format=%s
done 3<"$T/order" >../caught
is "$(head -n 1 ../caught)" "$slow" "bench-compare --since-change fails the commit that is 3% slower, and no commit before it"
status 1 "bench-compare --history exits with status 1 after a change for the worse" bench-compare --history --order ../order ../history.csv
is "$(wc -l <"$T/.out")" 2 "bench-compare --history finds exactly one change point"
found=$(column commit "$T/.out")
is "$(git log -1 --format=%s "$found")" "$slow" "bench-compare --history finds the change point at the slow commit"
like "$(column ratio "$T/.out")" '^1\.0[234]' "bench-compare --history reports a change of about 3%"
git checkout -q main
status 0 "bench-compare --history --since ignores a change before that commit" \
	bench-compare --history --since "$(git rev-parse main~5)" --order ../order ../history.csv

# git bisect, with a baseline outside the checkout. Only the cost is compared, so the load of the
# machine does not matter.
printf 'bench,metric,threshold\n,cost,1%%\n,,100000%%\n' >../margins.csv
git checkout -q main~23
make -s prog
for _ in 1 2 3 4 5 6; do measure 5; done >../good.csv
git bisect start main main~23 >/dev/null 2>&1
cat >../step <<'END'
make -s prog 2>/dev/null || exit 125
for run in 1 2 3 4 5 6; do
	bench-run -q -e none -w 0 -r 5 -n task --extract 'cost:1=cost ([0-9]+)' -- ./prog
done >../new.csv
bench-compare -q --bisect --thresholds ../margins.csv ../good.csv ../new.csv
END
git bisect run sh ../step >../bisect.out 2>&1
like "$(cat ../bisect.out)" 'is the first bad commit' "git bisect run finds a first bad commit"
is "$(git log -1 --format=%s refs/bisect/bad)" "$slow" "git bisect run finds the slow commit"
git bisect reset >/dev/null 2>&1
status 125 "bench-compare --bisect exits with status 125 if the baseline is missing" \
	bench-compare --bisect ../nowhere.csv ../new.csv

# 200 commits that do not change the cost, each compared in both ways.
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
ok "bench-compare raises at most one alarm in 200 commits without a change ($alarms in $gates comparisons)" [ "$alarms" -le 1 ]
bench-compare -q --history --threshold 0 ../quiet.csv >../quiet.out
ok "bench-compare --history --threshold 0 finds at most one change in commits without a change" [ "$(wc -l <../quiet.out)" -le 2 ]
is "$(bench-compare --since-change ../quiet.csv | awk -F, 'NR == 2 { print $5 + $6 }')" 200 "bench-compare --since-change uses all commits if there was no change"

# Real times: two sides in the blocks of one run, 30% apart. Each takes many ticks of the kernel, which divides
# times by user and system by samples at its ticks. Three tries, in case the machine is busy.
unset COUNTER
for side in old new; do
	echo "#define STEPS $([ $side = old ] && echo 10000000 || echo 13000000)" >steps.h
	gcc -O1 -o ../$side prog.c
done
git checkout -q steps.h
printf 'bench,metric,threshold\n,user,10%%\n,,100000%%\n' >../margins.csv
for _ in 1 2 3; do
	bench-run -q -e none -r 60 -n old -c ../old -n new -c ../new >../time.csv
	bench-compare -q -b bench --thresholds ../margins.csv ../time.csv >../time.out
	verdict=$?
	[ $verdict -eq 1 ] && break
done
is "$verdict" 1 "bench-compare finds a function that takes 30% longer by its time"
done_testing
