# SPDX-License-Identifier: GPL-3.0-or-later
# The verbs of bench-store on any kind of database. Source it after store.sh. database NAME prints
# the name of another database, which does not exist yet.
# shellcheck shell=sh

esc=$(printf '\033')
bytes=$(printf '\377\200')
# --- add and export

status 0 "add succeeds on a new database" store add plain.csv
is "$(message)" 'bench-store: added 6 rows in 2 runs, 0 already in the database' "add reports the number of rows and runs"
store export >out.csv
ok "export writes the rows that were added" same_rows plain.csv out.csv
is "$(head -n 1 out.csv)" "$(head -n 1 plain.csv)" "export writes the same header"

cat >awkward.csv <<E2
run,time,host,env,commit,kind,bench,"a ""b"", c",x{}y,process,sample,t,iterations,metric,unit,value,status,running_pct
'; DROP TABLE benchmark_runs; --,,h\`id\`,e;,"c""d",k,"two
lines, and ""quotes""", leading and trailing ,"{""json"": 'x'}",0,0,,,wall,ns,0.1,,
'; DROP TABLE benchmark_runs; --,,h\`id\`,e;,"c""d",k,"two
lines, and ""quotes""",,\$(id),0,0,,,wall,ns,1e+300,,
${esc}[31mred,2026-01-31 12:00,h${esc}]0;title,$bytes,,käse,%s%n$bytes,\\ \\u0041,*,9000000000000000001,-9000000000000000001,0,1,a	tab,µ${esc}s,-1.7976931348623157e+308,"failed:exit=1, ""so""",12.345
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
ok "export writes large offsets as integers" same_rows big.csv out.csv
store export | store add 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 4 already in the database' "an export with large offsets adds no row to its own database"
is "$(store sql 'SELECT 1000000000000000 AS n, CAST(1e15 AS REAL) AS x' | tail -n 1)" 1000000000000000,1e+15 "sql prints large integers in full"
fresh
ok "add accepts rows with quotes, control characters and extreme values" store add awkward.csv
store export >out.csv
ok "export writes rows with quotes, control characters and extreme values unchanged" same_rows awkward.want out.csv
store export | store add 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 6 already in the database' "an export with quotes and control characters adds no row to its own database"
for what in "export" "list" "list benches" "sql 'SELECT * FROM benchmark_history'"; do
	eval "store $what --table" >table
	unlike "$(cat -v table)" '\^\[|M-\^' "$what --table shows no control characters"
done
ok "a tag may contain SQL and control characters" store tag "t'; DROP TABLE run_tags; --$esc"
is "$(store export --tag "t'; DROP TABLE run_tags; --$esc" | wc -l)" "$(store export --last 1 | wc -l)" \
	"--tag finds a tag that contains SQL and control characters"
is "$(store export --bench "x' OR '1'='1" | wc -l)" 1 "a pattern is not interpreted as SQL"

# A table without a run is named after its rows, so a file may have its rows twice.
{
	echo bench,sample,metric,unit,value
	for i in 1 2 3 4; do echo "b$((i % 2)),$i,wall,ns,$i"; done
} >nameless.csv
fresh
store add nameless.csv nameless.csv 2>err
is "$(cat err)" 'bench-store: added 4 rows in 1 run, 4 already in the database' "add stores a table once that is in its input twice"
ok "check finds nothing after a table was added twice" store -q check
store export --bench b1 >part.csv
fresh
store add part.csv nameless.csv 2>err
is "$(cat err)" 'bench-store: added 4 rows in 1 run, 2 already in the database' \
	"add joins a part of an exported run with the table that the run is named after"
is "$(store sql 'SELECT row_count FROM benchmark_runs' | tail -n 1) $(store check 2>&1)" \
	'4 bench-store: checked 4 rows in 1 run: 0 findings' "a run that was joined has its number of rows and its seal"

awk -v n=30000 -f "$ROOT/tests/perf/rows.awk" >many.csv
{
	echo run,time,bench,process,sample,t,iterations,metric,unit,value,status,running_pct
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf "r,2026-01-31T%02d:%02d:%02d.%03dZ,b,%d,%d,%s,%d,m%d,u,%.17g,%s,%s\n",
		i / 3600 % 24, i / 60 % 60, i % 60, i % 1000, i % 3, i, i % 7 ? "" : i * i, 1 + i % 2, i % 4,
		(i + 1) / 8 * (i % 2 ? 1 : -1), i % 11 ? "ok" : "", i % 5 ? "" : i % 100 }' | sort -R --random-source=/bin/ls
} >long.csv
fresh
ok "add accepts long series in random order" store add long.csv
store export | cut -d , -f 1,2,7-12,13- | sed 1d | cut -d , -f 1- >out.csv
sed 1d long.csv >want.csv
ok "export writes all rows of long series" same_rows want.csv out.csv
is "$(store export | sed 1d | grep ',m1,' | cut -d , -f 8,9 | head -n 3 | tr '\n' ' ')" '0,9 0,21 0,33 ' \
	"export sorts rows by process and sample"
store export >first
store add long.csv 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 20000 already in the database' "an unsorted input adds no row to a database that has its rows"
fresh
store -q add long.csv
store export >second
ok "export writes the same rows in the same order in each database" cmp first second

# --- rows that are added again

fresh
store -q add plain.csv
store add plain.csv 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 6 already in the database' "add skips rows that are in the database"
{ cat plain.csv; sed 1d plain.csv; } | store add 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 12 already in the database' "add skips rows that occur twice in one input"
sed 's/,2,,1,wall,ns,99,failed:exit=1,/,3,,1,wall,ns,14,ok,/' plain.csv | store add 2>err
is "$(cat err)" 'bench-store: added 1 row in 1 run, 5 already in the database' "add adds a new row among known ones"
is "$(store sql 'SELECT n, failed, mean, row_count FROM benchmark_results WHERE metric = $1 ORDER BY result_id' wall | sed -n 2p)" \
	'3,1,13.333333333333334,5' "the statistics of a series include rows that are added later"

# refused DESCRIPTION PATTERN INPUT: add refuses INPUT with one line like PATTERN, and adds nothing
refused() {
	before=$(rows)
	status 2 "$1" store add "$3"
	like "$(message)" "$2" "$1: the message has the reason"
	one_line "$1"
	is "$(rows)" "$before" "$1: nothing was added"
}
sed 's/,13.5,/,14,/; s/^r2/r9/' plain.csv >other.csv
refused "add refuses a different value of a known row" 'run r1, bench gzip, metric wall, n 10, sample 1: .* value 14, not 13\.5' other.csv
sed 's/,20,ok/,20,timeout/; s/^r2/r9/' plain.csv >other.csv
refused "add refuses a different status of a known row" 'sample -1: .* status timeout, not ok' other.csv
sed 's/:01.1/:01.2/; s/^r2/r9/' plain.csv >other.csv
refused "add refuses a different time of a known row" 'sample 0: .* time 2026-01-31T12:00:01.223456789Z, not ' other.csv
sed 's/c0ffee/decaf/; s/^r2/r9/' plain.csv >other.csv
refused "add refuses another commit in a known run" "run r1.*: commit is 'decaf' here and 'c0ffee'" other.csv
{ cat plain.csv; printf 'r9,,h,e,c,k,b,,,0,,,wall,ns,%d,ok,\n' 3 4; } >other.csv
refused "add refuses two values of one row in an input" 'run r9, bench b.* sample 0: occurs twice .* value 4, not 3' other.csv
printf 'run,bench,metric,value\nr7,b,wall,1\nr7,b,wall,2\n' >other.csv
refused "add refuses two rows without a sample in a named run" 'add a column sample' other.csv
{ sed 's/^r/s/' plain.csv; echo 's9,short,row'; } >other.csv
refused "add refuses an input whose last row is too short" 'other.csv:8: 3 fields' other.csv
{ sed 's/^r/s/' plain.csv | head -c 500; } >other.csv
refused "add refuses a truncated file" 'other.csv:' other.csv
refused "add refuses a file that does not exist" 'none.csv: No such file' none.csv
: >other.csv
refused "add refuses an empty file" 'no table of measurements or facts' other.csv

# --- tables without a run

fresh
printf 'bench,n,sample,metric,value\nb,1,0,wall,1\nb,1,1,wall,2\nb,2,0,wall,3\n' >bare.csv
printf 'value,sample,metric,n,bench\n3,0,wall,2,b\n2.0,1,wall,1,b\n1,0,wall,1,b\n' >turned.csv
store -q add bare.csv
run=$(store list | sed -n 's/,.*//; 2p')
like "$run" '^table-[0-9a-f]{32}$' "a table without a run gets a run named after its rows"
store add turned.csv 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 3 already in the database' \
	"the run of a table without a run does not depend on the order of rows and columns"
sed 's/,3$/,3.5/' bare.csv | store -q add
is "$(store list | wc -l)" 3 "a table without a run gets another run if a value differs"
cat bare.csv bare.csv turned.csv | store add 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 9 already in the database' "the same table without a run is recognized within one stream"
fresh
printf 'bench,metric,value\nb,wall,1\nb,wall,1\nb,wall,2\n' >bare.csv
store -q add bare.csv
is "$(store export | bench-stat -s n,mean | cut -d , -f 4-)" "$(bench-stat -s n,mean <bare.csv | cut -d , -f 4-)" \
	"rows that nothing distinguishes are all stored"
store export >out.csv
store add bare.csv out.csv 2>err
is "$(cat err)" 'bench-store: added 0 rows in 0 runs, 6 already in the database' "indistinguishable rows and their export add no row to their own database"
bench-store -q -D "$(database copy)" add out.csv
bench-store -D "$(database copy)" export >copy.csv
ok "an export that is added to another database has the same export" cmp out.csv copy.csv
sed '$s/,2,/,3,/' out.csv >other.csv
refused "add refuses a changed row of a table that was exported" 'run table-.* differs' other.csv
fresh
printf 'host,bench,sample,metric,value\na,b,0,wall,1\nz,b,0,wall,2\n' | store -q add
is "$(store list | sed 1d | cut -d , -f 3,8 | sort)" "$(printf 'a,1\nz,1')" "each host in a table without a run gets a run"
fresh
printf 'user,wall\n1,10\n2,20\n' | store -q add -m wall:ms -m user
is "$(store sql 'SELECT metric, unit, n, mean FROM benchmark_results ORDER BY metric' | sed 1d)" \
	"$(printf 'user,,2,1.5\nwall,ms,2,15')" "add reads the columns of a foreign table given with -m"

# --- facts

fresh
printf 'env,fact,value\ne1,cpu_model,"A, ""B"""\ne1,load,1\n' >facts.csv
status 0 "add accepts facts without rows" store add facts.csv
cat facts.csv plain.csv | sed 's/load,1/load,2/' | store add 2>err
is "$(cat err)" "$(printf 'bench-store: %s\n' 'added 6 rows in 2 runs, 0 already in the database' \
	'added 0 facts, changed 1, 1 already in the database')" "add reports new, changed and known facts in a stream with rows"
store export --facts >out.csv
sed 's/load,1/load,2/' facts.csv >want.csv
ok "export --facts writes the newest value of each fact" same_rows want.csv out.csv
is "$(store export --facts --bench zstd | wc -l)" 3 "export --facts writes the facts of the machines of the selected runs"
is "$(store export --facts --bench none | wc -l)" 1 "export --facts writes no facts if no run is selected"

# --- filters and lists

fresh
store -q add plain.csv
exported() { store export "$@" | sed 1d | wc -l; }
is "$(exported --bench 'g*')" 5 "--bench selects by a pattern"
is "$(exported --bench gzip --bench zstd)" 6 "a repeated --bench selects series that match any of its patterns"
is "$(exported --bench gzip --metric cycles)" 1 "--bench and --metric must both match"
is "$(exported --metric 'cyc*,wall' | tr -d ' '),$(exported --metric 'cyc*' --metric wall),$(exported --metric 'w*')" \
	"$(exported --metric wall --metric cycles),$(exported --metric wall,cycles),$(exported --metric wall)" "--metric takes patterns and lists and is repeatable"
status 2 "a --metric that matches nothing ends with 2" store export --metric wall,nope
like "$(cat .err)" "^bench-store: --metric: no metric matches 'nope' \\(there are: cycles, .*wall\\)$" "the message about --metric lists the metrics of the database"
is "$(exported --commit c0f)" 5 "--commit selects by a prefix"
is "$(exported --since 2026-02-01)" 1 "--since accepts a date"
is "$(exported --until 2026-02-01T00:00:00.5Z)" 5 "--until excludes its time"
is "$(exported --since 30d --until 1d)" 0 "--since and --until accept ages"
is "$(exported --last 1)" 1 "--last 1 selects the newest run"
is "$(exported --last 1 --bench gzip)" 5 "--last 1 selects the newest run that matches the other filters"
is "$(exported --where "factors ->> 'n' = '10' AND n > 1")" 4 "--where selects by an SQL expression"
status 2 "--last 0 is refused" store export --last 0
status 2 "--where refuses an expression that closes its parenthesis" store export --where '1) UNION SELECT 1 --'
like "$(message)" '--where:.*syntax error' "the message about a wrong --where has SQLite's reason"
status 2 "--where refuses a placeholder" store export --where 'bench = $1'
status 2 "--where refuses a column that does not exist" store export --where "x${esc}y = 1"
one_line "a column that does not exist in --where"
unlike "$(cat -v "$T/.err")" '\^\[' "the message about a column that does not exist has no control characters"
status 2 "--since refuses a text that is not a time" store export --since soon
like "$(message)" "'soon' is neither a date" "the message about a wrong --since names the text"
status 2 "--since refuses a year without a month" store export --since 2026

store export --bench gzip | bench-stat -s n,failed,mean,median,ci_lo >want
is "$(store sql "SELECT n, failed, mean, median FROM benchmark_results WHERE bench = 'gzip' ORDER BY result_id" |
	sed 1d)" "$(sed 1d want | grep -o ',ns,.*\|,1,.*' | sed 's/^,[^,]*,//; s/,$//')" "the stored statistics are those of bench-stat"
awk -v n=1000 -f "$ROOT/tests/perf/rows.awk" >some.csv
store -q add some.csv
sums() { bench-store -D "$1" sql 'SELECT run, checksum FROM benchmark_runs ORDER BY run' --csv; }
{ head -n 1 plain.csv && sed -n '3p; 6,7p' plain.csv; } | bench-store -q -D "$(database steps)" add
bench-store -q -D "$(database steps)" add plain.csv
bench-store -q -D "$(database once)" add plain.csv
is "$(sums "$(database steps)")" "$(sums "$(database once)")" "the checksum of a run does not depend on the number of additions"
unlike "$(sums "$(database once)")" ',$|,0+$' "every run has a checksum"
like "$(printf 'bench,metric,value\nb,wall,1\n' | bench-store -q -D "$(database named)" add && sums "$(database named)" | tail -n 1)" \
	'^table-([0-9a-f]{32}),\1$' "the name of a table without a run contains its checksum"
for statistic in n mean sd min p5 median p95 max mad ci_lo ci_hi; do
	is "$(store sql "SELECT $statistic FROM benchmark_results WHERE bench LIKE 'sort-%' ORDER BY bench, factors" | sed 1d)" \
		"$(bench-stat -s $statistic <some.csv | sed 1d | sort | sed 's/.*,//')" "the stored $statistic of each series is that of bench-stat"
done
printf 'run,bench,sample,t,metric,value\nq,power,0,0,p,1\nq,power,0,1,p,3\nq,power,1,0,p,7\n' | store -q add
is "$(store sql "SELECT n, mean, row_count FROM benchmark_results WHERE bench = 'power'" | sed 1d)" 2,4.5,3 \
	"the statistics of a time series are computed from the mean of each sample"

fresh
store -q add plain.csv
is "$(store list)" "run,time,host,env,commit,benches,series,rows,failed,tags,completeness
r1,2026-01-31T12:00:00.123456789Z,h,e1,c0ffee,1,2,5,1,,unknown
r2,2026-02-01T00:00:00.500000000Z,h,e1,beef,1,1,1,0,,unknown" "list prints the runs"
status 0 "tag tags the newest run by default" store tag base
status 0 "tag accepts a prefix of the name of a run" store tag old r1
status 0 "tag tags the runs that a filter selects" store tag both --bench '*z*'
is "$(store list | cut -d , -f 1,10)" "$(printf 'run,tags\nr1,both old\nr2,base both')" "list prints the tags of each run"
is "$(store list tags | cut -d , -f 1,2)" "$(printf 'tag,runs\nbase,1\nboth,2\nold,1')" "list tags prints the number of runs of each tag"
is "$(store list benches | cut -d , -f 2,5,6)" "$(printf 'bench,runs,rows\ngzip,1,5\nzstd,1,1')" "list benches prints the runs and rows of each benchmark"
is "$(exported --tag old)" 5 "--tag selects the runs with a tag"
status 2 "tag refuses a prefix that several runs share" store tag x r
like "$(message)" "several runs have names that begin with 'r'" "the message about an ambiguous prefix names the prefix"
status 2 "tag refuses the name of a run that does not exist" store tag x r3
status 1 "tag exits with status 1 if no run is selected" store tag x --bench none
status 0 "untag removes a tag from a named run" store untag both r1
is "$(store export --tag both | sed 1d | cut -d , -f 1)" r2 "untag keeps the tag of other runs"
status 0 "untag removes a tag from all runs by default" store untag both
status 1 "untag exits with status 1 if no run has the tag" store untag both
is "$(store info | grep -e ^runs -e ^series -e ^rows -e ^tags -e ^journal)" \
	"$(printf 'journal,wal\nruns,2\nseries,3\nrows,6\ntags,2')" "info prints the numbers of runs, series, rows and tags"

is "$(store sql "SELECT 1 AS a, NULL AS b, ${blob:-x'00ff'} AS c, 1.5 AS d, 9007199254740993 AS e, 'x,y' AS f")" \
	'a,b,c,d,e,f
1,,00ff,1.5,9007199254740993,"x,y"' "sql prints values of all types"
is "$(echo 'SELECT bench FROM benchmark_results WHERE n = $1 AND bench <> $2' | store sql - 1 zstd | sed 1d)" gzip \
	"sql runs a statement from standard input with values"
status 2 "sql refuses too few values" store sql 'SELECT $1'
status 2 "sql refuses too many values" store sql 'SELECT 1' 2
status 0 "sql -w runs a statement that writes" store sql -w 'DELETE FROM run_tags'
is "$(store list tags | wc -l)" 1 "sql -w deletes the rows that its statement names"
status 2 "sql refuses a statement with a syntax error" store sql 'SELEC'
one_line "a syntax error"

# --- with other programs

fresh
bench-run -q -r 3 -P n=1,2 -- true '{n}' >run.csv
bench-env >env.csv
cat env.csv run.csv | store -q add
store export >out.csv
ok "export writes the rows and the header that bench-run wrote" same_rows run.csv out.csv
store export --facts >out.csv
ok "export --facts writes the facts that bench-env wrote" same_rows env.csv out.csv
is "$(store export --facts | sed 1d | cut -d , -f 1 | sort -u)" "$(store list | sed 1d | cut -d , -f 4)" \
	"the facts of bench-env and the rows of bench-run have the same env"
is "$(store export | bench-stat | sort)" "$(bench-stat <run.csv | sort)" "bench-stat prints the same for an export as for the output of bench-run"
