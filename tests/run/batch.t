#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs that are handed to the helper many at a time: exact numbers, whole blocks, commands
# that turn slow in the middle, interrupts.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

run() { timeout 60 bench-run -q -e none -w 0 "$@"; }
# walls FILE: bench, sample and time of each measured run, in the order of the rows
walls() { awk -F, '$(NF - 4) == "wall" { print $7, $9, $2 }' "$1"; }

run -r 1000 -n a -n b -c true -c 'true 2' >s.csv
is "$(walls s.csv | grep -c ^a),$(walls s.csv | grep -c ^b)" 1000,1000 '-r gives exactly as many runs of each subject'
is "$(walls s.csv | awk '{ print $2 $1 }' | paste -sd' ' | cut -c-14)" '0a 0b 1a 1b 2a' 'rows come block by block'
is "$(walls s.csv | cut -d' ' -f2 | uniq -c | awk '$1 != 2' | wc -l)" 0 'the blocks of the rows are whole'
is "$(walls s.csv | sort -k3 | cut -d' ' -f2 | uniq -c | awk '$1 != 2' | wc -l)" 0 'the blocks are whole in time'
is "$(walls s.csv | sort -k3 | awk 'NR % 2 { n[$1]++ } END { print (n["a"] > 400 && n["a"] < 600) }')" 1 'each of two subjects begins about half of the blocks'

printf 'kind,bench,subject,runs\ncommand,few,true,7\ncommand,many,true,300\n' >subjects.csv
run -I subjects.csv >s.csv
is "$(walls s.csv | cut -d' ' -f1 | sort | uniq -c | paste -sd' ' | tr -s ' ')" ' 7 few 300 many' 'each subject of a file has its own number of runs'
timeout 60 bench-run -q -w 0 -r 500 -e page-faults,context-switches -- true >s.csv
is "$(grep -c ',page-faults,' s.csv)" 500 'every run of a batch has its counters'
is "$(run -r 200 -P n=1,2 -O sequential -c 'true {n}' | awk -F, '$(NF - 4) == "wall" { print $8 }' | uniq -c | paste -sd' ' | tr -s ' ')" \
	' 200 1 200 2' 'one after the other'

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
is $(($(date +%s) - start < 8)) 1 'a command that turns slow does not outrun --max-time'
is "$(walls s.csv | cut -d' ' -f2 | uniq -c | awk '$1 == 2' | wc -l)" "$(cat n)" 'blocks stay whole until the slow command has had its time'
is "$(walls s.csv | grep -c ^tires)" "$(cat n)" 'no run is lost'
is "$(walls s.csv | awk '$1 == "tires" && $2 != n++' | wc -l)" 0 'no run is counted twice'

# Each subject is charged what it takes itself: of a batch, too.
run -r 1000 -T 300ms -n slow -c 'sleep 0.003' -c true -c 'true 1' -c 'true 2' >s.csv
is "$(awk -F, '$7 == "slow" && $(NF - 4) == "wall" { spent += $(NF - 2) } END { print (spent < 3.4e8) }' s.csv)" 1 \
	'--max-time holds for each subject, however quick the others are'

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
is "$(walls s.csv | wc -l)" 100 'an interrupt in the middle of a batch keeps the runs before'
ok 'an interrupt in the middle of a batch kills the run under way' gone 'sleep 1000[.]7'

bench-run -q -e none -w 0 -r 1000000 -- true >helper.csv 2>err &
wait_for test -s helper.csv
pkill -TERM -x -P $! bench-spawn
wait $!
is "$?$(cat err)" '2bench-run: the helper bench-spawn was stopped by a signal' 'a helper that was told to stop'
cp /bin/true again
bench-run -q -e none -w 0 -r 1000000 -- ./again >again.csv 2>err &
wait_for test -s again.csv
rm again
wait $!
is "$?$(cat err)" '1bench-run: ./again: skipped: ./again: No such file or directory' 'a program that is deleted is skipped from then on'
is "$(grep ',ok,$' again.csv >ran.csv; walls ran.csv | cut -d' ' -f2 | awk '$1 != NR - 1' | wc -l)$(grep -c ',wall,ns,,skipped,$' again.csv)" 01 \
	'the runs before a program was deleted are written, followed by one skipped row'
done_testing
