#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-compare --history: the note on many series that change at one place.
. "${0%/*}/../lib/tap.sh"

# nights CHANGED TOTAL [HOST [ENV]]: 24 commits of TOTAL benchmarks, of which CHANGED take a fifth
# longer from the 13th on, where env becomes ENV
nights() {
	awk -v changed="$1" -v total="$2" -v host="${3:-h}" -v env="${4:-e1}" '
	function normal(    z, k) { for (k = 0; k < 12; k++) z += rand(); return z - 6 }
	BEGIN {
		srand(7)
		print "run,time,host,env,commit,bench,sample,metric,unit,value"
		for (i = 1; i <= 24; i++)
			for (b = 1; b <= total; b++)
				printf "r%d,2026-01-%02dT00:00:%02dZ,%s,%s,c%02d,b%d,0,wall,ns,%.0f\n", i, i, b, host,
					i < 13 ? "e1" : env, i, b,
					1e7 * (i >= 13 && b <= changed ? 1.2 : 1) * (1 + normal() / 200)
	}'
}
# notes FILE...: the notes of --history
notes() { bench-compare --history "$@" 2>&1 >/dev/null | grep -v 'also changed'; }
one='series changed at c13, so they probably have one cause, such as the machine or a library'

nights 5 10 >five.csv
is "$(notes five.csv)" "bench-compare: host=h: 5 of 10 $one" "five of ten series that change at one commit get one note"
nights 5 11 >less.csv
is "$(notes less.csv)" '' "fewer than half of the series that change at one commit get no note"
nights 4 4 >four.csv
is "$(notes four.csv)" '' "four series that change at one commit get no note"
is "$(bench-compare --history four.csv 2>/dev/null | grep -c ,c12,c13,)" 4 "each of four series has a change"
is "$(notes -q five.csv)" '' "bench-compare -q omits the note on many series"
is "$(notes --since 2026-01-14 five.csv)" '' "changes before --since are not counted"

nights 6 7 h e2 >env.csv
is "$(notes env.csv)" \
	"bench-compare: host=h: 6 of 7 $one; env changed also, from e1 to e2 (join the output of bench-env to the samples to see which facts differ)" \
	"the note on many series says that env changed, instead of a note for each"
printf 'env,fact,value\ne1,kernel,6.1\ne2,kernel,6.2\ne1,load_1min,1\ne2,load_1min,2\n' >facts.csv
is "$(notes env.csv facts.csv)" \
	"bench-compare: host=h: 6 of 7 $one; env changed also, from e1 to e2; facts that differ: kernel (6.1 and 6.2)" \
	"the note on many series lists the facts that differ"
nights 1 7 h e2 >single.csv
is "$(notes single.csv facts.csv)" \
	"bench-compare: bench=b1 host=h metric=wall: env changed where the series changed, at c13, from e1 to e2; facts that differ: kernel (6.1 and 6.2)" \
	"the note on a change of env in one series lists the facts that differ"

nights 3 10 g | sed 1d >g.csv
is "$(cat five.csv g.csv | notes)" "bench-compare: host=h: 5 of 10 $one" "the series of another host are not counted"
nights 9 10 g | sed 1d >g.csv
is "$(cat five.csv g.csv | notes | wc -l)" 2 "each host has a note on many series"
sed '/,b[45],/s/,c13,/,c12x,/' five.csv >apart.csv
is "$(notes apart.csv)" '' "series that change at different commits get no note"
head -n 1 five.csv >short.csv
awk -F, 'NR > 1 && ($6 ~ /^b[1-5]$/ || $5 > "c20")' less.csv >>short.csv
is "$(notes short.csv | grep -v 'too short')" "bench-compare: host=h: 5 of 5 $one" "series that are too short are not counted"

# Without commits, the series of a run belong together, although their times differ.
sed 's/,c[0-9]*,/,,/' five.csv >runs.csv
is "$(notes runs.csv)" "bench-compare: host=h: 5 of 10 series changed at 2026-01-13T00:00:01Z, so they probably have one cause, such as the machine or a library" \
	"series without commits that change in one run get one note"
is "$(sed '/,b[45],/s/^r13,/q13,/' runs.csv | notes)" '' "series without commits that change in different runs get no note"
sed '2,$s/,c[0-9]*,/,same,/' five.csv >runs.csv
is "$(notes --by-run runs.csv)" "bench-compare: host=h: 5 of 10 series changed at 2026-01-13T00:00:01Z, so they probably have one cause, such as the machine or a library" \
	"series that change in one run of --by-run get one note"
cut -d, -f2,6- five.csv | sed 's/T00:00:[0-9]*Z/T00:00:00Z/' >times.csv
is "$(notes times.csv)" "bench-compare: 5 of 10 series changed at 2026-01-13T00:00:00Z, so they probably have one cause, such as the machine or a library" \
	"series without runs and commits that change at one time get one note"
is "$(sed '/,b[45],/s/^2026-01-13T00/2026-01-13T01/' times.csv | notes)" '' "series without runs and commits that change at different times get no note"
done_testing
