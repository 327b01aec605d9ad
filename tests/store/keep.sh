# SPDX-License-Identifier: GPL-3.0-or-later
# Keeping a history: what is removed, merged, checked, filtered. Source it after store_lib.sh;
# $1 of database is a name of a second one, which is not there yet.
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
status 2 "prune must be told what may go" store prune
status 2 "a period must be one" store prune --thin 1/fortnight
like "$(message)" "'1/fortnight' is not of the form N/PERIOD, such as 1/week" "and says which there are"
status 2 "and some runs" store prune --thin 0/week
status 2 "the newest are not pruned" store prune --last 1
status 0 "a dry run" store prune --keep 1d --thin 1/week -n
is "$(sed 1d "$T/.out" | cut -d , -f 1,3,4 | tr '\n' ' ')" 'r01-01,h,3 r01-02,h,3 r01-05,h,3 ' \
	"shows what would go, the newest of each week and benchmark stay"
like "$(message)" 'would remove 3 runs with 9 rows' "and counts it"
is "$(rows)" 24 "and removes nothing"
store tag keep r01-01 2>err
status 0 "prune" store prune --keep 1d --keep-tagged --thin 1/week --vacuum
like "$(message)" 'removed 2 runs with 6 rows' "counts what it removes"
is "$(runs)" 'r01-01 other r01-04 r01-11 r01-12 r02-01 ' "and leaves the rest, and what has a tag"
sound "all of it sound"
store prune -q --thin 1/month
is "$(runs)" 'other r01-12 r02-01 ' "of each month the newest"
store -q add wide.csv
store prune -q --bench gzip --until 2026-02-01
is "$(runs)" 'other wide r02-01 ' "a run goes when all of it is selected"
store prune -q --keep 2026d
is "$(runs)" 'other wide r02-01 ' "nothing that is newer goes"
store prune -q --keep 1d
is "$(runs)$(rows)" 0 "everything that is older"
is "$(store sql 'SELECT (SELECT count(*) FROM benchmark_results), (SELECT count(*) FROM raw_benchmark_data),
	(SELECT count(*) FROM run_tags)' | sed 1d)" 0,0,0 "with series, samples and tags"
sound "and the database is sound"

for how in '--thin 1/week' '--thin 1/month --keep-tagged' '--keep 1d --thin 2/week --bench gzip' '--tag keep' \
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
		"$(comm -23 before after) $(sed 's/removed/would remove/' real.err)" "a dry run tells what goes: $how"
	ok "which is something: $how" [ "$(wc -l <dry)" -gt 1 ]
done
sound "and what is left is sound"

# --- merge

fresh
other=$(database other)
store -q add plain.csv
sed 's/,99,failed:exit=1,/,98,ok,/; s/^r1/r3/' plain.csv >more.csv
printf 'env,fact,value\ne1,cpu_model,A\n' | cat - more.csv | bench-store -q -D "$other" add
printf 'bench,n,metric,value\nb,1,wall,1\nb,1,wall,1\n' | bench-store -q -D "$other" add
bench-store -q -D "$other" tag base r3
status 0 "another database is merged" store merge "$other"
like "$(message)" 'added 7 rows in 2 runs, 1 already in the database' "and counted"
bench-store -D "$other" export --where "run <> 'r2'" >want.csv
store export --where "run NOT IN ('r1', 'r2')" >out.csv
ok "its rows are there" same_rows want.csv out.csv
is "$(store export --tag base | sed 1d | cut -d , -f 1 | sort -u) $(store export --facts | sed -n 2p)" \
	'r3 e1,cpu_model,A' "its tags and facts, too"
sound "and sound"
store export >before
status 0 "merging again" store merge "$other"
like "$(message)" 'added 0 rows in 0 runs, 8 already in the database' "adds nothing"
store export >after
ok "and changes nothing" cmp before after
third=$(database third)
status 0 "all into a new one" bench-store -D "$third" merge -q "$db" "$other"
bench-store -D "$third" export >after
ok "is a copy" same_rows before after
sed 's/,13.5,/,14,/; s/^r2/r9/' plain.csv | bench-store -q -D "$(database wrong)" add
status 2 "another that contradicts is refused" store merge "$(database wrong)"
like "$(message)" 'run r1, bench gzip.* value 14, not 13.5' "with the row"
store export >after
ok "and nothing of it is added" cmp before after

# --- filters

fresh
store -q add plain.csv
printf 'run,host,env,bench,n,m,sample,metric,value\nr4,h2,e2,gzip,20,"a ""b""\\x",0,wall,1\nr4,h2,e2,gzip,2,,1,wall,1\n' | store -q add
filtered() { store export "$@" | sed 1d | wc -l; }
is "$(filtered --factor n=10)" 5 "--factor takes a name and a value"
is "$(filtered --factor n=2)" 1 "the whole of it"
is "$(filtered --factor n=2 --factor n=20)" 2 "one of several"
is "$(filtered --factor 'm=a "b"\x')" 1 "with any bytes"
is "$(filtered --factor m=)" 7 "or without any"
is "$(filtered --factor n=20 --factor 'm=a "b"\x')" 1 "and of each name one"
is "$(filtered --factor n=2 --factor 'm=a "b"\x')" 0 "both"
status 2 "a factor has a name" store export --factor n
is "$(filtered --host h2)" 2 "--host takes a host"
is "$(filtered --host h --env 'e*')" 6 "--env a pattern"
is "$(filtered --env e2 --env e1)" 8 "one of several"
is "$(runs) $(store list --host h2 | sed 1d | wc -l)" 'r1 r2 r4  1' "also in list"
