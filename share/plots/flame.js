// Makes a flame graph interactive: a click or Enter zooms in on a frame, the arrow keys move between
// frames, / searches names, and Escape zooms out. Without this script the picture is complete, and
// every frame has its title.
(function () {
	"use strict";
	const svg = document.currentScript.closest("svg");
	const one = (name) => svg.querySelector("." + name);
	const frames = Array.from(svg.querySelectorAll(".f"), (node) => {
		const rect = node.querySelector("rect"), text = node.querySelector("text");
		const at = (name) => Number(rect.getAttribute(name));
		const told = node.querySelector("title").textContent;
		return { node, rect, text, x: at("x"), y: at("y"), w: at("width"), told,
			name: told.replace(/: [^:]*$/, ""), label: text.textContent };
	});
	if (!frames.length)
		return;
	const edge = frames[0].x, room = Number(svg.viewBox.baseVal.width) - 2 * edge;
	let wide = null, at = null;

	function label(frame, w) {
		const letters = Math.floor((w - 6) / 7);
		if (letters < 3)
			return "";
		return frame.name.length <= letters ? frame.name : frame.name.slice(0, letters - 1) + "\u2026";
	}
	function tell(frame) {
		one("told").textContent = frame ? frame.told : "";
	}
	// Callers of the widened frame fill the width, its callees are stretched, other frames are hidden.
	function widen(frame) {
		const scale = frame ? room / frame.w : 1, from = frame ? frame.x : edge;
		const slack = 0.011;
		wide = frame;
		for (const f of frames) {
			const inside = !frame || (f.y <= frame.y && f.x >= from - slack &&
				f.x + f.w <= from + frame.w + slack);
			const caller = frame && f.y > frame.y && f.x <= from + slack &&
				f.x + f.w >= from + frame.w - slack;
			const x = caller ? edge : edge + (f.x - from) * scale, w = caller ? room : f.w * scale;
			f.node.style.display = inside || caller ? "" : "none";
			f.node.classList.toggle("faint", Boolean(caller));
			if (!inside && !caller)
				continue;
			f.rect.setAttribute("x", x.toFixed(2));
			f.rect.setAttribute("width", Math.max(0, w).toFixed(2));
			f.text.setAttribute("x", (x + 3).toFixed(2));
			f.text.textContent = frame ? label(f, w) : f.label;
		}
	}
	function go(frame) {
		if (at)
			at.node.classList.remove("at");
		at = frame;
		if (at)
			at.node.classList.add("at");
		tell(at);
	}
	function seen(f) {
		return f.node.style.display !== "none";
	}
	const left = (f) => Number(f.rect.getAttribute("x"));
	const right = (f) => left(f) + Number(f.rect.getAttribute("width"));
	// Returns the nearest frame above or below this one, or beside it.
	function beside(frame, rows, step) {
		const y = frame.y - rows * 16, middle = (left(frame) + right(frame)) / 2;
		const row = frames.filter((f) => f.y === y && seen(f));
		if (rows)
			return row.find((f) => left(f) <= middle && right(f) >= middle) ||
				row.find((f) => rows > 0 && left(f) >= left(frame) - 0.02 && right(f) <= right(frame) + 0.02);
		return row[row.indexOf(frame) + step];
	}
	function search(words) {
		let pattern = null, count = 0, share = 0, until = -1;
		try {
			pattern = words ? new RegExp(words) : null;
		} catch (e) {
			one("count").textContent = "not a regular expression: " + words;
			return;
		}
		const found = frames.filter((f) => {
			const is = pattern !== null && pattern.test(f.name);
			f.node.classList.toggle("found", is);
			return is;
		});
		// Frames within other frames that were found count once.
		for (const f of found.sort((a, b) => a.x - b.x || b.y - a.y)) {
			count++;
			if (f.x + 0.011 < until)
				continue;
			share += f.w;
			until = f.x + f.w;
		}
		one("count").textContent = pattern ? count + (count === 1 ? " frame, " : " frames, ") + (100 * share / room).toPrecision(3) + " %" : "";
	}
	function ask() {
		const words = window.prompt("Search for names (regular expression):", "");
		if (words !== null)
			search(words);
	}
	const keys = {
		ArrowUp: () => beside(at, 1, 0), ArrowDown: () => beside(at, -1, 0),
		ArrowLeft: () => beside(at, 0, -1), ArrowRight: () => beside(at, 0, 1),
	};
	svg.addEventListener("click", (event) => {
		const node = event.target.closest(".f");
		const frame = frames.find((f) => f.node === node);
		if (frame)
			widen(frame === wide || frame === frames[0] ? null : frame);
	});
	svg.addEventListener("mouseover", (event) => {
		const node = event.target.closest(".f");
		tell(frames.find((f) => f.node === node) || at);
	});
	svg.addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (event.key === "Escape") {
			widen(null);
			search("");
		} else if (event.key === "/") {
			ask();
		} else if (event.key === "Enter" && at) {
			widen(at === wide ? null : at);
		} else if (keys[event.key]) {
			go((at && keys[event.key]()) || at || frames[0]);
		} else {
			return;
		}
		event.preventDefault();
	});
	one("reset").addEventListener("click", () => widen(null));
	one("search").addEventListener("click", ask);
	one("ask").setAttribute("visibility", "visible");
	svg.search = search;
})();
