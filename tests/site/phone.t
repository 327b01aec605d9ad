#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables of a site on a phone. BENCH_SHOTS=DIR keeps screenshots.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/browser.sh"
. "$ROOT/tests/site/store.sh"

export LC_ALL=C.UTF-8
for need in unsanitized chromium chromedriver curl jq; do
	skip_unless $need "a site on a phone" || done_testing
done
device() {
	act POST /goog/cdp/execute '{ "cmd": "Emulation.setDeviceMetricsOverride", "params": { "width": '"$1"', "height": 900, "deviceScaleFactor": 1, "mobile": true } }'
	act POST /goog/cdp/execute '{ "cmd": "Emulation.setEmulatedMedia", "params": { "features": [ { "name": "prefers-color-scheme", "value": "'"$2"'" } ] } }'
}
# shown URL: the width of the page without scripts, and the name before the second cell of its first table
shown() {
	act POST /goog/cdp/execute '{ "cmd": "Emulation.setScriptExecutionDisabled", "params": { "value": true } }'
	go "$1"
	act POST /goog/cdp/execute '{ "cmd": "Emulation.setScriptExecutionDisabled", "params": { "value": false } }'
	js 'return document.documentElement.scrollWidth + " " + getComputedStyle(document.querySelector(".scroll td:nth-child(2)"), "::before").content + " " + document.querySelectorAll("td[data-label]").length'
}
history 0 60 >samples.csv
bench-store -q -D a.db add samples.csv
bench-report -q --site site --since "$(printf '%07x' $((40 * 7919 + 16777216)))" a.db
page=$(cd site && echo b/slower-wall-*.html)
ok "a browser starts" browser_start
device 360 light
go "file://$T/site/index.html"
is "$(js 'return Array.from(document.querySelectorAll("#index tbody tr")).every((r) => / to [^)]+\)/.test(r.innerText))')" true \
	"the index shows the interval of each value on a phone"
is "$(js 'return document.documentElement.scrollWidth')" 360 "the index is not wider than a small phone"
for name in regressions.html compare.html machines.html "$page"; do
	short=${name#b/}
	short=${short%%-*}
	device 390 light
	go "file://$T/site/$name"
	sleep 0.5
	is "$(js 'return Array.from(document.querySelectorAll(".scroll")).filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.getAttribute("aria-label")).join(", ")')" \
		'' "no table of $short has to be scrolled sideways on a phone"
	is "$(js 'return document.documentElement.scrollWidth <= 390')" true "$short is not wider than a phone"
	is "$(js 'return Array.from(document.querySelectorAll(".scroll table")).every((t) => Array.from(t.tBodies[0].rows).every((r) => Array.from(r.cells).every((c, i) => getComputedStyle(c, "::before").content === JSON.stringify(t.tHead.rows[0].cells[i].textContent))))')" \
		true "each cell of $short has the name of its column"
	[ -z "${BENCH_SHOTS:-}" ] || for width in 390 1280; do
		for theme in light dark; do
			device $width $theme
			mkdir -p "$BENCH_SHOTS"
			screenshot "$BENCH_SHOTS/phone-${short%.html}-$width-$theme.png"
			js 'window.scrollTo(0, 700)' >/dev/null
			screenshot "$BENCH_SHOTS/phone-${short%.html}-$width-$theme-lower.png"
		done
	done
done
device 390 light
is "$(shown "file://$T/site/regressions.html")" '390 "Commit" 0' "a table fits a phone without scripts"

done_testing
