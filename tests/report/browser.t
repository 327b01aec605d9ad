#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of bench-report in a browser, with and without JavaScript, and that it loads nothing.
# BENCH_SHOTS=DIR keeps screenshots.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/browser.sh"

export LC_ALL=C.UTF-8
for need in unsanitized gnuplot chromium chromedriver curl jq; do
	skip_unless $need "a report in a browser" || done_testing
done

# Two subjects, stacks, facts, and names that would be markup.
odd='<script>window.pwned=1</script></style>]]><img src=x onerror="window.pwned=2">'
{
	echo 'bench,stack,sample,metric,unit,value'
	awk 'BEGIN { for (s = 0; s < 12; s++) for (i = 1; i <= 10; i++)
		print "sort " i ",," s ",wall,ns," i * 1e6 + s * 1e3 }'
	for s in 0 1 2 3 4 5; do echo "huge,,$s,wall,ns,2.5e21"; done
	for s in 0 1 2 3 4 5; do echo "\"$(printf '%s' "$odd" | sed 's/"/""/g')\",,$s,wall,ns,5$s"; done
	printf 'p,main;work;sort,,samples,1,60\np,main;read,,samples,1,40\n'
	printf 'env,fact,value\ne1,cpu_threads,2\ne1,load_1min,9\n'
} >s.csv
bench-report -o s.html s.csv
# The same names in every column but time.
field="\"$(printf '%s' "$odd" | sed 's/"/""/g')\""
{
	echo "run,time,host,env,commit,kind,bench,$field,stack,operation,sample,metric,unit,value"
	f=$field
	t=2026-01-31T12:00:00Z
	for s in 0 1 2 3 4 5; do
		printf '%s,,,%s,%s,%s,1%s\n' "$f,$t,$f,$f,$f,$f,$f,$f" "$s" "$f" "$f" "$s" \
			"$f,$t,$f,$f,$f,$f,$f,$f" "$s" wall "$f" "2$s"
		echo "$f,$t,$f,$f,$f,$f,$f,$f,$f,,$s,$f,$f,3$s"
		echo "$f,$t,$f,$f,$f,$f,$f,$f,,$f,$s,wall,$f,4$s"
	done
	printf 'env,fact,value\n%s,%s,%s\n' "$f" "$f" "$f"
} >odd.csv
bench-report --title "$odd" --baseline odd.csv -o odd.html odd.csv
# Timeouts on one side.
awk 'BEGIN {
	print "bench,sample,metric,unit,value,status"
	for (s = 0; s < 12; s++)
		print "late," s ",wall,ns,60e9,timeout\nslow," s ",wall,ns," 90e9 + s ",ok\nquick," s ",wall,ns," 1e9 + s ",ok"
}' >late.csv
sed 's/60e9,timeout/5e9,ok/' late.csv >early.csv
bench-report --baseline early.csv -o late.html late.csv
mkdir saved

ok "a browser starts" browser_start "{ \"download.default_directory\": \"$T/saved\" }"
go "file://$T/odd.html"
is "$(js 'return document.title')" "$odd" "the browser opens a report of hostile names"
is "$(js 'return Array.from(document.querySelectorAll("section"), (s) => s.id).join()')" \
	answer,warnings,verdicts,plots,flame,operations,summary,findings,machines,data "a report of hostile names has all its sections"
is "$(js 'return typeof window.pwned + document.querySelectorAll("img, [onerror]").length')" undefined0 \
	"hostile names remain text in a browser"
is "$(complaints)" '' "the browser has no complaint about a report of hostile names"
is "$(js 'const b = document.createElement("div"); b.innerHTML = "<b onclick=\"window.pwned = 3\">"; document.body.append(b); b.firstChild.click(); b.remove(); return typeof window.pwned')" \
	undefined "a handler in an attribute does not run on a page"
complaints >/dev/null
go "file://$T/s.html"
is "$(js 'return document.title')" 'Benchmark report' "the browser opens a report"
is "$(complaints)" '' "the browser has no complaint about a report"
is "$(js 'return performance.getEntriesByType("resource").length')" 0 "a report loads nothing"
is "$(js 'return typeof window.pwned')" undefined "the browser runs nothing from the stream"
is "$(js 'return document.querySelectorAll("img, [onerror]").length')" 0 "nothing from the stream becomes markup"
is "$(js 'const ids = Array.from(document.querySelectorAll("[id]"), (e) => e.id);
	return ids.filter((id, i) => ids.indexOf(id) !== i).join()')" '' "every id of a report is unique"
shot() { [ -z "${BENCH_SHOTS:-}" ] || screenshot "$BENCH_SHOTS/$1.png"; }
shot light

# Tables.
column() { js "const table = document.getElementById('summary-table');
	const at = Array.from(table.tHead.rows[0].cells).findIndex((c) => c.textContent === '$1');
	return Array.from(table.tBodies[0].rows).filter((r) => !r.hidden).map((r) => r.cells[at].dataset.value ?? r.cells[at].textContent).join()"; }
head_of() { js "const heads = document.querySelectorAll('#summary-table th');
	for (const head of heads) if (head.textContent === '$1') { head.id = 'head'; head.scrollIntoView(); }
	return true" >/dev/null; }
medians=$(column median)
head_of median
click '#head button'
is "$(column median)" "$(echo "$medians" | tr , '\n' | sort -g | paste -sd ,)" "a click on the name of a column sorts the table"
is "$(js 'return document.getElementById("head").ariaSort')" ascending "a sorted column has its direction"
click '#head button'
is "$(column median)" "$(echo "$medians" | tr , '\n' | sort -gr | paste -sd ,)" "a second click on the name of a column reverses the order"
press Enter
is "$(js 'return document.getElementById("head").ariaSort')" ascending "Enter on the name of a column reverses the order"
js 'document.getElementById("head").id = ""' >/dev/null
head_of bench
click '#head button'
is "$(column bench | tr , '\n' | tail -3 | paste -sd ,)" 'sort 8,sort 9,sort 10' "numbers in names are sorted as numbers"
type_into 'input[data-table=summary-table]' '<IMG x'
is "$(column bench)" "$odd" "words in the filter leave only the rows that contain them"
is "$(js 'return document.querySelector("input[data-table=summary-table] + span").textContent')" '1 of 12' \
	"the filter shows the number of rows"

# Bounds.
go "file://$T/late.html"
head_of median
click '#head button'
is "$(column bench)" quick,late,slow "a bound is sorted as its number"
is "$(js 'const cell = Array.from(document.querySelectorAll("#verdicts-table td")).find((c) => c.textContent === ">1.000 min");
	cell.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
	return cell.title')" '>60000000000' "the tooltip of a bound has its sign and all its digits"
is "$(js 'return Array.from(document.querySelectorAll("#verdicts > p"), (p) => p.textContent).pop()')" \
	'The plot leaves out rows whose ratio is not known: wall of late.' "the page names the row that the plot leaves out"
is "$(complaints)" '' "the browser has no complaint about a report of timeouts"
shot timeouts
go "file://$T/s.html"

# Light and dark.
page() { js 'return getComputedStyle(document.body).backgroundColor'; }
is "$(page)" 'rgb(255, 255, 255)' "the page is light by default"
click '#theme'
is "$(page) $(js 'return document.getElementById("theme").ariaPressed')" 'rgb(22, 25, 29) true' "a button makes the page dark"
shot dark
click '#theme'
is "$(page)" 'rgb(255, 255, 255)' "the button makes the page light again"

# The flame graph.
flame='const svg = document.querySelector("svg.flame"), frames = Array.from(svg.querySelectorAll(".f"));
	const frame = (name) => frames.find((f) => f.querySelector("title").textContent.startsWith(name));
	const width = (name) => Number(frame(name).querySelector("rect").getAttribute("width"));'
js "$flame"' frame("work").id = "work"; svg.scrollIntoView(); return true' >/dev/null
whole=$(js "$flame"' return width("main")')
part=$(js "$flame"' return width("work")')
is "$(js "$flame"' return Math.round(100 * width("work") / width("main"))')" 60 "the width of a frame is its share"
click '#work'
is "$(js "$flame"' return width("work")')" "$whole" "a click on a frame zooms in on it"
is "$(js "$flame"' return frame("read").style.display')" none "a click on a frame hides its siblings"
shot flame
js 'document.querySelector("svg.flame").focus(); return true' >/dev/null
press Escape
is "$(js "$flame"' return width("work") + frame("read").style.display')" "$part" "Escape zooms out"
press Up Up Up
is "$(js "$flame"' return svg.querySelector(".f.at title").textContent.split(":")[0]')" work "the arrow keys move to callees"
press Left
is "$(js "$flame"' return svg.querySelector(".f.at title").textContent.split(":")[0]')" read "the arrow keys move to siblings"
press Enter
is "$(js "$flame"' return width("read")')" "$whole" "Enter zooms in on a frame"
js "$flame"' svg.querySelector(".reset").dispatchEvent(new Event("click")); return true' >/dev/null
is "$(js "$flame"' return width("work")')" "$part" "a click on the link below a flame graph zooms out"
is "$(js "$flame"' svg.search("so"); return Array.from(svg.querySelectorAll(".found title"), (t) => t.textContent.split(":")[0]).join()')" \
	sort "a search finds the frames whose names match"
like "$(js "$flame"' return svg.querySelector(".count").textContent')" '^1 frame, 60' "a search shows the number and the share of frames"

# Downloads.
click 'a[download="samples.csv"]'
wait_for cmp -s saved/samples.csv s.csv
is $? 0 "a click on a link saves the samples"

is "$(complaints)" '' "the browser reports no error"
is "$(js 'return new Promise((done) => {
	document.addEventListener("securitypolicyviolation", (e) => done(e.effectiveDirective));
	fetch("http://127.0.0.1:9/").catch(() => 0); })')" connect-src "the content security policy of a page blocks requests"
browser_quit

# Without JavaScript.
ok "a browser without JavaScript starts" browser_start '{ "profile.managed_default_content_settings.javascript": 2 }'
go "file://$T/s.html"
is "$(js 'return document.body.className')" '' "a browser without JavaScript runs no script of the page"
is "$(js 'return Array.from(document.querySelectorAll("section"), (s) => s.id).join()')" \
	answer,warnings,plots,flame,summary,findings,machines,data "a report shows all its sections without JavaScript"
is "$(js 'return Array.from(document.querySelectorAll("table, figure svg")).filter((e) => !e.closest("details:not([open]), .narrow") && e.getBoundingClientRect().height < 20).length')" \
	0 "tables and plots are shown without JavaScript"
is "$(js 'return Array.from(document.querySelectorAll(".needs-script")).filter((e) => e.getClientRects().length).length')" \
	0 "controls that need JavaScript are hidden without it"
shot plain
browser_end
done_testing
