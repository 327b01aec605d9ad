/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model as its modules know it: its lines, and what was learnt from them. Pure.
 */
#ifndef MODEL_MODEL_PRIV_H
#define MODEL_MODEL_PRIV_H

#include "model/model.h"
#include "model/model_list.h"

struct model {
	char *path[2]; /* of the files that its lines are of */
	struct model_list list;
	size_t blocks, from, to;           /* its lines: those of blocks, and its own */
	const char *name, *arch, *summary; /* of its first line */
	struct model_symbol *symbol;
	size_t symbols, symbol_cap;
	bool generates;
};

/*
 * Find the model or kernel of this name among the lines (NULL: the first one), where those
 * before m->blocks are definitions that every list may use, and learn its symbols. 0 or -1.
 */
int model_learn(struct model *m, const char *first_word, const char *name, struct fault *f);
/* The names that lines with this first word give; NULL-ended, sorted. */
char **model_list_names(const struct model_list *l, const char *first_word);

#endif
