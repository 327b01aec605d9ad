#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tables of 80 columns keep the statistics of a single row, the time of a change, and the differences
# between times. --help also has 80 columns.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8

# table COMMAND...: prints the table of a terminal of 80 columns
table() { COLUMNS=80 "$@" --table 2>/dev/null; }

awk 'BEGIN {
	print "run,time,host,env,kind,bench,layers,hidden,heads,image,arch,backend,device,dtype,batch,threads,sample,metric,unit,value"
	for (i = 0; i < 10; i++)
		printf "r,2026-11-01T00:00:00.%03dZ,h,e,model,vit,2,48,3,32,vision,onnxruntime,A long name,float32,1,2,%d,wall,ns,%d\n", i, i, 1000 + i
}' >one.csv
is "$(table bench-stat one.csv | sed 1q | tr -s ' ')" 'bench metric n failed mean sd median ci_lo ci_hi' \
	'a single row keeps its statistics, and its name'
like "$(table bench-stat one.csv | tr '\n' ' ')" 'hidden: layers=2, hidden=48, .*, threads=2, min, p95, max, outliers' \
	'the factors of a single row that are hidden are named with their values'
is "$(COLUMNS=200 bench-stat --table one.csv 2>/dev/null | sed 1q | tr -s ' ' '\n' | grep -cx -e layers -e threads)" 2 \
	'a single row has its factors where there is room'

awk 'BEGIN {
	print "run,bench,level,sample,metric,unit,value"
	for (l = 1; l <= 2; l++) for (i = 0; i < 10; i++)
		printf "r,compress --with many --options /usr/bin/program,%d,%d,wall,ns,%d\n", l, i, 1000 * l + i
}' >two.csv
like "$(table bench-stat two.csv | tr '\n' ' ')" 'hidden: bench=compress --…/program, ' \
	'a name that two rows have in common is hidden, and shortened below the table'

awk 'BEGIN {
	print "run,time,host,bench,sample,metric,unit,value"
	for (r = 1; r <= 16; r++)
		for (i = 0; i < 3; i++)
			printf "r%02d,2026-11-%02dT12:00:00.%03dZ,host,count,%d,wall,ns,%d\n",
				r, r, i, i, 1865000 + 1000 * (r % 3) + (r > 8) * 2000000
}' >history.csv
like "$(table bench-compare --history --by-run history.csv)" '^count +wall +2026-11-09 12:00Z +1\.866 ms +3\.866 ms +\+107\.2% .* worse$' \
	'the table of a history without commits has the time of the change'

awk 'BEGIN {
	print "run,time,host,bench,sample,metric,unit,value"
	for (r = 1; r <= 2; r++)
		printf "r%d,2026-11-28T16:52:00.%d97927665Z,h,b,0,wall,ns,1\n", r, r
}' | bench-store -q -D s.db add
is "$(table bench-store -D s.db list | awk '/^r[0-9]/ { print $2, $3 }')" "$(printf '%s\n' \
	'2026-11-28 16:52:00.197Z' '2026-11-28 16:52:00.297Z')" \
	'times of one second are shown to the millisecond'

awk 'BEGIN {
	print "run,host,bench,sample,metric,unit,value"
	for (r = 1; r <= 3; r++) for (i = 0; i < 5; i++)
		printf "r%d,h,b,%d,wall,ns,%d\n", r, i, 1000 + 7 * r * r + (i * 37 % 11)
}' >runs.csv
like "$(table bench-stat --components runs.csv | sed -n 2p)" ' 0\.[0-9]{1,4} ' 'a share of the variance has four digits'
unlike "$(table bench-stat --components runs.csv | sed -n 2p)" ' 0\.[0-9]{5}' 'no share of the variance has more digits'

printf 'bench,metric,statistic,max\n*,wall,max,1s\n' >budget.csv
table bench-stat --budget budget.csv runs.csv >out
table bench-list backends >>out
is "$(grep -c ' $' out)" 0 'no line of a table ends with blanks'

is "$(COLUMNS=24 bench-stat --table runs.csv 2>/dev/null | tail -n 1)" '(--wide shows all)' \
	'the advice below a narrow table is not cut'

for program in "$BUILD"/bin/*; do
	ok "${program##*/} --help fits into 80 columns" test "$("$program" --help | wc -L)" -le 80
done
is "$(bench-compare --help | sed -n '/--since-change/,/^$/p' | sed -n 1,2p)" "$(printf '%s\n' \
	'       bench-compare [options] --since-change [--order FILE] [--since WHEN]' \
	'                     [file...]')" 'a long line of usage is broken between operands'
done_testing
