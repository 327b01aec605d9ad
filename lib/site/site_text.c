/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes HTML, and data for the script of a site; see site_text.h. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "site/site_text.h"
#include "text/display_text.h"
#include "text/markup.h"
#include "text/units.h"

enum { DATE_SHOWN = 10, STAMP_SHOWN = 19 };

void site_put_value(struct buf *b, double value, struct text unit)
{
	char name[64], text[96];

	if (isnan(value)) {
		buf_str(b, "\u2013");
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)unit.len, unit.ptr);
	units_print(text, sizeof(text), value, name);
	markup_text(b, text_of(text));
}

void site_put_percent(struct buf *b, double ratio)
{
	double percent = (ratio - 1) * 100;
	char shown[320]; /* the largest double has 309 digits */

	if (!isfinite(ratio)) {
		buf_str(b, "\u2013");
		return;
	}
	snprintf(shown, sizeof(shown), "%.*f", fabs(percent) < 100, fabs(percent));
	/* A change that is shown as 0 has no sign. */
	if (strcmp(shown, "0.0") != 0)
		buf_str(b, percent < 0 ? "\u2212" : "+");
	buf_printf(b, "%s%%", shown);
}

void site_put_margin(struct buf *b, double margin)
{
	if (isfinite(margin))
		buf_printf(b, "\u00b1%.1f%%", margin * 100);
}

void site_put_size(struct buf *b, const struct site_change *c)
{
	site_put_percent(b, c->ratio);
	if (!isfinite(c->lo) || !isfinite(c->hi))
		return;
	buf_str(b, " <span class=\"faint\">(");
	site_put_percent(b, c->lo);
	buf_str(b, " to ");
	site_put_percent(b, c->hi);
	buf_str(b, ")</span>");
}

void site_put_date(struct buf *b, struct text at)
{
	markup_text(b, (struct text){ at.ptr, at.len < DATE_SHOWN ? at.len : DATE_SHOWN });
}

void site_put_stamp(struct buf *b, struct text at)
{
	markup_text(
	    b, (struct text){ at.ptr, at.len < STAMP_SHOWN ? at.len : STAMP_SHOWN });
	buf_byte(b, 'Z');
}

void site_put_place(struct buf *b, const struct site_model *m, size_t place)
{
	const struct site_place *p = &m->place[place];

	if (p->commit.len) {
		html_commit(b, p->commit, m->opts->repo_url);
		return;
	}
	buf_str(b, "run ");
	markup_text(b, p->run);
}

struct text site_bench(const struct site_series *s)
{
	struct text bench = s->name[SITE_BENCH];

	if (s->label)
		return text_of(s->label);
	for (size_t i = 0; i < bench.len; i++)
		if (bench.ptr[i] != ' ')
			return bench;
	return TEXT("(no name)");
}

static void put_factor(void *ctx, struct factor f)
{
	struct buf *b = ctx;

	if (!f.value.len)
		return;
	buf_byte(b, ' ');
	markup_text(b, f.name);
	buf_byte(b, '=');
	markup_text(b, f.value);
}

void site_put_factors(struct buf *b, const struct site_series *s)
{
	size_t from = b->len;

	site_factors(s, put_factor, b);
	if (b->len > from) { /* without the first space */
		memmove(b->ptr + from, b->ptr + from + 1, b->len - from);
		b->len--;
	}
}

void site_put_host(struct buf *b, const struct site_series *s)
{
	if (s->name[SITE_HOST].len)
		markup_text(b, s->name[SITE_HOST]);
	else
		buf_str(b, "unknown host");
}

/* Returns whether a step of a series came with another env. */
static bool env_changed(
    const struct site_model *m, const struct site_series *s, const struct site_change *c)
{
	const struct site_point *at = &s->point[c->change.at];
	const char *before, *after;

	if (c->drift || !c->change.at)
		return false;
	before = m->cache.visit[at[-1].visit].env;
	after = m->cache.visit[at->visit].env;
	return *before && *after && strcmp(before, after) != 0;
}

void site_put_verdict(struct buf *b, const struct site_model *m,
    const struct site_series *s, const struct site_change *c)
{
	const enum site_verdict verdict = c ? c->verdict : s->verdict;

	static const struct {
		const char *class, *sign;
	} look[SITE_VERDICTS] = {
		[SITE_SHORT] = { "faint", "" },
		[SITE_SAME] = { "same", "= " },
		[SITE_BETTER] = { "better", "\u2713 " },
		[SITE_WORSE] = { "worse", "\u2717 " },
		[SITE_DIFFERS] = { "unsure", "\u2260 " },
	};

	buf_printf(b, "<span class=\"%s\">%s%s%s</span>", look[verdict].class,
	    look[verdict].sign, site_verdict_names[verdict],
	    c && c->drift ? " (drift)" : "");
	if (c && env_changed(m, s, c))
		buf_str(b, " <span class=\"faint\">(env changed)</span>");
}

void site_js_text(struct buf *b, struct text t)
{
	struct buf clean = { 0 };

	display_text_label(&clean, t, true);
	buf_byte(b, '"');
	for (size_t i = 0; i < clean.len; i++) {
		unsigned char c = (unsigned char)clean.ptr[i];

		if (c == '"' || c == '\\' || c == '<' || c < ' ')
			buf_printf(b, "\\u%04x", c);
		else
			buf_byte(b, (char)c);
	}
	buf_byte(b, '"');
	buf_free(&clean);
}

void site_js_integer(struct buf *b, int64_t n)
{
	char digit[24], *p = digit + sizeof(digit);
	uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;

	do
		*--p = (char)('0' + rest % 10);
	while (rest /= 10);
	if (n < 0)
		*--p = '-';
	buf_put(b, p, (size_t)(digit + sizeof(digit) - p));
}

void site_js_factor(void *ctx, struct factor f)
{
	struct buf *b = ctx, both = { 0 };

	if (!f.value.len)
		return;
	buf_text(&both, f.name);
	buf_byte(&both, '=');
	buf_text(&both, f.value);
	site_js_text(b, text_in(&both));
	buf_byte(b, ',');
	buf_free(&both);
}

void site_js_number(struct buf *b, double x, int digits)
{
	if (isfinite(x))
		buf_printf(b, "%.*g", digits, x);
	else
		buf_str(b, "null");
}

void site_js_integers(
    struct buf *b, size_t count, int64_t (*get)(const void *, size_t), const void *ctx)
{
	int64_t first = count ? get(ctx, 0) : 0, step = count > 1 ? get(ctx, 1) - first : 0;
	int64_t last = 0;
	size_t i = 0;

	while (i < count && get(ctx, i) == first + (int64_t)i * step)
		i++;
	if (i == count) {
		buf_printf(b, "{a:%" PRId64 ",d:%" PRId64 ",n:%zu}", first, step, count);
		return;
	}
	buf_byte(b, '[');
	for (i = 0; i < count; i++) {
		int64_t now = get(ctx, i);

		if (i)
			buf_byte(b, ',');
		site_js_integer(b, now - last);
		last = now;
	}
	buf_byte(b, ']');
}
