/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tokens that models generate: one lane for each request, with a mark for each token
 * along the time since the request began, in ns.
 */
#ifndef FIGURE_FIGURE_TOKENS_H
#define FIGURE_FIGURE_TOKENS_H

#include "figure/figure.h"

struct token_mark {
	double from_ns, at_ns; /* the time of the token before, or 0, and its own */
	bool late;             /* the time between them is above its limit */
};

struct token_lane {
	size_t series;
	char *label;
	struct token_mark *mark; /* of the first token, then of others that are drawn */
	size_t marks;
	size_t tokens;
};

struct tokens_figure {
	struct figure common;    /* its limit is that of the first token */
	struct token_lane *lane; /* by series */
	size_t lanes;
	bool late;        /* a token is late */
	bool same_tokens; /* all requests have the same number of tokens */
};

extern const struct figure_source figure_tokens;

#endif
