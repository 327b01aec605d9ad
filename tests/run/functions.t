#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of shared objects with bench-run -f: the rows of those that work, and of
# those that fail.
# timing: waits for or judges what other processes do at the same time
# waits
. "${0%/*}/../lib/tap.sh"

# A sanitizer handles signals for its own reports; the measured functions are to end by them.
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

# Output.
quickly -f good.so:empty
is "$(head -n 1 out)" \
	'run,time,host,env,commit,kind,bench,object,process,sample,t,iterations,metric,unit,value,status,running_pct' \
	'the samples of a function have the columns of the format and object'
is "$(column kind bench object metric unit status | sort | uniq -c | sed 's/^ *//')" \
"2 function empty good.so first ns ok
2 function empty good.so load ns ok
2 function empty good.so max_rss B ok
2 function empty good.so ok 1 ok
6 function empty good.so rss B ok
2 function empty good.so setup ns ok
6 function empty good.so wall ns ok" 'each process of a function has its phases once, and samples'
is "$(column process sample metric | grep wall | cut -d' ' -f1,2 | tr '\n' ' ')" '0 0 0 1 0 2 1 0 1 1 1 2 ' \
	'samples are numbered within each process'
is "$(column metric iterations | grep wall | sort -u | wc -l)" 1 'all samples have the same number of iterations'
ok 'a sample of an empty loop has many iterations' within "$(column metric iterations | awk '/wall/ { print $2; exit }')" 10000 100000000
ok 'an iteration of an empty loop takes at most 20 ns' within "$(median_of empty wall)" 0.05 20
quickly -f good.so:plain -f good.so:called -f good.so:empty -O interleaved
is "$(column bench process sample metric | awk '$4 == "wall" { print $1 }' | head -n 6 | tr '\n' ' ')" \
	'plain called empty plain called empty ' 'a block contains a sample of each function, in the order of the subjects'
ok 'a function without arguments is called in a loop' within "$(median_of plain wall)" 0.05 50
ok 'the metadata of a function without arguments is used' within "$(median_of called throughput)" 100 400

quickly -O sequential -f good.so:plain -f good.so:empty
is "$(column bench process | uniq | tr '\n' ' ')" 'plain 0 plain 1 empty 0 empty 1 ' \
	'-O sequential measures one function after the other'

# Phases.
SLOW_LOAD=1 bench-run -q -e none --processes 3 -r 5 -f good.so:phases >out
ok 'load is the time of dlopen' within "$(median_of phases load)" 60e6 90e6
ok 'setup is the time before the loop' within "$(median_of phases setup)" 50e6 75e6
ok 'first is the time of the first iteration' within "$(median_of phases first)" 40e6 60e6
ok 'samples exclude the first iteration' within "$(median_of phases wall)" 30e6 45e6
is "$(column metric iterations | grep wall | sort -u)" 'wall 1' 'an iteration longer than --sample-time is a sample by itself'
quickly -f good.so:fixture
ok 'the functions of setup= and teardown= are called, and the former is timed as setup' within "$(median_of fixture setup)" 20e6 40e6
is "$(column metric status | grep '^wall' | sort | uniq -c | sed 's/^ *//')" '6 wall ok' 'a set-up function passes data to the benchmark'
quickly -f good.so:paused
ok 'wall excludes a pause' within "$(median_of paused wall)" 5e6 20e6

quickly -f good.so:paused_between
ok 'wall excludes a pause that continues in the next iteration' within "$(median_of paused_between wall)" 5e6 20e6
quickly -r 1 -j 2 -f good.so:paused_most
is "$(values paused_most throughput | awk '$1 < 60' | wc -l)" 0 'throughput of several workers excludes their pauses'
bench-run -q -e none --processes 1 -r 1 -f good.so:slow_at_first >out
ok 'the number of iterations is calibrated again if the first ones were slow' \
	within "$(column metric iterations | awk '$1 == "wall" { print $2 }')" 1000 1e12

# Parameters and rates.
quickly -f good.so:rates
is "$(column n metric | grep wall | sort | uniq -c | sed 's/^ *//')" "6 10 wall
6 20 wall" 'the parameters of the metadata are swept'
ok 'items and bytes of the metadata give throughput and bandwidth' awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] == "wall" { wall = $at["value"] }
	$at["metric"] == "throughput" { n++; d = $at["value"] * wall / 1e9 / $at["n"]; if (d < 0.999999 || d > 1.000001) bad = 1 }
	$at["metric"] == "bandwidth" { n++; d = $at["value"] * wall / 1e9 / $at["n"] / 8; if (d < 0.999999 || d > 1.000001) bad = 1 }
	END { exit(bad || n != 24) }' out
quickly -f good.so:rates -P n=1k,3
is "$(column n | sort | uniq -c | awk '{ print $2 }' | tr '\n' ' ')" '1k 3 ' '-P overrides the values of the metadata'
ok 'a value with a suffix is used to compute bandwidth' within "$(column n metric value | awk '$1 == "1k" && $2 == "bandwidth" { print $3; exit }')" 500e3 1.7e6
quickly -f good.so:own_rates
ok 'a benchmark can set its items at run time' within "$(median_of own_rates throughput)" 500 1400
quickly -f good.so:infinite_items
is "$(values infinite_items throughput)$(values infinite_items bandwidth)" '' 'infinite items give no throughput'
quickly -f good.so:text
is "$(column word metric | grep ok | sort -u | tr '\n' ' ')" 'a ok b ok ' 'parameters of functions may be words'
status 2 'bench-run rejects items that depend on an invalid value' bench-run -f good.so:rates -P m=1 -P n=x
like "$(cat .err)" "^bench-run: .*rates: parameter 'n': 'x'" 'the message about invalid items names the benchmark and the value'

# Memory and allocations.
quickly -f good.so:resident -f good.so:empty
ok 'rss of a function is that of its process' within "$(median_of resident rss)" 33e6 50e6
ok 'max_rss of a function excludes the memory of other functions' within "$(median_of empty max_rss)" 1e5 30e6
if skip_unless unsanitized 'alloc_calls counts allocations per iteration'; then
	quickly --allocs -f good.so:allocates -f good.so:empty
	is "$(values allocates alloc_calls | sort -u)" 3 'alloc_calls counts allocations per iteration'
	is "$(values allocates alloc_bytes | sort -u)" 300 'alloc_bytes counts the bytes of allocations per iteration'
	is "$(values empty alloc_calls | sort -u)" 0 'alloc_calls is 0 without allocations'
	quickly --allocs -j 1,2 -J 1,2 --sample-time 20ms -f good.so:allocates_paused
	is "$(values allocates_paused alloc_calls | sort -u | tr '\n' ' ')$(values allocates_paused alloc_bytes | sort -u)" \
		'1 10' 'alloc_calls and alloc_bytes exclude pauses and include all workers'
fi

# Steadiness.
bench-run -q -e none --processes 1 -w 0 -r 24 --sample-time 50us -f good.so:grows -f good.so:called >out
is "$(values grows steady)" 0 'steady is 0 for a function whose time grows'
bench-run -q -e none --processes 1 -r 20 -f good.so:called >out
like "$(values called steady)" '^[01]$' 'steady is 0 or 1 for other functions'
bench-run -q -e none --processes 1 -r 2 -w 2 -f good.so:called >out
is "$(values called steady)" '' 'steady is absent with too few samples'
bench-run -q -e none --processes 1 -r 1 -w 3 --keep-warmup -f good.so:called >out
is "$(column sample metric | awk '$2 == "wall" { print $1 }' | tr '\n' ' ')" '-3 -2 -1 0 ' '--keep-warmup writes the warm-ups of a function'

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
6 2 2 3" '-j and -J measure threads, processes and both, and the sequential run'
# Throughput is all iterations of a sample over its whole time; speed-up is relative to 1 thread of 1 process.
ok 'speedup and efficiency follow from the throughputs' awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ key = $at["process"] " " $at["sample"]; k = $at["threads"] * $at["workers"]; v = $at["value"]; m = $at["metric"] }
	m == "throughput" { if (k == 1) one[key] = v; t[key, k, $at["threads"]] = v }
	m == "speedup" { n++; s[key, k, $at["threads"]] = v; if (v < 0.999999 * t[key, k, $at["threads"]] / one[key] || v > 1.000001 * t[key, k, $at["threads"]] / one[key]) bad = 1 }
	m == "efficiency" { n++; if (v < 0.999999 * s[key, k, $at["threads"]] / k || v > 1.000001 * s[key, k, $at["threads"]] / k) bad = 1 }
	END { exit(bad || n != 48) }' out
ok 'wall is the mean of worker_wall' awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ key = $at["process"] " " $at["sample"] " " $at["threads"] " " $at["workers"] }
	$at["metric"] == "wall" { wall[key] = $at["value"] }
	$at["metric"] == "worker_wall" { sum[key] += $at["value"]; count[key]++ }
	END { for (k in sum) { d = sum[k] / count[k] / wall[k]; if (d < 0.999999 || d > 1.000001) bad = 1; n++ } exit(bad || n != 24) }' out
status 2 'bench-run rejects -j for a command' bench-run -j 2 -- true
like "$(cat .err)" '^bench-run: --threads: for functions, kernels and models only' 'the message about -j for a command names the kinds that it applies to'
for by in -j -J; do
	bench-run -q -e none --processes 1 -r 2 -w 0 $by 2 -f bad.so:second_crashes >out
	is "$(column threads workers metric status | awk '$(NF-1) == "wall" { print $NF }' | sort | uniq -c | sed 's/^ *//')" \
	"1 failed:signal=SIGSEGV
2 ok" "a worker of $by that crashes ends the sample"
	bench-run -e none --processes 1 -r 2 -w 0 $by 2 -f bad.so:second_fails >out 2>err
	like "$(cat err)" 'the second is not ready' "a worker of $by that fails ends the sample, and its reason is reported"
done

# Counters.
bench-run -q -e task-clock,page-faults --processes 1 -r 3 -w 1 -f good.so:spins >out
ok 'counters of a function are per iteration' within "$(awk -v c="$(median_of spins task-clock)" -v w="$(median_of spins wall)" 'BEGIN { print c / w }')" 0.1 1.1
bench-run -q -e task-clock --processes 1 -r 3 -w 1 -f good.so:own_thread >out
# A thread makes 10^6 turns of a loop, each at least half a cycle; starting it takes less than 0.1 ms.
ok "counters include threads that a benchmark starts" within "$(median_of own_thread task-clock)" 100000 1000000000
bench-run -q -e task-clock --processes 1 -r 3 -w 1 -j 2 -f good.so:uneven_threads >out
ok 'counters include all workers' awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] == "task-clock" { sum[$at["threads"]] += $at["value"] }
	END { exit !(sum[2] > 5 * sum[1]) }' out
if skip_unless pmu 'hardware counters count the instructions of one iteration'; then
	bench-run -q -e instructions:u --processes 2 -r 5 -w 1 -f good.so:hundred -f good.so:empty >out
	ok 'hardware counters count the instructions of one iteration' within "$(median_of hundred instructions:u)" 101.9 105
	ok 'hardware counters count the instructions of an empty loop' within "$(median_of empty instructions:u)" 1.99 2.05
fi
bench-run -q -e nonsense-not-there -r 1 -f good.so:empty >out 2>err
is "$?" 2 'bench-run rejects an unknown event for functions'

# Failures: each function has a failed row, and the others are measured.
bench-run -e none --timeout 0.4s --processes 2 -r 3 -w 0 --sample-time 1ms --commit c \
	-f bad.so -f good.so:empty >out 2>err
is "$?" 1 'bench-run exits with 1 if a function fails'
# ends BENCH: status of its walls, and how many processes
ends() { column bench metric status | awk -v b="$1" '$1 == b && $2 == "wall" { print $3 }' | sort | uniq -c | awk '{ printf "%s%s*%s", (NR > 1 ? " " : ""), $2, $1 }'; }
is "$(ends crashes)" 'failed:signal=SIGSEGV*2' 'a function that crashes has one failed sample in each process'
is "$(ends aborts)" 'failed:signal=SIGABRT*2' 'a function that aborts has one failed sample in each process'
is "$(ends exits)" 'failed:exit=0*2' 'a function that exits with 0 has failed'
is "$(ends exits_in_setup)" 'failed:exit=3*2' 'a function that exits in its set-up has failed'
is "$(ends hangs)" 'timeout*1' 'a function that hangs times out once'
is "$(ends hangs_in_setup)" 'timeout*1' 'a function that hangs in its set-up times out once'
is "$(values hangs wall)" 400000000 'the value of a function that hangs is the limit'
is "$(ends overflows)" 'failed:signal=SIGSEGV*2' 'a function that overflows its stack has failed'
is "$(ends leaks)" 'ok*6' 'a function that leaks memory is measured'
is "$(ends fails)" 'failed:exit=1*2' 'a function that reports a failure has failed'
is "$(ends not_here)" 'unsupported*1' 'a function that reports that it is unsupported has that status'
is "$(values hangs_at_end wall | tail -n 1) $(values hangs_in_setup wall)" 'timeout timeout' 'a timeout outside a sample has no value'
is "$(ends hangs_at_end)" 'ok*3 timeout*1' 'a function that hangs at its end times out after its samples'
is "$(ends leaves_group)" 'timeout*1' 'a function that leaves its process group and hangs times out'
# The process ends before it has loaded the object, as it does without a library that the object needs.
printf '#include <unistd.h>\n__attribute__((constructor)) static void end(void) { _exit(127); }\nvoid benchmark_it(void) {}\n' >unloadable.c
${CC:-cc} -shared -fPIC -o unloadable.so unloadable.c
bench-run -q -e none --processes 1 -r 2 -w 0 -f unloadable.so >unloadable.csv 2>/dev/null
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] == "wall" { status = $at["status"] }
	$at["metric"] == "rows" { end = $at["time"] }
	$at["metric"] != "rows" && substr($at["time"], 1, 4) < 2000 { wrong++ }
	END { print status, wrong + 0, (end > "2000") }' unloadable.csv)" 'failed:exit=127 0 1' \
	'the rows of a function whose process cannot load it have the time of the start'
for wrong in no_loop leaves loops_twice wants_a_parameter wants_a_count pauses undeclared; do
	is "$(ends $wrong | sed 's/ok\*[0-9]* *//; s/ $//')" 'failed:exit=1*2' "the benchmark $wrong fails in each process"
done
is "$(ends forks)" 'ok*6' 'a function that leaves a child behind is measured'
ok 'a child that a function leaves behind is killed' wait_for gone 'sleep 98765'
like "$(ends closes)" '^failed|^ok' 'a function that closes all files fails or is measured'
is "$(ends empty)" 'ok*6' 'other functions are measured although some fail'
is "$(column bench metric value | awk '$1 == "crashes" && $2 == "ok" { print $3 }' | tr '\n' ' ')" '0 0 ' 'the metric ok of a function that crashes is 0'
like "$(cat err)" '^bench-run: [0-9]+ samples failed; the first was of ' 'bench-run reports the number of failed samples in one line'
for pair in "fails:the disk is not there" "no_loop:it has no BENCH_LOOP" "leaves:it left its loop" \
	"loops_twice:its loop began again" "undeclared:declare it with BENCH" \
	"wants_a_count:needs a whole number" "pauses:it paused and did not resume" \
	"wants_a_parameter:it needs a parameter 'n' \(-P n=VALUE"; do
	bench-run -e none --processes 1 -r 1 -f "bad.so:${pair%%:*}" >out 2>err
	like "$(cat err)" "${pair#*:}" "bench-run reports the reason of ${pair%%:*}"
done
bench-run -q -e none --timeout 5s --processes 1 -r 1 -w 0 -J 2 -f bad.so:ends_unseen -f bad.so:exits_at_end \
	-f bad.so:dies_unseen >out
is "$(column workers bench metric value status | awk '$1 == 2 && $3 == "ok" { print $2, $4 }' | sort | tr '\n' ' ')" \
	'dies_unseen 0 ends_unseen 0 exits_at_end 0 ' 'a sample fails if one of several processes ends abnormally'
is "$(column workers bench status | awk '$1 == 2 && $2 == "dies_unseen" { print $3 }' | grep -c timeout)" 0 'bench-run does not wait for a process that died'
bench-run -q -e none --processes 1 -r 200 -w 0 --sample-time 1ms -f bad.so:crashes_later >out
like "$(ends crashes_later)" '^failed:signal=SIG[A-Z]+\*1 ok\*[1-9][0-9]?$' 'the samples before a crash are written'
bench-run -i -e none --processes 1 -r 1 -f bad.so:fails >out 2>err
is "$?" 0 'bench-run -i exits with 0 although a function fails'

# Errors.
status 2 'bench-run exits with 2 if its only object is missing' bench-run -f nothing.so
like "$(cat .err)" '^bench-run: .*nothing.so: No such file or directory$' 'bench-run names the missing object'
status 2 'bench-run exits with 2 if a file is not an object' bench-run -f "$ROOT/README.md"
status 2 'bench-run exits with 2 if a glob matches no benchmark' bench-run -f good.so:nothing*
like "$(cat .err)" "good.so: no benchmark matches 'nothing\\*'" 'bench-run names the glob that matches no benchmark'
status 2 'bench-run rejects --extract for a function' bench-run -f good.so:empty --extract x=y
like "$(cat .err)" "^bench-run: --extract: for commands only, and 'empty' is a function" 'the message about --extract for a function names both'
status 2 'bench-run rejects --energy-model for a function' bench-run -f good.so:empty --energy-model tdp=65W
like "$(cat .err)" '^bench-run: --energy-model: for commands only' 'the message about --energy-model for a function names the option'
status 2 'bench-run rejects the same function twice' bench-run -f good.so:empty -f good.so:empty
echo 'void benchmark_x(void); void missing(void); void benchmark_x(void) { missing(); }' |
	gcc -x c -shared -fPIC -o lacking.so -
status 2 'bench-run exits with 2 if an object has an unresolved symbol' bench-run -f lacking.so
like "$(cat .err)" 'lacking.so:benchmark_x: .*missing' 'bench-run names the unresolved symbol'

# Hooks, input and output of functions.
quickly --setup 'echo up {n} >>hooks' --cleanup 'echo down {n} >>hooks' -f good.so:rates
is "$(cat hooks)" 'up 10
up 20
down 10
down 20' '--setup and --cleanup run once for each subject'
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
read hello, a, with jitter, 1 processor' 'each process of a function has its own input, environment and processor, and appends to the output'
is "$(unmarked out | cut -d, -f7 | sort -u | tr '\n' ' ')" 'bench talks ' 'the output of a function is not among the rows'
is "$(cmp kept/*/samples.csv out)$(find kept -name '*.*s*' | wc -l)" 4 '-d writes the four files for functions'

rm output
quickly -f talks.so --stdin input --stdout output --processes 1 -P v=1,2 --env 'WORD={v}' 2>err
is "$(cut -d, -f2 output | sort | paste -sd,),$(cat err)" ' 1, 2,' '--env replaces the parameters of -P for functions, without a note'

# Functions together with commands, and in the summary.
bench-run -q -e none -r 2 --processes 1 -w 1 -c 'sleep 0.01' -f good.so:empty >out
is "$(column kind metric | awk '$2 == "wall" { print $1 }' | uniq -c | sed 's/^ *//' | tr '\n' ' ')" \
	'2 command 2 function ' 'commands and functions can be measured in one run'
is "$(column kind process | awk '$1 == "command" { print $2 }' | sort -u)" '' 'the column process is empty for a command'
bench-run -q -e none -r 3 --processes 2 -w 1 --table -f good.so:empty >table
like "$(cat table)" '^empty +good.so +wall +6 ' '--table summarizes a function over all its processes'

# A directory with many kinds of objects, from bench-list to bench-stat.
mkdir directory && cp bad.so directory/ && mv lacking.so directory/
gcc -x c -shared -fPIC -o directory/mislabelled.so - <<'END'
int benchmark_data[4] = { 1 };
static void hidden(void) { }
void (*run_hidden)(void) = hidden;
void other(void) { }
void run_right(void) { }
END
echo 'no object' >directory/benchmark_text.so
if skip_unless g++ 'bench.h compiles without a warning in C++'; then
	g++ -O2 -shared -fPIC -Wall -Wextra -I "$ROOT/include" -o directory/more.so "$ROOT/tests/fixtures/functions/more.cc" 2>warnings
	is "$(cat warnings)" '' 'bench.h compiles without a warning in C++'
	bench-list directory | bench-run -q -i -e none --timeout 0.4s --processes 2 -r 3 -w 0 --sample-time 1ms -I - |
		bench-stat -s n,failed >stat.csv
	# summed BENCH: n and failed of its wall
	summed() { awk -F, -v b="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["bench"] == b && $at["metric"] == "wall" { print $at["n"], $at["failed"] }' stat.csv; }
	is "$(summed append)" '6 0' 'a benchmark in C++ is measured'
	is "$(summed throws)" '0 2' 'a benchmark that throws has failed'
	is "$(summed crashes)" '0 2' 'bench-stat counts the failures of a benchmark that crashes'
	is "$(summed hangs)" '0 1' 'bench-stat counts the timeout of a benchmark that hangs'
	is "$(summed leaks)" '6 0' 'bench-stat counts the samples of a benchmark that leaks'
	is "$(summed right)" '6 0' 'bench-stat counts the samples of a plain function'
	is "$(summed x)" '0 1' 'a function with an unresolved symbol is skipped'
	is "$(summed data)" '0 1' 'data named like a benchmark are skipped'
	is "$(summed text)$(summed other)" '' 'files and functions that are not benchmarks have no rows'
fi

# Interrupts end all processes.
bench-run -q -e none -f bad.so:hangs --timeout 100s >out 2>err &
pid=$!
wait_for alive 'bench-call'
kill -TERM $pid
wait $pid
is "$?" 143 'bench-run ends by SIGTERM while a function runs'
ok 'the process of a function ends with bench-run' wait_for gone 'bench-call'
done_testing
