/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words and colors of a flame graph; see flame_draw_priv.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "flame/flame_draw_priv.h"
#include "text/plural.h"
#include "text/units.h"

enum { TOLD = 5 }; /* number of frames in a description */

static void put_amount(struct buf *b, double value, const struct flame_words *w)
{
	size_t len = strlen(w->metric);
	char text[64];

	units_print(text, sizeof(text), value, w->unit);
	buf_str(b, text);
	if (strcmp(w->unit, "1") != 0)
		return;
	/* "1 sample", "2 samples" */
	if (value == 1 && len > 1 && w->metric[len - 1] == 's')
		len--;
	buf_printf(b, " %.*s", (int)len, w->metric);
}

/* Appends a share such as "12.3%". */
static void put_share(struct buf *b, double value, double total)
{
	buf_printf(b, "%.3g%%", total > 0 ? 100 * value / total : 0);
}

static const char *const verdicts[] = {
	[FLAME_UNTESTED] = "",
	[FLAME_NOISE] = "within noise",
	[FLAME_MORE] = "more",
	[FLAME_LESS] = "less",
};

void flame_tell(struct buf *b, const struct flame_plot *p, const struct flame_box *box,
    const struct flame_words *w)
{
	bool shown_old = box->gone;
	enum flame_side side = shown_old ? FLAME_OLD : FLAME_NEW;

	if (box->depth == 0 && box->gone) {
		buf_printf(b, "only in %s, by caller", w->old);
		return;
	}
	buf_text(b, box->name.len ? box->name : text_of("all"));
	if (box->depth == 1 && box->gone) {
		buf_printf(b, ": callees only in %s", w->old);
		return;
	}
	buf_str(b, ": ");
	put_share(b, box->value[side], p->total[side]);
	buf_str(b, ", ");
	put_amount(b, box->value[side], w);
	if (box->own > 0 && box->own < box->value[side]) {
		buf_str(b, ", self ");
		put_share(b, box->own, p->total[side]);
	}
	if (!p->both || box->depth == 0)
		return;
	if (shown_old) {
		buf_printf(b, ", only in %s", w->old);
	} else {
		buf_str(b, "; was ");
		put_share(b, box->value[FLAME_OLD], p->total[FLAME_OLD]);
	}
	if (!isnan(box->p))
		buf_printf(b, "; %s, p %.2g", verdicts[box->verdict], box->p);
}

void flame_explain(struct buf *b, const struct flame_plot *p, const struct flame_words *w)
{
	put_amount(b, p->total[FLAME_NEW], w);
	if (p->both) {
		buf_printf(b, " in %s against ", w->new);
		put_amount(b, p->total[FLAME_OLD], w);
		buf_printf(b, " in %s", w->old);
	}
	if (p->runs[FLAME_NEW] > 1)
		buf_printf(b, ", %zu runs", p->runs[FLAME_NEW]);
	if (*w->held)
		buf_printf(b, "; %s", w->held);
	if (p->hidden)
		buf_printf(b, "; %zu %s frame%s left out", p->hidden,
		    p->cut ? "narrower or deeper" : "narrower", plural_s(p->hidden));
	if (w->failed)
		buf_printf(b, "; %zu stack%s of failed runs left out", w->failed,
		    plural_s(w->failed));
	buf_str(b, "\n");
	if (p->both && p->tested)
		buf_printf(b,
		    "red: larger share than in %s, blue: smaller share, gray: within "
		    "noise at %.4g%%; dashed, at the right: only in %s\n",
		    w->old, 100 * w->confidence, w->old);
	else if (p->both)
		buf_printf(b,
		    "differences are not tested, because the values are not counts and a "
		    "side has fewer than 3 runs; dashed, at the right: only in %s\n",
		    w->old);
}

/* Returns the box that follows `last` in descending order of self values; the first box if
 * last is NULL, and NULL at the end. */
static const struct flame_box *next_widest(
    const struct flame_plot *p, const struct flame_box *last)
{
	const struct flame_box *widest = NULL;

	for (size_t i = 0; i < p->count; i++) {
		const struct flame_box *box = &p->box[i];
		bool after =
		    !last || box->own < last->own || (box->own == last->own && box > last);

		if (after && box->own > 0 && !box->gone && box->depth > 0 &&
		    (!widest || box->own > widest->own))
			widest = box;
	}
	return widest;
}

void flame_describe(struct buf *b, const struct flame_plot *p, const struct flame_words *w)
{
	const struct flame_box *box = NULL;
	struct buf said = { 0 };
	char *rest;

	buf_str(b, "A flame graph: each frame lies on its caller, and its width is its "
	           "value. ");
	flame_explain(&said, p, w);
	rest = said.ptr;
	for (char *line; (line = strsep(&rest, "\n")) && *line;)
		buf_printf(b, "%s. ", line);
	buf_free(&said);
	for (int i = 0; i < TOLD && (box = next_widest(p, box)); i++) {
		buf_str(b, i ? "; " : "Largest self values: ");
		flame_tell(b, p, box, w);
	}
}

/* Chooses a warm color from the name, so that a function has the same color in every
 * graph. */
static void by_name(char out[8], struct text name)
{
	uint64_t h = text_hash(name, 0);

	snprintf(out, 8, "#%02x%02x%02x", 205 + (unsigned)(h % 51),
	    110 + (unsigned)(h >> 16) % 110, 40 + (unsigned)(h >> 32) % 60);
}

void flame_color(char out[8], const struct flame_plot *p, const struct flame_box *box)
{
	double old =
	    p->total[FLAME_OLD] > 0 ? box->value[FLAME_OLD] / p->total[FLAME_OLD] : 0;
	double new =
	    p->total[FLAME_NEW] > 0 ? box->value[FLAME_NEW] / p->total[FLAME_NEW] : 0;
	/* Pale for no change, strong where the share doubles or halves. */
	double part = old + new > 0 ? fabs(new - old) / (new + old) * 3 : 0;
	unsigned pale = 215 - (unsigned)(100 * fmin(1, part));

	if (!p->both) {
		by_name(out, box->name);
		return;
	}
	switch (box->verdict) {
	case FLAME_MORE:
		snprintf(out, 8, "#f0%02x%02x", pale, pale - 20);
		break;
	case FLAME_LESS:
		snprintf(out, 8, "#%02x%02xf5", pale - 10, pale + 15);
		break;
	case FLAME_NOISE:
	case FLAME_UNTESTED:
		snprintf(out, 8, "#d2d2cf");
		break;
	}
}
