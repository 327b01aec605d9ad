/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The definition of a model: its lines, and what was read from them. Pure.
 */
#ifndef MODEL_MODEL_PRIV_H
#define MODEL_MODEL_PRIV_H

#include "model/model.h"
#include "model/model_list.h"
#include "model/onnx_file.h"

struct model {
	char *path[2]; /* of the files that its lines come from */
	struct model_list list;
	size_t blocks;                     /* the number of lines of blocks.csv */
	size_t from, to;                   /* its lines: from to to - 1 */
	const char *name, *arch, *summary; /* from its first line */
	struct model_symbol *symbol;
	size_t symbols, symbol_cap;
	bool generates; /* it has the symbol new_tokens */
	/* Of a model in an ONNX file, which has no lines; NULL for lists. */
	struct onnx_file *onnx;
	char *onnx_name, *onnx_summary;
};

/* Opens an ONNX file, whose open dimensions become the symbols of the model. Returns NULL
 * and the message on failure. */
struct model *model_onnx_open(const char *path, struct fault *f);
/* Frees what model_onnx_open added. */
void model_onnx_close(struct model *m);

/*
 * Finds the model or kernel of this name among the lines after m->blocks, or the first one
 * if the name is NULL, and reads its symbols. Returns 0, or -1 and the message.
 */
int model_learn(struct model *m, const char *first_word, const char *name, struct fault *f);
/* Returns the names of the lists that begin with this word, sorted and ended by NULL. */
char **model_list_names(const struct model_list *l, const char *first_word);

#endif
