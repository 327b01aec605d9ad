/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses pages of formats; see format_page.h. A line is a word and its arguments, which the
 * shell's rules of quoting separate. A table has a row for each word.
 */
#include <stdlib.h>

#include "convert/format_page.h"
#include "convert/from.h"
#include "text/near_name.h"
#include "text/shell_words.h"
#include "text/units.h"
#include "text/utf8.h"

enum { SCALE_MAX = 30 };

/* A line of a page. */
struct page_line {
	struct format_page *page;
	const char *const *arg;    /* those that are not options */
	const char *const *option; /* "name=value" */
	size_t options;
	const struct page_word *word;
};

static struct arena *line_memory(const struct page_line *l)
{
	return &l->page->memory;
}

static const char *line_text(const struct page_line *l, size_t i)
{
	return arena_text(line_memory(l), text_of(l->arg[i]));
}

/* Returns the value of an option, or NULL. */
static const char *line_option(const struct page_line *l, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < l->options; i++)
		if (strncmp(l->option[i], name, len) == 0 && l->option[i][len] == '=')
			return arena_text(line_memory(l), text_of(l->option[i] + len + 1));
	return NULL;
}

/* Stores the option scale: a power of ten, or a binary prefix. */
static int line_scale(const struct page_line *l, struct page_scale *out, struct fault *f)
{
	static const char *const prefixes[] = { "Ki", "Mi", "Gi", "Ti" };
	const char *text = line_option(l, "scale");
	int64_t scale = 0;

	*out = (struct page_scale){ 0 };
	for (size_t i = 0; text && i < COUNT(prefixes); i++)
		if (strcmp(text, prefixes[i]) == 0) {
			out->twos = 10 * ((int)i + 1);
			return 0;
		}
	if (text && (!integer_parse(text_of(text), &scale) || scale < -SCALE_MAX ||
	                scale > SCALE_MAX))
		return fault_set(f,
		    "scale is not an integer from -%d to %d, Ki, Mi, Gi or Ti: '%s'",
		    SCALE_MAX, SCALE_MAX, text);
	out->tens = (int)scale;
	return 0;
}

/* Stores the path of an option, or NULL. */
static int line_path(
    const struct page_line *l, const char *option, struct page_path **out, struct fault *f)
{
	const char *text = line_option(l, option);

	*out = text ? arena_zero(line_memory(l), 1, sizeof(**out)) : NULL;
	return text ? page_path_parse(*out, text, line_memory(l), f) : 0;
}

/* Stores the conditions of the options only. */
static int line_conditions(
    const struct page_line *l, struct page_metric *m, struct fault *f)
{
	static const char only[] = "only=";

	m->only = arena_zero(line_memory(l), l->options + 1, sizeof(*m->only));
	for (size_t i = 0; i < l->options; i++)
		if (text_begins(text_of(l->option[i]), only) &&
		    page_condition_parse(&m->only[m->conditions++],
		        arena_text(line_memory(l), text_of(l->option[i] + strlen(only))),
		        line_memory(l), f) < 0)
			return -1;
	return 0;
}

/* Parses a path of values, which cannot end in "@". */
static int parse_values(
    const struct page_line *l, const char *text, struct page_path *out, struct fault *f)
{
	if (page_path_parse(out, text, line_memory(l), f) < 0)
		return -1;
	return out->wants_key ? fault_set(f, "the path '%s' ends in @", text) : 0;
}

static int take_meaning(const struct page_line *l, struct fault *f)
{
	if (l->page->meaning)
		return fault_set(f, "a page has one line 'meaning'");
	l->page->meaning = line_text(l, 0);
	return 0;
}

static int take_type(const struct page_line *l, struct fault *f)
{
	l->page->is_csv = strcmp(l->arg[0], "csv") == 0;
	if (!l->page->is_csv && strcmp(l->arg[0], "json") != 0)
		return fault_set(f, "the type is neither json nor csv: '%s'", l->arg[0]);
	return 0;
}

static int take_need(const struct page_line *l, struct fault *f)
{
	struct format_page *p = l->page;

	return page_condition_parse(VEC_ADD(p->needs.at, p->needs.count, p->needs.cap),
	    l->arg[0], line_memory(l), f);
}

static int take_each(const struct page_line *l, struct fault *f)
{
	if (l->page->has_each)
		return fault_set(f, "a page has one line 'each'");
	l->page->has_each = true;
	l->page->each_text = line_text(l, 0);
	return parse_values(l, l->arg[0], &l->page->each, f);
}

static int take_only(const struct page_line *l, struct fault *f)
{
	struct format_page *p = l->page;

	return page_condition_parse(
	    VEC_ADD(p->only.at, p->only.count, p->only.cap), l->arg[0], line_memory(l), f);
}

static int take_shared(const struct page_line *l, struct fault *f)
{
	(void)f;
	l->page->is_shared = true;
	return 0;
}

static int take_directory(const struct page_line *l, struct fault *f)
{
	struct format_page *p = l->page;

	if (p->directory_factor)
		return fault_set(f, "a page has one line 'directory'");
	p->directory_factor = line_text(l, 0);
	if (!*p->directory_factor || !*l->arg[1])
		return fault_set(f, "the name or the text is empty");
	return page_text_parse(&p->directory, l->arg[1], line_memory(l), f);
}

static int take_column(const struct page_line *l, struct fault *f);

static int take_factor(const struct page_line *l, struct fault *f)
{
	struct format_page *p = l->page;
	struct page_factor *factor = VEC_ADD(p->factor.at, p->factor.count, p->factor.cap);

	*factor = (struct page_factor){ .name = line_text(l, 0) };
	if (!*factor->name)
		return fault_set(f, "the name of the factor is empty");
	return page_text_parse(&factor->value, l->arg[1], line_memory(l), f);
}

static int take_factors(const struct page_line *l, struct fault *f)
{
	struct format_page *p = l->page;
	struct page_factors *factors =
	    VEC_ADD(p->factors.at, p->factors.count, p->factors.cap);

	*factors = (struct page_factors){ .split = line_option(l, "split"),
		.except = line_option(l, "except") };
	if (factors->split && !*factors->split)
		return fault_set(f, "the text of split is empty");
	return parse_values(l, l->arg[0], &factors->path, f);
}

static int take_short_rows(const struct page_line *l, struct fault *f)
{
	(void)f;
	l->page->has_short_rows = true;
	return 0;
}

static int take_parts(const struct page_line *l, struct fault *f)
{
	if (l->page->settings)
		return fault_set(f, "a page has one line 'parts'");
	l->page->settings = line_text(l, 0);
	return 0;
}

static int take_repeats(const struct page_line *l, struct fault *f)
{
	(void)f;
	l->page->numbers_repeats = true;
	return 0;
}

static int take_status(const struct page_line *l, struct fault *f)
{
	struct format_page *p = l->page;
	struct page_status *s = VEC_ADD(p->status.at, p->status.count, p->status.cap);

	*s = (struct page_status){ .status.piece = NULL };
	if (page_text_parse(&s->status, l->arg[0], line_memory(l), f) < 0)
		return -1;
	return page_condition_parse(&s->when, l->arg[1], line_memory(l), f);
}

static int take_metric(const struct page_line *l, struct fault *f)
{
	struct format_page *p = l->page;
	struct page_metric *m = VEC_ADD(p->metric.at, p->metric.count, p->metric.cap);

	*m = (struct page_metric){ .name = line_text(l, 0),
		.unit = line_option(l, "unit"),
		.except = line_option(l, "except") };
	if (line_conditions(l, m, f) < 0)
		return -1;
	if (!*m->name)
		return fault_set(f, "the name of the metric is empty");
	if (parse_values(l, l->arg[1], &m->path, f) < 0 ||
	    line_scale(l, &m->scale, f) < 0 ||
	    line_path(l, "unit-at", &m->unit_at, f) < 0 ||
	    line_path(l, "iterations", &m->iterations, f) < 0)
		return -1;
	if (m->unit && m->unit_at)
		return fault_set(f, "unit and unit-at exclude each other");
	if (strchr(m->name, '@') && !m->unit_at)
		return fault_set(f, "the name '%s' needs unit-at", m->name);
	return 0;
}

static int take_unit(const struct page_line *l, struct fault *f)
{
	struct format_page *p = l->page;
	struct page_unit *u = VEC_ADD(p->unit.at, p->unit.count, p->unit.cap);

	*u = (struct page_unit){ .text = line_text(l, 0),
		.unit = line_text(l, 1),
		.name = line_option(l, "name") };
	return line_scale(l, &u->scale, f);
}

static int take_rename(const struct page_line *l, struct fault *f)
{
	struct format_page *p = l->page;

	(void)f;
	*VEC_ADD(p->rename.at, p->rename.count, p->rename.cap) =
	    (struct page_rename){ line_text(l, 0), line_text(l, 1) };
	return 0;
}

/* The words of pages. */
static const struct page_word {
	const char *name;
	size_t args;
	const char *usage;
	int (*take)(const struct page_line *l, struct fault *f);
	const char *options[7];
	enum column column; /* of take_column */
} words[] = {
	{ "meaning", 1, "TEXT", take_meaning, { NULL }, 0 },
	{ "type", 1, "json|csv", take_type, { NULL }, 0 },
	{ "short-rows", 0, "", take_short_rows, { NULL }, 0 },
	{ "need", 1, "CONDITION", take_need, { NULL }, 0 },
	{ "each", 1, "PATH", take_each, { NULL }, 0 },
	{ "only", 1, "CONDITION", take_only, { NULL }, 0 },
	{ "shared", 0, "", take_shared, { NULL }, 0 },
	{ "directory", 2, "NAME TEXT", take_directory, { NULL }, 0 },
	{ "bench", 1, "TEXT", take_column, { NULL }, COL_BENCH },
	{ "parts", 1, "SETTINGS", take_parts, { NULL }, 0 },
	{ "kind", 1, "TEXT", take_column, { NULL }, COL_KIND },
	{ "run", 1, "TEXT", take_column, { NULL }, COL_RUN },
	{ "host", 1, "TEXT", take_column, { NULL }, COL_HOST },
	{ "env", 1, "TEXT", take_column, { NULL }, COL_ENV },
	{ "commit", 1, "TEXT", take_column, { NULL }, COL_COMMIT },
	{ "time", 1, "TEXT", take_column, { "scale", NULL }, COL_TIME },
	{ "process", 1, "TEXT", take_column, { NULL }, COL_PROCESS },
	{ "sample", 1, "TEXT", take_column, { NULL }, COL_SAMPLE },
	{ "iterations", 1, "TEXT", take_column, { NULL }, COL_ITERATIONS },
	{ "repeats", 0, "", take_repeats, { NULL }, 0 },
	{ "factor", 2, "NAME TEXT", take_factor, { NULL }, 0 },
	{ "factors", 1, "PATH", take_factors, { "split", "except", NULL }, 0 },
	{ "status", 2, "STATUS CONDITION", take_status, { NULL }, 0 },
	{ "metric", 2, "NAME PATH", take_metric,
	    { "unit", "scale", "unit-at", "iterations", "except", "only", NULL }, 0 },
	{ "unit", 2, "TEXT UNIT", take_unit, { "scale", "name", NULL }, 0 },
	{ "rename", 2, "FROM TO", take_rename, { NULL }, 0 },
};

static int take_column(const struct page_line *l, struct fault *f)
{
	struct format_page *p = l->page;
	struct page_column *c = VEC_ADD(p->column.at, p->column.count, p->column.cap);

	*c = (struct page_column){ .column = l->word->column };
	if (!*l->arg[0])
		return fault_set(f, "the text is empty");
	if (c->column == COL_TIME && line_scale(l, &p->time_scale, f) < 0)
		return -1;
	if (p->time_scale.twos)
		return fault_set(f, "the scale of a time is a power of ten");
	return page_text_parse(&c->text, l->arg[0], line_memory(l), f);
}

static const struct page_word *find_word(const char *name, struct fault *f)
{
	struct known_names known = { .advice = "see bench-format-page(5)" };

	for (size_t i = 0; i < COUNT(words); i++)
		if (strcmp(words[i].name, name) == 0)
			return &words[i];
	known_names_add_all(&known, words, sizeof(*words), COUNT(words));
	unknown_name(f, "unknown word", text_of(name), &known);
	return NULL;
}

/* Checks that the word has this option. */
static int check_option(const struct page_word *word, const char *option, struct fault *f)
{
	struct text name = { option, strcspn(option, "=") };
	struct known_names known = { 0 };

	if (!option[name.len])
		return fault_set(f, "more arguments than '%s %s'", word->name, word->usage);
	for (const char *const *o = word->options; *o; o++)
		if (text_is(name, *o))
			return 0;
	for (const char *const *o = word->options; *o; o++)
		known_names_add(&known, text_of(*o));
	return unknown_name(f, "unknown argument", name, &known);
}

/* Checks that no earlier option of the line has the same name, unless it is only. */
static int check_repeated(const char *const *option, size_t at, struct fault *f)
{
	size_t len = strcspn(option[at], "=");

	for (size_t i = 0; i < at && strncmp(option[at], "only=", len + 1) != 0; i++)
		if (strncmp(option[i], option[at], len + 1) == 0)
			return fault_set(
			    f, "the argument %.*s twice", (int)len, option[at]);
	return 0;
}

/* Takes the words of a line. */
static int take_words(struct format_page *page, char **word, struct fault *f)
{
	struct page_line l = { .page = page, .word = find_word(word[0], f) };
	size_t count = 0;

	if (!l.word)
		return -1;
	while (word[1 + count])
		count++;
	if (count < l.word->args)
		return fault_set(
		    f, "fewer arguments than '%s %s'", l.word->name, l.word->usage);
	l.arg = (const char *const *)(word + 1);
	l.option = l.arg + l.word->args;
	l.options = count - l.word->args;
	for (size_t i = 0; i < l.options; i++)
		if (check_option(l.word, l.option[i], f) < 0 ||
		    check_repeated(l.option, i, f) < 0)
			return -1;
	return l.word->take(&l, f);
}

static int take_line(struct format_page *page, struct text line, struct fault *f)
{
	char *text = mem_text(line.ptr, line.len), **word = NULL;
	size_t blank = strspn(text, " \t\r");
	int status = 0;

	if (memchr(text, '\0', line.len))
		status = fault_set(f, "a NUL byte");
	else if (text[blank] && text[blank] != '#') {
		word = shell_words_split(text, f);
		status =
		    word ? take_words(page, word, f) : fault_set(f, "a quote does not end");
	}
	shell_words_free(word);
	free(text);
	return status;
}

/* Checks that the page has the words that it needs. */
static int check_page(const struct format_page *page, struct fault *f)
{
	if (!page->meaning)
		return fault_set(f, "the page has no line 'meaning'");
	if (!page->needs.count)
		return fault_set(f, "the page has no line 'need'");
	if (!page->metric.count)
		return fault_set(f, "the page has no line 'metric'");
	if (page->is_csv && page->has_each)
		return fault_set(f, "the records of CSV are its rows: 'each' is for JSON");
	if (page->has_short_rows && !page->is_csv)
		return fault_set(f, "JSON has no rows: 'short-rows' is for CSV");
	if ((page->is_shared || page->directory_factor) && !page->has_each)
		return fault_set(
		    f, "'shared' and 'directory' are for records that 'each' selects");
	return 0;
}

struct format_page *format_page_parse(
    struct text t, const char *name, const char *file, struct fault *f)
{
	struct format_page *page = mem_zero(1, sizeof(*page));
	unsigned long long number = 0;
	struct fault inner;
	struct text line;
	int status = 0;

	page->name = arena_text(&page->memory, text_of(name));
	t = utf8_skip_mark(t);
	while (status == 0 && line_next(&t, &line)) {
		number++;
		status = take_line(page, line, &inner);
	}
	if (status == 0)
		status = check_page(page, &inner);
	if (status == 0)
		return page;
	fault_set(f, "%s:%llu: %s", file, number, inner.text);
	format_page_free(page);
	return NULL;
}

void format_page_free(struct format_page *page)
{
	for (size_t i = 0; i < page->column.count; i++)
		page_text_free(&page->column.at[i].text);
	for (size_t i = 0; i < page->factor.count; i++)
		page_text_free(&page->factor.at[i].value);
	for (size_t i = 0; i < page->status.count; i++)
		page_text_free(&page->status.at[i].status);
	page_text_free(&page->directory);
	free(page->needs.at);
	free(page->only.at);
	free(page->column.at);
	free(page->factor.at);
	free(page->factors.at);
	free(page->metric.at);
	free(page->status.at);
	free(page->unit.at);
	free(page->rename.at);
	arena_free(&page->memory);
	free(page);
}
