#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-prof -o writes the profile into a file and a summary to the terminal.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

if ! skip_unless sampling 'bench-prof -o succeeds'; then
	done_testing
fi
cat >spin.c <<'END'
static volatile double x = 1;
__attribute__((noinline)) void a_function_with_quite_a_long_name_for_a_table_of_80_columns(void)
{
	for (long i = 0; i < 30000000; i++)
		x = x * 1.0000001 + 1;
}
int main(void)
{
	a_function_with_quite_a_long_name_for_a_table_of_80_columns();
	x = 1;
	return 0;
}
END
gcc -O0 -o spin spin.c
prof() { bench-prof -q -e cpu-clock "$@"; }

prof -o a.csv -- sh -c './spin; echo said; echo complaint >&2' >out 2>err
is "$?$(cat out err)" '0said
complaint' "bench-prof -o leaves both outputs of the command where they are"
like "$(columns stack,metric a.csv)" ';a_function_.*,cpu-clock$' "bench-prof -o writes the profile into the file"
is "$(tail -n 1 a.csv | grep -c ',rows,1,')" 1 "the profile in the file of bench-prof -o ends with an end mark"
bench-prof -q --heap -o heap.csv -- sh -c 'echo said' >out
is "$(cat out)" said "bench-prof --heap -o leaves the output of the command on standard output"
like "$(columns metric heap.csv)" '^alloc_bytes$' "bench-prof --heap -o writes the allocations into the file"
prof --folded -o a.folded -- ./spin >out
like "$(cat a.folded)" '^main;a_function_.* [0-9]+$' "bench-prof --folded -o writes the folded stacks into the file"
for name in - /dev/stdout; do
	prof -o "$name" -- sh -c './spin; echo said' >out 2>err
	is "$(cat err)" said "bench-prof -o $name sends the output of the command to standard error"
	is "$(head -n 1 out | cut -c1-9)$(tail -n 1 out | grep -c ',rows,1,')" run,time,1 \
		"bench-prof -o $name writes the profile to standard output"
done

# The file appears whole or not at all.
echo old >kept
refused() { # DESCRIPTION PATTERN FILE ARGUMENT...
	what=$1 pattern=$2 file=$3
	shift 3
	status 2 "bench-prof -o ends with 2 for $what" bench-prof -e cpu-clock -o "$file" -- "$@"
	like "$(cat .err)" "$pattern" "bench-prof -o reports $what"
}
refused 'a missing directory' '^bench-prof: none/a.csv: No such file' none/a.csv touch ran
ok "bench-prof -o runs no command if the file cannot be created" test ! -e ran
refused 'a directory' '^bench-prof: \.: Is a directory' . true
refused 'a full disk' '^bench-prof: /dev/full: No space left' /dev/full ./spin
refused 'a program that does not exist' 'none: No such file' kept ./none
is "$(cat kept)" old "bench-prof -o leaves the file as it is if the command cannot be started"
( ulimit -f 1; trap '' XFSZ; prof --label pad="$(printf %4000s x)" -o kept -- ./spin ) >/dev/null 2>err
is "$?$(cat err)" '2bench-prof: kept: File too large' "bench-prof -o reports a profile that does not fit"
is "$(cat kept)" old "bench-prof -o leaves the file as it is if the profile does not fit"
ok "bench-prof -o keeps no header without rows" test ! -e kept.partial
( ulimit -f 5; trap '' XFSZ; prof --label pad="$(printf %900s x)" -o kept -- ./spin ) >/dev/null 2>err
is "$?$(cat err)" '2bench-prof: kept: File too large
bench-prof: kept.partial: contains the rows that could be written' "bench-prof -o names the rows that could be written"
ok "bench-prof -o keeps whole rows if the profile does not fit" bench-stat kept.partial
like "$(bench-prof -e cpu-clock -o kept -- true 2>&1)" '^bench-prof: kept.partial: kept from an earlier run' \
	"bench-prof -o reports the rows that an earlier profile has left"
status 1 "bench-prof -o ends with 1 if the command fails" bench-prof -q -e cpu-clock -o kept -- sh -c './spin; exit 3'
is "$(columns status kept | sort -u | head -n 1)" failed:exit=3 "bench-prof -o writes the profile of a command that fails"
bench-prof -e cpu-clock -o kept -- sh -c './spin; : >ready; while :; do ./spin; done' 2>err & prof=$!
wait_long test -e ready
kill -TERM $prof
wait $prof 2>/dev/null
is $? 143 "a signal ends bench-prof -o by that signal"
like "$(cat err)" '^bench-prof: interrupted: kept contains the samples up to the signal, and no end mark$' \
	"bench-prof -o reports that the profile is incomplete"
like "$(columns stack kept)" ';a_function_' "bench-prof -o writes the samples up to the signal into the file"
is "$(grep -c ',rows,1,' kept)" 0 "bench-prof -o writes no end mark after a signal"
is "$(find . -name '.kept*')" '' "bench-prof -o leaves no temporary file"

# The summary is for terminals.
bench-prof -e cpu-clock -o a.csv -- ./spin 2>err
unlike "$(cat err)" 'samples,|self' "bench-prof -o prints no summary if standard error is not a terminal"
if skip_unless script "bench-prof -o prints a summary on a terminal"; then
	timeout 60 script -qec "stty cols 80; bench-prof -e cpu-clock -o a.csv -- sh -c './spin; echo said'" /dev/null </dev/null |
		tr -d '\r' >screen
	like "$(cat screen)" '^a.csv: [0-9]+ samples, [0-9.]+ m?s of cpu-clock, 0 lost$' "bench-prof -o prints a summary on a terminal"
	like "$(cat screen)" '^ *[0-9.]+%  +[0-9.]+%  a_function_with' "the summary of bench-prof -o has the table of functions"
	is "$(grep -v '^bench-prof: ' screen | awk 'length > 80')" '' "the summary of bench-prof -o has at most 80 columns"
	like "$(cat screen)" '^said$' "bench-prof -o leaves the output of the command on the terminal"
	timeout 60 script -qec "bench-prof -q -e cpu-clock -o a.csv -- ./spin" /dev/null </dev/null >screen
	is "$(cat screen)" '' "bench-prof -q -o prints no summary"
	timeout 60 script -qec "bench-prof --heap -o a.csv -- sh -c :" /dev/null </dev/null | tr -d '\r' >screen
	like "$(cat screen)" '^a.csv: [0-9]+ allocations?, .*B of alloc_bytes, 0 lost$' "bench-prof --heap -o prints a summary of allocations"
fi
done_testing
