// Makes a flame graph interactive: a click or Enter zooms in on a frame, the arrow keys move between
// frames, a field highlights names as one types, and Escape zooms out. Frames can be sorted by size, and
// callers can be on top. Without this script the graph is complete, and every frame has its title.
(function () {
	"use strict";
	const svg = document.currentScript.closest("svg");
	const one = (name) => svg.querySelector("." + name);
	const box = svg.viewBox.baseVal, edge = 8, row = 17, letter = 7;
	let wide = null, at = null, room = box.width - 2 * edge;
	const frames = Array.from(svg.querySelectorAll(".f"), (node) => {
		const rect = node.querySelector("rect"), told = node.querySelector("title").textContent;
		const number = (name) => Number(rect.getAttribute(name));
		return { node, rect, text: node.querySelector("text"), x: (number("x") - edge) / room,
			w: number("width") / room, y: number("y"), told, name: told.replace(/: [^:]*$/, ""), children: [] };
	});
	if (!frames.length)
		return;
	const ends = [Math.min(...frames.map((f) => f.y)), Math.max(...frames.map((f) => f.y))];
	const slack = 0.011 / room, roots = [];
	// Frames are sorted by depth, and then from left to right.
	(function link() {
		let below = [], current = [], y = NaN, next = 0;
		for (const f of frames) {
			if (f.y !== y)
				[below, current, y, next] = [current, [], f.y, 0];
			current.push(f);
			while (next < below.length && below[next].x + below[next].w < f.x + f.w / 2 - slack)
				next++;
			f.caller = below[next] || null;
			(f.caller ? f.caller.children : roots).push(f);
		}
	})();
	frames.forEach((f, i) => { f.order = i; });

	function label(frame, w) {
		const letters = Math.floor((w - 6) / letter);
		if (frame.name.length <= letters)
			return frame.name;
		return letters < 5 ? "" : frame.name.slice(0, letters - 1) + "\u2026";
	}
	function tell(frame) {
		one("about").textContent = frame ? frame.told : "";
	}
	// Gives the callees of each frame their places, in the order of names or with the largest first.
	function place() {
		const heavy = one("heavy").checked;
		const order = (a, b) => (heavy ? b.w - a.w : 0) || a.order - b.order;
		const stack = [...roots];
		while (stack.length) {
			const f = stack.pop();
			let x = f.x;
			for (const callee of f.children.sort(order)) {
				callee.x = x;
				x += callee.w;
				stack.push(callee);
			}
		}
	}
	function isIn(f, frame) {
		for (; f; f = f.caller)
			if (f === frame)
				return true;
		return false;
	}
	// Callers of the widened frame fill the width, its callees are stretched, other frames are hidden.
	function draw() {
		const scale = wide ? 1 / wide.w : 1, from = wide ? wide.x : 0, down = one("down").checked;
		for (const f of frames) {
			const inside = !wide || isIn(f, wide), caller = !inside && isIn(wide, f);
			const x = edge + room * (caller ? 0 : (f.x - from) * scale);
			const w = room * (caller ? 1 : f.w * scale), y = down ? ends[0] + ends[1] - f.y : f.y;
			f.node.style.display = inside || caller ? "" : "none";
			f.node.classList.toggle("faint", caller);
			if (!inside && !caller)
				continue;
			f.left = x;
			f.right = x + w;
			f.rect.setAttribute("x", x.toFixed(2));
			f.rect.setAttribute("y", y);
			f.rect.setAttribute("width", Math.max(0, w).toFixed(2));
			f.text.setAttribute("x", (x + 3).toFixed(2));
			f.text.setAttribute("y", y + row - 4);
			f.text.textContent = label(f, w);
		}
	}
	function widen(frame) {
		wide = frame;
		draw();
	}
	// Breaks a text into lines of at most this number of letters.
	function wrap(text, letters) {
		const lines = [""];
		for (const word of text.split(" ")) {
			const last = lines[lines.length - 1];
			if (last && last.length + 1 + word.length > letters)
				lines.push(word);
			else
				lines[lines.length - 1] = last ? last + " " + word : word;
		}
		return lines;
	}
	// On a page, the graph is as wide as its place. Long lines are broken.
	const height = box.height, two = 60, heads = Array.from(svg.querySelectorAll(".head, .words"),
		(node) => ({ node, text: node.textContent, step: node.matches(".head") ? 21 : 16, letter: node.matches(".head") ? 9 : 7 }));
	const controls = svg.querySelectorAll(".ask"), rows = Number(controls[0].getAttribute("height"));
	function fit() {
		const place = svg.parentElement, w = place ? Math.floor(place.clientWidth) : 0;
		let more = 0;
		if (w < 300 || w === room + 2 * edge)
			return;
		room = w - 2 * edge;
		const move = (node) => node.setAttribute("transform", "translate(0 " + more + ")");
		for (const head of heads) {
			move(head.node);
			head.node.textContent = "";
			wrap(head.text, room / head.letter).forEach((line, i) => {
				const part = document.createElementNS(svg.namespaceURI, "tspan");
				part.textContent = line;
				part.setAttribute("x", edge);
				part.setAttribute("dy", i ? head.step : 0);
				more += i ? head.step : 0;
				head.node.append(part);
			});
		}
		move(controls[0]);
		controls[0].setAttribute("height", Math.max(rows, w < 640 ? two : 0));
		more += Number(controls[0].getAttribute("height")) - rows;
		move(controls[1]);
		move(one("frames"));
		svg.setAttribute("width", w);
		svg.setAttribute("height", height + more);
		svg.setAttribute("viewBox", "0 0 " + w + " " + (height + more));
		for (const part of controls)
			part.setAttribute("width", room);
		draw();
	}
	function go(frame) {
		if (at)
			at.node.classList.remove("at");
		at = frame;
		if (at)
			at.node.classList.add("at");
		tell(at);
	}
	const seen = (f) => f.node.style.display !== "none";
	// Returns the nearest callee (rows 1) or the caller (rows -1) of a frame, or a frame next to it.
	function beside(frame, rows, step) {
		if (rows < 0)
			return frame.caller;
		if (rows > 0) {
			const middle = (frame.left + frame.right) / 2, callees = frame.children.filter(seen);
			return callees.find((f) => f.left <= middle && f.right >= middle) || callees[0];
		}
		const line = frames.filter((f) => f.y === frame.y && seen(f)).sort((a, b) => a.x - b.x);
		return line[line.indexOf(frame) + step];
	}
	// Words are a regular expression, or a text if they are not; capitals count if there are any.
	function pattern_of(words) {
		const flags = words === words.toLowerCase() ? "i" : "";
		try {
			return new RegExp(words, flags);
		} catch (e) {
			return new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), flags);
		}
	}
	function search(words) {
		const pattern = words ? pattern_of(words) : null;
		let count = 0, share = 0;
		for (const f of frames) {
			const is = pattern !== null && pattern.test(f.name);
			// Frames within other frames that were found count once.
			f.found = is || (f.caller !== null && f.caller.found);
			f.node.classList.toggle("found", is);
			count += is;
			share += is && !(f.caller && f.caller.found) ? f.w : 0;
		}
		one("count").textContent = pattern ? count + (count === 1 ? " frame, " : " frames, ") + (100 * share).toPrecision(3) + "%" : "";
	}
	const key_rows = () => one("down").checked ? -1 : 1;
	const keys = {
		ArrowUp: () => beside(at, key_rows(), 0), ArrowDown: () => beside(at, -key_rows(), 0),
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
		const field = event.target === one("search");
		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (event.key === "Escape") {
			one("search").value = "";
			search("");
			widen(null);
			svg.focus();
		} else if (field || event.target !== svg) {
			return;
		} else if (event.key === "/") {
			one("search").focus();
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
	one("search").addEventListener("input", (event) => search(event.target.value));
	one("heavy").addEventListener("change", () => {
		place();
		draw();
	});
	one("down").addEventListener("change", draw);
	for (const part of controls)
		part.setAttribute("visibility", "visible");
	svg.search = search;
	draw();
	fit();
	window.addEventListener("resize", fit);
})();
