#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run -J: many copies of a command at once, what they give, how they end.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

run() { timeout 60 bench-run -q -e none -w 0 "$@"; }
# field NAME FILE [METRIC [WORKERS]]: the fields of a column, of these rows
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
is $? 0 'two copies at once'
is "$(field workers a.csv wall | line)" '1 2 1 2 ' 'and the sequential run, though it was not asked for'
is "$(field value a.csv wall 2 | awk '$1 < 3e8 || $1 > 1.9 * 3e8' | wc -l)" 0 'take the time of one'
is "$(field worker a.csv worker_wall | line)" '0 0 1 0 0 1 ' 'a row for each worker'
is "$(field worker a.csv wall | line)" '    ' 'the others are of all of them'
is "$(awk -F, '{ print NF }' a.csv | sort -u)" 18 'two columns more'
for metric in throughput speedup efficiency; do
	is "$(field workers a.csv $metric | line)" '1 2 1 2 ' "$metric of each"
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
is "$(sort -u sums)" '1 1 1 1' 'throughput, speed-up and efficiency follow from the walls'
ok 'the wall is that of the last worker, and 1 is 1' test "$(field value a.csv speedup 1 | line)" = '1 1 '
ok 'the table can be read' bench-stat a.csv
is "$(run -r 1 -J 3,1 -- true | field workers - wall | line)" '3 1 ' 'a list with 1 stays as it is'
is "$(run -r 1 -J 1..4*2 -n '{workers}' -- test '{workers}' -lt 3 | field status - wall | line)" \
	'ok ok failed:exit=1 ' 'the command may know how many they are'
is "$(run -r 1 -J 1 -- true | field metric - | line)" \
	'wall user sys max_rss page-faults context-switches block_in block_out throughput speedup efficiency worker_wall ok ' \
	'one worker alone has the same rows'
run -r 1 -P n=1,2 -J 2 -c 'true {n}' -c 'true 2 {n}' >sweeps.csv
is "$(field value sweeps.csv speedup 1 | line)$(field value sweeps.csv speedup 2 | wc -l)" '1 1 1 1 4' \
	'each subject has its own sequential run'
is "$(run -r 1 -w 1 --keep-warmup -J 2 -- true | field sample - speedup | line)" '-1 -1 0 0 ' 'warm-ups, too'
is "$(run -r 2 -O sequential -J 2 -- true | field workers - speedup | line)" '1 1 ' \
	'a round that has no sequential run gives no speed-up'
printf 'kind,bench,subject,args,status\ncommand,a,true {n},n=7,ok\ncommand,b,true,,broken\n' |
	run -r 1 -J 2 -I - >table.csv
is "$(field status table.csv wall | line)" 'skipped skipped ok ok ' 'subjects from a table'

# Sums over the workers
big='dd if=/dev/zero of=/dev/null bs=16M count=1'
run -r 3 -J 4 -c "$big" >b.csv
# ratio METRIC FILE: its median with 4 workers over that with one
ratio() {
	bench-stat -s median "$2" | awk -F, -v m="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == m { v[$at["workers"]] = $at["median"] }
		END { print v[4] / v[1] }'
}
if skip_unless unsanitized 'page faults are the sum of all workers'; then
	run -r 3 -J 4 -- true >true.csv
	is "$(ratio page-faults true.csv | awk '{ print ($1 > 3.6 && $1 < 4.4) }')" 1 \
		'page faults are the sum of all workers, and nothing beside'
fi
is "$(ratio max_rss b.csv | awk '{ print ($1 > 0.8 && $1 < 1.2) }')" 1 'the peak of memory is the largest'
if timeout 20 bench-run -q -w 0 -r 1 -e page-faults,task-clock -- true | grep -q ',task-clock,.*,ok,'; then
	timeout 60 bench-run -q -w 0 -r 3 -J 4 -e page-faults:u,task-clock -c "$big" >c.csv
	is "$(ratio page-faults:u c.csv | awk '{ print ($1 > 3.6 && $1 < 4.4) }')" 1 'counters are summed'
	is "$(field value c.csv task-clock | awk '$1 <= 0' | wc -l)" 0 'and none is lost'
fi
is "$(run -r 1 --energy-model tdp=65W -J 2 -- true | field worker - energy_modelled | line)" '  ' 'other values are of all workers'
run -r 1 --interval 10ms -J 2 -S -c '[ {workers} = 1 ] || exec sleep 0.5' >i.csv
is "$(field value i.csv processes 2 | sort -n | tail -n 1)" 2 'they are looked at together'
is "$(field t i.csv processes 2 | awk '$1 < 0' | wc -l)" 0 'from the opening of the gate on'

# What each has of its own
run -r 2 -J 2 --prepare 'echo before >>log' --conclude 'echo after >>log' -- true >h.csv
is "$(line <log)" 'before after before after before after before after ' 'hooks run once a sample'
echo text >in
run -r 1 -O interleaved -J 3 --stdin in --stdout out -S -c 'cat >"copy.$$"; echo said' >o.csv
is "$(cat copy.* | line)" 'text text text text ' 'each reads --stdin from its start'
is "$(line <out)" 'said said said ' 'and all write to one output'

# Processors: the first two that there are
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
	'--cpu: each on one, in turn'

# Failure
one_fails='[ {workers} = 1 ] || { mkdir lock 2>/dev/null && exit 3; sleep 0.2; echo on >"went.$$"; }'
status 1 'one of three fails' run -r 1 -J 3 --prepare 'rm -rf lock' -S -c "$one_fails"
cp .out f.csv
is "$(field status f.csv wall | line)" 'ok failed:exit=3 ' 'the run is as the one that failed'
is "$(cat went.* | line)" 'on on ' 'the others go on'
is "$(field workers f.csv speedup | line)$(field value f.csv throughput 3)" '1 ' 'speed-up and throughput are not known'
is "$(field status f.csv worker_wall 3 | sort -u)" 'failed:exit=3' 'its rows say so'
is "$(run -r 1 -J 3 --success 0,3 --prepare 'rm -rf lock' -S -c "$one_fails" | field status - wall | line)" \
	'ok ok ' 'unless it is a success'
is "$(run -i -r 1 -J 2 --success 3 --prepare 'rm -rf lock' -S -c "$one_fails" | field status - wall | line)" \
	'failed:exit=0 failed:exit=0 ' 'and 0 none'
is "$(run -r 1 -J 2 --success 3 -S -c 'exit 3' | field status - wall | line)" 'ok ok ' 'all may end so'

status 2 'a missing --stdin' run -r 1 -J 2 --stdin 'in{workers}' -- true
printf '\001garbage' >bad2 && cp /bin/true bad1 && chmod +x bad1 bad2
for order in interleaved sequential; do
	status 1 "one of two programs that the kernel cannot start is skipped, $order" run -r 1 -O $order -J 2 -c './bad{workers}'
	is "$(field status .out wall | line)$(wc -l <.err)" 'skipped ok 1' "the program that can be started is measured, $order"
done

if skip_unless another-user 'a gate that one does not get to stays closed'; then
	mkdir -m 777 nproc && chmod 711 "$T"
	setpriv --reuid 65534 --regid 65534 --clear-groups prlimit --nproc=20 \
		"$BUILD/bin/bench-run" -q -e none -w 0 -r 1 -J 100 -S \
		-c '[ {workers} = 1 ] || echo >"nproc/$$"' >n.csv 2>n.err
	is "$?$(cat n.err)$(ls nproc)" '2bench-run: cannot start a process: Resource temporarily unavailable' \
		'a gate that one does not get to stays closed'
fi

hang="[ {workers} = 1 ] || exec sleep $mark"
status 1 'copies that never end' run -r 1 --timeout 200ms -J 3 -S -c "$hang"
is "$(field value .out wall 3),$(field status .out wall 3)" '200000000,timeout' 'run into --timeout'
is "$(field value .out worker_wall 3 | sort -u)" 200000000 'each of them'
ok 'and are killed' gone "^sleep $mark"
run -r 1 -J 3 -S -c "sleep $mark & (setsid -f true); true" >l.csv
ok 'what they leave behind is killed' wait_for gone "^sleep $mark"

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
	ok "SIG$signal leaves nobody behind" wait_for gone "^sleep $mark"
	is "$(cat $signal.err)" '' 'and says nothing'
done
is "$(field workers TERM.csv wall)" 1 'what was measured before is written'
pid=$(perl start.pl bench-run -q -e none -w 0 -r 1 -O interleaved -J 3 -S -c "$hang" >/dev/null 2>h.err & echo $!)
wait_for three
pkill -KILL -P "$pid" bench-spawn
ok 'nor does the death of the helper' wait_for gone "^sleep $mark"

# One that does not get to the gate: it waits for somebody to write to its standard input.
mkfifo in2 && touch in1
at_gate() { waiting=$(pgrep -x -P "$(pgrep -P "$pid" bench-spawn)" bench-spawn); }
bench-run -q -e none -w 0 -r 1 -O interleaved -J 2 --stdin 'in{workers}' -- true >g.csv 2>g.err &
pid=$!
wait_for at_gate
kill -TERM $pid
wait $pid
is "$?$(cat g.err)" 143 'an interrupt before all are at the gate'
ok 'ends those that wait' test ! -e "/proc/$waiting"

# What is refused
for list in 0 1025 1,1 2,1..2 1.5 x '' -1 4..0; do
	status 2 "-J '$list'" run -r 1 -J "$list" -- touch ran
	is "$(wc -l <.err)$(grep -c '^bench-run: -J: ' .err)" 11 'is refused in one line'
done
ok 'before anything runs' test ! -e ran
status 2 'a parameter named workers' run -r 1 -J 2 -P workers=1,2 -- true
status 2 'a label named worker' run -r 1 -J 2 --label worker=1 -- true
like "$(cat .err)" '^bench-run: -J adds the column .worker.' 'which is said'
status 2 '--metric with -J' run -r 1 -J 2 --metric 'x=(1)' -- echo 1
is "$(run -r 1 -P workers=1,2 --label worker=3 -- true | field metric - | sort -u | wc -l)" 9 \
	'without -J these are names like others'
done_testing
