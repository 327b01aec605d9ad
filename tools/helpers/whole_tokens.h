/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generates tokens with two models on an engine: one for the prompt, and one for each later
 * token. States go from the first to the second, and from each run of the second to the
 * next. Failures end the process.
 */
#ifndef TOOLS_HELPERS_WHOLE_TOKENS_H
#define TOOLS_HELPERS_WHOLE_TOKENS_H

#include "whole_pass.h"

/* The two models. */
struct whole_tokens {
	struct whole_pass *prompt, *step; /* step is NULL if one token is generated */
	char *next;                       /* the name of the state with the new tokens */
	double *drawn;                    /* a buffer for the tokens ... */
	size_t count;                     /* ... and their number */
	struct {
		size_t from, to; /* an output of prompt, an input of step */
	} * state;
	size_t states;
	bool fresh;       /* whether the next step continues the prompt */
	size_t past_port; /* the input of step for the number of earlier tokens */
	int64_t past;     /* the number of tokens before the first step */
};

/* Connects the models. The inputs of both are set. */
void whole_tokens_open(struct whole_tokens *t);
void whole_tokens_close(struct whole_tokens *t);
/* Runs the prompt. The next step begins with its states. */
void whole_tokens_run_prompt(struct whole_tokens *t);
/* Runs a step after `past` earlier tokens. */
void whole_tokens_run_step(struct whole_tokens *t, int64_t past);
/* Reads the new tokens of the last run of a model, as an application would. */
void whole_tokens_take(struct whole_tokens *t, const struct whole_pass *from);

#endif
