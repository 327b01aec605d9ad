/*
 * bench-compare --since-change: the newest value of each series beside all those since it
 * changed last, whatever runs they came from.
 */
#ifndef SINCE_CHANGE_H
#define SINCE_CHANGE_H

#include <stdio.h>

#include "adjust.h"
#include "history.h"
#include "latest.h"
#include "render.h"

struct since_change {
	const struct history_series *series;
	size_t from; /* the first of the old points; the newest is the series' last */
	struct latest latest;
};

/*
 * The newest point of each series of two or more whose newest lies in the range asked for,
 * after history_find that left it out. p are corrected together. Returns an array to free.
 */
struct since_change *since_change_all(const struct history *h, double confidence,
    double threshold, enum adjust adjust, size_t *count);
/* 0, or -1 when writing failed (errno). */
int since_change_print(const struct history *h, const struct since_change *list,
    size_t count, FILE *out, enum render_format format);

#endif
