#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests each item of SECURITY.md, with the item as the name of the test. Most items have more thorough
# tests in their rooms.
. "${0%/*}/../lib/tap.sh"

db=$T/test.db
fresh() { rm -rf "$db" "$db"-*; }
. "$ROOT/tests/lib/store.sh"
sed -n 's/^- //p' "$ROOT/SECURITY.md" | sort >items
: >tested

# item TEXT: sets the item that the next test is about
item() {
	what=$1
	printf '%s\n' "$1" >>tested
}
# holds COMMAND...: tests the current item; it holds if the command succeeds
holds() { ok "$what" "$@"; }
as_other() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
run() { timeout 60 bench-run -q -w 0 -r 1 -e none "$@"; }
esc=$(printf '\033')
chmod 755 .

# --- trusted

item 'Commands that the user gives on the command line, in hooks such as `--setup`, or in environment variables are executed.'
BENCH_RUN_OPTS="--cleanup 'echo c >>said'" run --setup 'echo s >>said' -S -c 'echo r >>said' >/dev/null
is "$(tr '\n' ' ' <said)" 's r c ' "$what"

item 'Shared objects that the user names are executed by `bench-run -f`; `bench-list` only reads them.'
cat >loads.c <<'E2'
#include <stdlib.h>
__attribute__((constructor)) static void load(void) { system("echo loaded >>loads"); }
void benchmark_f(void) {}
E2
gcc -shared -fPIC -o loads.so loads.c
bench-list ./loads.so >/dev/null
[ ! -e loads ] && run -f ./loads.so >/dev/null
holds [ -s loads ]

item 'Backend plug-ins are loaded from the directory where benchutils installs them and from the directories in `BENCH_BACKEND_PATH`.'
plugin=$BUILD/tests/plugins/backend-whole.so
mkdir plugins
cp "$plugin" plugins/ 2>/dev/null || gcc -shared -fPIC -iquote "$ROOT/include" -iquote "$ROOT" \
	-o plugins/backend-whole.so "$ROOT/tests/device/plugins/whole.c"
chmod 755 plugins plugins/backend-whole.so
told() { BENCH_BACKEND_PATH=$T/plugins timeout 60 bench-list --csv backends whole 2>&1 | grep ^whole; }
like "$(told)" 'it is for tests only' "$what"

item 'Filters in the user'\''s own git configuration are executed when `bench-run` determines whether the files in a repository differ from the commit.'
git config --global user.name x
git config --global user.email x@example.org
git config --global filter.up.clean 'tr a-z A-Z'
git init -q repository
echo text >repository/file
echo 'file filter=up' >repository/.gitattributes
(cd repository && git add . && git commit -q -m one && touch -d 2001-01-01 file)
is "$(cd repository && run -- true | awk -F, 'NR == 2 { print $5 }')" "$(git -C repository rev-parse HEAD)" "$what"

item 'A user who may write to a database can change its contents and recompute its checksums.'
fresh
store -q add plain.csv
sqlite3 "$db" "UPDATE run_tags SET tag = tag"
store -q tag mine
holds store -q check

# --- names

item 'Names cannot control a terminal: control characters in messages and tables are escaped visibly.'
export esc
if command -v script >/dev/null; then
	SHELL=/bin/sh script -qec "bench-run -r 1 -w 0 -e none -- false \"\${esc}]0;x\"; bench-stat \"\$esc]0;\"" /dev/null \
		</dev/null >terminal 2>&1
	holds sh -c 'grep -q "x1b" terminal && ! LC_ALL=C grep -aF "$esc]" terminal'
fi

item 'Names are not executed as shell commands, gnuplot commands or SQL.'
name='`touch pwned`$(touch pwned)"); system("touch pwned"); print("'\''; DROP TABLE benchmark_runs; --'
quoted=$(printf '%s' "$name" | sed 's/"/""/g')
{ head -n 1 plain.csv && for i in 1 2 3; do echo "r$i,2026-01-31T12:00:0${i}Z,h,e1,c,command,\"$quoted\",10,,$i,,1,wall,ns,2$i,ok,"; done; } >names.csv
fresh
store -q add names.csv
! have gnuplot || bench-plot bar -o names.svg names.csv
bench-plot bar --script -o names.gp names.csv
run -n "$name" -P "p=$name" -- true >/dev/null
is "$(find . -name 'pwned*' | wc -l) $(store sql 'SELECT count(*) FROM benchmark_runs' --csv | tail -n 1)" '0 3' "$what"

item 'Names are plain text in the pages of bench-report and cannot inject scripts.'
sed 's/gzip/<script>alert(1)<\/script>/' plain.csv >script.csv
bench-report -o script.html script.csv 2>/dev/null
holds sh -c '[ -s script.html ] && ! grep -F "<script>alert(1)" script.html'

# --- streams

item 'Damaged files and files of unknown formats do not crash a program: it reads what it can, or refuses the file with a one-line message and status 2.'
head -c 100 plain.csv >cut.csv
head -c 2000 /bin/sh >binary.csv
echo '{"results": [' >cut.json
: >wrong
for file in cut.csv binary.csv cut.json; do
	for program in bench-stat bench-convert 'bench-store -D x.db add' 'bench-plot bar' bench-report; do
		# shellcheck disable=SC2086
		timeout 20 $program "$file" >out 2>err
		got=$?
		[ "$got" = 0 ] || [ "$got $(wc -l <err)" = '2 1' ] || echo "$program $file: $got $(cat err)" >>wrong
	done
done
is "$(cat wrong)" '' "$what"

item '`bench-store sql` without `--write` changes nothing, regardless of the statement.'
fresh
store -q add plain.csv
store export >before.csv
for sql in 'DELETE FROM run_tags' 'DROP TABLE benchmark_runs' 'PRAGMA user_version = 9' "ATTACH 'new.db' AS n" \
	'BEGIN; DELETE FROM benchmark_results; COMMIT' "VACUUM INTO 'new.db'"; do
	store sql "$sql" >/dev/null 2>&1
done
store export >after.csv
holds sh -c 'cmp before.csv after.csv && [ ! -e new.db ]'

item 'File system monitors, hooks and filters in the git configuration of a repository are not executed.'
(
	cd repository || exit
	git config core.fsmonitor "touch $T/monitored"
	git config core.hooksPath "$T/hooks"
	git config filter.evil.clean "touch $T/filtered; cat"
	echo 'file filter=evil' >.git/info/attributes
	touch -d 2002-02-02 file
	run -- true >/dev/null
)
holds sh -c '[ ! -e monitored ] && [ ! -e filtered ]'

item 'Backend plug-ins that others can write to, or whose directories others can write to, are refused.'
chmod o+w plugins
by_folder=$(told)
chmod o-w plugins
chmod o+w plugins/backend-whole.so
like "$by_folder / $(told)" 'everybody can write to directory .* / .*everybody can write to ' "$what"

# --- databases

item 'Databases of other programs are never changed.'
sqlite3 foreign.db 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'
cp foreign.db foreign.copy
for verb in 'add plain.csv' 'init --overwrite' 'prune --keep 1d' 'tag x'; do
	# shellcheck disable=SC2086
	! bench-store -D foreign.db $verb >/dev/null 2>&1 || echo "$verb" >>took
done
! store backup foreign.db 2>/dev/null || echo backup >>took
holds sh -c 'cmp foreign.db foreign.copy && [ ! -e took ]'

item 'Databases whose tables were replaced, for example by an endless view, are refused in bounded time.'
cp "$db" endless.db
sqlite3 endless.db 'DROP TABLE run_tags; CREATE VIEW run_tags AS
	WITH RECURSIVE e(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM e) SELECT n AS run, n AS tag FROM e'
status 2 "$what" timeout 20 bench-store -D endless.db list

item '`bench-store check` finds changed rows, summaries, runs, facts and tags of a database.'
store -q tag base
printf 'env,fact,value\ne1,cpu_model,Slow\n' | store -q add
: >missed
for change in "benchmark_results SET median = median * 2" "benchmark_results SET failed = failed + 1" \
	"benchmark_runs SET host = 'x'" "hardware_info SET value = 'Fast'" "run_tags SET tag = 'other'" \
	"raw_benchmark_data SET data = zeroblob(length(data))"; do
	cp "$db" changed.db
	sqlite3 changed.db "UPDATE $change" 2>>missed
	! bench-store -q -D changed.db check >/dev/null 2>&1 || echo "$change" >>missed
done
is "$(cat missed)" '' "$what"

# --- directories that others can write to

item 'If another user created a symbolic link at a path that a backup uses, the backup replaces the link with a new file, and never writes to the target of the link.'
mkdir shared
sh -c 'ln -s ../foreign.db shared/copy.db.part$$; exec bench-store -D "$1" backup shared/copy.db' - "$db"
bench-store -q -D shared/copy.db check && cmp foreign.db foreign.copy
result $? "$what"

item 'Output files appear whole or not at all, and their temporary names are unpredictable.'
echo old >out.csv
bench-convert -o out.csv cut.json 2>/dev/null
whole=$(cat out.csv)
ln -s "$T/foreign.db" out.csv.XXXXXX
bench-convert -o out.csv plain.csv && cmp foreign.db foreign.copy >/dev/null &&
	[ "$whole$(find . -name '.out.csv.*')" = old ] && bench-stat out.csv >/dev/null
result $? "$what"

item 'Output is not written through a link that another user created in a directory that all users can write to.'
if skip_unless root "$what" && skip_unless another-user "$what"; then
	mkdir -m 1777 open
	echo mine >mine.csv
	as_other ln -s "$T/mine.csv" open/out.csv
	! bench-convert -o open/out.csv plain.csv 2>/dev/null && [ "$(cat mine.csv)" = mine ]
	result $? "$what"
fi

item 'A named pipe with the name of a spooled file does not block `bench-store add`.'
fresh
mkfifo "$db-spool-1.db"
holds timeout 20 bench-store -q -D "$db" add plain.csv

item 'Rows that other users spooled next to a database are not added.'
fresh
if skip_unless root "$what" && skip_unless another-user "$what"; then
	mkdir -m 1777 drop
	cp names.csv drop/
	chmod 644 drop/names.csv
	as_other sh -c 'umask 022; bench-store -q -D drop/b.db-spool-1.db add drop/names.csv'
	bench-store -q -D drop/b.db add plain.csv 2>/dev/null
	is "$(bench-store -D drop/b.db list --csv | sed 1d | wc -l)" 2 "$what"
fi

# --- starting

item 'Closed standard descriptors are never mistaken for files that a program opens.'
timeout 60 bench-run -d kept -r 3 -w 0 -e none -- true >&- 2>&- <&-
is "$(bench-stat kept/*/samples.csv >/dev/null && sort kept/*/samples.csv | uniq -d)" '' "$what"

item 'After a signal no temporary file remains, and `--conclude` and `--cleanup` have run.'
bench-run -q -w 0 -r 1 -e none --setup 'touch set-up' --prepare 'touch prepared' --conclude 'rm prepared' \
	--cleanup 'rm set-up' -- sleep 5$$.5 >/dev/null 2>&1 &
pid=$!
wait_for alive "^sleep 5$$.5"
kill -TERM $pid
wait $pid 2>/dev/null
is "$? $(find . -name set-up -o -name prepared)" '143 ' "$what"

# ---

is "$(sort tested | diff - items)" '' 'security.t tests each item of SECURITY.md, and no others'
done_testing
