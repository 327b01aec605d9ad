#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of bench-report on a laptop and on a phone, light and dark, with and without JavaScript:
# nothing is wider than the window, all text can be read, and links, folds, filters, the keyboard and
# plots work. BENCH_SHOTS=DIR keeps screenshots.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/browser.sh"

export LC_ALL=C.UTF-8
for need in unsanitized gnuplot chromium chromedriver curl jq; do
	skip_unless $need "a report on a laptop and on a phone" || done_testing
done

# A history with changes, a comparison of sweeps, and models together with kernels.
awk 'BEGIN {
	print "run,time,host,commit,bench,sample,metric,unit,value"
	for (c = 1; c <= 20; c++)
		for (b = 1; b <= 3; b++)
			for (s = 0; s < 5; s++)
				printf("r%02d,2026-10-%02dT02:00:00Z,box,%09d0123456789abcdef0123456789abcde,bench with a long name %s,%d,wall,ns,%d\n",
					c, c, c, substr("abc", b, 1) "-series", s, (b * 1000 + c % 3 * 10 + s) * (c > 10 && b == 2 ? 1300 : 1000))
}' >history.csv
awk -v scale=1 'BEGIN {
	print "run,bench,n,sample,metric,unit,value"
	for (b = 1; b <= 3; b++)
		for (n = 1000; n <= 8000; n *= 2)
			for (s = 0; s < 10; s++)
				printf("s,sort %d,%d,%d,wall,ns,%d\ns,sort %d,%d,%d,max_rss,B,%d\n", b, n, s, n * b * 100 + s * n, b, n, s, n * 1000 + s * 4096)
}' >sweep.csv
awk -F, -v OFS=, 'NR > 1 && $2 == "sort 1" { $7 = int($7 * 1.3) } { $1 = NR > 1 ? "t" : $1; print }' sweep.csv >slow.csv
awk 'BEGIN {
	print "kind,bench,backend,dtype,batch,sample,metric,unit,value"
	for (s = 0; s < 8; s++) {
		for (batch = 1; batch <= 8; batch *= 2)
			printf("model,net,cpu,float32,%d,%d,wall,ns,%d\nmodel,net,gpu,float16,%d,%d,wall,ns,%d\n", batch, s, batch * 1e7 + s * 1e5, batch, s, batch * 2e6 + s * 1e5)
		printf("kernel,dot,cpu,float32,,%d,wall,ns,%d\nkernel,gemm,cpu,float32,,%d,wall,ns,%d\n", s, 900 + s, s, 8e6 + s * 1e4)
	}
}' >models.csv
printf 'env,fact,value\ne1,host,box\ne1,load_1min,9\ne1,cpu_threads,2\ne1,memory_bytes,8589934592\n' >>history.csv
bench-report --repo-url https://example.org/prog/commit/ -o history.html history.csv
bench-report --baseline sweep.csv -o slow.html slow.csv
bench-report -o models.html models.csv
shot() { [ -z "${BENCH_SHOTS:-}" ] || screenshot "$BENCH_SHOTS/$1.png"; }

# measures: the width of the page beyond the window; the smallest text of the plots that are shown, in pixels; which
# plots are shown; and the colors of the page and of the plots.
measures='const of = (e, name) => getComputedStyle(e)[name];
	const wide = () => Math.max(0, document.documentElement.scrollWidth - innerWidth);
	const shown = () => Array.from(document.querySelectorAll("figure svg")).filter((s) => s.getClientRects().length);
	const smallest = () => Math.floor(10 * Math.min(...shown().flatMap((svg) =>
		Array.from(svg.querySelectorAll("text"), (t) => parseFloat(of(t, "fontSize")) * svg.getScreenCTM().a)))) / 10;
	const kinds = () => [...new Set(shown().map((s) => s.parentNode.className))].join();
	const grounds = () => [of(document.body, "backgroundColor"), ...new Set(shown().map((s) => of(s.querySelector("rect"), "fill") + of(s, "filter")))].join(" ");
	const style = document.createElement("style");
	style.textContent = "section { content-visibility: visible !important }";
	document.head.append(style);'
grounds() { js "$measures return grounds()"; }
# lay_out: all sections, not only those in view
lay_out() { js "$measures return 1" >/dev/null; }

ok "a browser for wide and narrow pages starts" browser_start
for theme in light dark; do
	for width in 1280 390; do
		emulate $width 1000 $theme
		for page in $([ $theme = dark ] && echo slow || echo history slow models); do
			go "file://$T/$page.html"
			js "$measures return ['$page', wide(), smallest(), kinds(), grounds()].join(' ')"
			shot "$page-$width-$theme"
		done >"$width.$theme"
	done
done
is "$(cut -d' ' -f 2 1280.light 390.light 1280.dark 390.dark | sort -u)" 0 "no page is wider than its window"
is "$(awk '$3 < 12' 1280.light 1280.dark)" '' "the text of plots has 12 pixels or more on a laptop"
is "$(awk '$3 < 11' 390.light 390.dark)" '' "the text of plots has 11 pixels or more on a phone"
is "$(cat 1280.light 1280.dark | cut -d' ' -f 4 | sort -u) $(cat 390.light 390.dark | cut -d' ' -f 4 | sort -u)" 'broad narrow' \
	"a phone shows the plots for narrow pages, and a laptop the others"
is "$(cut -d' ' -f 5- 1280.light 390.light | sort -u)" 'rgb(255, 255, 255) rgb(255, 255, 255)none' "light plots have the color of the page"
is "$(cut -d' ' -f 5- 1280.dark 390.dark | sort -u)" 'rgb(22, 25, 29) rgb(22, 25, 29)none' "dark plots are drawn dark, not inverted"
is "$(complaints)" '' "the browser has no complaint about the pages"

# A phone: the answer, tables as lists, links.
emulate 390 1000 light
go "file://$T/history.html"
lay_out
like "$(js 'return document.querySelector("#answer li").textContent')" '^[+]30[.]0% wall of bench with a long name b-series, since 2026-10-11, commit 000000011: ' \
	"the answer is on a phone"
is "$(js 'return document.querySelector("#answer li a").href')" https://example.org/prog/commit/0000000110123456789abcdef0123456789abcde "a commit is a link"
is "$(js 'return document.querySelector("#answer li a").relList.value + document.querySelector("#answer li a").title.length')" noreferrer40 \
	"the link of a commit sends no referrer, and its tooltip has all digits"
is "$(js 'const row = document.querySelector("#trend-table tbody tr"); return getComputedStyle(row).display + getComputedStyle(row.cells[0], "::before").content')" 'grid"change "' \
	"on a phone, a row of a table is a list of names and values"

# Folds and filters by keyboard.
js 'document.querySelector("#summary details, details.numbers").id = "fold"; document.querySelector("#fold summary").focus(); return 1' >/dev/null
press Enter
is "$(js 'return document.getElementById("fold").open')" true "Enter opens a folded part of a report"
emulate 1280 1000 light
type_into 'input[data-table=summary-table]' 'name c-series'
is "$(js 'return Array.from(document.querySelectorAll("#summary-table tbody tr")).filter((r) => !r.hidden).length')" 1 "a filter leaves the rows with its words"
is "$(js 'return Array.from(document.querySelectorAll("#machines-table td"), (c) => c.textContent).filter((t) => t.includes("GiB")).join()')" '8.000 GiB' \
	"sizes of a machine have prefixes"
is "$(js 'return document.querySelector("#machines-table th:nth-child(2)").textContent + document.querySelector("#warnings tbody td:nth-child(2)").textContent')" \
	'box (e1)box' "a machine has the name of its host"

# A plot: the pointer, the keyboard, and the names of series.
go "file://$T/slow.html"
lay_out
picture='const figure = Array.from(document.querySelectorAll("figure")).find((f) => f.textContent.includes("wall by n_") || f.querySelector("figcaption").textContent.startsWith("wall by n"));
	const view = figure.querySelector(".broad"), svg = view.querySelector("svg"), tip = view.querySelector(".tip");
	const cell = (row, column) => figure.querySelector(".numbers table").tBodies[0].rows[row].cells[column].textContent;'
at=$(js "$picture"' view.scrollIntoView({ block: "center" });
	const [x, y] = view.dataset.marks.split(";")[1].split(":")[1].split(" ")[2].split(",").slice(1).map(Number), m = svg.getScreenCTM();
	return Math.round(x * m.a + m.e + 3) + " " + Math.round(y * m.d + m.f - 3)')
is "$(js "$picture"' return tip.hidden')" true "a plot shows no number without a pointer"
# shellcheck disable=SC2086 # two words
point $at
is "$(js "$picture"' return tip.hidden + tip.textContent')" "$(js "$picture"' return "false" + cell(2, 0) + ", sort 2" + cell(2, 2)')" \
	"the pointer shows the value of the next mark"
like "$(js "$picture"' return tip.textContent')" '^4000, sort 2[0-9.]+ µs [0-9.]+ µs to [0-9.]+ µs$' "the number at the pointer has its interval"
shot hover
point 5 5
is "$(js "$picture"' return tip.hidden')" true "the number goes away with the pointer"
js "$picture"' view.focus(); return 1' >/dev/null
press Right Right
is "$(js "$picture"' return tip.textContent')" "$(js "$picture"' return cell(1, 0) + ", sort 1" + cell(1, 1)')" "the arrow keys show the numbers of a series"
press Down
is "$(js "$picture"' return tip.textContent')" "$(js "$picture"' return cell(1, 0) + ", sort 2" + cell(1, 2)')" "the arrow keys lead to the other series"
press Escape
is "$(js "$picture"' return tip.hidden')" true "Escape hides the number"
js "$picture"' figure.querySelectorAll(".legend button")[1].id = "second"; return 1' >/dev/null
drawn() { js "$picture"' return Array.from(svg.querySelectorAll("g[id*=gnuplot_plot_]")).filter((g) => g.getClientRects().length && g.getBoundingClientRect().width > 0).length'; }
all=$(drawn)
click '#second'
is "$(js 'return document.getElementById("second").ariaPressed')" false "a click on the name of a series is shown"
ok "a click on the name of a series hides its marks" [ "$(drawn)" -lt "$all" ]
js "$picture"' view.focus(); return 1' >/dev/null
press Right Down
like "$(js "$picture"' return tip.textContent')" ', sort 3' "the arrow keys pass over a hidden series"
js 'document.getElementById("second").focus(); return 1' >/dev/null
press Enter
is "$(drawn)" "$all" "Enter on the name of a series shows it again"
is "$(js "$picture"' return figure.querySelectorAll(".numbers tbody tr").length + " " + figure.querySelectorAll(".numbers thead th").length')" '4 4' \
	"a table below a plot has its numbers"
is "$(js 'return Array.from(document.querySelectorAll("figure")).filter((f) => !f.querySelector(".numbers td")).length')" 0 "each plot has a table"
is "$(complaints)" '' "the browser has no complaint about the plots"

# The theme of the page and the printer.
go "file://$T/history.html"
click '#theme'
is "$(grounds)" 'rgb(22, 25, 29) rgb(22, 25, 29)none' "the button for the theme changes the plots"
emulate 1280 1000 dark print
is "$(grounds)" 'rgb(255, 255, 255) rgb(255, 255, 255)none' "a printed page is light"
is "$(js 'return Array.from(document.querySelectorAll("nav, .tools, .legend, details:not([open])")).filter((e) => e.getClientRects().length).length')" 0 \
	"a printed page has no controls and no closed folds"
browser_quit

# Without JavaScript.
ok "a browser without JavaScript starts for wide and narrow pages" browser_start '{ "profile.managed_default_content_settings.javascript": 2 }'
for width in 1280 390; do
	emulate $width 1000 dark
	go "file://$T/history.html"
	lay_out
	is "$(js "$measures return wide()")" 0 "a page without JavaScript is not wider than $width pixels"
	like "$(js 'return document.querySelector("#answer").innerText')" '1 of 3 series got worse' "a page of $width pixels has the answer without JavaScript"
	is "$(grounds)" 'rgb(22, 25, 29) rgb(22, 25, 29)none' "a page of $width pixels is dark without JavaScript"
	click '.numbers summary'
	is "$(js 'return document.querySelector(".numbers").open + " " + (document.querySelector(".numbers td").getClientRects().length > 0)')" 'true true' \
		"the numbers of a plot can be read without JavaScript at $width pixels"
	shot "plain-$width"
done
is "$(js 'return document.querySelectorAll(".legend, .tip").length')" 0 "a page without JavaScript has no names to click"
browser_end
done_testing
