// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by all pages of a site: data files call benchData(name, value); the index and the lists
// filter, sort and turn pages. Without scripts the pages have all tables and plots.
(function () {
	"use strict";
	const data = {}, waiting = {};

	window.benchData = function (name, value) {
		data[name] = value;
		if (waiting[name])
			waiting[name](value);
	};
	// Creates an element; a text in children becomes a text node, never markup.
	function el(tag, attributes, ...children) {
		const out = document.createElement(tag);
		for (const [name, value] of Object.entries(attributes || {}))
			if (name.startsWith("on"))
				out.addEventListener(name.slice(2), value);
			else if (value !== false && value !== null)
				out.setAttribute(name, value === true ? "" : value);
		out.append(...children);
		return out;
	}
	// Decodes {a: first, d: difference, n: count} or an array of differences.
	function integers(packed) {
		if (!Array.isArray(packed))
			return Array.from({ length: packed.n }, (_, i) => packed.a + i * packed.d);
		let sum = 0;
		return packed.map((d) => sum += d);
	}
	const scales = {
		ns: [[60e9, "min"], [1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]],
		B: [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [1024, "KiB"], [1, "B"]],
	};
	const prefixes = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];
	// Rounds as printf() does: a tie goes to the even digit.
	function fixed(x, digits) {
		const size = Math.abs(x) * 10 ** digits, low = Math.floor(size);
		const tie = size - low === 0.5 && Number.isInteger(x * 2 ** (digits + 1));
		return (tie && low % 2 === 0 ? Math.sign(x) * low / 10 ** digits : x).toFixed(digits);
	}
	// Formats as printf("%.4g") does.
	function general(x) {
		const [digits, power] = x.toExponential(3).split("e"), e = Number(power);
		const short = (t) => t.includes(".") ? t.replace(/\.?0+$/, "") : t;
		return e < -4 || e > 3 ? `${short(digits)}e${power[0]}${power.slice(1).padStart(2, "0")}` : short(fixed(x, 3 - e));
	}
	function scaled(x, list, unit) {
		const [size, name] = list.find((s) => Math.abs(x) >= s[0]) || list[list.length - 1], shown = x / size, far = Math.abs(shown);
		const digits = size === 1 && x === Math.floor(x) || far >= 1000 ? 0 : far >= 100 ? 1 : far >= 10 ? 2 : 3;
		return `${far >= 1e15 ? general(shown) : fixed(shown, digits)} ${name}${unit}`;
	}
	// Formats a number with its unit as the static tables do, which units_print() writes.
	function value(x, unit) {
		if (x === null || !isFinite(x))
			return "–";
		if (scales[unit])
			return scaled(x, scales[unit], "");
		if (unit.startsWith("1/"))
			return Math.abs(x) < 1 ? `${general(x)} ${unit.slice(1)}` : scaled(x, prefixes, unit.slice(1));
		if (unit && unit !== "1" && unit !== "%")
			return x === 0 ? `0 ${unit}` : scaled(x, prefixes, unit);
		if (Math.abs(x) < 1e6 && x === Math.floor(x))
			return x.toFixed(0) + (unit === "%" ? "%" : "");
		return Math.abs(x) >= 1e4 && unit !== "%" ? scaled(x, prefixes, "") : general(x) + (unit === "%" ? "%" : "");
	}
	function percent(ratio) {
		if (ratio === null || !isFinite(ratio))
			return "–";
		const p = (ratio - 1) * 100;
		const shown = fixed(Math.abs(p), Math.abs(p) < 100 ? 1 : 0);
		return (shown === "0.0" ? "" : p < 0 ? "−" : "+") + shown + "%";
	}
	const signs = { better: "✓ ", worse: "✗ ", differs: "≠ ", same: "= " };
	function verdict(name, drift) {
		return el("span", { class: name === "differs" ? "unsure" : name === "too short" ? "faint" : name },
			(signs[name] || "") + name + (drift ? " (drift)" : ""));
	}
	function date(seconds) {
		return new Date(seconds * 1000).toISOString().slice(0, 10);
	}
	// The abbreviated commit, with a link if the site knows the repository.
	function commitName(name) {
		const hex = /^([0-9a-f]{18,})(.*)$/.exec(name);
		return hex ? hex[1].slice(0, 9) + hex[2] : name;
	}
	function commit(name) {
		const url = data.places.url, known = encodeURIComponent(name.replace(/-dirty$/, ""));
		const attributes = { class: "commit", title: name }, text = commitName(name);
		return url ? el("a", { ...attributes, rel: "noreferrer", href: url.includes("%s") ? url.replaceAll("%s", known) : url + known }, text) :
			el("span", attributes, text);
	}
	// The state of the view is kept in the address.
	function hash() {
		return new URLSearchParams(location.hash.slice(1));
	}
	function keep(state) {
		const out = new URLSearchParams();
		for (const [name, v] of Object.entries(state))
			if (v !== "" && v !== null && v !== false && v !== undefined)
				out.set(name, v === true ? "1" : v);
		const text = out.toString().replace(/%2C/g, ",");
		history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
	}
	const svgName = "http://www.w3.org/2000/svg";
	function svg(tag, attributes, ...children) {
		const out = document.createElementNS(svgName, tag);
		for (const [name, v] of Object.entries(attributes || {}))
			out.setAttribute(name, v);
		out.append(...children);
		return out;
	}
	function spark(levels) {
		const at = Array.from(levels, (c) => parseInt(c, 36)), n = at.length;
		const d = at.map((v, i) => `${n > 1 ? 2 + Math.floor(i * 116 / (n - 1)) : 60} ${25 - Math.floor(v * 22 / 35)}`).join(" ");
		return svg("svg", { class: "spark", viewBox: "0 0 120 28", "aria-hidden": "true" }, svg("path", { d: "M" + d + (n === 1 ? "h1" : "") }));
	}
	// Loads a data file, once.
	function load(name, path, then) {
		waiting[name] = then;
		const script = el("script", { src: path });
		script.addEventListener("load", () => script.remove());
		script.addEventListener("error", () => then(null));
		document.body.append(script);
	}
	// Names the column of each cell of a table that a script made, for narrow screens, on which the rows of a table are lists.
	function label(table) {
		const names = Array.from(table.tHead.rows[0].cells, (c) => c.textContent);
		for (const r of table.tBodies[0].rows)
			Array.from(r.cells).forEach((c, i) => { c.dataset.label = names[i]; });
		table.classList.add("stack");
	}
	window.benchSite = { data, el, svg, integers, value, percent, verdict, date, commit, commitName, hash, keep, load, label };

	// The columns of a row of data/index.js.
	const PATH = 1, BENCH = 2, FACTORS = 3, METRIC = 4, UNIT = 5, HOST = 6, SPARK = 7, LAST = 8,
		LO = 9, HI = 10, SINCE = 11, RATIO = 12, DATE = 13, VERDICT = 14, DRIFT = 15, FAILED = 16, BETTER = 18, PROFILE = 19;
	const ROWS = 200;
	function row(r, since) {
		const cell = (...content) => el("td", {}, ...content), number = (...content) => el("td", { class: "number" }, ...content);
		const interval = r[LO] !== null && r[HI] !== null ?
			el("span", { class: "faint" }, ` (${value(r[LO], r[UNIT])} to ${value(r[HI], r[UNIT])})`) : "";
		return el("tr", {}, cell(el("a", { href: r[PATH] }, r[BENCH]), " ", el("span", { class: "faint" }, r[FACTORS].join(" ")),
			...(r[PROFILE] ? [" ", el("a", { href: r[PROFILE] }, "profile")] : [])),
			cell(r[METRIC]), cell(r[HOST] || "unknown host"), cell(spark(r[SPARK])), number(value(r[LAST], r[UNIT]), interval),
			...(since ? [number(percent(r[SINCE]))] : []), number(r[RATIO] === null ? "" : percent(r[RATIO])), cell(r[DATE]),
			cell(verdict(r[VERDICT], r[DRIFT]), r[FAILED] ? el("span", { class: "worse" }, " ✗ failed") : ""));
	}
	// How much worse a series became, as a logarithm; less than 0: better.
	const worsened = (ratio, better) => ratio === null ? 0 : -better * Math.max(-1e9, Math.log(ratio)) || 0;
	const badness = (r) => r[VERDICT] === "same" ? 0 : worsened(r[RATIO], r[BETTER]);
	const orders = {
		"": ["benchmark", null],
		worse: ["regressions first", (a, b) => badness(b) - badness(a)],
		better: ["improvements first", (a, b) => badness(a) - badness(b)],
		newest: ["newest change first", (a, b) => b[DATE] < a[DATE] ? -1 : b[DATE] > a[DATE] ? 1 : 0],
		since: ["since release: worst first", (a, b) => worsened(b[SINCE], b[BETTER]) - worsened(a[SINCE], a[BETTER])],
	};
	function index() {
		const table = document.getElementById("index"), body = table.tBodies[0];
		const original = Array.from(body.rows), pager = document.querySelector(".pager"), links = Array.from(pager.childNodes);
		const first = hash(), all = data.index.rows;
		const filter = el("input", { type: "search", "aria-label": "Filter series by words", placeholder: "filter by words" });
		const sort = el("select", { "aria-label": "Order" }, ...Object.entries(orders).filter(([name]) => name !== "since" || data.index.since)
			.map(([name, [text]]) => el("option", { value: name }, text)));
		const count = el("span", { class: "faint", role: "status" });
		let page = Math.max(1, Number(first.get("p")) || 1);
		filter.value = first.get("q") || "";
		sort.value = first.get("sort") || "";
		if (sort.selectedIndex < 0)
			sort.value = "";
		const texts = new Map();
		function text(r) {
			if (!texts.has(r))
				texts.set(r, [r[BENCH], ...r[FACTORS], r[METRIC], r[HOST], r[VERDICT], r[FAILED] ? "failed" : ""].join(" ").toLowerCase());
			return texts.get(r);
		}
		function show() {
			const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean), order = orders[sort.value][1];
			keep({ q: filter.value.trim(), sort: sort.value, p: page > 1 && (words.length || order) ? page : "" });
			if (!words.length && !order) {
				body.replaceChildren(...original);
				pager.replaceChildren(...links);
				count.textContent = "";
				return;
			}
			const rows = all.filter((r) => words.every((w) => text(r).includes(w)));
			if (order)
				rows.sort(order);
			const pages = Math.max(1, Math.ceil(rows.length / ROWS));
			page = Math.min(page, pages);
			body.replaceChildren(...rows.slice((page - 1) * ROWS, page * ROWS).map((r) => row(r, data.index.since)));
			count.textContent = `${rows.length} of ${all.length} series`;
			pager.replaceChildren(...(pages < 2 ? [] : Array.from({ length: pages }, (_, i) => el("button", {
				type: "button", "aria-current": i + 1 === page ? "page" : null,
				onclick: () => { page = i + 1; show(); table.scrollIntoView(); },
			}, String(i + 1)))));
		}
		const again = () => { page = 1; show(); };
		filter.addEventListener("input", again);
		sort.addEventListener("change", again);
		document.getElementById("tools").replaceChildren(el("p", { class: "tools" }, filter, el("label", {}, "Order ", sort), count));
		if (filter.value || sort.value)
			show();
	}
	// A field that filters the rows of a static table.
	function list(table) {
		const count = el("span", { class: "faint", role: "status" });
		const filter = el("input", { type: "search", "aria-label": "Filter rows by words", placeholder: "filter by words" });
		const rows = Array.from(table.tBodies[0].rows);
		function show() {
			const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
			let shown = 0;
			for (const r of rows) {
				r.hidden = !words.every((w) => r.textContent.toLowerCase().includes(w));
				shown += !r.hidden;
			}
			count.textContent = words.length ? `${shown} of ${rows.length} changes` : "";
			keep({ q: filter.value.trim() });
		}
		filter.addEventListener("input", show);
		document.getElementById("tools").replaceChildren(el("p", { class: "tools" }, filter, count));
		filter.value = hash().get("q") || "";
		if (filter.value)
			show();
	}
	document.addEventListener("DOMContentLoaded", () => {
		if (data.index && document.getElementById("index"))
			index();
		if (document.getElementById("list"))
			list(document.getElementById("list"));
	});
})();
