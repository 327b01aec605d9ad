#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-report: the page has the sections for which the stream has data, its numbers equal those of
# the other programs, texts of the stream remain text, and no incomplete page is left.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8
if ! skip_unless gnuplot "bench-report writes valid pages" || ! skip_unless xmllint "bench-report writes valid pages"; then
	done_testing
fi

# samples SCALE: two subjects, two metrics, twelve values each
samples() {
	awk -v scale="$1" 'BEGIN {
		print "run,host,kind,bench,sample,metric,unit,value,status"
		for (s = 0; s < 12; s++)
			for (i = 1; i <= 2; i++) {
				print "r" scale ",h,command,sort " i "," s ",wall,ns," (i * 1e6 + s * 1e3) * scale ",ok"
				print "r" scale ",h,command,sort " i "," s ",max_rss,B," i * 1048576 + s * 4096 ",ok"
			}
	}'
}
samples 1 >s.csv
samples 1.5 >slow.csv

# of FILE XPATH: the result of an XPath
of() { xmllint --html --xpath "$2" "$1" 2>/dev/null; }
parts() { of "$1" '//section/@id' | sed 's/.*id="\(.*\)"/\1/' | tr '\n' ' ' | sed 's/ $//'; }
values() { of "$1" "//table[@id='$2']/tbody//td/@data-value" | sed 's/.*="\(.*\)"/\1/'; }
twice() { of "$1" '//@id' | sort | uniq -d; }

status 0 "bench-report writes a report" bench-report -o s.html s.csv
is "$(cat .out .err)" '' "bench-report is silent when the page goes to a file"
is "$(parts s.html)" 'answer warnings plots summary findings data' \
	"a report has the sections for which the stream has data"
is "$(of s.html 'string(//h1)')" 'Benchmark report' "a report has a title"
is "$(bench-report <s.csv)" "$(cat s.html)" \
	"a report is the same from standard input, to standard output"
printf '\357\273\277' | cat - slow.csv >mark.csv
bench-report -o both.html s.csv mark.csv
cat s.csv slow.csv | bench-report -o joined.html
is "$(values both.html summary-table)" "$(values joined.html summary-table)" \
	"bench-report joins several files to one stream"
is "$(bench-report --title 'A & B' s.csv | xmllint --html --xpath 'string(//title)' - 2>/dev/null)" 'A & B' \
	"--title sets the title of a report"
bench-report --theme dark -o dark.html s.csv
is "$(of dark.html 'string(/html/@data-theme)')" dark \
	"--theme dark makes a report dark"
is "$(twice s.html)" '' "every id of a report is unique"
is "$(of s.html 'count(//th[not(@scope)])') $(of s.html 'count(//table[not(caption)])')" '0 0' \
	"each table of a report has a caption, each head a scope"
is "$(of s.html 'count(//figure/div[@class="broad"]/svg[@role="img"]/title)') $(of s.html 'count(//figure/figcaption)')" '2 2' \
	"each plot of a report has a title and a caption"
like "$(of s.html 'string(//meta[@http-equiv="Content-Security-Policy"]/@content)')" "^default-src 'none'" \
	"the content security policy of a report blocks requests"
is "$(of s.html '//*[@src]/@src | //link/@href | //a/@href' | grep -vE '"(#[a-z]+|data:[^"]*)"')" '' \
	"a report refers to no other file"
is "$(of s.html '//nav/a/@href' | sed 's/.*"#\(.*\)"/\1/' | tr '\n' ' ' | sed 's/ $//')" "$(parts s.html)" \
	"the links of a report lead to its sections"

# Numbers.
bench-stat --csv -s n,failed,median,ci_lo,ci_hi,mean,sd,min,p95,max,outliers s.csv >want.csv
is "$(values s.html summary-table)" "$(sed 1d want.csv | cut -d, -f6- | tr , '\n')" \
	"the numbers of the summary equal those of bench-stat"
like "$(of s.html 'string(//table[@id="summary-table"]/caption)')" 'in all rows host h, kind command$' \
	"a column that is the same in all rows is only in the caption"
saved() { of "$1" "string(//a[@download='$2']/@href)" | sed 's/^data:[^,]*,//' | base64 -d; }
saved s.html samples.csv | cmp - s.csv
is $? 0 "the samples can be saved from the page"
is "$(saved s.html summary.csv)" "$(bench-stat --csv s.csv)" \
	"the summary can be saved from the page"
is "$(saved s.html summary.json)" "$(bench-stat --json s.csv)" \
	"the summary can be saved from the page as JSON"

# Against a baseline.
status 0 "a stream that is worse than its baseline is no failure" \
	bench-report --baseline s.csv -o v.html slow.csv
is "$(parts v.html)" 'answer warnings verdicts plots summary findings data' "--baseline adds verdicts to a report"
is "$(of v.html '//table[@id="verdicts-table"]//td[@class="worse"]/text()' | tr '\n' ' ')" 'worse worse ' \
	"the verdicts of a report are those of bench-compare"
is "$(of v.html 'string(//section[@id="verdicts"]/p)')" '2 worse, 0 unsure, 0 better, 0 same.' \
	"a report counts the verdicts of primary metrics"
is "$(of v.html '//table[@id="verdicts-table"]/tbody/tr/td/text()' | grep -xE 'worse|same|geomean' |
	tr '\n' ' ')" \
	'worse worse geomean same same geomean ' "the worst verdicts of primary metrics come first in a report"
{ cat slow.csv; sed -n '/,wall,/s/sort 1/new/p' slow.csv; } >wider.csv
bench-report --baseline s.csv -o wider.html wider.csv
is "$(of wider.html 'string(//section[@id="verdicts"]/p)')" '2 worse, 0 unsure, 0 better, 0 same, 1 on one side only.' \
	"a benchmark that one side lacks is counted separately from unsure ones"
is "$(of v.html 'count(//section[@id="verdicts"]//figure/div[@class="broad"]/svg)')" 1 \
	"the verdicts of a report have a plot"
printf '%s\n' run,bench,sample,metric,unit,value o,a,0,wall,ns,1000 o,a,1,wall,ns,1001 >two.csv
status 0 "a report shows a comparison that cannot be decided" \
	bench-report --baseline two.csv -o few.html two.csv
is "$(of few.html 'string(//section[@id="verdicts"]/p)')" '0 worse, 1 unsure, 0 better, 0 same.' \
	"a report counts the rows of a comparison that cannot be decided"
like "$(cat few.html)" 'cannot decide: .*measure at least 6' "a report says how many values a decision takes"
awk 'BEGIN {
	print "bench,sample,metric,unit,value"
	for (b = 0; b < 90; b++)
		for (s = 0; s < 6; s++)
			print "b" b "," s ",wall,ns," 1000 + 10 * b + s
}' >many.csv
sed 's/,ns,/,ns,1/' many.csv >more.csv
bench-report --baseline many.csv -o many.html more.csv
is "$(of many.html 'count(//table[@id="summary-table"]/tbody/tr)')" 90 "the summary has every row"
like "$(of many.html 'string(//section[@id="plots"]//figcaption)')" \
	'60 of 90 subjects, those with the largest values' "the caption of a plot says how many subjects it leaves out"
like "$(of many.html 'string(//section[@id="plots"]//svg)')" 'b89' "a plot has the largest values"

# Budgets.
cat >budget.csv <<'END'
bench,metric,statistic,max
*,wall,max,1h
*,wall,median,1ns
sort*,wall,p99,1h
find,wall,median,1h
END
status 0 "a broken budget is no failure of the report" bench-report --budget budget.csv -o budget.html s.csv
is "$(parts budget.html)" 'answer warnings budgets plots summary findings data' "--budget adds budgets to a report"
bench-stat -q --budget budget.csv --csv s.csv 2>/dev/null >want.csv
for verdict in broken undecided met; do
	grep -c ",$verdict," want.csv
done | paste -sd' ' >counts
is "$(of budget.html 'string(//section[@id="budgets"]/p)')" "$(awk '{ print $1 " broken, " $2 " undecided, " $3 " met." }' counts)" \
	"a report counts the budgets by verdict"
is "$(of budget.html '//table[@id="budgets-table"]//td/text()' | grep -xE 'broken|undecided|met' | uniq | paste -sd' ')" \
	'broken undecided met' "the broken budgets come first in a report"
like "$(of budget.html 'string(//section[@id="budgets"])')" "budget.csv:5: no samples match the budget for bench 'find'" \
	"a report says which budget matches nothing"
bench-stat -q --budget budget.csv --table s.csv 2>/dev/null >want.txt
is "$(of budget.html '//table[@id="budgets-table"]//tr[td="max"]/td[@data-value]/text()' | grep -E '[a-z]s$|min$' | sort -u)" \
	"$(grep ' max ' want.txt | grep -oE '[0-9.]+ ([nµm]s|min)' | sort -u)" "the values and limits of budgets have their units in a report"
sed -i '/median,1ns/d' budget.csv
status 0 "a budget that matches nothing is no failure of the report" bench-report --budget budget.csv -o budget.html s.csv
like "$(of budget.html 'string(//section[@id="budgets"]/p)')" '^0 broken, ' "a report shows all budgets although one matches nothing"

# The shape of the input follows from the batch: 12 lines, not 48 of a point each.
bench-report -o shapes.html "$ROOT/tests/fixtures/data/plots/shapes.csv"
is "$(of shapes.html 'string(//section[@id="models"]//figcaption)')" 'wall by batch: elapsed time, lower is better' \
	"a plot has all points of a line even if a column is determined by x"
is "$(of shapes.html '//section[@id="models"]//svg' | grep -o 'm[1-3], seq=[0-9]*, backend=[a-z]*' | sort -u | wc -l)" 12 \
	"a plot has a line for each of the models, lengths and backends"
like "$(of many.html 'string(//section[@id="verdicts"]//figcaption)')" 'the table has the rest' \
	"the plot of verdicts says what it leaves out"

# Sections that depend on the data.
awk 'BEGIN {
	print "run,time,host,commit,bench,sample,metric,unit,value"
	for (r = 1; r <= 12; r++)
		for (s = 0; s < 5; s++)
			printf "r%02d,2026-01-%02dT00:00:0%dZ,h,c%d,sort,%d,wall,ns,%d\n",
				r, r, s, r, s, 1000 + s + (r > 6) * 500
}' >h.csv
bench-report -o h.html h.csv
is "$(parts h.html)" 'answer warnings trend plots summary findings data' "a history has a trend"
sed 's/,sort,/,\0/; s/^r\([0-9]*\)\(.*\),,sort/r\1\2,sort \1/' h.csv | bench-report -o once.html
is "$(parts once.html)" 'answer warnings plots summary findings data' \
	"many runs of different benchmarks have no trend"
like "$(of h.html 'string(//table[@id="trend-table"]/tbody/tr)')" '^[+]49.9%worse.*c7' "a trend has its change, percent and verdict first"
like "$(of h.html 'string(//section[@id="plots"]/p)')" '^The plots show the newest values of each series[.]$' \
	"the plots of a history have its newest values"
awk 'BEGIN {
	print "bench,n,threads,sample,metric,unit,value"
	for (n = 1; n <= 4; n++)
		for (t = 1; t <= 4; t *= 2)
			for (s = 0; s < 5; s++)
				print "sort," n "," t "," s ",wall,ns," 1000 * n / t + s
}' >n.csv
bench-report -o n.html n.csv
is "$(parts n.html)" 'answer warnings plots speedup summary findings data' "a report of threads has a speedup"
like "$(of n.html 'string(//section[@id="plots"]//figcaption)')" '^wall by n: elapsed time, lower is better$' \
	"a numeric factor has a line"
sed 's/sort,\([0-9]\)/sort \1,\1/' n.csv | bench-report -o apart.html
like "$(of apart.html 'string(//section[@id="plots"]//figcaption)')" '^wall by threads: elapsed time, lower is better$' \
	"a factor that each benchmark has one value of has no line"
awk 'BEGIN {
	print "kind,bench,rate,process,sample,t,metric,unit,value"
	for (rate = 10; rate <= 20; rate += 10)
		for (period = 0; period < 3; period++) {
			at = "command,serve," rate "," period ","
			for (i = 0; i < 20; i++)
				print at i ",,latency,ns," (i * 7 % 20 + rate) * 1e6
			print at "0,,offered_rate,1/s," rate "\n" at "0,,throughput,1/s," rate
			print at "0,,utilization,1,0.5\n" at "0,,goodput,1/s," rate - 1
		}
}' >load.csv
bench-report -o load.html load.csv
is "$(parts load.html)" 'answer warnings load plots summary findings data' "a report of a load has a section for it"
is "$(of load.html 'count(//section[@id="load"]//figure)')" 3 "a report of a load draws latency, capacity and goodput"
like "$(of load.html 'string(//table[@id="load-times"]/thead)')" 'median_lo.*p90.*p99' \
	"a report of a load has quantiles with intervals"
is "$(of load.html 'count(//table[@id="load-rates"]/tbody/tr)')" 8 \
	"a report of a load has the rates of the periods"
awk 'BEGIN {
	print "kind,bench,sample,t,metric,unit,value"
	for (s = 0; s < 6; s++)
		for (t = 1; t <= 5; t++)
			print "model,gpt," s "," t * 1e7 "," (t == 1 ? "first_token" : "inter_token") ",ns," 1e7 + t * 1e4
}' >tokens.csv
bench-report -o tokens.html tokens.csv
like "$(parts tokens.html)" 'warnings tokens ' "a report of generated tokens has a section for them"
is "$(of tokens.html 'count(//table[@id="token-times"]/tbody/tr)')" 2 \
	"a report of generated tokens has the times that the stream has"
is "$(of tokens.html 'string(//section[@id="tokens"]//figcaption)')" "generated tokens of requests over time" \
	"a report of generated tokens draws them over time"
awk 'BEGIN {
	print "kind,bench,backend,process,sample,metric,unit,value"
	for (b = 1; b <= 2; b++)
		for (p = 0; p < 3; p++) {
			at = "model,gpt," (b == 1 ? "cpu" : "onnxruntime") "," p ","
			for (s = 0; s < 4; s++)
				print at s ",wall,ns," b * 1e6 + s
			print at "0,load,ns," b * 1e8 + p "\n" at "0,open,ns," b * 2e7 + p "\n" at "0,first,ns," b * 3e6 + p
		}
}' >start.csv
bench-report -o start.html start.csv
like "$(parts start.html)" ' start ' "a report of models has a section for their start"
is "$(of start.html 'count(//table[@id="start-table"]/tbody/tr)')" 8 \
	"a report of models has each phase of the start and a later iteration, for each backend"
like "$(of start.html 'string(//table[@id="start-table"])')" 'onnxruntime.*load.*200[.]0 ms' \
	"a report of models has the median time to load a model on a backend"
unlike "$(parts n.html)" 'start' "a report without models has no section for their start"
sed 's/,[0-9]*$/&,failed/; 1s/.*/&,status/' tokens.csv >failed-tokens.csv
bench-report -o failed-tokens.html failed-tokens.csv
is "$? $(of failed-tokens.html 'count(//section[@id="tokens"]//figure)')" "0 0" \
	"a report of tokens that all failed has no plot of them"
awk 'BEGIN {
	print "bench,sample,t,metric,unit,value"
	for (s = 0; s < 2; s++)
		for (t = 0; t < 20; t++)
			print "sort," s "," t * 1e7 ",rss,B," 1e6 + t * 1e4
}' >t.csv
bench-report -o t.html t.csv
is "$(parts t.html)" 'answer warnings timeline summary findings data' "a time series has a timeline"
printf 'bench,stack,metric,unit,value\np,main;work;sort,samples,1,60\np,main;read,samples,1,40\n' >f.csv
bench-report -o f.html f.csv
is "$(parts f.html)" 'answer warnings flame data' "stacks have a flame graph, and no summary"
is "$(of f.html 'count(//svg[@class="flame"])')" 1 "the page has the frames of a flame graph"
printf '%s\n' bench,operation,sample,metric,unit,value net,,0,wall,ns,100 'net,0 conv,0,wall,ns,30' \
	'net,1 dense,0,wall,ns,60' >o.csv
bench-report -o o.html o.csv
is "$(parts o.html)" 'answer warnings operations summary findings data' "a report of operations has a section for them"
is "$(values o.html operations-table | sed -n '2p;5p' | tr '\n' ' ')" '60 30 ' \
	"the largest operations come first"
{
	echo 'bench,sample,metric,unit,value'
	printf 'k%d,0,flop_rate,flop/s,%de9\nk%d,0,arithmetic_intensity,1,%d\n' 1 1 1 2 2 2 2 4
} >r.csv
bench-report -o r.html r.csv
is "$(parts r.html)" 'answer warnings plots roofline summary findings data' "kernels have a roofline"
printf 'bench,sample,metric,unit,value\na,0,flop_rate,flop/s,3e9\nb,0,bandwidth,B/s,3e9\n' >apart.csv
bench-report -o apart.html apart.csv 2>apart.err
is "$? $(parts apart.html)$(cat apart.err)" '0 answer warnings summary findings data' \
	"kernels without both a flop rate and a bandwidth have no roofline"
{ cat s.csv && printf 'env,fact,value\ne1,cpu_threads,2\ne1,load_1min,9\ne1,governor,powersave\n'; } >e.csv
bench-report -o e.html e.csv
is "$(parts e.html)" 'answer warnings plots summary findings machines data' "facts of the machine have a table"
is "$(of e.html '//section[@id="warnings"]//td[@class="worse"]/text()' | tr '\n' ' ')" 'unfit unfit ' \
	"a problem of a machine is in the section on data quality"
sed 's/^\(r1.*,0,wall.*\),ok/\1,failed:exit=1/' s.csv | bench-report -o failed.html
like "$(of failed.html 'string(//section[@id="warnings"])')" 'failed rows2 of 48' \
	"failed rows are in the section on data quality"
bench-report -y max_rss -o chosen.html s.csv
is "$(of chosen.html 'count(//section[@id="plots"]//figure)')" 1 \
	"-y selects the metric that a report draws"
bench-report -y 'max_*,wall' --baseline s.csv -o patterns.html slow.csv
is "$(of patterns.html 'count(//section[@id="plots"]//figure)')" 2 "-y takes lists of patterns of metrics to draw"
bench-report --metric max_rss --baseline s.csv -o judged.html slow.csv
is "$(of judged.html 'string(//section[@id="verdicts"]/p)')" '0 worse, 0 unsure, 0 better, 2 same.' \
	"--metric selects the metrics that a report judges"
for page in v many h n t f o r e; do twice "$page.html"; done >repeated
is "$(cat repeated)" '' "every id is unique in reports with various sections"

# Texts of a stream remain text.
odd='<script>pwned()</script></style>]]>--><img src=x onerror=pwned()>&amp;"onclick="x'\'' {}'
odd=$odd' `touch pwned` $(touch pwned) \e 世界 😀'
field="\"$(printf '%s' "$odd" | sed 's/"/""/g')\""
{
	echo "run,time,host,env,commit,kind,bench,$field,stack,operation,sample,metric,unit,value,status"
	for s in 0 1 2 3 4 5; do
		f=$field
		echo "$f,2026-01-31,$f,$f,$f,$f,$f,$f,,,$s,$f,$f,$s.5,ok"
		echo "$f,2026-01-31,$f,$f,$f,$f,$f,$f,$f,,$s,$f,$f,1$s,ok"
		echo "$f,2026-01-31,$f,$f,$f,$f,$f,$f,,$f,$s,wall,$f,1$s,ok"
		echo "$f,2026-01-31,$f,$f,$f,$f,$f,$f,,,$s,wall,$f,1$s,$f"
	done
	printf 'env,fact,value\n%s,%s,%s\n' "$field" "$field" "$field"
} >odd.csv
status 0 "bench-report accepts names with markup, quotes and commands" bench-report --baseline odd.csv --title "$odd" -o odd.html odd.csv
is "$(parts odd.html)" 'answer warnings verdicts plots flame operations summary findings machines data' \
	"a report of hostile names has every section"
is "$(of odd.html 'count(//img | //@onclick | //@onerror)')" 0 "no hostile name is markup"
is "$(of odd.html 'count(//script[contains(text(), "pwned")])')" 0 "no hostile name is a script"
is "$(of odd.html 'string(//title)')" "$odd" "a hostile title is as it was given"
is "$(of odd.html 'string(//table[@id="machines-table"]/tbody/tr/td)')" "$odd" \
	"a hostile name in a table is as it was given"
is "$(find . -name 'pwned*')" '' "no hostile name was executed"
is "$(twice odd.html)" '' "hostile names add no duplicate id"
saved odd.html samples.csv | cmp - odd.csv
is $? 0 "the samples that can be saved are those that were read"

{
	printf 'bench,n\377,stack,sample,metric,unit,value\n'
	printf '\300\257\001,\377,,0,\376,\375,1\n\300\257\001,\377,\302,0,w\376,\375,1\n'
} >bytes.csv
status 0 "bench-report draws names that are not valid UTF-8" bench-report -o bytes.html bytes.csv
iconv -f UTF-8 -t UTF-8 bytes.html >/dev/null
is $? 0 "a page with names that are not valid UTF-8 is UTF-8"
sed 's/,ok$/,timeout/' s.csv >late.csv
status 0 "bench-report writes a report of failures" bench-report -o late.html late.csv
is "$(parts late.html)" 'answer warnings summary findings data' "a report of failures has only the sections that need no values"

# Contrast, as WCAG 2.1 defines it: 4.5 for text.
faint=$(awk -v digits=0123456789abcdef '
	function channel(hex,  v) {
		v = (index(digits, substr(hex, 1, 1)) - 1) * 16 + index(digits, substr(hex, 2, 1)) - 1
		v /= 255
		return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ^ 2.4
	}
	function light(c) {
		red = channel(substr(c, 2, 2))
		green = channel(substr(c, 4, 2))
		return 0.2126 * red + 0.7152 * green + 0.0722 * channel(substr(c, 6, 2))
	}
	function contrast(a, b,  x, y) {
		x = light(a); y = light(b)
		return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05)
	}
	function judge(  name, ground) {
		for (name in color)
			if (name != "page" && name != "card" && name != "rule" && name != "mark")
				for (ground = 1; ground <= 2; ground++)
					if (contrast(color[name], color[ground == 1 ? "page" : "card"]) < 4.5)
						print name " on " (ground == 1 ? "page" : "card")
		themes++
	}
	/--page:/ { for (name in color) delete color[name] }
	/--[a-z]+: #/ {
		n = split($0, word, /[ \t:;]+/)
		for (i = 1; i < n; i++)
			if (word[i] ~ /^--/)
				color[substr(word[i], 3)] = word[i + 1]
	}
	/^\t+color-scheme:/ { judge() }
	END { print themes " themes" }' "$ROOT/share/report/report.css")
is "$faint" '4 themes' "all texts have enough contrast with the page, light, dark and in print"

# Errors.
status 2 "an empty input is refused" bench-report -o no.html /dev/null
like "$(cat .err)" '^bench-report: .*no table' "the message says that the input has no table"
echo 'bench,metric,value' >empty.csv
status 2 "a table without rows is refused" bench-report -o no.html empty.csv
status 2 "a file that is not there is refused" bench-report -o no.html none.csv
like "$(cat .err)" '^bench-report: none.csv: No such file' "the message names a file that is not there"
printf 'metric,value\nwall,x,y\n' >broken.csv
status 2 "a broken table is refused" bench-report -o no.html broken.csv
like "$(cat .err)" '^bench-report: broken.csv.*2' "the message has the line of a broken table"
status 2 "a broken second file is refused" bench-report -o no.html s.csv broken.csv
like "$(cat .err)" '^bench-report: broken.csv.*2' "the lines of the second file are counted apart"
status 2 "a baseline that is not there is refused" bench-report --baseline none.csv -o no.html s.csv
status 2 "a broken baseline is refused" bench-report --baseline broken.csv -o no.html s.csv
like "$(cat .err)" '^bench-report: broken.csv.*2' "the message has the line of a broken baseline"
status 2 "a table of budgets that is not there is refused" bench-report --budget none.csv -o no.html s.csv
echo bench,metric >none.csv
status 2 "a broken table of budgets is refused" bench-report --budget none.csv -o no.html s.csv
status 2 "a metric that is not there is refused" bench-report -y speed -o no.html s.csv
like "$(cat .err)" "--metric: no metric matches 'speed' .there are: wall" "the message names a metric that is not there"
status 2 "an unknown theme is refused" bench-report --theme pink s.csv
status 2 "a directory that is not there is refused" bench-report -o none/s.html s.csv
is "$(find . -name '*no.html*' -o -name '.*.html*')" '' "bench-report leaves no incomplete page"
status 2 "a full disk is reported" sh -c 'bench-report s.csv >/dev/full'
is "$(wc -l <.err)" 1 "a full disk is reported in one line"
cp s.html kept.html
status 2 "a page of a broken table cannot be made" bench-report -o kept.html broken.csv
cmp -s s.html kept.html
is $? 0 "a page that cannot be made leaves the one that was there"

# A program that fails is named on the page.
mkdir share
cp -R "$ROOT/share/." share
echo 'this is no gnuplot' >share/plots/box.gp
status 1 "a report without one of its plots has status 1" \
	env BENCH_SHARE="$T/share" bench-report -o part.html s.csv
like "$(cat .err)" '^bench-report: wall by subject: bench-plot: ' \
	"the message names the plot that a report lacks"
is "$(of part.html 'count(//div[@class="failure"][@role="alert"])')" 2 \
	"the page names the plot that it lacks"
is "$(values part.html summary-table)" "$(values s.html summary-table)" \
	"a page that lacks a plot has the rest"
rm share/report/report.css
status 2 "a report without its style is refused" env BENCH_SHARE="$T/share" bench-report -o no.html s.csv
# A later table may have columns that an earlier one lacks.
{
	printf 'run,bench,metric,unit,value\n'
	for i in 1 2 3 4 5 6; do echo "r,early,wall,ns,10$i"; done
	printf 'run,bench,later_a,later_b,later_c,metric,unit,value\n'
	for i in 1 2 3 4 5 6; do echo "s,late,x,y,z,wall,ns,20$i"; done
} >tables.csv
ok "tables with other columns make one report" bench-report -o tables.html tables.csv
like "$(cat tables.html)" '>late</td>' "a report has the rows of a later table"

# JSON may write whole numbers with an exponent.
printf '{"bench":"a","n":1e3,"sample":%s,"iterations":%s,"metric":"wall","value":1}\n' 0 9007199254740993 1e0 1e3 >exponent.json
ok "a report reads whole numbers of JSON that have an exponent" bench-report -o exponent.html exponent.json
like "$(saved exponent.html samples.csv)" '^a,1e3,0,9007199254740993,wall,1$' \
	"a report keeps the digits of whole numbers of JSON"
like "$(saved exponent.html samples.csv)" '^a,1e3,1,1000,wall,1$' \
	"a report keeps the text of factors and writes whole numbers with all digits"

# Profiles of two commits
{
	echo run,commit,bench,stack,metric,unit,value
	for commit in aaaaaaaa bbbbbbbb; do
		n=$([ $commit = aaaaaaaa ] && echo 100 || echo 500)
		printf '%s,%s,p,main;f,%s,%s,%s\n' $commit $commit samples 1 "$n" $commit $commit cpu-clock ns "$n"
		printf '%s,%s,p,main;g,%s,%s,%s\n' $commit $commit samples 1 500 $commit $commit cpu-clock ns 500
	done
} >commits.csv
ok "a report shows profiles of two commits" bench-report -o commits.html commits.csv
is "$(of commits.html 'string(//section[@id="answer"]//li[1])' | tr '\302\240' '  ' | tr -s ' ')" \
	'f itself went from 16.7% to 50% of the profile.' "the page says which function changed between two commits"
is "$(of commits.html 'count(//*[@class="flame"])')" 2 "the page has the flame graphs of the differences and of the newer commit"
like "$(cat commits.html)" '<title>main: 100%, 1.000 [^ ]*s<' "the flame graph of the newer commit has only its samples"

done_testing
