#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-prof --wait attributes the time in which threads wait to the stacks in which they wait.
# timing: judges how long other processes wait
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

is "$(bench-prof --wait -g none -- true 2>&1)" \
	'bench-prof: --wait needs stacks: use -g fp or -g dwarf (see bench-prof --help)' 'bench-prof --wait rejects -g none'
status 2 'bench-prof rejects --wait together with -F' bench-prof --wait -F 99 -- true
status 2 'bench-prof rejects --wait together with -e' bench-prof --wait -e cycles -- true
like "$(cat .err)" '--wait cannot be combined with -e or -F' 'bench-prof names the options that --wait excludes'
status 2 'bench-prof rejects --wait together with --heap' bench-prof --wait --heap -- true
status 2 'bench-prof --wait rejects a metric of samples' bench-prof --wait --by samples -- true
like "$(cat .err)" 'there are: blocked, waits, preempted' 'bench-prof --wait names the metrics that it has'
status 2 'bench-prof rejects a metric of --wait without --wait' bench-prof --by blocked -- true

if ! skip_unless switches 'bench-prof --wait records the waits of a command'; then
	# An ordinary user may not record what happens in the kernel.
	if skip_unless sampling 'bench-prof --wait gives the setting that denies it'; then
		status 2 'bench-prof --wait ends with 2 if the kernel denies it' bench-prof --wait -- true
		like "$(cat .err)" 'context-switches: no permission .*perf_event_paranoid=1' 'bench-prof --wait gives the setting that denies it'
	fi
	done_testing
fi

cat >waits.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#define OUTER __attribute__((noinline)) /* each function stays a frame of its own */
static volatile int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pipes[2];
OUTER void nap(int ms) { struct timespec t = { ms / 1000, ms % 1000 * 1000000L }; nanosleep(&t, 0); done++; }
OUTER void naps(void) { for (int i = 0; i < 5; i++) nap(20); done++; }
OUTER void want(void) { pthread_mutex_lock(&lock); done++; pthread_mutex_unlock(&lock); done++; }
OUTER void *other(void *x) { want(); done++; return x; }
OUTER void contend(void)
{
	pthread_t t;
	pthread_mutex_lock(&lock);
	pthread_create(&t, 0, other, 0);
	nap(200);
	pthread_mutex_unlock(&lock);
	pthread_join(t, 0);
}
OUTER void receive(void) { char c; if (read(pipes[0], &c, 1) != 1) abort(); done++; }
OUTER void child(void)
{
	if (pipe(pipes)) abort();
	if (!fork()) {
		nap(150);
		_exit(write(pipes[1], "x", 1) != 1);
	}
	receive();
	wait(0);
}
OUTER void *forever(void *x) { for (;;) { pause(); done++; } return x; }
OUTER void deep(int n) { volatile char room[2000]; room[n] = 0; if (n) deep(n - 1); else nap(50); done++; }
OUTER void spin(int ms)
{
	struct timespec t;
	do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < ms);
	done++;
}
/* Two processes wait for each other many thousand times a second. */
OUTER void rally(int seconds)
{
	int back[2];
	char c = 0;
	if (pipe(pipes) || pipe(back)) abort();
	if (!fork()) {
		close(pipes[1]);
		while (read(pipes[0], &c, 1) == 1 && write(back[1], &c, 1) == 1) done++;
		_exit(0);
	}
	for (time_t end = time(0) + seconds; time(0) < end;)
		if (write(pipes[1], &c, 1) != 1 || read(back[0], &c, 1) != 1) abort();
	close(pipes[1]);
	wait(0);
}
int main(int argc, char **argv)
{
	pthread_t t;
	for (const char *c = argc > 1 ? argv[1] : ""; *c; c++)
		switch (*c) {
		case 'n': naps(); break;
		case 'm': contend(); break;
		case 'c': child(); break;
		case 'd': deep(5); break;
		case 's': spin(200); break;
		case 'f': pthread_create(&t, 0, forever, 0); break;
		case 'z': nap(200); break;
		case 'p': forever(0); break;
		case 'k': raise(SIGKILL); break;
		case 'r': rally(3); break;
		case 'e': return 3;
		}
	return 0;
}
END
gcc -O2 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o waits waits.c

# sum METRIC PATTERN FILE: the sum of a metric over the stacks that match, in ms or as a number
sum() {
	awk -F, -v metric="$1" -v pattern="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == metric && $at["stack"] ~ pattern { sum += $at["value"] }
		END { print metric == "waits" ? sum + 0 : int(sum / 1e6) }' "$3"
}
# about MS METRIC PATTERN FILE DESCRIPTION: a wait is never shorter, and longer by what the machine's load takes
about() {
	got=$(sum "$2" "$3" "$4")
	ok "$5 ($got ms)" test "$got" -ge "$1" -a "$got" -le $(($1 + 250))
}

status 0 'bench-prof --wait succeeds' bench-prof --wait -o waits.csv -- ./waits nmc
is "$(columns metric waits.csv | sort -u | paste -sd' ' -)" 'blocked lost_samples preempted rows waits' \
	'bench-prof --wait writes its metrics and an end mark'
is "$(columns unit,metric waits.csv | grep -e blocked -e preempted -e waits | sort -u | paste -sd' ' -)" \
	'1,waits ns,blocked ns,preempted' 'bench-prof --wait writes times in nanoseconds'
is "$(sum waits '^main;naps;nap;' waits.csv)" 5 'bench-prof --wait counts each sleep of a function as one wait'
about 100 blocked '^main;naps;nap;' waits.csv 'bench-prof --wait finds the time that a function sleeps'
about 200 blocked '^main;contend;nap;' waits.csv 'bench-prof --wait separates the sleeps of one function by its callers'
got=$(sum blocked '^other;want;.*lock' waits.csv)
ok "bench-prof --wait finds the function that waits for a lock which another thread holds ($got ms)" test "$got" -gt 50 -a "$got" -le 450
about 150 blocked '^main;child;receive;read$' waits.csv 'bench-prof --wait finds the function that waits for a pipe'
about 150 blocked '^main;child;nap;' waits.csv 'bench-prof --wait finds the waits of a forked child'
unlike "$(columns stack waits.csv)" 'schedule|futex_wait_queue|\[kernel' 'the stacks of bench-prof --wait have no functions of the kernel'
got=$(sum preempted '^main;(naps|contend);nap;' waits.csv)
ok "bench-prof --wait does not count 300 ms of sleep as preempted ($got ms)" test "$got" -lt 150

gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -pthread -o bare waits.c
bench-prof -q --wait -g dwarf,32K -o bare.csv -- ./bare nd
is "$(sum waits '^main;naps;nap;' bare.csv)" 5 'bench-prof --wait -g dwarf unwinds code without frame pointers'
about 50 blocked '^main;deep;.*;deep;nap;' bare.csv 'bench-prof --wait -g dwarf finds a sleep in a recursive function'
bench-prof -q --wait -o deep.csv -- ./waits d
about 50 blocked '^main;deep;deep;deep;deep;deep;deep;nap;' deep.csv 'bench-prof --wait finds callers beyond the copied stack by frame pointers'

# Ends of waits: a thread begins to wait later than the 200 ms of its process
bench-prof -q --wait -o end.csv -- ./waits fz
about 150 blocked '^forever;' end.csv 'bench-prof --wait counts a thread that waits until its process ends'
status 1 'bench-prof --wait ends with 1 if the command is killed' bench-prof -q --wait -o killed.csv -- ./waits fzk
about 150 blocked '^forever;' killed.csv 'bench-prof --wait counts a thread that waits until its process is killed'
is "$(columns status killed.csv | sort -u | grep -c SIGKILL)" 1 'bench-prof --wait writes the signal that killed the command'
bench-prof -q --wait -o orphan.csv -- sh -c './waits p & sleep 0.3; echo $! >orphan'
kill "$(cat orphan)"
got=$(sum blocked '^main;forever' orphan.csv)
ok "bench-prof --wait counts a process that still waits when the command ends ($got ms)" test "$got" -ge 150

# A program that waits for nothing
status 0 'bench-prof --wait profiles a busy program' bench-prof --wait --csv -- ./waits s
cp .out busy.csv
is "$(sum blocked spin busy.csv)" 0 'bench-prof --wait finds no wait in a function that computes'
is "$(tail -n 1 busy.csv | grep -c ',rows,1,')" 1 'a profile without waits has an end mark'
# Two threads of processes on one processor take turns.
if skip_unless taskset 'bench-prof --wait counts the time without a processor as preempted'; then
	cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
	bench-prof --wait -o turns.csv -- taskset -c "$cpu" sh -c './waits s & ./waits s; wait' 2>err
	got=$(sum preempted '^main;spin' turns.csv)
	ok "bench-prof --wait counts the time without a processor as preempted ($got ms)" test "$got" -ge 150
	like "$(cat err)" 'ready to run waited .* for a processor: not counted as blocked' \
		'bench-prof --wait reports that threads waited for a processor'
fi

# Running processes
./waits fzzzzzzzzzzzzzzzzzzzzp & pid=$!
two_threads() { [ "$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 | wc -l)" = 2 ]; }
wait_for two_threads
status 0 'bench-prof --wait -p stops after --duration' bench-prof -q --wait -p $pid --duration 0.5 -o running.csv
got=$(sum blocked '^main;nap;' running.csv)
ok "bench-prof --wait -p finds the waits of a running process ($got ms)" test "$got" -ge 150 -a "$got" -le 600
got=$(sum blocked '^\[wait began earlier\]$' running.csv)
ok "bench-prof --wait -p counts threads that waited before ($got ms)" test "$got" -ge 450 -a "$got" -le 1300
kill $pid
wait $pid 2>/dev/null

# Lost records: bench-prof is stopped until the buffers are full.
bench-prof --wait -g dwarf,32K -o lost.csv -- ./waits r 2>err & prof=$!
sleep 0.5
kill -STOP $prof
sleep 2
kill -CONT $prof
wait $prof
is $? 0 'bench-prof --wait succeeds if records are lost'
lost=$(columns metric,value lost.csv | sed -n 's/^lost_samples,//p')
ok "bench-prof --wait counts lost records ($lost)" test "$lost" -gt 0
like "$(cat err)" "$lost records were lost because context switches came faster" 'bench-prof --wait reports lost records'
got=$(sum blocked '^main;rally' lost.csv)
ok "the waits of two threads are not longer than their time if records are lost ($got ms)" test "$got" -gt 0 -a "$got" -le 6500

# Other outputs and programs
bench-prof -q --wait --folded -- ./waits n >folded
like "$(cat folded)" '^main;naps;nap;.*nanosleep [1-9][0-9]{8}$' 'bench-prof --wait --folded writes the blocked time'
bench-prof -q --wait --folded --by waits -- ./waits n >folded
like "$(cat folded)" '^main;naps;nap;.*nanosleep 5$' 'bench-prof --wait --folded --by waits writes the number of waits'
bench-prof -q --wait --top -- ./waits n >top
like "$(sed -n 2p top)" '^ *(9[0-9.]+|100) +[1-9][0-9.]+ ms .*nanosleep  *libc' 'bench-prof --wait --top writes the function that waits first'
like "$(grep ' naps ' top)" '^ *0 +0 ns +(9|100)' 'bench-prof --wait --top separates the total of a function from its own waits'
bench-prof -q --wait --top -- ./waits s >top
is "$(grep -c ' 0 ns .* 0 ns ' top)" 0 'bench-prof --wait --top omits functions without waits'
for side in n m; do
	bench-prof -q --wait -n work --label side=$side -o $side.csv -- ./waits $side
done
bench-compare -q --allow-missing -b side n.csv m.csv >compared.csv
like "$(columns stack,metric compared.csv)" '^main;contend;nap;.*,blocked$' 'bench-compare compares two profiles of waits'
ok 'bench-store adds a profile of waits' bench-store -q -D p.db add n.csv
ok 'bench-plot flame draws a profile of waits' bench-plot flame -F svg -o flame.svg n.csv
like "$(cat flame.svg)" 'blocked by stack of work' 'bench-plot flame draws the blocked time of a profile of waits'
if skip_unless script 'bench-prof --wait -o prints a summary on a terminal'; then
	timeout 60 script -qec "bench-prof --wait -o n.csv -- ./waits n" /dev/null </dev/null | tr -d '\r' >screen
	like "$(cat screen)" '^n.csv: [0-9]+ waits, [1-9][0-9.]+ ms of blocked, 0 lost$' \
		'bench-prof --wait -o prints a summary on a terminal'
fi
bench-prof -q --wait -- ./waits n >/dev/full 2>err
is "$?$(grep -c 'No space left' err)" 21 'bench-prof --wait reports a full disk'
bench-prof --wait -o stopped.csv -- sh -c ': >ready; exec ./waits p' 2>err & prof=$!
wait_long test -e ready
kill -TERM $prof
wait $prof 2>/dev/null
is $? 143 'a signal ends bench-prof --wait by that signal'
like "$(cat err)" 'interrupted: stopped.csv contains the waits up to the signal, and no end mark' \
	'bench-prof --wait reports that the profile is incomplete'
like "$(columns stack stopped.csv)" '^main;forever' 'bench-prof --wait writes the waits up to the signal'

if skip_unless another-user 'an ordinary user may be denied profiles of waits' &&
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 1 ]; then
	chmod 755 . waits
	status 2 'bench-prof --wait ends with 2 for an ordinary user whom the kernel denies it' setpriv --reuid 65534 --regid 65534 \
		--clear-groups "$BUILD/bin/bench-prof" --wait -- "$T/waits" n
	like "$(cat .err)" 'context-switches: no permission .*perf_event_paranoid=1' 'bench-prof --wait gives an ordinary user the remedy'
	status 0 'bench-prof --wait profiles a command of a user who has CAP_PERFMON' setpriv --reuid 65534 --regid 65534 \
		--clear-groups --inh-caps +perfmon --ambient-caps +perfmon "$BUILD/bin/bench-prof" -q --wait --folded -- "$T/waits" n
	like "$(cat .out)" '^main;naps;nap;' 'bench-prof --wait gives a user who has CAP_PERFMON the stacks of waits'
fi

# perf records the same execution.
if skip_unless perf 'bench-prof --wait and perf find the same waits'; then
	perf record -q -o perf.data -e context-switches -c 1 --switch-events -- \
		bench-prof -q --wait -o ours.csv -- ./waits nmc 2>/dev/null
	perf script -i perf.data --show-switch-events --ns 2>/dev/null | awk '
		$1 == "waits" && /PERF_RECORD_SWITCH/ {
			if (/ OUT/) { out[$2] = $3; blocked[$2] = !/preempt/ }
			else if ($2 in out && blocked[$2]) { n++; sum += $3 - out[$2]; delete out[$2] }
		}
		END { print n + 0, sum * 1e9 }' >theirs
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["comm"] == "waits" { sum[$at["metric"]] += $at["value"] }
		END { print sum["waits"] + 0, sum["blocked"] }' ours.csv >ours
	note "perf: $(cat theirs), bench-prof: $(cat ours)"
	# perf also sees the waits of the process before exec, under the name of bench-prof.
	ok 'bench-prof --wait and perf find the same number of waits' test "$(cut -d' ' -f1 ours)" = "$(cut -d' ' -f1 theirs)"
	ok 'bench-prof --wait and perf find the same time of waits, within a hundredth' sh -c "cat ours theirs |
		awk '{ t[NR] = \$2 } END { d = t[1] - t[2]; exit !(t[2] > 0 && (d < 0 ? -d : d) < t[2] / 100) }'"
fi
done_testing
