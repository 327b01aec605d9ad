# SPDX-License-Identifier: GPL-3.0-or-later
# What the store keeps about runs in addition to their rows: completeness, the facts of the machine,
# statistics and annotations. Source it after store.sh. database NAME prints the name of another
# database, which does not exist yet.
# shellcheck shell=sh

: "${db:?}"

# end_mark RUN ROWS: prints an end mark for the rows of measured
end_mark() { echo "$1,2026-03-01T10:00:00.5Z,h,e1,c0ffee,,,,,,,,rows,1,$2,ok,"; }
# completeness [DATABASE]: prints the completeness of each run
completeness() { bench-store -D "${1:-$db}" list | sed 1d | awk -F , '{ printf "%s=%s ", $1, $NF }'; }

# --- completeness

fresh
{ measured whole 2026-03-01T10:00:00Z gzip 1; end_mark whole 3; } >whole.csv
{ measured torn 2026-03-02T10:00:00Z gzip 1; end_mark torn 5; } >torn.csv
measured open 2026-03-03T10:00:00Z gzip 1 >open.csv
status 0 "a run with its end mark is added" store add whole.csv
is "$(message)" 'bench-store: added 3 rows in 1 run, 0 already in the database' "the end mark is not counted as a row"
is "$(store sql 'SELECT count(*), sum(row_count) FROM benchmark_results' | sed 1d)" 1,3 "an end mark does not become a series"
status 0 "a run that lacks rows is added" store -q add torn.csv
is "$(message)" 'bench-store: run torn is incomplete: it has 3 of 5 rows' "add warns of an incomplete run in one line, even with -q"
status 0 "a run without an end mark is added" store -q add open.csv
is "$(message)" '' "add does not warn of a run whose number of rows is unknown"
is "$(completeness)" 'whole=complete torn=incomplete open=unknown ' "list shows which runs are complete"
is "$(store info | grep _runs)" "$(printf 'incomplete_runs,1\nunknown_runs,1')" "info counts incomplete and unknown runs"
is "$(store sql "SELECT run, completeness FROM benchmark_history WHERE completeness <> 'unknown' ORDER BY run" | sed 1d)" \
	"$(printf 'torn,incomplete\nwhole,complete')" "benchmark_history has a column completeness"
is "$(store list --where "completeness = 'incomplete'" | sed 1d | cut -d , -f 1)" torn "--where selects incomplete runs"
sed 's/^torn/torn2/' torn.csv | cat torn.csv - | store -q add 2>err
is "$(cat err)" 'bench-store: 2 runs are incomplete; run torn has 3 of 5 rows' "add reports several incomplete runs in one warning"
status 0 "add accepts a run with an end mark again" store add whole.csv
is "$(message)" 'bench-store: added 0 rows in 0 runs, 3 already in the database' "add skips an equal end mark"
{ measured torn 2026-03-02T10:00:00Z zstd 1 2; } | store -q add
is "$(completeness)" 'whole=complete torn=complete torn2=incomplete open=unknown ' "a run is complete once all its rows are there"
end_mark open 3 | { head -n 1 open.csv; cat; } | store -q add
is "$(completeness)" 'whole=complete torn=complete torn2=incomplete open=complete ' "an end mark may come after the rows"
{ head -n 1 whole.csv; end_mark late 3; } >late.csv
store -q add late.csv 2>err
is "$(cat err)" 'bench-store: run late is incomplete: it has 0 of 3 rows' "add warns of an end mark without rows"
is "$(store list | grep -c late)" 0 "an end mark alone makes no run"
sound "runs with end marks are sound"

sed 's/,rows,1,3,/,rows,1,4,/' whole.csv >other.csv
before=$(completeness)
status 2 "another end mark of a run is refused" store add other.csv
is "$(message)" 'bench-store: run whole: the end mark states 4 rows in the input and 3 in the database; nothing was added' \
	"the message about another end mark names the run and both numbers"
sed 's/^whole/new/; s/,rows,1,3,/,rows,1,4,/' whole.csv >other.csv
sed 's/^whole/new/' whole.csv >first.csv
status 2 "two end marks of a run in one stream are refused" store add first.csv other.csv
is "$(message)" 'bench-store: run new: one end mark states 3 rows, another states 4; nothing was added' \
	"the message about two end marks names the run and both numbers"
is "$(completeness)" "$before" "a refused end mark changes nothing"
for count in 1.5 -1 1e300; do
	{ measured x 2026-03-01T10:00:00Z gzip 1; end_mark x $count; } >other.csv
	status 2 "an end mark of $count rows is refused" store add other.csv
	like "$(message)" 'other.csv:5: the value of an end mark' "an end mark of $count rows is reported with its line"
done
printf 'run,kind,bench,sample,metric,value\nown,command,b,0,rows,7\n' | store -q add
is "$(store sql "SELECT mean FROM benchmark_results WHERE metric = 'rows'" | sed 1d)" 7 "a benchmark may have a metric named rows"

fresh
store -q add whole.csv open.csv torn.csv 2>err
store export --since 2000-01-01 >out.csv
{ cat whole.csv; sed 1d torn.csv; sed 1d open.csv; } >want.csv
ok "export writes the end marks of runs of which it writes all rows" same_rows want.csv out.csv
measured whole 2026-03-01T10:00:00Z zstd 1 2 | store -q add
for part in '--bench gzip' '--metric wall' '--factor n=10' '--where row_count>0'; do
	# shellcheck disable=SC2086
	is "$(store export $part | grep -c ,rows,)" 0 "export with $part, which may select a part of a run, writes no end mark"
done
other=$(database complete)
store export | bench-store -q -D "$other" add 2>err
is "$(completeness "$other")" 'whole=complete torn=incomplete open=unknown ' "an export that is added keeps which runs are complete"
third=$(database merged)
bench-store -D "$third" -q merge "$db" 2>err
is "$(completeness "$third")$(cat err)" \
	'whole=complete torn=incomplete open=unknown bench-store: run torn is incomplete: it has 3 of 5 rows' \
	"merge keeps end marks"
sed 's/,rows,1,5,/,rows,1,6,/' torn.csv | bench-store -q -D "$(database contrary)" add 2>err
status 2 "merge refuses another end mark" store merge "$(database contrary)"
like "$(message)" 'run torn: the end mark states 6 rows in the input and 5' "the message of merge about another end mark names the run"
store prune -q --bench gzip --until 2026-03-02
is "$(completeness)" 'whole=complete torn=incomplete open=unknown ' "prune never removes a part of a run"

fresh
bench-run -q -r 3 -n one -e none -- true >run.csv
rows=$(($(wc -l <run.csv) - 2))
store add run.csv 2>err
is "$(cat err) $(completeness | sed 's/.*=//')" "bench-store: added $rows rows in 1 run, 0 already in the database complete " \
	"a run of bench-run is complete"
fresh
sed '$d' run.csv | store -q add 2>err
is "$(cat err) $(completeness | sed 's/.*=//')" ' unknown ' "a stream that ends before the end of its run is not complete"
fresh
grep -v ',max_rss,' run.csv | store -q add 2>err
is "$(sed 's/run [^ ]*/run/' err) $(completeness | sed 's/.*=//')" \
	"bench-store: run is incomplete: it has $((rows - 3)) of $rows rows incomplete " "a stream without some of its rows is incomplete"
store -q add run.csv
is "$(completeness | sed 's/.*=//')" 'complete ' "a run is complete after the rest of its stream is added"

# --- the facts of a run

# facts LOAD [KERNEL]: prints eight facts of e1, some of which differ in each run
facts() {
	echo env,fact,value
	for fact in cpu_model=A cpu_cores=2 memory_bytes=1000 arch=x86_64 "kernel=${2:-1}" "os=a, b" libc=3 "load=$1"; do
		echo "e1,${fact%%=*},\"${fact#*=}\""
	done
}
# fact RUN FACT [DATABASE]: prints the value of a fact of a run
fact() { bench-store -D "${3:-$db}" list facts --where "run = '$1'" | sed -n "s/^[^,]*,e1,$2,//p"; }

fresh
for day in 1 2 3 4; do
	{ facts $day; measured "r$day" "2026-03-0${day}T10:00:00Z" gzip 1; } | store -q add
done
is "$(fact r1 load) $(fact r2 load) $(fact r4 load)" '1 2 4' "each run keeps the facts that came with it"
is "$(store export --facts | grep load)" e1,load,4 "export --facts writes the newest value"
is "$(store list facts --last 1 | cut -d , -f 3- | sort)" "$(facts 4 | sed 's/^env,//; s/^e1,//; s/"\([^ ]*\)"/\1/' | sort)" \
	"list facts shows all facts of the selected runs"
is "$(store list facts | wc -l)" 33 "list facts shows the facts of every run"
is "$(store sql 'SELECT count(*) FROM fact_set_values' | sed 1d) $(store sql 'SELECT count(*) FROM run_fact_changes' | sed 1d)" \
	'8 3' "facts that repeat are kept once"
{ facts 9 5; measured r1 2026-03-01T10:00:00Z gzip 1; } >again.csv
status 0 "add accepts a run again with other facts" store add again.csv
is "$(fact r1 load) $(fact r1 kernel)" '1 1' "facts of a run are not overwritten when it is added again"
{ facts 5 2 | sed 's/"3"/4/; /arch/d'; measured r5 2026-03-05T10:00:00Z gzip 1; } | store -q add
is "$(fact r5 libc) $(fact r5 arch) $(fact r4 libc) $(fact r4 arch)" '4  3 x86_64' "a fact may have another value or be missing in a later run"
{ facts 6; measured r6 2026-03-06T10:00:00Z gzip 1; facts 7; measured r7 2026-03-07T10:00:00Z gzip 1; } | store -q add
is "$(fact r6 load) $(fact r7 load)" '6 7' "in one stream, runs have the facts that precede them"
{ measured r8 2026-03-08T10:00:00Z gzip 1; facts 8; measured r9 2026-03-09T10:00:00Z gzip 1 | sed 's/,e1,/,e2,/'; } | store -q add
is "$(fact r8 load)/$(fact r9 load)" 8/ "facts after the rows belong only to runs with the same env"
facts 10 | store -q add
is "$(fact r8 load) $(store export --facts | grep load)" '8 e1,load,10' "facts without rows do not change any run"
measured old 2026-02-01T10:00:00Z gzip 1 >old.csv
store -q add old.csv
{ facts 11; cat old.csv; } | store -q add
is "$(fact old load)" 11 "a run that has no facts gets those of a later addition"
other=$(database facts)
bench-store -q -D "$other" merge "$db"
store list facts >want.csv
bench-store -D "$other" list facts >out.csv
ok "merge keeps the facts of each run" cmp want.csv out.csv
store export --facts >want.csv
bench-store -D "$other" export --facts >out.csv
ok "merge keeps the newest facts" same_rows want.csv out.csv
store prune -q --until 2026-03-03
is "$(store sql 'SELECT count(*) FROM run_fact_sets' | sed 1d) $(store list facts | cut -d , -f 1 | sort -u | tr '\n' ' ')" \
	'6 r3 r4 r5 r6 r7 r8 run ' "prune removes the facts of a run"
sound "a database with facts of runs is sound"
is "$(store sql 'SELECT count(*) FROM fact_sets WHERE set_id NOT IN (SELECT set_id FROM run_fact_sets)' | sed 1d)" 0 \
	"no set of facts is left that no run uses"
sets=$(store sql 'SELECT count(*) FROM fact_sets' | sed 1d)
store prune -q --until 2026-03-05
sound "prune removes sets of facts and keeps the seals"
is "$((sets - $(store sql 'SELECT count(*) FROM fact_sets' | sed 1d))) $(store sql 'SELECT count(*) FROM fact_set_values
	WHERE set_id NOT IN (SELECT set_id FROM fact_sets)' | sed 1d)" '1 0' "a set of facts goes with the last run that uses it"
is "$(fact r5 libc) $(fact r6 load) $(store export --facts | grep -c load)" '4 6 1' "prune keeps the facts of other runs and the newest facts"

# --- statistics

fresh
{
	measured slow 2026-03-01T10:00:00Z gzip 1 20
	for sample in 21 22 23; do
		echo "slow,2026-03-01T10:00:00Z,h,e1,c0ffee,command,gzip,10,,$sample,,1,wall,ns,1000,timeout,"
	done
	echo "slow,2026-03-01T10:00:00Z,h,e1,c0ffee,command,gzip,10,,24,,1,wall,ns,1,failed:exit=1,"
	echo "slow,2026-03-01T10:00:00Z,h,e1,c0ffee,command,gzip,10,,-1,,1,wall,ns,1000,timeout,"
	for t in 0 1 2; do
		echo "slow,2026-03-01T10:00:00Z,h,e1,c0ffee,command,gzip,10,,1,$t,1,rss,B,1,timeout,"
	done
} | store -q add
is "$(store sql 'SELECT metric, n, failed, n_censored FROM benchmark_results ORDER BY metric' | sed 1d)" \
	"$(printf 'rss,0,1,1\nwall,20,4,3')" "n_censored counts the timeouts among the failed samples"
for statistic in p90 p95 p99 p999; do
	is "$(store sql "SELECT $statistic FROM benchmark_results WHERE metric = 'wall'" | sed 1d)" \
		"$(store export --metric wall | grep -v ,timeout, | bench-stat -s $statistic | sed '1d; s/.*,//')" \
		"the stored $statistic of a series with timeouts is that of the other samples"
done
is "$(store sql "SELECT p9999 FROM benchmark_results WHERE metric = 'wall'" | sed 1d)" 20.9981 "p9999 is a quantile of type 7"
is "$(store sql "SELECT p90, p9999 FROM benchmark_results WHERE metric = 'rss'" | sed 1d)" , "quantiles of a series without values are empty"

# --- annotations

# annotations [FILTERS]: prints at, run, host, bench and text of each annotation
annotations() { store list annotations "$@" | sed 1d | cut -d , -f 2-6; }

fresh
store -q add whole.csv torn.csv open.csv 2>err
measured far 2026-03-04T10:00:00Z zstd 1 | sed 's/,h,e1,/,h2,e2,/' | store -q add
status 0 "annotate annotates the newest run" store annotate 'compiler "13"'
is "$(message)" 'bench-store: annotated 1 run' "annotate reports the number of runs"
store annotate 'fan broken' --host h --since 2026-03-02 2>err
is "$(cat err)" 'bench-store: annotated 2 runs' "annotate annotates the selected runs"
store -q annotate 'first of all' who
store -q annotate 'first of all' who
store -q annotate 'new kernel' --at 2026-03-02T12:00:00Z --host h --host h2
store -q annotate 'power cut' --at 2026-03-03T11:00:00+01:00
store -q annotate 'new flags' --at 2026-03-01T12:00:00Z --bench zstd
is "$(annotations)" '2026-03-01T10:00:00.000000000Z,whole,h,,first of all
2026-03-01T12:00:00.000000000Z,,,zstd,new flags
2026-03-02T10:00:00.000000000Z,torn,h,,fan broken
2026-03-02T12:00:00.000000000Z,,h,,new kernel
2026-03-02T12:00:00.000000000Z,,h2,,new kernel
2026-03-03T10:00:00.000000000Z,open,h,,fan broken
2026-03-03T10:00:00.000000000Z,,,,power cut
2026-03-04T10:00:00.000000000Z,far,h2,,"compiler ""13"""' "list annotations shows runs and moments by time, equal ones once"
is "$(store list annotations | sed 1d | awk -F , '{ print $(NF - 1) }' | sort -u)" "$(id -un)" "list annotations shows the author of an annotation"
is "$(annotations --host h2 --since 2026-03-01 | cut -d , -f 2-)" ',,zstd,new flags
,h2,,new kernel
,,,power cut
far,h2,,"compiler ""13"""' "filters select the annotations of runs, and of moments on their hosts and benchmarks"
is "$(annotations --bench zstd --since 2026-03-01 --until 2026-03-02 | wc -l)" 0 "annotations of moments are not listed if no run is selected"
is "$(annotations --until 2026-03-02T12:00:00Z | tail -n 1)" '2026-03-02T10:00:00.000000000Z,torn,h,,fan broken' \
	"--until also selects annotations of moments"
is "$(annotations --last 2 | cut -d , -f 5)" "$(printf 'fan broken\npower cut\n"compiler ""13"""')" "annotations of moments before the selected runs are not listed"
status 2 "annotate --at accepts only --host and --bench as filters" store annotate x --at 1d --metric wall
like "$(message)" 'annotate: --at can be combined only with --host and --bench' "the message says which options --at can be combined with"
status 2 "annotate --at refuses the name of a run" store annotate x whole --at 1d
status 2 "annotate --at refuses a text that is not a time" store annotate x --at soon
status 2 "tag refuses --at" store tag x --at 1d
status 2 "annotate refuses an empty text" store annotate ''
status 1 "annotate exits with status 1 if no run is selected" store annotate x --bench none
like "$(message)" 'annotated 0 runs' "annotate says that no run was annotated"
status 2 "annotate fails for a run that does not exist" store annotate x none
other=$(database annotated)
bench-store -q -D "$other" merge "$db" 2>err
bench-store -q -D "$other" merge "$db" 2>err
store list annotations | cut -d , -f 2- >want.csv
bench-store -D "$other" list annotations | cut -d , -f 2- >out.csv
ok "merge copies each annotation once" same_rows want.csv out.csv
number=$(store list annotations | sed -n 's/,.*power cut.*//p')
status 2 "unannotate fails if one of the annotations does not exist" store unannotate "$number" 12345
like "$(message)" 'annotation 12345 does not exist .*no annotation was removed' "the message of unannotate names the missing number"
status 2 "unannotate refuses a text that is not a number" store unannotate cut
status 0 "unannotate removes an annotation" store unannotate "$number"
is "$(annotations | grep -c power)" 0 "a removed annotation is gone"
is "$(store info | grep annotations)" annotations,7 "info counts annotations"
store prune -q --host h --since 2026-03-02 --until 2026-03-03
is "$(annotations | grep -c fan)" 1 "the annotations of a run are removed with the run"
sound "a database with annotations is sound"
