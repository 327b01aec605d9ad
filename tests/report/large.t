#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Pages of very many rows: tables are cut visibly, and the time is linear in the number of subjects.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# subjects N
subjects() {
	awk -v n="$1" 'BEGIN { print "bench,sample,metric,unit,value"
		for (i = 0; i < n; i++) for (s = 0; s < 2; s++) print "case_" i "," s ",wall,ns," 1000 + i }'
}
rows() { sed -n '/id="summary-table"/,/<\/table>/p' "$1" | grep -c '^<tr>'; }
subjects 2000 | bench-report -o all.html -
is "$(rows all.html)" 2000 "a summary of 2000 rows is complete"
unlike "$(grep -o 'class="left-out"' all.html)" left-out "a complete table has no statement about rows that are left out"
subjects 2001 | bench-report -o cut.html -
is "$(rows cut.html)" 2000 "a summary has at most 2000 rows"
like "$(grep '<caption>' cut.html)" '<caption>medians with 95% confidence intervals, ci_lo to ci_hi; the first 2000 of 2001 rows' \
	"the caption of a table that is cut counts all rows"
like "$(grep left-out cut.html)" '1 more row is left out. To see all rows, run bench-stat on the data.' \
	"the page states how to see all rows of a table"

# Digits of a random number generator take at least 0.4 bytes each, compressed.
awk 'BEGIN { srand(1); print "env,bench,sample,metric,unit,value"
	for (i = 0; i < 1100; i++) { for (k = 0; k < 1000; k++) printf "%09d", 1e9 * rand()
		print ",case,1,wall,ns,5" } }' | bench-report -o long.html -
like "$(cat long.html)" 'samples.csv is left out: it is longer than 4.0 MB, compressed.' \
	"a file that is longer than 4 MB after compression is left out, and the page says so"

# Backends of 6000 models: each of them has its rivals, and no search visits all others.
awk 'BEGIN { print "kind,bench,backend,batch,sample,metric,unit,value"
	for (i = 0; i < 6000; i++) for (b = 1; b <= 3; b++) for (s = 0; s < 6; s++)
		print "model,m" int(i / 4) ",b" b "," 2 ^ (i % 4) "," s ",latency,ns," 1000 * b + s }' >models.csv
status 0 "a table of the backends of 6000 models takes a few seconds" timeout 30 bench-report -o models.html models.csv
like "$(cat models.html)" '^<p class="faint">No backend is clearly the fastest in any of 6000 comparisons' "all comparisons of backends count"
is "$(sed -n '/id="backends-table"/,/<\/table>/p' models.html | grep -c '^<tr>')" 2000 "the table of backends is also cut"
# Plots show a few of many subjects, so most rows do not have to be kept.
if skip_unless unsanitized 'the memory that a report needs'; then
	awk 'BEGIN { for (i = 0; i < 400; i++) wide = wide "x"
		print "host,bench,sample,metric,unit,value"
		for (i = 0; i < 400; i++) for (s = 0; s < 125; s++)
			printf "%s,case_%d,%d,wall,ns,%d\n", wide, i, s, 1000 + i + s % 7 }' >wide.csv
	multiple=$(bench-run -q -r 1 -w 0 -n report --csv -- bench-report -o wide.html wide.csv |
		columns metric,value - |
		awk -F , -v size="$(wc -c <wide.csv)" '$1 == "max_rss" { printf "%.1f\n", $2 / size }')
	ok "a report needs less than four times the memory of its input, here $multiple" \
		awk -v x="$multiple" 'BEGIN { exit !(x > 1 && x < 4) }'
fi
done_testing
