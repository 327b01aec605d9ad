#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A site in a browser, from files: plots, filters, the comparison, keyboard, both themes, two widths,
# and without JavaScript. BENCH_SHOTS=DIR keeps screenshots.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/browser.sh"
. "$ROOT/tests/site/store.sh"

export LC_ALL=C.UTF-8
for need in unsanitized chromium chromedriver curl jq; do
	skip_unless $need "a site in a browser" || done_testing
done
# open PAGE: opens a page of a site; only a new document reads the state of its address
open() {
	[ "${1%%#*}" != "${at:-}" ] || go about:blank
	at=${1%%#*}
	go "file://$T/$1"
}
shot() { [ -z "${BENCH_SHOTS:-}" ] || { mkdir -p "$BENCH_SHOTS" && screenshot "$BENCH_SHOTS/$1.png"; }; }
# pointer TYPE X Y [DELTA]: moves the mouse to a part of the plot, 0 to 1 in both directions, and clicks
# it, drags it by DELTA pixels, or turns the wheel by DELTA
pointer() {
	box=$(js 'const b = document.querySelector(".plot svg").getBoundingClientRect(); return [b.left, b.top, b.width, b.height].join(" ")')
	# shellcheck disable=SC2086
	# shellcheck disable=SC2046
	set -- "$1" $(echo "$box $2 $3" | awk '{ printf "%d %d", $1 + $3 * $5, $2 + $4 * $6 }') "${4:-0}"
	move='{ "type": "pointerMove", "x": '$2', "y": '$3' }'
	case $1 in
	hover) list=$move ;;
	click) list="$move"', { "type": "pointerDown", "button": 0 }, { "type": "pointerUp", "button": 0 }' ;;
	drag) list="$move"', { "type": "pointerDown", "button": 0 }, { "type": "pointerMove", "duration": 50, "x": '$(($2 + $4))', "y": '$3' }, { "type": "pointerUp", "button": 0 }' ;;
	wheel)
		act POST /actions '{ "actions": [ { "type": "wheel", "id": "wheel", "actions": [ { "type": "scroll", "x": '"$2"', "y": '"$3"', "deltaX": 0, "deltaY": '"$4"' } ] } ] }'
		return
		;;
	esac
	act POST /actions '{ "actions": [ { "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": [ '"$list"' ] } ] }'
}
device() {
	act POST /goog/cdp/execute '{ "cmd": "Emulation.setDeviceMetricsOverride", "params": { "width": '"$1"', "height": 900, "deviceScaleFactor": 1, "mobile": '"$2"' } }'
	act POST /goog/cdp/execute '{ "cmd": "Emulation.setEmulatedMedia", "params": { "features": [ { "name": "prefers-color-scheme", "value": "'"$3"'" } ] } }'
}
hash_of() { js 'return decodeURIComponent(location.hash)'; }
visible() { js 'return Array.from(document.querySelectorAll(".tip-box, .details")).filter((e) => !e.hidden).map((e) => e.textContent).join(" | ")'; }

history 0 60 >samples.csv
bench-store -q -D a.db add samples.csv
bench-store -q -D a.db tag v1.0 --commit "$(printf '%07x' $((40 * 7919 + 16777216)))"
bench-report -q --site site --since v1.0 --repo-url https://example.org/commit/ a.db
# 450 series, which take three pages of the index.
awk 'BEGIN { print "run,time,commit,bench,sample,metric,unit,value"
	for (c = 0; c < 2; c++) for (b = 0; b < 450; b++)
		printf "r%d,2026-01-0%dT00:00:00Z,c0ffee%d,bench-%03d,0,wall,ns,%d\n", c, c + 1, c, b, 1000 + b * (c + 1) }' >many.csv
bench-store -q -D many.db add many.csv
bench-report -q --site many many.db
slower=$(cd site && echo b/slower-wall-*.html)

ok "a browser starts" browser_start
device 1280 false light
open site/index.html
is "$(js 'return document.querySelectorAll("#index tbody tr").length')" 12 "the index shows all series in a browser"
is "$(complaints)" '' "the browser has no complaint about the index"
shot index-1280-light
type_into '.tools input' 'slower host1'
is "$(js 'return document.querySelectorAll("#index tbody tr").length') $(js 'return document.querySelector(".tools [role=status]").textContent')" \
	'2 2 of 12 series' "the filter of the index shows the series with all words"
is "$(hash_of)" '#q=slower+host1' "the address keeps the filter of the index"
open 'site/index.html#q=n%3D10&sort=better'
is "$(js 'return document.querySelector("#index tbody tr").textContent.startsWith("faster n=10") + " " + document.querySelectorAll("#index tbody tr").length')" \
	'true 12' "the address restores the filter and the order of the index"
open many/index.html
is "$(js 'return document.querySelectorAll("#index tbody tr").length + " " + document.querySelectorAll(".pager a").length')" '200 3' \
	"an index of 450 series has three pages"
click '.pager a[href="index-3.html"]'
is "$(js 'return document.querySelectorAll("#index tbody tr").length + document.querySelector("#index tbody a").textContent')" '50bench-400' \
	"the third page of an index has the last series"
open 'many/index.html#q=wall'
click '.pager button:nth-child(2)'
is "$(js 'return document.querySelector("#index tbody a").textContent') $(hash_of)" 'bench-200 #q=wall&p=2' "the result of a filter has pages"

# --- the plot of a benchmark

open "site/$slower"
is "$(js 'return document.querySelectorAll(".plot .line").length + " " + document.querySelectorAll(".plot .mark.worse").length')" '4 4' \
	"the plot has all series and their change points"
is "$(complaints)" '' "the browser has no complaint about the page of a benchmark"
shot page-1280-light
pointer hover 0.3 0.9
like "$(visible)" '^20\.[0-9]* ms \(.* to .*\)host0 n=102026-01-[0-9]* [0-9a-f]{9}$' "pointing at the plot shows the value, its interval, the date and the commit"
pointer click 0.3 0.9
like "$(visible)" 'host0 n=10, 6 samples.*Commit [0-9a-f]{9}, run run-1[0-9]-0 of 2026-01-1.*environment env0bench-store export --where' \
	"a click shows the commit, the run and the command that exports it"
is "$(js 'return document.querySelector(".details code").textContent' | BENCH_DB=a.db sh | wc -l)" 37 "the command of a value exports its run"
like "$(js 'return document.querySelector(".details a").href')" '^https://example.org/commit/[0-9a-f]{40}$' "the commit of a value is a link"
like "$(hash_of)" '^#p=[0-9a-z]{8}\.[0-9]+$' "the address keeps the value that was clicked"
press Escape
is "$(visible) $(hash_of)" ' ' "Escape hides the value"
pointer wheel 0.5 0.5 -120
like "$(hash_of)" '^#z=[0-9.]+~[0-9.]+$' "the wheel zooms a plot that has the focus"
range() { hash_of | sed -n 's/.*z=\([0-9.]*\)~\([0-9.]*\).*/\1 \2/p'; }
before=$(range)
pointer drag 0.5 0.5 -200
is "$(echo "$before $(range)" | awk '{ print ($3 > $1 + 1 && $4 > $2 + 1 && $4 - $3 < $2 - $1 + 0.3) }')" 1 "dragging moves the range of a plot"
press 0
is "$(hash_of)" '' "the key 0 shows everything"
press + +
is "$(range)" '22.1 36.9' "the key + zooms to the middle"
press Escape - - Right Right Left Enter
like "$(hash_of)" '\.58$' "the arrow keys move from value to value, and Enter keeps one"
press Down
like "$(visible)" 'host1 n=10' "the arrow keys move between series"
press Escape
click '.legend input:not(:checked), .legend label:nth-child(1) input'
click '.legend label:nth-child(3) input'
is "$(js 'return document.querySelectorAll(".plot .line").length')" 2 "the legend hides series"
kept=$(hash_of)
like "$kept" '^#s=[0-9a-z]{8},[0-9a-z]{8}$' "the address keeps the series shown"
open "site/$slower$kept"
is "$(js 'return Array.from(document.querySelectorAll(".legend input"), (b) => Number(b.checked)).join("")')" 0101 "the address restores the series shown"
open "site/$slower#x=time&y=log"
is "$(js 'return Array.from(document.querySelectorAll(".tools select"), (s) => s.value).join() + " " + Array.from(document.querySelectorAll(".plot .end"), (t) => t.textContent).slice(0, 5).join()')" 'time,log 20.00 ms,50.00 ms,100.0 ms,200.0 ms,2026-03-04' \
	"the address restores the axes"
sed -n 's/^[^,]*,[^,]*,[^,]*,[^,]*,\([0-9a-f]*\),.*/\1/p' samples.csv | uniq | tac | awk '!seen[$0]++' >order
bench-report -q --site ordered --order order a.db
open "ordered/$slower"
is "$(js 'return Array.from(document.querySelectorAll(".plot .start"), (t) => t.textContent).join()')" "$(head -n 1 order | cut -c1-9)" \
	"the axis of commits in the order of a file has their names"
open "ordered/$slower#x=time"
like "$(js 'return Array.from(document.querySelectorAll(".plot .start"), (t) => t.textContent).join()')" '^2026-01' "an axis of times has dates regardless of the order of the commits"
open "site/$slower#x=time&y=log"
click '#all-values'
is "$(js 'return document.querySelectorAll("#values tbody tr").length + " " + document.querySelectorAll("#values thead th").length')" '60 6' \
	"the table shows all values on request"
open "site/$slower#s=$(sed -n 's/.*data-series="\([^"]*\)".*/\1/p' "site/$slower" | head -n 1)"
is "$(js 'return document.querySelectorAll(".plot .band").length')" 2 "the plot of one series has the noise floor about each level"

# --- a profile

{
	profile p1 aaaaaaaaaaaa 1 100
	profile p2 bbbbbbbbbbbb 2 400
	printf 'run,time,host,env,commit,kind,bench,sample,metric,unit,value\nw,2026-01-03T00:00:00Z,host0,env0,bbbbbbbbbbbb,command,work,0,wall,ns,1\n'
} | bench-store -q -D p.db add
bench-report -q --site profiles p.db
open "$(echo profiles/b/profile-*.html)"
is "$(js 'return Array.from(document.querySelectorAll("object"), (o) => o.offsetHeight > 100).join()')" true,true "the page of a profile shows two flame graphs"
is "$(complaints)" '' "the browser has no complaint about the page of a profile"
shot profile-1280-light
click 'figure.profile a'
is "$(js 'return Array.from(document.querySelectorAll(".f title"), (t) => t.textContent.split(":")[0]).join() + " " + document.querySelectorAll("input[type=checkbox]").length')" 'all,main,hot<b>&"x,parse,write /home/anna/file 2' \
	"the page of a profile leads to a flame graph that can be used"
open profiles/index.html
is "$(js 'return document.querySelectorAll("#index tbody a[href^=\"b/profile-\"]").length')" 1 "the index leads to the profile of a benchmark"

# --- the comparison

open site/compare.html
js 'const a = document.getElementById("side-a"); a.selectedIndex = 35; a.dispatchEvent(new Event("change"))' >/dev/null
wait_for sh -c : # the data of a commit are loaded asynchronously
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ "$(js 'return document.querySelectorAll("#compared tbody tr").length')" != 12 ] || break
	sleep 0.1
done
like "$(js 'return document.querySelector("#compare [role=status]").textContent')" '^12 series have both values; 6 differ beyond their noise floor' \
	"two commits are compared"
like "$(js 'return document.querySelector("#compared tbody tr").textContent')" '^faster n=10wallhost[01].*−(29|30)\.[0-9].*beyond the noise floor, better$' \
	"the largest difference comes first, with its noise floor"
click '#beyond'
is "$(js 'return document.querySelectorAll("#compared tbody tr").length')" 6 "the comparison shows only differences beyond the noise floor on request"
kept=$(hash_of)
open "site/compare.html$kept"
wait_for sh -c :
is "$(js 'return document.getElementById("side-a").selectedIndex')" 35 "the address restores the comparison"
open 'site/compare.html#m=hosts&a=host0&b=host1'
like "$(js 'return document.querySelector("#compared tbody tr").textContent')" '\+(49|50)\.[0-9]' "the address of a comparison can name two hosts"
is "$(complaints)" '' "the browser has no complaint about the comparison"
shot compare-1280-light
open site/regressions.html
type_into '.tools input' 'host1'
is "$(js 'return Array.from(document.querySelectorAll("#list tbody tr")).filter((r) => !r.hidden).length')" 2 "the list of regressions can be filtered"

# --- narrow and dark

contrast='
	const color = (text) => (text.match(/[\d.]+/g) || []).map(Number);
	const light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((s, c, i) => s + c * [0.2126, 0.7152, 0.0722][i], 0);
	function ground(e) { for (; e; e = e.parentElement) { const c = color(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; }
	const bad = [];
	for (const e of document.querySelectorAll("main *, header *")) {
		const svg = e instanceof SVGElement, style = getComputedStyle(e);
		if (svg ? e.tagName !== "text" && !e.classList.contains("line") : !Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.data.trim()) || !e.offsetParent) continue;
		const ink = color(svg ? e.tagName === "text" ? style.fill : style.stroke : style.color), [a, b] = [light(ink), light(ground(svg ? e.closest("div, figure, td") : e))].sort((x, y) => y - x);
		if ((a + 0.05) / (b + 0.05) < (svg && e.tagName !== "text" ? 3 : 4.5)) bad.push(e.tagName + "." + e.getAttribute("class") + " " + style.color);
	}
	return bad.join("; ");'
# fits WIDTH THEME PAGE...: pages that are wider than the window, have too little contrast or complaints
fits() {
	mobile=false
	[ "$1" != 390 ] || mobile=true
	device "$1" $mobile "$2"
	for page in "$@"; do
		[ -e "site/$page" ] || continue
		go "file://$T/site/$page"
		[ "$(js 'return document.documentElement.scrollWidth')" = "$1" ] || echo "$page is wide"
		js "$contrast"
		complaints
	done | grep .
	shot "fits-$1-$2"
}
is "$(fits 1280 light index.html compare.html "$slower")" '' "pages fit and have contrast: 1280 pixels, light"
is "$(fits 1280 dark index.html "$slower")" '' "pages fit and have contrast: 1280 pixels, dark"
is "$(fits 390 light index.html "$slower")" '' "pages fit and have contrast: 390 pixels, light"
is "$(fits 390 dark regressions.html machines.html compare.html index.html "$slower")" '' "pages fit and have contrast: 390 pixels, dark"
open "site/$slower"
is "$(js 'const wide = document.querySelector(".plot svg").getBoundingClientRect().right; return wide <= 390 && Array.from(document.querySelectorAll(".plot text")).every((t) => parseFloat(getComputedStyle(t).fontSize) >= 11)')" true \
	"the plot fits a narrow page, with legible text"
js 'document.querySelector(".plot").focus()' >/dev/null
press Left
like "$(visible)" 'host0 n=10' "the arrow keys show values on a narrow page"
open site/index.html
is "$(js 'const seen = Array.from(document.querySelectorAll("#index tbody td:last-child"), (c) => c.getBoundingClientRect()); return seen.length + " " + seen.every((c) => c.width > 50 && c.right <= 390)')" '12 true' \
	"a narrow index shows the verdict of each series"
shot index-390
device 1280 false light
open "site/$slower"
i=0
while [ $i -lt 30 ] && [ "$(js 'return document.activeElement.className')" != plot ]; do
	press Tab
	i=$((i + 1))
done
ok "the plot is reached by the key Tab" [ $i -lt 30 ]

# --- without JavaScript

act POST /goog/cdp/execute '{ "cmd": "Emulation.setScriptExecutionDisabled", "params": { "value": true } }'
open "site/$slower"
act POST /goog/cdp/execute '{ "cmd": "Emulation.setScriptExecutionDisabled", "params": { "value": false } }'
is "$(js 'return document.querySelectorAll("figure .line").length + " " + document.querySelectorAll("#values tbody tr").length + " " + document.querySelectorAll("#changes tbody tr").length')" \
	'4 60 4' "a page without JavaScript has its plot, its changes and its values"
is "$(js 'return document.querySelectorAll("button, input, select").length')" 0 "a page without JavaScript has no controls that do nothing"
shot page-without-script
browser_quit
done_testing
