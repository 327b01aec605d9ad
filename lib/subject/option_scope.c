/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks options against kinds; see option_scope.h.
 */
#include "subject/option_scope.h"
#include "subject/subject_column.h"

/* Appends the names of kinds, such as "functions, kernels and models". */
static void put_kinds(struct buf *text, unsigned kinds)
{
	for (unsigned k = 0; k < KINDS; k++) {
		unsigned later = kinds >> k >> 1;

		if (!(kinds >> k & 1))
			continue;
		buf_printf(text, "%s%s%s",
		    !text->len ? ""
		    : later    ? ", "
		               : " and ",
		    k == KIND_MACHINE ? "the machine" : subject_kinds[k],
		    k == KIND_MACHINE   ? ""
		    : k == KIND_PROCESS ? "es"
		                        : "s");
	}
}

/* Returns whether something is measured while a command runs. */
static bool is_during(const struct subject *s)
{
	return s->from->kind != KIND_COMMAND && subject_has_command(s);
}

static bool applies_to(const struct kind_option *option, const struct subject *s)
{
	return option->kinds >> s->from->kind >> (is_during(s) ? KINDS : 0) & 1;
}

/* Returns what to use for commands in place of an option, as a note that ends a message. */
static const char *advice_of(const char *option)
{
	static const struct {
		const char *option, *advice;
	} table[] = {
		{ "--threads", " (use -J to run copies of a command concurrently)" },
	};

	for (size_t i = 0; i < COUNT(table); i++)
		if (strcmp(option, table[i].option) == 0)
			return table[i].advice;
	return "";
}

static int refuse_option(
    const struct kind_option *option, const struct subject *s, struct fault *f)
{
	struct buf kinds = { 0 };

	put_kinds(&kinds, option->kinds);
	if (is_during(s))
		fault_set(f, "%s: for %s only, not for what is measured while '%s' runs",
		    option->name, kinds.ptr, subject_title(s));
	else if (s->from->kind == KIND_MACHINE)
		fault_set(f, "%s: for %s only, not for the machine (-a)", option->name,
		    kinds.ptr);
	else
		fault_set(f, "%s: for %s only, and '%s' is a %s%s", option->name, kinds.ptr,
		    s->from->bench, subject_kinds[s->from->kind],
		    s->from->kind == KIND_COMMAND ? advice_of(option->name) : "");
	buf_free(&kinds);
	return -1;
}

int option_scope_check(const struct kind_option *option, size_t count,
    const struct subjects *subjects, struct fault *f)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; option[i].given && k < subjects->count; k++)
			if (!applies_to(&option[i], &subjects->subject[k]))
				return refuse_option(&option[i], &subjects->subject[k], f);
	return 0;
}
