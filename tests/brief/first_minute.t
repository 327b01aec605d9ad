#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What bench-run prints on a terminal: a few lines for each subject that fit, and a comparison.
# timing: a pause of the machine makes eight runs of two commands indistinguishable
# waits
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

# how a median's interval is printed: half its width, or its ends
interval='( ± [0-9.]+ .?s|, [0-9.]+ .?s to [0-9.]+ .?s)'

### one command

for columns in 60 80 100 200; do
	out=$(screen $columns "bench-run -q -r 12 -- sh -c ':'")
	ok "the lines of a command fit $columns columns" fits "$out" $columns
done
out=$(screen 80 "bench-run -q -r 12 -e none -- sh -c ':'")
is "$(printf '%s\n' "$out" | grep -v '^  note ' | sed 's/^\( *[^ ]*\).*/\1/' | tr -s '\n ' ' ')" \
	'sh wall range CPU counters ' 'a command has five lines and its notes'
like "$out" "^  wall      median [0-9.]+ .?s$interval \\(95%\\), 12 runs\$" \
	'the first metric has a median, its interval and the number of runs'
like "$out" '^  range     [0-9.]+ .?s [▁▂▃▄▅▆▇█ ]+ [0-9.]+ .?s$' 'the range has a histogram'
like "$out" '^  CPU       user [0-9.]+ .?s, system [0-9.]+ .?s \(means\), memory peak [0-9.]+ .iB$' \
	'the line of the processor has means and the peak memory'
like "$out" '^  counters  page-faults [0-9.]+' 'counters are on one line'
like "$(screen 100 'bench-run -q -r 2 -w 0 -e none -- sleep 0.2')" '^  CPU       user .*, system .* \(means, [0-9.]+% of wall\), memory peak ' \
	'the line of the processor says how little of the time a waiting command runs'
out=$(screen 100 "bench-run -q -i -r 2 -w 0 -e none --timeout 0.3s -- sh -c 'mkdir first && sleep 0.1 || sleep 9'")
like "$out" '^  CPU       user .*, system .* \(means\), memory peak ' \
	'the line of the processor has no share of a wall time that timed out'
like "$(bench-run -q -r 2 -- true | head -1)" '^run,time,host,' 'a pipe gets the samples as CSV'
unlike "$(bench-run -q -r 2 --table -- true)" 'median [0-9]' 'a table for a pipe has no other lines'
out=$(screen 80 'bench-run -q -r 2 --table -- true')
unlike "$out" '^  wall ' 'option --table prints only the table of metrics'
like "$out" '^(true +)?block_in ' 'option --table prints all metrics'
out=$(screen 80 'bench-run -q -v -r 2 -- true')
like "$out" '^  wall ' 'option -v prints the lines of a command'
like "$out" '^(true +)?block_in ' 'option -v also prints all metrics'
out=$(LC_ALL=C screen 80 'bench-run -q -r 12 -- true')
is "$(printf '%s' "$out" | tr -d '\000-\177' | wc -c | tr -d ' ')" 0 'a locale without UTF-8 gets only ASCII'
timeout 60 script -qec 'bench-run -q -r 2 -- true' /dev/null </dev/null >colors
like "$(cat -v colors)" '\[1mtrue' 'the name of a command is bold'
unlike "$(cat -v colors)" '\[2m\^\[\[0m' 'no color is without text'
TERM=dumb timeout 60 script -qec 'bench-run -r 2 -- true' /dev/null </dev/null >plain.out
unlike "$(cat -v plain.out)" '\^\[\[' 'a terminal that can do nothing gets no progress and no colors'
is "$(screen 10 'bench-run -q -r 2 -e none -- true' | grep -c '^  range  ')" 1 'a terminal of 10 columns gets whole words'
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
like "$(screen 80 'bench-run -q -w 0 -r 5 -C 90 -- true')" "$interval \\(90%\\), 5 runs\$" \
	'five runs have an interval at 90%'

### names

name=$(printf '%0100d' 0 | sed 's/0/日本/g')
out=$(screen 60 "bench-run -q -r 2 -n $name -n b -c true -c 'sleep 0'")
ok 'a long name in CJK is shortened to the columns of the terminal' fits "$out" 60
like "$out" '^日本.*….*日本$' 'a shortened name has both its ends'

### several commands

out=$(screen 80 "bench-run -q -r 8 -d dir -c 'sleep 0.06' -c 'sleep 0.005'")
like "$out" '^sleep 0.005 is [0-9.]+ times as fast as sleep 0.06 \(95%: [0-9.]+ to [0-9.]+\)$' \
	'two commands end in a sentence'
bench-compare --csv -q -b bench --reference 'sleep 0.005' --metric wall --no-geomean dir/*/samples.csv >row.csv
printf '%s\n' "$out" | sed -n 's/.* is \(.*\) times .* (95%: \(.*\) to \(.*\))/\1,\2,\3/p' >words.csv
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
like "$out" '^  [0-9.]+ times as fast as sleep 0.0[67] \(95%: [0-9.]+ to [0-9.]+\)$' \
	'the list compares each other command'
ok 'the list fits 60 columns' fits "$out" 60
like "$(screen 80 "bench-run -q -r 2 -c 'sleep 0' -c 'sleep 0.01'")" \
	'^sleep 0 cannot be told apart from sleep 0.01 with 2 runs: at least 6 are needed$' \
	'two runs are too few for a comparison'
out=$(screen 80 "bench-run -q -w 0 -r 8 --timeout 0.05 -c 'sleep 0' -c 'sleep 9'")
like "$out" '^  wall      median >50.00 ms, 8 runs, 8 timed out$' 'the median of runs that all timed out is printed as a lower bound'
like "$(screen 80 "bench-run -q -w 0 -r 6 --timeout 0.05 -- sh -c '[ -e slow ] && sleep 9; : >slow'")" \
	'^  range     [0-9.]+ .?s ▂   █ >50.00 ms$' 'timeouts are in the histogram that ends at their limit'
like "$out" '^sleep 0 is at least [0-9.]+ times as fast as sleep 9 \(95%\), which timed out in 8 of$' \
	'timeouts bound the ratio'
out=$(screen 80 "bench-run -q -i -r 3 -c 'sleep 0' -c false")
like "$out" '^  failed    all 3 runs failed$' 'a command that always fails has no numbers'
like "$out" 'exit=1 \(--stdout inherit shows its output; --success any includes its times in the summary\)$' \
	'option -i names the option that shows the times of a command that always fails'
like "$out" '^false is not compared: all 3 runs failed$' 'a command that always fails is not compared'
like "$(screen 80 "bench-run -q -i -r 3 -c 'sh -c \"exit 2\"' -c false")" '^no command can be compared' \
	'no command is the best one if all fail'

out=$(screen 80 "bench-run -q --until decided --compare bench -e none -c 'sleep 0' -c 'sleep 0.02'")
like "$out" '^bench-run: worse: sleep 0.02 against sleep 0: ' 'option --until prints its verdict'
unlike "$out" 'times as fast' 'option --until prints no comparison for a fixed number of samples'

### sweeps

for columns in 40 60 80; do
	out=$(screen $columns "bench-run -q -r 8 -P s=0.06,0.005 sleep {s}")
	ok "the table of a sweep fits $columns columns" fits "$out" $columns
done
out40=$(screen 40 "bench-run -q -w 0 -r 8 -e none -P s=0.06,0.005 sleep {s}")
like "$out40" '^0.06 +[0-9.]+ ms +[0-9.]+  slower$' 'a table on 40 columns has medians without intervals, ratios and verdicts'
like "$out" '^s +wall  relative +95%$' 'the table of a sweep has a header'
like "$out" "^0.005 +[0-9.]+ ms$interval +1 +best\$" 'the table of a sweep names the best level'
like "$out" "^0.06 +[0-9.]+ ms$interval +[0-9.]+  [0-9.]+ to [0-9.]+  slower\$" \
	'the table of a sweep compares the other levels'
like "$out" '^sleep 0.06$' 'the name of a level has the value of its parameter'
out=$(screen 80 'bench-run -q -w 0 -r 2 -P n=1..7 true {n}')
is "$(lines "$out")" 9 'seven levels have only the table and its advice'
like "$(screen 80 'bench-run -q -w 0 -r 6 -J 1,2 true')" '^workers +throughput  relative' \
	'numbers of workers are compared by their throughput'
out=$(screen 80 'bench-run -q -r 2 --aa -c true -c "sleep 0.01"')
is "$(printf '%s\n' "$out" | grep -c '^  wall ')" 2 'the halves of a subject are one subject'

out=$(screen 80 'bench-run -q -r 1 --processes 1 -e none -k add,dot -P n=64,128')
is "$(printf '%s\n' "$out" | sed -n '/^\(add\|dot\)$/{N; s/\n *n .*/ table/p}' | tr '\n' ' ')" 'add table dot table ' \
	'the table of each kernel has its name'
out=$(timeout 60 script -qec 'stty cols 40; bench-run -r 2 -- true' /dev/null </dev/null | sed -n 's/^\r\x1b\[K\(\[[^\r]*\)\r.*/\1/p')
like "$out" '^.{15}   0% warming up *$' 'the line of progress fits 40 columns'

### commands that fail

bench-run -e none false >false.csv 2>err
is $? 1 'a command whose warm-up fails ends bench-run with status 1'
like "$(cat err)" "gave up on 'false', whose warm-up failed: use -i to measure it, or --success" \
	'a failed warm-up is reported with what to do'
is "$(grep -c ',wall,' false.csv)" 1 'a command whose warm-up fails is not measured'
like "$(cat false.csv)" ',command,false,,0,,1,wall,ns,[0-9]+,failed:exit=1,$' 'a failed warm-up becomes a sample with its status'
is "$(bench-run -q -e none -i -r 4 false 2>/dev/null | grep -c ',wall,')" 4 'option -i measures a command whose warm-up fails'
bench-run -q -e none --keep-warmup -w 2 -r 2 -c true -c false 2>/dev/null >kept.csv
is "$(grep -c 'command,false,,-' kept.csv)" 0 'a failed warm-up is not also written as a warm-up'
is "$(grep -c 'command,true,,[01],,1,wall' kept.csv)" 2 'other commands are measured if the warm-up of one fails'
bench-run -e none -w 0 false >false.csv 2>err
is "$(grep -c ',wall,' false.csv)" 10 'a command without a warm-up is given up after ten failures'
like "$(cat err)" "gave up on 'false', whose first 10 samples all failed: use -i" 'ten failures are reported with what to do'
is "$(bench-run -q -e none -w 0 -r 12 false 2>/dev/null | grep -c ',wall,')" 12 'option -r takes its number of samples of a failing command'
echo ok >flaky
cat >flaky.sh <<'EOF'
n=$(cat count 2>/dev/null || echo 0)
echo $((n + 1)) >count
test $((n % 3)) -eq 0
EOF
is "$(bench-run -q -e none -r 6 sh flaky.sh 2>/dev/null | grep ',wall,' | grep -c failed)" 4 \
	'a command whose warm-up succeeds is measured although samples fail'
bench-run -q -e none -r 6 -n it true >old.csv
bench-run -q -e none -r 6 -n it false >new.csv 2>/dev/null
status 1 'the gate fails if the warm-up of the new side fails' bench-compare --gate old.csv new.csv
is "$(bench-run -q -e none -r 2 --timeout 0.05 'sleep' 9 2>/dev/null | grep -c 'wall.*timeout')" 2 \
	'a warm-up that times out does not end the measurement'

### interruptions

# interrupted ARG...: prints the messages of bench-run after a signal, when it has taken samples
interrupted() {
	rm -f started
	setsid env --default-signal=INT bench-run -q -e none "$@" >interrupted.csv 2>err &
	pid=$!
	wait_for test -e started
	kill -INT $pid
	wait $pid
	cat err
}
is "$(interrupted -w 0 -r 3 -S 'touch started; sleep 60')" 'bench-run: interrupted after 0 of 3 runs' \
	'an interruption without a sample is reported'
is "$(interrupted -w 0 -r 3 -S 'test -e once && touch started && sleep 60; touch once')" \
	'bench-run: interrupted after 1 of 3 runs' 'an interruption is reported with the number of samples'
rm -f once
is "$(interrupted -w 0 -O interleaved -r 3 -S -c 'true' -c 'test -e once && touch started && sleep 60; touch once' -n a -n b)" \
	"bench-run: interrupted after 2 of 3 runs of 'a' and 1 of 3 of 'b'" \
	'an interruption is reported for each command if they differ'
is "$(interrupted -w 0 -S 'touch started; sleep 60')" 'bench-run: interrupted after 0 runs' \
	'an interruption is reported without a fixed number of samples'

### counters, hints

unlike "$(bench-run -r 1 true 2>&1 >counters.csv)" 'cannot count' 'default counters that do not exist are not mentioned'
if ! have pmu; then
	like "$(bench-run -v -r 1 true 2>&1 >counters.csv)" 'cannot count|permission denied|perf_event' \
		'option -v mentions default counters that do not exist'
	like "$(bench-run -e cycles -r 1 true 2>&1 >counters.csv)" '^bench-run: cycles: ' \
		'counters that were asked for are mentioned if they do not exist'
fi
like "$(bench-run 'gzip -kc f' 2>&1)" 'gzip -kc f: not found in PATH \(use -c to run a command line\)' \
	'a command line in one word is referred to -c'
like "$(bench-run 'gzip -kc f' 'zstd -kc f' 2>&1)" 'not found in PATH \(use -c before each command line\)' \
	'several command lines, each in one word, are referred to -c'
like "$(bench-run 'true && true' 2>&1)" 'not found in PATH \(use -S to run a line with the shell\)' \
	'a line of the shell in one word is referred to -S'
# shellcheck disable=SC2016 # for bench-run
for line in 'echo a | cat' 'echo $HOME' 'echo a >b' 'echo *' 'echo ~' 'echo "$x"'; do
	like "$(bench-run -r 1 -w 0 -e none -c "$line" -c 'echo | b' 2>&1 >hint.csv)" ' -S runs the line with sh -c$' \
		"option -c notes the shell's characters in $line"
done
is "$(bench-run -r 1 -w 0 -e none -c 'echo a | b' -c 'echo | b' 2>&1 >hint.csv | grep -c 'sh -c')" 1 \
	"option -c notes the shell's characters once"
# shellcheck disable=SC2016 # for bench-run
for line in "awk '{ print \$1 }' /dev/null" 'echo \$HOME' 'echo a~b "a|b"' 'echo 5$'; do
	is "$(bench-run -r 1 -w 0 -e none -c "$line" 2>&1 >hint.csv)" '' "option -c accepts $line without a note"
done
like "$(bench-run -r 1 -w 0 -e none -P n=1,2 true 2>&1 >hint.csv)" '-P n: no command has \{n\}, so its values change nothing' \
	'an unused parameter is reported'
is "$(bench-run -r 1 -w 0 -e none -P n=1,2 --prepare ': {n}' true 2>&1 >hint.csv)" '' \
	'a parameter that only a hook uses is used'

### -o

screen 80 'bench-run -q -e none -r 3 -o out.csv -- printf hel%s lo' >shown
like "$(cat shown)" '^  wall ' 'option -o leaves the summary on the terminal'
unlike "$(cat shown)" 'hello' 'option -o leaves the standard output of the command away'
like "$(head -1 out.csv)" '^run,time,host,' 'the file of -o has the samples'
is "$(bench-run -q -r 2 -e none -o quiet.csv true)" '' 'option -o writes nothing to a pipe'
like "$(tail -1 quiet.csv)" ',rows,1,[0-9]+,ok,$' 'the file of -o has an end mark'
like "$(bench-run -q -r 2 -e none --table -o quiet.csv true)" '^(true +)?wall ' 'option --table prints its table even with -o'
bench-run -q -r 2 -e none --json -o out.json true
is "$(head -1 out.json)" '[' 'the file of -o is JSON with --json'
is "$(bench-run -q -r 1 -w 0 -e none -o quiet.csv --stdout inherit echo hello 2>&1)" hello \
	'option --stdout says where the output of the command goes'
cp quiet.csv before.csv
(
	trap '' XFSZ
	ulimit -f 8
	bench-run -q -r 100 -e none -o quiet.csv true 2>err
)
is $? 2 'a file of -o that is too large ends bench-run with status 2'
like "$(cat err)" '^bench-run: quiet.csv: ' 'an error of the file of -o names it'
ok 'an error leaves the file of -o unchanged' cmp quiet.csv before.csv
status 2 'a file of -o that cannot be created is an error' bench-run -q -r 1 -o none/out.csv true
bench-run -q -r 1 --setup 'exit 1' -o quiet.csv true 2>/dev/null
ok 'a run without a sample leaves the file of -o unchanged' cmp quiet.csv before.csv
interrupted -o part.csv -w 0 -r 3 -S 'test -e twice && touch started && sleep 60; touch twice' >/dev/null
is "$(grep -c ',wall,' part.csv)" 1 'an interrupted run leaves its samples in the file of -o'
unlike "$(cat part.csv)" ',rows,1,' 'the file of an interrupted run has no end mark'
echo 'bench,command
t,true' >subjects.csv
status 2 'the file of -o must not be one that bench-run reads' bench-run -r 1 -I subjects.csv -o subjects.csv

# The phases of a model
tiny='-P batch=1 -P seq=8 -P layers=1 -P hidden=16 -P heads=2 -P ff=16 -P vocab=50 -P positions=32'
out=$(screen 100 "bench-run -q -e none -r 2 -w 0 --processes 1 -b cpu $tiny -M gpt2")
like "$(echo "$out" | grep start-up)" '^  start-up *open [0-9.]+ [mµn]?s, load [0-9.]+ [mµn]?s, compile [0-9.]+ [mµn]?s, first [0-9.]+ [mµn]?s, then [0-9.]+ [mµn]?s$' \
	'the summary of a model has a line with its phases'
out=$(screen 100 "bench-run -q -e none -r 2 -w 0 --processes 1 -b cpu -k copy -P n=1000")
is "$(echo "$out" | grep -c start-up) $(echo "$out" | grep -c range)" '0 1' 'the summary of a kernel has no line with phases'

done_testing
