/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Combines lists with devices; see compute.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "subject/compute_file.h"
#include "subject/compute_place.h"
#include "subject/engine_trial.h"

static void add_list(struct templates *list, enum subject_kind kind, const char *name)
{
	*VEC_ADD(list->item, list->count, list->cap) = (struct template){ .kind = kind,
		.bench = str_copy(compute_file_is(name) ? compute_file_bench(name) : name),
		.list = str_copy(name) };
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
	bool is_name = strchr(pattern, '/') || compute_file_is(pattern), found = false;

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

/* The arguments of the functions that assign devices to templates. */
struct device_assignment {
	const struct devices *devices;
	const struct sweep *wanted; /* from -P device */
	const struct sweep *common; /* the other common sweeps */
	size_t commons;
	struct templates *out;
	struct buf *notes;
};

static void note_warning(struct buf *notes, const struct compute *c)
{
	if (c->warning && (!notes->ptr || !strstr(notes->ptr, c->warning)))
		buf_printf(notes, "backend %s: %s\n", c->backend, c->warning);
	if (c->whole && *c->whole->emulated)
		buf_printf(notes,
		    "%s: %s emulates the device: its times are not those of a device\n",
		    c->list, c->whole->emulated);
}

static struct template *add_copy(
    const struct device_assignment *s, const struct template *t)
{
	struct template *made = VEC_ADD(s->out->item, s->out->count, s->out->cap);

	template_copy(made, t);
	return made;
}

/* Assigns a device of a backend to a template (NULL: the first device). */
static void assign_device_named(const struct device_assignment *s, const struct template *t,
    const char *backend, const struct device_choice *all, const char *device)
{
	struct template *made = add_copy(s, t);
	struct device_choice one;
	struct fault why;

	if (device_choose(all, device, &one, &why) < 0) {
		compute_place_nowhere(made, backend, device, &why);
		return;
	}
	if (compute_place(made, s->devices, &one, s->common, s->commons, &why) < 0)
		template_set_absent(made, &why);
	else
		note_warning(s->notes, made->compute);
	device_choice_free(&one);
}

/* Assigns the requested devices of a backend to a template. */
static void assign_backend(
    const struct device_assignment *s, const struct template *t, const char *value)
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
			compute_place_nowhere(add_copy(s, t), backend, device, &why);
		else
			assign_device_named(s, t, backend, &all, device);
	}
	device_choice_free(&all);
	free(backend);
}

static bool is_auto(const char *backend)
{
	return strcmp(backend, "auto") == 0;
}

/* Returns whether a list of models is there, or else why not. */
static bool list_exists(const struct template *t, struct fault *why)
{
	if (compute_file_is(t->list))
		return compute_file_check(t->list, why) == 0;
	struct model *model = compute_open_model(t, why);

	model_close(model);
	return model != NULL;
}

/*
 * Assigns all requested devices of all backends to a template. A missing list remains a
 * single template.
 */
static void assign_backends(const struct device_assignment *s, const struct template *t,
    const struct compute_resolve_opts *o)
{
	static char word[] = "auto";
	char *const by_default[] = { word };
	char *const *backend = o->backends ? o->backend : by_default;
	const size_t backends = o->backends ? o->backends : COUNT(by_default);
	char *best = NULL;
	bool automatic = false;
	struct fault why;

	if (!list_exists(t, &why)) {
		template_set_absent(add_copy(s, t), &why);
		return;
	}
	for (size_t b = 0; b < backends; b++)
		automatic = automatic || is_auto(backend[b]);
	if (t->kind == KIND_MODEL && automatic)
		best = engine_trial_fastest(s->devices, t,
		    &(struct trial_opts){
		        s->common, s->commons, o->input, o->inputs, o->progress, o->ctx },
		    s->notes);
	for (size_t b = 0; b < backends; b++)
		assign_backend(s, t, best && is_auto(backend[b]) ? best : backend[b]);
	free(best);
}

/* The requested backends, and whether a model is among the subjects. */
struct asked_backends {
	const struct compute_resolve_opts *options;
	bool models;
};

/* Returns whether the devices of a backend need to be known. For a model, auto may be any
 * backend. */
static bool is_asked(const void *ctx, const char *name)
{
	const struct asked_backends *a = ctx;
	const struct compute_resolve_opts *o = a->options;

	for (size_t i = 0; i < o->backends; i++)
		if (device_needs(o->backend[i], name) ||
		    (a->models && strcmp(o->backend[i], "auto") == 0))
			return true;
	return !o->backends && (a->models || device_needs("auto", name));
}

static bool is_none(const void *ctx, const char *name)
{
	(void)ctx;
	(void)name;
	return false;
}

/* Checks that the values of -b name backends, before any of them is probed. Returns 0, or
 * -1 and the message. */
static int check_names(const struct compute_resolve_opts *o, struct fault *f)
{
	struct devices devices;
	int status = 0;

	devices_find(&devices, is_none, NULL);
	for (size_t i = 0; i < o->backends && status == 0; i++)
		status = device_check(&devices, o->backend[i], f);
	devices_free(&devices);
	return status;
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

/*
 * Takes the devices of -P device out of the common sweeps; the result has no name if there
 * is none. Returns 0, or -1 and the message if they contradict other options.
 */
static int find_wanted_devices(
    const struct compute_resolve_opts *o, struct sweep *wanted, struct fault *f)
{
	int status = 0;

	*wanted = take_devices(o);
	for (size_t i = 0; i < *o->sweeps && status == 0; i++)
		if (strcmp(o->sweep[i].name, "device") == 0)
			status = fault_set(f, "-P device is given twice");
	if (wanted->name && status == 0)
		status = check_words(o, f);
	if (status < 0)
		sweep_free(wanted);
	return status;
}

/* Replaces each kernel and model by one for each of its devices. */
static void assign_all(struct templates *list, const struct device_assignment *s,
    const struct compute_resolve_opts *o)
{
	for (size_t i = 0; i < list->count; i++) {
		struct template *t = &list->item[i];

		if (!is_compute(t) || t->skipped) {
			*VEC_ADD(s->out->item, s->out->count, s->out->cap) = *t;
			*t = (struct template){ 0 };
		} else
			assign_backends(s, t, o);
		template_free(t);
	}
	free(list->item);
	*list = *s->out;
}

int computes_resolve(struct templates *list, const struct compute_resolve_opts *o,
    struct buf *notes, struct fault *f)
{
	struct templates out = { 0 };
	struct devices devices;
	struct sweep wanted;
	struct asked_backends asked = { .options = o };
	size_t lists = 0, computes = 0;

	for (size_t i = 0; i < list->count; i++)
		if (is_compute(&list->item[i])) {
			lists++;
			computes += !list->item[i].skipped;
			asked.models = asked.models || list->item[i].kind == KIND_MODEL;
		}
	if (o->backends && !lists)
		return fault_set(f, "-b requires kernels (-k) or models (-M)");
	if (check_names(o, f) < 0)
		return -1;
	if (!computes)
		return 0;
	if (find_wanted_devices(o, &wanted, f) < 0)
		return -1;
	devices_find(&devices, is_asked, &asked);
	assign_all(list,
	    &(struct device_assignment){ .devices = &devices,
	        .wanted = &wanted,
	        .common = o->sweep,
	        .commons = *o->sweeps,
	        .out = &out,
	        .notes = notes },
	    o);
	devices_free(&devices);
	sweep_free(&wanted);
	return computes_check_sweeps(list, o->sweep, *o->sweeps, f);
}
