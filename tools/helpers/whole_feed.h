/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets the inputs of a model on an engine: from sources, as masks of tokens, or drawn. All
 * batches are prepared before the first run. Failures end the process.
 */
#ifndef TOOLS_HELPERS_WHOLE_FEED_H
#define TOOLS_HELPERS_WHOLE_FEED_H

#include "engine/exported_list.h"
#include "whole_pass.h"

struct whole_feed_opts {
	const struct exported_list_opts *config; /* parameters, seed and sources */
	const struct graph *known; /* of a model file; NULL if it is unknown */
};

/* An input with several batches. */
struct whole_feed_input {
	size_t port;
	int64_t size[BACKEND_PORT_DIMS];
	struct buf elements; /* of all batches */
	size_t bytes;        /* of one batch */
};

struct whole_feed {
	struct whole_pass *pass;
	struct whole_feed_input *input;
	size_t inputs, cap;
	uint64_t turn; /* the number of calls of whole_feed_next */
	bool masks;    /* whether a mask marks padding */
};

/* Prepares all inputs of a loaded model, and sets their first batches. */
void whole_feed_open(
    struct whole_feed *feed, struct whole_pass *pass, const struct whole_feed_opts *opts);
void whole_feed_close(struct whole_feed *feed);
/* Sets the next batch of each input that has several, in turn. The first call changes
 * nothing, because the first batch is already set. */
void whole_feed_next(struct whole_feed *feed);

#endif
