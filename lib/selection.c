/*
 * Options -> templates -> subjects; see selection.h.
 */
#include <stdlib.h>
#include <string.h>

#include "function.h"
#include "selection.h"
#include "subject_file.h"

static const char *const hook_names[HOOKS] = { "setup", "prepare", "conclude", "cleanup" };

static int read_templates(
    struct selection *s, const struct selection_options *o, struct fault *f)
{
	struct templates *list = &s->templates;

	if (*o->operands && (o->lines->count || o->functions->count || o->tables->count))
		return fault_set(
		    f, "a command as operands and -c, -f or -I exclude each other");
	for (size_t i = 0; i < o->lines->count; i++)
		if (template_add_line(list, o->lines->item[i], o->shell, f) < 0)
			return -1;
	for (size_t i = 0; i < o->functions->count; i++)
		if (functions_add(list, o->functions->item[i], f) < 0)
			return -1;
	for (size_t i = 0; i < o->tables->count; i++)
		if (subject_file_read(o->tables->item[i], list, f) < 0)
			return -1;
	if (*o->operands)
		template_add_words(list, o->operands, o->shell);
	return list->count
	           ? 0
	           : fault_set(f,
	                 "nothing to measure: neither a command nor a function is given");
}

/* Names belong to the templates in their order; a hook given once serves them all. */
static int dress_templates(
    struct selection *s, const struct selection_options *o, struct fault *f)
{
	size_t count = s->templates.count;

	if (o->names->count > count)
		return fault_set(
		    f, "-n names %zu subjects and there are %zu", o->names->count, count);
	for (int h = 0; h < HOOKS; h++)
		if (o->hooks[h]->count > 1 && o->hooks[h]->count != count)
			return fault_set(f, "--%s is given %zu times for %zu commands",
			    hook_names[h], o->hooks[h]->count, count);
	for (size_t i = 0; i < count; i++) {
		struct template *t = &s->templates.item[i];

		if (i < o->names->count) {
			free(t->bench);
			t->bench = str_copy(o->names->item[i]);
		}
		for (int h = 0; h < HOOKS; h++)
			if (o->hooks[h]->count)
				t->hook[h] =
				    o->hooks[h]->item[o->hooks[h]->count > 1 ? i : 0];
		t->stdin_path = o->stdin_path;
	}
	return 0;
}

/* Say which option the message is about. */
static int blame(const char *option, struct fault *f)
{
	struct fault why = *f;

	return fault_set(f, "%s: %s", option, why.text);
}

static int read_factors(
    struct selection *s, const struct selection_options *o, struct fault *f)
{
	s->sweep = mem_zero(o->sweeps->count + 2, sizeof(*s->sweep));
	for (; s->sweeps < o->sweeps->count; s->sweeps++)
		if (sweep_parse(o->sweeps->item[s->sweeps], &s->sweep[s->sweeps], f) < 0)
			return blame("-P", f);
	if (o->workers) {
		if (sweep_workers(o->workers, false, &s->sweep[s->sweeps], f) < 0)
			return blame("-J", f);
		s->sweeps++;
	}
	if (o->threads) {
		if (sweep_workers(o->threads, true, &s->sweep[s->sweeps], f) < 0)
			return blame("-j", f);
		s->sweeps++;
	}
	s->label = mem_zero(o->labels->count, sizeof(*s->label));
	for (; s->labels < o->labels->count; s->labels++)
		if (label_parse(o->labels->item[s->labels], &s->label[s->labels], f) < 0)
			return blame("--label", f);
	return 0;
}

/* The name of a column that labels and the subject's parameters give, by number. */
static const char *column(
    const struct selection *s, const struct subject *subject, size_t i)
{
	return i < s->labels ? s->label[i].name : subject->factor[i - s->labels].name;
}

static int check_columns(const struct selection *s, struct fault *f)
{
	for (size_t k = 0; k < s->subjects.count; k++) {
		const struct subject *subject = &s->subjects.subject[k];

		for (size_t i = 1; i < s->labels + subject->factors; i++)
			for (size_t j = 0; j < i; j++)
				if (strcmp(column(s, subject, i), column(s, subject, j)) ==
				    0)
					return fault_set(f,
					    "two labels or parameters are named '%s'",
					    column(s, subject, i));
	}
	return 0;
}

int selection_read(
    struct selection *s, const struct selection_options *options, struct fault *f)
{
	if (read_templates(s, options, f) < 0 || dress_templates(s, options, f) < 0 ||
	    read_factors(s, options, f) < 0)
		return -1;
	for (size_t i = 0; i < s->templates.count; i++)
		if (subjects_add(
		        &s->subjects, &s->templates.item[i], s->sweep, s->sweeps, f) < 0)
			return -1;
	return check_columns(s, f) < 0 || subjects_check(&s->subjects, f) < 0 ? -1 : 0;
}

void selection_free(struct selection *s)
{
	subjects_free(&s->subjects);
	for (size_t i = 0; i < s->templates.count; i++)
		template_free(&s->templates.item[i]);
	free(s->templates.item);
	for (size_t i = 0; i < s->sweeps; i++)
		sweep_free(&s->sweep[i]);
	free(s->sweep);
	for (size_t i = 0; i < s->labels; i++)
		free((char *)s->label[i].name);
	free(s->label);
}
