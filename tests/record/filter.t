#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Rows that --filter selects, in each program that has it.
. "${0%/*}/../lib/tap.sh"

printf '%s\n' 'run,time,bench,n,sample,metric,unit,value,status' \
	r1,2026-01-01,sort,10,0,wall,ns,100, r1,2026-01-01,sort,10,1,wall,ns,102, \
	r1,2026-01-01,sort,20,0,wall,ns,200, r1,2026-01-01,sort,20,1,wall,ns,204, \
	r1,2026-01-01,scan,10,0,wall,ns,50, r1,2026-01-01,scan,10,1,wall,ns,,exit=1 \
	r1,2026-01-01,,,,rows,1,6, >rows.csv

is "$(bench-stat --filter bench=sort --filter 'n>10' -s n,median rows.csv)" \
	'bench,n_,metric,unit,n,median
sort,20,wall,ns,2,202' 'bench-stat --filter selects rows that meet all conditions'
is "$(bench-stat --filter 'n!=20' --metric wall -g bench -s n,failed rows.csv)" \
	'bench,metric,unit,n,failed
sort,wall,ns,2,0
scan,wall,ns,1,1' 'bench-stat --filter keeps failed rows of the selected subjects'
is "$(bench-convert --filter 'status!=ok' rows.csv)" \
	'run,time,bench,n,sample,metric,unit,value,status
r1,2026-01-01,scan,10,1,wall,ns,,exit=1' 'bench-convert --filter lists failed rows'
is "$(bench-convert --filter sample=0 -t json-lines rows.csv | wc -l)" 3 \
	'bench-convert --filter selects rows by the number of the sample'
bench-convert -t hyperfine --filter n=10 --filter bench=sort rows.csv >one.json
is "$(bench-convert --filter 'sample<1' -M wall one.json | tail -n +2 | cut -d, -f2)" sort \
	'bench-convert --filter selects rows of other programs'\'' files'
is "$(bench-compare -b bench --reference sort --filter n=10 --csv -s old,new rows.csv)" \
	'bench,n,metric,unit,old,new
scan,10,wall,ns,100,50' 'bench-compare --filter selects rows of both sides'
is "$(bench-plot line -x n --filter bench=sort --script rows.csv 2>&1 | grep -c scan)" 0 \
	'bench-plot --filter draws only the selected rows'

# refused FILTER MESSAGE DESCRIPTION: of bench-stat
refused() {
	status 2 "$3 (status)" bench-stat --filter "$1" rows.csv
	is "$(cat "$T/.err")" "bench-stat: $2" "$3"
}
is "$(bench-convert --filter 'sample = 0' -t json-lines rows.csv | wc -l)" 3 \
	'bench-convert --filter allows blanks around the operator'
refused bench=srot "--filter: the column bench never has 'srot'; did you mean sort? (there are: sort, scan)" \
	'bench-stat --filter reports a value that no row has'
refused benhc=sort "--filter: the input has no column 'benhc'; did you mean bench? (there are: run, time, host, env, commit, kind, bench, n, process, sample, t and 6 more)" \
	'bench-stat --filter reports a column that the input does not have'
refused 'n>5000' "--filter 'n>5000': no row meets this condition" \
	'bench-stat --filter reports a condition that no row meets'
refused 'value<150' "--filter 'value<150': rows cannot be chosen by their value, because all statistics of the chosen values would be biased (see bench-stat --help)" \
	'bench-stat --filter refuses to select samples by their value'

cp rows.csv new.csv
status 2 'a gate whose filter selects nothing fails' \
	bench-compare --gate --filter bench=srot rows.csv new.csv
status 2 'a history of the selected rows is too short' \
	bench-compare --history --filter bench=sort --filter n=10 --csv rows.csv
like "$(cat "$T/.err")" '1 of 1 series is too short' \
	'bench-compare --history --filter reads only the selected rows'
status 2 'bench-compare --history reports a filter that selects nothing' \
	bench-compare --history --filter 'bench=srot' rows.csv
bench-compare -b bench --reference sort --filter n=10 --csv rows.csv >verdicts.csv
status 2 'bench-plot compare refuses to filter a table of verdicts (status)' \
	bench-plot compare --filter n=10 -o x.svg verdicts.csv
is "$(cat "$T/.err")" "bench-plot: verdicts.csv: --filter selects samples, which a table of verdicts does not have: give it to bench-compare" \
	'bench-plot compare refuses to filter a table of verdicts'
status 2 'bench-convert refuses to filter a table of verdicts (status)' \
	bench-convert --filter n=10 verdicts.csv
is "$(cat "$T/.err")" "bench-convert: verdicts.csv: --filter selects rows of measurements, which this table does not have: filter its input instead" \
	'bench-convert refuses to filter a table of verdicts'
awk 'BEGIN { print "time,bench,aa,sample,metric,unit,value"
	for (i = 0; i < 20; i++) {
		print "2026-01-01,sort,a," i ",wall,ns," 100 + i % 7
		print "2026-01-01,sort,b," i ",wall,ns," 101 + i % 5
	}
}' >floor.csv
for side in 2026-02-01 2026-02-02; do
	awk -v time=$side 'BEGIN { print "time,bench,sample,metric,unit,value"
		for (i = 0; i < 10; i++) print time ",sort," i ",wall,ns," 100 + i }' >"$side.csv"
done
like "$(bench-compare --filter 'time>=2026-02-01' --floor floor.csv --csv -s floor \
	2026-02-01.csv 2026-02-02.csv)" '[0-9]' \
	'bench-compare --filter does not apply to the files of --floor'
printf 'a;b 10\na;c 20\n' >stacks.folded
bench-convert stacks.folded >stacks.csv
status 0 'bench-plot flame --filter selects stacks' \
	bench-plot flame --functions --filter 'metric=samples' stacks.csv
status 2 'bench-plot flame reports a filter that selects nothing' \
	bench-plot flame --filter 'metric=nothing' -o x.svg stacks.csv
done_testing
