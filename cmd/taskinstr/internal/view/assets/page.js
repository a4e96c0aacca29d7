"use strict";
(() => {
	const all = [...document.querySelectorAll("details.report")];
	const open = (report) => {
		report.open = true;
		report.querySelector("summary").focus();
		report.scrollIntoView({block: "start"});
	};
	const linked = () => all.find((r) => "#" + r.id === location.hash);
	window.addEventListener("hashchange", () => { const r = linked(); if (r) open(r); });
	if (!all.length) return;
	(linked() || all[0]).open = true;

	const search = document.getElementById("search");
	const boxes = [...document.querySelectorAll("#filters input[type=checkbox]")];
	const count = document.getElementById("count");
	document.getElementById("filters").hidden = false;
	const filter = () => {
		const kinds = new Set(boxes.filter((b) => b.checked).map((b) => b.value));
		const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0;
		for (const r of all) {
			r.hidden = !kinds.has(r.dataset.kind) || !words.every((w) => r.dataset.words.includes(w));
			if (!r.hidden) shown++;
		}
		count.textContent = shown === all.length ? shown + (shown === 1 ? " report" : " reports") : shown + " of " + all.length + " reports";
		document.getElementById("none").hidden = shown > 0;
	};
	search.addEventListener("input", filter);
	for (const b of boxes) b.addEventListener("change", filter);
	filter();

	const keys = document.getElementById("keys");
	document.getElementById("keys-button").addEventListener("click", () => keys.showModal());
	document.getElementById("keys-close").addEventListener("click", () => keys.close());

	const move = (step) => {
		const list = all.filter((r) => !r.hidden);
		if (!list.length) return;
		const at = list.findIndex((r) => r.contains(document.activeElement));
		const to = at < 0 ? (step > 0 ? 0 : list.length - 1) : Math.min(Math.max(at + step, 0), list.length - 1);
		list[to].querySelector("summary").focus();
		list[to].scrollIntoView({block: "nearest"});
	};
	document.addEventListener("keydown", (e) => {
		if (e.ctrlKey || e.metaKey || e.altKey || keys.open) return;
		if (e.target === search) {
			if (e.key === "Escape") { search.value = ""; filter(); search.blur(); }
			return;
		}
		const n = Number(e.key);
		if (e.key === "/") search.focus();
		else if (e.key === "j") move(1);
		else if (e.key === "k") move(-1);
		else if (e.key === "e") all.forEach((r) => { if (!r.hidden) r.open = true; });
		else if (e.key === "c") all.forEach((r) => { r.open = false; });
		else if (e.key === "?") keys.showModal();
		else if (n >= 1 && n <= boxes.length) boxes[n - 1].click();
		else return;
		e.preventDefault();
	});
})();
