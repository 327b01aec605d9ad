// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the stored medians of two commits, or the newest ones of two hosts.
(function () {
	"use strict";
	const { data, el, value, percent, date, integers, hash, keep, load, label } = window.benchSite;
	const ID = 0, PATH = 1, BENCH = 2, FACTORS = 3, METRIC = 4, UNIT = 5, HOST = 6, LAST = 8, FLOOR = 17, BETTER = 18, ROWS = 200;

	function start(place) {
		const rows = data.index.rows, times = integers(data.places.t), names = data.places.c;
		const hosts = [...new Set(rows.map((r) => r[HOST]))].sort();
		const first = hash(), cache = new Map();
		const what = el("select", { "aria-label": "Compare" }, el("option", { value: "commits" }, "commits"), el("option", { value: "hosts" }, "hosts"));
		const a = el("select", { id: "side-a" }), b = el("select", { id: "side-b" });
		const filter = el("input", { type: "search", "aria-label": "Filter rows by words", placeholder: "filter by words" });
		const beyond = el("input", { type: "checkbox", id: "beyond" });
		const state = el("p", { role: "status" }), output = el("div"), pager = el("nav", { class: "pager", "aria-label": "Pages" });
		let page = Math.max(1, Number(first.get("p")) || 1), pairs = [];

		function options() {
			const list = what.value === "hosts" ? hosts.map((h) => [h, h || "unknown host"]) :
				data.commits.map((id, i) => [id, `${date(times[i])} ${names[i] ? names[i].slice(0, 12) : "run"}`]).reverse();
			for (const side of [a, b])
				side.replaceChildren(...list.map(([v, text]) => el("option", { value: v }, text)));
			a.selectedIndex = Math.min(list.length - 1, 1);
			b.selectedIndex = 0;
		}
		// Calls `then` with a map from series to values.
		function values(id, then) {
			if (cache.has(id))
				return then(cache.get(id));
			load("commit", `data/c-${id}.js`, (read) => {
				const map = new Map();
				if (!read) {
					state.textContent = "The data of a commit could not be read.";
					return;
				}
				read.v.forEach((v, i) => map.set(read.i.slice(i * 8, i * 8 + 8), v));
				cache.set(id, map);
				then(map);
			});
		}
		function judged(r, old, now, floor) {
			const ratio = old > 0 && now >= 0 ? now / old : null;
			let word = old === 0 ? "no ratio to 0" : "no noise floor", look = "faint", far = false;
			if (ratio !== null && floor !== null) {
				far = Math.abs(Math.log(ratio)) > Math.log1p(floor);
				const sign = Math.sign(Math.log(ratio)) * r[BETTER];
				word = !far ? "within the noise floor" : "beyond the noise floor" + (sign > 0 ? ", better" : sign < 0 ? ", worse" : "");
				look = !far ? "same" : sign > 0 ? "better" : sign < 0 ? "worse" : "unsure";
			}
			return { r, old, now, ratio, floor, word, look, far };
		}
		function show() {
			const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
			const list = pairs.filter((p) => (!beyond.checked || p.far) &&
				words.every((w) => [p.r[BENCH], ...p.r[FACTORS], p.r[METRIC], p.r[HOST], p.word].join(" ").toLowerCase().includes(w)));
			const pages = Math.max(1, Math.ceil(list.length / ROWS)), cell = (...c) => el("td", {}, ...c), number = (c) => el("td", { class: "number" }, c);
			page = Math.min(page, pages);
			keep({ m: what.value === "hosts" ? "hosts" : "", a: a.value, b: b.value, q: filter.value.trim(), far: beyond.checked, p: page > 1 ? page : "" });
			state.textContent = `${pairs.length} series have both values; ${pairs.filter((p) => p.far).length} differ beyond their noise floor` +
				(list.length < pairs.length ? `; ${list.length} are shown.` : ".");
			output.replaceChildren(el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Comparison" }, el("table", { id: "compared" },
				el("thead", {}, el("tr", {}, ...["Benchmark", "Metric", ...(what.value === "hosts" ? [] : ["Host"])].map((n) => el("th", { scope: "col" }, n)),
					...["First", "Second", "Difference", "Noise floor"].map((n) => el("th", { scope: "col", class: "number" }, n)), el("th", { scope: "col" }, "Judgment"))),
				el("tbody", {}, ...list.slice((page - 1) * ROWS, page * ROWS).map((p) => el("tr", {},
					cell(el("a", { href: p.r[PATH] }, p.r[BENCH]), " ", el("span", { class: "faint" }, p.r[FACTORS].join(" "))), cell(p.r[METRIC]),
					...(what.value === "hosts" ? [] : [cell(p.r[HOST] || "unknown host")]), number(value(p.old, p.r[UNIT])), number(value(p.now, p.r[UNIT])),
					number(percent(p.ratio)), number(p.floor === null ? "–" : "±" + percent(1 + p.floor).replace("+", "")), cell(el("span", { class: p.look }, p.word))))))));
			label(output.querySelector("table"));
			pager.replaceChildren(...(pages < 2 ? [] : Array.from({ length: pages }, (_, i) => el("button", {
				type: "button", "aria-current": i + 1 === page ? "page" : null, onclick: () => { page = i + 1; show(); } }, String(i + 1)))));
		}
		function sorted(list) {
			// A change to 0 is the largest; a change from 0 has no ratio and comes next.
			const size = (p) => p.ratio === null ? p.old === 0 && p.now !== 0 ? 1e6 : 0 : Math.min(1e9, Math.abs(Math.log(p.ratio)));
			pairs = list.sort((x, y) => size(y) - size(x));
			show();
		}
		function compareHosts() {
			const key = (r) => JSON.stringify([r[BENCH], r[FACTORS], r[METRIC], r[UNIT]]), old = new Map();
			for (const r of rows)
				if (r[HOST] === a.value)
					old.set(key(r), r);
			sorted(rows.filter((r) => r[HOST] === b.value && old.has(key(r))).map((r) => {
				const other = old.get(key(r));
				return judged(r, other[LAST], r[LAST], r[FLOOR] === null || other[FLOOR] === null ? null : Math.max(r[FLOOR], other[FLOOR]));
			}));
		}
		function compare() {
			if (what.value === "hosts")
				return compareHosts();
			const from = a.value, to = b.value;
			values(from, (old) => values(to, (now) => {
				if (a.value === from && b.value === to)
					sorted(rows.filter((r) => old.has(r[ID]) && now.has(r[ID])).map((r) => judged(r, old.get(r[ID]), now.get(r[ID]), r[FLOOR])));
			}));
		}
		const again = (run) => () => { page = 1; run(); };
		what.addEventListener("change", again(() => { options(); compare(); }));
		a.addEventListener("change", again(compare));
		b.addEventListener("change", again(compare));
		filter.addEventListener("input", again(show));
		beyond.addEventListener("change", again(show));
		what.value = first.get("m") === "hosts" ? "hosts" : "commits";
		options();
		for (const [side, name] of [[a, "a"], [b, "b"]])
			if (first.has(name) && [...side.options].some((o) => o.value === first.get(name)))
				side.value = first.get(name);
		filter.value = first.get("q") || "";
		beyond.checked = first.get("far") === "1";
		place.replaceChildren(el("p", { class: "tools" }, what, el("label", {}, "First ", a), el("label", {}, "Second ", b), filter,
			el("label", {}, beyond, " only beyond the noise floor")), state, output, pager);
		compare();
	}
	document.addEventListener("DOMContentLoaded", () => {
		const place = document.getElementById("compare");
		if (place && data.index && data.places && data.commits)
			start(place);
	});
})();
