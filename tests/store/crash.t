#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store under stress: many concurrent writers, kill -9 at any time, a power failure at every
# write, a disk that becomes full, and malicious input. After each, the database is sound, has all
# runs that were reported, and has no incomplete run. SOAK=1 (make soak) runs the full counts.
# slow
. "${0%/*}/../lib/tap.sh"

db=$T/test.db
fresh() { rm -rf "$db" "$db"-*; }
. "$ROOT/tests/lib/store.sh"
if [ -n "${SOAK:-}" ]; then
	writers=64 writer_rows=1000 kills=400 seeds=150
else
	writers=64 writer_rows=20 kills=20 seeds=3
fi
[ -z "${SANITIZED:-}" ] || seeds=1 writers=16 kills=8

# whole N: prints the number of runs that do not have N rows
whole() { store sql "SELECT count(*) FROM (SELECT run FROM benchmark_history GROUP BY run HAVING sum(row_count) <> $1)" | sed 1d; }
runs() { store sql 'SELECT count(*) FROM benchmark_runs' | sed 1d; }

# --- many writers

# together WAIT: runs all writers concurrently; each writer that succeeds creates a file done-N
together() {
	fresh
	rm -f done-*
	for writer in $(seq $writers); do
		{ store -q --wait "$1" add "in-$writer" && : >"done-$writer"; } 2>>errors &
	done
	wait
}
for writer in $(seq $writers); do
	measured "w$writer" 2026-01-01T00:00:00Z "b$writer" "$writer" $writer_rows >"in-$writer"
done
: >errors
together 100
is "$(cat errors)" '' "$writers concurrent writers on a new database report no error"
is "$(runs) $(rows)" "$writers $((writers * writer_rows))" "a database has all rows of its concurrent writers"
sound "a database with many concurrent writers is sound"
: >errors
measured first 2026-01-01T00:00:00Z b 1 $writer_rows >first.csv
store -q add first.csv
together 0
[ -e "$db" ] || store -q add first.csv
# A writer that could not open the database has reported the reason.
reported=$(find . -name 'done-*' | wc -l)
is "$((reported + $(wc -l <errors)))" $writers "each of many writers that do not wait succeeds or reports why not in one line"
measured last 2026-01-01T00:00:00Z b 1 $writer_rows >last.csv
store -q add last.csv
for missing in done-*; do
	store list | grep -q "^w${missing#done-}," || echo "$missing"
done >missing
is "$(cat missing)" '' "all runs that writers reported are in the database after one more addition"
is "$(whole $writer_rows)" 0 "each run of concurrent writers is complete"
is "$(find . -name 'test.db-spool*')" '' "no spooled file is left after concurrent writers and one more addition"
sound "a database with many writers that do not wait is sound"

# --- kill -9

awk -v n=30000 -f "$ROOT/tests/perf/rows.awk" >many.csv
# killed N RUN FILE: kills bench-store add after N tenths of a millisecond, unless it ends before
killed() {
	timeout -s KILL "$(printf '%d.%04d' $(($1 / 10000)) $(($1 % 10000)))" \
		bench-store -q -D "$db" --wait "${4:-10}" add "$3" 2>>errors && echo "$2" >>reported
}
fresh
: >reported
store -q add first.csv
for kill in $(seq $kills); do
	sed "s/^[^,]*/&,r$kill/; 1s/,r$kill/,run/" many.csv >in.csv
	killed $((kill * 1000 / kills + 10)) "r$kill" in.csv
done 2>/dev/null
is "$(store sql "SELECT count(*) FROM benchmark_runs WHERE run LIKE 'r%'" | sed 1d)" "$(store list | grep -c '^r[0-9]')" \
	"a database can be read after add was killed $kills times"
while read -r run; do
	store list | grep -q "^$run," || echo "$run"
done <reported >missing
is "$(cat missing)" '' "all runs that were reported before add was killed are in the database"
is "$(store list | sed 1d | grep -v '^first,' | cut -d , -f 8 | sort -u | grep -vx 30000)" '' "no run of an add that was killed is incomplete"
sound "a database is sound after add was killed $kills times"

mkfifo in out
fresh
store -q add first.csv
: >reported
sqlite3 "$db" <in >out &
exec 3<>in 4<>out
printf 'BEGIN IMMEDIATE;\n.shell echo locked\n' >&3
read -r _ <&4
for kill in $(seq $kills); do
	measured "k$kill" 2026-01-01T00:00:00Z b "$kill" >in.csv
	killed $((kill * 300 / kills + 10)) "k$kill" in.csv 0
done 2>/dev/null
exec 3>&- 4<&-
wait
for kill in $(seq $((kills / 4 + 1))); do
	measured "l$kill" 2026-01-01T00:00:00Z b "$kill" >in.csv
	killed $((kill * 1200 / kills + 10)) "l$kill" in.csv
done 2>/dev/null
store -q add last.csv
while read -r run; do
	store list | grep -q "^$run," || echo "$run"
done <reported >missing
is "$(cat missing)" '' "no reported run is lost if add is killed while it spools rows or adds spooled rows"
is "$(find . -path '*/test.db-spool*.db')" '' "no spooled file is left after add was killed and run again"
is "$(store list | sed 1d | grep -v -e '^first,' -e '^last,' | cut -d , -f 8 | sort -u | grep -vx 3)" '' "no spooled run is incomplete after add was killed"
sound "a database is sound after add was killed while it spooled rows"

# --- power failures

mkdir cut
for day in 1 2 3; do
	measured "b$day" "2026-01-0${day}T00:00:00Z" "x$day" $day
done | awk '!/^run,/ || !header++' >base.csv
{ measured b1 2026-01-01T00:00:00Z y 1 && head -n 300 many.csv && printf 'env,fact,value\ne1,a,b\n'; } >more.csv
"$BUILD/tests/power_cut" cut base.csv more.csv $seeds >out.cut 2>&1
is "$?" 0 "the database survives a power failure and a full disk at every write: $(tr '\n' ' ' <out.cut | tail -c 100)"
grep -v ' faults$' out.cut | head -n 20 | sed 's/^/# /'

# --- a small disk

mkdir small
cat >small.sh <<'E2'
mount -t tmpfs -o size=400k small small || exit 9
cd small || exit 9
bench-store -q -D small.db add ../first.csv || exit 8
bench-store -D small.db export >../before
for run in 1 2 3 4 5 6 7 8; do
	sed "s/^[^,]*/&,r$run/; 1s/,r$run/,run/" ../many.csv | bench-store -q -D small.db add 2>>../errors || break
done
echo "$?" >../status
bench-store -D small.db export --where "run = 'first'" >../after
bench-store -q -D small.db check >../checked 2>&1
bench-store -D small.db list | sed 1d | cut -d , -f 8 | sort -u >../counts
E2
if skip_unless own-mounts "the message about a full disk says that the rows cannot be spooled"; then
	: >errors
	unshare -m sh small.sh
	is "$?" 0 "the commands on a disk of 400 KiB run"
	like "$(cat errors)" 'small.db: no space left on the disk; the rows cannot be spooled either: ' "the message about a full disk says that the rows cannot be spooled"
	is "$(wc -l <errors)" 1 "the message about a full disk is one line"
	ok "a full disk does not change the rows that were in the database" cmp before after
	is "$(cat checked)" '' "a database on a full disk is sound"
	is "$(grep -vx -e 30000 -e $writer_rows counts)" '' "no run on a full disk is incomplete"
fi

# --- a network file system

fresh
mkdir -p tree/proc/self
echo "36 35 $(stat -c '%Hd:%Ld' .) / /srv rw,relatime shared:1 - nfs4 server:/x rw" >tree/proc/self/mountinfo
status 0 "add to a database on a network file system succeeds" env BENCH_ROOT="$T/tree" bench-store -D "$db" add first.csv
like "$(message)" 'test.db: on a network file system .nfs4., .* postgresql://' "add warns of a database on a network file system"
status 0 "add -q to a database on a network file system succeeds" env BENCH_ROOT="$T/tree" bench-store -q -D "$db" add first.csv
is "$(message)" '' "add -q does not warn of a database on a network file system"
status 0 "export of a database on a network file system succeeds" env BENCH_ROOT="$T/tree" bench-store -D "$db" export
is "$(message)" '' "export does not warn of a database on a network file system"

# --- malicious input

# refused DESCRIPTION PATTERN: add refuses in.csv with a message of one line, and adds nothing
refused() {
	before=$(rows)
	status 2 "$1" store add in.csv
	like "$(message)" "$2" "$1: the message has the reason"
	one_line "$1"
	is "$(rows)" "$before" "$1: add adds no row"
	is "$(wc -c <"$T/.err" | awk '{ print ($1 < 1200) }')" 1 "$1: the message is shorter than 1200 bytes"
}
# kept DESCRIPTION: export writes the rows of in.csv after they are added
kept() {
	fresh
	status 0 "$1" store -q add in.csv
	store export --csv >out.csv
	ok "$1: export writes the same rows" same_rows in.csv out.csv
	sound "$1: the database is sound"
	store list --table >table && store export --table >>table
	unlike "$(cat -v table | head -c 100000)" '\^[@\[]' "$1: the tables have no control characters"
}
full_header=$(head -n 1 first.csv)
fresh
store -q add first.csv
{ echo "$full_header" && printf 'm,,h,e,c,k,' && head -c 3000000 /dev/zero | tr '\0' x && echo ',1,,0,,,wall,ns,1,ok,'; } >in.csv
kept "a name of three megabytes is added"
{ echo "$full_header" && printf 'm,,h,e,c,k,b,1,,0,,,wall,ns,1,' && head -c 1500000 /dev/zero | tr '\0' '\033' && echo ,; } >in.csv
kept "a status of a megabyte of control characters is added"
{ echo "$full_header" && printf '"""",,"""a""","""""",c,k,"b""\n""",1,,0,,,wall,ns,1,ok,\n'; } >in.csv
kept "texts of quotes are added"
{ echo "$full_header" && printf "'); DELETE FROM benchmark_runs; --,,\$1,?1,:x,@y,b;--,1,,0,,,/*,ns,1,ok,\n"; } >in.csv
kept "texts of SQL are added"
fresh
store -q add first.csv
{ seq -s , -f 'c%.0f' 1000000 && seq -s , 1000000; } >in.csv
refused "a million columns are refused" 'in.csv:1: more than 65536 columns'
{ printf 'metric,value,%s\n' "$(seq -s , -f 'c%.0f' 60000)" && printf 'wall,1,%s\n' "$(seq -s , 60000)"; } >in.csv
status 0 "sixty thousand factors are added" store -q add in.csv
is "$(store export --metric wall --factor c60000=60000 | tail -n 1 | tr , '\n' | grep -c .)" 60003 "export writes a row with sixty thousand factors"
{ echo "$full_header" && printf 'm,,h,e,c,k,"b,1,,0,,,wall,ns,1,ok,\n' && head -c 3000000 /dev/zero | tr '\0' '\n'; } >in.csv
refused "an unterminated quote is refused" 'in.csv:'
{ echo "$full_header" && head -c 3000000 /dev/zero; } >in.csv
refused "three megabytes of NULs are refused" 'in.csv:2: a NUL byte'
{ echo "$full_header" && printf 'a\0b,,h,e,c,k,b,1,,0,,,wall,ns,1,ok,\n'; } >in.csv
refused "a NUL byte is refused" 'in.csv:2: a NUL byte'
head -c 3000000 /dev/urandom >in.csv
refused "random bytes are refused" 'in.csv:'
{ echo "$full_header" && echo 'm,,h,e,c,k,b,1,,0,,,wall,ns,1e999,ok,'; } >in.csv
refused "a number outside the range of a double is refused" 'in.csv:2: .*1e999'
{ echo "$full_header" && echo 'm,,h,e,c,k,b,1,,99999999999999999999,,,wall,ns,1,ok,'; } >in.csv
refused "a sample outside the range of integers is refused" 'in.csv:2: .*99999999999999999999'
done_testing
