#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The file of bench-run -o keeps the samples that could be written, on a full disk and at a limit of its size.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# limited [OPTION...]: takes samples until s.csv reaches 20 KiB; prints the status and the messages
limited() {
	(
		ulimit -f 40
		bench-run -q -e none -w 0 -r 300 -o s.csv "$@" true 2>err
		echo $?
	)
	cat err
}
# whole FILE: whether it ends with a whole row, and all rows can be read
whole() { test "$(tail -c 1 "$1" | od -An -tu1)" -eq 10 && bench-stat "$1"; }
# enough FILE: whether it has most of the rows that 20 KiB hold
enough() { test "$(wc -c <"$1")" -gt 19000 && test "$(rows wall "$1" | wc -l)" -gt 15; }

is "$(limited)" '2
bench-run: s.csv: File too large
bench-run: s.csv.partial: contains the samples that could be written' \
	'bench-run -o reports the error and the name of the samples that could be written'
ok 'bench-run -o keeps only whole rows if it cannot write all' whole s.csv.partial
ok 'bench-run -o keeps the rows that could be written' enough s.csv.partial
is "$(ls)" 'err
s.csv.partial' 'bench-run -o does not create a file that it cannot write completely'

echo old >s.csv
cp s.csv.partial first.csv
limited >/dev/null
is "$(cat s.csv)" old 'bench-run -o leaves an existing file as it was if it cannot write all rows'
like "$(cat err)" '^bench-run: s.csv.partial.2: contains' 'bench-run -o chooses another name if there are rows of an earlier run'
ok 'bench-run -o leaves the incomplete rows of an earlier run as they were' cmp s.csv.partial first.csv
ok 'bench-run -o keeps the rows of each run that could not write all' enough s.csv.partial.2

rm s.csv*
limited --json >/dev/null
is "$(head -c 3 s.csv.partial)" '[
 ' 'bench-run -o --json keeps the beginning of its output'

rm s.csv*
limited -d dir >/dev/null
is "$(cat err)" "bench-run: $(echo dir/*): File too large
bench-run: s.csv.partial: contains the samples that could be written" \
	'bench-run -o -d names the samples that could be written if both outputs fail'
is "$(echo s.csv*)" s.csv.partial 'bench-run -o does not complete its file if -d ends the run'
ok 'samples.csv of bench-run -d has the rows that could be written' enough dir/*/samples.csv

# The limit is above the size of samples.csv, and below that of results.json.
(
	ulimit -f 6
	trap '' XFSZ
	exec bench-run -q -e none -w 0 -r 1 -d short true
) >out 2>err
is "$? $(cat err)" "2 bench-run: $(echo short/*): File too large" \
	'bench-run -d reports the first error of several files'

status 2 'bench-run -d rejects an empty name' bench-run -q -e none -w 0 -r 1 -d '' true
is "$(cat .err)" 'bench-run: the name of the directory of results is empty' 'bench-run -d reports an empty name'

status 2 'bench-run -o ends with status 2 if a device is full' bench-run -q -e none -w 0 -r 2 -o /dev/full true
is "$(cat .err)" 'bench-run: /dev/full: No space left on device' 'bench-run -o keeps no rows that were written to a device'

bench-run -q -e none -w 0 -r 2 -o fine.csv true
is "$? $(ls fine.csv*)" '0 fine.csv' 'bench-run -o leaves no incomplete file if it has written all rows'

if skip_unless own-mounts 'bench-run -o on a full disk' && skip_unless root 'bench-run -o on a full disk'; then
	mkdir small left
	# shellcheck disable=SC2016 # the inner shell expands it
	unshare -m sh -c 'mount -t tmpfs -o size=256k none small && echo old >small/s.csv
		bench-run -q -e none -w 0 -r 1000 -o small/s.csv true; got=$?
		cp -R small/. left; exit $got' 2>err
	is "$? $(cat err)" '2 bench-run: small/s.csv: No space left on device
bench-run: small/s.csv.partial: contains the samples that could be written' 'bench-run -o reports a full disk'
	ok 'bench-run -o keeps only whole rows on a full disk' whole left/s.csv.partial
	# The room of one more round, some kilobytes, may remain.
	ok 'bench-run -o keeps the rows that a full disk has' test "$(wc -c <left/s.csv.partial)" -gt 200000
	is "$(cat left/s.csv)" old 'bench-run -o leaves an existing file on a full disk as it was'
	cat >counts <<'END'
#!/bin/sh
read -r n <n
echo $((n + 1)) >n
sleep 0.03
END
	chmod +x counts
	echo 0 >n
	rm -rf left/*
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount -t tmpfs -o size=16k none small
		bench-run -q -e none -w 0 -r 1000 -o small/s.csv ./counts; got=$?
		cp -R small/. left; exit $got' 2>err
	is "$? $(head -n 1 err)" '2 bench-run: small/s.csv: No space left on device' 'bench-run -o ends before an execution whose rows a full disk cannot take'
	is "$(rows ok left/s.csv.partial | sed 1d | wc -l)" "$(cat n)" 'bench-run -o keeps the rows of each execution if the disk becomes full'
	unshare -m sh -c 'mount -t tmpfs -o size=16k none small && bench-run -q -e none -w 0 -r 3 -o small/s.csv ./counts && cp -R small/. left'
	is "$? $(ls left)" '0 s.csv
s.csv.partial' 'bench-run -o completes a file on a disk that has room for it'
fi
done_testing
