/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the output of go test -bench, which benchstat also reads: lines "name iterations
 * value unit ...", and lines "key: value" that describe the lines after them. All other
 * lines are ignored.
 */
#include <stdlib.h>

#include "convert/from.h"
#include "convert/to.h"
#include "text/units.h"

struct reading {
	struct row_builder *out;
	struct text pkg, goos, goarch, cpu;
	struct intern names; /* for numbering the samples */
	int64_t *number;
	size_t count, cap;
};

/* Returns the next word of a line; empty at its end. */
static struct text next_word(struct text *line)
{
	struct text t = line_trim(*line);
	size_t len = 0;

	while (len < t.len && t.ptr[len] != ' ' && t.ptr[len] != '\t')
		len++;
	*line = (struct text){ t.ptr + len, t.len - len };
	return (struct text){ t.ptr, len };
}

/* Returns whether a line is a result; if so, line becomes the text after the iterations. */
static bool is_result(struct text *line, struct text *name, int64_t *iterations)
{
	double x;
	struct text after;

	if (!text_begins(*line, "Benchmark"))
		return false;
	*name = next_word(line);
	if (name->len > 9 && name->ptr[9] >= 'a' && name->ptr[9] <= 'z')
		return false;
	if (!integer_parse(next_word(line), iterations) || *iterations <= 0)
		return false;
	after = *line;
	return number_parse(next_word(&after), &x) && next_word(&after).len;
}

static bool go_recognize(const struct source *s)
{
	struct text rest = s->text, line, name;
	int64_t iterations;

	if (s->doc)
		return false;
	while (line_next(&rest, &line))
		if (is_result(&line, &name, &iterations))
			return true;
	return false;
}

static void learn_key(struct reading *r, struct text line)
{
	const struct {
		const char *key;
		struct text *to;
	} keys[] = { { "pkg:", &r->pkg }, { "goos:", &r->goos }, { "goarch:", &r->goarch },
		{ "cpu:", &r->cpu } };

	for (size_t i = 0; i < COUNT(keys); i++)
		if (text_begins(line, keys[i].key)) {
			size_t len = strlen(keys[i].key);

			*keys[i].to =
			    line_trim((struct text){ line.ptr + len, line.len - len });
		}
}

/*
 * Sets the subject from a name such as "BenchmarkCopy/n=64/fast-8": parts with an equals
 * sign are factors, and -8 is the number of processors of the program.
 */
static void name_subject(struct reading *r, struct text name)
{
	struct row_builder *out = r->out;
	struct buf bench = { 0 };
	struct text rest = { name.ptr + 9, name.len - 9 };
	size_t digits = rest.len;

	while (digits && rest.ptr[digits - 1] >= '0' && rest.ptr[digits - 1] <= '9')
		digits--;
	if (digits > 1 && digits < rest.len && rest.ptr[digits - 1] == '-') {
		row_builder_factor(out, TEXT("procs"),
		    (struct text){ rest.ptr + digits, rest.len - digits });
		rest.len = digits - 1;
	}
	if (rest.len > 1 && rest.ptr[0] == '_')
		rest = (struct text){ rest.ptr + 1, rest.len - 1 };
	for (bool first = true; rest.len; first = false) {
		struct text part = text_until(&rest, '/'), value = part;
		struct text key = text_until(&value, '=');

		if (!first && key.len && key.len < part.len) {
			row_builder_factor(
			    out, text_of(arena_text(&out->texts, key)), value);
			continue;
		}
		buf_str(&bench, first ? "" : "/");
		buf_text(&bench, part);
	}
	row_builder_set(out, COL_BENCH,
	    text_of(arena_text(&out->texts, (struct text){ bench.ptr, bench.len })));
	buf_free(&bench);
}

static void describe(struct reading *r, struct text name)
{
	struct row_builder *out = r->out;

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("function"));
	if (r->pkg.len)
		row_builder_factor(out, TEXT("pkg"), r->pkg);
	if (r->goos.len || r->goarch.len || r->cpu.len)
		row_builder_set(out, COL_ENV,
		    text_of(arena_format(&out->texts, "%.*s/%.*s %.*s", (int)r->goos.len,
		        r->goos.ptr ? r->goos.ptr : "", (int)r->goarch.len,
		        r->goarch.ptr ? r->goarch.ptr : "", (int)r->cpu.len,
		        r->cpu.ptr ? r->cpu.ptr : "")));
	name_subject(r, name);
}

/* The units of Go, and the units that can follow a metric's name, such as "p99-ns". */
static const struct {
	const char *unit, *metric, *ours;
	int exponent;
} units[] = {
	{ "ns/op", "wall", "ns", 0 },
	{ "sec/op", "wall", "ns", 9 },
	{ "B/op", "alloc_bytes", "B", 0 },
	{ "allocs/op", "alloc_calls", "1", 0 },
	{ "MB/s", "bandwidth", "B/s", 6 },
	{ "B/s", "bandwidth", "B/s", 0 },
};
static const char *const suffixes[] = { "ns", "sec", "B", "J", "W", "B/s", "flop/s", "1/s",
	"Hz", "s", "g", "GHz", "flop", "%" };

static int put_value(
    struct row_builder *out, double value, struct text unit, struct fault *f)
{
	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(unit, units[i].unit))
			return row_builder_put(out, text_of(units[i].metric),
			    text_of(units[i].ours), decimal_shift(value, units[i].exponent),
			    f);
	for (size_t i = 0; i < COUNT(suffixes); i++) {
		size_t len = strlen(suffixes[i]);

		if (unit.len > len + 1 && unit.ptr[unit.len - len - 1] == '-' &&
		    text_ends(unit, suffixes[i])) {
			bool is_sec = strcmp(suffixes[i], "sec") == 0;

			return row_builder_put(out,
			    (struct text){ unit.ptr, unit.len - len - 1 },
			    is_sec ? TEXT("ns") : text_of(suffixes[i]),
			    is_sec ? decimal_shift(value, 9) : value, f);
		}
	}
	return row_builder_put(out, unit, TEXT("1"), value, f);
}

/* Returns the number of the sample: the number of earlier lines with the same name and
 * first unit, where seconds and nanoseconds are the same unit. */
static int64_t number_of(struct reading *r, struct text name, struct text unit)
{
	if (text_is(unit, "sec/op"))
		unit = TEXT("ns/op");

	char *key = str_format("%.*s %.*s %.*s", (int)r->pkg.len,
	    r->pkg.ptr ? r->pkg.ptr : "", (int)name.len, name.ptr, (int)unit.len, unit.ptr);
	size_t at = intern_add(&r->names, text_of(key));

	free(key);
	if (at == r->count)
		*VEC_ADD(r->number, r->count, r->cap) = 0;
	return r->number[at]++;
}

static int put_result(struct reading *r, struct text name, int64_t iterations,
    struct text line, struct fault *f)
{
	bool first = true;

	describe(r, name);
	r->out->row.iterations = iterations;
	while (line.len) {
		struct text number = next_word(&line), unit = next_word(&line);
		double value;

		if (!unit.len || !number_parse(number, &value))
			return 0;
		if (first)
			r->out->row.sample = number_of(r, name, unit);
		first = false;
		if (put_value(r->out, value, unit, f) < 0)
			return -1;
	}
	return 0;
}

static int go_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct reading r = { .out = out };
	struct text rest = s->text, line, name;
	int64_t iterations;
	int status = 0;

	while (status == 0 && line_next(&rest, &line)) {
		learn_key(&r, line);
		if (is_result(&line, &name, &iterations))
			status = put_result(&r, name, iterations, line, f);
	}
	intern_free(&r.names);
	free(r.number);
	return status;
}

const struct format format_go = { .name = "go",
	.meaning = "go test -bench, for benchstat",
	.whole_lines = true,
	.last_lines = (const char *const[]){ "ok  \t*\t*[0-9]s", "PASS", NULL },
	.may_be_mixed = true,
	.recognize = go_recognize,
	.read = go_read,
	.writer = &go_writer };
