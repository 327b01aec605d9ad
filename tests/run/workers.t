#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run -J: concurrent copies of a command, their metrics, and their end.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

run() { timeout 60 bench-run -q -e none -w 0 "$@"; }
# field NAME FILE [METRIC [WORKERS]]: a column of these rows
field() {
	awk -F, -v name="$1" -v metric="${3:-}" -v workers="${4:-}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] != "rows" && (metric == "" || $at["metric"] == metric) &&
		(workers == "" || $at["workers"] == workers) { print $at[name] }' "$2"
}
line() { tr '\n' ' '; }
mark=6$$.25

# Two sleeps take the time of one.
run -r 2 -O interleaved -J 2 -- sleep 0.3 >a.csv
is $? 0 'bench-run -J 2 exits with 0'
is "$(field workers a.csv wall | line)" '1 2 1 2 ' '-J 2 also measures one copy'
is "$(field value a.csv wall 2 | awk '$1 < 3e8 || $1 > 1.9 * 3e8' | wc -l)" 0 'two copies of sleep take the time of one'
is "$(field worker a.csv worker_wall | line)" '0 0 1 0 0 1 ' 'worker_wall has one row for each worker'
is "$(field worker a.csv wall | line)" '    ' 'the column worker is empty in rows of wall'
is "$(awk -F, '{ print NF }' a.csv | sort -u)" 18 '-J adds two columns'
for metric in throughput speedup efficiency; do
	is "$(field workers a.csv $metric | line)" '1 2 1 2 ' "$metric is written for each number of workers"
done
awk -F, '
	function near(a, b) { return a >= b * (1 - 1e-12) && a <= b * (1 + 1e-12) }
	$14 == "wall" { wall[$11, $8] = $16 }
	$14 == "worker_wall" && $16 > longest[$11, $8] { longest[$11, $8] = $16 }
	$14 == "throughput" { rate[$11, $8] = $16 }
	$14 == "speedup" { up[$11, $8] = $16 }
	$14 == "efficiency" { part[$11, $8] = $16 }
	END {
		for (s = 0; s < 2; s++)
			for (k = 1; k <= 2; k++) {
				print near(rate[s, k], k / wall[s, k] * 1e9), near(up[s, k], rate[s, k] / rate[s, 1]),
					near(part[s, k], up[s, k] / k), longest[s, k] == wall[s, k]
			}
	}' a.csv >sums
is "$(sort -u sums)" '1 1 1 1' 'throughput, speedup and efficiency follow from the wall times'
ok 'the speed-up of one copy is 1' test "$(field value a.csv speedup 1 | line)" = '1 1 '
ok 'bench-stat reads samples with workers' bench-stat a.csv
is "$(run -r 1 -J 3,1 -- true | field workers - wall | line)" '3 1 ' '-J keeps the order of a list that contains 1'
is "$(run -r 1 -J 1..4*2 -n '{workers}' -- test '{workers}' -lt 3 | field status - wall | line)" \
	'ok ok failed:exit=1 ' '{workers} is replaced by the number of copies'
is "$(run -r 1 -J 1 -- true | field metric - | line)" \
	'wall user sys max_rss page-faults context-switches block_in block_out throughput speedup efficiency worker_wall ok ' \
	'-J 1 writes the metrics of workers'
run -r 1 -P n=1,2 -J 2 -c 'true {n}' -c 'true 2 {n}' >sweeps.csv
is "$(field value sweeps.csv speedup 1 | line)$(field value sweeps.csv speedup 2 | wc -l)" '1 1 1 1 4' \
	'each subject has its own sequential run'
is "$(run -r 1 -w 1 --keep-warmup -J 2 -- true | field sample - speedup | line)" '-1 -1 0 0 ' 'warm-ups have a speed-up'
is "$(run -r 2 -O sequential -J 2 -- true | field workers - speedup | line)" '1 1 ' \
	'a block without a sequential run has no speed-up'
printf 'kind,bench,subject,args,status\ncommand,a,true {n},n=7,ok\ncommand,b,true,,broken\n' |
	run -r 1 -J 2 -I - >table.csv
is "$(field status table.csv wall | line)" 'skipped skipped ok ok ' '-J applies to subjects of a table'

# Sums over the workers
big='dd if=/dev/zero of=/dev/null bs=16M count=1'
run -r 3 -J 4 -c "$big" >b.csv
# ratio METRIC FILE: its median with 4 workers over that with one
ratio() {
	bench-stat -s median "$2" | awk -F, -v m="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == m { v[$at["workers"]] = $at["median"] }
		END { print v[4] / v[1] }'
}
if skip_unless unsanitized 'page faults are the sum over all workers, without those of the helper'; then
	run -r 3 -J 4 -- true >true.csv
	is "$(ratio page-faults true.csv | awk '{ print ($1 > 3.6 && $1 < 4.4) }')" 1 \
		'page faults are the sum over all workers, without those of the helper'
fi
is "$(ratio max_rss b.csv | awk '{ print ($1 > 0.8 && $1 < 1.2) }')" 1 'max_rss is that of the largest worker'
if timeout 20 bench-run -q -w 0 -r 1 -e page-faults,task-clock -- true | grep -q ',task-clock,.*,ok,'; then
	timeout 60 bench-run -q -w 0 -r 3 -J 4 -e page-faults:u,task-clock -c "$big" >c.csv
	is "$(ratio page-faults:u c.csv | awk '{ print ($1 > 3.6 && $1 < 4.4) }')" 1 'counters are the sum over all workers'
	is "$(field value c.csv task-clock | awk '$1 <= 0' | wc -l)" 0 'counters have a value in each sample with workers'
fi
is "$(run -r 1 --energy-model tdp=65W -J 2 -- true | field worker - energy_modelled | line)" '  ' 'energy_modelled is written for all workers together'
run -r 1 --interval 10ms -J 2 -S -c '[ {workers} = 1 ] || exec sleep 0.5' >i.csv
is "$(field value i.csv processes 2 | sort -n | tail -n 1)" 2 '--interval observes all workers together'
is "$(field t i.csv processes 2 | awk '$1 < 0' | wc -l)" 0 'the time series of workers begins when the gate opens'

# Hooks, input and output
run -r 2 -J 2 --prepare 'echo before >>log' --conclude 'echo after >>log' -- true >h.csv
is "$(line <log)" 'before after before after before after before after ' 'hooks run once per sample with workers'
echo text >in
run -r 1 -O interleaved -J 3 --stdin in --stdout out -S -c 'cat >"copy.$$"; echo said' >o.csv
is "$(cat copy.* | line)" 'text text text text ' 'each worker reads --stdin from its start'
is "$(line <out)" 'said said said ' 'all workers write to one output'

# Processors: the first two that are allowed
cpus=$(awk '/^Cpus_allowed_list/ {
	n = split($2, part, ",")
	for (i = 1; i <= n; i++) {
		split(part[i], end, "-")
		for (c = end[1]; c <= (end[2] == "" ? end[1] : end[2]); c++)
			print c
	}
}' /proc/self/status | head -n 2)
first=$(echo "$cpus" | head -n 1) last=$(echo "$cpus" | tail -n 1)
run -r 1 -J 3 --cpu "$(echo "$cpus" | paste -sd,)" -S \
	-c '[ {workers} = 1 ] || grep Cpus_allowed_list /proc/self/status >"cpu.$$"' >p.csv
is "$(cut -f 2 cpu.* | sort -n | line)" "$(printf '%s\n' "$first" "$first" "$last" | sort -n | line)" \
	'--cpu confines each worker to one processor, in turn'

# Failure
one_fails='[ {workers} = 1 ] || { mkdir lock 2>/dev/null && exit 3; sleep 0.2; echo on >"went.$$"; }'
status 1 'bench-run exits with 1 if one of three workers fails' run -r 1 -J 3 --prepare 'rm -rf lock' -S -c "$one_fails"
cp .out f.csv
is "$(field status f.csv wall | line)" 'ok failed:exit=3 ' 'the status of a sample is that of the worker that failed'
is "$(cat went.* | line)" 'on on ' 'the other workers continue after one failed'
is "$(field workers f.csv speedup | line)$(field value f.csv throughput 3)" '1 ' 'a failed sample has no speed-up and no throughput'
is "$(field status f.csv worker_wall 3 | sort -u)" 'failed:exit=3' 'worker_wall of a failed sample has its status'
is "$(run -r 1 -J 3 --success 0,3 --prepare 'rm -rf lock' -S -c "$one_fails" | field status - wall | line)" \
	'ok ok ' 'a worker succeeds with an exit code of --success'
is "$(run -i -r 1 -J 2 --success 3 --prepare 'rm -rf lock' -S -c "$one_fails" | field status - wall | line)" \
	'failed:exit=0 failed:exit=0 ' 'a worker fails with exit code 0 if --success excludes it'
is "$(run -r 1 -J 2 --success 3 -S -c 'exit 3' | field status - wall | line)" 'ok ok ' 'all workers may end with an exit code of --success'

status 2 'bench-run exits with 2 if --stdin of a worker does not exist' run -r 1 -J 2 --stdin 'in{workers}' -- true
printf '\001garbage' >bad2 && cp /bin/true bad1 && chmod +x bad1 bad2
for order in interleaved sequential; do
	status 1 "one of two programs that the kernel cannot start is skipped, $order" run -r 1 -O $order -J 2 -c './bad{workers}'
	is "$(field status .out wall | line)$(wc -l <.err)" 'skipped ok 1' "the program that can be started is measured, $order"
done

if skip_unless another-user 'no worker runs if one of them cannot be started'; then
	mkdir -m 777 nproc && chmod 711 "$T"
	setpriv --reuid 65534 --regid 65534 --clear-groups prlimit --nproc=20 \
		"$BUILD/bin/bench-run" -q -e none -w 0 -r 1 -J 100 -S \
		-c '[ {workers} = 1 ] || echo >"nproc/$$"' >n.csv 2>n.err
	is "$?$(cat n.err)$(ls nproc)" '2bench-run: cannot start a process: Resource temporarily unavailable' \
		'no worker runs if one of them cannot be started'
fi

hang="[ {workers} = 1 ] || exec sleep $mark"
status 1 'bench-run exits with 1 if workers exceed --timeout' run -r 1 --timeout 200ms -J 3 -S -c "$hang"
is "$(field value .out wall 3),$(field status .out wall 3)" '200000000,timeout' 'a sample of workers that exceed --timeout has the limit as its value'
is "$(field value .out worker_wall 3 | sort -u)" 200000000 'worker_wall is the limit if workers exceed --timeout'
ok 'workers that exceed --timeout are killed' gone "^sleep $mark"
run -r 1 -J 3 -S -c "sleep $mark & (setsid -f true); true" >l.csv
ok 'processes that workers leave behind are killed' wait_for gone "^sleep $mark"

three() { [ "$(pgrep -cf "^sleep $mark")" = 3 ]; }
for signal in INT TERM KILL; do
	cat >start.pl <<'END_PERL'
$SIG{INT} = 'DEFAULT';
exec @ARGV;
END_PERL
	perl start.pl bench-run -q -e none -w 0 -r 1 -O interleaved -J 3 -S -c "$hang" >"$signal.csv" 2>"$signal.err" &
	pid=$!
	wait_for three
	kill -$signal $pid
	wait $pid 2>/dev/null
	ok "no worker is left after SIG$signal" wait_for gone "^sleep $mark"
	is "$(grep -v ': interrupted after 1 of 1 run of .* and 0 of 1 of ' $signal.err)" '' \
		"SIG$signal to workers causes no message but that of the interruption"
done
is "$(field workers TERM.csv wall)" 1 'the samples before SIGTERM are written'
pid=$(perl start.pl bench-run -q -e none -w 0 -r 1 -O interleaved -J 3 -S -c "$hang" >/dev/null 2>h.err & echo $!)
wait_for three
pkill -KILL -P "$pid" bench-spawn
ok 'no worker is left after the helper is killed' wait_for gone "^sleep $mark"

# A worker that does not reach the gate, because it waits for a writer of its standard input.
mkfifo in2 && touch in1
at_gate() { waiting=$(pgrep -x -P "$(pgrep -P "$pid" bench-spawn)" bench-spawn); }
bench-run -q -e none -w 0 -r 1 -O interleaved -J 2 --stdin 'in{workers}' -- true >g.csv 2>g.err &
pid=$!
wait_for at_gate
kill -TERM $pid
wait $pid
is "$?$(grep -v ': interrupted after ' g.err)" 143 'bench-run ends by SIGTERM before all workers are at the gate'
ok 'workers that wait at the gate end with bench-run' test ! -e "/proc/$waiting"

# Errors
for list in 0 1025 1,1 2,1..2 1.5 x '' -1 4..0; do
	status 2 "bench-run rejects -J '$list'" run -r 1 -J "$list" -- touch ran
	is "$(wc -l <.err)$(grep -c '^bench-run: -J: ' .err)" 11 'an invalid list of -J is reported in one line'
done
ok 'bench-run executes no command if -J is invalid' test ! -e ran
status 2 'bench-run -J rejects a parameter named workers' run -r 1 -J 2 -P workers=1,2 -- true
status 2 'bench-run -J rejects a label named worker' run -r 1 -J 2 --label worker=1 -- true
like "$(cat .err)" '^bench-run: -J adds the column .worker.' 'the message about a label named worker names -J and the column'
status 2 'bench-run rejects --extract with -J' run -r 1 -J 2 --extract 'x=(1)' -- echo 1
is "$(run -r 1 -P workers=1,2 --label worker=3 -- true | field metric - | sort -u | wc -l)" 9 \
	'workers and worker are ordinary names without -J'
done_testing
