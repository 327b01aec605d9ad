/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flame graphs (B. Gregg, "The flame graph", Communications of the ACM 59 (2016)): stacks
 * become a tree of frames, each as wide as what all stacks through it add up to. With two
 * sides the new one is drawn to its scale, and what only the old one has stands beside it,
 * as nothing in the new side is wide enough to hold it. No I/O.
 */
#ifndef FLAME_FLAME_H
#define FLAME_FLAME_H

#include "profile/stacks.h"

enum flame_side { FLAME_OLD, FLAME_NEW, FLAME_SIDES };

/* The verdict on a difference between the sides. */
enum flame_verdict {
	FLAME_UNTESTED, /* the values are no counts, and there are too few runs */
	FLAME_NOISE,
	FLAME_MORE,
	FLAME_LESS,
};

struct flame;
struct flame *flame_open(void);
/*
 * Adds a value, not negative, to a stack: names from the outermost on, with ';' between
 * them. run is any number that tells runs of a side apart.
 */
void flame_add(
    struct flame *f, enum flame_side side, uint32_t run, struct text stack, double value);
/* Sums up after the last value. Returns whether the new side, and the old one where it has
 * runs, has a value above 0. */
bool flame_finish(struct flame *f);
void flame_close(struct flame *f);

struct flame_place_opts {
	double least;      /* share of the width below which a frame is left out */
	bool counts;       /* values count events, so that they can be tested */
	double confidence; /* 1 - confidence is what a p, corrected, must be below */
};

struct flame_box {
	double x, width; /* of the whole picture, 0 to 1 */
	size_t depth;    /* 0: everything */
	struct text name;
	double value[FLAME_SIDES]; /* with all that was called */
	double own;                /* of the drawn side: stacks that end here */
	bool gone;                 /* of the old side alone */
	double p;                  /* corrected by Holm's method; NAN: not tested */
	enum flame_verdict verdict;
};

/*
 * A flame graph as boxes: by depth, then x; siblings are in order of name. Frames that only
 * the old side has stand on the right, below a box of depth 0 without a name and one of
 * depth 1 that has the callers they are missing from, as wide as their share of the old
 * side.
 *
 * A difference is tested between shares of the total: where both sides have at least 3
 * runs, between the runs' shares by Welch's test; else, of counts, by Fisher's exact test
 * (R. A. Fisher, Journal of the Royal Statistical Society 98 (1935)), which takes samples
 * for independent.
 */
struct flame_picture {
	struct flame_box *box;
	size_t count;
	size_t depths; /* 1 + the largest */
	size_t hidden; /* frames that were narrower */
	double total[FLAME_SIDES];
	size_t runs[FLAME_SIDES];
	size_t tested; /* boxes with a p */
	bool both;     /* there are two sides */
	struct buf texts;
};

void flame_place(
    const struct flame *f, const struct flame_place_opts *opts, struct flame_picture *out);
void flame_picture_free(struct flame_picture *p);

#endif
