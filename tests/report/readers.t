#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What readers of a report see: words for the metrics, colors only for verdicts, names of any script, each
# subject that failed, and on a phone tables that fit. BENCH_SHOTS=DIR keeps screenshots.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/browser.sh"

export LC_ALL=C.UTF-8
for need in gnuplot xmllint; do
	skip_unless $need "the readers of a report" || done_testing
done
# of FILE XPATH: the result of an XPath
of() { xmllint --html --xpath "$2" "$1" 2>/dev/null; }
head='run,time,kind,bench,sample,metric,unit,value,status'

# Benchmarks with the names of verdicts, and one in a script that is written from right to left.
awk -v head="$head" 'BEGIN {
	print head
	split("faster worse met مرحبا", name)
	for (b = 1; b <= 4; b++)
		for (s = 0; s < 8; s++)
			printf "r,2026-11-29T02:00:00.000Z,command,%s,%d,wall,ns,%d,%s\n", name[b], s, 1e6 * b + 1000 * s, b == 4 && s == 7 ? "failed:exit=1" : "ok"
}' >names.csv
status 0 "bench-report accepts names of verdicts and names from right to left" bench-report -o names.html names.csv
is "$(of names.html 'count(//table[@id="summary-table"]//td[@class])')" 0 "a benchmark with the name of a verdict has no color of a verdict"
is "$(of names.html 'string(//table[@id="summary-table"]//td)')" faster "the names of verdicts are in the table"
is "$(of names.html 'count(//section[@id="answer"]//li[contains(., "times as fast")]/bdi)')" 1 \
	"a name from right to left is isolated from the numbers of its sentence"
is "$(of names.html 'string(//section[@id="answer"]//li[contains(., "with status")]/bdi)')" مرحبا \
	"a failed benchmark with a name from right to left is also isolated"
is "$(of names.html 'count(//bdi[. != "مرحبا"])')" 0 "names from left to right have no markup"
is "$(of names.html 'string(//figcaption)')" 'wall by subject: elapsed time, lower is better' \
	"a plot says what its metric means, and which direction is better"
like "$(of names.html 'string(//header/p)')" ', from 2026-11-29T02:00:00 to 2026-11-29T02:00:00 UTC$' "the times of a report have their time zone"
like "$(of names.html 'string(//table[@id="summary-table"]/caption)')" '^medians with 95% confidence intervals, ci_lo to ci_hi;' \
	"the summary says which columns are the ends of an interval, and its confidence"

# Facts of the machine.
awk -v head="$head" 'BEGIN { print head; for (s = 0; s < 8; s++) printf "r,2026-11-29T02:00:00.000Z,command,a,%d,wall,ns,%d,ok\n", s, 100 + s }' >one.csv
bench-report -o one.html one.csv
is "$(of one.html '//section[@id="warnings"]/p/text()' | paste -sd' ')" \
	'No problems found in the samples. The machine was not checked: the stream has no facts about it, which bench-env writes.' \
	"a report without facts of the machine does not say that the machine has no problems"

is "$(of one.html '//section[@id="findings"]//p//text()' | paste -sd' ')" \
	'No problems found in the values that could be checked. bench-stat: 1 group has fewer than 10 values, too few to be checked' \
	"a report of few values does not say that they have no problems"

# All subjects failed.
awk -v head="$head" 'BEGIN { print head; for (b = 1; b <= 3; b++) for (s = 0; s < 3; s++) printf "r,,command,b%d,%d,wall,ns,,failed:exit=%d\n", b, s, b }' >failed.csv
bench-report -o failed.html failed.csv
is "$(of failed.html '//section[@id="answer"]/div[1]//li/text()' | paste -sd, )" \
	'b1 is not compared: all 3 runs failed,b2 is not compared: all 3 runs failed,b3 is not compared: all 3 runs failed' \
	"the answer names each subject if all of them failed"

# A plot of verdicts with too many rows.
for side in old new; do
	awk -v head="$head" -v side=$side 'BEGIN {
		print head
		for (b = 0; b < 60; b++)
			for (s = 0; s < 12; s++)
				printf "%s,,command,b%02d,%d,wall,ns,%d,ok\n", side, b, s, (1e6 + 1000 * s * (b < 50 ? 40 : 1)) * (side == "new" && b >= 50 ? 0.5 : 1) + (side == "new" && b < 50 ? 40000 : 0)
	}' >$side.csv
done
bench-report --baseline old.csv -o verdicts.html new.csv
like "$(of verdicts.html 'string(//section[@id="verdicts"]/p)')" '^0 worse, 50 unsure, 10 better, 0 same' "most rows of a comparison are unsure"
is "$(of verdicts.html 'count(//section[@id="verdicts"]//figure//tbody/tr[contains(th, "b5")])')" 10 \
	"in a plot with too many rows, rows without a decision give way to decisions"
is "$(of verdicts.html 'count(//section[@id="verdicts"]//figure//tbody/tr)')" 40 "a plot of verdicts has at most forty rows"

# A phone.
for need in unsanitized chromium chromedriver curl jq; do
	skip_unless $need "a report on a phone" || done_testing
done
awk 'BEGIN {
	print "run,host,bench,device,\"x\"\"y <i>\",sample,metric,unit,value"
	for (b = 0; b < 40; b++)
		for (s = 0; s < 6; s++)
			for (m = 1; m <= 2; m++)
				printf "r,h,bench/%02d/with_a_long_name_of_a_function,AMD EPYC 9654 96-Core Processor %d,v%d,%d,%s,%d\n", b, b % 2, b % 2, s, m == 1 ? "wall,ns" : "user,ns", 1000 * b + s
}' >long.csv
bench-report -o long.html long.csv
ok "a browser for a phone starts" browser_start
emulate 360 800 light
go "file://$T/long.html"
js 'document.querySelectorAll("details").forEach((d) => { d.open = true; });
	const style = document.createElement("style");
	style.textContent = "section { content-visibility: visible !important }";
	document.head.append(style);' >/dev/null
is "$(js 'return document.documentElement.scrollWidth')" 360 "a report is not wider than a small phone"
is "$(js 'return Array.from(document.querySelectorAll(".scroll")).filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.getAttribute("aria-label")).join()')" \
	'' "no table has to be scrolled sideways on a phone, not even a folded one"
is "$(js 'return Array.from(document.querySelectorAll("table.sortable")).flatMap((t) => Array.from(t.tBodies[0].rows[0].cells, (c, i) =>
	getComputedStyle(c, "::before").content === JSON.stringify(t.tHead.rows[0].cells[i].textContent + " "))).every(Boolean)')" true \
	"each value of a table has the name of its column on a phone"
ok "a long table is not longer than the screen of a phone" [ "$(js 'return Math.max(...Array.from(document.querySelectorAll(".scroll"), (e) => e.clientHeight))')" -le 800 ]
[ -z "${BENCH_SHOTS:-}" ] || screenshot "$BENCH_SHOTS/readers-360.png"
is "$(js 'return Array.from(document.querySelectorAll("button, summary, input")).filter((e) => { const r = e.getBoundingClientRect(); return r.width < 24 || r.height < 24; }).map((e) => e.textContent).join()')" \
	'' "each control is at least 24 pixels wide and high"
awk -v head="$head" 'BEGIN {
	print head
	for (s = 0; s < 5; s++)
		printf "r,,command,sleep 0.01,%d,wall,ns,%d,ok\nr,,command,sleep 1,%d,wall,ns,200000000,timeout\n", s, 11e6 + s * 1e5, s
}' >timeouts.csv
bench-report -o timeouts.html timeouts.csv
go "file://$T/timeouts.html"
is "$(js 'const texts = Array.from(document.querySelectorAll(".narrow svg text"), (t) => [t.textContent, t.getBoundingClientRect()]);
	const common = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
	return texts.flatMap(([t, a], i) => texts.slice(i + 1).filter(([, b]) => common(a, b)).map(([u]) => t + " | " + u)).join()')" \
	'' "no texts of a plot of timeouts overlap on a phone"
is "$(js 'return Array.from(document.querySelectorAll(".narrow svg text"), (t) => t.textContent).filter((t) => t.includes("…")).join()')" \
	'' "the caption of a plot is not cut on a phone"
go "file://$T/long.html"
emulate 1280 900 light
is "$(js 'return document.querySelector("#summary-table tbody td:nth-child(2)").getBoundingClientRect().width >= 160')" true \
	"a column of long texts is not narrowed to a word a line"
is "$(js 'const b = document.getElementById("theme"); return b.textContent + b.ariaPressed')" 'dark themefalse' "the button of the theme says what it switches"
click '#theme'
is "$(js 'const b = document.getElementById("theme"); return b.textContent + b.ariaPressed')" 'dark themetrue' \
	"the button of the theme keeps its name and is pressed while the page is dark"
is "$(complaints)" '' "the browser has no complaint about a report with long names"

done_testing
