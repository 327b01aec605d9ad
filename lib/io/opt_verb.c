/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses verbs; see opt_verb.h.
 */
#include <string.h>

#include "io/opt_verb.h"

static const struct opt_verb *verb_at(const struct opt_verbs *verbs, size_t i)
{
	return (const void *)((const char *)verbs->table + i * verbs->size);
}

static _Noreturn void fail_without_verb(const struct opt_verbs *verbs)
{
	struct buf names = { 0 };

	for (size_t i = 0; i < verbs->count; i++)
		buf_printf(&names, "%s%s",
		    !i                     ? ""
		    : i + 1 < verbs->count ? ", "
		                           : " or ",
		    verb_at(verbs, i)->name);
	opt_usage_error(verbs->program, "a verb is required: %s", names.ptr);
}

const void *opt_verb_choose(const struct opt_verbs *verbs, const char *name)
{
	struct known_names known = { .alias = verbs->alias, .aliases = verbs->aliases };
	struct fault f;

	if (!name)
		fail_without_verb(verbs);
	for (size_t i = 0; i < verbs->count; i++)
		if (strcmp(name, verb_at(verbs, i)->name) == 0)
			return verb_at(verbs, i);
	known_names_add_all(&known, verbs->table, verbs->size, verbs->count);
	unknown_name(&f, "unknown verb", text_of(name), &known);
	opt_usage_error(verbs->program, "%s", f.text);
}

void opt_verb_refuse(
    const struct opt_program *program, const char *const *names, const char *where)
{
	const char *given;
	size_t count = 0;

	while (names[count])
		count++;
	given = opt_given(names, count, true);
	if (given)
		opt_usage_error(program, "--%s works only for %s", given, where);
}

/* Reports too many or too few operands of a verb with its line of the synopsis, such as
 * "tag: an operand is missing; usage: tag name [run...]". */
static _Noreturn void fail_operands(
    const struct opt_program *p, const char *verb, bool too_many)
{
	const char *what = too_many ? "too many operands" : "an operand is missing";
	const size_t len = strlen(verb);

	for (size_t i = 0; p->synopsis[i]; i++) {
		const char *word = strstr(p->synopsis[i], verb);

		if (word && word > p->synopsis[i] && word[-1] == ' ' &&
		    (!word[len] || word[len] == ' '))
			opt_usage_error(p, "%s: %s; usage: %s", verb, what, word);
	}
	opt_usage_error(p, "%s: %s", verb, what);
}

void opt_verb_check(
    const struct opt_verbs *verbs, const struct opt_verb *chosen, size_t operands)
{
	const struct opt_program *p = verbs->program;

	if (operands < chosen->least || operands > chosen->most)
		fail_operands(p, chosen->name, operands > chosen->most);
	for (size_t i = 0; i < verbs->count; i++)
		if (verb_at(verbs, i) != chosen)
			opt_verb_refuse(p, verb_at(verbs, i)->own, verb_at(verbs, i)->name);
}
