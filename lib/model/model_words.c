/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds words by name; see model_words.h.
 */
#include "model/model_words.h"

const struct model_word *model_word_find(const char *name)
{
	static const struct model_word *const tables[] = { model_words_value,
		model_words_dense, model_words_token, model_words_element };

	for (size_t t = 0; t < COUNT(tables); t++)
		for (const struct model_word *w = tables[t]; w->name; w++)
			if (strcmp(w->name, name) == 0)
				return w;
	return NULL;
}
