#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How tests are run: second tries, what is started first, tests that are missing or hang, and an
# interrupted run, each with tests that are made here.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

BUILD=$T/build
PATH=/usr/local/bin:/usr/bin:/bin
# fake NAME MARK: a test that runs the commands on standard input. It counts how often it was
# started, in NAME.runs, whose length in bytes the commands find in $run.
fake() {
	{
		printf '#!/bin/sh\n%s\nprintf . >>"%s/%s.runs"\n' "$2" "$T" "$1"
		printf 'run=$(wc -c <"%s/%s.runs")\n' "$T" "$1"
		cat
	} >"$1.t"
}
runs() { if [ -e "$1.runs" ]; then wc -c <"$1.runs"; else echo 0; fi; }
# run_all NAME...: runs these tests again; the output is in out
run_all() {
	rm -f ./*.runs
	sh "$ROOT/tests/lib/run_all.sh" "$@" >out 2>&1
}
passed() { printf '%s\n' 'echo 1..1' 'echo ok 1 - fine'; }
flaky() { printf '%s\n' 'echo 1..1' 'if [ $run -gt 1 ]; then echo ok 1 - fine; else echo not ok 1 - busy; fi'; }
broken() { printf '%s\n' 'echo 1..1' 'echo not ok 1 - wrong'; }

passed | fake sound ''
passed | fake quick ''
flaky | fake flaky_timing '# timing: waits for others'
flaky | fake flaky_unmarked '# timings are not judged'
broken | fake broken_timing '# timing: waits for others'
printf '\n\n\n\n\n\n\n\n\n\n\n# timing\n' >>late_mark
flaky | fake flaky_late "$(cat late_mark)"

run_all ./sound.t ./quick.t
is "$?" 0 'a run in which all tests pass succeeds'
ok 'a run in which all tests pass records no second try' test ! -e "$BUILD/tests/second-tries"

run_all ./sound.t ./flaky_timing.t
is "$?" 0 'a timing test that passes at the second try counts as passed'
is "$(runs flaky_timing),$(runs sound)" 2,1 'only the test that failed is tried again'
is "$(sed 's/^[0-9TZ:-]* //' "$BUILD/tests/second-tries")" ./flaky_timing.t 'a passed second try is recorded in second-tries'
is "$(tail -n 2 out | sed 's/^20[0-9TZ:-]* //' | paste -sd' ')" 'Passed at the second try: ./flaky_timing.t' \
	'a run that succeeds in the end prints the second tries last'

run_all ./sound.t
is "$(grep -c 'second try' out)" 0 'second tries of an earlier run are not printed again'

run_all ./sound.t ./flaky_unmarked.t
is "$?,$(runs flaky_unmarked)" 1,1 'a flaky test without the mark fails at once'
run_all ./flaky_late.t
is "$?,$(runs flaky_late)" 1,1 'a mark after the twelfth line does not count'

run_all ./broken_timing.t ./flaky_timing.t
is "$?,$(runs broken_timing),$(runs flaky_timing)" 1,2,2 'a timing test that fails twice fails, and the others still have their second try'
is "$(sed 's/^[0-9TZ:-]* //' "$BUILD/tests/second-tries")" ./flaky_timing.t 'a failed second try is not recorded'
like "$(cat out)" '^Failed at first: ./broken_timing.t ./flaky_timing.t $' 'the tests that failed at first are listed'

run_all ./sound.t ./missing_test
is "$?,$(runs sound)" 1,1 'a test program that was not built fails, and the others still run'
like "$(cat out)" '^Failed at first: ./missing_test $' 'the test program that was not built is named'

passed | fake z_slow '# slow'
for name in sound quick z_slow; do
	sed -i "3a echo $name >>'$T/order'" $name.t
done
run_all ./quick.t ./sound.t ./z_slow.t
is "$(head -n "$(nproc)" order | grep -c z_slow)" 1 'a test marked "# slow" is among the first to start'

# As many tests as there are processors wait for a test that waits.
printf '%s\n' ": >'$T/begun'" 'echo 1..1' 'echo ok 1 - fine' | fake z_waits '# waits: for nothing'
held=
for n in $(seq "$(nproc)"); do
	printf '%s\n' 'echo 1..1' "for i in \$(seq 400); do [ ! -e '$T/begun' ] || { echo ok 1 - fine && exit; }; sleep 0.05; done" |
		fake "held$n" ''
	held="$held ./held$n.t"
done
# shellcheck disable=SC2086 # words
run_all $held ./z_waits.t
is "$?,$(runs z_waits)" 0,1 'a test marked "# waits" runs while as many others run as there are processors'
like "$(cat out)" '^(\[[0-9:]+\] )?\./z_waits\.t \.+ ok' 'the results of a test marked "# waits" are printed'
run_all ./z_waits.t
is "$?,$(runs z_waits)" 0,1 'a test marked "# waits" can run without others'
broken | fake broken_waits '# waits'
run_all ./sound.t ./broken_waits.t
is "$?,$(runs broken_waits)" 1,1 'a test marked "# waits" that fails makes the run fail'
like "$(cat out)" '^Failed at first: ./broken_waits.t $' 'a test marked "# waits" that failed is listed'
flaky | fake flaky_waits "$(printf '# timing\n# waits')"
run_all ./sound.t ./flaky_waits.t
is "$?,$(runs flaky_waits)" 0,2 'a test marked "# waits" and "# timing" has a second try'

# Its child outlives it, unless the whole session is killed.
printf '%s\n' 'echo 1..1' "sleep 987 & echo \$! >'$T/child'" 'echo ok 1 - begun' 'wait' | fake hangs '# timing'
child_is_gone() { ! kill -0 "$(cat child)"; }
TEST_LIMIT=1 run_all ./hangs.t ./sound.t
is "$?,$(runs sound)" 1,1 'a test that hangs is killed at its limit and fails'
ok 'processes that a killed test started are also killed' wait_for child_is_gone
like "$(cat out)" 'killed, as after the limit of 1 s' 'the report says that the limit was reached'

# Ctrl-C goes to all of the terminal's foreground processes.
rm -f ./*.runs child
printf '%s\n' 'echo 1..1' "sleep 988 & echo \$! >'$T/waiting_child'" 'wait' | fake hangs_waiting '# waits'
waiting_child_is_gone() { ! kill -0 "$(cat waiting_child)"; }
setsid -w env --default-signal=INT sh "$ROOT/tests/lib/run_all.sh" ./flaky_timing.t ./hangs.t ./hangs_waiting.t >out 2>&1 &
begun() { [ "$(runs flaky_timing)" -ge 1 ] && [ -s child ] && [ -s waiting_child ]; }
wait_for begun
group=$(ps -o pgid= -p "$(pgrep -f "run_all.sh ./flaky_timing.t ./hangs.t" | head -n 1)" | tr -d ' ')
kill -INT -"$group"
wait $!
is "$?,$(runs flaky_timing)" 130,1 'Ctrl-C ends the run with status 130 and without second tries'
ok 'Ctrl-C ends the tests that were running' wait_for child_is_gone
ok 'Ctrl-C ends a test marked "# waits" that was running' wait_for waiting_child_is_gone
done_testing
