#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run on real commands: its output, its exit status, and its clean-up.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# run ARG...: bench-run without counters, warm-ups and messages
run() { timeout 60 bench-run -q -e none -w 0 "$@"; }

# Output
run -r 3 --commit c1 -- true >a.csv
is $? 0 'bench-run -r 3 of a command that succeeds exits with 0'
is "$(head -1 a.csv)" 'run,time,host,env,commit,kind,bench,process,sample,t,iterations,metric,unit,value,status,running_pct' 'the header of the samples has the columns of bench-csv(5)'
is "$(column metric a.csv | sort -u | tr '\n' ' ')" 'block_in block_out context-switches max_rss ok page-faults rows sys user wall ' 'a command has the metrics that the manual lists'
rows wall a.csv >wall.csv
is "$(column sample wall.csv | tr '\n' ' ')" '0 1 2 ' '-r 3 takes three samples, numbered from 0'
is "$(column status a.csv | sort -u)" ok 'each row of a successful run has the status ok'
is "$(column commit a.csv | sort -u)" c1 '--commit sets the column commit'
like "$(column run a.csv | sort -u)" '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' 'the column run contains one UUIDv7'
like "$(column time wall.csv | head -1)" '^[0-9-]{10}T[0-9:]{8}\.[0-9]{9}Z$' 'the column time contains RFC 3339 times in UTC'
is "$(column value wall.csv | awk '$1 < 50000 || $1 > 1e9' | wc -l)" 0 'the wall time of true is between 50 us and 1 s'
is "$(column env wall.csv | sort -u)" "$(bench-env --hash)" 'the column env contains the hash of bench-env'

# Lines, names, sweeps
run -r 1 -c 'echo "a b" c\ d '\''{x}'\''' --stdout out >b.csv
is "$(cat out)" 'a b c d {x}' '-c splits words by the quoting rules of the shell and keeps an unknown {x}'
run -r 1 -P n=1,2 -P m=5..7 --label who=me -c 'test {n} -lt {m}' >c.csv
rows wall c.csv >wall.csv
is "$(paste -d: wall.csv /dev/null | wc -l)" 7 'two parameters of two and three values give six subjects'
is "$(column n wall.csv | tr '\n' ' ')$(column m wall.csv | tr '\n' ' ')" '1 1 1 2 2 2 5 6 7 5 6 7 ' 'the values of the last -P change fastest'
is "$(column who wall.csv | sort -u)" me '--label adds a column'
is "$(column bench wall.csv | sort -u)" 'test {n} -lt {m}' 'the column bench contains the command line before parameters are replaced'
run -r 2 -n one -n two -c true -c true >d.csv
rows wall d.csv >wall.csv
is "$(column bench wall.csv | tr '\n' ' ')" 'one two one two ' '-n names the commands, whose rows are in the order of the subjects in each block'
status 2 'bench-run rejects two subjects with the same name' run -r 1 -c true -c true
status 2 'bench-run rejects a parameter with the name of a column' run -r 1 -P value=1 -- true
status 2 'bench-run rejects a label with the name of a column' run -r 1 --label metric=1 -- true
status 2 'bench-run rejects two parameters with the same name' run -r 1 -P n=1 -P n=2 -- true
status 2 'bench-run rejects a label with the name of a parameter' run -r 1 -P n=1 --label n=2 -- true
status 2 'bench-run rejects an --extract with the name of another metric' run -r 1 --extract 'wall=([0-9]+)' -- echo 1
status 2 'bench-run rejects an --extract with a back-reference' run -r 1 --extract 'a=(.)\1' -- echo 1
status 2 'bench-run rejects two --extract options with the same name' run -r 1 --extract 'a=([0-9]+)' --extract 'a=(.)' -- echo 1
status 2 'bench-run rejects a command line with an unterminated quote' run -r 1 -c 'echo "a'
status 2 'bench-run rejects an empty command line' run -r 1 -c ' '
status 2 'bench-run without subjects exits with 2' run -r 1
status 2 'bench-run rejects -r together with -t' run -r 1 -t 1s -- true
status 2 'bench-run rejects a duration with an unknown unit' run -t 1x -- true

# order FILE: the subjects, ordered by the column time
order() { rows wall "$1" >wall.csv; paste -d' ' wall.csv /dev/null >/dev/null; sort -t, -k2,2 wall.csv | awk -F, '$1 != "run" { print $7 }' | tr '\n' ' '; }
run -r 6 --seed 7 -n a -n b -n c -c true -c true -c true >e1.csv
run -r 6 --seed 7 -n a -n b -n c -c true -c true -c true >e2.csv
run -r 6 --seed 8 -n a -n b -n c -c true -c true -c true >e3.csv
is "$(order e1.csv)" "$(order e2.csv)" 'the same seed gives the same order'
unlike "$(order e3.csv)" "^$(order e1.csv)\$" 'another seed gives another order'
is "$(order e1.csv | xargs -n 3 | while read -r x y z; do printf '%s\n' "$x" "$y" "$z" | sort | xargs; done | sort -u)" \
	'a b c' 'each block contains each subject once'
run -r 3 -O sequential -n a -n b -c true -c true >f.csv
is "$(order f.csv)" 'a a a b b b ' '-O sequential measures one subject to its end before the next'
run -r 3 -O interleaved -n a -n b -c true -c true >f.csv
is "$(order f.csv)" 'a b a b a b ' '-O interleaved keeps the order of the subjects in each block'

# Failure
status 2 'bench-run exits with 2 if its only program is missing' run -r 1 -- no-such-program
is "$(cat .out)" '' 'bench-run writes no rows if its only program is missing'
like "$(cat .err)" 'no-such-program: not found in PATH' 'bench-run names the missing program'
status 2 '--strict measures nothing if a program is missing' run --strict -r 1 -c 'touch ran' -c ./none
ok '--strict executes no other program if one is missing' test ! -e ran
touch plain
status 2 'bench-run exits with 2 if its only program is not executable' run -r 1 -- ./plain
printf '\001garbage' >bad && chmod +x bad
status 2 'bench-run exits with 2 if the kernel cannot execute its only program' run -r 1 -- ./bad
status 1 'bench-run exits with 1 if a command fails' run -r 2 -c 'sh -c "exit 3"'
like "$(cat .err)" "^bench-run: 2 samples failed; .* 'sh -c \"exit 3\"': exit=3" 'bench-run reports the exit code of the first failed sample'
cp .out g.csv
rows wall g.csv >wall.csv
is "$(column status wall.csv | sort -u)" 'failed:exit=3' 'the rows of a failed sample have its exit code as their status'
rows ok g.csv >okrows.csv
is "$(column value okrows.csv | sort -u)$(column status okrows.csv | sort -u)" '0ok' 'the metric ok of a failed sample is 0 with the status ok'
like "$(bench-stat -s n,failed g.csv)" ',wall,ns,0,2$' 'bench-stat counts failed samples as failed'
status 0 'bench-run -i exits with 0 although a command fails' run -i -r 1 -c 'sh -c "exit 3"'
status 0 '--success accepts the exit codes that it lists' run --success 0,3 -r 1 -c 'sh -c "exit 3"'
status 0 '--success any accepts every exit code' run --success any -r 1 -c 'sh -c "exit 4"'
status 1 'bench-run exits with 1 if a command crashes' run -r 1 -c 'sh -c "kill -SEGV \$\$"'
is "$(rows wall .out | sed 1d | cut -d, -f15)" 'failed:signal=SIGSEGV' 'the status of a crashed sample names the signal'

# Time limits, groups, leftovers
mark=7$$.25
status 1 'bench-run exits with 1 if a command exceeds --timeout' run -r 1 --timeout 100ms -c "sh -c 'sleep $mark & sleep $mark'"
cp .out h.csv
status 2 'bench-run rejects a --timeout below 1 ns' run -r 1 --timeout 0.5ns -- true
is "$(rows wall h.csv | sed 1d | cut -d, -f14,15)" '100000000,timeout' 'a sample that exceeds --timeout has the limit as its value and the status timeout'
ok 'a command that exceeds --timeout is killed with its process group' wait_for gone "sleep $mark"
run -r 1 -c "sh -c 'sleep $mark & exit 0'" >/dev/null
ok 'processes that a command leaves in its group are killed' wait_for gone "sleep $mark"

# Signals
cat >interrupt.pl <<'END'
use strict;
use POSIX ();
# Start bench-run with default signals, wait for its first rows, send it the signal, and say
# how it ended.
my ($signal, @command) = @ARGV;
pipe(my $in, my $out);
my $pid = fork // die;
if (!$pid) {
	$SIG{INT} = 'DEFAULT';
	open(STDOUT, '>&', $out);
	exec @command;
}
close $out;
my $text = '';
while (sysread($in, my $piece, 4096)) {
	$text .= $piece;
	if ($signal && ($text =~ tr/\n//) >= 10) {
		kill $signal, $pid;
		$signal = '';
	}
}
waitpid($pid, 0);
open(my $file, '>', 'rows.csv');
print $file $text;
printf "signal=%d exit=%d\n", $? & 127, $? >> 8;
END
for signal in INT TERM HUP; do
	got=$(timeout 60 perl interrupt.pl $signal bench-run -q -e none -w 0 -r 100000 -O interleaved -n quick -n hangs \
		-c true -c "sh -c 'test -e late && sleep $mark; test -e first && touch late; touch first'")
	rm -f first late
	case $signal in INT) number=2 ;; TERM) number=15 ;; HUP) number=1 ;; esac
	is "$got" "signal=$number exit=0" "bench-run ends by SIG$signal"
	ok "the rows written before SIG$signal are whole" bench-stat rows.csv
	ok "no command is left running after SIG$signal" wait_for gone "sleep $mark"
done
bench-run -q -e none -w 0 -r 1 -- sleep "$mark" >/dev/null 2>&1 &
wait_for alive "^sleep $mark"
kill -KILL $!
wait $! 2>/dev/null
ok 'the command ends when bench-run is killed by SIGKILL' wait_for gone "^sleep $mark"
bench-run -q -e none -w 0 -r 1 -- sleep "$mark" >/dev/null 2>helper.err &
pid=$!
wait_for alive "^sleep $mark"
pkill -KILL -P $pid bench-spawn
wait $pid
is $? 2 'bench-run exits with 2 if its helper is killed'
like "$(cat helper.err)" 'bench-spawn ended unexpectedly' 'bench-run reports that its helper ended unexpectedly'
ok 'the command ends when the helper is killed' wait_for gone "^sleep $mark"
timeout 20 bench-run -q -e none -w 0 -r 100000 -- true 2>pipe.err | head -1 >/dev/null
is "$(cat pipe.err)" '' 'bench-run prints no message if its reader goes away'
for form in --csv --json --table; do
	{ timeout 20 bench-run -q -e none -w 0 -r 200 $form -- true 2>pipe.err; echo $? >rc; } | true
	is "$(cat rc pipe.err)" 141 "bench-run $form ends by SIGPIPE without a message if its reader goes away at the end"
	timeout 20 bench-run -q -e none -w 0 -r 2 $form -- true >/dev/full 2>full.err
	is "$?$(grep -c 'No space left' full.err)" 21 "bench-run $form exits with 2 and a message if the disk is full"
done

timeout 20 bench-run -q -e none -w 0 -r 2 -- true >&- 2>closed.err
is "$?$(wc -l <closed.err)" 21 'bench-run exits with 2 and one message if its standard output is closed'
is "$(run -r 1 -- cat <&- | wc -l)" 11 'bench-run measures a command when its standard input is closed'
is "$(mkdir gone && cd gone && rmdir ../gone && run -r 1 -- true | wc -l)" 11 'bench-run measures a command in a directory that has been removed'
# The number of descriptors that bench-run needs depends on those it inherits.
for limit in 6 8 9 10 11 12 13 14 15 16 18 20; do
	prlimit --nofile=$limit bench-run -q -e none -w 0 -r 1 -- true >few.out 2>few.err \
		3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
	echo "$? $(grep -c 'Too many open files (see ulimit -n)' few.err) $(wc -l <few.err)" \
		"$(grep -c ',ok,' few.out)"
done >few
is "$(head -n 1 few)" '2 1 1 0' 'bench-run exits with 2, one message and no rows if it cannot open enough files'
is "$(awk '$1 == 2 && !($2 == 1 && $3 == 1 && $4 == 0) || $1 == 0 && ($3 || !$4) || $1 == 1' few)" '' \
	'bench-run writes samples, or exits with one message, under every limit of open files'

# Memory
if skip_unless unsanitized 'max_rss of a command excludes that of other commands'; then
	run -r 2 -O interleaved -n big -n small -c 'dd if=/dev/zero of=/dev/null bs=1G count=1' -c true >mem.csv
	rows max_rss mem.csv >rss.csv
	is "$(awk -F, '$7 == "small" && $14 >= 5e6' rss.csv)" '' 'max_rss of a small command is below 5 MB after a command of 1 GB'
	is "$(awk -F, '$7 == "big" && $14 >= 1e9' rss.csv | wc -l)" 2 'max_rss of a command that uses 1 GB is at least 1 GB'
fi

# Hooks, input and output, environment
run -r 2 -w 1 --setup 'echo setup >>log' --prepare 'echo prepare >>log' --conclude 'echo conclude >>log' \
	--cleanup 'echo cleanup >>log' -c 'sh -c "echo run >>log"' >/dev/null
is "$(tr '\n' ' ' <log)" 'setup prepare run conclude prepare run conclude prepare run conclude cleanup ' 'each hook runs at its place, also around warm-ups'
status 2 'bench-run exits with 2 if a hook fails' run -r 2 --prepare 'test ! -e once || exit 5; touch once' -- true
cp .out hook.csv
like "$(cat .err)" "prepare .* ended with status 5" 'bench-run names the hook that failed, and its exit code'
ok 'the samples before a failed hook are written' bench-stat hook.csv
printf 'hello\n' >in
run -r 2 --stdin in --stdout copy -- cat >/dev/null
is "$(cat copy)" hello 'each execution reads --stdin from its start'
run -r 1 --stdout inherit -- echo talk >o.csv 2>o.err
is "$(cat o.err)$(grep -c talk o.csv)" "talk9" '--stdout inherit sends output to standard error'
run -r 3 --timeout 20s --stdout pipe -S -c 'test -p /dev/stdout && seq 100000' -c 'test -p /dev/stdout; sleep 1 & echo $?' >o.csv
is "$(rows wall o.csv | column status | sort | uniq -c | awk '{ print $1, $2 }')$(ls pipe 2>/dev/null)" '6 ok' \
	'--stdout pipe sends more output to a pipe than it holds, and creates no file'
run -r 1 --timeout 20s --stdout ./pipe -- echo talk >o.csv
is "$(cat pipe)" talk '--stdout ./pipe writes a file of that name'
status 2 'bench-run exits with 2 if --stdin does not exist' run -r 1 --stdin nowhere -- cat
run -r 1 --env COLOR=red --stdout e -S -c 'echo $COLOR' >/dev/null
is "$(cat e)" red '--env sets a variable that a line of -S can use'
run -r 1 -w 0 -P v=1,2 --env 'A={v}' --env 'B={w}' --setup 'echo $A >>hooks' --prepare 'echo $A >>hooks' \
	--stdout inherit -S -c 'echo $A $B' 2>e >/dev/null
is "$(sort e hooks | paste -sd,)" '1,1,1 {w},2,2,2 {w}' '--env replaces the parameters of -P for commands and hooks'
run -r 2 -w 0 -O sequential -P v=1,2 --env 'A={v}' --env A=3 -J 2 --stdout inherit -S -c 'echo $A' 2>e >/dev/null
is "$(sort -u e)" 3 'the last --env of a variable counts, with and without a parameter'
run -r 3 --env-jitter --seed 1 --extract 'size=([0-9]+)' -S -c 'echo ${#BENCH_JITTER}' >j.csv
rows size j.csv >size.csv
is "$(column value size.csv | sort -u | wc -l)" 3 '--env-jitter gives each execution an environment of another size'
run -r 1 --cpu 0 --extract 'cpus=([0-9]+)' -- nproc >cpu.csv
rows cpus cpu.csv >cpus.csv
is "$(column value cpus.csv)" 1 '--cpu 0 confines a command to one processor'
status 2 'bench-run rejects a processor that does not exist' run -r 1 --cpu 1000 -- true
status 2 'bench-run rejects a list with a processor that does not exist' run -r 1 --cpu 0,1000 -- true
run -r 1 --extract 'rate:MB/s=rate: ([0-9.]+)' --extract 'none=nothing ([0-9]+)' -- echo 'rate: 12.5 MB/s' >m.csv
is "$(rows rate m.csv | sed 1d | cut -d, -f13-15)" 'MB/s,12.5,ok' '--extract reads a value from the output and has its unit'
is "$(rows none m.csv | sed 1d | cut -d, -f14-15)" ',skipped' '--extract without a match has no value and the status skipped'
run -r 1 --extract 'x=([0-9]+)$' -- sh -c 'head -c 1000 /dev/zero; echo; echo 5' >m.csv
is "$(rows x m.csv | sed 1d | cut -d, -f14)" 5 '--extract finds a value after NUL bytes'
# The search for x*9 in a long line of x takes minutes, which signals do not end at once.
head -c 2000000 /dev/zero | tr '\0' x >xs
bench-run -q -e none -r 1 -w 0 --extract 'n=x+(9)' -- cat xs >slow.csv 2>&1 &
slow=$!
(sleep 20; kill -KILL $slow) >/dev/null 2>&1 &
guard=$!
sleep 0.5; kill $slow; sleep 0.3; kill $slow; wait $slow
is $? 143 'a second signal ends bench-run while --extract searches'
kill $guard
# the address sanitizer needs more address space than this leaves
if [ -z "${SANITIZED:-}" ]; then
	status 2 'bench-run fails if memory runs out while --extract searches' \
		sh -c 'ulimit -v 120000; bench-run -q -e none -r 1 -w 0 --extract "n=^x*(5)$" -S -c "head -c 10000000 /dev/zero | tr \\\\0 x; echo 5"'
	like "$(cat .err)" '^bench-run: .*--extract n: .*memory' 'the message about memory names the --extract'
fi
status 2 'bench-run rejects an invalid regular expression' run -r 1 --extract 'x=(' -- true
is "$(run -r 1 --metric 'a=a([0-9])' --extract 'b:B=b([0-9])' -- echo a1 b2 | grep -E ',[ab],' | cut -d, -f12-14 | paste -sd' ')" \
	'a,1,1 b,B,2' '--metric NAME=REGEX is the old name of --extract'
status 2 'bench-run rejects a --metric without =' run -r 1 --metric wall -- true
like "$(cat .err)" "^bench-run: --metric 'wall': .* is now --extract NAME\[:UNIT\]=REGEX" \
	'the message about a --metric without = names --extract'
status 2 'bench-run rejects an --extract without =' run -r 1 --extract wall -- true
like "$(cat .err)" "^bench-run: --extract: 'wall' is not NAME" 'the message about an --extract without = says what it takes'

# Stopping
run -T 1ms -- sleep 0.01 >t.csv
is "$(rows wall t.csv | sed 1d | wc -l)" 1 '-T stops after one sample that takes longer'
run -t 50ms -- true >t.csv
is "$(rows wall t.csv | awk -F, '$14 ~ /^[0-9]/ { s += $14; n++ } END { print (s >= 5e7 && n >= 10) }')" 1 '-t takes at least 10 samples and the given time'
run -t 1ms -p 50% -C 90% -- true >t.csv
is "$(rows wall t.csv | sed 1d | wc -l | awk '{ print ($1 >= 10) }')" 1 '-p takes at least 10 samples'
run -r 1 --keep-warmup -w 2 -- true >w.csv
rows wall w.csv >wall.csv
is "$(column sample wall.csv | tr '\n' ' ')" '-2 -1 0 ' '--keep-warmup writes warm-ups with negative sample numbers'
like "$(bench-stat -s n w.csv)" ',wall,ns,1$' 'bench-stat ignores warm-ups'

# Keeping, subjects tables, commits
run -r 6 -d kept -- true >k.csv
is "$(cd kept/* && echo *)" 'env.csv results.json samples.csv summary.csv' '-d writes four files'
ok 'samples.csv equals the standard output' cmp k.csv kept/*/samples.csv
ok 'results.json is valid JSON' perl -MJSON::PP -e 'local $/; decode_json(<>)' kept/*/results.json
is "$(sed -n 2p kept/*/env.csv | cut -d, -f1)" "$(bench-env --hash)" 'env.csv contains the hash of bench-env'
cat >subjects.csv <<'END'
kind,bench,subject,args,runs,status
command,fast,true,,2,
command,sweep,test {n} -gt 0,n=1..3,1,
command,broken,no-such-program,,,not found
END
run -r 4 -I subjects.csv >i.csv
is "$(rows wall i.csv | sed 1d | cut -d, -f7,8,16 | sort | uniq -c | awk '{ print $1 "x" $2 }' | tr '\n' ' ')" \
	'1xbroken,,skipped 2xfast,,ok 1xsweep,1,ok 1xsweep,2,ok 1xsweep,3,ok ' '-I reads subjects, their args and runs, and skips a subject whose status is not ok'
is "$(rows wall i.csv | grep -c ',skipped,')" 1 'a subject of a table whose status is not ok has one skipped row'
printf 'kind,bench,subject,runs\ncommand,f,true,0\n' | timeout 9 bench-run -q -I - >/dev/null 2>i.err
is "$?" 2 'bench-run rejects a table with 0 runs'
like "$(cat i.err)" ':2: runs' 'the message about 0 runs names the line of the table'
printf 'kind,bench,subject\nghost,f,x.so:f\n' | run -r 1 -I - >/dev/null 2>i.err
is $? 2 'bench-run rejects a table with an unknown kind'
like "$(cat i.err)" "standard input:2: kind 'ghost' is not command, function" 'the message about an unknown kind names the line of the table'
git init -q repo 2>/dev/null && cd repo && git config user.email a@b && git config user.name n &&
	touch f && git add f && git commit -qm m
run -r 1 -- true >../git.csv
echo change >f
run -r 1 -- true >../dirty.csv
hash=$(git rev-parse HEAD)
cd ..
is "$(column commit git.csv | sort -u)" "$hash" 'the column commit contains the commit of the current directory'
is "$(column commit dirty.csv | sort -u)" "$hash-dirty" 'the column commit ends in -dirty if a file is changed'
(cd repo && PATH=$BUILD/bin && bench-run -q -e none -w 0 -r 1 -- /bin/true) >nogit.csv
is "$(column commit nogit.csv | sort -u)" '' 'the column commit is empty if git is not installed'

# Counters
timeout 20 bench-run -q -w 0 -r 2 -e task-clock,page-faults,cs -- true >n.csv
is "$?$(column metric n.csv | grep -c '^page-faults$')" 02 'a counter and the accounting give one row of page-faults'
is "$(rows task-clock n.csv | sed 1d | awk -F, '$13 == "ns" && $14 > 1000 && $14 < 1e8' | wc -l)" 2 'task-clock has plausible values in ns'
status 2 'bench-run rejects an unknown event' bench-run -r 1 -e no-such-event -- true
like "$(cat .err)" 'no-such-event' 'the message about an unknown event names it'
if ! have pmu; then
	timeout 20 bench-run -w 0 -r 3 -e instructions -c true -c 'test x' >n.csv 2>n.err
	is "$(rows instructions n.csv | sed 1d | grep -c ',1,,unsupported,$')" 2 'an unsupported counter has one row for each subject'
	is "$(wc -l <n.err)" 1 'an unsupported counter is explained in one line'
fi
timeout 60 bench-run -q -w 0 -r 200 -e page-faults -- true >n.csv
is "$(rows page-faults n.csv | sed 1d | awk -F, '$14 < 10 || $14 > 5000' | wc -l)" 0 'counts are plausible in each of 200 samples'

# Forms
run -r 6 --table -- true >table
like "$(cat table)" 'median' '--table prints a summary'
run -r 1 --json -- true | perl -MJSON::PP -e 'local $/; my $d = decode_json(<>); exit !(@$d == 10 && $d->[0]{metric} eq "wall")'
is $? 0 '--json prints an array with an object for each row'
timeout 20 script -qec 'bench-run -e none -w 0 -r 15 -P s=0.02,0.03 -- sleep {s}' /dev/null </dev/null >screen
like "$(tr '\r' '\n' <screen | grep -m 1 '%')" '   0% sleep 0\.0[23]$' 'the line of progress names the command and its parameter, and has no time left before the first sample'
like "$(tr '\r' '\n' <screen)" 'ETA' 'bench-run shows the time left on a terminal'
like "$(tr '\r' '\n' <screen)" 'median' 'bench-run prints a summary on a terminal'
NO_COLOR=1 timeout 20 script -qec 'bench-run -q -e none -w 0 -r 2 -- true' /dev/null </dev/null >screen
unlike "$(cat screen)" "$(printf '\033')" 'NO_COLOR and -q leave no escape sequences on a terminal'
# On a terminal --live draws each subject, and removes the drawing at the end.
live() { script -qec "stty cols 80 rows 24; bench-run --live -e none $* >live.csv" /dev/null </dev/null | tr -d '\r'; }
live -r 30 -n quick -c "'sleep 0.01'" -n slow -c "'sleep 0.02'" >drawn
like "$(cat drawn)" 'ETA' "--live shows the time left"
like "$(cat drawn)" '^[>.] quick +[0-9]+ +[0-9.]+ ms' "--live shows the number and median of each subject's samples"
like "$(cat drawn)" 'slow .*\|' "--live shows the median of each subject on a scale"
is "$(tail -c 3 drawn | od -An -c | tr -d ' ')" '033[J' "--live removes its display at the end"
is "$(grep -c ',wall,' live.csv)" 60 "--live writes the samples of all subjects"
live -q -f "$BUILD/lib/benchutils/basics.so:*sort*" -r 200 --processes 1 >drawn
like "$(cat drawn)" '^[>.] [a-z_]*sort[^|]* [0-9]+ +[0-9.]+ [nµm]+s' "--live shows functions with the time of an iteration"
live -q --rate 50 --processes 3 --min-time 0.6s -n served -c "'sleep 0.01'" >drawn
like "$(cat drawn)" '^[>.] served [^|]* [0-9]+ +[0-9.]+ ms' "--live shows the latency of requests under load"
status 0 "--live measures if standard error is not a terminal" bench-run --live -r 2 -w 0 -e none true
like "$(cat .err)" 'not a terminal' "--live without a terminal reports that no progress is shown"
done_testing
