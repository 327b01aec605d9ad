#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The cost of sampling compared with perf record with the same options, interleaved: the time of the
# program, the time until the profile is written, and memory for a million samples.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-7}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
# Many functions and many stacks: a walk that calls one of 8 functions at each level.
# Writes its elapsed time, in s, to the file named.
cat >walk.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static __thread unsigned long seed = 1;
static __thread volatile double x = 1;
static void walk(int depth);
#define STEP(n) __attribute__((noinline)) static void f##n(int d) \
	{ for (int i = 0; i < 40 + n; i++) x = x * 1.0000001 + 1; if (d) walk(d - 1); x = 1; }
STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)
static void (*const steps[])(int) = { f0, f1, f2, f3, f4, f5, f6, f7 };
static void walk(int depth)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	steps[seed >> 61](depth);
	x = 2;
}
static double now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}
static int depth;
static void *run(void *seconds)
{
	seed = (unsigned long)&seed;
	for (double end = now(CLOCK_THREAD_CPUTIME_ID) + *(double *)seconds;
		now(CLOCK_THREAD_CPUTIME_ID) < end;)
		for (int i = 0; i < 100; i++) walk(depth);
	return 0;
}
int main(int argc, char **argv)
{
	/* FILE WALKS: so many, of 12 levels; FILE -S DEPTH: in two threads, for S s of each */
	double start = now(CLOCK_MONOTONIC), work = atof(argv[2]), seconds = -work;
	if (work > 0)
		for (int i = 0; i < work; i++) walk(11);
	else {
		pthread_t t[2];
		depth = atoi(argv[3]);
		for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, &seconds);
		for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
	}
	FILE *f = fopen(argv[1], "a");
	fprintf(f, "%.6f\n", now(CLOCK_MONOTONIC) - start);
	return fclose(f);
}
END
gcc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o walk walk.c
median() { sort -g "$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
ratio() { awk -v a="$(median "$1")" -v b="$(median "$2")" 'BEGIN { printf "%.4f", a / b }'; }
least() { awk -v a="$(sort -g "$1" | head -n 1)" -v b="$(sort -g "$2" | head -n 1)" 'BEGIN { printf "%.4f", a / b }'; }
# whole NAME COMMAND...: appends the elapsed time of a command to NAME.whole
whole() {
	name=$1
	shift
	start=$(date +%s.%N)
	"$@" >out 2>err
	date +%s.%N | awk -v start="$start" '{ print $1 - start }' >>"$name.whole"
}

i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	whole bare ./walk bare 500000
	whole prof-99 bench-prof -e cpu-clock -F 99 -- ./walk prof-99 500000
	for way in fp dwarf; do
		whole prof-$way bench-prof -e cpu-clock -g $way -- ./walk prof-$way 500000
		whole perf-$way perf record -q -e cpu-clock -F 999 --call-graph $way -o $way.data ./walk perf-$way 500000
		whole report-$way perf report -i $way.data --stdio --no-children
	done
done
printf '%-44s %.3f s\n' 'the program alone' "$(median bare)"
printf ' 99 Hz, -g fp    the program takes, to alone: bench-prof %s (goal: not to be measured)\n' \
	"$(ratio prof-99 bare)"
for way in fp dwarf; do
	printf '999 Hz, -g %-5s the program takes, to alone: bench-prof %s, perf record %s\n' $way \
		"$(ratio prof-$way bare)" "$(ratio perf-$way bare)"
	printf '999 Hz, -g %-5s bench-prof / perf record: the program %s, least %s (goal: at most 1), the whole %s\n' $way \
		"$(ratio prof-$way perf-$way)" "$(least prof-$way perf-$way)" "$(ratio prof-$way.whole perf-$way.whole)"
done

# A million samples from two threads at 49,999 Hz, with 32,768 stacks: more than programs have.
# The kernel may allow fewer: see perf_event_max_sample_rate and perf_cpu_time_max_percent.
# The worst case: half of the samples have different stacks.
for depth in 4 11; do
	/usr/bin/time -f '%M' -o memory bench-prof -q -e cpu-clock -F 49999 --csv -- \
		./walk million -10.5 $depth >rows.csv 2>err
	awk -F, -v memory="$(cat memory)" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ sum[$at["metric"]] += $at["value"]; n++ }
		END { printf "%d samples in %d stacks (with the kernel'"'"'s), %d lost: memory of bench-prof %.1f MB (goal: under 64)\n",
			sum["samples"], n - 1, sum["lost_samples"], memory / 1024 }' rows.csv
done
rm million
whole million bench-prof -q -e cpu-clock -F 49999 --folded -- ./walk million -10.5 4
whole perf-million perf record -q -e cpu-clock -F 49999 -g -o million.data ./walk perf-million -10.5 4
whole report-million perf report -i million.data --stdio --no-children -g folded
awk -v own="$(cat million)" -v whole="$(cat million.whole)" -v report="$(cat report-million.whole)" 'BEGIN {
	printf "of the first: bench-prof is done %.2f s after the program, perf report --stdio takes %.2f s: ratio %.3f (goal: at most 1)\n",
		whole - own, report, (whole - own) / report }'

# Every context switch of two processes that do little else: the processor time of both for each switch.
cat >rally.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static double used(int who)
{
	struct rusage u;
	getrusage(who, &u);
	return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}
int main(int argc, char **argv)
{
	enum { ROUNDS = 100000 };
	int there[2], back[2];
	char c = 0;
	if (argc < 2 || pipe(there) || pipe(back)) abort();
	if (!fork()) {
		for (int i = 0; i < ROUNDS; i++)
			if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1) abort();
		_exit(0);
	}
	for (int i = 0; i < ROUNDS; i++)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1) abort();
	wait(0);
	FILE *f = fopen(argv[1], "a");
	fprintf(f, "%.3f\n", (used(RUSAGE_SELF) + used(RUSAGE_CHILDREN)) * 1e6 / (2 * ROUNDS));
	return fclose(f);
}
END
gcc -O1 -fno-omit-frame-pointer -o rally rally.c
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	./rally rally-bare
	bench-prof -q --wait -o rally.csv -- ./rally rally-prof
	perf record -q -e context-switches -c 1 --switch-events -g -o rally.data ./rally rally-perf
done
printf 'every context switch: the program takes %s us for one alone, %s with bench-prof --wait, %s with perf record\n' \
	"$(median rally-bare)" "$(median rally-prof)" "$(median rally-perf)"

# Counting every allocation of a program that does little else.
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	for way in none fp dwarf; do
		set -- perl -e 'my %h; $h{$_} .= "x" x ($_ % 50) for 1 .. 300000; print scalar keys %h'
		[ $way = none ] || set -- bench-prof -q --heap -g $way --folded -- "$@"
		whole heap-$way "$@"
	done
done
printf 'every allocation counted, whole time to alone: by frame pointers %s, by the unwinder %s\n' \
	"$(ratio heap-fp.whole heap-none.whole)" "$(ratio heap-dwarf.whole heap-none.whole)"
