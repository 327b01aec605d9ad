#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-prof: samples land in the functions that run, in their stacks, in every form of output.
# timing: waits for or judges what other processes do at the same time
# slow
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

if ! skip_unless sampling 'bench-prof'; then
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
gcc -O0 -g -o split split.c # with frame pointers, in leaves too

# share STACK FOLDED: the part of the samples whose stack begins so, in per cent, rounded
share() {
	awk -v stack="$1" '{ all += $NF } index($0, stack) == 1 { part += $NF }
		END { printf "%.0f", all ? 100 * part / all : -1 }' "$2"
}
between() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }

status 0 'a profile, folded' bench-prof -e cpu-clock --folded -- ./split
cp .out folded
is "$(grep -v -E '^[^ ].* [1-9][0-9]*$' folded)" '' 'every line is a stack and a count'
like "$(cat folded)" '^main;both;large [0-9]+$' 'stacks begin with main'
got=$(share 'main;both;large' folded)
ok "large has three quarters ($got %)" between "$got" 68 82
got=$(share 'main;both;small' folded)
ok "small has one quarter ($got %)" between "$got" 18 32
is "$(sort folded | uniq -d)" '' 'no stack stands twice'
flamegraph=/usr/share/perl5/Devel/NYTProf/flamegraph.pl
if skip_unless $flamegraph 'a flame graph of it'; then
	perl $flamegraph folded >flame.svg 2>err
	is "$?$(cat err)" 0 'flamegraph.pl takes every line'
	like "$(grep '<title>' flame.svg)" 'large \([0-9,]+ samples, (6[89]|7[0-9]|8[0-2])' 'and draws the same shares'
fi

status 0 'counted by sample' bench-prof -q -e cpu-clock -F 999 --by samples --folded -- ./split
like "$(cat .out)" '^main;both;large [0-9]{1,4}$' 'has small numbers'

bench-prof -q -e cpu-clock -F 500 --name work --label side=old --commit abc -- ./split >rows.csv
is "$(head -n 1 rows.csv)" "run,time,host,env,commit,kind,bench,side,comm,stack,process,sample,t,iterations,metric,unit,value,status,running_pct" \
	'the columns of the stream'
is "$(unmarked rows.csv | columns kind,bench,side,commit,comm,sample,iterations,unit,status | sort -u | head -n 1)" \
	'command,work,old,abc,,0,1,1,ok' 'what all rows say'
is "$(columns metric rows.csv | sort -u | tr '\n' ' ')" 'cpu-clock lost_samples rows samples ' 'its metrics'
is "$(awk -F, '/,samples,/ { n += $(NF - 2) } /,cpu-clock,ns,/ { ns += $(NF - 2) }
	END { print ns / n }' rows.csv)" 2000000 'at 500 Hz a sample is 2 ms'
like "$(columns comm,stack rows.csv | grep main)" '^split,main;both;large$' 'stacks and programs'
ok 'bench-stat reads it' bench-stat -g stack rows.csv
bench-prof -q -e cpu-clock -n work --label side=new --commit abc -- ./split 300000 >new.csv
bench-compare -q --allow-missing -b side rows.csv new.csv >compared.csv
like "$(columns stack,metric compared.csv)" '^main;both;large,samples$' 'bench-compare joins two profiles'
ok 'bench-store takes it' bench-store -q -D p.db add rows.csv
ok 'and gives it back' sh -c 'bench-store -D p.db export | bench-stat -g stack'

bench-prof -q --top -- ./split >top
like "$(head -n 1 top)" '^self_pct  *self  *total_pct  *total  *function  *object' 'a table by function'
like "$(sed -n 2p top)" '^ *[67][0-9.]+ .* large  *split' 'the largest comes first'
like "$(grep ' main ' top)" '^ *0  *0( ns)?  *(9|10)[0-9.]+ ' 'main has all below it and nothing of its own'
bench-prof -q --top --csv -- ./split >top.csv
is "$(head -n 1 top.csv)" 'self_pct,self,total_pct,total,function,object' 'the table as CSV'

status 0 'more samples than the kernel allows' bench-prof -e cpu-clock -F 1M -- true
like "$(cat .err)" 'sampling at [0-9]+ Hz, .*perf_event_max_sample_rate' 'are not taken, which is said'

# What the command does is as without us, but for its standard output.
status 1 'a command that fails gives 1' bench-prof -n f -- ./split 300000 3
like "$(cat .out)" ',samples,1,[0-9]+,failed:exit=3,' 'and says so in each row'
like "$(cat .err)" "'f': failed:exit=3" 'and on standard error'
status 1 'killed by a signal, too' bench-prof -q -- sh -c 'kill -SEGV $$'
like "$(cat .out)" ',failed:signal=SIGSEGV,' 'with its name'
bench-prof -q -- sh -c 'cat; echo talk' <split.c >rows 2>err
is "$(tail -n 1 err)" talk "the command's output goes to standard error"
ok 'its standard input is ours' grep -q noinline err
unlike "$(cat rows)" 'talk$|noinline' 'none of it among the rows'

# Children are followed.
bench-prof -q -- sh -c './split; :' >child.csv
like "$(columns comm,stack child.csv)" '^split,main;both;large$' 'a child under its own name'
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
ok "threads are followed ($got %)" between "$got" 95 100

# Code without frame pointers, through a signal's frame and a callback of the C library.
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
status 0 'stacks by DWARF' bench-prof -g dwarf --folded -- ./bare
cp .out bare.folded
like "$(cat bare.folded)" '^main;deep;deep;deep;deep;deep;spin [0-9]+$' 'are whole without frame pointers'
like "$(cat bare.folded)" '^main;deep;deep;deep;deep;deep;.*;handler;spin [0-9]+$' 'through a signal'
like "$(cat bare.folded)" '^main;.*qsort.*;order;spin [0-9]+$' 'and through the C library'
got=$(share main bare.folded)
ok "nearly all reach main ($got %)" between "$got" 95 100
unlike "$(cat .err)" 'do not reach' 'and nothing is amiss'
bench-prof --folded -- ./bare >bare.folded 2>err
like "$(cat err)" '[0-9]+ % of the stacks do not reach .*-fno-omit-frame-pointer.*-g dwarf' \
	'frame pointers that are not there are noticed'
bench-prof -g none --folded -- ./bare >bare.folded 2>err
like "$(cat bare.folded)" '^spin [0-9]+$' 'without stacks, the functions alone'
unlike "$(cat err)" 'do not reach' 'which nobody expects to reach anything'
status 0 'a larger piece of stack' bench-prof -q -g dwarf,32K --folded -- ./split 200000
like "$(cat .out)" '^main;both;large ' 'gives the same'

# A process that runs already.
./threads & sleep 0.1
status 0 'a process by its number' bench-prof -q -p $! --folded
like "$(cat .out)" '^work [0-9]+$' 'all its threads'
sh -c 'while :; do ./split 100000; done' & busy=$!
status 0 'for a while' bench-prof -q -p $busy --duration 0.5 --name loop
like "$(cat .out)" ',loop,split,main;both;large,' 'and the children that it starts'
bench-prof -q -p $busy >stopped.csv 2>err & prof=$!
sleep 0.5
kill -INT $prof
# A background job of a shell without job control ignores SIGINT; then TERM ends it.
sleep 0.2
kill -TERM $prof 2>/dev/null
wait $prof
ok 'a signal ends it as that signal' test $? -gt 128
like "$(cat stopped.csv)" ',main;both;large,' 'and what was sampled is written'
kill $busy
wait $busy 2>/dev/null
bench-prof -q -- sh -c './split 100000000; true' >stopped.csv 2>err & prof=$!
sleep 0.5
kill -TERM $prof
wait $prof
is $? 143 'so does one to a command'
like "$(columns stack,status stopped.csv)" '^main;both;large,failed:signal=SIGTERM$' 'with what was sampled'
ok 'and the command is gone' sh -c '! pgrep -f "split 10000000[0]"'

# A JIT's map names code that is in no file.
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
like "$(cat jit.folded)" '^(.*;)?made at run time [0-9]+$' 'the map of a JIT gives names'
rm -f "$(cat map)"
# map_refused COMMAND REASON DESCRIPTION: the map that the command has changed gives no names, and one
# line says why
map_refused() {
	timeout 60 bench-prof --folded -- ./jit "$1" >jit.folded 2>err
	map=$(grep -o '^/tmp/perf-[0-9]*.map$' err)
	unlike "$(cat jit.folded)" 'made at run time' "$3 gives no names"
	is "$(grep -c "^bench-prof: $map is not used for symbol names: $2\$" err)" 1 "$3 is reported in one line"
	rm -f "$map"
}
map_refused "mv \"\$MAP\" mine.map && ln -s \"$T/mine.map\" \"\$MAP\"" 'it is a symbolic link' \
	"a JIT's map that is a symbolic link"
map_refused "rm \"\$MAP\" && mkfifo \"\$MAP\"" 'it is not a regular file' "a pipe in the place of a JIT's map"
map_refused "chmod o+w \"\$MAP\"" 'it is writable by everybody' "a JIT's map that is writable by everybody"
if skip_unless root "a JIT's map of another user gives no names"; then
	map_refused "chown 65534 \"\$MAP\"" 'it belongs to user 65534, not to user 0 or root' \
		"a JIT's map of another user"
	cp jit jit.public && chmod 755 "$T" jit.public
	setpriv --reuid 65534 --regid 65534 --clear-groups ./jit.public true on >public.map & pid=$!
	wait_for test -s public.map
	bench-prof -q --folded --duration 0.3 -p $pid >jit.folded
	kill $pid
	like "$(cat jit.folded)" 'made at run time' "with -p the map may belong to the user of the process"
	rm -f "$(cat public.map)"
fi

# Names from a debug file, lines of source, and names of C++.
bench-prof -q --lines --folded -- ./split 300000 >lines.folded
like "$(cat lines.folded)" '^main \(split.c:10\);both \(split.c:6\);large \(split.c:4\) [0-9]+$' \
	'lines of source, of the call in callers'
bench-prof -q --lines --top --csv -- ./split 300000 >lines.csv
like "$(cat lines.csv)" ',large \(split.c:4\),split$' 'in the table, too'
strip_split() { # NAME: split without its symbols, which are in NAME.debug
	objcopy --only-keep-debug split "$1.debug"
	objcopy --strip-all split "$1"
}
strip_split stripped
bench-prof --folded -- ./stripped 300000 >stripped.folded 2>err
like "$(cat stripped.folded)" '^\[stripped\];\[stripped\];\[stripped\] [0-9]+$' 'code without names'
like "$(cat err)" '[0-9]+ % of the frames have no name, most of them in stripped .*-dbgsym' 'is noticed'
objcopy --add-gnu-debuglink=stripped.debug stripped linked
bench-prof -q --lines --folded -- ./linked 300000 >linked.folded
like "$(cat linked.folded)" '^main \(split.c:10\);both \(split.c:6\);large \(split.c:4\) [0-9]+$' \
	'a debug file beside the program, by its link'
mkdir -p .debug && mv stripped.debug .debug
bench-prof -q --folded -- ./linked 300000 >linked.folded
like "$(cat linked.folded)" '^main;both;large [0-9]+$' 'in .debug'
printf x >>.debug/stripped.debug
bench-prof -q --folded -- ./linked 300000 >linked.folded
unlike "$(cat linked.folded)" 'large' 'one with another checksum is not taken'
if skip_unless root 'a debug file by its build-id'; then
	id=$(readelf -n split | sed -n 's/.*Build ID: //p')
	dir=/usr/lib/debug/.build-id/$(printf %.2s "$id")
	strip_split named
	made=$([ -d "$dir" ] || echo yes)
	mkdir -p "$dir"
	mv named.debug "$dir/${id#??}.debug"
	bench-prof -q --folded -- ./named 300000 >named.folded
	rm -f "$dir/${id#??}.debug"
	[ -z "$made" ] || rmdir "$dir"
	like "$(cat named.folded)" '^main;both;large [0-9]+$' 'a debug file by its build-id'
fi
# The file that ran is not there any more, but another one in its place.
cp split early
gcc -O0 -w -o other bare.c
bench-prof -q --folded -- sh -c './early 300000; mv other early' >early.folded 2>err
like "$(cat early.folded)" '^(early;)?\[early \(replaced\)\];\[early \(replaced\)\];\[early \(replaced\)\] [0-9]+$' \
	'no names are taken from a file that replaced another'

sed 's/void large(long n) {/void large(long) __asm__("_ZN4math5largeIdEEvl");\
__attribute__((noinline)) &/' split.c >mangled.c
gcc -O0 -o mangled mangled.c
bench-prof -q --folded -- ./mangled 300000 >mangled.folded
like "$(cat mangled.folded)" '^main;both;math::large<double> [0-9]+$' 'names of C++'

# Refusals and forms that do not go together.
refused() { # DESCRIPTION PATTERN ARGUMENT...
	what=$1 pattern=$2
	shift 2
	status 2 "$what is refused" bench-prof "$@"
	like "$(cat .err)" "$pattern" "$what: why"
}
refused 'no command' 'give a command'
refused 'both' 'give a command' -p 1 -- true
refused 'a missing program' 'no-such-program' -- no-such-program
refused 'a missing process' 'no process 4194304' -p 4194304
refused 'an unknown event' "no-such-event" -e no-such-event -- true
refused 'two events' 'one event' -e cycles,instructions -- true
refused 'a wrong way of unwinding' 'fp, none, dwarf' -g lbr -- true
refused 'a stack that no record holds' '1K to 63K' -g dwarf,1M -- true
refused 'a size of frame pointers' 'dwarf,SIZE' -g fp,8K -- true
refused 'a frequency of 0' 'between 1' -F 0 -- true
refused 'a label that is a column' "column 'stack'" --label stack=x -- true
refused '--duration of a command' '--duration needs -p' --duration 1 -- true
refused 'a metric that is none' 'samples or event' --by calls -- true
refused 'two forms' '--folded' --folded --top -- true
bench-prof -q -- ./split 30000 >/dev/full 2>err
is $? 2 'a full disk is trouble'
like "$(cat err)" 'No space left' 'and told'
if skip_unless another-user 'an ordinary user'; then
	chmod 755 . && chmod 755 split
	# Not as root: the kernel's part is denied, the user's is not.
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 1 ]; then
		ok 'an ordinary user samples user mode' setpriv --reuid 65534 --regid 65534 --clear-groups \
			"$BUILD/bin/bench-prof" --folded -- "$T/split"
		like "$(cat .out)" 'main;both;large [0-9]' 'with stacks'
		like "$(cat .out)" 'user mode only .*perf_event_paranoid' 'and is told'
		status 2 "another user's process is refused" setpriv --reuid 65534 --regid 65534 \
			--clear-groups "$BUILD/bin/bench-prof" -p 1
		like "$(cat .err)" 'process 1: permission denied .*CAP_PERFMON' 'with the way out'
	fi
fi
done_testing
