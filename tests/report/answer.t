#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of bench-report opens with the answer: what is worse or better than the baseline, what
# changed since when, what failed, and which budgets are broken. A long history makes a small page,
# and its table and plots have the same changes as bench-compare.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8
for need in gnuplot xmllint; do
	skip_unless $need "a report opens with the answer" || done_testing
done

# of FILE XPATH: the result of an XPath
of() { xmllint --html --xpath "$2" "$1" 2>/dev/null; }
# answer FILE: the sentences of the answer
answer() { of "$1" '//section[@id="answer"]' | sed 's|</p>|\n|g; s|</li>|\n|g; s/<[^>]*>//g' | grep .; }
# saved FILE NAME: a file that can be saved
saved() { of "$1" "string(//a[@download='$2']/@href)" | sed 's/^data:[^,]*,//' | base64 -d; }

# A history of 60 commits, ten benchmarks, four samples and eleven metrics: five benchmarks get worse
# at once, one earlier, and one gets better.
awk 'BEGIN {
	srand(7)
	count = split("wall ns,user ns,sys ns,max_rss B,page-faults 1,context-switches 1,cpu-migrations 1,block_in B,block_out B,cpu_utilisation 1,ok 1", metric, ",")
	print "run,time,host,env,commit,kind,bench,sample,metric,unit,value,status"
	for (c = 0; c < 60; c++) {
		hash = ""
		for (k = 0; k < 40; k++)
			hash = hash sprintf("%x", int(rand() * 16))
		if (c == 25 || c == 40 || c == 52)
			print hash >"hash." c
		time = sprintf("2026-%02d-%02dT02:00:07.000000000Z", 8 + int(c / 28), 1 + c % 28)
		for (b = 1; b <= 10; b++) {
			factor = c >= 52 && b >= 6 ? 1.3 : c >= 25 && b == 3 ? 1.18 : c >= 40 && b == 5 ? 0.8 : 1
			for (s = 0; s < 4; s++)
				for (m = 1; m <= count; m++) {
					split(metric[m], name, " ")
					value = m == count ? 1 : m > 6 ? 0 : m > 2 ? 1000 * m + int(20 * rand()) : \
						(b * b + 3) * 1e6 * factor * (1 + 0.01 * (rand() + rand() - 1))
					printf("r%02d-%02d,%s,ci-box,5964b89cc0df,%s,command,b%02d,%d,%s,%s,%d,ok\n",
						c, b, time, hash, b, s, name[1], name[2], value)
				}
		}
	}
}' >history.csv
status 0 "bench-report writes a page of a history" bench-report --repo-url 'https://example.org/prog/c/%s?a&b' -o history.html history.csv
answer history.html >said
before=$(cut -c 1-9 hash.40) at=$(cut -c 1-9 hash.52)
is "$(sed -n 2p said)" '6 of 10 series got worse. The newest change of each, the largest first:' \
	"the answer of a history counts the series that got worse"
like "$(sed -n 3p said)" "^[+](29|30)[.][0-9]% wall of b[0-9]*, since 2026-09-25, commit $at: [0-9.]+ ms → [0-9.]+ ms$" \
	"the answer has the percentage first, then what changed, since which date and commit, and the values"
is "$(sed -n 3,7p said | sort -gr)" "$(sed -n 3,7p said)" "the answer has the largest changes first"
is "$(sed -n 8p said)" '1 more' "the answer lists five changes and counts the others"
is "$(sed -n 9p said)" "5 of 10 series on ci-box changed together on 2026-09-25 at $at, so they probably have one cause, such as the machine or a library." \
	"the answer says that many series changed together"
like "$(sed -n 10,11p said | paste -sd' ')" "^1 of 10 series got better. -[12][0-9.]+% wall of b05, since 2026-09-13, commit $before: " \
	"the answer of a history has what got better"
is "$(of history.html '//section/@id' | sed 's/.*="\(.*\)"/\1/' | head -4 | paste -sd' ')" 'answer warnings trend plots' \
	"the answer comes first on a page, and changes come before boxes"
# Another machine measured b05 from its change on, and b03 from ten commits after its change on.
awk -F, -v at="$(cat hash.40)" 'BEGIN { OFS = "," }
	$5 == at { later = 1 } later && ($7 == "b05" || $7 == "b03") { $4 = "aaaaaaaaaaaa" } { print }' history.csv >moved.csv
bench-report -q -o moved.html moved.csv
answer moved.html >moved
is "$(grep -c 'wall of' moved) $(grep 'the environment of the machine changed there also$' moved | grep -o 'of b0[0-9]')" '6 of b05' \
	"the answer says which change of one series came with another environment"
is "$(of history.html "//section[@id='answer']//li[1]/a[@class='commit']/@href" | head -1)" \
	" href=\"https://example.org/prog/c/$(cat hash.52)?a&amp;b\"" "--repo-url links a commit with all its digits"

# The table, the plots and bench-compare have the same changes.
bench-compare -q --history --csv history.csv >changes.csv
changes() { awk -F, -v metric="$1" '$4 == metric' changes.csv | wc -l; }
rows() { of "$1" "count(//table[@id='$2']/tbody/tr[td='$3'])"; }
drawn() { of "$1" "string(//section[@id='trend']//figure[contains(., '$2 by time')]//svg)" | grep -oE '[0-9]+ changes? of level' | head -1; }
is "$(rows history.html trend-table wall)" "$(changes wall)" "the table of changes has the changes of a primary metric that bench-compare finds"
is "$(drawn history.html wall)" "$(changes wall) changes of level" "a plot has the changes of the table next to it"
is "$(rows history.html trend-others user)" "$(changes user)" "a fold has the changes of another metric that bench-compare finds"
is "$(drawn history.html user)" "$(changes user) changes of level" "a plot of another metric has the changes of the fold"
# 40 series, of which a plot has twelve. Corrected for twelve, it would have a fourth change.
awk 'function noise() { state = (state * 1103 + 12345) % 65536; return state / 65536 }
BEGIN {
	state = 3
	print "run,time,commit,bench,sample,metric,unit,value"
	for (c = 1; c <= 20; c++)
		for (b = 10; b < 50; b++)
			for (s = 0; s < 3; s++) {
				if (!s)
					base = 1e6 * (c > 10 && b < 20 ? 1.12 : 1) * (1 + 0.12 * (noise() + noise() + noise() - 1.5))
				printf("r%d,2026-10-%02dT00:00:00Z,c%02d,b%d,%d,wall,ns,%d\n", c, c, c, b, s, base + s * 1000)
			}
}' >forty.csv
bench-report -o forty.html forty.csv
is "$(bench-compare -q --history --csv forty.csv | grep -c ,step,) $(drawn forty.html wall)" '3 3 changes of level' \
	"a plot of some series has the changes of the table of all"
# The series with the largest changes are drawn, with the p of all series.
sed -n '/^run/p; /,wall,/p' history.csv | awk -F, -v OFS=, '{ print } NR > 1 { $7 = "c" $7; print }' >twenty.csv
bench-report -o twenty.html twenty.csv
sed -n '/^run/p; /,b03,.*,wall,/p' history.csv >h3.csv
is "$(bench-plot trend -F svg -o - h3.csv | grep -oE '[0-9]+ changes? of level' | head -1)" '1 change of level' "a series drawn alone has its change"
is "$(of twenty.html 'string(//section[@id="trend"]//figcaption)')" 'wall over time; 12 of 20 subjects, those with the largest changes' \
	"a plot of many series has those with the largest changes"
is "$(drawn twenty.html wall)" '12 changes of level' "a plot of many series has a change in each"
is "$(bench-plot trend -y wall -g bench -F svg -o - --tests 100000000 h3.csv | grep -oE '[0-9]+ changes? of level' | head -1)" '0 changes of level' \
	"bench-plot --tests corrects the p of changes for more series than it draws"

# Size.
size=$(wc -c <history.html)
ok "a page of 60 commits, 10 benchmarks and 4 samples takes less than 1 MB ($size)" [ "$size" -lt 1000000 ]
is "$(of history.html 'count(//table[@id="summary-table"]/tbody/tr)')" 40 "the summary of a history has a row for each series of the main metrics"
is "$(of history.html 'count(//details/div/table[@id="summary-others"]/tbody/tr)')" 70 "a fold has the other metrics of the summary"
saved history.html samples.csv.gz | gunzip | cmp - history.csv
is $? 0 "the samples that can be saved from a page of a history are all those that were read"
newest=$(tail -1 history.csv | cut -d, -f 5)
{ head -1 history.csv; grep ",$newest," history.csv; } | bench-stat --csv >want.csv
saved history.html summary.csv >got.csv
is "$(sort got.csv)" "$(sort want.csv)" "the summary that can be saved has the newest values"

# Nothing changed, few commits, a drift.
grep -E '^run|,b0[124],' history.csv >calm.csv
bench-report -o calm.html calm.csv
is "$(answer calm.html | sed 1d)" 'Nothing got worse: 3 series of primary metrics kept their level over 60 commits.' \
	"the answer says that nothing got worse"
# Slower than the baseline, but constant since then.
awk -F, -v OFS=, 'NR == 1 || /,b04,/ { if (NR > 1) $(NF - 1) *= 1.5; print }' calm.csv >slower.csv
grep -E '^run|,b04,' calm.csv >before.csv
bench-report --baseline before.csv -o slower.html slower.csv
is "$(answer slower.html | tail -1)" 'No change within the new samples: 1 series of primary metrics kept their level over 60 commits.' \
	"the answer about the history of the new samples does not seem to be about the baseline"
awk 'BEGIN {
	print "run,time,commit,bench,sample,metric,unit,value"
	for (r = 1; r <= 40; r++)
		for (s = 0; s < 5; s++)
			printf("r%02d,2026-%02d-%02dT00:00:0%dZ,c%02d,sort,%d,wall,ns,%d\n", r, 1 + int(r / 28), 1 + r % 28, s, r, s, 1000 + r * 10 + s)
}' >drift.csv
bench-report -o drift.html drift.csv
like "$(answer drift.html | sed -n 3p)" '^[+]3[0-9][.][0-9]% wall of sort, drifting from 2026-01-02 to 2026-02-13: 1[.]0' "the said names a drift with its dates"

# Against a baseline.
awk 'BEGIN {
	print "run,host,kind,bench,sample,metric,unit,value,status"
	for (s = 0; s < 12; s++)
		for (i = 1; i <= 4; i++) {
			print "r,h,command,sort " i "," s ",wall,ns," i * 1e6 + s * 1e3 ",ok"
			print "r,h,command,sort " i "," s ",max_rss,B," i * 1048576 + s * 4096 ",ok"
		}
}' >old.csv
awk -F, -v OFS=, '{ sub(/^r,/, "s,") } /sort 1,.*wall/ { $8 *= 1.5 } /sort 2,.*wall/ { $8 *= 1.2 } /sort 3,.*wall/ { $8 *= 0.5 } { print }' old.csv >new.csv
bench-report --baseline old.csv -o compared.html new.csv
answer compared.html >said
is "$(sed -n 2p said)" '2 of 4 results are worse than the baseline:' "the answer counts what is worse than the baseline"
like "$(sed -n 3p said)" '^[+]50[.]0% wall of sort 1, 95% [+][0-9.]+% to [+][0-9.]+%: 1[.]00[0-9] ms → 1[.]5[0-9]+ ms$' \
	"the answer has the worst change first, with its interval and values"
like "$(sed -n 5,6p said | paste -sd' ')" '^1 of 4 results is better than the baseline: -50[.]0% wall of sort 3' "the answer lists what is better than the baseline"
is "$(sed -n 7p said)" '1 the same, 0 unsure.' "the answer counts what is the same as the baseline"
bench-compare --csv old.csv new.csv 2>/dev/null | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && $at["primary"] != "" && $at["verdict"] != "geomean" { print $at["verdict"] }' | sort | uniq -c | awk '{ print $2, $1 }' >counts
is "$(paste -sd' ' counts)" 'better 1 same 1 worse 2' "bench-compare agrees with the answer"
bench-report --baseline old.csv -o same.html old.csv
is "$(answer same.html | sed 1d)" 'Nothing is worse than the baseline: 4 the same, 0 unsure.' "the answer says that nothing is worse than the baseline"

# Results that failed or are missing on one side.
is_said() { is "$(answer page.html | sed 1d | paste -sd' ')" "$1" "$2"; }
awk -F, -v OFS=, '/sort 4,.*wall/ { $8 = ""; $9 = "failed:exit=1" } { print }' old.csv >failing.csv
bench-report --baseline old.csv -o page.html failing.csv
is_said '1 result of the baseline has no value now: wall of sort 4 12 samples failed: sort 4: 12 with status failed:exit=1 4 the same, 0 unsure.' \
	"the answer does not say that nothing is worse if a benchmark fails"
like "$(cat page.html)" 'failing: kind=command bench=sort 4: 12 of 12 samples failed in this report, 0 of 12 in the baseline<' \
	"notes about a comparison name its sides without files"
grep -v 'sort 4,' old.csv >fewer.csv
bench-report --baseline old.csv -o page.html fewer.csv
is_said '2 results of the baseline have no value now: wall of sort 4 max_rss of sort 4 3 the same, 0 unsure.' "the answer names a result that is missing"
bench-report --baseline fewer.csv -o page.html old.csv
is_said 'Nothing is worse than the baseline: 3 the same, 0 unsure, 2 without a value in the baseline.' "the answer counts results that the baseline lacks"
awk -F, -v OFS=, '/sort 4,0,wall/ { $8 = ""; $9 = "failed:exit=1" } { print }' old.csv >some.csv
bench-report --baseline old.csv -o page.html some.csv
is_said '1 sample failed: sort 4: 1 with status failed:exit=1 4 the same, 0 unsure.' "a failed sample comes before what is the same as the baseline"
awk -F, -v OFS=, 'NR > 1 { $8 = ""; $9 = "failed:exit=1" } { print }' old.csv >none.csv
bench-report --baseline none.csv -o page.html old.csv
is_said 'Nothing could be compared with the baseline, 8 without a value in the baseline.' "the answer says that nothing could be compared"

# Which is the fastest, as bench-compare finds.
bench-report -o fastest.html old.csv
answer fastest.html >said
is "$(sed -n 2p said)" 'sort 1 is the fastest:' "the answer has the fastest of several benchmarks"
bench-compare --csv -b bench --reference 'sort 1' --metric wall old.csv 2>/dev/null >want.csv
for i in 2 3 4; do
	awk -F, -v bench="sort $i" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		{ for (i = 1; i <= NF; i++) if ($i == bench) printf("%.2f (95%%: %.2f to %.2f)\n", $at["ratio"], $at["ratio_lo"], $at["ratio_hi"]) }' want.csv
done >want
sed -n 's/ times as fast as sort [2-4]//p' said | sed 's/; .*//' | while read -r ratio rest; do
	echo "$ratio $rest" | tr -d '(:)' | awk '{ printf("%.2f (95%%: %.2f to %.2f)\n", $1, $3, $5) }'
done >got
is "$(cat got)" "$(cat want)" "the answer has the ratios of bench-compare with the fastest as its reference"
like "$(sed -n 3p said)" '; wall 1[.]00[0-9] ms and 2[.]00[0-9] ms$' "the answer has the medians of the fastest and of another benchmark"
grep -E '^run|sort [12]' old.csv | sed 's/sort 2\(.*\),wall,ns,2/sort 2\1,wall,ns,1/' >equal.csv
bench-report -o equal.html equal.csv
like "$(answer equal.html | sed -n 2p)" '^sort [12] (is as fast as|is not clearly faster than) sort [12]' "the answer says that two benchmarks do not differ"
awk 'BEGIN {
	print "kind,bench,backend,dtype,batch,sample,metric,unit,value"
	for (batch = 1; batch <= 4; batch *= 2)
		for (s = 0; s < 10; s++)
			printf("model,net,cpu,float32,%d,%d,wall,ns,%d\nmodel,net,ref,float64,%d,%d,wall,ns,%d\n", batch, s, batch * 1e6 + s, batch, s, batch * 3e6 + s)
}' >models.csv
bench-report -o models.html models.csv
is "$(answer models.html | sed -n '2,$s/ (95.*//p')" "$(for batch in 1 2 4; do echo "batch=$batch: net backend=cpu dtype=float32 is 3.0000 times as fast as net backend=ref dtype=float64"; done)" \
	"the answer compares backends at each batch"
sed -n '/^run/p; /sort 1/p' old.csv >one.csv
bench-report -o one.html one.csv
is "$(answer one.html | sed 1d | cut -d, -f 1)" '1.006 ms wall of sort 1
1.021 MiB max_rss of sort 1' "the answer about one benchmark has its medians"
bench-report --baseline old.csv -o compared.html new.csv

# Failures and budgets.
sed 's/^\(r,h,command,sort 1,[01],.*\),ok$/\1,failed:exit=1/; s/^\(r,h,command,sort 2,5,.*\),ok$/\1,timeout/' old.csv >failed.csv
printf 'bench,metric,statistic,max\nsort 4,wall,median,1ms\n*,wall,max,1h\n' >budget.csv
bench-report --budget budget.csv -o failed.html failed.csv 2>/dev/null
answer failed.html | sed -n '/failed:$/,$p' >said
is "$(sed -n 1,3p said)" '3 samples failed:
sort 1: 2 with status failed:exit=1
sort 2: 1 with status timeout' "the answer counts the samples that failed, not their metrics"
is "$(sed -n '4,$p' said)" '1 of 5 budgets is broken:
wall of sort 4, median: 4.005 ms, at most 1.000 ms' "the answer has the budgets that are broken"

# Addresses of commits.
for url in example.org/c/ javascript:alert ftp://example.org/ https:// 'https://example.org/"x' 'https://example.org/ x'; do
	status 2 "--repo-url refuses the address '$url'" bench-report --repo-url "$url" -o no.html old.csv
done
printf 'commit,bench,sample,metric,unit,value\nv1 "<b>,a,0,wall,ns,1\nv1 "<b>,a,1,wall,ns,2\n0123456789abcdef0123-dirty,b,0,wall,ns,1\n0123456789abcdef0123-dirty,b,1,wall,ns,2\n' |
	sed 's/v1 "<b>/"v1 ""<b>"/' >commits.csv
bench-report --repo-url https://example.org/c/ -o commits.html commits.csv
is "$(of commits.html '//table[@id="summary-table"]//a/@href' | paste -sd' ')" \
	' href="https://example.org/c/v1%20%22%3Cb%3E"  href="https://example.org/c/0123456789abcdef0123"' \
	"the characters of a commit are escaped in its link, and the mark of a modified tree is not part of it"
is "$(of commits.html '//table[@id="summary-table"]//a/text()' | paste -sd' ')" 'v1 "&lt;b&gt; 012345678-dirty' "a short commit keeps the mark of a modified tree"
bench-report -o plain.html commits.csv
is "$(of plain.html 'count(//table//a)')" 0 "a page without --repo-url links no commit"

# A terminal.
if have script; then
	script -qec 'bench-report old.csv; echo "status $?"' /dev/null </dev/null >typed 2>&1
	like "$(cat typed)" '^bench-report: the page is HTML, which a terminal cannot show: name a file with -o' "a page is not written to a terminal"
	like "$(cat typed)" 'status 2' "a page for a terminal is a mistake of usage"
	script -qec 'bench-report -o - old.csv' /dev/null </dev/null >typed 2>&1
	like "$(head -1 typed)" '<!DOCTYPE html>' "-o - writes a page to a terminal"
else
	skip_unless script "a page is not written to a terminal"
fi
done_testing
