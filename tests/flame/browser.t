#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of a profile in a browser: search, zoom, order and keyboard, at two widths, in both
# themes, and without JavaScript. BENCH_SHOTS=DIR keeps screenshots.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/browser.sh"

export LC_ALL=C.UTF-8
for need in unsanitized chromium chromedriver curl jq; do
	skip_unless $need "a profile in a browser" || done_testing
done
shot() { [ -z "${BENCH_SHOTS:-}" ] || screenshot "$BENCH_SHOTS/flame-$1.png"; }
resize() { act POST /window/rect "{ \"width\": $1, \"height\": 900 }"; }

# rows RUN "STACK VALUE"...: a profile with two metrics, which have the same shares
rows() {
	run=$1
	shift
	for line; do
		echo "$run,prog,prog,${line% *},samples,1,${line##* }"
		echo "$run,prog,prog,${line% *},cpu-clock,ns,${line##* }000000"
	done
}
{
	echo run,bench,comm,stack,metric,unit,value
	rows new 'main;a_parser;strtod 600' 'main;a_parser 100' 'main;write_rows 200' 'main;zip;compress 900' 'main;tiny 2'
} >new.csv
{
	echo run,bench,comm,stack,metric,unit,value
	rows old 'main;a_parser;strtod 100' 'main;a_parser 100' 'main;write_rows 200' 'main;zip;compress 900' 'main;log_it 90'
} >old.csv
bench-report -o one.html new.csv
bench-report --baseline old.csv -o two.html new.csv

ok "a browser starts" browser_start
resize 1280
go "file://$T/one.html"
flame='const svg = document.querySelector("svg.flame"), frames = Array.from(svg.querySelectorAll(".f"));
	const named = (f) => f.querySelector("title").textContent.split(":")[0];
	const frame = (name) => frames.find((f) => named(f) === name);
	const number = (f, what) => Number(f.querySelector("rect").getAttribute(what));
	const field = svg.querySelector("input[type=search]");'
is "$(js 'return document.querySelectorAll("svg.flame").length')" 1 "a page of one profile has one flame graph"
like "$(js 'return document.querySelector("svg.flame .head").textContent')" '^cpu-clock by stack of prog$' "the flame graph of a page shows the event"
like "$(js 'return document.querySelector("#answer").textContent')" 'Most of the profile of prog is in compress \(49.9%\), strtod \(33.3%\)' \
	"the page of a profile opens with the functions in which most of it is"
is "$(js 'return Array.from(document.querySelectorAll("#flame tbody tr"), (r) => r.cells[0].textContent).join()')" \
	compress,strtod,write_rows,a_parser,tiny,main,zip "the page of a profile has a table of functions"
js "$flame"' svg.scrollIntoView(); return 1' >/dev/null
shot wide

# Search
is "$(js "$flame"' return getComputedStyle(field).visibility')" visible "a flame graph has a field for a search"
js "$flame"' svg.focus(); return 1' >/dev/null
press / a _ p
is "$(js "$flame"' return document.activeElement === field && field.value')" a_p "the key / leads to the field for a search"
is "$(js "$flame"' return frames.filter((f) => f.classList.contains("found")).map(named).join()')" a_parser "frames are highlighted while one types"
like "$(js "$flame"' return svg.querySelector(".count").textContent')" '^1 frame, 38.8%$' "a search shows the share of the frames that it found"
type_into 'svg.flame input[type=search]' '|('
is "$(js "$flame"' return svg.querySelector(".count").textContent')" '0 frames, 0.00%' "an incomplete regular expression is searched as a text"
press Escape
is "$(js "$flame"' return [field.value, frames.filter((f) => f.classList.contains("found")).length, document.activeElement === svg].join()')" \
	',0,true' "Escape ends a search"

# Zoom and keyboard
whole=$(js "$flame"' return number(frame("main"), "width")')
press Up Up Up Right Up Enter
is "$(js "$flame"' return named(svg.querySelector(".at")) + number(svg.querySelector(".at"), "width")')" "compress$whole" \
	"the arrow keys and Enter zoom in on a frame"
like "$(js "$flame"' return svg.querySelector("div.about").textContent')" '^compress: 49.9%' "the frame with the focus is described"
click 'svg.flame .reset'
is "$(js "$flame"' return frame("a_parser").style.display')" '' "a button shows the whole plot"
is "$(js "$flame"' return ["a_parser", "write_rows", "zip"].map(frame).sort((a, b) => number(a, "x") - number(b, "x")).map(named).join()')" \
	a_parser,write_rows,zip "frames are in the order of their names"
click 'svg.flame .heavy'
is "$(js "$flame"' return ["a_parser", "write_rows", "zip"].map(frame).sort((a, b) => number(a, "x") - number(b, "x")).map(named).join()')" \
	zip,a_parser,write_rows "frames can be sorted with the largest first"
is "$(js "$flame"' return Math.abs(number(frame("compress"), "x") - number(frame("zip"), "x")) < 0.1')" true "callees stay on their callers when frames are sorted"
click 'svg.flame .down'
is "$(js "$flame"' return number(frame("main"), "y") < number(frame("zip"), "y")')" true "callers can be on top"
js "$flame"' svg.focus(); return 1' >/dev/null
press Up
is "$(js "$flame"' return named(svg.querySelector(".at"))')" zip "the arrow keys follow the plot when callers are on top"
is "$(js "$flame"' return frames.filter((f) => { const t = f.querySelector("text").textContent, n = named(f);
	return t && t !== n && t.length < 5; }).length')" 0 "a name that is cut has at least four letters"
is "$(js "$flame"' return frame("tiny").querySelector("text").textContent')" '' "a frame without room for a name has none"

# Widths and themes
colors() { js "$flame"' return getComputedStyle(svg.querySelector("rect.page")).fill + getComputedStyle(svg.querySelector(".head")).fill + getComputedStyle(svg).filter'; }
is "$(colors)" 'rgb(255, 255, 255)rgb(34, 34, 34)none' "a flame graph is light on a light page"
click '#theme'
is "$(colors)" 'rgb(22, 25, 29)rgb(230, 230, 230)none' "a flame graph is drawn dark on a dark page"
shot dark
go "file://$T/two.html"
for width in 1280 390; do
	resize $width
	is "$(js 'const out = [];
		for (const svg of document.querySelectorAll("svg.flame")) {
			const place = svg.getBoundingClientRect();
			for (const t of svg.querySelectorAll("text, .ask *")) {
				const box = t.getBoundingClientRect();
				if (t.textContent && box.width && (box.right > place.right + 1 || box.left < place.left - 1 || box.bottom > place.bottom + 1))
					out.push(t.textContent);
			}
		}
		return out.join("\n")')" '' "all text of flame graphs is within them on a page of $width pixels"
	is "$(js 'return Array.from(document.querySelectorAll("svg.flame text")).filter((t) => t.textContent &&
		t.getBoundingClientRect().height && t.getBoundingClientRect().height < 11).length')" 0 "text of flame graphs is large enough on a page of $width pixels"
	is "$(js 'return document.documentElement.scrollWidth <= innerWidth')" true "a profile does not make a page of $width pixels wider"
	shot $width
done
resize 1280

# Two profiles
is "$(js 'return Array.from(document.querySelectorAll("svg.flame .head"), (h) => h.textContent).join("; ")')" \
	'samples by stack: new against baseline; cpu-clock by stack of prog' "a page of two profiles has their differences and the new profile"
like "$(js 'return document.querySelector("#answer").textContent')" 'strtod itself went from 7.19% to 33.3% of the profile' \
	"the page of two profiles says which function changed most"
is "$(js 'return Array.from(document.querySelectorAll("#flame details")[0].querySelectorAll("tbody tr"), (r) => r.cells[0].textContent + " " + r.cells[r.cells.length - 1].textContent).slice(0, 2).join()')" \
	'strtod more,compress less' "the table of differences has the significant changes first"
is "$(js 'return document.querySelectorAll("#verdicts").length')" 0 "stacks are not compared one by one"
is "$(complaints)" '' "the browser reports no error of a profile's page"
browser_quit

ok "a browser without JavaScript starts" browser_start '{ "profile.managed_default_content_settings.javascript": 2 }'
resize 390
go "file://$T/two.html"
is "$(js 'return Array.from(document.querySelectorAll("svg.flame")).filter((s) => s.getBoundingClientRect().width === 1200).length')" 2 \
	"flame graphs keep their size on a narrow page without JavaScript"
is "$(js 'return Array.from(document.querySelectorAll("svg.flame .ask")).filter((a) => getComputedStyle(a).visibility !== "hidden").length')" 0 \
	"the controls of flame graphs are hidden without JavaScript"
is "$(js 'return document.querySelectorAll("#flame tbody tr").length > 10')" true "a page of flame graphs has its tables of functions without JavaScript"
shot plain
browser_end
done_testing
