#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Executions that are sent to the helper in batches: exact numbers, whole blocks, commands
# that turn slow in the middle, interrupts.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

run() { timeout 60 bench-run -q -e none -w 0 "$@"; }
# walls FILE: bench, sample and time of each measured run, in the order of the rows
walls() { awk -F, '$(NF - 4) == "wall" { print $7, $9, $2 }' "$1"; }

run -r 1000 -n a -n b -c true -c 'true 2' >s.csv
is "$(walls s.csv | grep -c ^a),$(walls s.csv | grep -c ^b)" 1000,1000 '-r takes exactly this number of samples of each subject'
is "$(walls s.csv | awk '{ print $2 $1 }' | paste -sd' ' | cut -c-14)" '0a 0b 1a 1b 2a' 'rows are written block by block'
is "$(walls s.csv | cut -d' ' -f2 | uniq -c | awk '$1 != 2' | wc -l)" 0 'each block of rows contains all subjects'
is "$(walls s.csv | sort -k3 | cut -d' ' -f2 | uniq -c | awk '$1 != 2' | wc -l)" 0 'each block in the order of time contains all subjects'
is "$(walls s.csv | sort -k3 | awk 'NR % 2 { n[$1]++ } END { print (n["a"] > 400 && n["a"] < 600) }')" 1 'each of two subjects is measured first in about half of the blocks'

printf 'kind,bench,subject,runs\ncommand,few,true,7\ncommand,many,true,300\n' >subjects.csv
run -I subjects.csv >s.csv
is "$(walls s.csv | cut -d' ' -f1 | sort | uniq -c | paste -sd' ' | tr -s ' ')" ' 7 few 300 many' 'each subject of a table has its own number of samples'
timeout 60 bench-run -q -w 0 -r 500 -e page-faults,context-switches -- true >s.csv
is "$(grep -c ',page-faults,' s.csv)" 500 'every execution of a batch has its counters'
is "$(run -r 200 -P n=1,2 -O sequential -c 'true {n}' | awk -F, '$(NF - 4) == "wall" { print $8 }' | uniq -c | paste -sd' ' | tr -s ' ')" \
	' 200 1 200 2' '-O sequential measures one subject after the other in batches'

# A command that is quick 30 times and slow from then on.
cat >tires <<'END'
#!/bin/sh
read -r n <n
echo $((n + 1)) >n
[ "$n" -lt 30 ] || sleep 1
END
chmod +x tires
echo 0 >n
start=$(date +%s)
run -t 2 -T 2 -n tires -n other -c ./tires -c true >s.csv
is $(($(date +%s) - start < 8)) 1 'a command that becomes slow does not exceed --max-time'
is "$(walls s.csv | cut -d' ' -f2 | uniq -c | awk '$1 == 2' | wc -l)" "$(cat n)" 'blocks are whole until the slow command reaches --max-time'
is "$(walls s.csv | grep -c ^tires)" "$(cat n)" 'each execution of a slow command is written as a sample'
is "$(walls s.csv | awk '$1 == "tires" && $2 != n++' | wc -l)" 0 'the samples of a slow command have consecutive numbers'

# Each subject is charged its own time, even in a batch.
run -r 1000 -T 300ms -n slow -c 'sleep 0.003' -c true -c 'true 1' -c 'true 2' >s.csv
is "$(awk -F, '$7 == "slow" && $(NF - 4) == "wall" { spent += $(NF - 2) } END { print (spent < 3.4e8) }' s.csv)" 1 \
	'--max-time applies to each subject, even if the others are much faster'

# Interrupts
cat >stuck <<'END'
#!/bin/sh
read -r n <n
echo $((n + 1)) >n
[ "$n" -ne 100 ] || exec sleep 1000.7
END
chmod +x stuck
echo 0 >n
bench-run -q -e none -w 0 -r 100000 ./stuck >s.csv &
wait_for alive 'sleep 1000[.]7'
kill -TERM $!
wait $!
is "$(walls s.csv | wc -l)" 100 'a signal in the middle of a batch keeps the samples taken before'
ok 'a signal in the middle of a batch kills the running command' gone 'sleep 1000[.]7'

bench-run -q -e none -w 0 -r 1000000 -- true >helper.csv 2>err &
wait_for test -s helper.csv
pkill -TERM -x -P $! bench-spawn
wait $!
is "$?$(cat err)" '2bench-run: the helper bench-spawn was stopped by a signal' 'bench-run exits with 2 and a message if its helper is stopped by a signal'
cp /bin/true again
bench-run -q -e none -w 0 -r 1000000 -- ./again >again.csv 2>err &
wait_for test -s again.csv
rm again
wait $!
is "$?$(cat err)" '1bench-run: ./again: skipped: ./again: No such file or directory' 'a program that is deleted during the run is reported as skipped'
is "$(grep ',ok,$' again.csv >ran.csv; walls ran.csv | cut -d' ' -f2 | awk '$1 != NR - 1' | wc -l)$(grep -c ',wall,ns,,skipped,$' again.csv)" 01 \
	'the samples before a program was deleted are written, followed by one skipped row'
done_testing
