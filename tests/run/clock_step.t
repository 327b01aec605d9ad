#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run reports that the clock was set, or that the machine was suspended, while it measured. A preloaded
# library does both for one program.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

skip_unless unsanitized 'bench-run reports a clock that was set' || done_testing

cat >step.c <<'END'
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
	const char *seconds = getenv("STEP_SECONDS"), *asleep = getenv("ASLEEP_SECONDS");
	int status = (int)syscall(SYS_clock_gettime, clock, now);

	if (clock == CLOCK_REALTIME && seconds && access("stepped", F_OK) == 0)
		now->tv_sec += atol(seconds);
	if ((clock == CLOCK_REALTIME || clock == CLOCK_BOOTTIME) && asleep && access("stepped", F_OK) == 0)
		now->tv_sec += atol(asleep);
	return status;
}
END
gcc -shared -fPIC -o step.so step.c
# stepped SECONDS OPTION...: takes two samples, the first of which sets the clock
stepped() {
	rm -f stepped
	STEP_SECONDS=$1
	shift
	STEP_SECONDS=$STEP_SECONDS LD_PRELOAD=$T/step.so bench-run -e none -w 0 -r 2 "$@" -- touch stepped >out.csv 2>err
}

stepped 3600
is "$? $(cat err)" '0 bench-run: the clock was set forward by 3600 s during the run: the column time has both times, and the run may be sorted wrongly; values are not affected' \
	'bench-run reports a clock that was set forward'
is "$(rows wall out.csv | grep -c ',[0-9]\{5,9\},ok,')" 2 'a clock that is set does not change durations'
stepped -3600
like "$(cat err)" 'set back by 3600 s' 'bench-run reports a clock that was set back'
stepped -3600 -q
is "$(cat err)" '' 'bench-run -q does not report a clock that was set'
stepped 0
is "$(cat err)" '' 'bench-run reports nothing if the clock was not set'
export ASLEEP_SECONDS=3600
stepped 0
is "$? $(cat err)" '0 bench-run: the machine was suspended for 3600 s during the run: no value includes this time, but the samples next to it may differ' \
	'bench-run reports that the machine was suspended'
stepped 0 -q
is "$(cat err)" '' 'bench-run -q does not report that the machine was suspended'
done_testing
