#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run -a -- command: what else is measured while a command runs.
# timing: waits for or judges what other processes do at the same time
# waits
. "${0%/*}/../lib/tap.sh"

skip_unless unsanitized 'the machine is measured while a command runs' || done_testing

run() { timeout 60 bench-run -q -e none --csv --commit none "$@"; }
# field METRIC NAME FILE: a column of the rows of a metric
field() {
	awk -F, -v m="$1" -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == m { print $at[name] }' "$3"
}
# between LOW HIGH: whether all lines are numbers in this range
between() { awk -v low="$1" -v high="$2" '$1 == "" || $1 < low || $1 > high { bad = 1 } END { print (NR > 0 && !bad) }'; }

run -a -r 3 -- sleep 0.15 >plain.csv
is "$?,$(field wall value plain.csv | between 0.15e9 2e9),$(field ok value plain.csv | wc -l)" 0,1,3 'a window lasts as long as the command, and -r repeats both'
is "$(field wall kind plain.csv | sort -u),$(field wall bench plain.csv | sort -u),$(field wall during plain.csv | sort -u)" 'machine,machine,sleep 0.15' \
	'the rows are of the kind machine, with the command in the column during'
is "$(field max_rss value plain.csv)$(awk -F, 'NR == 1' plain.csv | grep -c window)" 0 'the rows have no values of the command, and no length of a window'

run -a -r 1 -P n=1,2 -c 'sleep 0.0{n}' -c 'sleep 0.{n}' >sweep.csv
is "$(field ok during sweep.csv | sort | uniq -c | awk '{ print $1 }' | tr '\n' ' ')$(field ok n sweep.csv | sort | tr '\n' ' ')" '2 2 1 1 2 2 ' \
	'the machine is measured during each of several commands, and for each parameter'
run -a -r 6 --aa -w 1 --keep-warmup -n idle -- sleep 0.01 >aa.csv
is "$(field ok bench aa.csv | sort -u),$(field ok aa aa.csv | sort | uniq -c | awk '{ print $1 $2 }' | tr '\n' ' ')" 'idle,7a 7b ' '-n, --aa and warm-ups apply to windows during a command'
is "$(run -a -r 1 --prepare 'echo p >>hooks' --conclude 'echo c >>hooks' -- sh -c 'echo x >>hooks' >/dev/null; tr '\n' ' ' <hooks)" 'p x c ' 'hooks run around the window'
is "$(run -a -r 1 -S --stdin plain.csv --stdout out --env A=5 -- 'head -c 4; echo $A' >/dev/null; cat out)" "run,5" 'the options of commands apply to a command during which the machine is measured'

# The end of the command
run -a -r 2 -- sh -c 'exit 3' >fails.csv 2>err
is "$?,$(field cpus status fails.csv | sort -u),$(field ok value fails.csv | sort -u)" 1,failed:exit=3,0 'the rows of a command that fails have its status, and the exit status is 1'
like "$(cat err)" "^bench-run: 2 samples failed; the first was of 'sh -c .exit 3.': exit=3" 'the message about a failed window names the command'
run -i -a -r 1 -- sh -c 'exit 3' >/dev/null 2>&1
one=$?
run --success 3 -a -r 1 -- sh -c 'exit 3' >fine.csv 2>&1
is "$one,$?,$(field ok value fine.csv)" 0,0,1 '-i and --success apply to windows during a command'
run -a -r 1 --timeout 100ms -- sleep 9 >late.csv 2>/dev/null
is "$?,$(field cpus status late.csv)" 1,timeout '--timeout ends the command and the window'
run -a -r 1 -- ./nothing >none.csv 2>err
is "$?,$(wc -c <none.csv),$(cat err)" '2,0,bench-run: ./nothing: No such file or directory' 'a command that does not exist is refused before anything is measured'
printf '#!/nowhere/sh\n' >script
chmod +x script
run -a -r 1 -- ./script >none.csv 2>err
is "$?,$(wc -l <err)" 2,1 'a command that cannot be started is refused'
timeout 20 bench-run -e none --csv -a -r 3 -- sleep 60.25 >cut.csv 2>err &
wait_for alive '^sleep 60[.]25'
kill -TERM $!
wait $! 2>/dev/null
like "$(cat err)" '^bench-run: interrupted after 0 of 3 samples' 'a signal ends the command and the run'
is "$(gone '^sleep 60[.]25' && echo gone),$(field ok value cut.csv)" gone, 'the command is killed, and a window that was cut has no rows'

# Running processes
sh -c 'while :; do :; done' &
busy=$!
run --pid $busy -r 2 -- sleep 0.3 >busy.csv
is "$(field cpu_time kind busy.csv | sort -u),$(field cpu_time during busy.csv | sort -u),$(field cpu_time value busy.csv | between 1e6 1e9)" 'process,sleep 0.3,1' \
	'a running process is measured while a command runs'
sh -c 'sleep 0.2; kill '$busy &
bench-run -q -e none --csv --pid $busy -r 5 -- sleep 0.4 >ends.csv 2>err
is "$?,$(grep -c "skipped: process $busy ended" err)" 2,1 'a process that ends while the command runs is reported'

if skip_unless root 'events of the machine are counted while a command runs'; then
	timeout 60 bench-run -q --csv --commit none -a -r 2 --per cpu -e cpu-clock,page-faults -- sleep 0.2 >events.csv
	field wall value events.csv >walls
	field cpu-clock value events.csv | awk -v cpus="$(field cpus value events.csv | head -n 1)" 'NR % (cpus + 1) == 1 { print $1 / cpus }' |
		paste -d' ' - walls >both
	is "$(awk '{ print $1 / $2 }' both | between 0.9 1.1)" 1 'cpu-clock of the machine is the length of the window on each processor'
	if skip_unless perf 'counts of the machine are those of perf stat'; then
		cat >touch.c <<'END2'
#include <sys/mman.h>
int main(void)
{
	char *page = mmap(0, 30000 * 4096L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(page, 30000 * 4096L, MADV_NOHUGEPAGE);
	for (long i = 0; i < 30000; i++)
		page[i * 4096] = 1;
}
END2
		gcc -o touch touch.c
		echo 'perf stat -x, -o inner -a -e page-faults -- ./touch' >inner.sh
		perf stat -x, -o outer -a -e page-faults -- bench-run -q --csv --commit none -a -r 1 -e page-faults -- sh inner.sh >counted.csv
		counts=$(awk -F, '/page-faults/ { print $1 }' inner outer | tr '\n' ' ')
		is "$(echo "$counts$(field page-faults value counted.csv)" | awk '{ print ($1 >= 30000 && $3 >= $1 && $2 >= $3) }')" 1 \
			'counts of the machine are between those of perf stat inside and outside'
	fi
fi
done_testing
