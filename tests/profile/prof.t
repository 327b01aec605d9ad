#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-prof attributes samples to the functions that run and to their stacks, in every output format.
# timing: waits for or judges what other processes do at the same time
# slow
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

if ! skip_unless sampling 'bench-prof --folded succeeds'; then
	done_testing
fi

cat >split.c <<'END'
#include <stdlib.h>
static volatile double x = 1;
#define BODY for (long i = 0; i < n; i++) x = x * 1.0000001 + 1
__attribute__((noinline)) void large(long n) { BODY; }
__attribute__((noinline)) void small(long n) { BODY; }
__attribute__((noinline)) void both(long n) { large(3 * n); small(n); x = 1; }
int main(int argc, char **argv)
{
	for (int i = 0; i < 20; i++)
		both(argc > 1 ? atol(argv[1]) : 1000000);
	return argc > 2 ? atoi(argv[2]) : 0;
}
END
gcc -O0 -g -o split split.c # with frame pointers, even in leaf functions

# share STACK FOLDED: the share of the samples whose stack begins with STACK, in percent, rounded
share() {
	awk -v stack="$1" '{ all += $NF } index($0, stack) == 1 { part += $NF }
		END { printf "%.0f", all ? 100 * part / all : -1 }' "$2"
}
between() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }

status 0 'bench-prof --folded succeeds' bench-prof -e cpu-clock --folded -- ./split
cp .out folded
is "$(grep -v -E '^[^ ].* [1-9][0-9]*$' folded)" '' 'each line of bench-prof --folded is a stack and a count'
like "$(cat folded)" '^main;both;large [0-9]+$' 'stacks of bench-prof begin with main'
got=$(share 'main;both;large' folded)
ok "bench-prof finds three quarters of the time in one function ($got%)" between "$got" 68 82
got=$(share 'main;both;small' folded)
ok "bench-prof finds one quarter of the time in the other function ($got%)" between "$got" 18 32
is "$(sort folded | uniq -d)" '' 'bench-prof --folded writes each stack once'
flamegraph=/usr/share/perl5/Devel/NYTProf/flamegraph.pl
if skip_unless $flamegraph 'flamegraph.pl reads every line of bench-prof --folded'; then
	perl $flamegraph folded >flame.svg 2>err
	is "$?$(cat err)" 0 'flamegraph.pl reads every line of bench-prof --folded'
	like "$(grep '<title>' flame.svg)" 'large \([0-9,]+ samples, (6[89]|7[0-9]|8[0-2])' 'flamegraph.pl draws the shares of bench-prof --folded'
fi

status 0 'bench-prof --folded --by samples succeeds' bench-prof -q -e cpu-clock -F 999 --by samples --folded -- ./split
like "$(cat .out)" '^main;both;large [0-9]{1,4}$' 'bench-prof --folded --by samples writes numbers of samples'

bench-prof -q -e cpu-clock -F 500 --name work --label side=old --commit abc -- ./split >rows.csv
is "$(head -n 1 rows.csv)" "run,time,host,env,commit,kind,bench,side,comm,stack,process,sample,t,iterations,metric,unit,value,status,running_pct" \
	'bench-prof writes the columns of a stream with labels, comm and stack'
is "$(unmarked rows.csv | columns kind,bench,side,commit,comm,sample,iterations,unit,status | sort -u | head -n 1)" \
	'command,work,old,abc,,0,1,1,ok' 'bench-prof writes the name, the label and the commit in each row'
is "$(columns metric rows.csv | sort -u | tr '\n' ' ')" 'cpu-clock lost_samples rows samples ' 'bench-prof writes its metrics and an end mark'
is "$(awk -F, '/,samples,/ { n += $(NF - 2) } /,cpu-clock,ns,/ { ns += $(NF - 2) }
	END { print ns / n }' rows.csv)" 2000000 'a sample of bench-prof at 500 Hz represents 2 ms'
like "$(columns comm,stack rows.csv | grep main)" '^split,main;both;large$' 'bench-prof writes the stack and the name of the program'
ok 'bench-stat reads a profile' bench-stat -g stack rows.csv
bench-prof -q -e cpu-clock -n work --label side=new --commit abc -- ./split 300000 >new.csv
bench-compare -q --allow-missing -b side rows.csv new.csv >compared.csv
like "$(columns stack,metric compared.csv)" '^main;both;large,samples$' 'bench-compare compares two profiles by stack'
ok 'bench-store adds a profile' bench-store -q -D p.db add rows.csv
ok 'bench-store exports a profile' sh -c 'bench-store -D p.db export | bench-stat -g stack'

bench-prof -q --top -- ./split >top
like "$(head -n 1 top)" '^self_pct  *self  *total_pct  *total  *function  *object' 'bench-prof --top writes a table of functions'
like "$(sed -n 2p top)" '^ *[67][0-9.]+ .* large  *split' 'bench-prof --top writes the largest function first'
like "$(grep ' main ' top)" '^ *0  *0( ns)?  *(9|10)[0-9.]+ ' 'bench-prof --top separates the total of a function from its own time'
bench-prof -q --top --csv -- ./split >top.csv
is "$(head -n 1 top.csv)" 'self_pct,self,total_pct,total,function,object' 'bench-prof --top --csv writes the table as CSV'

status 0 'bench-prof samples at the limit of the kernel if -F exceeds it' bench-prof -e cpu-clock -F 1M -- true
like "$(cat .err)" 'sampling at [0-9]+ Hz, .*perf_event_max_sample_rate' 'bench-prof reports the limit of the kernel'

# The command runs as it does without bench-prof, except for its standard output.
status 1 'bench-prof ends with 1 if the command fails' bench-prof -n f -- ./split 300000 3
like "$(cat .out)" ',samples,1,[0-9]+,failed:exit=3,' 'bench-prof writes the status of a failed command in each row'
like "$(cat .err)" "'f' failed: exit=3" 'bench-prof reports a failed command on standard error'
status 1 'bench-prof ends with 1 if a signal kills the command' bench-prof -q -- sh -c 'kill -SEGV $$'
like "$(cat .out)" ',failed:signal=SIGSEGV,' 'bench-prof writes the signal that killed the command'
bench-prof -q -- sh -c 'cat; echo talk' <split.c >rows 2>err
is "$(tail -n 1 err)" talk "bench-prof sends the output of the command to standard error"
ok 'the command reads the standard input of bench-prof' grep -q noinline err
unlike "$(cat rows)" 'talk$|noinline' 'bench-prof does not mix the output of the command with its rows'

# Children are sampled.
bench-prof -q -- sh -c './split; :' >child.csv
like "$(columns comm,stack child.csv)" '^split,main;both;large$' 'bench-prof samples a child under the name of its program'
cat >threads.c <<'END'
#include <pthread.h>
static void *work(void *n)
{
	volatile double x = 1;
	for (long i = 0; i < (long)n; i++) x = x * 1.0000001 + 1;
	return 0;
}
int main(void)
{
	pthread_t t[4];
	for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)(30000000 * (i + 1)));
	for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
	return 0;
}
END
gcc -O0 -g -pthread -o threads threads.c
bench-prof -q --folded -- ./threads >threads.folded
got=$(share work threads.folded)
ok "bench-prof samples all threads ($got%)" between "$got" 95 100

# Code without frame pointers, with a signal frame and a callback of the C library.
cat >bare.c <<'END'
#include <signal.h>
#include <stdlib.h>
static volatile double x = 1;
__attribute__((noinline)) void spin(long n) { for (long i = 0; i < n; i++) x = x * 1.0000001 + 1; }
static void handler(int s) { spin(10000000 + s); }
static int order(const void *a, const void *b) { spin(1000000); return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) int deep(int d)
{
	volatile char room[100] = { 0 };
	if (!d) { raise(SIGUSR1); spin(10000000); return room[9]; }
	return deep(d - 1) + room[1];
}
int main(void)
{
	int v[8] = { 5, 3, 8, 1, 9, 2, 7, 4 }, sum = 0;
	signal(SIGUSR1, handler);
	for (int i = 0; i < 6; i++) sum += deep(4);
	qsort(v, 8, sizeof *v, order);
	return sum + v[0] != 1;
}
END
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o bare bare.c
status 0 'bench-prof -g dwarf succeeds' bench-prof -g dwarf --folded -- ./bare
cp .out bare.folded
like "$(cat bare.folded)" '^main;deep;deep;deep;deep;deep;spin [0-9]+$' 'bench-prof -g dwarf unwinds code without frame pointers'
like "$(cat bare.folded)" '^main;deep;deep;deep;deep;deep;.*;handler;spin [0-9]+$' 'bench-prof -g dwarf unwinds the frame of a signal'
like "$(cat bare.folded)" '^main;.*qsort.*;order;spin [0-9]+$' 'bench-prof -g dwarf unwinds a callback of the C library'
got=$(share main bare.folded)
ok "nearly all stacks of bench-prof -g dwarf reach main ($got%)" between "$got" 95 100
unlike "$(cat .err)" 'do not reach' 'bench-prof -g dwarf reports no incomplete stacks'
bench-prof --folded -- ./bare >bare.folded 2>err
like "$(cat err)" '[0-9]+% of the stacks do not reach .*-fno-omit-frame-pointer.*-g dwarf' \
	'bench-prof reports code without frame pointers'
bench-prof -g none --folded -- ./bare >bare.folded 2>err
like "$(cat bare.folded)" '^spin [0-9]+$' 'bench-prof -g none writes only the function that runs'
unlike "$(cat err)" 'do not reach' 'bench-prof -g none reports no incomplete stacks'
status 0 'bench-prof -g dwarf,32K succeeds' bench-prof -q -g dwarf,32K --folded -- ./split 200000
like "$(cat .out)" '^main;both;large ' 'bench-prof -g dwarf,32K writes whole stacks'

# A process that is already running
./threads & sleep 0.1
status 0 'bench-prof -p samples a running process to its end' bench-prof -q -p $! --folded
like "$(cat .out)" '^work [0-9]+$' 'bench-prof -p samples all threads of a process'
sh -c 'while :; do ./split 100000; done' & busy=$!
status 0 'bench-prof -p --duration stops' bench-prof -q -p $busy --duration 0.5 --name loop
like "$(cat .out)" ',loop,split,main;both;large,' 'bench-prof -p samples children that the process starts'
bench-prof -q -p $busy >stopped.csv 2>err & prof=$!
sleep 0.5
kill -INT $prof
# A background job of a shell without job control ignores SIGINT; then SIGTERM ends it.
sleep 0.2
kill -TERM $prof 2>/dev/null
wait $prof
ok 'a signal ends bench-prof -p by that signal' test $? -gt 128
like "$(cat stopped.csv)" ',main;both;large,' 'bench-prof -p writes the profile after a signal'
kill $busy
wait $busy 2>/dev/null
bench-prof -q -- sh -c './split 100000000; true' >stopped.csv 2>err & prof=$!
sleep 0.5
kill -TERM $prof
wait $prof
is $? 143 'a signal ends bench-prof with a command by that signal'
like "$(columns stack,status stopped.csv)" '^main;both;large,failed:signal=SIGTERM$' 'bench-prof with a command writes the profile after a signal'
ok 'bench-prof kills the command after a signal' sh -c '! pgrep -f "split 10000000[0]"'

# The map of a JIT compiler names generated code.
cat >jit.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__x86_64__)
/* mov ecx, edi; 1: dec ecx; jnz 1b; ret */
static const unsigned char code[] = { 0x89, 0xf9, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
#else
/* 1: subs w0, w0, #1; b.ne 1b; ret */
static const unsigned int code[] = { 0x71000400, 0x54ffffe1, 0xd65f03c0 };
#endif
/* The first argument is a shell command that may change the map, $MAP; with a second one it runs on. */
int main(int argc, char **argv)
{
	void *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	memcpy(p, code, sizeof code);
	mprotect(p, 4096, PROT_READ | PROT_EXEC);
	__builtin___clear_cache((char *)p, (char *)p + 4096);
	sprintf(name, "/tmp/perf-%d.map", getpid());
	FILE *f = fopen(name, "w");
	fprintf(f, "%lx 10 made at run time\n", (unsigned long)p);
	fclose(f);
	puts(name);
	setenv("MAP", name, 1);
	if (argc > 1 && system(argv[1]) != 0)
		return 2;
	fflush(stdout);
	do
		((void (*)(unsigned))p)(400000000);
	while (argc > 2);
	return 0;
}
END
gcc -O1 -o jit jit.c
bench-prof -q --folded -- ./jit >jit.folded 2>map
like "$(cat jit.folded)" '^(.*;)?made at run time [0-9]+$' 'bench-prof reads names from the map of a JIT compiler'
rm -f "$(cat map)"
# map_refused COMMAND REASON DESCRIPTION: bench-prof does not read the map that the command has
# changed, and gives the reason in one line
map_refused() {
	timeout 60 bench-prof --folded -- ./jit "$1" >jit.folded 2>err
	map=$(grep -o '^/tmp/perf-[0-9]*.map$' err)
	unlike "$(cat jit.folded)" 'made at run time' "bench-prof reads no names from $3"
	is "$(grep -c "^bench-prof: $map is not used for symbol names: $2\$" err)" 1 "bench-prof reports $3 in one line"
	rm -f "$map"
}
map_refused "mv \"\$MAP\" mine.map && ln -s \"$T/mine.map\" \"\$MAP\"" 'it is a symbolic link' \
	"the map of a JIT compiler that is a symbolic link"
map_refused "rm \"\$MAP\" && mkfifo \"\$MAP\"" 'it is not a regular file' "the map of a JIT compiler that is a pipe"
map_refused "chmod o+w \"\$MAP\"" 'it is writable by everybody' "the map of a JIT compiler that is writable by everybody"
if skip_unless root "bench-prof reads no names from the map of a JIT compiler of another user"; then
	map_refused "chown 65534 \"\$MAP\"" 'it belongs to user 65534, not to user 0 or root' \
		"the map of a JIT compiler of another user"
	cp jit jit.public && chmod 755 "$T" jit.public
	setpriv --reuid 65534 --regid 65534 --clear-groups ./jit.public true on >public.map & pid=$!
	wait_for test -s public.map
	bench-prof -q --folded --duration 0.3 -p $pid >jit.folded
	kill $pid
	like "$(cat jit.folded)" 'made at run time' "bench-prof -p reads the map of a JIT compiler that belongs to the owner of the process"
	rm -f "$(cat public.map)"
fi

# Names from a debug file, source lines, and C++ names
bench-prof -q --lines --folded -- ./split 300000 >lines.folded
like "$(cat lines.folded)" '^main \(split.c:10\);both \(split.c:6\);large \(split.c:4\) [0-9]+$' \
	'bench-prof --lines adds source lines, and those of the call to callers'
bench-prof -q --lines --top --csv -- ./split 300000 >lines.csv
like "$(cat lines.csv)" ',large \(split.c:4\),split$' 'bench-prof --lines --top adds source lines to the table'
strip_split() { # NAME: makes a stripped copy of split with the debug file NAME.debug
	objcopy --only-keep-debug split "$1.debug"
	objcopy --strip-all split "$1"
}
strip_split stripped
bench-prof --folded -- ./stripped 300000 >stripped.folded 2>err
like "$(cat stripped.folded)" '^\[stripped\];\[stripped\];\[stripped\] [0-9]+$' 'bench-prof shows the object for functions without names'
like "$(cat err)" '[0-9]+% of the frames have no name, most of them in stripped .*-dbgsym' \
	'bench-prof reports functions without names'
objcopy --add-gnu-debuglink=stripped.debug stripped linked
bench-prof -q --lines --folded -- ./linked 300000 >linked.folded
like "$(cat linked.folded)" '^main \(split.c:10\);both \(split.c:6\);large \(split.c:4\) [0-9]+$' \
	'bench-prof finds a debug file in the directory of the program by its link'
mkdir -p .debug && mv stripped.debug .debug
bench-prof -q --folded -- ./linked 300000 >linked.folded
like "$(cat linked.folded)" '^main;both;large [0-9]+$' 'bench-prof finds a debug file in the directory .debug'
printf x >>.debug/stripped.debug
bench-prof -q --folded -- ./linked 300000 >linked.folded
unlike "$(cat linked.folded)" 'large' 'bench-prof ignores a debug file with another checksum'
if skip_unless root 'bench-prof finds a debug file by its build ID'; then
	id=$(readelf -n split | sed -n 's/.*Build ID: //p')
	dir=/usr/lib/debug/.build-id/$(printf %.2s "$id")
	strip_split named
	made=$([ -d "$dir" ] || echo yes)
	mkdir -p "$dir"
	mv named.debug "$dir/${id#??}.debug"
	bench-prof -q --folded -- ./named 300000 >named.folded
	rm -f "$dir/${id#??}.debug"
	[ -z "$made" ] || rmdir "$dir"
	like "$(cat named.folded)" '^main;both;large [0-9]+$' 'bench-prof finds a debug file by its build ID'
fi
# The file that ran was replaced by another file.
cp split early
gcc -O0 -w -o other bare.c
bench-prof -q --folded -- sh -c './early 300000; mv other early' >early.folded 2>err
like "$(cat early.folded)" '^(early;)?\[early \(replaced\)\];\[early \(replaced\)\];\[early \(replaced\)\] [0-9]+$' \
	'bench-prof reads no names from a file that replaced the one that ran'
cp split early
bench-prof -q --folded -- sh -c './early 300000; ln early linked-early' >early.folded 2>err
like "$(cat early.folded)" '^(early;)?main;both;large [0-9]+$' \
	'bench-prof reads the names of a file that got another link after it ran'

sed 's/void large(long n) {/void large(long) __asm__("_ZN4math5largeIdEEvl");\
__attribute__((noinline)) &/' split.c >mangled.c
gcc -O0 -o mangled mangled.c
bench-prof -q --folded -- ./mangled 300000 >mangled.folded
like "$(cat mangled.folded)" '^main;both;math::large<double> [0-9]+$' 'bench-prof demangles C++ names'

# Rejected options and combinations
refused() { # DESCRIPTION PATTERN ARGUMENT...
	what=$1 pattern=$2
	shift 2
	status 2 "bench-prof rejects $what" bench-prof "$@"
	like "$(cat .err)" "$pattern" "bench-prof gives the reason why it rejects $what"
}
refused 'a command line without a command' 'give a command'
refused 'a command together with -p' 'give a command' -p 1 -- true
refused 'a program that does not exist' 'no-such-program' -- no-such-program
refused 'a process that does not exist' 'no process 4194304' -p 4194304
refused 'an unknown event' "no-such-event" -e no-such-event -- true
refused 'two events' 'one event' -e cycles,instructions -- true
refused 'an unknown -g' 'fp, none, dwarf' -g lbr -- true
refused 'a copy of the stack that does not fit into a record' '1K to 63K' -g dwarf,1M -- true
refused 'a size with -g fp' 'dwarf,SIZE' -g fp,8K -- true
refused 'a frequency of 0' 'between 1' -F 0 -- true
refused 'a label that is a column of profiles' "column 'stack'" --label stack=x -- true
refused '--duration with a command' '--duration requires -p' --duration 1 -- true
refused 'an unknown metric' 'there are: samples, event' --by calls -- true
refused '--folded together with --top' '--folded' --folded --top -- true
bench-prof -q -- ./split 30000 >/dev/full 2>err
is $? 2 'bench-prof ends with 2 if the disk is full'
like "$(cat err)" 'No space left' 'bench-prof reports a full disk'
if skip_unless another-user 'an ordinary user can sample user mode'; then
	chmod 755 . && chmod 755 split
	# For an ordinary user, only the kernel's part is denied.
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 1 ]; then
		ok 'an ordinary user can sample user mode' setpriv --reuid 65534 --regid 65534 --clear-groups \
			"$BUILD/bin/bench-prof" --folded -- "$T/split"
		like "$(cat .out)" 'main;both;large [0-9]' 'an ordinary user gets stacks of user mode'
		like "$(cat .out)" 'user mode only .*perf_event_paranoid' 'bench-prof reports that it samples user mode only'
		status 2 "bench-prof -p ends with 2 for a process of another user" setpriv --reuid 65534 --regid 65534 \
			--clear-groups "$BUILD/bin/bench-prof" -p 1
		like "$(cat .err)" 'process 1: permission denied .*CAP_PERFMON' 'bench-prof -p says how to sample a process of another user'
	fi
fi
done_testing
