/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hands the choices of a tested engine's routers over to the reference. A small error of a
 * score may decide a near tie otherwise; the token then goes to another expert, and the
 * results are no longer comparable. The reference therefore continues with the tested
 * choices, which must be good by its own scores.
 */
#ifndef ENGINE_VERIFY_ROUTE_H
#define ENGINE_VERIFY_ROUTE_H

#include "engine/verify_position.h"

/* The differences between the choices. */
struct route_difference {
	uint64_t choices, differing;
	/* The largest amount by which the score of a tested choice is less than that of the
	 * worst choice of the reference, relative to the largest score. */
	double apart;
};

/*
 * Runs a phase of the reference like engine_run, and follows the positions that it finds in
 * `trail`. With a tested engine, which must have the option keep_choices, the reference
 * makes the choices that the tested engine made in its last run of that phase, and their
 * differences are added to `d`. Returns 0, or -1 and the message, even if a choice is not
 * an expert.
 */
int verify_route_run(struct engine *ref, struct engine *tested, enum model_phase phase,
    int64_t past, struct position_trail *trail, struct route_difference *d,
    struct fault *f);

#endif
