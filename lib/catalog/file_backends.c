/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the backends that can run a model file; see file_backends.h.
 */
#include <stdlib.h>
#include <string.h>

#include "catalog/file_backends.h"
#include "device/whole_model.h"
#include "translate/onnx_import.h"

/* Returns why backends without an engine cannot run a model, which the caller frees; or
 * NULL. */
static char *import_trouble(
    const struct onnx_model *model, const struct binding *param, size_t params)
{
	struct graph g;
	struct fault f;

	if (onnx_import(model, param, params, BACKEND_FLOAT32, &g, &f) != 0)
		return str_copy(f.text);
	graph_free(&g);
	return NULL;
}

/* Returns why a backend cannot run the file, which the caller frees; or NULL. `trouble` is
 * that of an import. */
static char *backend_trouble(const struct device_backend *b, const char *path,
    const struct onnx_model *model, const char *trouble)
{
	const char *dot = strrchr(path, '.');

	if (*b->formats ? !whole_model_reads(b->formats, path) : !model)
		return str_format("it does not read %s files", dot ? dot : "such");
	if (!b->usable)
		return str_copy(b->why);
	return !*b->formats && trouble ? str_copy(trouble) : NULL;
}

/* Returns whether a backend says nothing about the file: without an engine, it has no
 * device on this machine. */
static bool is_silent(const struct device_backend *b)
{
	return !*b->formats && !b->usable;
}

/* Appends the names of the backends from the first one on that have its reason, and the
 * reason. */
static void put_unable(
    struct buf *b, const struct devices *d, char *const *why, size_t first)
{
	const char *before = b->len ? "; " : "";

	for (size_t i = 0; i < first; i++)
		if (why[i] && strcmp(why[i], why[first]) == 0)
			return;
	for (size_t i = first; i < d->backends; i++)
		if (why[i] && strcmp(why[i], why[first]) == 0) {
			buf_printf(b, "%s%s", before, d->backend[i].file->name);
			before = ", ";
		}
	buf_printf(b, ": %s", why[first]);
}

void file_backends_find(struct file_backends *out, const struct devices *d,
    const char *path, const struct onnx_model *model, const struct binding *param,
    size_t params)
{
	char *trouble = model ? import_trouble(model, param, params) : NULL;
	char **why = mem_zero(d->backends + 1, sizeof(*why));

	*out = (struct file_backends){ 0 };
	for (size_t i = 0; i < d->backends; i++) {
		if (is_silent(&d->backend[i]))
			continue;
		why[i] = backend_trouble(&d->backend[i], path, model, trouble);
		if (!why[i])
			buf_printf(&out->able, "%s%s", out->able.len ? " " : "",
			    d->backend[i].file->name);
	}
	for (size_t i = 0; i < d->backends; i++)
		if (why[i])
			put_unable(&out->unable, d, why, i);
	for (size_t i = 0; i < d->backends; i++)
		free(why[i]);
	free(why);
	free(trouble);
}

void file_backends_free(struct file_backends *b)
{
	buf_free(&b->able);
	buf_free(&b->unable);
}
