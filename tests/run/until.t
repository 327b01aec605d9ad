#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run --until decided on real commands: verdicts, the number of samples, the exit status.
# timing: compares the times of commands
# waits
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# decide OPTION...: measures commands until each comparison has a verdict; messages go to err
decide() { timeout 100 bench-run -e none -w 0 --until decided --compare bench "$@" 2>err; }
# count BENCH FILE: the number of samples of a command
count() { rows wall "$2" | column bench | grep -cx "$1"; }

# The samples of alternates take 60 ms and 0 ms in turn, so its comparison is never decided.
cat >alternates <<'END'
#!/bin/sh
if test -e slow; then rm slow; else touch slow; sleep 0.06; fi
END
chmod +x alternates

decide -n fast -n slow -c true -c 'sleep 0.03' >a.csv
is $? 0 'bench-run exits with 0 although a verdict is worse'
like "$(cat err)" '^bench-run: worse: slow against fast: wall \+[0-9.]+% \[\+[0-9.]+%, \+[0-9.]+%\], [0-9]+ blocks?, p = 0\.0[0-9]+$' \
	'bench-run reports that a slow command is worse, with the ratio, its interval, the blocks and p'
is "$(count slow a.csv)" "$(count fast a.csv)" 'both commands of a comparison are measured in each block'
is "$(($(count slow a.csv) >= 8))" 1 'a verdict takes at least 8 blocks'
like "$(tail -n 1 a.csv)" ',rows,1,[0-9]+,ok,$' 'the samples of a run with verdicts end with the end mark'
decide --gate -q -n fast -n slow -c true -c 'sleep 0.03' >a.csv
is $? 1 '--gate exits with 1 if a verdict is worse'
like "$(cat err)" '^bench-run: worse: slow against fast: ' 'bench-run -q reports the verdicts'
decide --gate --reference slow -n fast -n slow -c true -c 'sleep 0.03' >a.csv
is $? 0 '--gate exits with 0 if the verdict is better'
like "$(cat err)" '^bench-run: better: fast against slow: wall -' '--reference names the command that the others are compared with'
decide --gate --threshold 75% -n one -n two -c 'sleep 0.03' -c 'sleep 0.03' >a.csv
is $? 0 '--gate exits with 0 if the commands are the same'
like "$(cat err)" '^bench-run: same: two against one: ' 'bench-run reports that commands of equal duration are the same'

decide --gate -T 0.3s -n fast -n alternates -c 'sleep 0.02' -c ./alternates >a.csv
is $? 0 '--gate exits with 0 if a comparison is undecided'
decide --gate -q -T 0.3s -n fast -n alternates -c 'sleep 0.02' -c ./alternates >a.csv
is "$(grep -c undecided err)" 0 'bench-run -q does not report the number of undecided comparisons'
decide --gate --unsure fail -T 0.3s -n fast -n alternates -c 'sleep 0.02' -c ./alternates >a.csv
is $? 1 '--unsure fail makes --gate exit with 1 if a comparison is undecided'
decide --gate -q -T 0.3s -n fast -n alternates -c 'sleep 0.02' -c ./alternates >a.csv
is "$(grep -c undecided err)" 0 'bench-run -q does not report the number of undecided comparisons'
decide --gate --unsure fail -T 0.3s -n fast -n alternates -c 'sleep 0.02' -c ./alternates >a.csv
is $? 1 '--unsure fail makes --gate exit with 1 if a comparison is undecided'
decide -T 0.8s -n fast -n slow -n alternates -c 'sleep 0.02' -c 'sleep 0.05' -c ./alternates >a.csv
like "$(cat err)" '^bench-run: worse: slow against fast: ' 'a comparison is decided even if another one is not'
like "$(cat err)" '^bench-run: unsure: alternates against fast: ' 'a comparison that -T ends is unsure'
like "$(cat err)" '1 of 2 comparisons remain undecided: give them more time \(-T\)$' 'bench-run reports the number of undecided comparisons'
is "$(($(count slow a.csv) < $(count fast a.csv)))" 1 'a command leaves the blocks when its comparison is decided'
is "$(count alternates a.csv)" "$(count fast a.csv)" 'the reference stays in the blocks until all of its comparisons are decided'

timeout 100 bench-run -q -e none -w 0 --until decided --compare s --threshold 10% -P s=0.01,0.03 -P n=1,2 -n nap -- sleep '{s}' >a.csv 2>err
is "$(sed 's/: wall.*//' err)" "bench-run: worse: nap s=0.03 n=1 against s=0.01
bench-run: worse: nap s=0.03 n=2 against s=0.01" '--compare compares the values of a parameter, for each value of the others'

decide -i --gate -n works -n fails -c true -c false >a.csv
is $? 2 '--gate exits with 2 if a command never succeeds'
like "$(cat err)" '^bench-run: unsure: fails against works: no ratio, 0 blocks, p = 1, [0-9]+ blocks without a ratio$' \
	'a command that never succeeds has no ratio'
# A command that fails after its fourth run.
cat >tires <<'END'
#!/bin/sh
echo >>runs
[ "$(wc -l <runs)" -le 4 ]
END
chmod +x tires
decide -i --gate -n works -n tires -c true -c ./tires >a.csv
is $? 2 '--gate exits with 2 if a command does not succeed any more'
like "$(tail -n 1 err)" '^bench-run: unsure: tires against works: wall .*, 4 blocks, p = [0-9.]+, 24 blocks without a ratio, the last 24 in a row$' \
	'a comparison ends if a command does not succeed any more'
decide -n works -n fails -c true -c false >a.csv
is $? 1 'bench-run --until decided exits with 1 if a command fails'
decide --timeout 30ms -i -n quick -n hangs -c true -c 'sleep 10' >a.csv
like "$(cat err)" '^bench-run: worse: hangs against quick: most new samples timed out, 8 blocks' 'a command that exceeds --timeout is worse than one that does not'

# A signal ends the run: no verdict is made of what there is.
env ${SANITIZED:+ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"} timeout -s INT 1 bench-run -q -e none -w 0 --until decided --compare bench --gate \
	-n fast -n alternates -c 'sleep 0.02' -c ./alternates >a.csv 2>err
is $? 124 'SIGINT ends bench-run --until decided'
is "$(($(count fast a.csv) > 1))" 1 'the samples taken before SIGINT are kept'
is "$(grep -c ',rows,' a.csv)" 0 'a run that SIGINT ended has no end mark'
is "$(grep -cE 'same|better|worse|unsure' err)" 0 'bench-run reports no verdict after SIGINT'

# functions OPTION...: compares functions, measured for a short time in each process
functions() { timeout 100 bench-run -q -e none -t 10ms --until decided "$@" 2>err; }
functions --compare n -f basics.so:memcpy -P n=1024,1048576 >a.csv
is $? 0 'bench-run measures functions until each comparison has a verdict'
like "$(cat err)" '^bench-run: worse: memcpy n=1048576 .*against n=1024: wall \+[0-9.]+% \[.*\], [0-9]+ process(es)?, p = 0\.0[0-9]+$' \
	'bench-run reports the processes that a verdict on functions took'
is "$(rows wall a.csv | column process | sort -nu | tail -n 1)" "$(($(sed 's/.*\], \([0-9]*\) process.*/\1/' err) - 1))" \
	'functions are measured in as many processes as their verdict took'
functions --compare m --gate -k gemm -P m=8,512 -P n=64 -P k=64 -b cpu >a.csv
is $? 1 '--gate exits with 1 if a verdict on kernels is worse'
like "$(cat err)" '^bench-run: worse: gemm m=512 .*against m=8: wall ' 'bench-run measures kernels until each comparison has a verdict'
functions --compare n -T 10ms -f basics.so:memcpy -P n=1024,1048576 >a.csv
like "$(sed -n 1p err)" '^bench-run: unsure: memcpy .*, 1 process, p = 1$' '-T bounds the processes of functions'

for options in '--unsure fail' '--until decided --compare bench --unsure maybe' '--until decided' '--compare bench' '--gate' '--threshold 5%' '--reference true' \
	'--until never --compare bench' '--until decided --compare bench -r 3' '--until decided --compare bench -p 1%' \
	'--until decided --compare bench -O interleaved' '--until decided --compare bench --threshold -1%' \
	'--until decided --compare bench --processes 9' '--until decided --compare n' '--until decided --compare bench --reference false'; do
	# shellcheck disable=SC2086
	status 2 "bench-run rejects $options" bench-run -q -e none $options -c true -c 'true 1'
done
printf 'kind,bench,subject,runs\ncommand,a,true,3\ncommand,b,true,\n' >table.csv
status 2 'bench-run rejects --until decided if a table sets the number of samples' bench-run -q -e none --until decided --compare bench -I table.csv
like "$(cat .err)" 'a: the table sets the number of its samples' 'the message about a number of samples in a table names the subject'
done_testing
