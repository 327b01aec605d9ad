#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs joined as people join them.
. "${0%/*}/../lib/tap.sh"

FILE=$ROOT/Makefile
bench-run -q -e none -w 0 -r 8 -c "gzip -k -c $FILE" -c "cat $FILE" | tee s.csv |
	bench-stat >stat.csv 2>err
is $? 0 'bench-run | tee | bench-stat succeeds'
is "$(grep -c ',wall,ns,8,0,' stat.csv)" 2 'bench-stat counts eight wall times of each command'

status 0 'bench-store add succeeds with a stream of bench-run' bench-store -D h.db add <s.csv
status 0 'bench-store add succeeds with the same stream again' bench-store -D h.db add <s.csv
like "$(cat .err)" 'added 0 rows' 'bench-store add reports that it has the rows'
bench-store -D h.db export >back.csv
is "$(sort s.csv | md5sum)" "$(sort back.csv | md5sum)" 'bench-store export writes the rows that were added'
is "$(bench-store -D h.db export | bench-stat | sort)" "$(sort stat.csv)" \
	'bench-store export | bench-stat gives the statistics of the stream'

bench-compare -q --no-geomean -s basis -b bench s.csv >c.csv
got=$?
is "$([ $got -le 1 ] && echo answered)" answered 'bench-compare -b bench compares two commands of a stream'
is "$(grep -c ',block$' c.csv)" "$(($(wc -l <c.csv) - 1))" 'bench-compare -b bench compares by block'
grep -e ^run -e gzip s.csv >old.csv
bench-run -q -e none -w 0 -r 8 -c "gzip -k -c $FILE" --csv >new.csv
bench-compare -q --no-geomean -s basis old.csv new.csv >c2.csv
is "$(sed -n 's/.*,//p' c2.csv | sort -u | tr '\n' ' ')" 'basis sample ' \
	'bench-compare compares two runs of one command by sample'
bench-store -q -D h.db add new.csv
like "$(bench-store -D h.db export --last 1 | bench-stat -s n)" ',wall,ns,8$' \
	'bench-store export --last 1 writes the newest run'

if skip_unless gnuplot 'bench-plot and bench-report draw a stream'; then
	for kind in box bar hist; do
		ok "bench-plot $kind succeeds" bench-plot $kind -o $kind.svg s.csv
		like "$(cat $kind.svg)" '</svg>' "bench-plot $kind writes a whole plot"
	done
	bench-run -q -e none -w 0 -r 6 -P n=1,10,100 -- head -n '{n}' "$FILE" |
		bench-plot line -x n -y wall -o line.svg
	is $? 0 'bench-run -P | bench-plot line succeeds'
	bench-store -D h.db export --metric wall | bench-plot box >text
	like "$(cat text)" 'gzip' 'bench-plot draws an exported stream as text'
	bench-store -D h.db export | bench-report --baseline old.csv -o h.html
	is $? 0 'bench-store export | bench-report succeeds'
	like "$(cat h.html)" '</html>' 'bench-report writes a whole page'
fi

{ bench-env && cat s.csv; } | bench-store -q -D env.db add
is $? 0 'bench-store add accepts the facts of bench-env before a stream'
is "$(bench-store -D env.db sql 'select count(*) > 5 from hardware_info' | tail -1)" 1 \
	'bench-store keeps the facts of bench-env'
is "$({ bench-env && cat s.csv; } | bench-stat | sort)" "$(sort stat.csv)" \
	'bench-stat ignores facts'
done_testing
