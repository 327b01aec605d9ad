#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What bench-run prints on a terminal: a few lines for each subject that fit, and a comparison.
. "${0%/*}/../lib/tap.sh"

skip_unless script 'bench-run prints lines for people on a terminal' || { done_testing; exit; }
LC_ALL=C.UTF-8
export LC_ALL

# plain: prints what stays on a terminal, without colors
plain() { sed 's/\r$//; s/.*\x1b\[K//; s/\x1b\[[0-9;]*m//g'; }
# screen COLUMNS COMMAND: prints what the command leaves on a terminal of this width
screen() { timeout 60 script -qec "stty cols $1; $2" /dev/null </dev/null | plain; }
# lines TEXT: prints the number of lines
lines() { printf '%s\n' "$1" | wc -l | tr -d ' '; }
# widest TEXT: prints the columns of the longest line
widest() { printf '%s\n' "$1" | wc -L; }
fits() { [ "$(widest "$1")" -le "$2" ]; }

### one command

for columns in 60 80 100 200; do
	out=$(screen $columns "bench-run -q -r 12 -- sh -c ':'")
	ok "the lines of a command fit $columns columns" fits "$out" $columns
done
out=$(screen 80 "bench-run -q -r 12 -e none -- sh -c ':'")
is "$(printf '%s\n' "$out" | grep -v '^  note ' | sed 's/^\( *[^ ]*\).*/\1/' | tr -s '\n ' ' ')" \
	'sh wall range CPU counters ' 'a command has five lines and its notes'
like "$out" '^  wall      median [0-9.]+ .?s ± [0-9.]+ .?s \(95 %\), 12 runs$' \
	'the first metric has a median, half its interval and the number of runs'
like "$out" '^  range     [0-9.]+ .?s [▁▂▃▄▅▆▇█ ]+ [0-9.]+ .?s$' 'the range has a histogram'
like "$out" '^  CPU       user [0-9.]+ .?s, system [0-9.]+ .?s \(means\), memory peak [0-9.]+ .iB$' \
	'the line of the processor has means and the peak memory'
like "$out" '^  counters  page-faults [0-9.]+' 'counters are on one line'
like "$(bench-run -q -r 2 -- true | head -1)" '^run,time,host,' 'a pipe gets the samples as CSV'
unlike "$(bench-run -q -r 2 --table -- true)" 'median [0-9]' 'a table for a pipe has no other lines'
out=$(screen 80 'bench-run -q -r 2 --table -- true')
unlike "$out" '^  wall ' 'option --table prints only the table of metrics'
like "$out" '^true +block_in ' 'option --table prints all metrics'
out=$(screen 80 'bench-run -q -v -r 2 -- true')
like "$out" '^  wall ' 'option -v prints the lines of a command'
like "$out" '^true +block_in ' 'option -v also prints all metrics'
out=$(LC_ALL=C screen 80 'bench-run -q -r 12 -- true')
like "$out" ' \+- ' 'a locale without UTF-8 has an ASCII sign before half the interval'
is "$(printf '%s' "$out" | tr -d '\000-\177' | wc -c | tr -d ' ')" 0 'a locale without UTF-8 gets only ASCII'
timeout 60 script -qec 'bench-run -q -r 2 -- true' /dev/null </dev/null >colors
like "$(cat -v colors)" '\[1mtrue' 'the name of a command is bold'
NO_COLOR=1 timeout 60 script -qec 'bench-run -q -r 2 -- true' /dev/null </dev/null >colors
unlike "$(cat -v colors)" '\^\[\[[0-9]' 'the lines have no colors with NO_COLOR'

### few samples

out=$(screen 80 'bench-run -q -w 0 -r 1 -- true')
like "$out" '^  wall      median [0-9.]+ .?s, 1 run \(an interval needs 6\)$' 'one run has no interval'
like "$out" '^  range     [0-9.]+ .?s$' 'the range of one run is its value'
for runs in 2 5; do
	like "$(screen 80 "bench-run -q -w 0 -r $runs -- true")" ", $runs runs \\(an interval needs 6\\)\$" \
		"$runs runs have no interval"
done
like "$(screen 80 'bench-run -q -w 0 -r 5 -C 90 -- true')" '± .* \(90 %\), 5 runs$' \
	'five runs have an interval at 90 %'

### names

name=$(printf '%0100d' 0 | sed 's/0/日本/g')
out=$(screen 60 "bench-run -q -r 2 -n $name -n b -c true -c 'sleep 0'")
ok 'a long name in CJK is shortened to the columns of the terminal' fits "$out" 60
like "$out" '^日本.*….*日本$' 'a shortened name has both its ends'

### several commands

out=$(screen 80 "bench-run -q -r 8 -d dir -c 'sleep 0.06' -c 'sleep 0.005'")
like "$out" '^sleep 0.005 is [0-9.]+ times as fast as sleep 0.06 \(95 %: [0-9.]+ to [0-9.]+\)$' \
	'two commands end in a sentence'
bench-compare --csv -q -b bench --reference 'sleep 0.005' --metric wall --no-geomean dir/*/samples.csv >row.csv
printf '%s\n' "$out" | sed -n 's/.* is \(.*\) times .* (95 %: \(.*\) to \(.*\))/\1,\2,\3/p' >words.csv
# agrees: succeeds if the numbers of the sentence are the rounded ones of the row
agrees() {
	awk -F, 'function same(word, number) { return sprintf("%." (index(word, ".") ? length(word) - index(word, ".") : 0) "f", number) == word }
		NR == FNR { split($0, word, ","); next }
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ found = same(word[1], $at["ratio"]) && same(word[2], $at["ratio_lo"]) && same(word[3], $at["ratio_hi"]) &&
			$at["verdict"] == "worse" }
		END { exit !found }' words.csv row.csv
}
ok 'the sentence has the numbers of bench-compare' agrees || cat words.csv row.csv
out=$(screen 60 "bench-run -q -r 8 -c 'sleep 0.06' -c 'sleep 0.005' -c 'sleep 0.07'")
like "$out" '^sleep 0.005 is the fastest:$' 'three commands end in a list'
like "$out" '^  [0-9.]+ times as fast as sleep 0.0[67] \(95 %: [0-9.]+ to [0-9.]+\)$' \
	'the list compares each other command'
ok 'the list fits 60 columns' fits "$out" 60
like "$(screen 80 "bench-run -q -r 2 -c 'sleep 0' -c 'sleep 0.01'")" \
	'^sleep 0 cannot be told apart from sleep 0.01 with 2 runs: at least 6 are needed$' \
	'two runs are too few for a comparison'
out=$(screen 80 "bench-run -q -w 0 -r 8 --timeout 0.05 -c 'sleep 0' -c 'sleep 9'")
like "$out" '^  wall      median >50.00 ms, 8 runs, 8 timed out$' 'timeouts bound the median'
like "$out" '^sleep 0 is at least [0-9.]+ times as fast as sleep 9 \(95 %\), which timed out in 8 of$' \
	'timeouts bound the ratio'
out=$(screen 80 "bench-run -q -i -r 3 -c 'sleep 0' -c false")
like "$out" '^  failed    all 3 runs failed$' 'a command that always fails has no numbers'
like "$out" '^false is not compared: all 3 runs failed$' 'a command that always fails is not compared'
like "$(screen 80 "bench-run -q -i -r 3 -c 'sh -c \"exit 2\"' -c false")" '^no command can be compared' \
	'no command is the best one if all fail'

### sweeps

for columns in 40 60 80; do
	out=$(screen $columns "bench-run -q -r 8 -P s=0.06,0.005 sleep {s}")
	ok "the table of a sweep fits $columns columns" fits "$out" $columns
done
like "$out" '^s +wall  relative +95 %$' 'the table of a sweep has a header'
like "$out" '^0.005 +[0-9.]+ ms ± [0-9.]+ ms +1 +best$' 'the table of a sweep names the best level'
like "$out" '^0.06 +[0-9.]+ ms ± [0-9.]+ ms +[0-9.]+  [0-9.]+ to [0-9.]+  slower$' \
	'the table of a sweep compares the other levels'
like "$out" '^sleep 0.06$' 'the name of a level has the value of its parameter'
out=$(screen 80 'bench-run -q -w 0 -r 2 -P n=1..7 true {n}')
is "$(lines "$out")" 8 'seven levels have only the table'
like "$(screen 80 'bench-run -q -w 0 -r 6 -J 1,2 true')" '^workers +throughput  relative' \
	'numbers of workers are compared by their throughput'
out=$(screen 80 'bench-run -q -r 2 --aa -c true -c "sleep 0.01"')
is "$(printf '%s\n' "$out" | grep -c '^  wall ')" 2 'the halves of a subject are one subject'

done_testing
