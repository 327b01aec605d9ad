#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The time at which perf was started, which perf stat -o writes in the local time zone.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# In Berlin the clock goes from 2:00 to 3:00 on 29 March 2026, and from 3:00 to 2:00 on 25 October.
berlin=CET-1CEST,M3.5.0,M10.5.0/3
# started ZONE [DATE]: the time that is read from a file of perf, whose date is replaced
started() {
	sed "s/^# started on .*/# started on ${2:-Sat Nov 28 01:28:44 2026}/" "$data/perf-cgroups.txt" >file.txt
	TZ=$1 bench-convert file.txt | columns time | sort -u
}
is "$(started UTC)" 2026-11-28T01:28:44.000000000Z "bench-convert reads the time of perf stat -o in UTC if that is the time zone"
is "$(started $berlin)" 2026-11-28T00:28:44.000000000Z "bench-convert reads the time of perf stat -o in the local time zone"
is "$(started $berlin 'Wed Jul  1 12:00:00 2026')" 2026-07-01T10:00:00.000000000Z \
	"bench-convert reads the time of perf stat -o with daylight saving time"
is "$(started $berlin 'Sun Oct 25 02:30:00 2026')" '' \
	"bench-convert reads no time of perf stat -o in the hour that occurs twice"
is "$(started $berlin 'Sun Mar 29 02:30:00 2026')" '' \
	"bench-convert reads no time of perf stat -o in the hour that daylight saving time omits"
is "$(started $berlin 'Sun Oct 25 03:00:00 2026')" 2026-10-25T02:00:00.000000000Z \
	"bench-convert reads the time of perf stat -o after the hour that occurs twice"
is "$(started UTC 'Fri Feb 30 01:00:00 2026')" '' "bench-convert reads no time of perf stat -o on a day that no month has"
is "$(started UTC 'Fri Feb 20 01:00:00 9999')" '' "bench-convert reads no time of perf stat -o that no stream can have"
done_testing
