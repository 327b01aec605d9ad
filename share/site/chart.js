// SPDX-License-Identifier: GPL-3.0-or-later
// The plot of a benchmark: hover and keys show values, the wheel, two fingers and keys zoom, and
// dragging pans. The address keeps the view.
(function () {
	"use strict";
	const { data, el, svg, integers, value, percent, date, commit, commitName, hash, keep, label } = window.benchSite;
	const COLORS = 8, TOP = 14, BOTTOM = 34, RIGHT = 12;
	let page, list, chart;

	// Decodes a series. Points are in the order of their runs.
	function series(s, number) {
		const times = (v) => s.e < 0 ? v / 10 ** -s.e : v * 10 ** s.e;
		const x = integers(s.x), below = integers(s.l), above = integers(s.u), places = integers(s.p), runs = integers(s.r);
		const n = integers(s.n), k = integers(s.k), gaps = s.gp ? integers(s.gp) : [], gapRuns = s.gr ? integers(s.gr) : [];
		return {
			id: s.i, number, host: s.h || "unknown host", factors: s.f, name: [s.h || "unknown host", ...s.f].join(" "), floor: s.fl,
			drifts: s.c.some((c) => c[8]),
			changes: s.c.map((c) => ({ at: c[0], before: c[1], after: c[2], ratio: c[3], lo: c[4], hi: c[5], p: c[6], verdict: c[7], drift: c[8] })),
			points: x.map((v, i) => ({
				index: i, value: times(v), lo: below[i] < 0 ? null : times(v - below[i]), hi: above[i] < 0 ? null : times(v + above[i]),
				place: places[i], run: runs[i], n: n[i], runs: k[i], time: page.times[runs[i]],
			})),
			gaps: gaps.map((place, i) => ({ place, run: gapRuns[i], time: page.times[gapRuns[i]], gap: true })),
			look: `s${number % COLORS} d${Math.floor(number / COLORS)}`,
		};
	}
	function Chart(figure) {
		const view = { by: "commit", y: "", from: null, to: null, on: new Set(), at: null, pinned: false };
		const plot = el("div", { class: "plot", tabindex: "0", role: "group", "aria-label": "History. Arrow keys move between values and series, plus and minus zoom, 0 shows everything, Enter shows the commit and the run." });
		const tip = el("div", { class: "tip-box", hidden: true }), details = el("div", { class: "details", role: "status", hidden: true });
		const pointers = new Map();
		let image, scale, moved = false, pinch = null, full = false;

		const xOf = (p) => view.by === "time" ? p.time : p.place;
		const shown = () => list.filter((s) => view.on.has(s.id));
		function extent() {
			let from = Infinity, to = -Infinity;
			for (const s of shown())
				for (const p of [...s.points, ...s.gaps]) {
					from = Math.min(from, xOf(p));
					to = Math.max(to, xOf(p));
				}
			return from > to ? [0, 1] : from === to ? [from - 0.5, to + 0.5] : [from, to];
		}
		function range() {
			const [from, to] = extent();
			return view.from === null ? [from, to] : [view.from, view.to];
		}
		// Sets the visible range, inside of the whole one.
		function zoom(from, to) {
			const [least, most] = extent(), span = Math.min(most - least, Math.max(to - from, view.by === "time" ? 60 : 2));
			from = Math.max(least, Math.min((from + to) / 2 - span / 2, most - span));
			view.from = from;
			view.to = from + span;
			if (span >= (most - least) * 0.999)
				view.from = view.to = null;
			changed();
		}
		function scaled(factor, about) {
			const [from, to] = range(), middle = about === undefined ? (from + to) / 2 : about;
			zoom(middle - (middle - from) * factor, middle + (to - middle) * factor);
		}
		function shift(part) {
			const [from, to] = range();
			zoom(from + (to - from) * part, to + (to - from) * part);
		}
		function steps(least, most, count) {
			const span = most - least, power = 10 ** Math.floor(Math.log10(span / count));
			const step = power * ([1, 2, 5, 10].find((t) => span / (t * power) <= count) || 10), out = [];
			for (let v = Math.ceil(least / step) * step; v <= most; v += step)
				out.push(Math.abs(v) < step / 1e6 ? 0 : v);
			return out;
		}
		// The values at which the vertical axis is labeled.
		function ticks() {
			if (view.y !== "log" || scale.most - scale.least < Math.log(4))
				return view.y !== "log" ? steps(scale.least, scale.most, 5) : steps(Math.exp(scale.least), Math.exp(scale.most), 5).filter((v) => v > 0);
			const out = [], least = Math.exp(scale.least), most = Math.exp(scale.most);
			for (let power = 10 ** Math.floor(Math.log10(least)); power <= most; power *= 10)
				out.push(...(most / least < 1000 ? [1, 2, 5] : [1]).map((t) => t * power).filter((v) => v >= least && v <= most));
			return out;
		}
		function axes(out, width, height) {
			for (const v of ticks()) {
				const y = scale.y(v);
				out.append(svg("path", { class: "grid", d: `M${scale.left} ${y}H${width - RIGHT}` }),
					svg("text", { x: scale.left - 6, y: y + 4, class: "end" }, value(v, page.unit)));
			}
			const dates = Math.max(1, Math.min(6, Math.floor((width - scale.left) / 130)));
			const place = (x) => Math.max(0, Math.min(page.placeTimes.length - 1, Math.round(x)));
			const seconds = (x) => view.by === "time" ? x : page.placeTimes[place(x)];
			const short = seconds(scale.to) - seconds(scale.from) < 3 * 86400;
			const name = (x) => view.by !== "time" && page.ordered ? commitName(page.commits[place(x)]) :
				short ? new Date(seconds(x) * 1000).toISOString().slice(5, 16).replace("T", " ") : date(seconds(x));
			for (let i = 0; i <= dates; i++) {
				const x = scale.from + (scale.to - scale.from) * i / dates;
				out.append(svg("text", { x: scale.x(x), y: height - 10, class: i === dates ? "end" : i ? "middle" : "start" }, name(x)));
			}
		}
		function levels(s) {
			if (!s.changes.length) {
				const sorted = s.points.map((p) => p.value).sort((a, b) => a - b);
				return [(sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2];
			}
			return [s.changes[0].before, ...s.changes.map((c) => c.after)];
		}
		function band(out, s) {
			if (s.floor === null || s.drifts)
				return;
			levels(s).forEach((level, i) => {
				const from = i ? s.changes[i - 1].at : 0, to = i < s.changes.length ? s.changes[i].at : s.points.length;
				const x = (p) => Math.max(scale.left, Math.min(scale.x(xOf(p)), scale.right));
				const a = x(s.points[from]), b = x(s.points[to - 1]);
				if (b > a)
					out.append(svg("path", { class: "band", d: `M${a} ${scale.y(level * (1 + s.floor))}H${b}V${scale.y(level / (1 + s.floor))}H${a}z` }));
			});
		}
		function line(out, s) {
			const points = s.points.filter((p) => xOf(p) >= scale.from - scale.pad && xOf(p) <= scale.to + scale.pad);
			points.sort((a, b) => xOf(a) - xOf(b));
			const close = points.length * 9 > scale.right - scale.left;
			for (const p of close ? [] : points)
				if (p.lo !== null && p.hi !== null)
					out.append(svg("path", { class: "span " + s.look, d: `M${scale.x(xOf(p))} ${scale.y(p.lo)}V${scale.y(p.hi)}` }));
			const gaps = s.gaps.map(xOf), broken = (a, b) => gaps.some((x) => x > xOf(a) && x < xOf(b));
			out.append(svg("path", { class: "line " + s.look, d: points.map((p, i) => {
				const begins = !i || broken(points[i - 1], p), ends = i + 1 === points.length || broken(p, points[i + 1]);
				return `${begins ? "M" : " "}${scale.x(xOf(p))} ${scale.y(p.value)}${begins && ends ? "h2" : ""}`;
			}).join("") }));
			for (const p of close ? [] : points)
				out.append(svg("circle", { class: "dot " + s.look, cx: scale.x(xOf(p)), cy: scale.y(p.value), r: points.length < 60 ? 3.5 : 2.2 }));
			for (const c of s.changes) {
				const x = scale.x(xOf(s.points[c.at]));
				if (!c.drift && x >= scale.left && x <= scale.right)
					out.append(svg("g", { class: "mark " + c.verdict }, svg("path", { d: `M${x} ${TOP}V${scale.bottom}` }),
						svg("path", { class: "tip", d: `M${x} ${TOP + 4}l-5-9h10z` }),
						svg("title", {}, `${c.verdict} ${percent(c.ratio)}`)));
			}
		}
		// Draws a cross on the axis for each place without a value, those of several series above each other.
		function crosses(out, visible) {
			const many = new Map();
			for (const s of visible)
				for (const g of s.gaps) {
					const x = scale.x(xOf(g)), below = many.get(x) || 0;
					many.set(x, below + 1);
					if (x >= scale.left && x <= scale.right)
						out.append(svg("path", { class: "gap " + s.look, d: `M${x - 4} ${scale.bottom - 8 - 10 * below}l8 8m0-8l-8 8` }, svg("title", {}, `${s.name}: no value`)));
				}
		}
		function draw() {
			const width = Math.max(280, plot.clientWidth), height = width < 600 ? 260 : 340, [from, to] = range(), visible = shown();
			const transformed = view.y === "log" ? Math.log : (v) => v;
			let least = Infinity, most = -Infinity;
			for (const s of visible)
				for (const p of s.points)
					if (xOf(p) >= from && xOf(p) <= to && (p.value > 0 || view.y !== "log")) {
						least = Math.min(least, transformed(p.lo === null ? p.value : Math.max(p.lo, p.value * 0.5)));
						most = Math.max(most, transformed(p.hi === null ? p.value : Math.min(p.hi, p.value * 2 || p.hi)));
					}
			if (least > most)
				[least, most] = [0, 1];
			if (view.y === "zero")
				[least, most] = [Math.min(0, least), Math.max(0, most)];
			const margin = (most - least) * 0.06 || Math.abs(most) * 0.05 || 1;
			least = view.y === "zero" && least === 0 ? 0 : least - margin;
			most += margin;
			const left = width < 600 ? 70 : 84, right = width - RIGHT, bottom = height - BOTTOM;
			const round = (v) => Math.round(v * 10) / 10;
			scale = {
				from, to, least, most, left, right, bottom, pad: (to - from) * 0.02,
				x: (v) => round(left + (v - from) / (to - from || 1) * (right - left)),
				y: (v) => round(TOP + (1 - Math.max(-0.2, Math.min(1.2, ((view.y === "log" && !(v > 0) ? -1e9 : transformed(v)) - least) / (most - least)))) * (bottom - TOP)),
				place: (px) => from + (px - left) / (right - left) * (to - from),
			};
			image = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
			const inner = svg("svg", { x: left - 5, y: 0, width: right - left + 10, height: bottom + 6, viewBox: `${left - 5} 0 ${right - left + 10} ${bottom + 6}` });
			axes(image, width, height);
			if (visible.length === 1)
				band(inner, visible[0]);
			for (const s of visible)
				line(inner, s);
			crosses(inner, visible);
			image.append(inner);
			if (view.at) {
				const x = scale.x(xOf(view.at.point)), y = scale.y(view.at.point.value);
				if (x >= left - 1 && x <= right + 1)
					image.append(svg("path", { class: "cross", d: `M${x} ${TOP}V${bottom}` }), svg("circle", { class: "dot " + view.at.series.look, cx: x, cy: y, r: 5.5 }));
			}
			plot.replaceChildren(image, tip);
			showTip();
		}
		function text(p) {
			return value(p.value, page.unit) + (p.lo !== null && p.hi !== null ? ` (${value(p.lo, page.unit)} to ${value(p.hi, page.unit)})` : "");
		}
		function showTip() {
			tip.hidden = !view.at;
			if (!view.at)
				return;
			const { series: s, point: p } = view.at, x = scale.x(xOf(p)) * plot.clientWidth / image.viewBox.baseVal.width;
			tip.replaceChildren(el("strong", {}, text(p)), el("br"), s.name, el("br"),
				date(p.time) + " ", page.commits[p.place] ? page.commits[p.place].slice(0, 9) : page.runs[p.run]);
			const left = x > plot.clientWidth / 2 ? x - tip.offsetWidth - 12 : x + 12;
			tip.style.left = Math.max(0, Math.min(left, plot.clientWidth - tip.offsetWidth)) + "px";
			tip.style.top = "18px";
		}
		function showDetails() {
			details.hidden = !view.at || !view.pinned;
			if (details.hidden)
				return;
			const { series: s, point: p } = view.at, name = page.commits[p.place];
			const change = s.changes.find((c) => c.at === p.index && !c.drift);
			details.replaceChildren(el("strong", {}, text(p)), ` ${s.name}, ${p.n} samples` + (p.runs > 1 ? ` of ${p.runs} runs` : ""), el("br"),
				"Commit ", name ? commit(name) : "unknown", `, run ${page.runs[p.run]} of ${new Date(p.time * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`,
				page.envs[p.run] ? `, environment ${page.envs[p.run]}` : "", el("br"),
				...(change ? [`Change point: ${change.verdict} ${percent(change.ratio)}` + (change.lo !== null ? ` (${percent(change.lo)} to ${percent(change.hi)})` : ""), el("br")] : []),
				/^[\w.:@%+=\/ -]+$/.test(page.runs[p.run]) ? el("code", {}, `bench-store export --where "run = '${page.runs[p.run]}'"`) : "");
		}
		function changed() {
			keep({
				x: view.by === "time" ? "time" : "", y: view.y,
				z: view.from === null ? "" : [view.from, view.to].map((v) => Math.round(v * 10) / 10).join("~"),
				s: view.on.size === Math.min(list.length, COLORS) && list.slice(0, COLORS).every((s) => view.on.has(s.id)) ? "" : Array.from(view.on).join(","),
				p: view.at && view.pinned ? view.at.series.id + "." + view.at.point.index : "",
			});
			draw();
			showDetails();
			values();
		}
		function nearest(px, py) {
			let best = null, least = Infinity;
			for (const s of shown())
				for (const p of s.points) {
					const x = scale.x(xOf(p));
					if (x < scale.left - 1 || x > scale.right + 1)
						continue;
					const d = (x - px) ** 2 * 4 + (scale.y(p.value) - py) ** 2;
					if (d < least)
						[best, least] = [{ series: s, point: p }, d];
				}
			return best;
		}
		// The position of an event in the plot.
		function position(event) {
			const box = image.getBoundingClientRect(), times = image.viewBox.baseVal.width / box.width;
			return [(event.clientX - box.left) * times, (event.clientY - box.top) * times];
		}
		function pin(at) {
			view.at = at;
			view.pinned = Boolean(at);
			changed();
		}
		// Moves to the next value of the series, or to the next series.
		function step(along, across) {
			const visible = shown();
			if (!visible.length)
				return;
			if (!view.at || !view.on.has(view.at.series.id)) {
				const s = visible[0];
				view.at = { series: s, point: s.points[s.points.length - 1] };
			} else if (across) {
				const s = visible[(visible.indexOf(view.at.series) + across + visible.length) % visible.length], x = xOf(view.at.point);
				view.at = { series: s, point: s.points.reduce((a, b) => Math.abs(xOf(b) - x) < Math.abs(xOf(a) - x) ? b : a) };
			} else {
				const points = view.at.series.points.slice().sort((a, b) => xOf(a) - xOf(b));
				const i = points.findIndex((p) => p.index === view.at.point.index) + along;
				view.at = { series: view.at.series, point: points[Math.max(0, Math.min(points.length - 1, i))] };
			}
			const x = xOf(view.at.point), [from, to] = range();
			if (view.pinned)
				showDetails();
			if (x < from || x > to)
				zoom(x - (to - from) / 2, x + (to - from) / 2);
			else
				changed();
		}
		const keys = {
			ArrowLeft: () => step(-1, 0), ArrowRight: () => step(1, 0), ArrowUp: () => step(0, -1), ArrowDown: () => step(0, 1),
			PageUp: () => shift(-0.5), PageDown: () => shift(0.5), Home: () => shift(-1e9), End: () => shift(1e9),
			"+": () => scaled(0.5), "=": () => scaled(0.5), "-": () => scaled(2), 0: () => scaled(1e9),
			Enter: () => pin(view.at), Escape: () => pin(null),
		};
		plot.addEventListener("keydown", (event) => {
			if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey)
				return;
			event.preventDefault();
			keys[event.key]();
		});
		// The wheel scrolls the page unless the plot has the focus or Ctrl is held.
		plot.addEventListener("wheel", (event) => {
			if (!event.ctrlKey && document.activeElement !== plot)
				return;
			event.preventDefault();
			scaled(event.deltaY > 0 ? 1.25 : 0.8, scale.place(position(event)[0]));
		}, { passive: false });
		plot.addEventListener("pointerdown", (event) => {
			pointers.set(event.pointerId, position(event)[0]);
			moved = false;
			pinch = pointers.size === 2 ? Math.abs([...pointers.values()][0] - [...pointers.values()][1]) : null;
		});
		plot.addEventListener("pointermove", (event) => {
			const [x, y] = position(event);
			if (!pointers.has(event.pointerId)) {
				if (!view.pinned) {
					view.at = nearest(x, y);
					draw();
				}
				return;
			}
			const before = pointers.get(event.pointerId);
			if (pointers.size === 1 && Math.abs(x - before) > 3) {
				moved = true;
				plot.setPointerCapture(event.pointerId);
				shift((before - x) / (scale.right - scale.left));
				pointers.set(event.pointerId, x);
			} else if (pointers.size === 2) {
				pointers.set(event.pointerId, x);
				const [a, b] = [...pointers.values()], now = Math.max(10, Math.abs(a - b));
				moved = true;
				if (pinch)
					scaled(pinch / now, scale.place((a + b) / 2));
				pinch = now;
			}
		});
		for (const name of ["pointerup", "pointercancel"])
			plot.addEventListener(name, (event) => {
				const down = pointers.delete(event.pointerId);
				if (name === "pointerup" && down && !moved && !pointers.size)
					pin(nearest(...position(event)));
			});
		plot.addEventListener("pointerleave", () => {
			if (!view.pinned && view.at && !pointers.size) {
				view.at = null;
				draw();
			}
		});
		plot.addEventListener("dblclick", () => scaled(1e9));

		function button(text, label, run) {
			return el("button", { type: "button", "aria-label": label, title: label, onclick: run }, text);
		}
		// The table of values: all values of the visible series, on request.
		const cellText = (p) => p ? p.gap ? "no value" : text(p) : "";
		function values() {
			if (!full)
				return;
			const table = document.getElementById("values"), rows = new Map(), visible = shown();
			visible.forEach((s, i) => [...s.points, ...s.gaps].forEach((p) => {
				if (!rows.has(p.place))
					rows.set(p.place, []);
				rows.get(p.place)[i] = p;
			}));
			table.caption.textContent = "All values of the series in the plot, newest first";
			table.tHead.rows[0].replaceChildren(el("th", { scope: "col" }, "Date"), el("th", { scope: "col" }, "Commit"),
				...visible.map((s) => el("th", { scope: "col", class: "number" }, s.name)));
			table.tBodies[0].replaceChildren(...[...rows.keys()].sort((a, b) => b - a).map((place) => el("tr", {},
				el("td", {}, date(page.placeTimes[place])), el("td", {}, page.commits[place] ? commit(page.commits[place]) : "run " + page.runs[rows.get(place).find(Boolean).run]),
				...visible.map((_, i) => el("td", { class: "number" }, cellText(rows.get(place)[i]))))));
			label(table);
		}
		function tools() {
			const by = el("select", { "aria-label": "Horizontal axis" }, el("option", { value: "commit" }, "by commit"), el("option", { value: "time" }, "by time"));
			const y = el("select", { "aria-label": "Vertical axis" }, el("option", { value: "" }, "around the values"), el("option", { value: "zero" }, "from zero"), el("option", { value: "log" }, "logarithmic"));
			by.value = view.by;
			y.value = view.y;
			y.addEventListener("change", () => {
				view.y = y.value;
				changed();
			});
			by.addEventListener("change", () => {
				view.by = by.value;
				view.from = view.to = null;
				changed();
			});
			return el("p", { class: "tools" }, by, y, button("+", "Zoom in", () => scaled(0.5)), button("−", "Zoom out", () => scaled(2)),
				button("◀", "Earlier", () => shift(-0.5)), button("▶", "Later", () => shift(0.5)), button("All", "Show everything", () => scaled(1e9)));
		}
		function legend() {
			return el("div", { class: "legend", role: "group", "aria-label": "Series" }, ...list.map((s) => {
				const box = el("input", { type: "checkbox", "data-id": s.id, onchange: () => {
					if (box.checked)
						view.on.add(s.id);
					else
						view.on.delete(s.id);
					changed();
				} });
				box.checked = view.on.has(s.id);
				return el("label", {}, box, el("span", { class: "swatch " + s.look }), s.name);
			}));
		}
		function restore() {
			const kept = hash(), ids = (kept.get("s") || "").split(",").filter((id) => list.some((s) => s.id === id));
			view.by = kept.get("x") === "time" ? "time" : "commit";
			view.y = ["zero", "log"].includes(kept.get("y")) ? kept.get("y") : "";
			view.on = new Set(ids.length ? ids : list.slice(0, COLORS).map((s) => s.id));
			const z = /^(-?[\d.]+)~(-?[\d.]+)$/.exec(kept.get("z") || "");
			[view.from, view.to] = z && Number(z[1]) < Number(z[2]) ? [Number(z[1]), Number(z[2])] : [null, null];
			const at = /^(\w+)\.(\d+)$/.exec(kept.get("p") || ""), s = at && list.find((one) => one.id === at[1]);
			view.pinned = Boolean(s && s.points[at[2]]);
			view.at = view.pinned ? { series: s, point: s.points[at[2]] } : null;
		}
		this.start = function () {
			restore();
			figure.replaceChildren(tools(), plot, ...(list.length > 1 ? [legend()] : []), details,
				...Array.from(figure.querySelectorAll("figcaption")));
			figure.classList.remove("static");
			document.getElementById("values").closest(".scroll").before(
				el("p", { class: "tools" }, el("button", { type: "button", id: "all-values", onclick: (event) => { full = true; event.target.parentNode.remove(); values(); } }, "Show all values")));
			draw();
			showDetails();
			new ResizeObserver(() => { if (Math.abs(image.viewBox.baseVal.width - Math.max(280, plot.clientWidth)) > 1) draw(); }).observe(plot);
			window.addEventListener("hashchange", () => { restore(); draw(); showDetails(); });
		};
	}
	document.addEventListener("DOMContentLoaded", () => {
		const figure = document.getElementById("chart");
		if (!figure || !data.page || !data.places || !data.runs)
			return;
		page = {
			unit: data.page.unit, commits: data.places.c, ordered: data.places.o, placeTimes: integers(data.places.t),
			times: integers(data.runs.t), runs: data.runs.n, envs: data.runs.e.map((i) => data.runs.v[i]),
		};
		list = data.page.series.map(series);
		chart = new Chart(figure);
		chart.start();
	});
})();
