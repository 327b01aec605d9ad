/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The facts of machines in a stream, and how those of two machines, or of one machine at
 * two times, differ. Does no input or output.
 */
#ifndef RECORD_FACTS_H
#define RECORD_FACTS_H

#include "base/intern.h"

/* Zero it to begin. */
struct facts {
	struct intern texts;
	struct intern envs; /* in order of appearance */
	struct intern keys; /* (env, fact) -> number of the fact */
	struct known_fact {
		size_t env, name, value; /* numbers in envs, texts, texts */
	} * fact;
	size_t count, cap;
};

struct fact_difference {
	struct text name, old, new; /* old or new is empty if the fact is absent there */
};

/* Returns whether a fact of this name changes on its own, such as the load. */
bool facts_momentary(struct text name);
/* Adds a fact, which replaces an earlier one of the same env and name. */
void facts_add(struct facts *f, struct text env, struct text name, struct text value);
/*
 * Finds the facts that differ between two envs, in the order of the old side and then that
 * of the new one. Facts that change on their own are left out unless `all`. Sets *out,
 * allocated, and returns how many there are. The strings live until the next facts_add().
 */
size_t facts_diff(const struct facts *old, struct text old_env, const struct facts *new,
    struct text new_env, bool all, struct fact_difference **out);
/* Returns whether there are facts of both envs; false if f is NULL. */
bool facts_known(const struct facts *f, struct text old_env, struct text new_env);
/*
 * Appends which facts differ between two envs, such as "; facts that differ: kernel (6.1
 * and 6.2)", or what to do if the facts of an env are unknown. Nothing if f is NULL.
 */
void facts_explain(
    const struct facts *f, struct text old_env, struct text new_env, struct buf *line);
void facts_free(struct facts *f);

#endif
