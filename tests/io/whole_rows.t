#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Rows are written whole: while a reader pauses, after signals, and on a full disk.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# blocked PID: whether the process waits for the reader of its standard output: the system call
# that it is in has descriptor 1 and an address as its first two arguments
blocked() {
	read -r _ descriptor address _ </proc/"$1"/syscall && [ "$descriptor" = 0x1 ] && [ ${#address} -ge 10 ]
}
# summarized FILE: whether a summary, which has no metric and value, can be read
summarized() { bench-stat -m n "$1"; }
# whole FILE: whether it ends with a whole row, and all rows can be read
whole() { test "$(tail -c 1 "$1" | od -An -tu1)" -eq 10 && bench-stat "$1"; }

sh -c 'read -r call </proc/$PPID/syscall' 2>/dev/null
have_syscall=$?
mkfifo pipe
# paused COMMAND...: starts a command whose reader, on descriptor 3, pauses, and waits until the
# command waits for it. Sets pid.
paused() {
	"$@" >pipe 2>err &
	pid=$!
	exec 3<pipe
	wait_for blocked $pid
}
name=$(printf '%0150d' 7)
if [ $have_syscall -ne 0 ]; then
	skip 'the kernel does not show the system calls of processes: readers that pause'
else
	torn=0 lost=0
	for trial in 1 2 3 4 5 6 7 8 9 10; do
		rm -rf kept
		paused bench-run -q -e none -w 0 -r 100000 -n "$name" -d kept true
		kill -TERM $pid
		cat <&3 >rows.csv
		wait $pid 2>/dev/null
		like "$? $(cat err)" '^143 bench-run: interrupted after [0-9]+ of 100000 runs$' \
			"bench-run ends by SIGTERM when its reader continues (trial $trial)"
		whole rows.csv >stat.csv 2>&1 || torn=$((torn + 1))
		cmp -s rows.csv kept/*/samples.csv || lost=$((lost + 1))
	done
	is "$torn torn, $lost with rows lost" '0 torn, 0 with rows lost' \
		"SIGTERM with a paused reader loses and tears no row"
	like "$(rows wall rows.csv | wc -l)" '^[1-9][0-9]+$' "bench-run writes the samples before the signal"

	paused bench-run -q -e none -w 0 -r 100000 -n "$name" true
	kill -TERM $pid
	sleep 0.3
	ok "bench-run waits for a paused reader before it ends" wait_for blocked $pid
	kill -TERM $pid
	wait $pid 2>/dev/null
	is $? 143 "a second signal ends bench-run while its reader pauses"
	cat <&3 >rows.csv
	ok "bench-run has written only whole rows before a second signal" whole rows.csv
	paused bench-run -q -e none -w 0 -r 100000 -n "$name" true
	kill -KILL $pid
	wait $pid 2>/dev/null
	cat <&3 >rows.csv
	ok "bench-run has written only whole rows when it is killed" whole rows.csv

	awk -v name="$name" 'BEGIN { print "bench,sample,metric,unit,value"
		for (i = 0; i < 3000; i++) printf "\"%s,\n%d\",%d,wall,ns,%d\n", name, i % 7, i, i }' >many.csv
	bench-store -q -D many.db add many.csv
	# cut READ COMMAND...: ends the command while a reader pauses; READ must be able to read the rest
	cut() {
		read=$1
		shift
		paused "$@"
		kill -TERM $pid
		wait $pid 2>/dev/null
		cat <&3 >rows.csv
		ok "$1, ended by a signal, has written whole rows" "$read" rows.csv
		is "$(awk 'END { print (NR > 100) }' rows.csv)" 1 "$1 has written rows before the signal"
	}
	cut whole bench-convert -t csv many.csv
	cut whole bench-store -D many.db export
	cut summarized bench-stat -g bench,sample many.csv
fi

# A disk that becomes full
if skip_unless own-mounts 'bench-run writes whole rows to a full disk' && skip_unless root 'bench-run writes whole rows to a full disk'; then
	mkdir small
	# full COMMAND: in a directory of 32 KiB; what it has is kept
	full() {
		rm -rf left && mkdir left
		unshare -m sh -c 'mount -t tmpfs -o size=32k none small && sh -c "$1"; got=$?
			cp -R small/. left; exit $got' sh "$1"
	}
	status 2 "bench-run -d ends with status 2 if the disk is full" \
		full 'bench-run -q -e none -w 0 -r 1000 -d small true >/dev/null'
	like "$(cat .err)" '^bench-run: .*: No space left on device$' "bench-run reports that the disk is full"
	ok "samples.csv on a full disk ends with a whole row" whole left/*/samples.csv
	status 2 "bench-run ends with status 2 if the disk of its standard output is full" \
		full 'bench-run -q -e none -w 0 -r 1000 true >small/s.csv'
	ok "standard output to a file on a full disk ends with a whole row" whole left/s.csv
fi

(
	ulimit -f 40
	bench-run -q -e none -w 0 -r 300 true >limited.csv
) 2>err
is "$? $(cat err)" '2 bench-run: standard output: File too large' "bench-run reports that a file reached the limit of its size"
ok "only whole rows are written to a file that reaches the limit of its size" whole limited.csv
done_testing
