/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares integers with those of the reference. Integers that are the positions of the
 * largest elements of a row, or the choices of a router, differ where a small error decides
 * a near tie otherwise: the error of such a position is the amount by which its element
 * differs from that which the reference has chosen. All other integers must be equal.
 */
#ifndef ENGINE_VERIFY_POSITION_H
#define ENGINE_VERIFY_POSITION_H

#include "engine/engine.h"

/* The differences between integers. */
struct integer_difference {
	uint64_t integers, differing;
	uint64_t positions, positions_differing; /* those of them that are positions */
	/* The largest amount by which an element at a tested position differs from the
	 * element at the position of the reference, relative to the largest element. */
	double apart;
};

struct position_trail;

/* Begins to follow the positions that a phase of the reference finds. */
struct position_trail *position_trail_open(
    struct engine *ref, enum model_phase phase, int64_t past);
/* Frees a trail; NULL is allowed. */
void position_trail_close(struct position_trail *t);
/* Follows the positions through a node that the reference has just run. Returns 0, or -1
 * and the message. */
int position_trail_note(struct position_trail *t, size_t node, struct fault *f);
/* Compares the integers of a value of the reference with the tested ones, and adds to the
 * differences. Returns 0, or -1 and the message if a tested integer is not a position of
 * its row, or occurs twice in it. */
int position_trail_compare(const struct position_trail *t, uint32_t value,
    const double *tested, const double *own, struct integer_difference *d, struct fault *f);

#endif
