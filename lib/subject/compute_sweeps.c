/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Assigns common sweeps to kernels and models: a sweep sets a parameter of a list, an open
 * dimension of a model file, or an option of an engine; see compute.h.
 */
#include <stdlib.h>

#include "subject/compute.h"
#include "subject/compute_file.h"
#include "text/near_name.h"

/* Returns whether a name is a parameter of the list, an open dimension of the model file,
 * or a parameter of the device. */
static bool has_parameter(const struct compute *c, const char *name)
{
	const struct model_symbol *symbol;
	size_t count;

	if (strcmp(name, "workers") == 0)
		return true;
	if (strcmp(name, "threads") == 0)
		return c->threads;
	if (!c->model)
		return c->whole && compute_file_has_dimension(c, name);
	if (strcmp(name, "dtype") == 0)
		return true;
	count = model_symbols(c->model, &symbol);
	for (size_t i = 0; i < count; i++)
		if (strcmp(symbol[i].name, name) == 0)
			return true;
	return false;
}

bool compute_takes(const struct compute *c, const struct sweep *sweep)
{
	return sweep->rate ||
	       (sweep->of_engine ? c->has_engine : has_parameter(c, sweep->name));
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

/* The use of a sweep by the subjects. */
struct sweep_use {
	const struct template
	    *last;   /* the last subject that is not an absent list, or NULL */
	bool engine; /* a subject runs on an engine */
	bool taken;  /* a subject has the parameter or option */
};

static struct sweep_use find_use(const struct templates *list, const struct sweep *sweep)
{
	struct sweep_use use = { 0 };

	for (size_t i = 0; i < list->count; i++) {
		const struct template *t = &list->item[i];

		if (t->absent && t->list)
			continue;
		use.engine |= t->compute && t->compute->has_engine;
		/* The parameters of commands and functions are not known here. */
		use.taken |= sweep->of_engine ? use.engine
		             : t->compute     ? compute_takes(t->compute, sweep)
		                              : true;
		use.last = t;
	}
	return use;
}

int computes_check_sweeps(
    struct templates *list, struct sweep *sweep, size_t sweeps, struct fault *f)
{
	bool marked = false;

	for (size_t s = 0; s < sweeps; s++) {
		struct sweep_use use = find_use(list, &sweep[s]);

		if (!use.last || use.taken)
			continue;
		if (sweep[s].of_engine)
			return fault_set(f,
			    "--engine-option %s: no subject runs on an engine",
			    sweep[s].name);
		if (!use.engine)
			return unknown_parameter(use.last, sweep[s].name, f);
		marked = sweep[s].of_engine = true;
	}
	return marked ? compute_files_check_options(list, f) : 0;
}
