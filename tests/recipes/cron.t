#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests share/examples/cron and share/examples/systemd, in the environment of cron and with real cron
# daemons: nightly.sh prints nothing unless something fails, and never loses samples.
# timing: waits for or judges what other processes do at the same time
# waits
. "${0%/*}/../lib/tap.sh"

nightly=$ROOT/share/examples/cron/nightly.sh
printf 'kind,bench,subject\ncommand,fine,true\n' >fine.csv
printf 'kind,bench,subject\ncommand,fine,true\ncommand,broken,false\n' >broken.csv
# conf NAME SUBJECTS [LINE]: writes NAME.conf, a configuration of nightly.sh with the database NAME.db
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
# bare COMMAND...: runs a command in the environment of cron: no HOME, no terminal, no locale
bare() { env -i PATH=/usr/bin:/bin SHELL=/bin/sh LOGNAME=root "$@" </dev/null; }
kept() { bench-store -D "$1.db" export --metric wall 2>&1 | cut -d, -f"$2"; }
statuses() { bench-store -D "$1.db" export --metric wall | awk -F, 'NR > 1 { print $(NF - 1) }' | sort | uniq -c | awk '{ printf "%s%d %s", sep, $1, $2; sep = ", " }'; }

# jobs NAME...: prints the line of the installed crontab, due immediately, for each configuration
jobs() {
	for name; do
		sed -n "s|^17 3 \* \* \* root .*/nightly.sh .*|@reboot root sh $nightly $T/$name.conf|p" \
			"$ROOT/share/examples/cron/crontab"
	done
}
# The crond of busybox reads no user names and waits for the next minute, so it runs meanwhile.
busy=
if have crond; then
	mkdir tabs
	conf busy fine.csv "LOCK=$T/busy.lock"
	jobs busy | sed 's/^@reboot root /* * * * * /' >tabs/root
	busybox crond -f -c "$T/tabs" -L "$T/crond.log" &
	busy=$!
	trap 'kill $busy; rm -rf "$T"' EXIT
fi

status 0 "nightly.sh exits with status 0 if all samples succeed" bare sh "$nightly" "$T/fine.conf"
is "$(cat .out .err)" '' "nightly.sh prints nothing if all samples succeed"
is "$(statuses fine)" '3 ok' "nightly.sh keeps the samples"
is "$(bench-store -D fine.db export --facts | head -n 1)" env,fact,value "nightly.sh keeps the facts of the machine"
status 1 "nightly.sh exits with status 1 if samples fail" bare sh "$nightly" "$T/broken.conf"
is "$(cat .out)" '' "nightly.sh prints nothing to standard output if samples fail"
like "$(cat .err)" "^bench-run: 3 samples failed; the first was of 'broken'" "nightly.sh reports which subject failed"
is "$(statuses broken)" '3 failed:exit=1, 3 ok' "nightly.sh keeps failed and successful samples"

conf site fine.csv "SITE=$T/site"
status 0 "nightly.sh builds a site" bare sh "$nightly" "$T/site.conf"
is "$(cat .out .err)" '' "nightly.sh prints nothing if it builds a site"
like "$(cat site/index.html)" '>fine</a>' "the site of nightly.sh has the subjects"
conf nosite fine.csv "SITE=$T/fine.csv"
status 1 "nightly.sh exits with status 1 if the site cannot be built" bare sh "$nightly" "$T/nosite.conf"
like "$(cat .err)" 'the site .* is not up to date' "nightly.sh says that the site is not up to date"

# past NAME NS [HOST]: adds eight nights of fine.csv to NAME.db, in which it took about NS
past() {
	{
		echo run,time,host,kind,bench,sample,metric,unit,value
		for night in 1 2 3 4 5 6 7 8; do
			echo "r${3:-}$night,2026-01-0${night}T03:17:00Z,${3:-$(uname -n)},command,fine,0,wall,ns,$(($2 + night * 7 % 5))"
		done
	} | bench-store -D "$1.db" add -q
}
conf slower fine.csv COMPARE=--by-run
past slower 1000
status 1 "nightly.sh exits with status 1 if a subject became slower" bare sh "$nightly" "$T/slower.conf"
like "$(cat .err)" '^nightly.sh: worse than since the last change:' "nightly.sh reports that a subject became slower"
like "$(cat .err)" '^fine .* worse ' "nightly.sh prints the comparison of the subject that became slower"
conf faster fine.csv COMPARE=--by-run
past faster 3600000000000
past faster 1000 other
status 0 "nightly.sh ignores a subject that became faster, and other machines" bare sh "$nightly" "$T/faster.conf"
is "$(cat .out .err)" '' "nightly.sh prints nothing if no subject became slower"
conf first fine.csv COMPARE=--by-run
status 0 "nightly.sh compares nothing on the first night of a machine" bare sh "$nightly" "$T/first.conf"
status 0 "nightly.sh compares nothing on the second night of a machine" bare sh "$nightly" "$T/first.conf"
is "$(cat .out .err)" '' "nightly.sh prints nothing on the second night of a machine"
conf neither fine.csv 'COMPARE="--by-run --metric none"'
past neither 1000
status 2 "nightly.sh exits with status 2 if nothing can be compared after many nights" bare sh "$nightly" "$T/neither.conf"
like "$(cat .err)" 'nightly.sh: the new samples could not be compared' "nightly.sh reports that nothing can be compared"
like "$(cat "$ROOT/share/examples/cron/nightly.conf")" "
COMPARE='--by-run'
" "the installed nightly.conf reports what became slower"

# ago HOST AGE: adds a run of a host to keeps.db, which began some time ago
ago() {
	printf 'run,time,host,kind,bench,sample,metric,unit,value\n%s,%s,%s,command,fine,0,wall,ns,1\n' "$1$2" \
		"$(date -u -d "-$2" +%Y-%m-%dT%H:%M:%SZ)" "$1" | bench-store -D keeps.db add -q
}
for age in 80days 9days; do ago mute $age; done
ago retired 70days
ago alive 1hours
conf keeps fine.csv "BACKUP='$T/copy of.db' PRUNE='--keep 75d' SILENT=3d"
status 1 "nightly.sh exits with status 1 if a machine is silent" bare sh "$nightly" "$T/keeps.conf"
is "$(cat .out .err)" 'nightly.sh: mute has added no run in the last 3d; look at its cron job and its spooled rows' \
	"nightly.sh reports a silent machine, but none that was retired long ago"
is "$(bench-store -D 'copy of.db' list --host mute | wc -l),$(bench-store -D keeps.db list --host mute | wc -l)" 3,2 \
	"nightly.sh copies the database before it removes old runs"
ago mute 79days
conf keeps fine.csv "BACKUP=$T/fine.csv PRUNE='--keep 75d'"
status 2 "nightly.sh exits with status 2 if the database cannot be copied" bare sh "$nightly" "$T/keeps.conf"
like "$(cat .err)" 'nightly.sh: .*/fine.csv: the copy of the database failed or has findings; nothing was pruned' \
	"nightly.sh reports that the database cannot be copied"
is "$(bench-store -D keeps.db list --host mute | wc -l)" 3 "nightly.sh removes no runs if the database cannot be copied"

status 2 "nightly.sh exits with status 2 if its configuration is missing" bare sh "$nightly" "$T/none.conf"
like "$(cat .err)" 'none\.conf' "nightly.sh names the missing configuration"
echo 'ARGS=' >empty.conf
status 2 "nightly.sh rejects a configuration without subjects" bare sh "$nightly" "$T/empty.conf"
like "$(cat .err)" 'SUBJECTS is not set' "nightly.sh reports that SUBJECTS is not set"

conf full fine.csv "BENCH_DB=$T/fine.csv/b.db TMPDIR=$T; export TMPDIR"
status 2 "nightly.sh exits with status 2 if the database cannot be created" bare sh "$nightly" "$T/full.conf"
left=$(sed -n 's/.*they are in //p' .err)
ok "nightly.sh names the file that contains samples that could not be added" grep -q ',fine,' "$left"

# Two measurements at once: the second waits for the first, but not for a daemon that the first started.
cat >leaves.sh <<EOF
#!/bin/sh
setsid sleep 30 >/dev/null 2>&1 &
echo \$! >>$T/daemons
EOF
chmod 755 leaves.sh
printf 'kind,bench,subject\ncommand,leaves,%s/leaves.sh\n' "$T" >leaves.csv
conf leaves leaves.csv
status 0 "nightly.sh succeeds if a measured command starts a daemon" bare sh "$nightly" "$T/leaves.conf"
conf next fine.csv WAIT=5
status 0 "nightly.sh does not wait for a daemon that an earlier measurement started" bare sh "$nightly" "$T/next.conf"
[ ! -e daemons ] || xargs kill <daemons 2>/dev/null
(
	flock 9
	touch locked
	sleep 30
) 9>>lock &
holder=$!
wait_for test -e locked
conf late fine.csv WAIT=1
status 2 "nightly.sh exits with status 2 if another measurement still runs" bare sh "$nightly" "$T/late.conf"
like "$(cat .err)" 'still runs' "nightly.sh reports that another measurement still runs"
ok "nightly.sh creates no database if another measurement still runs" test ! -e late.db
pkill -P $holder 2>/dev/null
kill $holder 2>/dev/null
wait $holder 2>/dev/null

# A measurement that is stopped, and one that is killed.
mkdir 'odd place'
printf 'kind,bench,subject,runs\ncommand,fine,true,2\ncommand,endless,sleep 0.31,1000000\n' >'odd place/endless.csv'
endless() {
	conf "$1" none "SUBJECTS='$T/odd place/endless.csv' ARGS='-w 0 -e none -O sequential' LOCK='$T/odd place/$1' TMPDIR='$T/odd place' WAIT=5; export TMPDIR"
	env -i PATH=/usr/bin:/bin sh "$nightly" "$T/$1.conf" >"$1.out" 2>&1 </dev/null &
	night=$!
	wait_for alive "bench-run .*$T/odd place/endless.csv"
	# A sample is measured once the clock of its command has begun.
	wait_for alive 'sleep 0[.]31'
}
endless stopped
kill $night
wait $night
is $? 143 "nightly.sh exits with status 143 after SIGTERM"
like "$(statuses stopped)" '^[0-9]+ ok' "nightly.sh keeps the samples so far after SIGTERM"
is "$(ls 'odd place')" 'endless.csv
stopped' "nightly.sh leaves no file after SIGTERM"
endless killed
kill -9 $night
wait $night 2>/dev/null
ok "bench-run ends if nightly.sh is killed" wait_for gone "bench-run .*$T/odd place/endless.csv"
left=$(find 'odd place' -name 'killed.??????')
ok "nightly.sh leaves its samples if it is killed" test -s "$left"
cp "$left" 'odd place/killed.broken'
echo x >>'odd place/killed.broken'
ln -s "$T/fine.csv" 'odd place/killed.linked'
run=$(sed -n '2s/,.*//p' "$left") taken=$(grep -c ,wall, "$left")
: >'odd place/killed.empty1'
conf killed fine.csv "LOCK='$T/odd place/killed' TMPDIR='$T/odd place' WAIT=5; export TMPDIR"
status 0 "nightly.sh does not wait for a measurement that was killed" bare sh "$nightly" "$T/killed.conf"
like "$(cat .err)" "nightly.sh: samples of an earlier measurement, which had not been added, were added from $T/$left" "nightly.sh reports that it has added samples that a killed measurement has left"
is "$(bench-store -D killed.db export --metric wall | grep -c "^$run")" "$taken" "nightly.sh adds all samples that a killed measurement has left"
is "$(bench-store -D killed.db list facts | grep -c "^$run,.*,cpu_vendor,")" 1 "nightly.sh adds the facts of the machine to samples that a killed measurement has left"
for name in broken linked; do
	like "$(cat .err)" "killed.$name: samples of an earlier measurement cannot be added; add them with bench-store add and remove the file" "nightly.sh names samples of an earlier measurement that it cannot add ($name)"
done
is "$(find 'odd place' -name 'killed.*' | sort)" "odd place/killed.broken
odd place/killed.linked" "nightly.sh removes files that a killed measurement has left if they are empty or added"
conf gone none "SUBJECTS='$T/odd place/none.csv'"
status 2 "nightly.sh exits with status 2 if the table of subjects is missing" bare sh "$nightly" "$T/gone.conf"
like "$(cat .err)" 'odd place/none.csv' "nightly.sh names the missing table of subjects"
if skip_unless own-mounts "nightly.sh exits with status 2 on a full disk" && skip_unless root "nightly.sh exits with status 2 on a full disk"; then
	mkdir small
	conf disk fine.csv "ARGS='-r 400 -w 0 -e none' LOCK=$T/disk.lock TMPDIR=$T/small; export TMPDIR"
	status 2 "nightly.sh exits with status 2 on a full disk" unshare -m sh -c \
		'mount -t tmpfs -o size=8k none small && sh "$0" "$1"' "$nightly" "$T/disk.conf"
	like "$(cat .err)" 'No space left on device' "nightly.sh reports a full disk"
fi

is "$(jobs a b | grep -c '^@reboot root sh /')" 2 "share/examples/cron/crontab has one job"

# Debian's cron, with private directories, and a sendmail that keeps the mail.
if skip_unless own-mounts "cron runs nightly.sh" && skip_unless /usr/sbin/cron "cron runs nightly.sh"; then
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
	is "$(statuses cron-fine)" '3 ok' "cron runs nightly.sh"
	is "$(statuses cron-broken)" '3 failed:exit=1, 3 ok' "cron runs nightly.sh with failures, and the samples are kept"
	is "$(grep -c '^Subject:' mail)" 1 "cron sends mail only for the measurement with failures"
	like "$(cat mail)" "3 samples failed; the first was of 'broken'" "the mail of cron names the subject that failed"
	kill $daemon
	wait $daemon 2>/dev/null
fi

if skip_unless systemd-analyze "systemd-analyze verify accepts the units"; then
	mkdir units
	sed "s|^ExecStart=[^ ]*|ExecStart=$nightly|" "$ROOT/share/examples/systemd/bench-nightly.service" >units/bench-nightly.service
	cp "$ROOT/share/examples/systemd/bench-nightly.timer" units/
	is "$(systemd-analyze verify --man=no "$T"/units/bench-nightly.* 2>&1 | grep bench-nightly)" '' \
		"systemd-analyze verify accepts the units"
	like "$(systemd-analyze calendar "$(sed -n 's/^OnCalendar=//p' "$ROOT/share/examples/systemd/bench-nightly.timer")")" \
		'03:17:00' "systemd-analyze accepts the time of the timer"
fi
if skip_unless crond "the crond of busybox runs nightly.sh"; then
	night_kept() { statuses busy 2>/dev/null | grep -q '^[3-9][0-9]* ok'; }
	wait_long night_kept
	like "$(statuses busy)" '^[3-9][0-9]* ok$' "the crond of busybox runs nightly.sh"
	kill $busy
	wait $busy 2>/dev/null
	trap 'rm -rf "$T"' EXIT
fi
done_testing
