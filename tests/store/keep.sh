# SPDX-License-Identifier: GPL-3.0-or-later
# Prune, merge and filters on any kind of database. Source it after store.sh. database NAME prints
# the name of another database, which does not exist yet.
# shellcheck shell=sh

: "${db:?}"

runs() { store list | sed 1d | cut -d , -f 1 | tr '\n' ' '; }

# --- prune

fresh
for day in 01-01 01-02 01-04 01-05 01-11 01-12 02-01; do # 2026-01-05 is a Monday
	measured "r$day" "2026-${day}T10:00:00Z" gzip 10
done >days.csv
measured other 2026-01-03T10:00:00Z zstd 10 >>days.csv
measured wide 2026-01-03T11:00:00Z zstd 10 >wide.csv
measured wide 2026-01-03T11:00:00Z gzip 10 | sed 1d >>wide.csv
store -q add days.csv
status 2 "prune without options and filters is refused" store prune
status 2 "prune refuses an unknown period" store prune --thin 1/fortnight
like "$(message)" "'1/fortnight' is not of the form N/PERIOD, such as 1/week" "the message about an unknown period shows the form"
status 2 "prune refuses to keep 0 runs per week" store prune --thin 0/week
status 2 "prune refuses --last" store prune --last 1
status 2 "prune refuses an age without a unit" store prune --keep 90
is "$(message) $(rows)" "bench-store: --keep: '90' has no unit (for example 90d or 12h; see bench-store --help) 24" \
	"a forgotten unit removes nothing, and the message shows ages"
status 2 "prune refuses a string that is not an age" store prune --keep x
like "$(message)" "'x' is not an age .for example 90d or 12h" "the message about a wrong age shows ages of days"
status 2 "prune refuses an empty name of a run" store prune ''
status 2 "prune refuses several names if one of them is unknown" store prune r02-01 nosuch
like "$(message)" "no run has a name that begins with 'nosuch'" "the message names the run that prune did not find"
is "$(rows)" 24 "prune removes nothing if a name is unknown"
is "$(store prune -q -n r02 other | sed 1d | cut -d , -f 1 | tr '\n' ' ')" 'other r02-01 ' "prune -n prints the named runs"
is "$(store prune -q -n --host other r02-01 | wc -l)" 1 "prune removes a named run only if the filters match"
is "$(store export r02-01 | sed 1d | cut -d , -f 1 | sort -u)" r02-01 "export writes only the named runs"
is "$(store list runs other r01-01 | sed 1d | cut -d , -f 1 | tr '\n' ' ')" 'r01-01 other ' "list prints only the named runs"
measured r02-02 2026-02-02T10:00:00Z gzip 10 | sed 's/,h,/,h2,/' >bad_night.csv
store -q add bad_night.csv
is "$(store list hosts | cut -d , -f 1,3,4)" "$(printf 'host,runs,rows\nh,8,24\nh2,1,3')" \
	"list hosts prints the machines, the longest silent first"
store prune -q r02-02
is "$(runs)" 'r01-01 r01-02 other r01-04 r01-05 r01-11 r01-12 r02-01 ' "prune removes the named run and no other"
status 0 "prune -n succeeds" store prune --until 1d --thin 1/week -n
is "$(sed 1d "$T/.out" | cut -d , -f 1,3,4 | tr '\n' ' ')" 'r01-01,h,3 r01-02,h,3 r01-05,h,3 ' \
	"prune -n prints the runs that are not the newest of their week and benchmark"
like "$(message)" 'would remove 3 runs with 9 rows' "prune -n reports the number of runs and rows"
is "$(rows)" 24 "prune -n removes nothing"
store tag keep r01-01 2>err
status 0 "prune with --until, --keep-tagged, --thin and --vacuum succeeds" store prune --until 1d --keep-tagged --thin 1/week --vacuum
like "$(message)" 'removed 2 runs with 6 rows' "prune reports the number of removed runs and rows"
is "$(runs)" 'r01-01 other r01-04 r01-11 r01-12 r02-01 ' "prune keeps tagged runs and the newest runs of each week"
sound "a pruned database is sound"
store prune -q --thin 1/month
is "$(runs)" 'other r01-12 r02-01 ' "prune --thin 1/month keeps the newest run of each month"
store -q add wide.csv
store prune -q --bench gzip --until 2026-02-01
is "$(runs)" 'other wide r02-01 ' "prune removes only runs whose series are all selected"
store prune -q --keep 2026d
is "$(runs)" 'other wide r02-01 ' "prune --keep removes no newer run"
store prune -q --until 1d
is "$(runs)$(rows)" 0 "prune --until removes all older runs"
is "$(store sql 'SELECT (SELECT count(*) FROM benchmark_results), (SELECT count(*) FROM raw_benchmark_data),
	(SELECT count(*) FROM run_tags)' | sed 1d)" 0,0,0 "prune removes the series, samples and tags of a run"
sound "a database whose runs were all pruned is sound"
for age in 0 100 1000; do
	measured "age$age" "$(date -u -d "$age days ago" +%Y-%m-%dT%H:%M:%SZ)" xz 10
done >ages.csv
store -q add ages.csv
status 2 "prune --keep fails if a wrong clock may be the reason why runs are old" store prune --keep 200d
status 0 "prune --keep succeeds if it keeps no run that begins long after the others" store prune --keep 1d
is "$(runs)" 'age0 ' "prune --keep removes all older runs"
store prune -q --host h

for how in '--thin 1/week' '--thin 1/month --keep-tagged' '--until 1d --thin 2/week --bench gzip' '--tag keep' \
	'--host h --until 2026-01-06 --keep-tagged' "--where n>0"; do
	store -q add days.csv wide.csv
	store -q tag keep r01-05 wide
	# shellcheck disable=SC2086
	store prune -n $how >dry 2>dry.err
	store list | sed 1d | cut -d , -f 1 | sort >before
	# shellcheck disable=SC2086
	store prune $how 2>real.err
	store list | sed 1d | cut -d , -f 1 | sort >after
	is "$(sed 1d dry | cut -d , -f 1 | sort) $(cat dry.err)" \
		"$(comm -23 before after) $(sed 's/removed/would remove/' real.err)" "prune -n prints the runs that prune removes: $how"
	ok "prune -n prints at least one run: $how" [ "$(wc -l <dry)" -gt 1 ]
done
sound "a database that was pruned in several ways is sound"

# --- merge

fresh
other=$(database other)
store -q add plain.csv
sed 's/,99,failed:exit=1,/,98,ok,/; s/^r1/r3/' plain.csv >more.csv
printf 'env,fact,value\ne1,cpu_model,A\n' | cat - more.csv | bench-store -q -D "$other" add
printf 'bench,n,metric,value\nb,1,wall,1\nb,1,wall,1\n' | bench-store -q -D "$other" add
bench-store -q -D "$other" tag base r3
status 0 "merge of another database succeeds" store merge "$other"
like "$(message)" 'added 7 rows in 2 runs, 1 already in the database' "merge reports the numbers of rows and runs"
bench-store -D "$other" export --where "run <> 'r2'" >want.csv
store export --where "run NOT IN ('r1', 'r2')" >out.csv
ok "merge adds the rows of another database" same_rows want.csv out.csv
is "$(store export --tag base | sed 1d | cut -d , -f 1 | sort -u) $(store export --facts | sed -n 2p)" \
	'r3 e1,cpu_model,A' "merge adds the tags and facts of another database"
sound "a merged database is sound"
store export >before
status 0 "a second merge of the same database succeeds" store merge "$other"
like "$(message)" 'added 0 rows in 0 runs, 8 already in the database' "a second merge of the same database adds no row"
store export >after
ok "a second merge of the same database does not change the export" cmp before after
third=$(database third)
status 0 "merge creates a new database" bench-store -D "$third" merge -q "$db" "$other"
bench-store -D "$third" export >after
ok "a new database has the rows of the databases that were merged into it" same_rows before after
sed 's/,13.5,/,14,/; s/^r2/r9/' plain.csv | bench-store -q -D "$(database wrong)" add
status 2 "merge refuses a database that contradicts" store merge "$(database wrong)"
like "$(message)" 'run r1, bench gzip.* value 14, not 13.5' "the message about a contradicting database names the row"
store export >after
ok "merge adds no row of a database that contradicts" cmp before after

# --- filters

fresh
store -q add plain.csv
printf 'run,host,env,bench,n,m,sample,metric,value\nr4,h2,e2,gzip,20,"a ""b""\\x",0,wall,1\nr4,h2,e2,gzip,2,,1,wall,1\n' | store -q add
filtered() { store export "$@" | sed 1d | wc -l; }
is "$(filtered --factor n=10)" 5 "--factor selects by a name and a value"
is "$(filtered --factor n=2)" 1 "--factor compares the whole value"
is "$(filtered --factor n=2 --factor n=20)" 2 "a repeated --factor of one name selects series with any of the values"
is "$(filtered --factor 'm=a "b"\x')" 1 "--factor accepts values with quotes and backslashes"
is "$(filtered --factor m=)" 7 "--factor with an empty value selects series without the factor"
is "$(filtered --factor n=20 --factor 'm=a "b"\x')" 1 "--factor of two names selects series that match both"
is "$(filtered --factor n=2 --factor 'm=a "b"\x')" 0 "--factor of two names selects nothing if no series matches both"
status 2 "--factor without a value is refused" store export --factor n
is "$(filtered --host h2)" 2 "--host selects by a host"
is "$(filtered --host h --env 'e*')" 6 "--env selects by a pattern"
is "$(filtered --env e2 --env e1)" 8 "a repeated --env selects series that match any of its patterns"
is "$(runs) $(store list --host h2 | sed 1d | wc -l)" 'r1 r2 r4  1' "list accepts --host"
