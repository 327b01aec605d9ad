/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Combines templates with sweeps; see subject.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "load/arrivals.h"
#include "protocol/spawn_proto.h"
#include "record/record.h"
#include "subject/command_hints.h"
#include "subject/compute.h"
#include "subject/function.h"
#include "subject/subject.h"
#include "sys/program_format.h"
#include "sys/program_path.h"
#include "text/units.h"

const char *const subject_kinds[KINDS] = { "command", "function", "kernel", "model" };

/*
 * Returns the name before the equals sign, allocated, or NULL and the message; *rest
 * points to the text after the sign.
 */
static char *take_name(
    const char *spec, const char *form, const char **rest, struct fault *f)
{
	const char *equals = strchr(spec, '=');
	struct text name = { spec, equals ? (size_t)(equals - spec) : 0 };

	if (!name.len) {
		fault_set(f, "'%s' is not %s", spec, form);
		return NULL;
	}
	if (column_reserved(name)) {
		fault_set(f,
		    "'%.*s' is a reserved column of the format; choose another name",
		    (int)name.len, name.ptr);
		return NULL;
	}
	*rest = equals + 1;
	return mem_text(name.ptr, name.len);
}

int label_parse(const char *spec, struct binding *out, struct fault *f)
{
	out->name = take_name(spec, "name=value", &out->value, f);
	return out->name ? 0 : -1;
}

int sweep_parse(const char *spec, struct sweep *out, struct fault *f)
{
	const char *list;
	char *name = take_name(spec, "name=list", &list, f);

	*out = (struct sweep){ 0 };
	if (!name)
		return -1;
	if (units_list(list, &out->value, &out->count, f) < 0) {
		free(name);
		return -1;
	}
	out->name = name;
	return 0;
}

int sweep_engine_option(const char *spec, struct sweep *out, struct fault *f)
{
	const char *value;
	char *name = take_name(spec, "name=value", &value, f);

	*out = (struct sweep){ .name = name, .of_engine = true };
	if (!name)
		return -1;
	out->value = mem_zero(1, sizeof(*out->value));
	out->value[0] = str_copy(value);
	out->count = 1;
	return 0;
}

void sweep_note(const struct sweep *s, struct buf *notes)
{
	for (size_t i = 0; i < s->count; i++) {
		const char *value = s->value[i];
		size_t first = strspn(value, "0123456789"),
		       last = first && value[first] == '-'
		                  ? strspn(value + first + 1, "0123456789")
		                  : 0;

		if (last && !value[first + 1 + last])
			buf_printf(notes,
			    "-P %s: '%s' is one value; for a range write %.*s..%s\n",
			    s->name, value, (int)first, value, value + first + 1);
		else if (strstr(value, ".."))
			buf_printf(notes,
			    "-P %s: '%s' is one value; ranges are of numbers, such as "
			    "1..8\n",
			    s->name, value);
	}
}

static int add_workers(struct sweep *s, size_t *cap, uint64_t count, struct fault *f)
{
	if (!count || count > WIRE_WORKERS_MAX)
		return fault_set(f,
		    "%" PRIu64 " workers: the number must be between 1 and %d", count,
		    WIRE_WORKERS_MAX);
	for (size_t i = 0; i < s->count; i++)
		if (s->workers[i] == count)
			return fault_set(f, "%" PRIu64 " is given twice", count);
	s->workers = mem_resize(s->workers, s->count + 1, sizeof(*s->workers));
	s->workers[s->count] = (uint32_t)count;
	*VEC_ADD(s->value, s->count, *cap) = str_format("%" PRIu64, count);
	return 0;
}

int sweep_workers(const char *list, const char *name, bool of_threads, bool with_one,
    struct sweep *out, struct fault *f)
{
	char **text;
	size_t count, cap = 0;
	uint64_t number;
	bool has_one = !with_one;
	int status;

	if (units_list(list, &text, &count, f) < 0)
		return -1;
	*out = (struct sweep){ .name = str_copy(name), .of_threads = of_threads };
	for (size_t i = 0; i < count && !has_one; i++)
		has_one = units_count(text[i], &number, f) == 0 && number == 1;
	status = has_one ? 0 : add_workers(out, &cap, 1, f);
	for (size_t i = 0; i < count && status == 0; i++)
		if ((status = units_count(text[i], &number, f)) == 0)
			status = add_workers(out, &cap, number, f);
	units_list_free(text, count);
	if (status < 0)
		sweep_free(out);
	return status;
}

/* Removes "/s" at the ends of the items of a list. Returns an allocated text. */
static char *bare_rates(const char *list)
{
	struct buf b = { 0 };

	for (const char *c = list; *c; c++)
		if (strncmp(c, "/s", 2) == 0 && (!c[2] || c[2] == ','))
			c++;
		else
			buf_byte(&b, *c);
	return b.ptr ? b.ptr : str_copy("");
}

int sweep_rates(const char *list, struct sweep *out, struct fault *f)
{
	char *bare = bare_rates(list), **text, canonical[NUMBER_TEXT_MAX];
	size_t count, cap = 0;
	int status = units_list(bare, &text, &count, f);

	free(bare);
	if (status < 0)
		return -1;
	*out = (struct sweep){ .name = str_copy("rate"),
		.rate = mem_zero(count, sizeof(*out->rate)) };
	for (size_t i = 0; i < count && status == 0; i++) {
		double rate;

		status = rate_parse(text[i], &rate, f);
		for (size_t k = 0; k < out->count && status == 0; k++)
			if (out->rate[k] == rate)
				status = fault_set(f, "%s is given twice", text[i]);
		if (status < 0)
			break;
		out->rate[out->count] = rate;
		number_print(canonical, rate);
		*VEC_ADD(out->value, out->count, cap) = str_copy(canonical);
	}
	units_list_free(text, count);
	if (status < 0)
		sweep_free(out);
	return status;
}

void sweep_free(struct sweep *s)
{
	free(s->rate);
	free((char *)s->name);
	units_list_free(s->value, s->count);
	free(s->workers);
}

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

void template_copy(struct template *to, const struct template *from)
{
	*to = (struct template){ .kind = from->kind,
		.bench = str_copy(from->bench),
		.list = from->list ? str_copy(from->list) : NULL,
		.runs = from->runs };
	memcpy(to->hook, from->hook, sizeof(to->hook));
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

void template_free(struct template *t)
{
	free(t->bench);
	free(t->list);
	compute_free(t->compute);
	shell_words_free(t->words);
	free(t->line);
	function_free(t->function);
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
	size_t count = 0;

	while (words[count])
		count++;
	if (shell)
		t.line = str_copy(count == 1 ? words[0] : t.bench);
	else {
		t.words = mem_zero(count + 1, sizeof(*t.words));
		for (size_t i = 0; i < count; i++)
			t.words[i] = str_copy(words[i]);
	}
	*VEC_ADD(list->item, list->count, list->cap) = t;
}

static char **fill_words(const struct template *t, const struct binding *b, size_t n)
{
	static char *const shell[] = { "/bin/sh", "-c" };
	size_t count = 0;
	char **argv;

	if (t->line) {
		argv = mem_zero(4, sizeof(*argv));
		argv[0] = str_copy(shell[0]);
		argv[1] = str_copy(shell[1]);
		argv[2] = shell_words_fill(t->line, b, n);
		return argv;
	}
	while (t->words[count])
		count++;
	argv = mem_zero(count + 1, sizeof(*argv));
	for (size_t i = 0; i < count; i++)
		argv[i] = shell_words_fill(t->words[i], b, n);
	return argv;
}

void subject_set_absent(struct subject *s, const struct fault *why)
{
	s->skipped = str_copy(why->text);
	s->absent = true;
}

static void find_program(struct subject *s)
{
	struct fault f, why, message;

	s->argv = fill_words(s->from, s->factor, s->factors);
	s->path = program_path(s->argv[0], &f);
	if (s->path && program_check_format(s->path, &why) == 0)
		return;
	if (s->path)
		fault_set(&message, "%s: %s", s->path, why.text);
	else
		fault_set(&message, "%s%s", f.text, command_hint_line(s->from->words));
	subject_set_absent(s, &message);
}

static int add_one(struct subjects *list, const struct template *t, struct binding *b,
    size_t n, const struct subject *counts, struct fault *f)
{
	struct subject *s = VEC_ADD(list->subject, list->count, list->cap);

	*s = (struct subject){ .from = t,
		.factor = b,
		.factors = n,
		.threads = counts->threads,
		.workers = counts->workers,
		.rate = counts->rate,
		.skipped = t->skipped ? str_copy(t->skipped) : NULL,
		.absent = t->absent };
	if (!s->skipped && t->compute && compute_finish(s, f) < 0)
		return -1;
	if (!s->skipped && t->kind == KIND_FUNCTION)
		function_check(s);
	if (!s->skipped && t->kind == KIND_COMMAND)
		find_program(s);
	if (s->skipped)
		return 0;
	if (t->stdin_path)
		s->stdin_path = shell_words_fill(t->stdin_path, b, n);
	for (int h = 0; h < HOOKS; h++)
		if (t->hook[h])
			s->hook[h] = shell_words_fill(t->hook[h], b, n);
	return 0;
}

/*
 * Collects the sweeps of a template's subjects: the common ones and its own. Returns
 * their number.
 */
static size_t sweeps_of(const struct template *t, const struct sweep *common,
    size_t commons, const struct sweep **out)
{
	size_t n = 0;

	for (size_t i = 0; i < commons; i++)
		if (t->compute ? compute_takes(t->compute, &common[i])
		               : !(t->list && t->absent))
			out[n++] = &common[i];
	for (size_t i = 0; i < t->sweeps; i++) {
		bool given = false;

		for (size_t j = 0; j < commons; j++)
			given = given || strcmp(common[j].name, t->sweep[i].name) == 0;
		if (!given || !t->sweep[i].is_default)
			out[n++] = &t->sweep[i];
	}
	return n;
}

/* Adds one combination of the sweeps, and its twin. */
static int add_combination(struct subjects *list, const struct template *t,
    const struct sweep *const *sweep, const size_t *at, size_t n, struct fault *f)
{
	static const char aa[] = { 'a', 'b' };

	for (size_t twin = 0; twin < (list->twins ? COUNT(aa) : 1); twin++) {
		struct binding *b = mem_zero(n, sizeof(*b));
		struct subject counts = { .workers = 1, .threads = 1 };

		for (size_t i = 0; i < n; i++) {
			b[i] = (struct binding){ sweep[i]->name, sweep[i]->value[at[i]] };
			if (sweep[i]->of_threads)
				counts.threads = sweep[i]->workers[at[i]];
			else if (sweep[i]->workers)
				counts.workers = sweep[i]->workers[at[i]];
			else if (sweep[i]->rate)
				counts.rate = sweep[i]->rate[at[i]];
		}
		if (add_one(list, t, b, n, &counts, f) < 0)
			return -1;
		if (list->twins)
			list->subject[list->count - 1].aa = aa[twin];
	}
	return 0;
}

int subjects_add(struct subjects *list, const struct template *t,
    const struct sweep *common, size_t commons, struct fault *f)
{
	const struct sweep **sweep = mem_zero(commons + t->sweeps, sizeof(*sweep));
	size_t n = sweeps_of(t, common, commons, sweep), *at = mem_zero(n, sizeof(*at)), i;
	int status = 0;

	do {
		status = add_combination(list, t, sweep, at, n, f);
		/* Go to the next combination; the last parameter changes fastest. */
		for (i = n; i > 0; i--) {
			if (++at[i - 1] < sweep[i - 1]->count)
				break;
			at[i - 1] = 0;
		}
	} while (status == 0 && i > 0);
	free(sweep);
	free(at);
	return status;
}

char *subject_label(const struct subject *s)
{
	struct buf b = { 0 };

	buf_str(&b, s->from->bench);
	for (size_t i = 0; i < s->factors; i++)
		buf_printf(&b, " %s=%s", s->factor[i].name, s->factor[i].value);
	return b.ptr;
}

void subjects_free(struct subjects *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct subject *s = &list->subject[i];

		free(s->factor);
		shell_words_free(s->argv);
		free(s->path);
		free(s->stdin_path);
		free(s->work);
		free(s->input_shape);
		free(s->devices);
		free(s->skipped);
		for (int h = 0; h < HOOKS; h++)
			free(s->hook[h]);
	}
	free(list->subject);
}
