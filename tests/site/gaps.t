#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Commits at which all samples of a series failed, in the plot of a page of a site.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/browser.sh"

export LC_ALL=C.UTF-8
# runs FAILED...: two benchmarks at ten commits; all samples of each FAILED, "n/commit", failed
runs() {
	awk -v failed=" $* " 'BEGIN { print "run,time,commit,kind,bench,n,sample,metric,unit,value,status"
		for (c = 0; c < 10; c++) for (n = 1; n <= 2; n++) for (s = 0; s < 3; s++) {
			bad = index(failed, " " n "/" c " ")
			printf "r%d,2026-01-%02dT00:00:00Z,c0ffee%d,command,work,%d,%d,wall,ns,%s,%s\n", c, c + 1, c, n, s,
				bad ? "" : 1000 * n + c * 10 + s, bad ? "failed:exit=1" : "ok" } }'
}
# path CLASS: the data of the paths of a class in the plot
path() { tr '>' '\n' <"$page" | sed -n "s/^<path class=\"$1\" d=\"\([^\"]*\)\".*/\1/p"; }

runs 1/4 2/4 1/6 2/9 >runs.csv
bench-store -q -D a.db add runs.csv
bench-report -q --site site a.db
page=$(echo site/b/work-wall-*.html)
is "$(path 'line s0' | tr -cd 'Mh')" MMhM "the line of a series is interrupted at commits at which all samples failed"
is "$(path 'line s1' | tr -cd 'Mh')" MM "the end of a line is not interrupted"
is "$(path 'gap s0' | grep -o M | wc -l) $(path 'gap s1' | grep -o M | wc -l)" '2 2' "each commit without a value has a cross"
is "$({ path 'gap s0'; path 'gap s1'; } | grep -o 'M464 [0-9]*' | sort -u | wc -l)" 2 \
	"the crosses of two series at one commit do not cover each other"
like "$(cat "$page")" 'Crosses on the axis mark commits at which a series has no value' "the caption explains the crosses"
words() { sed 's/<[^>]*>/ /g' "$1" | tr -s ' \n' ' '; }
like "$(words "$page")" 'All values, newest first Date Commit unknown host n=1 unknown host n=2 2026-01-10 c0ffee9 1\.091 µs no value 2026-01-09' \
	"the table of values has the commits without a value"
like "$(words "$page")" '2026-01-05 c0ffee4 no value no value 2026-01-04' "the table has a commit at which no series has a value"
runs >fine.csv
bench-store -q -D fine.db add fine.csv
bench-report -q --site fine fine.db
unlike "$(cat fine/b/work-wall-*.html)" 'Crosses|class="gap' "a page without failures has no crosses"
sed '1!s/^r/again-/' fine.csv | bench-store -q -D a.db add
bench-report -q --site again a.db
unlike "$(cat again/b/work-wall-*.html)" 'Crosses|class="gap' "a commit with a value from another run is no gap"

for need in unsanitized chromium chromedriver curl jq; do
	skip_unless $need "a plot with gaps in a browser" || done_testing
done
ok "a browser starts" browser_start
wd POST /goog/cdp/execute '{ "cmd": "Emulation.setDeviceMetricsOverride", "params": { "width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false } }' >/dev/null
go "file://$T/$page"
is "$(js 'return Array.from(document.querySelectorAll(".plot .line"), (p) => p.getAttribute("d").replace(/[^Mh]/g, "")).join(" ")')" 'MMhM MM' \
	"the script interrupts the lines of the plot"
is "$(js 'return document.querySelectorAll(".plot .gap").length')" 4 "the script draws the crosses"
js 'return document.querySelector("#values").innerText' >static
click '#all-values'
is "$(js 'return document.querySelector("#values").innerText' | sed 1d)" "$(sed 1d static)" "the script shows commits without a value as the static table does"
wd POST /goog/cdp/execute '{ "cmd": "Emulation.setDeviceMetricsOverride", "params": { "width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": true } }' >/dev/null
is "$(js 'return Array.from(document.querySelectorAll(".scroll")).filter((e) => e.scrollWidth > e.clientWidth).length')" 0 \
	"a series whose newest run failed fits a small phone"
wd POST /goog/cdp/execute '{ "cmd": "Emulation.setDeviceMetricsOverride", "params": { "width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false } }' >/dev/null
[ -z "${BENCH_SHOTS:-}" ] || for width in 390 1280; do
	for theme in light dark; do
		wd POST /goog/cdp/execute '{ "cmd": "Emulation.setDeviceMetricsOverride", "params": { "width": '$width', "height": 900, "deviceScaleFactor": 1, "mobile": false } }' >/dev/null
		wd POST /goog/cdp/execute '{ "cmd": "Emulation.setEmulatedMedia", "params": { "features": [ { "name": "prefers-color-scheme", "value": "'$theme'" } ] } }' >/dev/null
		mkdir -p "$BENCH_SHOTS"
		screenshot "$BENCH_SHOTS/gaps-$width-$theme.png"
	done
done

done_testing
