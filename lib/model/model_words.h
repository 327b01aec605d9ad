/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of bench-model(5) that add values and operations. Pure.
 */
#ifndef MODEL_MODEL_WORDS_H
#define MODEL_MODEL_WORDS_H

#include "model/model_build.h"

/* A word, and the numbers of values that it takes and makes. */
struct model_word {
	const char *name;
	uint32_t least_ins, most_ins, most_outs;
	const char *args; /* the allowed arguments, separated by spaces */
	/* Adds the operations of the current line to b->g, and stores what it makes in
	 * b->out. */
	void (*build)(struct builder *b, const struct model_word *word);
	int which; /* distinguishes words that share a builder */
};

/* Returns the word of this name, or NULL. */
const struct model_word *model_word_find(const char *name);

/* The tables of words; each ends with a word without a name. */
extern const struct model_word model_words_value[], model_words_dense[],
    model_words_token[], model_words_element[];

#endif
