// Makes a report interactive: tables sort by a click on a column's name and filter by words, and a
// button switches between light and dark. Without this script the page has all tables and pictures.
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

	const theme = document.getElementById("theme");
	const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" :
		matchMedia("(prefers-color-scheme: dark)").matches;
	function nameTheme() {
		theme.textContent = isDark() ? "light" : "dark";
		theme.setAttribute("aria-pressed", String(isDark()));
	}
	theme.addEventListener("click", () => {
		root.dataset.theme = isDark() ? "light" : "dark";
		nameTheme();
	});
	nameTheme();
	document.body.classList.add("scripted");
})();
