# SPDX-License-Identifier: GPL-3.0-or-later
# What bench-store does, whatever the database: source it after store_lib.sh. $1 of database is a
# name of a second one, which is not there yet.
# shellcheck shell=sh

esc=$(printf '\033')
bytes=$(printf '\377\200')
# --- what goes in comes out

status 0 "rows are added" store add plain.csv
is "$(message)" 'bench-store: added 6 rows in 2 runs, 0 already in the database' "and counted"
store export >out.csv
ok "the rows come out as they went in" same_rows plain.csv out.csv
is "$(head -n 1 out.csv)" "$(head -n 1 plain.csv)" "under the same header"

cat >awkward.csv <<E2
run,time,host,env,commit,kind,bench,"a ""b"", c",x{}y,process,sample,t,iterations,metric,unit,value,status,running_pct
'; DROP TABLE benchmark_runs; --,,h\`id\`,e;,"c""d",k,"two
lines, and ""quotes""", leading and trailing ,"{""json"": 'x'}",0,0,,,wall,ns,0.1,,
'; DROP TABLE benchmark_runs; --,,h\`id\`,e;,"c""d",k,"two
lines, and ""quotes""",,\$(id),0,0,,,wall,ns,1e+300,,
${esc}[31mred,yesterday,h${esc}]0;title,$bytes,,käse,%s%n$bytes,\\ \\u0041,*,9000000000000000001,-9000000000000000001,0,1,a	tab,µ${esc}s,-1.7976931348623157e+308,"failed:exit=1, ""so""",12.345
${esc}[31mred,2026-01-31T12:00:00+02:00,h${esc}]0;title,$bytes,,käse,%s%n$bytes,\\ \\u0041,*,9000000000000000001,-9000000000000000001,1,1,a	tab,µ${esc}s,1e-300,ok,0
${esc}[31mred,2026-01-31T12:00:00Z,h${esc}]0;title,$bytes,,käse,%s%n$bytes,\\ \\u0041,*,9000000000000000001,-9000000000000000001,2,1,a	tab,µ${esc}s,9007199254740993,timeout,100
${esc}[31mred,1969-12-31T23:59:59.25Z,h${esc}]0;title,$bytes,,käse,%s%n$bytes,\\ \\u0041,*,9000000000000000001,0,,,a	tab,µ${esc}s,,skipped,
E2
sed 's/9007199254740993/9007199254740992/' awkward.csv >awkward.want
for t in 1000000000000000 -6707492525150160 9007199254740991 9007199254740992; do
	printf 'big,,,,,,b,1,2,%s,3,m,,4,ok,\n' $t
done >big.rows
{ head -n 1 plain.csv | sed 's/,n,/,/'; cat big.rows; } >big.csv
fresh
store -q add big.csv
store export >out.csv
ok "large offsets come out in digits" same_rows big.csv out.csv
store export | store add 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 4 already in the database' "and are known again"
is "$(store sql 'SELECT 1000000000000000 AS n, CAST(1e15 AS REAL) AS x' | tail -n 1)" 1000000000000000,1e+15 "so do integers of SQL"
fresh
ok "awkward rows are added" store add awkward.csv
store export >out.csv
ok "awkward rows come out as they went in" same_rows awkward.want out.csv
store export | store add 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 6 already in the database' "and are known again"
for what in "export" "list" "list benches" "sql 'SELECT * FROM benchmark_history'"; do
	eval "store $what --table" >table
	unlike "$(cat -v table)" '\^\[|M-\^' "$what --table shows no control characters"
done
ok "a tag can be anything" store tag "t'; DROP TABLE run_tags; --$esc"
is "$(store export --tag "t'; DROP TABLE run_tags; --$esc" | wc -l)" "$(store export --last 1 | wc -l)" \
	"and finds what it marks"
is "$(store export --bench "x' OR '1'='1" | wc -l)" 1 "a pattern is no SQL"

awk -v n=30000 -f "$ROOT/tests/perf/rows.awk" >many.csv
{
	echo run,time,bench,process,sample,t,iterations,metric,unit,value,status,running_pct
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf "r,2026-01-31T%02d:%02d:%02d.%03dZ,b,%d,%d,%s,%d,m%d,u,%.17g,%s,%s\n",
		i / 3600 % 24, i / 60 % 60, i % 60, i % 1000, i % 3, i, i % 7 ? "" : i * i, 1 + i % 2, i % 4,
		(i + 1) / 8 * (i % 2 ? 1 : -1), i % 11 ? "ok" : "", i % 5 ? "" : i % 100 }' | sort -R --random-source=/bin/ls
} >long.csv
fresh
ok "long series in disorder are added" store add long.csv
store export | cut -d , -f 1,2,7-12,13- | sed 1d | cut -d , -f 1- >out.csv
sed 1d long.csv >want.csv
ok "long series come out" same_rows want.csv out.csv
is "$(store export | sed 1d | grep ',m1,' | cut -d , -f 8,9 | head -n 3 | tr '\n' ' ')" '0,9 0,21 0,33 ' \
	"in the order of process and sample"
store export >first
store add long.csv 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 20000 already in the database' "and are known again"
fresh
store -q add long.csv
store export >second
ok "the same rows always come out in the same order" cmp first second

# --- nothing twice

fresh
store -q add plain.csv
store add plain.csv 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 6 already in the database' "equal rows are passed over"
{ cat plain.csv; sed 1d plain.csv; } | store add 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 12 already in the database' "also twice in one input"
sed 's/,2,,1,wall,ns,99,failed:exit=1,/,3,,1,wall,ns,14,ok,/' plain.csv | store add 2>err
is "$(cat err)" 'bench-store: added 1 row in 1 run, 5 already in the database' "new ones between them are added"
is "$(store sql 'SELECT n, failed, mean, row_count FROM benchmark_results WHERE metric = $1 ORDER BY result_id' wall | sed -n 2p)" \
	'3,1,13.333333333333334,5' "and the summary follows"

# refused DESCRIPTION PATTERN INPUT: status 2, one line like that, and nothing added
refused() {
	before=$(rows)
	status 2 "$1" store add "$3"
	like "$(message)" "$2" "$1: says which"
	one_line "$1"
	is "$(rows)" "$before" "$1: nothing was added"
}
sed 's/,13.5,/,14,/; s/^r2/r9/' plain.csv >other.csv
refused "another value is refused" 'run r1, bench gzip, metric wall, n 10, sample 1: .* value 14, not 13\.5' other.csv
sed 's/,20,ok/,20,timeout/; s/^r2/r9/' plain.csv >other.csv
refused "another status is refused" 'sample -1: .* status timeout, not ok' other.csv
sed 's/:01.1/:01.2/; s/^r2/r9/' plain.csv >other.csv
refused "another time is refused" 'sample 0: .* time 2026-01-31T12:00:01.223456789Z, not ' other.csv
sed 's/c0ffee/decaf/; s/^r2/r9/' plain.csv >other.csv
refused "another commit in the same run is refused" "run r1.*: commit is 'decaf' here and 'c0ffee'" other.csv
{ cat plain.csv; printf 'r9,,h,e,c,k,b,,,0,,,wall,ns,%d,ok,\n' 3 4; } >other.csv
refused "two values in one input are refused" 'run r9, bench b.* sample 0: occurs twice .* value 4, not 3' other.csv
printf 'run,bench,metric,value\nr7,b,wall,1\nr7,b,wall,2\n' >other.csv
refused "so they are without a sample" 'add a column sample' other.csv
{ sed 's/^r/s/' plain.csv; echo 's9,short,row'; } >other.csv
refused "a bad row at the end" 'other.csv:8: 3 fields' other.csv
{ sed 's/^r/s/' plain.csv | head -c 500; } >other.csv
refused "a file that is cut off" 'other.csv:' other.csv
refused "a file that is not there" 'none.csv: No such file' none.csv
: >other.csv
refused "what a program left that failed" 'no table of measurements or facts' other.csv

# --- tables without run

fresh
printf 'bench,n,sample,metric,value\nb,1,0,wall,1\nb,1,1,wall,2\nb,2,0,wall,3\n' >bare.csv
printf 'value,sample,metric,n,bench\n3,0,wall,2,b\n2.0,1,wall,1,b\n1,0,wall,1,b\n' >turned.csv
store -q add bare.csv
run=$(store list | sed -n 's/,.*//; 2p')
like "$run" '^table-[0-9a-f]{32}$' "a table without run is named after its rows"
store add turned.csv 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 3 already in the database' \
	"and known again whatever the order of its rows and columns"
sed 's/,3$/,3.5/' bare.csv | store -q add
is "$(store list | wc -l)" 3 "another value is another run"
cat bare.csv bare.csv turned.csv | store add 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 9 already in the database' "also within one stream"
fresh
printf 'bench,metric,value\nb,wall,1\nb,wall,1\nb,wall,2\n' >bare.csv
store -q add bare.csv
is "$(store export | bench-stat -s n,mean | cut -d , -f 4-)" "$(bench-stat -s n,mean <bare.csv | cut -d , -f 4-)" \
	"rows that nothing tells apart are all kept"
store export >out.csv
store add bare.csv out.csv 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 6 already in the database' "and known again, also from an export"
bench-store -q -D "$(database copy)" add out.csv
bench-store -D "$(database copy)" export >copy.csv
ok "a copy by export and add is the same" cmp out.csv copy.csv
sed '$s/,2,/,3,/' out.csv >other.csv
refused "a changed one is refused" 'run table-.* differs' other.csv
fresh
printf 'host,bench,sample,metric,value\na,b,0,wall,1\nz,b,0,wall,2\n' | store -q add
is "$(store list | sed 1d | cut -d , -f 3,8 | sort)" "$(printf 'a,1\nz,1')" "each host of it is a run"
fresh
printf 'user,wall\n1,10\n2,20\n' | store -q add -m wall:ms -m user
is "$(store sql 'SELECT metric, unit, n, mean FROM benchmark_results ORDER BY metric' | sed 1d)" \
	"$(printf 'user,,2,1.5\nwall,ms,2,15')" "a foreign table is melted"

# --- facts

fresh
printf 'env,fact,value\ne1,cpu_model,"A, ""B"""\ne1,load,1\n' >facts.csv
status 0 "facts alone are added" store add facts.csv
cat facts.csv plain.csv | sed 's/load,1/load,2/' | store add 2>err
is "$(cat err)" "$(printf 'bench-store: %s\n' 'added 6 rows in 2 runs, 0 already in the database' \
	'added 0 facts, changed 1, 1 already in the database')" "and stand in a stream of rows"
store export --facts >out.csv
sed 's/load,1/load,2/' facts.csv >want.csv
ok "they come out, the newest value of each" same_rows want.csv out.csv
is "$(store export --facts --bench zstd | wc -l)" 3 "for the machines of the selected runs"
is "$(store export --facts --bench none | wc -l)" 1 "or of none"

# --- questions

fresh
store -q add plain.csv
exported() { store export "$@" | sed 1d | wc -l; }
is "$(exported --bench 'g*')" 5 "--bench takes a pattern"
is "$(exported --bench gzip --bench zstd)" 6 "several names of a kind are alternatives"
is "$(exported --bench gzip --metric cycles)" 1 "--metric and others hold together"
is "$(exported --commit c0f)" 5 "--commit takes a beginning"
is "$(exported --since 2026-02-01)" 1 "--since takes a date"
is "$(exported --until 2026-02-01T00:00:00.5Z)" 5 "--until ends before it"
is "$(exported --since 30d --until 1d)" 0 "and a time ago"
is "$(exported --last 1)" 1 "--last takes the newest run"
is "$(exported --last 1 --bench gzip)" 5 "of those that the others select"
is "$(exported --where "factors ->> 'n' = '10' AND n > 1")" 4 "--where takes SQL"
status 2 "--last 0 would be nothing" store export --last 0
status 2 "--where cannot leave its parentheses" store export --where '1) UNION SELECT 1 --'
like "$(message)" '--where:.*syntax error' "and says so"
status 2 "--where cannot bind" store export --where 'bench = $1'
status 2 "--where names a column that is missing" store export --where "x${esc}y = 1"
one_line "a missing column"
unlike "$(cat -v "$T/.err")" '\^\[' "and no control character reaches the terminal"
status 2 "--since must be a time" store export --since soon
like "$(message)" "'soon' is neither a date" "and says what it takes"
status 2 "a year is no number of seconds" store export --since 2026

store export --bench gzip | bench-stat -s n,failed,mean,median,ci_lo >want
is "$(store sql "SELECT n, failed, mean, median FROM benchmark_results WHERE bench = 'gzip' ORDER BY result_id" |
	sed 1d)" "$(sed 1d want | grep -o ',ns,.*\|,1,.*' | sed 's/^,[^,]*,//; s/,$//')" "the summaries are those of bench-stat"
awk -v n=1000 -f "$ROOT/tests/perf/rows.awk" >some.csv
store -q add some.csv
sums() { bench-store -D "$1" sql 'SELECT run, checksum FROM benchmark_runs ORDER BY run' --csv; }
{ head -n 1 plain.csv && sed -n '3p; 6,7p' plain.csv; } | bench-store -q -D "$(database steps)" add
bench-store -q -D "$(database steps)" add plain.csv
bench-store -q -D "$(database once)" add plain.csv
is "$(sums "$(database steps)")" "$(sums "$(database once)")" "a run's checksum is the same in however many steps it came"
unlike "$(sums "$(database once)")" ',$|,0+$' "and there is one"
like "$(printf 'bench,metric,value\nb,wall,1\n' | bench-store -q -D "$(database named)" add && sums "$(database named)" | tail -n 1)" \
	'^table-([0-9a-f]{32}),\1$' "what a table without run is named after is its checksum"
for statistic in n mean sd min p5 median p95 max mad ci_lo ci_hi; do
	is "$(store sql "SELECT $statistic FROM benchmark_results WHERE bench LIKE 'sort-%' ORDER BY bench, factors" | sed 1d)" \
		"$(bench-stat -s $statistic <some.csv | sed 1d | sort | sed 's/.*,//')" "its $statistic is bench-stat's"
done
printf 'run,bench,sample,t,metric,value\nq,power,0,0,p,1\nq,power,0,1,p,3\nq,power,1,0,p,7\n' | store -q add
is "$(store sql "SELECT n, mean, row_count FROM benchmark_results WHERE bench = 'power'" | sed 1d)" 2,4.5,3 \
	"a time series counts by its mean a sample"

fresh
store -q add plain.csv
is "$(store list)" "run,time,host,env,commit,benches,series,rows,failed,tags,completeness
r1,2026-01-31T12:00:00.123456789Z,h,e1,c0ffee,1,2,5,1,,unknown
r2,2026-02-01T00:00:00.500000000Z,h,e1,beef,1,1,1,0,,unknown" "list shows the runs"
status 0 "tag marks the newest run" store tag base
status 0 "or those named by their beginning" store tag old r1
status 0 "or those selected" store tag both --bench '*z*'
is "$(store list | cut -d , -f 1,10)" "$(printf 'run,tags\nr1,both old\nr2,base both')" "list shows the tags"
is "$(store list tags | cut -d , -f 1,2)" "$(printf 'tag,runs\nbase,1\nboth,2\nold,1')" "list tags counts their runs"
is "$(store list benches | cut -d , -f 2,5,6)" "$(printf 'bench,runs,rows\ngzip,1,5\nzstd,1,1')" "list benches"
is "$(exported --tag old)" 5 "--tag selects"
status 2 "a beginning must be of one run" store tag x r
like "$(message)" "several runs have names that begin with 'r'" "and says so"
status 2 "a run must be there" store tag x r3
status 1 "tag finds nothing" store tag x --bench none
status 0 "untag takes a tag away" store untag both r1
is "$(store export --tag both | sed 1d | cut -d , -f 1)" r2 "from that run"
status 0 "or from all" store untag both
status 1 "which is told when there is none" store untag both
is "$(store info | grep -e ^runs -e ^series -e ^rows -e ^tags -e ^journal)" \
	"$(printf 'journal,wal\nruns,2\nseries,3\nrows,6\ntags,2')" "info counts"

is "$(store sql "SELECT 1 AS a, NULL AS b, ${blob:-x'00ff'} AS c, 1.5 AS d, 9007199254740993 AS e, 'x,y' AS f")" \
	'a,b,c,d,e,f
1,,00ff,1.5,9007199254740993,"x,y"' "sql prints what it finds"
is "$(echo 'SELECT bench FROM benchmark_results WHERE n = $1 AND bench <> $2' | store sql - 1 zstd | sed 1d)" gzip \
	"a statement from standard input, with values"
status 2 "values must fit" store sql 'SELECT $1'
status 2 "all of them" store sql 'SELECT 1' 2
status 0 "sql -w writes" store sql -w 'DELETE FROM run_tags'
is "$(store list tags | wc -l)" 1 "what it was told"
status 2 "a mistake in SQL" store sql 'SELEC'
one_line "a mistake in SQL"

# --- with the other programs

fresh
bench-run -q -r 3 -P n=1,2 -- true '{n}' >run.csv
bench-env >env.csv
cat env.csv run.csv | store -q add
store export >out.csv
ok "what bench-run wrote comes out, header and all" same_rows run.csv out.csv
store export --facts >out.csv
ok "and so do the facts of bench-env" same_rows env.csv out.csv
is "$(store export --facts | sed 1d | cut -d , -f 1 | sort -u)" "$(store list | sed 1d | cut -d , -f 4)" \
	"under the same env"
is "$(store export | bench-stat | sort)" "$(bench-stat <run.csv | sort)" "bench-stat sees no difference"
