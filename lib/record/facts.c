/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects and compares the facts of machines; see facts.h.
 */
#include <stdlib.h>

#include "record/facts.h"
#include "text/display_text.h"

enum { FACTS_SHOWN = 5, VALUE_SHOWN = 40 };

/* Facts of bench-env that change on their own, and thus explain no env. */
static const char *const momentary[] = { "load_1min", "steal_pct", "memory_available_bytes",
	"swap_used_bytes", "frequency_hz", "temperature_c", "throttle_count" };

struct fact_key {
	size_t env, name;
};

static struct text text_of_key(const struct fact_key *key)
{
	return (struct text){ (const char *)key, sizeof(*key) };
}

void facts_add(struct facts *f, struct text env, struct text name, struct text value)
{
	struct fact_key key = { intern_add(&f->envs, env), intern_add(&f->texts, name) };
	size_t number = intern_add(&f->keys, text_of_key(&key));

	if (number == f->count)
		*VEC_ADD(f->fact, f->count, f->cap) =
		    (struct known_fact){ .env = key.env, .name = key.name };
	f->fact[number].value = intern_add(&f->texts, value);
}

static struct text fact_value(const struct facts *f, struct text env, struct text name)
{
	long in = intern_find(&f->envs, env), word = intern_find(&f->texts, name), number;

	if (in < 0 || word < 0)
		return TEXT("");
	number = intern_find(
	    &f->keys, text_of_key(&(struct fact_key){ (size_t)in, (size_t)word }));
	return number < 0 ? TEXT("") : intern_text(&f->texts, f->fact[number].value);
}

bool facts_momentary(struct text name)
{
	for (size_t i = 0; i < COUNT(momentary); i++)
		if (text_is(name, momentary[i]))
			return true;
	return false;
}

size_t facts_diff(const struct facts *old, struct text old_env, const struct facts *new,
    struct text new_env, bool all, struct fact_difference **out)
{
	const struct {
		const struct facts *facts;
		long env;
	} side[] = { { old, intern_find(&old->envs, old_env) },
		{ new, intern_find(&new->envs, new_env) } };
	size_t count = 0, cap = 0;

	*out = NULL;
	for (size_t s = 0; s < COUNT(side); s++)
		for (size_t i = 0; i < side[s].facts->count; i++) {
			const struct known_fact *k = &side[s].facts->fact[i];
			struct fact_difference d = { .name = intern_text(
				                         &side[s].facts->texts, k->name) };

			if ((long)k->env != side[s].env ||
			    (!all && facts_momentary(d.name)))
				continue;
			d.old = fact_value(old, old_env, d.name);
			d.new = fact_value(new, new_env, d.name);
			if (!text_equal(d.old, d.new) && (s == 0 || !d.old.len))
				*VEC_ADD(*out, count, cap) = d;
		}
	return count;
}

/* Appends a value, shortened. */
static void put_value(struct buf *line, struct text t)
{
	size_t len = t.len;

	if (len > VALUE_SHOWN)
		for (len = VALUE_SHOWN; len && (t.ptr[len] & 0xc0) == 0x80;)
			len--;
	display_text_clean(line, (struct text){ t.ptr, len });
	buf_str(line, !t.len ? "absent" : len < t.len ? "..." : "");
}

bool facts_known(const struct facts *f, struct text old_env, struct text new_env)
{
	return f && intern_find(&f->envs, old_env) >= 0 &&
	       intern_find(&f->envs, new_env) >= 0;
}

void facts_explain(
    const struct facts *f, struct text old_env, struct text new_env, struct buf *line)
{
	struct fact_difference *list;
	size_t count;

	if (!f)
		return;
	if (!facts_known(f, old_env, new_env)) {
		buf_str(line, " (join the output of bench-env to the samples to see which "
		              "facts differ)");
		return;
	}
	count = facts_diff(f, old_env, f, new_env, false, &list);
	buf_str(line, count ? "; facts that differ: " : "; no fact in the input differs");
	for (size_t i = 0; i < count && i < FACTS_SHOWN; i++) {
		buf_str(line, i ? ", " : "");
		display_text_clean(line, list[i].name);
		buf_str(line, " (");
		put_value(line, list[i].old);
		buf_str(line, " and ");
		put_value(line, list[i].new);
		buf_byte(line, ')');
	}
	if (count > FACTS_SHOWN)
		buf_printf(line, ", and %zu more", count - FACTS_SHOWN);
	free(list);
}

void facts_free(struct facts *f)
{
	intern_free(&f->texts);
	intern_free(&f->envs);
	intern_free(&f->keys);
	free(f->fact);
	*f = (struct facts){ 0 };
}
