#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# In every kind of plot, with few and many series, on a wide page and on a narrow one, no text
# covers another, leaves the plot or is too small to read: Chromium measures them all.
# slow
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/browser.sh"

export LC_ALL=C.UTF-8
what="the texts of plots are measured in a browser"
for need in chromium chromedriver jq gnuplot; do
	skip_unless $need "$what" || { done_testing; exit; }
done

# rows KIND N: a stream of N series that the kind draws
rows() {
	awk -v kind="$1" -v N="$2" '
	function name(i) {
		return i % 3 == 1 ? "sort --parallel=" i " --buffer-size=64M numbers.txt" : i % 3 ? "gzip-" i : \
			"MEASURE_THE_WWW(" i ", SOME_MACRO)"
	}
	function put(i, more, metric, unit, value) {
		print "r,\"" name(i) "\"," more "," metric "," unit "," value ",ok"
	}
	function noise() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
	BEGIN {
		seed = 7
		commit = "c0ffee0123456789abcdef0123456789abcdef01"
		if (kind == "compare") {
			print "bench,metric,unit,ratio,ratio_lo,ratio_hi,verdict"
			for (i = 1; i <= N; i++) {
				r = 0.6 + noise()
				print "\"" name(i) "\",wall,ns," r "," r * 0.9 "," r * 1.1 "," (r < 0.9 ? "better" : r > 1.12 ? "worse" : "unsure")
			}
			exit
		}
		if (kind == "trend") {
			print "run,bench,host,commit,time,metric,unit,value,status"
			for (t = 0; t < 40; t++)
				for (i = 1; i <= N; i++)
					for (s = 0; s < 2; s++)
						print "r" t ",\"" name(i) "\",lab," sprintf("%040x", t * 7919 + 4096) ",2026-" \
							sprintf("%02d-%02d", 3 + int(t / 28), 1 + t % 28) "T00:00:00Z,wall,ns," \
							(1e6 * i + (t > 8 + i) * 3e5 * i - (t > 24) * 2e5 * i) * (1 + 0.02 * noise()) ",ok"
			exit
		}
		if (kind == "timeline") {
			print "run,bench,host,commit,sample,t,metric,unit,value,status"
			split("rss cpu_utilisation power read_rate", metric, " ")
			split("B 1 W B/s", unit, " ")
			for (i = 1; i <= N; i++)
				for (t = 0; t < 40; t++)
					for (m = 1; m <= 4; m++)
						print "r,\"" name(i) "\",lab," commit ",0," t * 1e7 "," metric[m] "," unit[m] "," 1e5 * i * (1 + noise()) ",ok"
			exit
		}
		if (kind == "roofline") {
			print "run,bench,host,commit,backend,metric,unit,value,status"
			for (i = 1; i <= N; i++) {
				more = "lab," commit ",b" i % 3
				put(i, more, "flop_rate", "flop/s", 1e9 * i); put(i, more, "arithmetic_intensity", "1", 0.2 * i)
				put(i, more, "peak_flop_rate", "flop/s", 2e10 * (1 + i % 3)); put(i, more, "peak_bandwidth", "B/s", 9e9)
			}
			exit
		}
		print "run,bench,host,commit,n,metric,unit,value,status"
		if (kind == "heat")
			for (i = 1; i <= N; i++) for (k = 1; k <= N; k++)
				put(i, "lab," commit "," k * 1000, "wall", "ns", 1e6 * (i + k))
		else if (kind ~ /^(line|speedup|latency|throughput|memory)$/)
			for (i = 1; i <= N; i++) for (k = 1; k <= 64; k *= 2) for (s = 0; s < 7; s++)
				put(i, "lab," commit "," (kind == "line" ? k * 10000 : k), \
					kind == "throughput" ? "throughput" : kind == "memory" ? "max_rss" : "wall", \
					kind == "throughput" ? "1/s" : kind == "memory" ? "B" : "ns", 1e6 * i * (1 + noise()) * (kind == "speedup" ? 1 / k : k))
		else
			for (i = 1; i <= N; i++) for (k = 1; k <= (kind == "bar" ? 2 : 1); k++) for (s = 0; s < 9; s++)
				put(i, "lab," commit "," k, "wall", "ns", 1e6 * i ^ 2 * (1 + noise()))
	}'
}

# profile N OTHER: a profile of N functions; another number draws another profile
profile() {
	awk -v N="$1" -v seed="$2" '
	function noise() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
	BEGIN {
		print "run,bench,stack,metric,unit,value"
		for (i = 1; i <= N; i++) for (k = 1; k <= 4; k++)
			print "r,\"sort --parallel=8 --buffer-size=64M numbers.txt\",\"main;std::vector<std::pair<int, long>>::sort_" i \
				";inner_" k ";" i "\",samples,1," int(1000 * noise())
	}'
}

# Under sanitizers, the plots are drawn to test the program; their texts are where they were before.
many='1 2 6 20'
[ -z "${SANITIZED:-}" ] || many='1 20'
for kind in bar box strip hist ecdf quantiles heat line speedup compare trend timeline roofline hardware; do
	for n in $many; do
		rows "$kind" "$n" | sed "s/,n,metric/,$(case $kind in speedup) echo threads ;; latency | throughput | memory) echo batch ;; *) echo n ;; esac),metric/" >in.csv
		x=
		[ $kind != hardware ] || x='-x bench'
		[ $kind != heat ] || x='-x bench -g n'
		[ $kind != line ] || x='-x n'
		# shellcheck disable=SC2086
		bench-plot "$kind" $x --size 1232 -o "$kind-$n-wide.svg" in.csv 2>>err
		# shellcheck disable=SC2086
		bench-plot "$kind" $x --size 358 --font-size 12 -o "$kind-$n-narrow.svg" in.csv 2>>err
	done
done
for n in 1 20; do
	profile $n 7 >in.csv
	profile $n 8 >another_version_of_the_program.csv
	for size in 'wide 1232 13' 'narrow 358 12'; do
		# shellcheck disable=SC2086 # words
		set -- $size
		bench-plot flame --size "$2" --font-size "$3" -o "flame-$n-$1.svg" in.csv 2>>err
		bench-plot flame --diff --size "$2" --font-size "$3" -o "flame-diff-$n-$1.svg" \
			another_version_of_the_program.csv in.csv 2>>err
	done
done
is "$(cat err)" '' "bench-plot draws every kind with 1 to 20 series without a message"
skip_unless unsanitized "$what" || { done_testing; exit; }

{
	echo '<!DOCTYPE html><meta charset="utf-8"><style>figure { margin: 0 }</style>'
	for plot in *.svg; do
		case $plot in flame-*) continue ;; esac
		echo "<figure id='${plot%.svg}'>"
		sed -n '/<svg/,$p' "$plot"
		echo '</figure>'
	done
} >page.html
cat >measure.js <<'JS'
const bad = { covers: [], leaves: [], small: [] };
let texts = 0;
const figures = document.documentElement.localName === "svg" ?
	[{ id: document.URL.replace(/.*\/|\.svg$/g, ""), root: document }] :
	Array.from(document.querySelectorAll("figure"), (figure) => ({ id: figure.id, root: figure }));
for (const figure of figures) {
	const svg = figure.root.querySelector("svg").getBoundingClientRect();
	const all = [...figure.root.querySelectorAll("text, .ask > div > *")].map((t) => {
		const r = t.getBoundingClientRect();
		return { is: t.textContent.trim() || t.placeholder, l: r.left + 0.5, r: r.right - 0.5, t: r.top + 2, b: r.bottom - 2,
			size: parseFloat(getComputedStyle(t).fontSize),
			least: figure.id.endsWith("narrow") || t.closest(".f") ? 11 : 12 };
	}).filter((t) => t.is);
	texts += all.length;
	all.forEach((a, i) => {
		if (a.l < svg.left - 0.5 || a.r > svg.right + 0.5 || a.t < svg.top - 0.5 || a.b > svg.bottom + 0.5)
			bad.leaves.push(`${figure.id}: ${a.is}`);
		if (a.size < a.least)
			bad.small.push(`${figure.id}: ${a.is}`);
		for (const b of all.slice(0, i))
			if (a.l < b.r && b.l < a.r && a.t < b.b && b.t < a.b)
				bad.covers.push(`${figure.id}: ${a.is} / ${b.is}`);
	});
}
return JSON.stringify({ texts, ...bad });
JS
if browser_start "{}"; then
	go "file://$T/page.html"
	js "$(cat measure.js)" >each
	for plot in flame-*.svg; do
		go "file://$T/$plot"
		js "$(cat measure.js)" >>each
	done
	jq -s '{ texts: map(.texts) | add, covers: map(.covers) | add, leaves: map(.leaves) | add, small: map(.small) | add }' each >measured
	browser_quit
fi
like "$(jq .texts measured)" '^[1-9][0-9]{3}' "the browser shows more than a thousand texts"
is "$(jq -r '.covers[]' measured | head -40)" '' "no text of a plot covers another"
is "$(jq -r '.leaves[]' measured | head -40)" '' "every text of a plot is inside it"
is "$(jq -r '.small[]' measured | head -40)" '' "every text has 12 pixels, or 11 in a narrow plot and in a frame"
is "$(grep -l -e 'rgb(200, 16, 46)' -e 'rgb(200,16,46)' -e '#c8102e' -- *.svg | grep -v -e '^compare-' -e '^trend-')" '' \
	"red is used only in plots with verdicts"
[ -z "${KEEP:-}" ] || cp ./*.svg page.html measured "$KEEP"
done_testing
