#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tap.sh and tap.h refuse a description that makes no sense alone in a failure report.
. "${0%/*}/../lib/tap.sh"

sentences='bench-run measures a command
a row is kept
android runs it
orders of magnitude are kept
three words suffice'
fragments='and so does bench-stat
But not with -q
so is a third
nor is any other
or none of them
with a limit of time
Without a limit of time
also of two commands
too few values are refused
likewise for the second one
then it ends well
two words
word'
printf '%s\n' "$sentences" "$fragments" >descriptions

mkdir -p tree/tests/lib tree/tests/x
cp "$ROOT/tests/lib/tap.sh" tree/tests/lib
cat >tree/tests/x/names.t <<'END'
. "${0%/*}/../lib/tap.sh"
while read -r name; do
	ok "$name" true
done <"$LIST"
done_testing
END
# refused: the descriptions of a report that failed
refused() { sed -n 's/^not ok [0-9]* - //p'; }
export LIST="$T/descriptions"
is "$(sh tree/tests/x/names.t | refused)" "$fragments" 'tap.sh refuses exactly the descriptions that are fragments'
sh tree/tests/x/names.t >report
is $? 1 'a test with a refused description fails'
like "$(cat report)" '^# the description is no sentence' 'tap.sh says why it refuses a description'

# Tests that need something which is not here
cat >tree/tests/x/needs.t <<'END'
. "${0%/*}/../lib/tap.sh"
if skip_unless no-such-program "a program does something"; then :; fi
if skip_unless libno-such-library "a library does something"; then :; fi
done_testing
END
for all in '' other all 'other all' libno-such-library; do
	BENCH_REQUIRE=$all sh tree/tests/x/needs.t >"required.$(echo "$all" | tr -d ' ')"
done
is "$(cat required. required.other | grep -c '# SKIP')" 4 "tap.sh skips what the machine lacks and BENCH_REQUIRE does not name"
is "$(grep -c '^not ok' required.libno-such-library)" 1 "tap.sh fails a test that needs what BENCH_REQUIRE names"
is "$(cat required.all required.otherall | grep -c '^not ok')" 4 "tap.sh fails every test that would be skipped if BENCH_REQUIRE is all"

cat >names.c <<'END'
#include <stdlib.h>
#include "tests/lib/tap.h"
int main(void)
{
	char line[100];

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		tap_ok(true, "%s", line);
	}
	return tap_end();
}
END
gcc -I "$ROOT" -o names names.c
is "$(./names <descriptions | refused)" "$fragments" 'tap.h refuses exactly the descriptions that are fragments'
./names <descriptions >report
is $? 1 'a test in C with a refused description fails'
like "$(cat report)" '^# the description is no sentence' 'tap.h says why it refuses a description'
done_testing
