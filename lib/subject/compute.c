/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Combines lists with devices; see compute.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_choice.h"
#include "graph/dtype.h"
#include "subject/compute.h"
#include "text/near_name.h"
#include "text/units.h"

void compute_free(struct compute *c)
{
	if (!c)
		return;
	model_close(c->model);
	free(c->list);
	free(c->backend);
	free(c->path);
	free(c->device);
	free(c->warning);
	free(c);
}

static void add_list(struct templates *list, enum subject_kind kind, const char *name)
{
	*VEC_ADD(list->item, list->count, list->cap) = (struct template){
		.kind = kind, .bench = str_copy(name), .list = str_copy(name)
	};
}

static bool has_list(const struct templates *list, enum subject_kind kind, const char *name)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct template *t = &list->item[i];

		if (t->kind == kind && t->list && strcmp(t->list, name) == 0)
			return true;
	}
	return false;
}

void computes_add(struct templates *list, enum subject_kind kind, const char *pattern)
{
	struct fault ignored;
	char **names = kind == KIND_KERNEL ? kernel_names(&ignored) : model_names(&ignored);
	bool is_name = strchr(pattern, '/'), found = false;

	for (size_t i = 0; names && names[i]; i++)
		is_name = is_name || strcmp(names[i], pattern) == 0;
	for (size_t i = 0; names && names[i] && !is_name; i++)
		if (model_name_matches(pattern, names[i])) {
			found = true;
			if (!has_list(list, kind, names[i]))
				add_list(list, kind, names[i]);
		}
	if (!found)
		add_list(list, kind, pattern);
	shell_words_free(names);
}

static bool is_compute(const struct template *t)
{
	return t->kind == KIND_KERNEL || t->kind == KIND_MODEL;
}

bool compute_takes(const struct compute *c, const char *name)
{
	const struct model_symbol *symbol;
	size_t count = model_symbols(c->model, &symbol);

	if (strcmp(name, "dtype") == 0 || strcmp(name, "workers") == 0)
		return true;
	if (strcmp(name, "threads") == 0)
		return c->threads;
	for (size_t i = 0; i < count; i++)
		if (strcmp(symbol[i].name, name) == 0)
			return true;
	return false;
}

/* Sets the message about a sweep that is no parameter of a list. Returns -1. */
static int unknown_parameter(const struct template *t, const char *name, struct fault *f)
{
	const struct model_symbol *symbol;
	size_t count = model_symbols(t->compute->model, &symbol);
	struct known_names known = { 0 };
	char *what = str_format("-P: %s has no parameter", t->list);

	known_names_add_all(&known, symbol, sizeof(*symbol), count);
	known_names_add(&known, TEXT("dtype"));
	if (t->compute->threads)
		known_names_add(&known, TEXT("threads"));
	unknown_name(f, what, text_of(name), &known);
	free(what);
	return -1;
}

/* Checks that each common sweep is a parameter of at least one list. */
static int check_sweeps(
    const struct templates *list, const struct sweep *sweep, size_t sweeps, struct fault *f)
{
	for (size_t s = 0; s < sweeps; s++) {
		const struct template *last = NULL;
		bool taken = false;

		for (size_t i = 0; i < list->count; i++) {
			const struct template *t = &list->item[i];

			if (t->absent && is_compute(t))
				continue;
			taken = taken || !t->compute ||
			        compute_takes(t->compute, sweep[s].name);
			last = t;
		}
		if (last && !taken)
			return unknown_parameter(last, sweep[s].name, f);
	}
	return 0;
}

/*
 * Removes the sweep `device` from the common sweeps and returns it; without values if
 * there is none.
 */
static struct sweep take_devices(const struct compute_resolve_opts *o)
{
	struct sweep found = { 0 };

	for (size_t i = 0; i < *o->sweeps; i++)
		if (strcmp(o->sweep[i].name, "device") == 0) {
			found = o->sweep[i];
			memmove(&o->sweep[i], &o->sweep[i + 1],
			    (*o->sweeps - i - 1) * sizeof(*o->sweep));
			--*o->sweeps;
			break;
		}
	return found;
}

/* Adds the symbols that are columns even if nobody sets them. */
static void add_symbols(struct template *t)
{
	static const char *const of_models[] = { "batch", "seq" };
	const struct model_symbol *symbol;
	size_t count = model_symbols(t->compute->model, &symbol);

	for (size_t i = 0; i < count; i++) {
		bool shown = t->kind == KIND_KERNEL;
		char text[NUMBER_TEXT_MAX];

		for (size_t k = 0; k < COUNT(of_models); k++)
			shown = shown || strcmp(symbol[i].name, of_models[k]) == 0;
		if (!shown || template_has_sweep(t, symbol[i].name))
			continue;
		number_print(text, symbol[i].value);
		template_add_factor(t, symbol[i].name, text, true);
	}
}

static void add_threads(struct template *t, const struct backend_device *about)
{
	char text[24];

	if (!t->compute->threads || template_has_sweep(t, "threads"))
		return;
	snprintf(text, sizeof(text), "%u", about->units ? about->units : 1);
	template_add_factor(t, "threads", text, true);
}

static uint32_t *indexes_of(const struct device_choice *choice)
{
	uint32_t *index = mem_zero(choice->count, sizeof(*index));

	for (size_t i = 0; i < choice->count; i++)
		index[i] = choice->device[i]->index;
	return index;
}

/* Returns the names of all devices of the choice, joined; allocated. */
static char *names_of(const struct devices *d, const struct device_choice *choice)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < choice->count; i++) {
		char *name = device_name(d, choice->device[i]);

		buf_printf(&text, "%s%s", i ? " + " : "", name);
		free(name);
	}
	return text.ptr;
}

static struct model *open_model(const struct template *t, struct fault *f)
{
	return t->kind == KIND_KERNEL ? kernel_open(t->list, f) : model_open(t->list, f);
}

static void add_dtype(struct template *t, enum backend_dtype dtype)
{
	if (!template_has_sweep(t, "dtype"))
		template_add_factor(t, "dtype", dtype_name(dtype), true);
}

/*
 * Makes a template absent because its backend or device does not exist. Its columns are
 * filled in as far as they are known.
 */
static void place_nowhere(
    struct template *t, const char *backend, const char *device, const struct fault *why)
{
	struct fault broken;
	struct model *model = open_model(t, &broken);

	template_set_absent(t, model ? why : &broken);
	if (!model)
		return;
	t->compute = mem_zero(1, sizeof(*t->compute));
	*t->compute = (struct compute){
		.list = str_copy(t->list), .model = model, .backend = str_copy(backend)
	};
	if (*model_arch(model))
		template_add_factor(t, "arch", model_arch(model), false);
	template_add_factor(t, "backend", backend, false);
	if (device)
		template_add_factor(t, "device", device, false);
	add_dtype(t, BACKEND_FLOAT32);
	add_symbols(t);
}

static int place(struct template *t, const struct devices *d,
    const struct device_choice *choice, struct fault *f)
{
	const struct backend_device *about = &choice->device[0]->about;
	const struct backend_file *file = choice->backend->file;
	struct model *model = open_model(t, f);
	struct compute *c;
	char *name;

	if (!model)
		return -1;
	c = t->compute = mem_zero(1, sizeof(*c));
	*c = (struct compute){ .list = str_copy(t->list),
		.model = model,
		.backend = str_copy(file->name),
		.path = file->path ? str_copy(file->path) : NULL,
		.device = indexes_of(choice),
		.devices = (uint32_t)choice->count,
		.on_host = strcmp(about->type, "cpu") == 0,
		.threads = about->threads,
		.memory_bytes = (double)about->memory_bytes,
		.dtypes = about->dtypes,
		.warning = *about->warning ? str_copy(about->warning) : NULL };
	name = names_of(d, choice);
	if (*model_arch(c->model))
		template_add_factor(t, "arch", model_arch(c->model), false);
	template_add_factor(t, "backend", file->name, false);
	template_add_factor(t, "device", name, false);
	template_add_factor(t, "device_type", about->type, false);
	add_dtype(t, c->dtypes & 1u << BACKEND_FLOAT32 ? BACKEND_FLOAT32 : BACKEND_FLOAT64);
	add_symbols(t);
	add_threads(t, about);
	free(name);
	return 0;
}

static void note_warning(struct buf *notes, const struct compute *c)
{
	if (c->warning && (!notes->ptr || !strstr(notes->ptr, c->warning)))
		buf_printf(notes, "backend %s: %s\n", c->backend, c->warning);
}

/* The arguments of the functions that assign devices to templates. */
struct spreading {
	const struct devices *devices;
	const struct sweep *wanted; /* from -P device */
	struct templates *out;
	struct buf *notes;
};

static struct template *add_copy(const struct spreading *s, const struct template *t)
{
	struct template *made = VEC_ADD(s->out->item, s->out->count, s->out->cap);

	template_copy(made, t);
	return made;
}

/* Assigns a device of a backend to a template (NULL: the first device). */
static void spread_device(const struct spreading *s, const struct template *t,
    const char *backend, const struct device_choice *all, const char *device)
{
	struct template *made = add_copy(s, t);
	struct device_choice one;
	struct fault why;

	if (device_choose(all, device, &one, &why) < 0) {
		place_nowhere(made, backend, device, &why);
		return;
	}
	if (place(made, s->devices, &one, &why) < 0)
		template_set_absent(made, &why);
	else
		note_warning(s->notes, made->compute);
	device_choice_free(&one);
}

/* Assigns the requested devices of a backend to a template. */
static void spread_backend(
    const struct spreading *s, const struct template *t, const char *value)
{
	const char *word;
	char *backend = device_split(value, &word);
	size_t devices = s->wanted->count ? s->wanted->count : 1;
	struct device_choice all;
	struct buf note = { 0 };
	struct fault why;
	int status = device_choose_backend(
	    s->devices, backend, t->kind == KIND_KERNEL, &all, &note, &why);

	if (status == 0 && note.ptr && !(s->notes->ptr && strstr(s->notes->ptr, note.ptr)))
		buf_str(s->notes, note.ptr);
	buf_free(&note);
	for (size_t k = 0; k < devices; k++) {
		const char *device = s->wanted->count ? s->wanted->value[k] : word;

		if (status < 0)
			place_nowhere(add_copy(s, t), backend, device, &why);
		else
			spread_device(s, t, backend, &all, device);
	}
	device_choice_free(&all);
	free(backend);
}

/*
 * Assigns all requested devices of all backends to a template. A missing list remains a
 * single template.
 */
static void spread(const struct spreading *s, const struct template *t,
    const struct compute_resolve_opts *o)
{
	struct fault why;
	struct model *model = open_model(t, &why);

	if (!model)
		template_set_absent(add_copy(s, t), &why);
	for (size_t b = 0; model && b < o->backends; b++)
		spread_backend(s, t, o->backend[b]);
	if (model && !o->backends)
		spread_backend(s, t, "auto");
	model_close(model);
}

/* Returns whether the devices of a backend need to be known. */
static bool is_asked(const void *ctx, const char *name)
{
	const struct compute_resolve_opts *o = ctx;

	for (size_t i = 0; i < o->backends; i++)
		if (device_needs(o->backend[i], name))
			return true;
	return !o->backends && device_needs("auto", name);
}

/* Checks that no value of -b selects a device. Returns 0, or -1 and the message. */
static int check_words(const struct compute_resolve_opts *o, struct fault *f)
{
	for (size_t i = 0; i < o->backends; i++)
		if (strchr(o->backend[i], ':'))
			return fault_set(f,
			    "-b %s and -P device both select devices; use one of them",
			    o->backend[i]);
	return 0;
}

int computes_resolve(struct templates *list, const struct compute_resolve_opts *o,
    struct buf *notes, struct fault *f)
{
	struct templates out = { 0 };
	struct devices devices;
	struct sweep wanted;
	size_t lists = 0, computes = 0;

	for (size_t i = 0; i < list->count; i++)
		if (is_compute(&list->item[i])) {
			lists++;
			computes += !list->item[i].skipped;
		}
	if (o->backends && !lists)
		return fault_set(f, "-b requires kernels (-k) or models (-M)");
	if (!computes)
		return 0;
	wanted = take_devices(o);
	for (size_t i = 0; i < *o->sweeps; i++)
		if (strcmp(o->sweep[i].name, "device") == 0) {
			sweep_free(&wanted);
			return fault_set(f, "-P device is given twice");
		}
	if (wanted.name && check_words(o, f) < 0) {
		sweep_free(&wanted);
		return -1;
	}
	devices_find(&devices, is_asked, o);
	const struct spreading spreading = {
		.devices = &devices, .wanted = &wanted, .out = &out, .notes = notes
	};
	for (size_t i = 0; i < list->count; i++) {
		struct template *t = &list->item[i];

		if (!is_compute(t) || t->skipped) {
			*VEC_ADD(out.item, out.count, out.cap) = *t;
			*t = (struct template){ 0 };
		} else
			spread(&spreading, t, o);
		template_free(t);
	}
	free(list->item);
	*list = out;
	devices_free(&devices);
	if (wanted.name)
		sweep_free(&wanted);
	return check_sweeps(list, o->sweep, *o->sweeps, f);
}
