#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# share/examples/cron and share/examples/systemd: a night's measurement in the environment of cron, by real cron
# daemons, silent when all is well and kept whatever happens.
# timing: waits for or judges what other processes do at the same time
# slow
. "${0%/*}/../lib/tap.sh"

nightly=$ROOT/share/examples/cron/nightly.sh
printf 'kind,bench,subject\ncommand,fine,true\n' >fine.csv
printf 'kind,bench,subject\ncommand,fine,true\ncommand,broken,false\n' >broken.csv
# conf NAME SUBJECTS [LINE]: NAME.conf, which nightly.sh reads, for NAME.db
conf() {
	{
		echo "SUBJECTS=$T/$2 ARGS='-r 3 -w 0 -e none' LOCK=$T/lock LOAD=1000 WAIT=60"
		echo "BENCH_DB=$T/$1.db"
		echo "PATH=$BUILD/bin:\$PATH"
		[ -z "${ASAN_OPTIONS:-}" ] || echo "export ASAN_OPTIONS=$ASAN_OPTIONS"
		[ -z "${3:-}" ] || echo "$3"
	} >"$1.conf"
}
for name in fine broken; do conf $name $name.csv; done
# bare COMMAND...: with what cron gives: no HOME, no terminal, no locale
bare() { env -i PATH=/usr/bin:/bin SHELL=/bin/sh LOGNAME=root "$@" </dev/null; }
kept() { bench-store -D "$1.db" export --metric wall 2>&1 | cut -d, -f"$2"; }
statuses() { bench-store -D "$1.db" export --metric wall | awk -F, 'NR > 1 { print $(NF - 1) }' | sort | uniq -c | awk '{ printf "%s%d %s", sep, $1, $2; sep = ", " }'; }

# jobs NAME...: the crontab that is installed, due at once, for each configuration
jobs() {
	for name; do
		sed -n "s|^17 3 \* \* \* root .*/nightly.sh .*|@reboot root sh $nightly $T/$name.conf|p" \
			"$ROOT/share/examples/cron/crontab"
	done
}
# Busybox's crond has no users in its lines, and nothing but minutes: it goes on beside the rest.
busy=
if have crond; then
	mkdir tabs
	conf busy fine.csv "LOCK=$T/busy.lock"
	jobs busy | sed 's/^@reboot root /* * * * * /' >tabs/root
	busybox crond -f -c "$T/tabs" -L "$T/crond.log" &
	busy=$!
	trap 'kill $busy; rm -rf "$T"' EXIT
fi

status 0 "a good night ends well" bare sh "$nightly" "$T/fine.conf"
is "$(cat .out .err)" '' "a night without a failure prints nothing"
is "$(statuses fine)" '3 ok' "the samples of a night are kept"
is "$(bench-store -D fine.db export --facts | head -n 1)" env,fact,value "the facts of the machine are kept with the samples"
status 1 "a night with failures ends with 1" bare sh "$nightly" "$T/broken.conf"
is "$(cat .out)" '' "a night with a failure prints nothing to standard output"
like "$(cat .err)" "^bench-run: 3 samples failed; the first was of 'broken'" "a night with a failure reports which subject failed"
is "$(statuses broken)" '3 failed:exit=1, 3 ok' "failed and good samples of a night are kept"

status 2 "a missing configuration is trouble" bare sh "$nightly" "$T/none.conf"
like "$(cat .err)" 'none\.conf' "the missing configuration is named"
echo 'ARGS=' >empty.conf
status 2 "a configuration without subjects is refused" bare sh "$nightly" "$T/empty.conf"
like "$(cat .err)" 'SUBJECTS is not set' "the refusal says that SUBJECTS is not set"

conf full fine.csv "BENCH_DB=$T/fine.csv/b.db TMPDIR=$T; export TMPDIR"
status 2 "a database that cannot be is trouble" bare sh "$nightly" "$T/full.conf"
left=$(sed -n 's/.*the samples are in //p' .err)
ok "the samples are left in the file that the message names" grep -q ',fine,' "$left"

# Two nights at once: the second waits, and not for what the first has left behind.
cat >leaves.sh <<EOF
#!/bin/sh
setsid sleep 30 >/dev/null 2>&1 &
echo \$! >>$T/daemons
EOF
chmod 755 leaves.sh
printf 'kind,bench,subject\ncommand,leaves,%s/leaves.sh\n' "$T" >leaves.csv
conf leaves leaves.csv
status 0 "a night that leaves a daemon behind" bare sh "$nightly" "$T/leaves.conf"
conf next fine.csv WAIT=5
status 0 "does not keep the next one waiting" bare sh "$nightly" "$T/next.conf"
[ ! -e daemons ] || xargs kill <daemons 2>/dev/null
(
	flock 9
	touch locked
	sleep 30
) 9>>lock &
holder=$!
wait_for test -e locked
conf late fine.csv WAIT=1
status 2 "a night that cannot begin is told" bare sh "$nightly" "$T/late.conf"
like "$(cat .err)" 'still runs' "a night that does not begin says that another still runs"
ok "a night that did not begin keeps nothing" test ! -e late.db
pkill -P $holder 2>/dev/null
kill $holder 2>/dev/null
wait $holder 2>/dev/null

# A night that is stopped, and one that is killed.
mkdir 'odd place'
printf 'kind,bench,subject,runs\ncommand,fine,true,2\ncommand,endless,sleep 0.01,1000000\n' >'odd place/endless.csv'
endless() {
	conf "$1" none "SUBJECTS='$T/odd place/endless.csv' ARGS='-w 0 -e none -O sequential' LOCK='$T/odd place/$1' TMPDIR='$T/odd place' WAIT=5; export TMPDIR"
	env -i PATH=/usr/bin:/bin sh "$nightly" "$T/$1.conf" >"$1.out" 2>&1 </dev/null &
	night=$!
	wait_for alive "bench-run .*$T/odd place/endless.csv"
	# A sample is measured once the clock of its command has begun.
	wait_for alive 'sleep 0[.]01'
}
endless stopped
kill $night
wait $night
is $? 143 "a night that is stopped ends so"
like "$(statuses stopped)" '^[0-9]+ ok' "a night that is stopped keeps what it measured"
is "$(ls 'odd place')" 'endless.csv
stopped' "a night that is stopped leaves no file"
endless killed
kill -9 $night
wait $night 2>/dev/null
ok "a night that is killed takes its measurement along" wait_for gone "bench-run .*$T/odd place/endless.csv"
left=$(find 'odd place' -name 'killed.??????')
ok "a night that is killed leaves its samples" test -e "$left"
echo x >"$left"
: >'odd place/killed.empty1'
conf killed fine.csv "LOCK='$T/odd place/killed' TMPDIR='$T/odd place' WAIT=5; export TMPDIR"
status 0 "the next night is not kept waiting" bare sh "$nightly" "$T/killed.conf"
is "$(cat .err)" "nightly.sh: $T/$left: samples of a night before; add and remove them" "the next night names the samples that a killed night has left"
is "$(find 'odd place' -name 'killed.*')" "$left" "the next night leaves no other file"
conf gone none "SUBJECTS='$T/odd place/none.csv'"
status 2 "a table of subjects that is gone is trouble" bare sh "$nightly" "$T/gone.conf"
like "$(cat .err)" 'odd place/none.csv' "the missing file of subjects is named"
if skip_unless own-mounts "a full disk" && skip_unless root "a full disk"; then
	mkdir small
	conf disk fine.csv "ARGS='-r 400 -w 0 -e none' LOCK=$T/disk.lock TMPDIR=$T/small; export TMPDIR"
	status 2 "a full disk is trouble" unshare -m sh -c \
		'mount -t tmpfs -o size=8k none small && sh "$0" "$1"' "$nightly" "$T/disk.conf"
	like "$(cat .err)" 'No space left on device' "a full disk is reported"
fi

is "$(jobs a b | grep -c '^@reboot root sh /')" 2 "the crontab has its one line"

# Debian's cron, in a world of its own: its folders, and a sendmail that keeps the mail.
if skip_unless own-mounts "cron runs a night" && skip_unless /usr/sbin/cron "cron runs a night"; then
	mkdir sbin cron.d spool run
	cp /usr/sbin/cron sbin/
	printf '#!/bin/sh\ncat >>%s/mail\n' "$T" >sbin/sendmail
	chmod 755 sbin/sendmail
	for name in fine broken; do conf cron-$name $name.csv; done
	{ sed -n '/^[A-Z]*=/p' "$ROOT/share/examples/cron/crontab" && jobs cron-fine cron-broken; } >cron.d/benchutils
	chmod 644 cron.d/benchutils
	unshare -m sh -c '
		mount --bind sbin /usr/sbin && mount --bind cron.d /etc/cron.d && mount --bind spool /var/spool/cron &&
			mount --bind run "$(readlink -f /var/run)" && : >empty && { [ ! -e /etc/crontab ] || mount --bind empty /etc/crontab; } &&
			exec env -i PATH=/usr/bin:/bin /usr/sbin/cron -f' >cron.out 2>&1 &
	daemon=$!
	all_there() { [ "$(statuses cron-fine)" = '3 ok' ] && [ "$(statuses cron-broken)" = '3 failed:exit=1, 3 ok' ] && grep -q broken mail; }
	wait_long all_there
	is "$(statuses cron-fine)" '3 ok' "cron runs a night"
	is "$(statuses cron-broken)" '3 failed:exit=1, 3 ok' "cron runs a night with failures and keeps its samples"
	is "$(grep -c '^Subject:' mail)" 1 "cron mails only the night with failures"
	like "$(cat mail)" "3 samples failed; the first was of 'broken'" "the mail says which subject failed"
	kill $daemon
	wait $daemon 2>/dev/null
fi

if skip_unless systemd-analyze "systemd finds no fault in the units"; then
	mkdir units
	sed "s|^ExecStart=[^ ]*|ExecStart=$nightly|" "$ROOT/share/examples/systemd/bench-nightly.service" >units/bench-nightly.service
	cp "$ROOT/share/examples/systemd/bench-nightly.timer" units/
	is "$(systemd-analyze verify --man=no "$T"/units/bench-nightly.* 2>&1 | grep bench-nightly)" '' \
		"systemd finds no fault in the units"
	like "$(systemd-analyze calendar "$(sed -n 's/^OnCalendar=//p' "$ROOT/share/examples/systemd/bench-nightly.timer")")" \
		'03:17:00' "systemd knows when the nights are due"
fi
if skip_unless crond "busybox's crond runs a night"; then
	night_kept() { statuses busy 2>/dev/null | grep -q '^[3-9][0-9]* ok'; }
	wait_long night_kept
	like "$(statuses busy)" '^[3-9][0-9]* ok$' "busybox's crond runs a night"
	kill $busy
	wait $busy 2>/dev/null
	trap 'rm -rf "$T"' EXIT
fi
done_testing
