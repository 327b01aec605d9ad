#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run --interval: the processes of a command over time.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

run() { timeout 60 bench-run -q -e none -w 0 --csv --commit none "$@"; }
# series METRIC FILE: t in ms, value
series() { awk -F, -v m="$1" '$12 == m && $10 != "" { print $10 / 1e6, $14 }' "$2"; }

cat >stair.c <<'END2'
/* Four steps of 32 MiB, a tenth of a second each, and then two threads that are busy. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void nap(void) { nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL); }
static void *busy(void *arg)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec * 1000000000L + t.tv_nsec < 700000000L);
	return arg;
}

int main(void)
{
	pthread_t thread;

	for (int i = 0; i < 4; i++) {
		memset(malloc(32 << 20), 1, 32 << 20);
		nap();
	}
	pthread_create(&thread, NULL, busy, NULL);
	busy(NULL);
	pthread_join(thread, NULL);
	return 0;
}
END2
gcc -O1 -o stair stair.c
run -r 2 --interval 10ms -- ./stair >s.csv
# The last observations may find the command while it ends.
is "$(series rss s.csv | awk '
	function run(k) {
		for (k = 1; k <= n - 5; k++) {
			down += k > 1 && v[k] < v[k - 1] * 0.9
			if (v[k] > most) most = v[k]
		}
		n = 0
	}
	$1 < t { run() }
	{ t = $1; v[++n] = $2 }
	END { run(); print down + 0, (most > 128 * 1048576), (most < 140 * 1048576) }')" '0 1 1' \
	'rss rises to the memory that the command allocates'
is "$(series rss s.csv | awk '{ n[int($2 / 33554432)]++ } END { for (i = 1; i <= 3; i++) if (n[i] < 4) low = low " " i; print low }')" '' \
	'rss is observed at each step'
# The kernel's peak is only as exact as its counter: some dozens of pages per processor.
is "$(awk -F, '$12 == "max_rss" { m[$9] = $14 * 1.02 } $12 == "rss" && $14 > m[$9] { above++ } END { print above + 0 }' s.csv)" 0 \
	'rss is never more than 2% above max_rss'
is "$(series pss s.csv | awk '{ n++ } END { print (n > 1) }')" 1 'pss is observed several times'
is "$(series cpu_utilisation s.csv | awk '$1 > 450 && $2 > most { most = $2 } END { print (most > 0.3) }')" 1 \
	'cpu_utilisation is above 0.3 while two threads are busy'
# The kernel adds to the processor time of a running thread at its ticks, so a value may contain time before
# its interval. Their sum cannot, except for one tick of the only thread that runs at 350 ms.
is "$(series cpu_utilisation s.csv | awk -v n="$(nproc)" '$1 < from { from = 0 }
	from { sum += $2 * ($1 - at); if (sum > n * ($1 - from) + 10) print }
	!from && $1 > 350 { from = $1; sum = 0 }
	{ at = $1 }')" '' 'the processor time in cpu_utilisation is at most that of the processors'
# On a busy machine, the observer waits for a processor between its steps.
cat >late.c <<'END2'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/types.h>
#include <time.h>
int clock_getcpuclockid(pid_t pid, clockid_t *clock)
{
	static int calls;
	int (*next)(pid_t, clockid_t *) = (int (*)(pid_t, clockid_t *))dlsym(RTLD_NEXT, "clock_getcpuclockid");

	if (calls++ % 2)
		nanosleep(&(struct timespec){ .tv_nsec = 150000000 }, NULL);
	return next(pid, clock);
}
END2
cat >spin.c <<'END2'
#include <time.h>
int main(void)
{
	while (clock() < CLOCKS_PER_SEC)
		;
	return 0;
}
END2
gcc -shared -fPIC -o late.so late.c && gcc -O1 -o spin spin.c || exit 1
if skip_unless unsanitized 'observations that are late'; then
	LD_PRELOAD=$T/late.so run -r 1 --interval 100ms -- ./spin >late.csv
	is "$(series cpu_utilisation late.csv | awk '{ n++ } $2 > 1.2 { print } END { print (n > 4) }')" 1 \
		'cpu_utilisation of a busy thread is not above 1 if observations are late'
fi
is "$(series threads s.csv | awk '{ t[$2]++ } END { print (t[1] > 10), (t[2] > 1) }')" '1 1' 'the number of threads is observed'
is "$(series rss s.csv | awk '$1 < last { runs++ } { last = $1 } END { print runs + 1 }')" 2 'the column t restarts with each sample'
is "$(awk -F, 'NR > 1 && $12 == "wall" { w[$9] = $14 } NR > 1 && $10 != "" && $10 > w[$9] { late++ } END { print late + 0 }' s.csv)" 0 'the column t is never larger than wall'
is "$(bench-stat -s n s.csv | awk -F, '/,rss,/ { print $NF }')" 2 'bench-stat uses the mean of each sample'
# Memory from two processors, in portions that the kernel's counter omits.
cat >held.c <<'END2'
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static void touch_on(int cpu)
{
	cpu_set_t set;
	char *m = mmap(NULL, 31 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (int i = 0; i < 31; i++)
		m[i * 4096] = 1;
}

static void tell_rss(void)
{
	char text[4096] = "";
	FILE *file = fopen("/proc/self/smaps_rollup", "r");

	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	file = fopen("rss.want", "w");
	fprintf(file, "%.20s\n", strstr(text, "Rss:") + 4);
	fclose(file);
}

int main(void)
{
	touch_on(0);
	touch_on(1);
	for (long ns = 1; ns <= 300000000; ns *= 300000000) {
		tell_rss();
		nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
		tell_rss(); /* the code of all calls is resident now */
	}
	return 0;
}
END2
gcc -O1 -o held held.c
for _ in 1 2 3; do
	run -r 1 --interval 10ms -- ./held >s.csv
	series rss s.csv | awk -v want="$(cat rss.want)" '{ n[$2]++ }
		END { want *= 1024; most = 0
			for (v in n) if (n[v] > n[most]) most = v + 0
			print most, want, (most > want * 0.99 && most < want * 1.01) ? "near" : "off" }' >>held.out
done
is "$(cut -d ' ' -f 3 held.out | tr '\n' ' ')" 'near near near ' 'the rss of a waiting process equals that of its smaps_rollup within 1%'
is "$(awk -F, '$12 == "rss" { r[$10] = $14 } $12 == "pss" && $14 > r[$10] { above++ } END { print above + 0 }' s.csv)" 0 \
	'the pss of an observation is never above its rss'
cat >large.c <<'END2'
#include <stdlib.h>
#include <string.h>

int main(void) { return *(char *)memset(malloc(300 << 20), 0, 300 << 20); }
END2
gcc -O1 -fno-builtin -o large large.c
run -r 10 --interval 2ms -- ./large >s.csv
is "$(series rss s.csv | awk '{ n++; zero += $2 == 0 } END { print (n > 20), zero + 0 }')" '1 0' \
	'a process that frees its memory while exiting has no rss, rather than 0'
# The series and the accounting report the same processor time, as far as a busy machine lets
# the intervals be even.
busy() { # FILE: both, in milliseconds
	series cpu_utilisation "$1" | awk '$1 < last { last = 0 } $2 > 0 { sum += $2 * ($1 - last) } { last = $1 }
		END { print sum }'
	awk -F, '$12 == "user" || $12 == "sys" { sum += $14 / 1e6 } END { print sum }' "$1"
}
agree() { # DESCRIPTION FILE
	got=$(busy "$2" | tr '\n' ' ')
	ok "$1 (${got}ms)" sh -c "echo $got | awk '{ exit !(\$1 > \$2 * 0.6 && \$1 < \$2 * 1.4) }'"
}
agree 'cpu_utilisation adds up to the accounted processor time' s.csv

run -r 1 --interval 10ms -S -c 'sleep 0.3 & (sleep 0.3; true) & wait' >s.csv
is "$(series processes s.csv | sort -k2 -n | tail -1 | cut -d' ' -f2)" 4 'grandchildren are counted as processes'
run -r 1 --interval 10ms -S -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do head -c 300000 /dev/urandom | od >/dev/null; done; sleep 0.1' >s.csv
agree 'cpu_utilisation includes processes that have ended' s.csv
run -r 1 --interval 10ms -S -c 'i=0; while [ $i -lt 200 ]; do sleep 0.001; i=$((i+1)); done' >s.csv
is "$(series switch_rate s.csv | awk '{ n += $2 > 0 } END { print (n > 0) }')" 1 '--interval samples context switches as switch_rate'
# written: the sum of write_rate over time, in bytes, of s.csv
written() { series write_rate s.csv | awk '{ sum += $2 * ($1 - last) / 1e3; last = $1 } END { printf "%.0f\n", sum }'; }
# run_writing COMMAND...: a sample whose first observation and last two find nothing written: the series
# then has all, and the first interval, which begins before the command, has nothing
run_writing() {
	for _ in 1 2 3 4 5 6; do
		run -r 1 --interval 20ms "$@" >s.csv
		[ "$(series write_rate s.csv | sed -n '1p; $!{ h; d; }; H; x; p' |
			awk '{ n += $2 == 0 } END { print n }')" != 3 ] || break
	done
}
head -c 20000000 /dev/urandom >big
run_writing -S -c 'sleep 0.2; for i in 1 2 3; do cp big copy; sync copy; done; sleep 0.4'
ok "write_rate adds up to what three copies write (60 MB: $(written), $(stat -f -c %T .))" \
	sh -c "[ $(written) -gt 57000000 ] && [ $(written) -lt 63000000 ]"
cat >handed.c <<'END2'
/* A child writes 20 MiB, and has ended for a while before it is waited for. */
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void nap(void) { nanosleep(&(struct timespec){ .tv_nsec = 150000000 }, NULL); }

int main(void)
{
	static char block[1 << 20];
	int fd = open("handed.out", O_RDWR | O_CREAT | O_TRUNC, 0666);

	nap();
	if (fork() == 0) {
		for (int i = 0; i < 20; i++)
			if (write(fd, block, sizeof(block)) < 0)
				return 1;
		fsync(fd);
		nap();
		return 0;
	}
	waitid(P_ALL, 0, &(siginfo_t){ 0 }, WEXITED | WNOWAIT);
	nap();
	wait(NULL);
	nap();
	nap();
	return 0;
}
END2
gcc -O1 -o handed handed.c
run_writing -- ./handed
ok "what a process wrote counts once, also while nobody has waited for it (21 MB: $(written), $(stat -f -c %T .))" \
	sh -c "[ $(written) -gt 20000000 ] && [ $(written) -lt 22000000 ]"
run -r 3 --interval 1s -- true >s.csv
is "$(awk -F, '$10 != ""' s.csv | grep -c ,rss,)" 0 'a command shorter than the interval has no time series'
run -r 1 --interval 10ms -S -c 'sleep 0.1; exit 3' >s.csv
is "$(awk -F, '$12 == "rss" { print $15 }' s.csv | sort -u)" 'failed:exit=3' 'the time series of a failed sample has its status'
run -r 2 --interval 10ms -n a -n b -c 'sleep 0.5' -c 'sleep 0.05' >s.csv
is "$(awk -F, '$12 == "rss" && $10 > 300e6 { print $7 }' s.csv | sort -u)" a 'each subject has its own time series'
bench-run -q -e none -w 0 --csv -r 1 --interval 10ms -- sleep 1000.9 >s.csv &
wait_for alive 'sleep 1000[.]9'
sleep 0.2
kill -TERM $!
wait $!
is $? 143 'bench-run --interval ends by SIGTERM'
ok 'SIGTERM to bench-run --interval kills the command' gone 'sleep 1000[.]9'
status 2 'bench-run rejects an interval of 0' bench-run -q -r 1 --interval 0 -- true
run -r 1 --interval 0.1ns -- true >s.csv 2>err
is "$? $(wc -c <s.csv) $(cat err)" '2 0 bench-run: --interval must be at least 1ns (see bench-run --help)' \
	'bench-run rejects an interval below a nanosecond'
run -r 1 --interval 9223372036854775808 -- true >s.csv 2>err
is "$? $(wc -c <s.csv) $(cat err)" \
	"2 0 bench-run: --interval: '9223372036854775808' is longer than 100 years (see bench-run --help)" \
	'bench-run rejects an interval that is too long for the clock'
run -r 1 --interval 10ms -- ./missing >/dev/null 2>err
is "$?$(wc -l <err)" 21 'bench-run --interval reports a missing program once'
done_testing
