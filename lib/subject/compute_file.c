/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Combines model files with engines; see compute_file.h.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file_check.h"
#include "base/paths.h"
#include "model/onnx_file.h"
#include "port/port_shape.h"
#include "record/record.h"
#include "subject/compute_file.h"

/* The extensions of model files, and the end of the message that a backend does not read
 * such files; see bench-kernels(7). */
static const struct {
	const char *extensions, *advice;
} formats[] = {
	{ "onnx", "onnxruntime and openvino do" }, { "ort", "onnxruntime does" },
	{ "xml tflite pb pdmodel", "openvino does" },
	{ "gguf", "bench-engine(7) describes how to convert one to .xml" },
	{ "fake", NULL }, /* of a plug-in in tests/device/plugins */
};

/* Columns of kernels and models, which cannot also be dimensions. */
static const char *const own_columns[] = { "arch", "backend", "device", "device_type",
	"dtype", "engine", "input_shape", "rate", "threads", "workers" };

bool compute_file_is(const char *name)
{
	for (size_t i = 0; i < COUNT(formats); i++)
		if (whole_model_reads(formats[i].extensions, name))
			return true;
	return false;
}

const char *compute_file_bench(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int compute_file_check(const char *path, struct fault *f)
{
	if (file_check(path, f) < 0)
		return -1;
	return onnx_file_is_named(path) ? onnx_file_check(path, f) : 0;
}

bool compute_file_is_list(const char *path, const struct device_backend *b)
{
	return onnx_file_is_named(path) && !*b->formats;
}

/* Sets the message that a backend does not read the file. Returns -1. */
static int backend_lacks_format(const char *path, const char *backend, struct fault *f)
{
	const char *dot = strrchr(path, '.'), *advice = NULL;

	for (size_t i = 0; i < COUNT(formats); i++)
		if (whole_model_reads(formats[i].extensions, path))
			advice = formats[i].advice;
	return fault_set(f, "%s: backend '%s' does not read %s files%s%s", path, backend,
	    dot, advice ? "; " : "", advice ? advice : "");
}

/* Returns the options of the engine with their first values. The caller frees the array. */
static struct backend_option *first_options(const struct compute *c, size_t *count)
{
	struct backend_option *option = mem_zero(c->commons + 1, sizeof(*option));

	*count = 0;
	for (size_t i = 0; i < c->commons; i++)
		if (c->common[i].of_engine)
			option[(*count)++] = (struct backend_option){ c->common[i].name,
				c->common[i].value[0] };
	return option;
}

/* Returns whether a symbol can be a column of its own. */
static bool is_column(const char *symbol)
{
	bool usable = !column_reserved(text_of(symbol));

	for (size_t i = 0; i < COUNT(own_columns); i++)
		usable = usable && strcmp(own_columns[i], symbol) != 0;
	return usable;
}

void compute_file_name_symbols(struct template *t)
{
	const struct model_symbol *symbol;
	const size_t count = model_symbols(t->compute->model, &symbol);

	for (size_t i = 0; compute_file_is(t->list) && i < count; i++)
		if (!is_column(symbol[i].name))
			model_symbol_lengthen(t->compute->model, i);
}

/* Removes the symbols that cannot be columns. Their dimensions are named INPUT.K. */
static void drop_symbols(struct whole_model *m)
{
	for (size_t i = 0; i < m->ports; i++)
		for (uint32_t k = 0; k < m->port[i].dims; k++)
			if (!is_column(m->port[i].symbol[k]))
				*m->port[i].symbol[k] = '\0';
}

/* Loads the file, and stores its description. */
static int open_file(struct template *t, struct fault *f)
{
	struct compute *c = t->compute;
	struct backend_file file = { .name = c->backend, .path = c->path };
	struct backend_config device = { .abi = BACKEND_ABI, .device = c->device[0] };
	struct backend_model_source source = { .path = t->list };
	struct whole_model made;
	struct fault why;
	int status;

	char *share = share_path("");

	source.option = first_options(c, &source.options);
	device.share_dir = share;
	status = whole_model_describe(&file, &device, &source, &made, &why);
	free((void *)source.option);
	free(share);
	if (status < 0)
		return fault_set(f, "%s: backend '%s': %s", t->list, c->backend, why.text);
	if (c->whole)
		whole_model_free(c->whole);
	else
		c->whole = mem_zero(1, sizeof(*c->whole));
	*c->whole = made;
	drop_symbols(c->whole);
	if (!c->imported && onnx_file_is_named(t->list))
		c->imported = model_open(t->list, &why);
	return 0;
}

int compute_file_load(struct template *t, const struct device_backend *b, struct fault *f)
{
	if (!whole_model_reads(b->formats, t->list))
		return backend_lacks_format(t->list, b->file->name, f);
	return open_file(t, f);
}

/* Stores the name of a dimension in the rows. */
static void name_dimension(
    const struct backend_port *p, uint32_t dim, char name[PORT_DIMENSION_MAX])
{
	if (*p->symbol[dim])
		snprintf(name, PORT_DIMENSION_MAX, "%s", p->symbol[dim]);
	else
		port_dimension_name(p, dim, name);
}

/* Returns whether a sweep, or a common one, sets the first dimension, the batch. */
static bool is_batch_set(const struct template *t, const struct backend_port *p)
{
	const struct compute *c = t->compute;
	size_t sweeps = c->commons + t->sweeps;
	struct binding *known = mem_zero(sweeps + 1, sizeof(*known));
	bool set;

	for (size_t i = 0; i < sweeps; i++)
		known[i] = (struct binding){
			i < c->commons ? c->common[i].name : t->sweep[i - c->commons].name, ""
		};
	set = port_dimension_value(p, 0, known, sweeps);
	free(known);
	return set;
}

void compute_file_add_factors(struct template *t)
{
	const struct whole_model *m = t->compute->whole;
	char name[PORT_DIMENSION_MAX];

	for (size_t i = 0; i < m->inputs; i++)
		if (m->port[i].dims && m->port[i].size[0] < 0 &&
		    !is_batch_set(t, &m->port[i])) {
			name_dimension(&m->port[i], 0, name);
			template_add_factor(t, name, "1", true);
		}
}

/* Returns whether a dimension has this name. */
static bool dimension_is(const struct backend_port *p, uint32_t dim, const char *name)
{
	return p->size[dim] < 0 &&
	       port_dimension_value(p, dim, &(struct binding){ name, "" }, 1);
}

bool compute_file_has_dimension(const struct compute *c, const char *name)
{
	const struct backend_port *number = compute_file_input(c, name);

	if (number && port_is_number(number))
		return true;
	for (size_t i = 0; i < c->whole->inputs; i++)
		for (uint32_t k = 0; k < c->whole->port[i].dims; k++)
			if (dimension_is(&c->whole->port[i], k, name))
				return true;
	return false;
}

static void add_name(struct known_names *known, const char *name)
{
	if (!known_names_have(known, text_of(name)))
		known_names_add(known, text_of(str_copy(name)));
}

static void add_dimensions(const struct backend_port *p, struct known_names *known)
{
	char name[PORT_DIMENSION_MAX];

	for (uint32_t k = 0; k < p->dims; k++) {
		if (p->size[k] >= 0)
			continue;
		name_dimension(p, k, name);
		add_name(known, name);
	}
}

void compute_file_add_dimensions(const struct compute *c, struct known_names *known)
{
	for (size_t i = 0; i < c->whole->inputs; i++) {
		const struct backend_port *p = &c->whole->port[i];

		if (port_is_number(p))
			add_name(known, p->name);
		add_dimensions(p, known);
	}
}

/* Returns whether a list of names that are separated by ", " has a name. */
static bool list_has(const char *names, const char *name)
{
	const size_t len = strlen(name);

	for (const char *p = names; p && *p; p += strspn(p, ", ")) {
		const size_t end = strcspn(p, ",");

		if (end == len && memcmp(p, name, len) == 0)
			return true;
		p += end;
	}
	return false;
}

/* Returns the names of the open dimensions that have no value, separated by ", ". The
 * caller frees the list. */
static struct buf open_dimensions(
    const struct whole_model *m, const struct binding *value, size_t values)
{
	struct buf names = { 0 };
	char name[PORT_DIMENSION_MAX];

	for (size_t i = 0; i < m->inputs; i++)
		for (uint32_t k = 0; k < m->port[i].dims; k++) {
			const struct backend_port *p = &m->port[i];

			if (p->size[k] >= 0 || port_dimension_value(p, k, value, values))
				continue;
			name_dimension(p, k, name);
			if (!list_has(names.ptr, name))
				buf_printf(&names, "%s%s", names.len ? ", " : "", name);
		}
	return names;
}

/* Adds the open dimensions of a model to the message that its engine rejects an option.
 * Returns -1. */
static int reject_option(const struct template *t, struct fault *f)
{
	struct buf names = open_dimensions(t->compute->whole, NULL, 0);
	struct fault why = *f;

	fault_set(f, "%s; open dimensions: %s", why.text, names.len ? names.ptr : "none");
	buf_free(&names);
	return -1;
}

int compute_files_check_options(struct templates *list, struct fault *f)
{
	for (size_t i = 0; i < list->count; i++) {
		struct template *t = &list->item[i];

		if (!t->absent && t->compute && t->compute->whole && open_file(t, f) < 0)
			return reject_option(t, f);
	}
	return 0;
}

const struct backend_port *compute_file_input(const struct compute *c, const char *name)
{
	for (size_t i = 0; i < c->whole->inputs; i++)
		if (strcmp(c->whole->port[i].name, name) == 0)
			return &c->whole->port[i];
	return NULL;
}

/* Sets the message about open dimensions without a size, if there are any. Returns 0 or
 * -1. */
static int check_open(const struct subject *s, struct fault *f)
{
	struct buf names = open_dimensions(s->from->compute->whole, s->factor, s->factors);
	int status = 0;

	if (names.len)
		status = fault_set(f,
		    "%s: set the open dimension%s %s, for example with -P '%.*s=8'",
		    s->from->list, strchr(names.ptr, ',') ? "s" : "", names.ptr,
		    (int)strcspn(names.ptr, ","), names.ptr);
	buf_free(&names);
	return status;
}

/*
 * Returns the number of samples that an input holds, or 0 if it is unknown: its first
 * dimension, if that is open or if the input has four dimensions, as images have.
 */
static double samples_of(const struct backend_port *p, const int64_t *size)
{
	return p->dims && (p->size[0] < 0 || p->dims == 4) ? (double)size[0] : 0;
}

int compute_file_finish(struct subject *s, struct fault *f)
{
	const struct whole_model *m = s->from->compute->whole;
	int64_t size[BACKEND_PORT_DIMS];
	struct stat st;
	struct fault why;

	if (check_open(s, f) < 0)
		return -1;
	for (size_t i = 0; i < m->inputs; i++) {
		const struct backend_port *p = &m->port[i];

		if (!p->element_bytes)
			return fault_set(f,
			    "%s: input '%s' holds texts, which cannot be generated",
			    s->from->list, p->name);
		if (port_sizes(p, s->factor, s->factors, size, &why) < 0)
			return fault_set(f, "%s: %s", s->from->list, why.text);
		s->work->memory_bytes +=
		    (double)port_elements(size, p->dims) * p->element_bytes;
		if (i == 0 && !port_elements(size, p->dims))
			return fault_set(f,
			    "%s: these sizes leave no element in the first input, '%s'",
			    s->from->list, p->name);
		if (i == 0) {
			s->input_shape = port_shape_text(size, p->dims);
			s->work->samples = samples_of(p, size);
		}
	}
	if (stat(s->from->list, &st) == 0)
		s->work->memory_bytes += (double)st.st_size;
	if (!s->input_shape)
		s->input_shape = str_copy("");
	return 0;
}

static bool has_binding(const struct binding *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].name, name) == 0)
			return true;
	return false;
}

struct binding *compute_file_dimensions(const struct subject *s, size_t *count)
{
	const struct whole_model *m = s->from->compute->whole;
	size_t cap = 0;
	struct binding *found = NULL;

	*count = 0;
	for (size_t i = 0; m && i < m->inputs; i++) {
		const struct backend_port *p = &m->port[i];

		for (uint32_t k = 0; k < p->dims; k++) {
			const char *name = p->symbol[k];

			if (p->size[k] >= 0 || !*name || has_binding(found, *count, name))
				continue;
			*VEC_ADD(found, *count, cap) = (struct binding){ name,
				port_dimension_value(p, k, s->factor, s->factors) };
		}
	}
	return found;
}

struct binding *compute_engine_options(const struct subject *s, size_t *count)
{
	const struct compute *c = s->from->compute;
	struct binding *option = mem_zero(s->factors + 1, sizeof(*option));

	*count = 0;
	for (size_t i = 0; i < s->factors; i++)
		for (size_t k = 0; k < c->commons; k++)
			if (c->common[k].of_engine &&
			    strcmp(c->common[k].name, s->factor[i].name) == 0)
				option[(*count)++] = s->factor[i];
	return option;
}
