#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run --pid: running processes, measured in windows of time.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

skip_unless unsanitized 'bench-run --pid measures running processes' || done_testing

run() { timeout 60 bench-run -q -e none --csv --commit none "$@"; }
count() { timeout 60 bench-run -q --csv --commit none "$@"; }
# values METRIC FILE, statuses METRIC FILE: of each sample
values() { awk -F, -v m="$1" '$13 == m { print $15 }' "$2"; }
statuses() { awk -F, -v m="$1" '$13 == m { print $16 }' "$2"; }

cat >worker.c <<'END2'
/* Waits for SIGUSR1, and then uses 30 ms of processor time, touches 1000 pages, and writes
 * a file. With an argument: "threads" starts thread after thread, "children" child after
 * child, "zombie" leaves one child unwaited for, "thread" has a second thread. Prints the
 * number of that child or thread. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *pass(void *arg)
{
	struct timespec t;

	usleep(1000);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	while (t.tv_nsec < 1000000);
	return arg;
}
static void *stay(void *arg)
{
	printf("%ld\n", syscall(SYS_gettid));
	fflush(stdout);
	for (;;)
		pause();
	return arg;
}
static void work(int number)
{
	struct timespec t, begin;
	char *page = mmap(NULL, 4096000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open("written", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	madvise(page, 4096000, MADV_NOHUGEPAGE);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	for (int i = 0; i < 1000; i++)
		page[i * 4096] = 1;
	for (int i = 0; i < 100; i++)
		if (write(fd, page, 40960) < 0)
			return;
	close(fd);
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while ((t.tv_sec - begin.tv_sec) * 1000000000L + t.tv_nsec - begin.tv_nsec < 30000000);
	(void)number;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t thread;

	signal(SIGUSR1, work);
	if (!strcmp(what, "zombie")) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		printf("%d\n", (int)child);
		fflush(stdout);
	}
	if (!strcmp(what, "thread"))
		pthread_create(&thread, NULL, stay, NULL);
	for (;;)
		if (!strcmp(what, "threads")) {
			pthread_create(&thread, NULL, pass, NULL);
			pthread_join(thread, NULL);
		} else if (!strcmp(what, "children")) {
			if (!fork()) {
				usleep(2000);
				_exit(0);
			}
			wait(NULL);
		} else {
			pause();
		}
}
END2
gcc -O1 -pthread -o worker worker.c

./worker &
worker=$!
# On a busy machine the work may not fit into the window: three chances.
for _ in 1 2 3; do
	(sleep 0.3; kill -USR1 $worker) &
	run --pid $worker -r 1 --window 1200ms >work.csv
	values cpu_time work.csv | awk '{ exit !($1 > 20e6) }' && break
done
values cpu_time work.csv >cpu
values cpu_utilisation work.csv >share
is "$(values cpu_time work.csv | awk '{ print ($1 > 20e6 && $1 < 60e6) }')" 1 'cpu_time is the processor time of the process in the window'
is "$(paste -d' ' cpu share | awk '{ d = $1 / 1.2e9 - $2; print (d < 1e-9 && d > -1e-9) }')" 1 \
	'cpu_utilisation is the processor time divided by the length of the window'
is "$(values page-faults work.csv | awk '{ print ($1 > 700 && $1 < 1100) }')" 1 'page-faults counts the pages that the process touches in the window'
is "$(values context-switches work.csv | awk '{ print ($1 > 0.5 && $1 < 1000) }')" 1 'context-switches counts those of the window'
is "$(awk -F, 'NR == 2 { print $6 "," $7 "," $8 "," $10 }' work.csv)" process,worker,1200ms,0 'a sample has the name of the program and the length of the window'
is "$(values user work.csv),$(statuses user work.csv | sort -u)" ,skipped 'user has no value if few clock ticks found the process running'
is "$(tail -n 1 work.csv | cut -d, -f13,15)" rows,11 'the end mark has the number of rows'

run --pid $worker -r 3 --window 20ms >idle.csv
is "$(values cpu_time idle.csv | sort -u),$(values page-faults idle.csv | sort -u),$(statuses user idle.csv | sort -u)" 0,0,skipped \
	'an idle process uses nothing'
is "$(values ok idle.csv | wc -l)" 3 'the number of windows is that of -r'
is "$(values rss idle.csv | head -n 1)" "$(awk -v page="$(getconf PAGESIZE)" '{ print $2 * page }' /proc/$worker/statm)" 'rss is the resident memory of the process'

# With few files, either all counters are open and the process is read, or the message says so.
for files in 8 9 10 11 12 13 14 15 16 18 20; do
	prlimit --nofile=$files bench-run --csv --pid $worker -e task-clock -r 1 --window 5ms >files.csv 2>>files.err
done
is "$(grep -c ended files.err)" 0 'a process that cannot be read for lack of files has not ended'
like "$(cat files.err)" 'no counters: .*Too many open files .raise the limit with ulimit -n' 'a message says that there are too few files for the counters'

sleep 60 &
second=$!
run --pid $worker,$second -r 1 --window 20ms >both.csv
is "$(values threads both.csv),$(awk -F, 'NR == 2 { print $7 }' both.csv)" '2,worker+sleep' 'the values of several processes are added'
run -n servers --pid $worker,$second,$$ -r 1 --window 20ms >named.csv
is "$(values threads named.csv),$(awk -F, 'NR == 2 { print $7 }' named.csv)" 3,servers 'a process and its children are counted once each, and -n names them'
run --pid $worker --pid $second --aa -r 2 --window 10ms | bench-stat -g bench -s n --metric cpu_time --csv >two.csv
is "$(awk -F, 'NR > 1 { print $1 "," $NF }' two.csv | tr '\n' ' ')" 'worker,4 sleep,4 ' 'several subjects are measured in each block, twice with --aa'
run --pid $worker -r 1 -w 2 --keep-warmup --window 10ms >warm.csv
is "$(awk -F, '$13 == "ok" { print $10 }' warm.csv | tr '\n' ' ')" '-2 -1 0 ' 'warm-up windows have negative numbers'

./worker threads &
threads=$!
./worker children &
children=$!
sleep 0.2
for _ in 1 2 3; do
	bench-run -e none --csv --pid $threads -r 1 --window 300ms >t.csv 2>err
	[ -n "$(values context-switches t.csv)" ] || break
done
is "$(values context-switches t.csv),$(statuses context-switches t.csv)" ,skipped 'context-switches has no value if threads ended in the window'
like "$(cat err)" '^bench-run: worker: no context-switches in 1 of 1 windows, because threads ended in them' 'a note says why context-switches has no value'
for _ in 1 2 3; do
	bench-run -e none --csv --pid $children -r 1 --window 300ms >c.csv 2>err
	[ -n "$(values block_in c.csv)" ] || break
done
is "$(statuses block_in c.csv),$(statuses block_out c.csv)" skipped,skipped 'the bytes of children that ended are not counted as those of the process'
like "$(cat err)" 'no block_in and block_out in 1 of 1 windows, because child processes ended' 'a note says why the bytes of storage have no value'
if skip_unless switches 'counters of a process include threads that start and end in a window'; then
	count -e task-clock,context-switches --pid $threads -r 2 --window 300ms >counted.csv
	values cpu_time counted.csv >cpu
	values task-clock counted.csv >clock
	is "$(paste -d' ' cpu clock | awk '{ print ($2 / $1 > 0.8 && $2 / $1 < 1.2) }' | tr '\n' ' ')" '1 1 ' \
		'counters of a process include threads that start and end in a window'
	is "$(values context-switches counted.csv | awk '$1 > 2' | wc -l)" 2 'an event counts the switches of threads that end in a window'
	count -e task-clock --pid $children -r 1 --window 300ms >counted.csv
	values cpu_time counted.csv >cpu
	is "$(values task-clock counted.csv | paste -d' ' - cpu | awk '{ print ($1 / $2 > 0.7 && $1 / $2 < 1.3) }')" 1 'counters of a process do not include its children'
fi
kill $threads $children

sleep 0.5 &
run --pid $! -r 100 --window 200ms >ended.csv 2>err
is "$?" 1 'the exit status is 1 if a process ends before the last window'
like "$(cat err)" '^bench-run: sleep: process [0-9]+ ended after [12] of 100 complete windows$' 'a message reports after how many windows a process ended'
is "$(values ok ended.csv | sort -u),$(tail -n 1 ended.csv | cut -d, -f13)" 1,rows 'the windows before the end of a process are kept'
sleep 0.3 &
run --pid $! -r 1 --window 5s >none.csv 2>err
is "$?,$(awk -F, 'NR == 2 { print $13 "," $15 "," $16 }' none.csv)" 2,wall,,skipped 'a process that ends in its first window is skipped'
sleep 0.3 &
run -i --pid $! --window 100ms >/dev/null 2>&1
is "$?" 0 'the end of a process does not change the exit status with -i'

# refused MESSAGE ARGUMENT...
refused() {
	message=$1
	shift
	timeout 10 bench-run "$@" >out.csv 2>err </dev/null
	got=$?
	is "$got,$(grep -Ec -- "$message" err),$(wc -l <err),$(wc -c <out.csv)" 2,1,1,0 "one message rejects bench-run $*" || cat err
}
./worker zombie >zombie_pid &
zombie=$!
./worker thread >thread_tid &
thread=$!
wait_for test -s zombie_pid
wait_for test -s thread_tid
while IFS='|' read -r what line; do
	# shellcheck disable=SC2086 # words
	refused "$what" $line
done <<END2
there is no process 4194304 that|--pid 4194304
'0' is not the number of a process|--pid 0
'x' is not the number of a process|--pid x
'' is not the number of a process|--pid 1,
process 1 is given twice|--pid 1,1
--window must be from 1ms|--window 0 --pid $worker
is a thread of process $thread: give|--pid $(cat thread_tid)
has ended, and waits for its parent|--pid $(cat zombie_pid)
cannot be combined with 'gemm'|--pid $worker -k gemm
--window: for processes, the machine and cgroups only|--window 1s true
--param: for commands, functions|-P a=1,2 --pid $worker
--workers: for commands|-J 2 --pid $worker
--interval: for commands|--interval 10ms --pid $worker
--gpu: for commands|--gpu --pid $worker
--energy .*: for commands|--energy --pid $worker
--until: for commands|--until decided --compare bench --pid $worker
--rate.*: for commands|--rate 5 --pid $worker
--stdin: for commands|--stdin /dev/null --pid $worker
--timeout: for commands|--timeout 1s --pid $worker
--wait-idle: for commands|--wait-idle 1 --pid $worker
--precision must be at most 100% .to measure a running process, use --pid|-p $worker true
--shell: for commands|-S --pid $worker
END2
# shellcheck disable=SC2016 # expanded by sh
like "$(timeout 10 sh -c 'exec bench-run --pid $$' 2>&1)" '^bench-run: process [0-9]+ is bench-run' 'bench-run does not measure itself'
run --pid 4194304 --pid $worker -r 1 --window 10ms >some.csv 2>err
is "$?,$(statuses wall some.csv),$(statuses cpu_time some.csv)" 1,skipped,ok 'a process that does not exist is skipped, and others are measured'
kill $zombie $thread

kill -STOP $second
like "$(bench-run -e none --csv --pid $second -r 1 --window 10ms 2>&1 >/dev/null)" '^bench-run: sleep: a process was stopped when the run began$' \
	'a stopped process is measured and noted'
kill -CONT $second

timeout 20 bench-run -e none --csv -r 100 --window 100ms --pid $worker >cut.csv 2>err &
wait_for test -s cut.csv
kill -TERM $!
wait $! 2>/dev/null
like "$(cat err)" '^bench-run: interrupted after [0-9]+ of 100 samples$' 'a signal ends the run, which reports the number of samples'
is "$(tail -n 1 cut.csv | cut -d, -f13)" ok 'whole windows are written before a signal'

sh -c 'while :; do :; done' &
busy=$!
run --pid $busy -r 8 --window 20ms >old.csv
run --pid $busy -r 8 --window 20ms >new.csv
run --pid $busy -r 8 --window 30ms >other.csv
is "$(bench-compare -q --csv old.csv new.csv | awk -F, '$4 == "cpu_time" { print $1 "," $NF }')" process,yes 'bench-compare judges cpu_time'
is "$(bench-compare -q --csv old.csv other.csv 2>/dev/null | awk -F, '$4 == "cpu_time" && $10' | wc -l)" 0 'windows of different lengths are not compared'
is "$(run --pid $busy -r 3 --window 500ms | awk -F, '$13 == "cpu_time" { cpu = $15 } $13 == "user" { user = $15 }
	$13 == "sys" && $15 != "" && (cpu - user - $15 > 1 || user + $15 - cpu > 1) { bad++ } END { print bad + 0 }')" 0 'user and sys add up to cpu_time'
timeout 20 script -qec "bench-run -q -e none --commit none --pid $busy -r 8 --window 20ms" /dev/null </dev/null | tr -d '\r' >screen
like "$(sed 's/\x1b\[[0-9;]*[mK]//g' screen)" '^  cpu_time  median .* \(95%\), 8 samples$' 'on a terminal the first line of a process is its processor time'
like "$(sed 's/\x1b\[[0-9;]*[mK]//g' screen)" '^  (CPU|memory) .*resident [0-9.]+ [KM]iB$' 'on a terminal a line shows the resident memory of a process'
kill $busy

if skip_unless another-user 'the bytes of a process of another user are denied'; then
	status 0 'an ordinary user measures a process of another user' setpriv --reuid 65534 --clear-groups \
		timeout 20 "$(command -v bench-run)" --csv --commit none -r 2 --window 10ms -e task-clock --pid $worker
	is "$(statuses block_in "$T/.out") $(statuses task-clock "$T/.out") $(statuses cpu_time "$T/.out" | sort -u)" 'denied denied ok' \
		'the bytes and events of a process of another user are denied, and its processor time is not'
	like "$(cat "$T/.err")" 'task-clock: permission denied .the process belongs to another user' 'a message explains why events of another user are denied'
fi
kill $worker $second
done_testing
