/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the tables; see list_compute.h. The tables of kernels and models are subjects
 * tables, which bench-run -I reads.
 */
#include <stdlib.h>
#include <string.h>

#include "catalog/list_compute.h"
#include "catalog/list_onnx.h"
#include "device/device_choice.h"
#include "graph/dtype.h"
#include "graph/placement.h"
#include "model/model.h"
#include "model/onnx_file.h"
#include "subject/subject.h"
#include "text/units.h"

static bool wanted(const struct list_request *r, const char *name)
{
	for (size_t i = 0; i < r->globs; i++)
		if (model_name_matches(r->glob[i], name))
			return true;
	return !r->globs;
}

static bool is_wanted(const void *ctx, const char *name)
{
	return wanted(ctx, name);
}

static struct cell text_cell(const char *s)
{
	return s && *s ? CELL_OF_TEXT(text_of(s)) : (struct cell){ .kind = CELL_EMPTY };
}

/* Returns an empty cell if the value is not known. */
static struct cell count_cell(double x, const char *unit)
{
	struct cell cell = x < 0x1p63 ? CELL_OF_INTEGER(x) : CELL_OF_NUMBER(x);

	cell.unit = unit;
	return x > 0 ? cell : (struct cell){ .kind = CELL_EMPTY };
}

static int close_table(struct render *t, struct fault *f)
{
	return render_close(t) < 0 ? fault_errno(f, "standard output") : 0;
}

long list_compute_backends(const struct list_request *r, struct fault *f)
{
	static const struct render_column columns[] = { { .name = "backend" },
		{ .name = "devices", .rank = 1 }, { .name = "status", .look = LOOK_PROSE },
		{ .name = "path", .rank = 3 },
		{ .name = "formats", .rank = 2, .look = LOOK_PROSE } };
	struct render *table = render_open(r->out, columns, COUNT(columns));
	struct devices d;
	long useful = 0;

	devices_find(&d, is_wanted, r);
	for (size_t i = 0; i < d.backends; i++) {
		const struct device_backend *b = &d.backend[i];
		struct cell cells[] = { text_cell(b->file->name),
			CELL_OF_INTEGER(b->usable), text_cell(b->usable ? "ok" : b->why),
			text_cell(b->file->path), text_cell(b->formats) };

		if (!wanted(r, b->file->name))
			continue;
		render_row(table, cells);
		useful += b->usable > 0;
		*r->unusable = *r->unusable || !b->usable;
	}
	devices_free(&d);
	return close_table(table, f) < 0 ? -1 : useful;
}

/* "float32 float64" */
static char *dtype_names(uint32_t dtypes)
{
	struct buf names = { 0 };

	for (int i = 0; i < BACKEND_DTYPES; i++)
		if (dtypes >> i & 1)
			buf_printf(&names, "%s%s", names.len ? " " : "",
			    dtype_name((enum backend_dtype)i));
	return names.ptr;
}

long list_compute_devices(const struct list_request *r, struct fault *f)
{
	static const struct render_column columns[] = { { .name = "backend" },
		{ .name = "index", .rank = 3 }, { .name = "device" },
		{ .name = "type", .rank = 2 }, { .name = "units", .rank = 5 },
		{ .name = "memory", .rank = 1 },
		{ .name = "dtypes", .rank = 6, .look = LOOK_PROSE }, { .name = "select" },
		{ .name = "status", .look = LOOK_PROSE },
		{ .name = "detail", .rank = 7, .look = LOOK_PROSE },
		{ .name = "version", .plain_only = true },
		{ .name = "pci", .plain_only = true },
		{ .name = "remark", .rank = 4, .look = LOOK_PROSE } };
	struct render *table = render_open(r->out, columns, COUNT(columns));
	struct devices d;
	long useful = 0;

	devices_find(&d, NULL, NULL);
	for (size_t i = 0; i < d.count; i++) {
		const struct device *device = &d.device[i];
		const struct backend_device *about = &device->about;
		const char *backend = d.backend[device->backend].file->name;
		char *dtypes = dtype_names(about->dtypes);
		char *value = device_value(&d, device);
		struct cell cells[] = { text_cell(backend), CELL_OF_INTEGER(device->index),
			text_cell(about->name), text_cell(about->type),
			count_cell(about->units, NULL),
			count_cell((double)about->memory_bytes, "B"), text_cell(dtypes),
			text_cell(value),
			text_cell(*about->unusable ? about->unusable : "ok"),
			text_cell(about->detail), text_cell(about->version),
			text_cell(about->pci), text_cell(about->warning) };

		if (wanted(r, backend) || wanted(r, about->name)) {
			render_row(table, cells);
			useful += !*about->unusable;
			*r->unusable = *r->unusable || *about->unusable;
		}
		free(value);
		free(dtypes);
	}
	devices_free(&d);
	return close_table(table, f) < 0 ? -1 : useful;
}

/* The columns of the tables of kernels and models; see enum list_column. */
static const struct render_column list_columns[LIST_COLUMNS] = {
	[LIST_KIND] = { .name = "kind", .rank = 8, .factor = true },
	[LIST_BENCH] = { .name = "bench" },
	[LIST_SUBJECT] = { .name = "subject", .plain_only = true },
	[LIST_ARGS] = { .name = "args", .plain_only = true },
	[LIST_CATEGORY] = { .name = "category", .rank = 6 },
	[LIST_STATUS] = { .name = "status", .rank = 7, .factor = true },
	[LIST_PARAMS] = { .name = "params", .rank = 4 },
	[LIST_MACS] = { .name = "macs", .rank = 3 },
	[LIST_MEMORY] = { .name = "memory", .rank = 2 },
	[LIST_INPUT_SHAPE] = { .name = "input_shape", .rank = 5 },
	[LIST_PARAMETERS] = { .name = "parameters", .plain_only = true },
	[LIST_DESCRIPTION] = { .name = "description", .rank = 1, .look = LOOK_PROSE },
	[LIST_INPUTS] = { .name = "inputs", .look = LOOK_PROSE },
	[LIST_OUTPUTS] = { .name = "outputs", .look = LOOK_PROSE },
	[LIST_BACKENDS] = { .name = "backends", .look = LOOK_PROSE },
	[LIST_REJECTED_BY] = { .name = "rejected_by", .look = LOOK_PROSE },
	[LIST_OPERATORS] = { .name = "operators", .look = LOOK_PROSE },
	[LIST_OPSET] = { .name = "opset", .rank = 9 },
	[LIST_PRODUCER] = { .name = "producer", .rank = 9 },
	[LIST_REMARK] = { .name = "remark", .look = LOOK_PROSE },
};

static bool has_symbol(const struct model *m, const char *name)
{
	const struct model_symbol *symbol;
	size_t count = model_symbols(m, &symbol);

	for (size_t i = 0; i < count; i++)
		if (strcmp(symbol[i].name, name) == 0)
			return true;
	return false;
}

/* Returns the given parameters that the list has. */
static struct binding *params_of(
    const struct list_request *r, const struct model *m, size_t *count)
{
	struct binding *param = mem_zero(r->params + 1, sizeof(*param));

	*count = 0;
	for (size_t i = 0; i < r->params; i++)
		if (has_symbol(m, r->param[i].name))
			param[(*count)++] = r->param[i];
	return param;
}

static void put_symbols(
    const struct list_request *r, struct buf *text, const struct model *m)
{
	const struct model_symbol *symbol;
	size_t count = model_symbols(m, &symbol);

	for (size_t i = 0; i < count; i++) {
		char number[NUMBER_TEXT_MAX];

		number_print(number, symbol[i].value);
		buf_printf(text, "%s%s=%s", i ? " " : "", symbol[i].name, number);
		list_request_note_parameter(r, symbol[i].name);
	}
}

static double memory_of(const struct graph *g)
{
	struct placement p;
	double bytes;

	placement_make(g, &p);
	bytes = (double)p.held_bytes + (double)p.arena_bytes;
	placement_free(&p);
	return bytes;
}

static int put_list(const struct list_request *r, struct render *table,
    enum subject_kind kind, const char *name, struct fault *f)
{
	struct model *m = kind == KIND_KERNEL ? kernel_open(name, f) : model_open(name, f);
	struct buf args = { 0 }, symbols = { 0 };
	struct graph g = { 0 };
	struct binding *param;
	size_t params;
	int status;

	if (!m)
		return -1;
	param = params_of(r, m, &params);
	for (size_t i = 0; i < params; i++)
		buf_printf(&args, "%s%s=%s", i ? " " : "", param[i].name, param[i].value);
	put_symbols(r, &symbols, m);
	const struct model_expand_opts opts = {
		.param = param, .params = params, .dtype = BACKEND_FLOAT32
	};

	status = model_expand(m, &opts, &g, f);
	if (status == 0) {
		struct cell cells[LIST_COLUMNS] = {
			[LIST_KIND] = text_cell(subject_kinds[kind]),
			[LIST_BENCH] = text_cell(name),
			[LIST_SUBJECT] = text_cell(name),
			[LIST_ARGS] = text_cell(args.ptr),
			[LIST_CATEGORY] = text_cell(model_arch(m)),
			[LIST_STATUS] = text_cell("ok"),
			[LIST_PARAMS] = count_cell(g.params, "1"),
			[LIST_MACS] = count_cell(g.macs, "1"),
			[LIST_MEMORY] = count_cell(memory_of(&g), "B"),
			[LIST_INPUT_SHAPE] = text_cell(g.input_shape),
			[LIST_PARAMETERS] = text_cell(symbols.ptr),
			[LIST_DESCRIPTION] = text_cell(model_summary(m)),
		};

		render_row(table, cells);
	}
	graph_free(&g);
	buf_free(&args);
	buf_free(&symbols);
	free(param);
	model_close(m);
	return status;
}

static bool is_file(const char *name)
{
	return strchr(name, '/') || onnx_file_is_named(name);
}

/* Returns whether a file is an ONNX file, which has columns of its own. */
static bool has_onnx(const struct list_request *r, enum subject_kind kind)
{
	bool has = false;

	for (size_t i = 0; kind == KIND_MODEL && i < r->globs; i++)
		has |= onnx_file_is_named(r->glob[i]);
	return has;
}

/* Begins the table. With ONNX files, whose memory and description are empty, other columns
 * are hidden first. */
static struct render *open_table(const struct list_request *r, bool with_onnx)
{
	static const unsigned rank[LIST_COLUMNS] = { [LIST_KIND] = 9,
		[LIST_CATEGORY] = 8,
		[LIST_STATUS] = 8,
		[LIST_MEMORY] = 7,
		[LIST_DESCRIPTION] = 7,
		[LIST_OPSET] = 6,
		[LIST_PRODUCER] = 6,
		[LIST_INPUT_SHAPE] = 5,
		[LIST_REMARK] = 1,
		[LIST_OPERATORS] = 4,
		[LIST_OUTPUTS] = 3,
		[LIST_BACKENDS] = 1,
		[LIST_REJECTED_BY] = 2,
		[LIST_INPUTS] = 1 };
	struct render_column columns[LIST_COLUMNS];

	memcpy(columns, list_columns, sizeof(columns));
	for (size_t i = 0; i < LIST_COLUMNS && with_onnx; i++)
		columns[i].rank = rank[i];
	return render_open(r->out, columns, with_onnx ? LIST_COLUMNS : LIST_INPUTS);
}

static long put_lists(
    const struct list_request *r, enum subject_kind kind, char **names, struct fault *f)
{
	const bool with_onnx = has_onnx(r, kind);
	struct devices devices = { 0 };
	struct render *table;
	long count = 0;
	int status = 0;

	if (!names)
		return -1;
	if (with_onnx)
		devices_find(&devices, NULL, NULL);
	table = open_table(r, with_onnx);
	for (size_t i = 0; names[i] && status == 0; i++)
		if (wanted(r, names[i])) {
			status = put_list(r, table, kind, names[i], f);
			count++;
		}
	/* Files are given by their paths. */
	for (size_t i = 0; kind == KIND_MODEL && i < r->globs && status == 0; i++)
		if (is_file(r->glob[i])) {
			status = onnx_file_is_named(r->glob[i])
			             ? list_onnx(r, table, &devices, r->glob[i], f)
			             : put_list(r, table, kind, r->glob[i], f);
			count++;
		}
	shell_words_free(names);
	devices_free(&devices);
	if (status < 0) {
		render_cancel(table);
		return -1;
	}
	return close_table(table, f) < 0 ? -1 : count;
}

long list_compute_kernels(const struct list_request *r, struct fault *f)
{
	return put_lists(r, KIND_KERNEL, kernel_names(f), f);
}

long list_compute_models(const struct list_request *r, struct fault *f)
{
	return put_lists(r, KIND_MODEL, model_names(f), f);
}
