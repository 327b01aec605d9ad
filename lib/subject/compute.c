/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists times devices; see compute.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_choice.h"
#include "graph/dtype.h"
#include "subject/compute.h"
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

void computes_add(struct templates *list, enum subject_kind kind, const char *name)
{
	*VEC_ADD(list->item, list->count, list->cap) = (struct template){
		.kind = kind, .bench = str_copy(name), .list = str_copy(name)
	};
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

/* A sweep of all that none of them takes is a mistake. */
static int check_sweeps(
    const struct templates *list, const struct sweep *sweep, size_t sweeps, struct fault *f)
{
	for (size_t s = 0; s < sweeps; s++) {
		const struct template *last = NULL;
		bool taken = false;

		for (size_t i = 0; i < list->count; i++) {
			const struct template *t = &list->item[i];

			taken = taken || !t->compute ||
			        compute_takes(t->compute, sweep[s].name);
			last = t;
		}
		if (!taken)
			return fault_set(f,
			    "-P %s: %s has no such parameter (bench-list %s --csv %s)",
			    sweep[s].name, last->bench,
			    last->kind == KIND_KERNEL ? "kernels" : "models", last->bench);
	}
	return 0;
}

/* The values of the sweep `device`, which is taken out of the list; none: NULL. */
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

/* The symbols that are columns though nobody has set them. */
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

/* The names of all of them, joined. */
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

static int place(struct template *t, const struct devices *d,
    const struct device_choice *choice, struct fault *f)
{
	const struct backend_device *about = &choice->device[0]->about;
	const struct backend_file *file = choice->backend->file;
	struct compute *c = t->compute = mem_zero(1, sizeof(*c));
	char *name;

	*c = (struct compute){ .list = str_copy(t->list),
		.backend = str_copy(file->name),
		.path = file->path ? str_copy(file->path) : NULL,
		.device = indexes_of(choice),
		.devices = (uint32_t)choice->count,
		.on_host = strcmp(about->type, "cpu") == 0,
		.threads = about->threads,
		.memory_bytes = (double)about->memory_bytes,
		.dtypes = about->dtypes,
		.warning = *about->warning ? str_copy(about->warning) : NULL };
	c->model =
	    t->kind == KIND_KERNEL ? kernel_open(t->list, f) : model_open(t->list, f);
	if (!c->model)
		return -1;
	name = names_of(d, choice);
	if (*model_arch(c->model))
		template_add_factor(t, "arch", model_arch(c->model), false);
	template_add_factor(t, "backend", file->name, false);
	template_add_factor(t, "device", name, false);
	template_add_factor(t, "device_type", about->type, false);
	if (!template_has_sweep(t, "dtype"))
		template_add_factor(t, "dtype",
		    dtype_name(c->dtypes & 1u << BACKEND_FLOAT32 ? BACKEND_FLOAT32
		                                                 : BACKEND_FLOAT64),
		    true);
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

/* One template on all devices of all backends. */
static int spread(const struct template *t, const struct devices *d,
    const struct compute_resolve_opts *o, const struct sweep *devices,
    struct templates *out, struct buf *notes, struct fault *f)
{
	static char *automatic[] = { "auto" };
	char *const *backend = o->backends ? o->backend : automatic;
	size_t backends = o->backends ? o->backends : 1;

	for (size_t b = 0; b < backends; b++) {
		struct device_choice all, one;
		struct buf note = { 0 };
		int status = device_choose_backend(d, backend[b], &all, &note, f);

		if (status == 0 && note.ptr &&
		    !(notes->ptr && strstr(notes->ptr, note.ptr)))
			buf_str(notes, note.ptr);
		buf_free(&note);
		for (size_t k = 0; status == 0 && k < (devices->count ? devices->count : 1);
		     k++) {
			struct template *made;

			status = device_choose(
			    &all, devices->count ? devices->value[k] : NULL, &one, f);
			if (status < 0)
				break;
			made = VEC_ADD(out->item, out->count, out->cap);
			template_copy(made, t);
			status = place(made, d, &one, f);
			if (status == 0)
				note_warning(notes, made->compute);
			device_choice_free(&one);
		}
		device_choice_free(&all);
		if (status < 0)
			return -1;
	}
	return 0;
}

/* Whether a backend's devices have to be known. */
static bool is_asked(const void *ctx, const char *name)
{
	const struct compute_resolve_opts *o = ctx;

	for (size_t i = 0; i < o->backends; i++)
		if (!device_names_backend(o->backend[i]) ||
		    strcmp(o->backend[i], name) == 0)
			return true;
	return !o->backends;
}

int computes_resolve(struct templates *list, const struct compute_resolve_opts *o,
    struct buf *notes, struct fault *f)
{
	struct templates out = { 0 };
	struct devices devices;
	struct sweep wanted;
	size_t computes = 0;
	int status = 0;

	for (size_t i = 0; i < list->count; i++)
		computes += is_compute(&list->item[i]) && !list->item[i].skipped;
	if (!computes)
		return o->backends ? fault_set(f, "-b is for kernels (-k) and models (-M)")
		                   : 0;
	wanted = take_devices(o);
	for (size_t i = 0; i < *o->sweeps; i++)
		if (strcmp(o->sweep[i].name, "device") == 0) {
			sweep_free(&wanted);
			return fault_set(f, "-P device is given twice");
		}
	devices_find(&devices, is_asked, o);
	for (size_t i = 0; i < list->count; i++) {
		struct template *t = &list->item[i];

		if (!is_compute(t) || t->skipped) {
			*VEC_ADD(out.item, out.count, out.cap) = *t;
			*t = (struct template){ 0 };
		} else if (status == 0)
			status = spread(t, &devices, o, &wanted, &out, notes, f);
		template_free(t);
	}
	free(list->item);
	*list = out;
	devices_free(&devices);
	if (wanted.name)
		sweep_free(&wanted);
	return status < 0 ? -1 : check_sweeps(list, o->sweep, *o->sweeps, f);
}
