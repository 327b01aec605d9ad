/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flame graphs (B. Gregg, "The flame graph", Communications of the ACM 59 (2016)): stacks
 * become a tree of frames, and the width of a frame is the sum of all stacks that contain
 * it. With two sides, the new side is drawn to its scale, and frames that only the old side
 * has are drawn at the right of it, because no frame of the new side is wide enough to hold
 * them. No I/O.
 */
#ifndef FLAME_FLAME_H
#define FLAME_FLAME_H

#include "profile/stacks.h"

enum flame_side { FLAME_OLD, FLAME_NEW, FLAME_SIDES };

/* The verdict on a difference between the sides. */
enum flame_verdict {
	FLAME_UNTESTED, /* the values are not counts, and there are too few runs */
	FLAME_NOISE,
	FLAME_MORE,
	FLAME_LESS,
};

struct flame;
struct flame *flame_open(void);
/*
 * Adds a value of at least 0 to a stack, which is a list of names separated by ';',
 * outermost first. run is any number that identifies a run of the side.
 */
void flame_add(
    struct flame *f, enum flame_side side, uint32_t run, struct text stack, double value);
/* Computes the sums after the last value. Returns whether the new side, and the old side if
 * it has runs, have a value above 0. */
bool flame_finish(struct flame *f);
void flame_close(struct flame *f);

/*
 * The frames and levels of a graph, at most. More make an SVG of tens of megabytes that
 * no browser handles with ease, as deep recursion does.
 */
enum { FLAME_BOXES_MOST = 20000, FLAME_DEPTH_MOST = 500 };

struct flame_place_opts {
	double least;      /* narrower frames are left out; a fraction of the width */
	bool counts;       /* values are counts of events, which can be tested */
	double confidence; /* a corrected p below 1 - confidence is significant */
};

struct flame_box {
	double x, width; /* fractions of the graph's width */
	size_t depth;    /* 0: the root */
	struct text name;
	double value[FLAME_SIDES]; /* including callees */
	double own;                /* of the drawn side, without callees */
	bool gone;                 /* only in the old side */
	double p;                  /* corrected by Holm's method; NAN: not tested */
	enum flame_verdict verdict;
};

/*
 * A flame graph as boxes, sorted by depth, then x; siblings are sorted by name. Frames that
 * only the old side has are at the right. Their root is a box of depth 0 without a name,
 * and the boxes of depth 1 on it are the callers that lack them. Their width is their share
 * of the old side.
 *
 * The test of a difference compares shares of the total. If both sides have at least 3
 * runs, it is Welch's test of the runs' shares; otherwise, for counts, it is Fisher's exact
 * test (R. A. Fisher, Journal of the Royal Statistical Society 98 (1935)), which assumes
 * that samples are independent.
 */
struct flame_plot {
	struct flame_box *box;
	size_t count;
	size_t depths; /* 1 + the largest depth */
	size_t hidden; /* number of frames left out */
	bool cut; /* some of them are wide enough, but there are too many or too deep */
	double total[FLAME_SIDES];
	size_t runs[FLAME_SIDES];
	size_t tested; /* boxes with a p */
	bool both;     /* there are two sides */
	struct buf texts;
};

/* Fills out with the boxes of a flame graph. */
void flame_place(
    const struct flame *f, const struct flame_place_opts *opts, struct flame_plot *out);
void flame_plot_free(struct flame_plot *p);

/* A function with the values of all its frames; a stack that contains it more than once
 * counts once. */
struct flame_function {
	struct text name;
	double self[FLAME_SIDES], total[FLAME_SIDES]; /* without and with callees */
	double p;                                     /* of the self share, as for a box */
	enum flame_verdict verdict;                   /* on the self share */
};

/*
 * Returns all functions, allocated. With one side, the largest self value is first. With
 * two, significant differences of the self share are first, and then the largest
 * differences.
 */
struct flame_function *flame_functions(
    const struct flame *f, const struct flame_place_opts *opts, size_t *count);

#endif
