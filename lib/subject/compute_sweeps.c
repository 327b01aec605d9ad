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

/* Adds the parameters of a list or model file and of its device to the names. */
static void add_parameters(const struct compute *c, struct known_names *known)
{
	const struct model_symbol *symbol;

	if (c->model) {
		size_t count = model_symbols(c->model, &symbol);

		for (size_t i = 0; i < count; i++)
			known_names_add(known, text_of(str_copy(symbol[i].name)));
		known_names_add(known, text_of(str_copy("dtype")));
	} else if (c->whole) {
		compute_file_add_dimensions(c, known);
	}
	if (c->threads)
		known_names_add(known, text_of(str_copy("threads")));
}

/* Sets the message about a sweep that is no parameter of a list or model file. Returns -1.
 */
static int unknown_parameter(
    const struct template *t, const char *name, const char *advice, struct fault *f)
{
	struct known_names known = { .owns = true, .advice = advice };
	char *what = str_format("-P: %s has no parameter", t->list);

	add_parameters(t->compute, &known);
	unknown_name(f, what, text_of(name), &known);
	free(what);
	return -1;
}

/* Returns whether a name looks like a mistyped parameter of a subject. A name that contains
 * a parameter, such as inter_op_threads, is near too, but much longer. */
static bool is_mistyped(const struct template *t, const char *name)
{
	struct known_names known = { .owns = true };
	size_t near[NEAR_NAMES_MOST];
	bool mistyped;

	if (!t->compute || (t->absent && t->list))
		return false;
	add_parameters(t->compute, &known);
	mistyped = near_names(text_of(name), &known, near) > 0 &&
	           strlen(name) <= known.name[near[0]].len + 2;
	known_names_free(&known);
	return mistyped;
}

/*
 * Checks a sweep that no subject has as a parameter, and that becomes an option of the
 * engines. An engine reports an unknown option late, in its own words, and with `auto` it
 * would be chosen because other backends reject the parameter. Returns 0, or -1 and the
 * message if the name is probably mistyped.
 */
static int check_option(const struct templates *list, const char *name, struct fault *f)
{
	for (size_t i = 0; i < list->count; i++)
		if (is_mistyped(&list->item[i], name))
			return unknown_parameter(&list->item[i], name,
			    "--engine-option sets an option of the engine", f);
	return 0;
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
			return unknown_parameter(use.last, sweep[s].name, NULL, f);
		if (check_option(list, sweep[s].name, f) < 0)
			return -1;
		marked = sweep[s].of_engine = true;
	}
	return marked ? compute_files_check_options(list, f) : 0;
}
