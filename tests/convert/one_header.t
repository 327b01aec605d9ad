#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert --one-header: joined streams as other programs can read them.
. "${0%/*}/../lib/tap.sh"

cat >joined.csv <<'.'
env,fact,value
abc,cpu.model,"a ""fast"", one"
bench,n,sample,metric,unit,value,status
a,1,0,wall,ns,10.5,ok
"a
b",2,0,wall,ns,,timeout
,,,rows,1,2,ok
kind,bench,subject
command,a,true
unit,value,metric,bench,who,x_note
s,7,user,c,"me, too",seen
env,fact,value
abc,cpu.model,other
bench,n,sample,metric,unit,value,status
a,3,1,wall,ns,11,ok
.
cat >read.py <<'.'
import csv, sys
table = csv.DictReader(open(sys.argv[1], newline=""), strict=True)
rows = list(table)
assert all(None not in r and None not in r.values() for r in rows), "fields differ from the header"
print(",".join(table.fieldnames))
for r in rows:
    print("|".join(repr(r[c]) for c in ("bench", "n", "who", "metric", "value", "status", "x_note")))
print(sum(float(r["value"]) for r in rows if r["value"]))
.
sed '/^,,,rows/d' joined.csv >unmarked.csv
bench-convert --one-header unmarked.csv >one.csv
is "$(python3 read.py one.csv)" "bench,n,who,sample,metric,unit,value,status,x_note
'a'|'1'|''|'wall'|'10.5'|'ok'|''
'a\\nb'|'2'|''|'wall'|''|'timeout'|''
'c'|''|'me, too'|'user'|'7'|''|'seen'
'a'|'3'|''|'wall'|'11'|'ok'|''
28.5" "python3's csv module reads a joined stream after bench-convert --one-header"
unlike "$(python3 read.py unmarked.csv 2>&1)" '^28.5$' "python3's csv module misreads a joined stream"
is "$(bench-stat -s n,mean one.csv | cksum)" "$(bench-stat -s n,mean unmarked.csv | cksum)" \
	"bench-stat reads the same from one table as from the joined stream"
is "$(bench-convert --one-header one.csv | cksum)" "$(cksum <one.csv)" "bench-convert --one-header leaves a flat table as it is"
bench-run -q -e none -w 0 -r 2 true >run.csv
is "$({ bench-env; cat run.csv run.csv joined.csv; } | bench-convert --one-header | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
print(sum(r["metric"] == "wall" for r in rows), sum(r["metric"] == "rows" for r in rows))')" '7 1' \
	"bench-convert --one-header leaves out facts, later headers and the end marks of runs"
ok "bench-convert --one-header writes a file" bench-convert --one-header -o out.csv unmarked.csv
ok "bench-convert --one-header writes the same to a file" cmp out.csv one.csv
if skip_unless script "bench-convert --one-header writes CSV to a terminal"; then
	is "$(script -qec 'bench-convert --one-header unmarked.csv' /dev/null | head -1 | tr -d '\r')" "$(head -1 one.csv)" \
		"bench-convert --one-header writes CSV to a terminal"
fi
ok "bench-convert --one-header accepts -t csv" bench-convert --one-header -t csv unmarked.csv
for other in '-t json' --table --json '-t go'; do
	# shellcheck disable=SC2086
	status 2 "bench-convert --one-header cannot be combined with $other" bench-convert --one-header $other unmarked.csv
done
done_testing
