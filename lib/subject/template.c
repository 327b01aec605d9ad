/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes, copies and frees templates; see template.h. */
#include <stdlib.h>
#include <string.h>

#include "device/whole_model.h"
#include "subject/compute.h"
#include "subject/function.h"
#include "subject/group_subject.h"
#include "subject/machine_subject.h"
#include "subject/process_subject.h"
#include "subject/template.h"

const char *const subject_kinds[KINDS] = { "command", "function", "kernel", "model",
	"process", "machine", "cgroup" };

void template_add_sweep(struct template *t, struct sweep sweep)
{
	t->sweep = mem_resize(t->sweep, t->sweeps + 1, sizeof(*t->sweep));
	t->sweep[t->sweeps++] = sweep;
}

void template_add_factor(
    struct template *t, const char *name, const char *value, bool is_default)
{
	struct sweep sweep = { .name = str_copy(name),
		.value = mem_zero(1, sizeof(char *)),
		.count = 1,
		.is_default = is_default };

	sweep.value[0] = str_copy(value);
	template_add_sweep(t, sweep);
}

bool template_has_sweep(const struct template *t, const char *name)
{
	for (size_t i = 0; i < t->sweeps; i++)
		if (strcmp(t->sweep[i].name, name) == 0)
			return true;
	return false;
}

/* Appends copies of the sweeps of another template. */
static void copy_sweeps(struct template *to, const struct template *from)
{
	for (size_t i = 0; i < from->sweeps; i++) {
		const struct sweep *s = &from->sweep[i];
		struct sweep copy = { .name = str_copy(s->name),
			.value = mem_zero(s->count, sizeof(char *)),
			.count = s->count,
			.is_default = s->is_default };

		for (size_t k = 0; k < s->count; k++)
			copy.value[k] = str_copy(s->value[k]);
		template_add_sweep(to, copy);
	}
}

void template_copy(struct template *to, const struct template *from)
{
	*to = (struct template){ .kind = from->kind,
		.bench = str_copy(from->bench),
		.list = from->list ? str_copy(from->list) : NULL,
		.env = from->env,
		.envs = from->envs,
		.runs = from->runs };
	memcpy(to->hook, from->hook, sizeof(to->hook));
	copy_sweeps(to, from);
}

/* Returns an allocated copy of words, which end with NULL. */
static char **copy_words(char *const *words)
{
	size_t count = 0;
	char **copy;

	while (words[count])
		count++;
	copy = mem_zero(count + 1, sizeof(*copy));
	for (size_t i = 0; i < count; i++)
		copy[i] = str_copy(words[i]);
	return copy;
}

void template_add_command(struct template *t, const struct template *from)
{
	t->words = from->words ? copy_words(from->words) : NULL;
	t->line = from->line ? str_copy(from->line) : NULL;
	t->runs = from->runs;
	copy_sweeps(t, from);
}

static void free_function(struct function *fn)
{
	if (!fn)
		return;
	free(fn->object);
	free(fn->symbol);
	free(fn->set_up);
	free(fn->tear_down);
	formula_free(fn->items);
	formula_free(fn->bytes);
	free(fn);
}

static void free_compute(struct compute *c)
{
	if (!c)
		return;
	model_close(c->model);
	model_close(c->imported);
	if (c->whole)
		whole_model_free(c->whole);
	free(c->whole);
	free(c->list);
	free(c->backend);
	free(c->path);
	free(c->device);
	free(c->card);
	free(c->detail);
	free(c->warning);
	free(c);
}

void template_free(struct template *t)
{
	free(t->bench);
	free(t->list);
	free_compute(t->compute);
	shell_words_free(t->words);
	free(t->line);
	free_function(t->function);
	process_subject_free(t->processes);
	machine_subject_free(t->machine);
	group_subject_free(t->group);
	for (size_t i = 0; i < t->sweeps; i++)
		sweep_free(&t->sweep[i]);
	free(t->sweep);
	free(t->skipped);
}

void template_set_absent(struct template *t, const struct fault *why)
{
	t->skipped = str_copy(why->text);
	t->absent = true;
}

int template_add_line(struct templates *list, const char *line, bool shell, struct fault *f)
{
	struct template t = { .bench = str_copy(line) };

	if (shell)
		t.line = str_copy(line);
	else if (!(t.words = shell_words_split(line, f))) {
		free(t.bench);
		return -1;
	}
	*VEC_ADD(list->item, list->count, list->cap) = t;
	return 0;
}

void template_add_words(struct templates *list, char *const *words, bool shell)
{
	struct template t = { .bench = shell_words_join(words) };

	if (shell)
		t.line = str_copy(words[1] ? t.bench : words[0]);
	else
		t.words = copy_words(words);
	*VEC_ADD(list->item, list->count, list->cap) = t;
}
