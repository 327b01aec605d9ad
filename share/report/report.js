// Makes a report interactive: tables sort by a click on a column's name and filter by words, and a
// button switches between light and dark. Without this script the page has all tables and plots.
(function () {
	"use strict";
	const root = document.documentElement;

	function key(cell) {
		const said = cell.dataset.value;
		if (said !== undefined)
			return said === "" ? null : Number(said);
		return cell.textContent;
	}
	// Missing values come last in both directions.
	function order(a, b, down) {
		if (a === null || b === null)
			return (a === null) - (b === null);
		const by = typeof a === "number" ? a - b : a.localeCompare(b, undefined, { numeric: true });
		return down ? -by : by;
	}
	function sort(table, head) {
		const column = head.cellIndex, body = table.tBodies[0];
		const down = head.getAttribute("aria-sort") === "ascending";
		const rows = Array.from(body.rows, (row) => ({ row, key: key(row.cells[column]) }));
		rows.sort((a, b) => order(a.key, b.key, down));
		for (const other of table.tHead.rows[0].cells)
			other.removeAttribute("aria-sort");
		head.setAttribute("aria-sort", down ? "descending" : "ascending");
		body.append(...rows.map((r) => r.row));
	}
	for (const head of document.querySelectorAll("table.sortable thead th")) {
		const button = document.createElement("button");
		button.type = "button";
		button.textContent = head.textContent;
		button.title = "sort by " + head.textContent;
		head.replaceChildren(button);
		button.addEventListener("click", () => sort(head.closest("table"), head));
	}
	// Shows all digits of a number in its tooltip; ">" or "<" before it marks a bound.
	document.addEventListener("mouseover", (event) => {
		const cell = event.target.closest ? event.target.closest("td[data-value]") : null;
		if (cell)
			cell.title = (/^[<>]/.exec(cell.textContent) || "") + cell.dataset.value;
	});
	// Shows the rows that contain all words.
	function filter(input) {
		const table = document.getElementById(input.dataset.table);
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0;
		for (const row of table.tBodies[0].rows) {
			const text = row.textContent.toLowerCase();
			row.hidden = !words.every((word) => text.includes(word));
			shown += !row.hidden;
		}
		input.nextElementSibling.textContent = words.length ? shown + " of " + table.tBodies[0].rows.length : "";
	}
	for (const input of document.querySelectorAll("input[data-table]"))
		input.addEventListener("input", () => filter(input));

	// Plots: the number at the pointer or, by the arrow keys, of the next mark, and a button for
	// each series that hides it. The places of the marks are in data-marks, their numbers in a table.
	const svgNames = "http://www.w3.org/2000/svg";
	function marksOf(view) {
		return view.dataset.marks.split(";").map((part) => {
			const [series, places] = part.split(":");
			return places.split(" ").map((place) => {
				const [row, x, y] = place.split(",").map(Number);
				return { series: Number(series), row, x, y };
			});
		});
	}
	// Returns the mark that is nearest to a place within a distance, or null.
	function nearest(lists, x, y, distance) {
		let best = null, least = distance ** 2;
		for (const list of lists)
			for (const mark of list) {
				const far = (mark.x - x) ** 2 + (mark.y - y) ** 2;
				if (far < least) {
					least = far;
					best = mark;
				}
			}
		return best;
	}
	// Returns the mark that a key leads to from another one, which may be null.
	function neighbor(lists, at, along, across) {
		let list = Math.max(0, lists.findIndex((l) => l.includes(at)));
		let mark = lists[list].indexOf(at) + along;
		if (across && at) {
			list = (list + across + lists.length) % lists.length;
			mark = lists[list].findIndex((m) => m.row >= at.row);
			mark = mark < 0 ? lists[list].length - 1 : mark;
		}
		return lists[list][Math.max(0, Math.min(mark, lists[list].length - 1))];
	}
	function interact(figure, view, hidden) {
		const svg = view.querySelector("svg"), table = figure.querySelector(".numbers table");
		const marks = marksOf(view), tip = document.createElement("div");
		const spot = document.createElementNS(svgNames, "circle");
		let at = null;
		tip.className = "tip";
		tip.hidden = true;
		tip.setAttribute("role", "status");
		spot.setAttribute("class", "spot");
		spot.setAttribute("r", "6");
		view.append(tip);
		view.tabIndex = 0;
		view.setAttribute("role", "group");
		view.setAttribute("aria-label", figure.querySelector("figcaption").textContent + ": arrow keys show the numbers");
		function hide() {
			at = null;
			tip.hidden = true;
			spot.remove();
		}
		function show(mark) {
			const heads = table.tHead.rows[0].cells, row = table.tBodies[0].rows[mark.row];
			const name = document.createElement("strong");
			at = mark;
			name.textContent = [row.cells[0].textContent, heads.length > 2 ? heads[mark.series + 1].textContent : ""]
				.filter(Boolean).join(", ");
			tip.replaceChildren(name, row.cells[mark.series + 1].textContent);
			tip.hidden = false;
			spot.setAttribute("cx", mark.x);
			spot.setAttribute("cy", mark.y);
			svg.append(spot);
			const box = view.getBoundingClientRect(), place = spot.getBoundingClientRect();
			tip.style.top = Math.max(0, place.top - box.top - tip.offsetHeight - 2) + "px";
			tip.style.left = Math.max(0, Math.min(place.right - box.left + 6, box.width - tip.offsetWidth)) + "px";
		}
		const shown = () => marks.filter((list) => !hidden.has(list[0].series));
		view.addEventListener("pointermove", (event) => {
			const to = svg.getScreenCTM().inverse();
			const mark = nearest(shown(), event.clientX * to.a + to.e, event.clientY * to.d + to.f, 30);
			if (!mark)
				hide();
			else if (mark !== at)
				show(mark);
		});
		view.addEventListener("pointerleave", hide);
		view.addEventListener("blur", hide);
		view.addEventListener("keydown", (event) => {
			const along = { ArrowLeft: -1, ArrowRight: 1 }[event.key] || 0;
			const across = { ArrowUp: -1, ArrowDown: 1 }[event.key] || 0;
			const lists = shown();
			if (event.key === "Escape")
				hide();
			if (!lists.length || (!along && !across))
				return;
			event.preventDefault();
			show(neighbor(lists, at, along, across));
		});
	}
	// gnuplot draws each part of all series, one series after the other, and then what belongs to none.
	function toggle(figure, series, count, hidden) {
		if (!hidden.delete(series))
			hidden.add(series);
		for (const svg of figure.querySelectorAll("svg")) {
			const plots = svg.querySelectorAll("g[id*=gnuplot_plot_]");
			const last = Math.floor(plots.length / count) * count;
			plots.forEach((plot, i) => {
				if (i < last && i % count === series)
					plot.style.display = hidden.has(series) ? "none" : "";
			});
		}
	}
	function addLegend(figure, count, hidden) {
		const legend = document.createElement("div");
		const heads = Array.from(figure.querySelectorAll(".numbers thead th")).slice(1);
		legend.className = "legend";
		heads.forEach((head, series) => {
			const button = document.createElement("button"), swatch = document.createElement("i");
			button.type = "button";
			button.setAttribute("aria-pressed", "true");
			swatch.style.background = "var(--x" + head.dataset.color + ")";
			button.append(swatch, head.textContent);
			button.addEventListener("click", () => {
				toggle(figure, series, count, hidden);
				button.setAttribute("aria-pressed", String(!hidden.has(series)));
			});
			legend.append(button);
		});
		figure.querySelector("figcaption").before(legend);
	}
	for (const figure of document.querySelectorAll("figure")) {
		const views = figure.querySelectorAll("[data-marks]"), hidden = new Set();
		for (const view of views)
			interact(figure, view, hidden);
		if (views.length && Number(views[0].dataset.series) > 1)
			addLegend(figure, Number(views[0].dataset.series), hidden);
	}

	const theme = document.getElementById("theme");
	const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" :
		matchMedia("(prefers-color-scheme: dark)").matches;
	const showTheme = () => theme.setAttribute("aria-pressed", String(isDark()));
	theme.addEventListener("click", () => {
		root.dataset.theme = isDark() ? "light" : "dark";
		showTheme();
	});
	showTheme();
	document.body.classList.add("scripted");
})();
