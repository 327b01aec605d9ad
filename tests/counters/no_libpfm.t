#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Events without libpfm4, which is loaded only for events of vendors.
. "${0%/*}/../lib/tap.sh"

mkdir lib
echo 'no library' >lib/libpfm.so.4
without() { LD_LIBRARY_PATH=$T/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@"; }

status 0 'bench-run counts events of perf without libpfm4' without bench-run -q -r 1 -w 0 -e page-faults -- true
like "$(cat .out)" ',page-faults,1,[0-9]+,ok' 'bench-run writes the count of an event of perf without libpfm4'
status 2 'bench-run fails without libpfm4 if an event may be in its tables' without bench-run -q -r 1 -w 0 -e foo -- true
like "$(cat .err)" "event 'foo': unknown to perf and libpfm4, which is not installed \(Debian: libpfm4\)" \
	'bench-run reports that libpfm4 is not installed'
status 2 'bench-list lists no events of vendors without libpfm4' without bench-list events
like "$(cat .err)" 'events of vendors require libpfm4, which is not installed \(Debian: libpfm4\)' \
	'bench-list reports that libpfm4 is not installed'

for program in bench-run bench-list bench-prof; do
	unlike "$(LD_TRACE_LOADED_OBJECTS=1 "$(command -v $program)")" libpfm "$program starts without loading libpfm4"
done
done_testing
