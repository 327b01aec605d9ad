#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of shared objects through bench-run -f: what comes out of good ones, and what of
# those that go wrong.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

# A sanitizer takes signals for its own reports; what is measured shall end by them.
export ASAN_OPTIONS=handle_segv=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0:detect_leaks=0
compile() { gcc -O2 -g -shared -fPIC -Wno-infinite-recursion -I "$ROOT/include" -o "$@" -pthread; }
compile good.so "$ROOT/tests/fixtures/functions/good.c" && compile bad.so "$ROOT/tests/fixtures/functions/bad.c" || exit 1

# column NAME...: these columns of the CSV in out
column() {
	awk -F, -v names="$*" 'BEGIN { n = split(names, name, " ") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] != "rows" { for (i = 1; i <= n; i++) printf "%s%s", (at[name[i]] ? $at[name[i]] : ""), (i < n ? " " : "\n") }' out
}
# values BENCH METRIC: its values in out
values() { column bench metric value status | awk -v b="$1" -v m="$2" '$1 == b && $2 == m { print $3 }'; }
median_of() { values "$1" "$2" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# within VALUE LOW HIGH
within() { awk -v v="$1" -v lo="$2" -v hi="$3" 'BEGIN { exit !(v != "" && v >= lo && v <= hi) }'; }
# quickly [OPTION...]: two processes of three samples
quickly() { bench-run -q -e none --processes 2 -r 3 -w 1 --sample-time 1ms --commit c "$@" >out; }

# What comes out.
quickly -f good.so:empty
is "$(head -n 1 out)" \
	'run,time,host,env,commit,kind,bench,object,process,sample,t,iterations,metric,unit,value,status,running_pct' \
	'the columns are those of the format, and the object'
is "$(column kind bench object metric unit status | sort | uniq -c | sed 's/^ *//')" \
"2 function empty good.so first ns ok
2 function empty good.so load ns ok
2 function empty good.so max_rss B ok
2 function empty good.so ok 1 ok
6 function empty good.so rss B ok
2 function empty good.so setup ns ok
6 function empty good.so wall ns ok" 'each process has its phases once, and samples'
is "$(column process sample metric | grep wall | cut -d' ' -f1,2 | tr '\n' ' ')" '0 0 0 1 0 2 1 0 1 1 1 2 ' \
	'samples are counted within each process'
is "$(column metric iterations | grep wall | sort -u | wc -l)" 1 'all have the same number of iterations'
ok 'which is many' within "$(column metric iterations | awk '/wall/ { print $2; exit }')" 10000 100000000
ok 'an iteration of an empty loop takes no more than some ns' within "$(median_of empty wall)" 0.05 20
quickly -f good.so:plain -f good.so:called -f good.so:empty -O interleaved
is "$(column bench process sample metric | awk '$4 == "wall" { print $1 }' | head -n 6 | tr '\n' ' ')" \
	'plain called empty plain called empty ' 'a block has a sample of each, in the order of the subjects'
ok 'a function that takes nothing is called' within "$(median_of plain wall)" 0.05 50
ok 'and what its metadata says is known' within "$(median_of called throughput)" 100 400

quickly -O sequential -f good.so:plain -f good.so:empty
is "$(column bench process | uniq | tr '\n' ' ')" 'plain 0 plain 1 empty 0 empty 1 ' \
	'one after the other when asked'

# Phases.
SLOW_LOAD=1 bench-run -q -e none --processes 3 -r 5 -f good.so:phases >out
ok 'load is what dlopen takes' within "$(median_of phases load)" 60e6 90e6
ok 'setup what stands before the loop' within "$(median_of phases setup)" 50e6 75e6
ok 'first is the first iteration' within "$(median_of phases first)" 40e6 60e6
ok 'the samples are the later ones' within "$(median_of phases wall)" 30e6 45e6
is "$(column metric iterations | grep wall | sort -u)" 'wall 1' 'long iterations are a sample each'
quickly -f good.so:fixture
ok 'setup= and teardown= are called, and timed as setup' within "$(median_of fixture setup)" 20e6 40e6
is "$(column metric status | grep '^wall' | sort | uniq -c | sed 's/^ *//')" '6 wall ok' 'and pass data on'
quickly -f good.so:paused
ok 'a pause is left out' within "$(median_of paused wall)" 5e6 20e6

quickly -f good.so:paused_between
ok 'a pause goes on in the next iteration' within "$(median_of paused_between wall)" 5e6 20e6
quickly -r 1 -j 2 -f good.so:paused_most
is "$(values paused_most throughput | awk '$1 < 60' | wc -l)" 0 'several workers leave out what they paused, too'
bench-run -q -e none --processes 1 -r 1 -f good.so:slow_at_first >out
ok 'where the first iterations are slow, the later ones are counted out' \
	within "$(column metric iterations | awk '$1 == "wall" { print $2 }')" 1000 1e12

# Parameters and rates.
quickly -f good.so:rates
is "$(column n metric | grep wall | sort | uniq -c | sed 's/^ *//')" "6 10 wall
6 20 wall" 'the parameters of the metadata are swept'
ok 'items give a throughput' awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] == "wall" { wall = $at["value"] }
	$at["metric"] == "throughput" { n++; d = $at["value"] * wall / 1e9 / $at["n"]; if (d < 0.999999 || d > 1.000001) bad = 1 }
	$at["metric"] == "bandwidth" { n++; d = $at["value"] * wall / 1e9 / $at["n"] / 8; if (d < 0.999999 || d > 1.000001) bad = 1 }
	END { exit(bad || n != 24) }' out
quickly -f good.so:rates -P n=1k,3
is "$(column n | sort | uniq -c | awk '{ print $2 }' | tr '\n' ' ')" '1k 3 ' '-P says otherwise'
ok 'with suffixes' within "$(column n metric value | awk '$1 == "1k" && $2 == "bandwidth" { print $3; exit }')" 500e3 1.7e6
quickly -f good.so:own_rates
ok 'a benchmark may set its rates itself' within "$(median_of own_rates throughput)" 500 1400
quickly -f good.so:infinite_items
is "$(values infinite_items throughput)$(values infinite_items bandwidth)" '' 'what is no amount gives no rate'
quickly -f good.so:text
is "$(column word metric | grep ok | sort -u | tr '\n' ' ')" 'a ok b ok ' 'parameters may be words'
status 2 'items over what is no parameter' bench-run -f good.so:rates -P m=1 -P n=x
like "$(cat .err)" "^bench-run: .*rates: 'x'" 'are told'

# Memory and allocations.
quickly -f good.so:resident -f good.so:empty
ok 'resident memory is that of its own process' within "$(median_of resident rss)" 33e6 50e6
ok 'not of another' within "$(median_of empty max_rss)" 1e5 30e6
if skip_unless unsanitized 'allocations are counted'; then
	quickly --allocs -f good.so:allocates -f good.so:empty
	is "$(values allocates alloc_calls | sort -u)" 3 'allocations are counted'
	is "$(values allocates alloc_bytes | sort -u)" 300 'and their bytes'
	is "$(values empty alloc_calls | sort -u)" 0 'none are none'
	quickly --allocs -j 1,2 -J 1,2 --sample-time 20ms -f good.so:allocates_paused
	is "$(values allocates_paused alloc_calls | sort -u | tr '\n' ' ')$(values allocates_paused alloc_bytes | sort -u)" \
		'1 10' 'a pause leaves them out, and all workers are counted'
fi

# Steadiness.
bench-run -q -e none --processes 1 -w 0 -r 24 --sample-time 50us -f good.so:grows -f good.so:called >out
is "$(values grows steady)" 0 'what never settles is flagged'
bench-run -q -e none --processes 1 -r 20 -f good.so:called >out
like "$(values called steady)" '^[01]$' 'others as it comes: noise may hinder them'
bench-run -q -e none --processes 1 -r 2 -w 2 -f good.so:called >out
is "$(values called steady)" '' 'where there is too little to tell, nothing is told'
bench-run -q -e none --processes 1 -r 1 -w 3 --keep-warmup -f good.so:called >out
is "$(column sample metric | awk '$2 == "wall" { print $1 }' | tr '\n' ' ')" '-3 -2 -1 0 ' '--keep-warmup keeps the warm-ups'

# Workers.
bench-run -q -e none --processes 2 -r 3 -w 1 -j 2 -J 2 -f good.so:spins >out
is "$(column threads workers metric worker | awk '$3 == "worker_wall" { print $1, $2, $4 }' | sort | uniq -c | sed 's/^ *//')" \
"6 1 1 0
6 1 2 0
6 1 2 1
6 2 1 0
6 2 1 1
6 2 2 0
6 2 2 1
6 2 2 2
6 2 2 3" 'threads, processes and both run at once, beside the sequential run'
# Throughput is that of all iterations of a sample over its whole time; speed-up is to that of 1, 1.
ok 'speed-up and efficiency are what they say' awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ key = $at["process"] " " $at["sample"]; k = $at["threads"] * $at["workers"]; v = $at["value"]; m = $at["metric"] }
	m == "throughput" { if (k == 1) one[key] = v; t[key, k, $at["threads"]] = v }
	m == "speedup" { n++; s[key, k, $at["threads"]] = v; if (v < 0.999999 * t[key, k, $at["threads"]] / one[key] || v > 1.000001 * t[key, k, $at["threads"]] / one[key]) bad = 1 }
	m == "efficiency" { n++; if (v < 0.999999 * s[key, k, $at["threads"]] / k || v > 1.000001 * s[key, k, $at["threads"]] / k) bad = 1 }
	END { exit(bad || n != 48) }' out
ok 'the wall is the mean of the workers' awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ key = $at["process"] " " $at["sample"] " " $at["threads"] " " $at["workers"] }
	$at["metric"] == "wall" { wall[key] = $at["value"] }
	$at["metric"] == "worker_wall" { sum[key] += $at["value"]; count[key]++ }
	END { for (k in sum) { d = sum[k] / count[k] / wall[k]; if (d < 0.999999 || d > 1.000001) bad = 1; n++ } exit(bad || n != 24) }' out
status 2 'threads of a command' bench-run -j 2 -- true
like "$(cat .err)" '^bench-run: --threads: for functions, kernels and models only' 'are refused'
for by in -j -J; do
	bench-run -q -e none --processes 1 -r 2 -w 0 $by 2 -f bad.so:second_crashes >out
	is "$(column threads workers metric status | awk '$(NF-1) == "wall" { print $NF }' | sort | uniq -c | sed 's/^ *//')" \
	"1 failed:signal=SIGSEGV
2 ok" "a worker of $by that crashes ends them all"
	bench-run -e none --processes 1 -r 2 -w 0 $by 2 -f bad.so:second_fails >out 2>err
	like "$(cat err)" 'the second is not ready' 'and so does one that fails, with its reason'
done

# Counters.
bench-run -q -e task-clock,page-faults --processes 1 -r 3 -w 1 -f good.so:spins >out
ok 'counters are per iteration' within "$(awk -v c="$(median_of spins task-clock)" -v w="$(median_of spins wall)" 'BEGIN { print c / w }')" 0.1 1.1
bench-run -q -e task-clock --processes 1 -r 3 -w 1 -f good.so:own_thread >out
ok "a benchmark's own threads are counted, too" within "$(awk -v c="$(median_of own_thread task-clock)" \
	-v w="$(median_of own_thread wall)" 'BEGIN { print c / w }')" 0.1 2
bench-run -q -e task-clock --processes 1 -r 3 -w 1 -j 2 -f good.so:uneven_threads >out
ok 'and all that the others do' awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] == "task-clock" { sum[$at["threads"]] += $at["value"] }
	END { exit !(sum[2] > 5 * sum[1]) }' out
if skip_unless pmu 'hardware counters count an iteration'; then
	bench-run -q -e instructions:u --processes 2 -r 5 -w 1 -f good.so:hundred -f good.so:empty >out
	ok 'hardware counters count an iteration' within "$(median_of hundred instructions:u)" 101.9 105
	ok 'of an empty loop, too' within "$(median_of empty instructions:u)" 1.99 2.05
fi
bench-run -q -e nonsense-not-there -r 1 -f good.so:empty >out 2>err
is "$?" 2 'an event that is none is refused'

# Going wrong: a failed row each, and the rest goes on.
bench-run -e none --timeout 0.4s --processes 2 -r 3 -w 0 --sample-time 1ms --commit c \
	-f bad.so -f good.so:empty >out 2>err
is "$?" 1 'a failure is status 1'
# ends BENCH: status of its walls, and how many processes
ends() { column bench metric status | awk -v b="$1" '$1 == b && $2 == "wall" { print $3 }' | sort | uniq -c | awk '{ printf "%s%s*%s", (NR > 1 ? " " : ""), $2, $1 }'; }
is "$(ends crashes)" 'failed:signal=SIGSEGV*2' 'a crash'
is "$(ends aborts)" 'failed:signal=SIGABRT*2' 'an abort'
is "$(ends exits)" 'failed:exit=0*2' 'an exit, also with status 0'
is "$(ends exits_in_setup)" 'failed:exit=3*2' 'in its set-up'
is "$(ends hangs)" 'timeout*1' 'a hang times out, and is not started again'
is "$(ends hangs_in_setup)" 'timeout*1' 'also in its set-up'
is "$(values hangs wall)" 400000000 'its value is the limit'
is "$(ends overflows)" 'failed:signal=SIGSEGV*2' 'a stack that overflows'
is "$(ends leaks)" 'ok*6' 'what leaks is measured'
is "$(ends fails)" 'failed:exit=1*2' 'one that says so'
is "$(ends not_here)" 'unsupported*1' 'one that cannot be measured here'
is "$(values hangs_at_end wall | tail -n 1) $(values hangs_in_setup wall)" 'timeout timeout' 'a limit that was not one of iterations is no value'
is "$(ends hangs_at_end)" 'ok*3 timeout*1' 'an end that hangs'
is "$(ends leaves_group)" 'timeout*1' 'one that leaves its group'
for wrong in no_loop leaves loops_twice wants_a_parameter wants_a_count pauses undeclared; do
	is "$(ends $wrong | sed 's/ok\*[0-9]* *//; s/ $//')" 'failed:exit=1*2' "$wrong"
done
is "$(ends forks)" 'ok*6' 'one that leaves a child behind'
ok 'the child is gone' wait_for gone 'sleep 98765'
like "$(ends closes)" '^failed|^ok' 'one that closes all files'
is "$(ends empty)" 'ok*6' 'and the others were measured'
is "$(column bench metric value | awk '$1 == "crashes" && $2 == "ok" { print $3 }' | tr '\n' ' ')" '0 0 ' 'ok is 0 then'
like "$(cat err)" '^bench-run: [0-9]+ samples failed; the first was of ' 'one line tells'
for pair in "fails:the disk is not there" "no_loop:it has no BENCH_LOOP" "leaves:it left its loop" \
	"loops_twice:its loop began once more" "undeclared:declare it with BENCH" \
	"wants_a_count:needs a whole number" "pauses:it paused and did not resume" \
	"wants_a_parameter:it wants a parameter 'n' \(-P n=VALUE"; do
	bench-run -e none --processes 1 -r 1 -f "bad.so:${pair%%:*}" >out 2>err
	like "$(cat err)" "${pair#*:}" "the reason of ${pair%%:*} is told"
done
bench-run -q -e none --timeout 5s --processes 1 -r 1 -w 0 -J 2 -f bad.so:ends_unseen -f bad.so:exits_at_end \
	-f bad.so:dies_unseen >out
is "$(column workers bench metric value status | awk '$1 == 2 && $3 == "ok" { print $2, $4 }' | sort | tr '\n' ' ')" \
	'dies_unseen 0 ends_unseen 0 exits_at_end 0 ' 'one of several processes that ends badly is not overlooked'
is "$(column workers bench status | awk '$1 == 2 && $2 == "dies_unseen" { print $3 }' | grep -c timeout)" 0 'nor waited for'
bench-run -q -e none --processes 1 -r 200 -w 0 --sample-time 1ms -f bad.so:crashes_later >out
like "$(ends crashes_later)" '^failed:signal=SIG[A-Z]+\*1 ok\*[1-9][0-9]?$' 'what was measured before a crash is kept'
bench-run -i -e none --processes 1 -r 1 -f bad.so:fails >out 2>err
is "$?" 0 '-i makes a failure no failure'

# Telling what cannot be.
status 2 'an object that is not there' bench-run -f nothing.so
like "$(cat .err)" '^bench-run: .*nothing.so: No such file or directory$' 'is told'
status 2 'a file that is no object' bench-run -f "$ROOT/README.md"
status 2 'a glob that matches nothing' bench-run -f good.so:nothing*
like "$(cat .err)" "good.so: no benchmark matches 'nothing\\*'" 'is told'
status 2 'options of commands' bench-run -f good.so:empty --metric x=y
like "$(cat .err)" "^bench-run: --metric: for commands only, and 'empty' is a function" 'are refused'
status 2 'also those that a set of events asks for' bench-run -f good.so:empty -E energy
like "$(cat .err)" '^bench-run: --energy.*: for commands only' 'are refused'
status 2 'the same twice' bench-run -f good.so:empty -f good.so:empty
echo 'void benchmark_x(void); void missing(void); void benchmark_x(void) { missing(); }' |
	gcc -x c -shared -fPIC -o lacking.so -
status 2 'an object that lacks something' bench-run -f lacking.so
like "$(cat .err)" 'lacking.so:benchmark_x: .*missing' 'is told before anything runs'

# Hooks around all of a function, and what it reads and writes.
quickly --setup 'echo up {n} >>hooks' --cleanup 'echo down {n} >>hooks' -f good.so:rates
is "$(cat hooks)" 'up 10
up 20
down 10
down 20' 'setup and cleanup run once for each'
cat >talks.c <<'END'
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
void benchmark_talks(void);
void benchmark_talks(void)
{
	static int told;
	char word[20] = "";
	cpu_set_t cpus;

	if (told++ || scanf("%19s", word) != 1)
		return;
	sched_getaffinity(0, sizeof(cpus), &cpus);
	printf("read %s, %s, %s jitter, %d processor\n", word, getenv("WORD"),
		getenv("BENCH_JITTER") ? "with" : "no", CPU_COUNT(&cpus));
}
END
compile talks.so -D_GNU_SOURCE talks.c
echo hello >input
cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
quickly -f talks.so --stdin input --stdout output --env WORD=a --env-jitter --cpu "$cpu" -d kept
is "$(cat output)" 'read hello, a, with jitter, 1 processor
read hello, a, with jitter, 1 processor' 'each process has its own input, environment and processor, and adds to the output'
is "$(unmarked out | cut -d, -f7 | sort -u | tr '\n' ' ')" 'bench talks ' 'which is not among the rows'
is "$(cmp kept/*/samples.csv out)$(find kept -name '*.*s*' | wc -l)" 4 '-d keeps a run of functions, too'

# Together with commands, and in the summary.
bench-run -q -e none -r 2 --processes 1 -w 1 -c 'sleep 0.01' -f good.so:empty >out
is "$(column kind metric | awk '$2 == "wall" { print $1 }' | uniq -c | sed 's/^ *//' | tr '\n' ' ')" \
	'2 command 2 function ' 'commands and functions in one run'
is "$(column kind process | awk '$1 == "command" { print $2 }' | sort -u)" '' 'a command has no process column'
bench-run -q -e none -r 3 --processes 2 -w 1 --table -f good.so:empty >table
like "$(cat table)" '^empty +good.so +wall +6 ' 'a terminal gets the summary over all processes'

# A folder of all sorts, from what finds them to what sums them up.
mkdir folder && cp bad.so folder/ && mv lacking.so folder/
gcc -x c -shared -fPIC -o folder/mislabelled.so - <<'END'
int benchmark_data[4] = { 1 };
static void hidden(void) { }
void (*run_hidden)(void) = hidden;
void other(void) { }
void run_right(void) { }
END
echo 'no object' >folder/benchmark_text.so
if skip_unless g++ 'benchmarks in C++'; then
	g++ -O2 -shared -fPIC -Wall -Wextra -I "$ROOT/include" -o folder/more.so "$ROOT/tests/fixtures/functions/more.cc" 2>warnings
	is "$(cat warnings)" '' 'bench.h compiles without a warning in C++'
	bench-list folder | bench-run -q -i -e none --timeout 0.4s --processes 2 -r 3 -w 0 --sample-time 1ms -I - |
		bench-stat -s n,failed >stat.csv
	# summed BENCH: n and failed of its wall
	summed() { awk -F, -v b="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["bench"] == b && $at["metric"] == "wall" { print $at["n"], $at["failed"] }' stat.csv; }
	is "$(summed append)" '6 0' 'a good one in C++'
	is "$(summed throws)" '0 2' 'one that throws'
	is "$(summed crashes)" '0 2' 'one that crashes'
	is "$(summed hangs)" '0 1' 'one that hangs'
	is "$(summed leaks)" '6 0' 'one that leaks'
	is "$(summed right)" '6 0' 'a plain one'
	is "$(summed x)" '0 1' 'one that lacks something is skipped'
	is "$(summed data)" '0 1' 'data that are named like a benchmark, too'
	is "$(summed text)$(summed other)" '' 'what is no benchmark is not there'
fi

# Interrupts leave nobody behind.
bench-run -q -e none -f bad.so:hangs --timeout 100s >out 2>err &
pid=$!
wait_for alive 'bench-call'
kill -TERM $pid
wait $pid
is "$?" 143 'a signal ends it by the signal'
ok 'and the process of the function' wait_for gone 'bench-call'
done_testing
