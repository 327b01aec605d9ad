/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text of a site: HTML, and data for its script. Everything that comes from the store is
 * escaped. Pure.
 */
#ifndef SITE_SITE_TEXT_H
#define SITE_SITE_TEXT_H

#include "site/site_model.h"

/* Append a number for people; NAN appends a dash. */
void site_put_value(struct buf *b, double value, struct text unit);
void site_put_percent(struct buf *b, double ratio); /* "+5.1%" of the ratio 1.051 */
void site_put_margin(struct buf *b, double margin); /* "±5.1%" of 0.051 */
/* Appends the percentage of a change and, if it is known, its interval. */
void site_put_size(struct buf *b, const struct site_change *c);
/* Appends the date of a time of the store: its first ten characters. */
void site_put_date(struct buf *b, struct text at);
/* Appends a commit, abbreviated and linked, or the run of a place without a commit. */
void site_put_place(struct buf *b, const struct site_model *m, size_t place);
/* Returns the name of a benchmark, with its kind if another kind has this name, or "(no
 * name)" if one would see nothing. */
struct text site_bench(const struct site_series *s);
/* Appends the factors of a series, such as "n=1000 dtype=f32". */
void site_put_factors(struct buf *b, const struct site_series *s);
/* Appends the host, or "unknown host". */
void site_put_host(struct buf *b, const struct site_series *s);
/* Appends the verdict of a change of a series, or of the series if there is none, with a
 * sign next to the word, and whether env changed there. */
void site_put_verdict(struct buf *b, const struct site_model *m,
    const struct site_series *s, const struct site_change *c);
/* Appends a time as RFC 3339 in seconds, for attributes and feeds. */
void site_put_stamp(struct buf *b, struct text at);

/* Append data as JavaScript, safe inside a script: */
void site_js_text(struct buf *b, struct text t);
void site_js_integer(struct buf *b, int64_t n);
void site_js_number(struct buf *b, double x, int digits); /* NAN: null */
void site_js_factor(void *b, struct factor f); /* "name=value"; for site_factors() */
/* {a: first, d: difference, n: count}, or an array of differences. */
void site_js_integers(
    struct buf *b, size_t count, int64_t (*get)(const void *, size_t), const void *ctx);

#endif
