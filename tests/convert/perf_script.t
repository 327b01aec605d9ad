#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the call stacks that perf script prints.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
export TZ=UTC
# stacks NAME [OPTION...]: the rows of a file, in a short form
stacks() {
	name=$1
	shift
	bench-convert "$@" "$data/perf-script$name.txt" 2>err | columns comm,event,stack,metric,unit,value
}
# collapse FILE METRIC: folded stacks, computed without bench-convert from a file with periods. The
# name of the program is what is before the thread, and a frame the second word of its line.
collapse() {
	awk -v metric="$2" '
		/^#/ { next }
		/^[^\t].*cpu-clock/ {
			comm = $0
			sub(/ +[0-9]+ +[0-9.]+: .*/, "", comm)
			amount = metric == "samples" ? 1 : $(NF - 1)
			stack = ""
			next
		}
		/^\t/ {
			sub(/\+0x[0-9a-f]+$/, "", $2)
			stack = ";" $2 stack
			next
		}
		{ sum[comm stack] += amount }
		END { for (s in sum) printf "%s %.0f\n", s, sum[s] }' "$1" | sort
}

for metric in samples cpu-clock; do
	is "$(bench-convert -M $metric -t folded "$data/perf-script.txt" | sort)" "$(collapse "$data/perf-script.txt" $metric)" \
		"bench-convert adds up the same stacks by $metric as awk does"
done
is "$(bench-convert "$data/perf-script.txt" | sed 3q)" 'time,host,kind,comm,stack,sample,metric,unit,value
2026-11-29T15:55:45.000000000Z,box,command,work,__libc_start_call_main;main;write_all;leaf,0,cpu-clock,ns,81632652
2026-11-29T15:55:45.000000000Z,box,command,work,__libc_start_call_main;main;write_all;leaf,0,samples,1,4' \
	'bench-convert reads the host and the time in the header of perf script'
is "$(bench-convert "$data/perf-script.txt" | bench-plot flame --functions | cut -d, -f1,4 | sed -n 2p)" \
	"$(awk '/cpu-clock: $/ { period = $(NF - 1); getline; sub(/\+.*/, "", $2); self[$2] += period }
		END { for (f in self) printf "%s,%.0f\n", f, self[f] }' "$data/perf-script.txt" | sort -t, -k2nr | sed q)" \
	'bench-plot finds the same top function in the stacks of perf script as awk does'
is "$(bench-convert "$data/perf-script.txt" | bench-plot flame -o flame.svg; grep -c 'my worker\|write_all' flame.svg | sed 's/[1-9].*/some/')" some \
	'bench-plot draws a flame graph of the stacks of perf script'
is "$(bench-convert "$data/perf-script.txt" >old.csv; bench-plot flame --diff --functions old.csv old.csv | cut -d, -f1 | sed -n 2p)" \
	leaf 'bench-plot compares two files of perf script'

is "$(stacks -events | sed 4q)$(cat err)" "work,page-faults:u,_start,page-faults:u,1,1
work,page-faults:u,_start,samples,1,1
work,page-faults:u,_dl_start,page-faults:u,1,494
work,page-faults:u,_dl_start,samples,1,3bench-convert: $data/perf-script-events.txt: samples of 2 events, which the factor event names: select one, such as --filter event=page-faults:u" \
	'bench-convert names the events of perf script if there are several'
is "$(stacks -events --filter event=task-clock:u -M task-clock:u | sed q; wc -c <err)" \
	"my worker 2,task-clock:u,leaf,task-clock:u,ns,$(awk '/my worker 2.*task-clock:u/ { s += $6 } END { print s }' "$data/perf-script-events.txt")
0" 'bench-convert reads functions without callers, of one of two events of perf script'
is "$(stacks -inlined -M samples | sed 2q)" 'my worker 2,,clone3;start_thread;thr;parse;leaf;inl,samples,1,3
work,,_start;__libc_start_main_impl;__libc_start_call_main;main;write_all;leaf;inl,samples,1,2' \
	'bench-convert reads inlined functions of perf script'
is "$(stacks -lines -M samples | sed q)" \
	'my worker 2,,start_thread (pthread_create.c:442);thr (work.c:11);parse (work.c:9);leaf (work.c:8);inl (work.c:7),samples,1,3' \
	'bench-convert reads source lines of perf script as bench-prof --lines writes them'
is "$(stacks -unknown -M samples | sed q)" 'my worker 2,,start_thread;[stripped];[stripped];[stripped],samples,1,3' \
	'bench-convert reads unknown functions of perf script as their objects'
is "$(stacks -tracepoints | sed -n 2p)" 'work,syscalls:sys_enter_write,[unknown];__GI___libc_write,samples,1,1' \
	'bench-convert reads tracepoints of perf script, which have no period'
is "$(stacks -fields)" 'my worker 2,,start_thread;thr;parse;leaf,samples,1,2
work,,__libc_start_call_main;main;write_all;leaf,samples,1,1
work,,__libc_start_call_main;main;parse;leaf,samples,1,2' 'bench-convert reads samples of perf script with processes and processors'
sed -E 's/[0-9]+\/([0-9]+) \[[0-9]+\] +[0-9.]+:/\1/' "$data/perf-script-fields.txt" >no-time.txt
status 2 'bench-convert does not detect samples of perf script without times' bench-convert no-time.txt
is "$(bench-convert -f perf-script no-time.txt | cut -d, -f2-)" "$(bench-convert "$data/perf-script-fields.txt" | cut -d, -f2-)" \
	'bench-convert -f reads samples of perf script without times'
sed -E 's/ +[0-9.]+: /  /' "$data/perf-script-inlined.txt" >no-time.txt
is "$(bench-convert -f perf-script no-time.txt)" "$(bench-convert "$data/perf-script-inlined.txt")" \
	'bench-convert -f distinguishes the period of perf script from a number in the name of a thread'

# frame TEXT: how a function and its object are read
frame() {
	printf 'p 1 1.000001: 5 cycles: \n\t 1f %s\n\n' "$1" >frame.txt
	bench-convert frame.txt | columns stack | sed q
}
is "$(frame 'operator new(unsigned long)+0x5 (/usr/lib/a.so)')" 'operator new(unsigned long)' \
	'bench-convert reads functions of perf script with blanks and parentheses'
is "$(frame 'std::function<void (int)>::operator()(int) const+0x12 (/tmp/a (deleted))')" 'std::function<void (int)>::operator()(int) const' \
	'bench-convert reads deleted objects of perf script'
is "$(frame 'f(int)')" 'f(int)' 'bench-convert reads functions of perf script without objects'
is "$(frame 'Lmain;.run+0x4 (/tmp/perf-12.map)')" 'Lmain:.run' 'bench-convert replaces the separator of stacks in functions of perf script'
is "$(frame '[unknown] (/tmp/perf-12.map)'),$(frame '[unknown] ([vdso])'),$(frame '[unknown] (/tmp/a (deleted)+0x12)'),$(frame '[unknown]')" \
	'[jit],[vdso],[a (deleted)],[unknown]' 'bench-convert names unknown functions of perf script by their objects'
printf '#1 7/8 1.000001: 5 cycles: \n\n 4711 9 [000] 1.000002: 6 cycles: \n\t1f f\n\n' >names.txt
is "$(bench-convert -M cycles names.txt | columns comm,stack,value)" '#1,[unknown],5
4711,f,6' 'bench-convert reads names of threads that look like comments or numbers, and samples without frames'

# refused MESSAGE SUBJECT: one line that contains the message, status 2 and no output for bad.txt
refused() {
	bench-convert bad.txt >out.csv 2>err
	is "$?,$(wc -c <out.csv),$(wc -l <err)" 2,0,1 "bench-convert rejects $2 in one line"
	like "$(cat err)" "$1" "the message about $2 says why"
}
sed '$d' "$data/perf-script.txt" >bad.txt
refused 'last stack has no empty line after it, so the file was cut off' 'a stack of perf script that was cut off'
head -c 3000 "$data/perf-script.txt" >bad.txt
refused 'the last line has no end' 'a line of perf script that was cut off'
{ cat "$data/perf-script.txt"; echo 'error: x'; } >bad.txt
refused "bad.txt:$(wc -l <bad.txt): not a sample of perf script" 'another line among samples of perf script'
{ cat "$data/perf-script.txt"; grep 'cpu-clock:' "$data/perf-script.txt"; } >bad.txt
refused 'not a frame of a call stack, which has the fields ip and sym' 'samples of perf script without stacks'
cat "$data/perf-script-inlined.txt" "$data/perf-script-fields.txt" >bad.txt
refused 'only some samples of the event cpu-clock:u have a period' 'two selections of fields of perf script'
grep 'sched:' "$data/perf-script-tracepoints.txt" >bad.txt
bench-convert -f perf-script bad.txt >out.csv 2>err
is "$?,$(cat err)" '2,bench-convert: bad.txt: no sample has a call stack or a function: perf script must print the fields ip and sym' \
	'bench-convert rejects tracepoints of perf script without functions'

if skip_unless perf 'bench-plot shows the samples that perf report shows' &&
	skip_unless sampling 'bench-plot shows the samples that perf report shows'; then
	perf record -q -e cpu-clock:u -F 999 -g -o perf.data -- perl -e 'my %h; $h{$_ % 5021} .= $_ for 1 .. 1e6; print scalar keys %h' >out.txt 2>err
	perf report -i perf.data --stdio --no-children -g none -n -F sample,sym 2>/dev/null |
		awk '$1 ~ /^[0-9]+$/ { n[$3 ~ /^0x/ ? "?" : $3] += $1 } END { for (f in n) print f, n[f] }' | sort >theirs
	perf script -i perf.data 2>/dev/null | bench-convert | bench-plot flame -y samples --functions |
		awk -F, 'NR > 1 && $4 { n[$1 ~ /^\[/ ? "?" : $1] += $4 } END { for (f in n) print f, n[f] }' | sort >ours
	ok 'perf report shows samples of several functions' test "$(wc -l <theirs)" -ge 3
	is "$(cat ours)" "$(cat theirs)" 'bench-plot shows the samples of each function that perf report shows'
fi
done_testing
