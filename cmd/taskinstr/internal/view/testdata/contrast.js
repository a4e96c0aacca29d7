// Returns the texts whose contrast is below that of WCAG 2.1, level AA (1.4.3): 4.5, or 3 for
// large text. Also interactive elements smaller than 24 pixels (2.5.8), except links in text.
(() => {
	const rgb = (text) => (text.match(/[\d.]+/g) || []).map(Number);
	const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const ratio = (a, b) => {
		const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
		return (x + 0.05) / (y + 0.05);
	};
	const ground = (e) => {
		for (; e; e = e.parentElement) {
			const c = rgb(getComputedStyle(e).backgroundColor);
			if (c.length === 3 || c[3] === 1) return c;
			if (c[3] > 0) return [255, 0, 255]; // no colour of the page is translucent
		}
		return rgb(getComputedStyle(document.body).backgroundColor);
	};
	const bad = [];
	let n = 0;
	const judge = (e, color, text) => {
		const s = getComputedStyle(e), size = parseFloat(s.fontSize);
		const large = size >= 24 || size >= 18.66 && Number(s.fontWeight) >= 700;
		const r = ratio(rgb(color), ground(e));
		n++;
		if (r < (large ? 3 : 4.5)) bad.push(r.toFixed(2) + " " + (e.className.baseVal ?? e.className) + " " + text.trim().slice(0, 40));
	};
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let t = walk.nextNode(); t; t = walk.nextNode()) {
		const e = t.parentElement;
		if (!t.data.trim() || !e.checkVisibility() || e.closest("script, title")) continue;
		const s = getComputedStyle(e);
		judge(e, e instanceof SVGElement ? s.fill : s.color, t.data);
	}
	for (const e of document.querySelectorAll("input[type=search]")) judge(e, getComputedStyle(e, "::placeholder").color, e.placeholder);
	for (const e of document.querySelectorAll("summary, button, input[type=search], label.pill")) {
		const box = e.getBoundingClientRect();
		if (e.checkVisibility() && (box.height < 23.5 || box.width < 23.5)) bad.push("too small: " + e.tagName + " " + box.width + "x" + box.height);
	}
	return {bad, n};
})()
