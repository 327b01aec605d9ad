/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the files of models and kernels; see model.h. The other files of this room are
 * pure.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/dir_names.h"
#include "base/paths.h"
#include "model/model.h"
#include "model/model_priv.h"
#include "text/near_name.h"

/* Appends the lines of a file, whose path becomes the model's. Returns 0, or -1 and the
 * message. */
static int read_list(struct model *m, size_t which, char *path, struct fault *f)
{
	struct buf b = { 0 };
	int status;

	m->path[which] = path;
	status = file_read(path, &b, f);
	if (status == 0)
		status = model_list_read(
		    &m->list, text_in(&b), m->path[which], f);
	buf_free(&b);
	return status;
}

/* Opens a list and finds a model in it. The path becomes the model's. */
static struct model *open_list(
    char *path, const char *first_word, const char *name, struct fault *f)
{
	struct model *m = mem_zero(1, sizeof(*m));

	m->path[1] = path;
	if (read_list(m, 0, share_path("kernels/blocks.csv"), f) == 0) {
		m->blocks = m->list.count;
		if (read_list(m, 1, path, f) == 0 &&
		    model_learn(m, first_word, name, f) == 0)
			return m;
	}
	model_close(m);
	return NULL;
}

/* Writes the message about a name that does not exist, and frees the names. Returns
 * NULL. */
static void *unknown_list(const char *what, const char *name, char **names, struct fault *f)
{
	bool is_pattern = strpbrk(name, "*?[");
	struct known_names known = { .advice = *what == 'm'
		                                   ? "for a file of your own, use ./FILE"
		                                   : "see bench-list kernels" };
	char words[32];

	if (!names)
		return NULL;
	for (size_t i = 0; names[i]; i++)
		known_names_add(&known, text_of(names[i]));
	snprintf(words, sizeof(words), is_pattern ? "no %s matches" : "unknown %s", what);
	unknown_name(f, words, text_of(name), &known);
	shell_words_free(names);
	return NULL;
}

bool model_name_matches(const char *pattern, const char *name)
{
	return strcmp(pattern, "all") == 0 || fnmatch(pattern, name, FNM_CASEFOLD) == 0;
}

struct model *model_open(const char *name, struct fault *f)
{
	if (onnx_file_is_named(name))
		return model_onnx_open(name, f);
	if (strchr(name, '/'))
		return open_list(str_copy(name), "model", NULL, f);
	char **names = model_names(f);
	for (size_t i = 0; names && names[i]; i++)
		if (strcmp(names[i], name) == 0) {
			char *file = str_format("models/%s.csv", name);
			char *path = share_path(file);

			free(file);
			shell_words_free(names);
			return open_list(path, "model", NULL, f);
		}
	return unknown_list("model", name, names, f);
}

struct model *kernel_open(const char *name, struct fault *f)
{
	char **names = kernel_names(f);

	for (size_t i = 0; names && names[i]; i++)
		if (strcmp(names[i], name) == 0) {
			shell_words_free(names);
			return open_list(
			    share_path("kernels/kernels.csv"), "kernel", name, f);
		}
	return unknown_list("kernel", name, names, f);
}

void model_close(struct model *m)
{
	if (!m)
		return;
	model_onnx_close(m);
	model_list_free(&m->list);
	free(m->symbol);
	for (size_t i = 0; i < COUNT(m->path); i++)
		free(m->path[i]);
	free(m);
}

char **model_names(struct fault *f)
{
	char *dir = share_path("models"), **file, **name = NULL;
	size_t files = dir_names(dir, &file), count = 0, cap = 0;

	if (!file)
		fault_errno(f, "%s", dir);
	for (size_t i = 0; i < files; i++) {
		size_t len = strlen(file[i]);

		if (len > 4 && strcmp(file[i] + len - 4, ".csv") == 0)
			*VEC_ADD(name, count, cap) = mem_text(file[i], len - 4);
	}
	if (file)
		*VEC_ADD(name, count, cap) = NULL;
	dir_names_free(file, files);
	free(dir);
	return name;
}

char **kernel_names(struct fault *f)
{
	struct model m = { 0 };
	char **names = NULL;

	if (read_list(&m, 1, share_path("kernels/kernels.csv"), f) == 0)
		names = model_list_names(&m.list, "kernel");
	model_list_free(&m.list);
	free(m.path[1]);
	return names;
}

const char *model_arch(const struct model *m)
{
	return m->arch;
}

const char *model_summary(const struct model *m)
{
	return m->summary;
}

void model_symbol_lengthen(struct model *m, size_t i)
{
	const char *name = m->symbol[i].name;

	m->symbol[i].name = m->symbol[i].longer;
	m->symbol[i].longer = name;
}

size_t model_symbols(const struct model *m, const struct model_symbol **out)
{
	*out = m->symbol;
	return m->symbols;
}
