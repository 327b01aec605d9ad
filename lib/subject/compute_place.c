/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places kernels and models on devices; see compute_place.h.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/dtype.h"
#include "subject/compute_file.h"
#include "subject/compute_place.h"
#include "text/units.h"

/* Adds the symbols that are columns even if nobody sets them: those of kernels, some of
 * models, and the first dimensions of files. */
static void add_symbols(struct template *t)
{
	static const char *const of_models[] = { "batch", "seq" };
	const struct model_symbol *symbol;
	size_t count = model_symbols(t->compute->model, &symbol);

	for (size_t i = 0; i < count; i++) {
		bool shown = t->kind == KIND_KERNEL ||
		             (compute_file_is(t->list) && symbol[i].value > 0);
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

static struct compute_card *cards_of(const struct device_choice *choice)
{
	struct compute_card *card = mem_zero(choice->count, sizeof(*card));

	for (size_t i = 0; i < choice->count; i++) {
		const struct backend_device *about = &choice->device[i]->about;

		memcpy(card[i].model, about->name, sizeof(card[i].model));
		memcpy(card[i].pci, about->pci, sizeof(card[i].pci));
	}
	return card;
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

struct model *compute_open_model(const struct template *t, struct fault *f)
{
	return t->kind == KIND_KERNEL ? kernel_open(t->list, f) : model_open(t->list, f);
}

static void add_dtype(struct template *t, enum backend_dtype dtype)
{
	if (!template_has_sweep(t, "dtype"))
		template_add_factor(t, "dtype", dtype_name(dtype), true);
}

void compute_place_nowhere(
    struct template *t, const char *backend, const char *device, const struct fault *why)
{
	struct fault broken;
	struct model *model =
	    compute_file_is(t->list) ? NULL : compute_open_model(t, &broken);

	template_set_absent(t, model || compute_file_is(t->list) ? why : &broken);
	if (!model && !compute_file_is(t->list))
		return;
	t->compute = mem_zero(1, sizeof(*t->compute));
	*t->compute = (struct compute){
		.list = str_copy(t->list), .model = model, .backend = str_copy(backend)
	};
	if (model && *model_arch(model))
		template_add_factor(t, "arch", model_arch(model), false);
	template_add_factor(t, "backend", backend, false);
	if (device)
		template_add_factor(t, "device", device, false);
	if (!model)
		return;
	add_dtype(t, BACKEND_FLOAT32);
	add_symbols(t);
}

/* Adds the version of the engine. */
static void add_engine(struct template *t, const struct backend_device *about)
{
	const struct compute *c = t->compute;
	const char *known =
	    c->whole && *c->whole->engine ? c->whole->engine : about->version;
	char *text = isdigit((unsigned char)*known) ? str_format("%s %s", c->backend, known)
	                                            : str_copy(*known ? known : c->backend);

	template_add_factor(t, "engine", text, false);
	free(text);
}

/* Adds the factors of a list or model file on a device. */
static void add_factors(
    struct template *t, const struct backend_device *about, const char *device)
{
	const struct compute *c = t->compute;
	const bool emulated =
	    (c->whole && *c->whole->emulated) || device_is_emulated(about);

	if (c->model && *model_arch(c->model))
		template_add_factor(t, "arch", model_arch(c->model), false);
	template_add_factor(t, "backend", c->backend, false);
	if (c->has_engine)
		add_engine(t, about);
	template_add_factor(t, "device", device, false);
	template_add_factor(t, "device_type", emulated ? "emulator" : about->type, false);
	if (c->model) {
		add_dtype(t, c->has_engine || c->dtypes & 1u << BACKEND_FLOAT32
		                 ? BACKEND_FLOAT32
		                 : BACKEND_FLOAT64);
		add_symbols(t);
	} else
		compute_file_add_factors(t);
	add_threads(t, about);
}

int compute_place(struct template *t, const struct devices *d,
    const struct device_choice *choice, const struct sweep *common, size_t commons,
    struct fault *f)
{
	const struct backend_device *about = &choice->device[0]->about;
	const struct backend_file *file = choice->backend->file;
	const bool is_file =
	    compute_file_is(t->list) && !compute_file_is_list(t->list, choice->backend);
	struct model *model = is_file ? NULL : compute_open_model(t, f);
	struct compute *c;
	char *name;

	if (!model && !is_file)
		return -1;
	c = t->compute = mem_zero(1, sizeof(*c));
	*c = (struct compute){ .list = str_copy(t->list),
		.model = model,
		.backend = str_copy(file->name),
		.path = file->path ? str_copy(file->path) : NULL,
		.device = indexes_of(choice),
		.card = cards_of(choice),
		.devices = (uint32_t)choice->count,
		.on_host = strcmp(about->type, "cpu") == 0,
		.threads = about->threads,
		.memory_bytes = (double)about->memory_bytes,
		.dtypes = about->dtypes,
		.detail = *about->detail ? str_copy(about->detail) : NULL,
		.warning = *about->warning ? str_copy(about->warning) : NULL,
		.has_engine = *choice->backend->formats != '\0',
		.common = common,
		.commons = commons };
	name = names_of(d, choice);
	if (!is_file)
		compute_file_name_symbols(t);
	else if (compute_file_load(t, choice->backend, f) < 0) {
		template_add_factor(t, "backend", file->name, false);
		template_add_factor(t, "device", name, false);
		free(name);
		return -1;
	}
	add_factors(t, about, name);
	free(name);
	return 0;
}
