#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store under force: many writers at once, kill -9 at any moment, a power cut at every write,
# a disk that fills up, input that is meant to hurt. After each, the database is sound, all that
# was reported is there, and nothing is there by half. SOAK=1 (make soak) takes the full counts.
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

# whole N: of each run, all N rows are there
whole() { store sql "SELECT count(*) FROM (SELECT run FROM benchmark_history GROUP BY run HAVING sum(row_count) <> $1)" | sed 1d; }
runs() { store sql 'SELECT count(*) FROM benchmark_runs' | sed 1d; }

# --- many writers

# together WAIT: all writers at once; each that succeeds leaves a file done-N
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
is "$(cat errors)" '' "$writers writers at once on a new database"
is "$(runs) $(rows)" "$writers $((writers * writer_rows))" "all rows of all are there"
sound "and sound"
: >errors
measured first 2026-01-01T00:00:00Z b 1 $writer_rows >first.csv
store -q add first.csv
together 0
[ -e "$db" ] || store -q add first.csv
# One that found no database that it could open, or none at all yet, has said so.
reported=$(find . -name 'done-*' | wc -l)
is "$((reported + $(wc -l <errors)))" $writers "that do not wait at all, each succeeds or says in one line why not"
measured last 2026-01-01T00:00:00Z b 1 $writer_rows >last.csv
store -q add last.csv
for missing in done-*; do
	store list | grep -q "^w${missing#done-}," || echo "$missing"
done >missing
is "$(cat missing)" '' "all that was reported is there once one more has added"
is "$(whole $writer_rows)" 0 "each as a whole"
is "$(find . -name 'test.db-spool*')" '' "and nothing is left to wait"
sound "and sound"

# --- kill -9

awk -v n=30000 -f "$ROOT/tests/perf/rows.awk" >many.csv
# killed N RUN FILE: bench-store add is killed after N tenths of milliseconds, unless it was quicker
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
	"killed $kills times, it can be read"
while read -r run; do
	store list | grep -q "^$run," || echo "$run"
done <reported >missing
is "$(cat missing)" '' "all that was reported is there"
is "$(store list | sed 1d | grep -v '^first,' | cut -d , -f 8 | sort -u | grep -vx 30000)" '' "nothing by half"
sound "and sound"

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
is "$(cat missing)" '' "killed while rows wait beside a locked database, and while they are taken in: nothing is lost"
is "$(find . -path '*/test.db-spool*.db')" '' "no spooled file is left behind"
is "$(store list | sed 1d | grep -v -e '^first,' -e '^last,' | cut -d , -f 8 | sort -u | grep -vx 3)" '' "nor there by half"
sound "and sound"

# --- power cuts

mkdir cut
for day in 1 2 3; do
	measured "b$day" "2026-01-0${day}T00:00:00Z" "x$day" $day
done | awk '!/^run,/ || !header++' >base.csv
{ measured b1 2026-01-01T00:00:00Z y 1 && head -n 300 many.csv && printf 'env,fact,value\ne1,a,b\n'; } >more.csv
"$BUILD/tests/power_cut" cut base.csv more.csv $seeds >out.cut 2>&1
is "$?" 0 "the power is cut, or the disk full, at every write: $(tr '\n' ' ' <out.cut | tail -c 100)"
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
if skip_unless own-mounts "a disk that is full"; then
	: >errors
	unshare -m sh small.sh
	is "$?" 0 "a disk of 400 KiB"
	like "$(cat errors)" 'small.db: no space left on the disk; the rows cannot be spooled either: ' "becomes full"
	is "$(wc -l <errors)" 1 "which is told in one line"
	ok "what was there is there" cmp before after
	is "$(cat checked)" '' "and sound"
	is "$(grep -vx -e 30000 -e $writer_rows counts)" '' "nothing by half"
fi

# --- a file system of a network

fresh
mkdir -p tree/proc/self
echo "36 35 $(stat -c '%Hd:%Ld' .) / /srv rw,relatime shared:1 - nfs4 server:/x rw" >tree/proc/self/mountinfo
status 0 "a database on a network's disk" env BENCH_ROOT="$T/tree" bench-store -D "$db" add first.csv
like "$(message)" 'test.db: on a network file system .nfs4., .* postgresql://' "is warned of"
status 0 "a quiet one" env BENCH_ROOT="$T/tree" bench-store -q -D "$db" add first.csv
is "$(message)" '' "is not"
status 0 "nor one who reads" env BENCH_ROOT="$T/tree" bench-store -D "$db" export
is "$(message)" '' "who does no harm"

# --- input that is meant to hurt

# refused DESCRIPTION PATTERN: in.csv is refused in one line, and nothing is added
refused() {
	before=$(rows)
	status 2 "$1" store add in.csv
	like "$(message)" "$2" "$1: says why"
	one_line "$1"
	is "$(rows)" "$before" "$1: adds nothing"
	is "$(wc -c <"$T/.err" | awk '{ print ($1 < 1200) }')" 1 "$1: at no length"
}
# kept DESCRIPTION: in.csv comes out as it went in
kept() {
	fresh
	status 0 "$1" store -q add in.csv
	store export --csv >out.csv
	ok "$1: comes out" same_rows in.csv out.csv
	sound "$1: soundly"
	store list --table >table && store export --table >>table
	unlike "$(cat -v table | head -c 100000)" '\^[@\[]' "$1: shows no control characters"
}
full_header=$(head -n 1 first.csv)
fresh
store -q add first.csv
{ echo "$full_header" && printf 'm,,h,e,c,k,' && head -c 3000000 /dev/zero | tr '\0' x && echo ',1,,0,,,wall,ns,1,ok,'; } >in.csv
kept "a name of three megabytes"
{ echo "$full_header" && printf 'm,,h,e,c,k,b,1,,0,,,wall,ns,1,' && head -c 1500000 /dev/zero | tr '\0' '\033' && echo ,; } >in.csv
kept "a status of a megabyte of control characters"
{ echo "$full_header" && printf '"""",,"""a""","""""",c,k,"b""\n""",1,,0,,,wall,ns,1,ok,\n'; } >in.csv
kept "quotes"
{ echo "$full_header" && printf "'); DELETE FROM benchmark_runs; --,,\$1,?1,:x,@y,b;--,1,,0,,,/*,ns,1,ok,\n"; } >in.csv
kept "SQL"
fresh
store -q add first.csv
{ seq -s , -f 'c%.0f' 1000000 && seq -s , 1000000; } >in.csv
refused "a million columns" 'in.csv:1: more than 65536 columns'
{ printf 'metric,value,%s\n' "$(seq -s , -f 'c%.0f' 60000)" && printf 'wall,1,%s\n' "$(seq -s , 60000)"; } >in.csv
status 0 "sixty thousand factors" store -q add in.csv
is "$(store export --metric wall --factor c60000=60000 | tail -n 1 | tr , '\n' | grep -c .)" 60003 "come out"
{ echo "$full_header" && printf 'm,,h,e,c,k,"b,1,,0,,,wall,ns,1,ok,\n' && head -c 3000000 /dev/zero | tr '\0' '\n'; } >in.csv
refused "a quote that never ends" 'in.csv:'
{ echo "$full_header" && head -c 3000000 /dev/zero; } >in.csv
refused "three megabytes of NULs" 'in.csv:2: a NUL byte'
{ echo "$full_header" && printf 'a\0b,,h,e,c,k,b,1,,0,,,wall,ns,1,ok,\n'; } >in.csv
refused "one NUL" 'in.csv:2: a NUL byte'
head -c 3000000 /dev/urandom >in.csv
refused "random bytes" 'in.csv:'
{ echo "$full_header" && echo 'm,,h,e,c,k,b,1,,0,,,wall,ns,1e999,ok,'; } >in.csv
refused "a number that is none" 'in.csv:2: .*1e999'
{ echo "$full_header" && echo 'm,,h,e,c,k,b,1,,99999999999999999999,,,wall,ns,1,ok,'; } >in.csv
refused "a sample beyond all integers" 'in.csv:2: .*99999999999999999999'
done_testing
