/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of bench-model(5) that make values and operations. Pure.
 */
#ifndef MODEL_MODEL_WORDS_H
#define MODEL_MODEL_WORDS_H

#include "model/model_build.h"

struct model_word {
	const char *name;
	uint32_t least_ins, most_ins, most_outs;
	const char *args; /* that it may have, separated by spaces */
	/* Add what the line asks for to b->g, and put what it makes into b->out. */
	void (*build)(struct builder *b, const struct model_word *word);
	int which; /* of several words with one builder */
};

/* NULL when there is none of this name. */
const struct model_word *model_word_find(const char *name);

/* The tables that it is looked up in; each ends with a word without a name. */
extern const struct model_word model_words_value[], model_words_dense[],
    model_words_token[], model_words_element[];

#endif
