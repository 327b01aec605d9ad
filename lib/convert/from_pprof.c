/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads profiles of pprof, which are protocol buffers. A profile has types of values, such
 * as cpu in nanoseconds, and samples: a stack of locations, the innermost first, and a
 * value of each type. A location has a line for its function and, before it, one for each
 * function that was inlined there. All strings are in one table. Samples with the same
 * stack are added up. Source: github.com/google/pprof, proto/profile.proto.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "convert/from.h"
#include "convert/stack_names.h"
#include "protobuf/wire.h"

/* Bytes of memory for each byte of a file, and what a small file may take. A struct below
 * takes at most 32 bytes, and its message at least two. */
enum { MEMORY_FACTOR = 24, MEMORY_LEAST = 1 << 16 };
/* The longest stack, and the bytes of all stacks that differ: a small file can name a
 * function any number of times in a location, and the location in a sample. */
enum { STACK_MAX = 1 << 20, STACKS_MAX = 1 << 30 };

struct value_type {
	int64_t type, unit; /* strings */
};

struct pprof_sample {
	int64_t *location, *value;
	uint32_t locations, values;
};

/* The first member of these structs is their number, by which others name them. */
struct pprof_mapping {
	int64_t id, filename;
};

struct pprof_line {
	int64_t function;
};

struct pprof_location {
	int64_t id, mapping;
	struct pprof_line *line;
	uint32_t lines;
};

struct pprof_function {
	int64_t id, name, system_name;
};

struct pprof {
	struct value_type *type;
	struct pprof_sample *sample;
	struct pprof_mapping *mapping;
	struct pprof_location *location;
	struct pprof_function *function;
	struct text *string;
	int64_t time_ns, shown; /* shown: the type that pprof shows by default, a string */
	uint32_t types, samples, mappings, locations, functions, strings;
};

#define INT(number, name, of, member) \
	{ number, WIRE_INT, name, offsetof(struct of, member), 0, NULL }
#define LIST(number, kind, name, of, member, message)                                      \
	{ number, kind, name, offsetof(struct of, member), offsetof(struct of, member##s), \
		message }
#define MESSAGE(name, of, fields) \
	{ name, sizeof(struct of), fields, COUNT(fields), false, NULL, NULL }

static const struct wire_field type_fields[] = {
	INT(1, "type", value_type, type),
	INT(2, "unit", value_type, unit),
};
static const struct wire_message type_message =
    MESSAGE("ValueType", value_type, type_fields);

static const struct wire_field sample_fields[] = {
	LIST(1, WIRE_INTS, "location_id", pprof_sample, location, NULL),
	LIST(2, WIRE_INTS, "value", pprof_sample, value, NULL),
};
static const struct wire_message sample_message =
    MESSAGE("Sample", pprof_sample, sample_fields);

static const struct wire_field mapping_fields[] = {
	INT(1, "id", pprof_mapping, id),
	INT(5, "filename", pprof_mapping, filename),
};
static const struct wire_message mapping_message =
    MESSAGE("Mapping", pprof_mapping, mapping_fields);

static const struct wire_field line_fields[] = {
	INT(1, "function_id", pprof_line, function),
};
static const struct wire_message line_message = MESSAGE("Line", pprof_line, line_fields);

static const struct wire_field location_fields[] = {
	INT(1, "id", pprof_location, id),
	INT(2, "mapping_id", pprof_location, mapping),
	LIST(4, WIRE_CHILDREN, "line", pprof_location, line, &line_message),
};
static const struct wire_message location_message =
    MESSAGE("Location", pprof_location, location_fields);

static const struct wire_field function_fields[] = {
	INT(1, "id", pprof_function, id),
	INT(2, "name", pprof_function, name),
	INT(3, "system_name", pprof_function, system_name),
};
static const struct wire_message function_message =
    MESSAGE("Function", pprof_function, function_fields);

static const struct wire_field profile_fields[] = {
	LIST(1, WIRE_CHILDREN, "sample_type", pprof, type, &type_message),
	LIST(2, WIRE_CHILDREN, "sample", pprof, sample, &sample_message),
	LIST(3, WIRE_CHILDREN, "mapping", pprof, mapping, &mapping_message),
	LIST(4, WIRE_CHILDREN, "location", pprof, location, &location_message),
	LIST(5, WIRE_CHILDREN, "function", pprof, function, &function_message),
	LIST(6, WIRE_STRINGS, "string_table", pprof, string, NULL),
	INT(9, "time_nanos", pprof, time_ns),
	INT(14, "default_sample_type", pprof, shown),
};
static const struct wire_message profile_message =
    MESSAGE("Profile", pprof, profile_fields);

/* Returns whether a file has fields as a profile has them, some type of values, and a table
 * of strings, the first of which is empty. */
static bool pprof_recognize(const struct source *s)
{
	enum { SAMPLE_TYPE = 1, STRING_TABLE = 6 };
	struct text left = s->text;
	struct wire_item item;
	bool has_type = false, has_string = false;

	if (s->doc)
		return false;
	while (left.len) {
		if (wire_next(&left, &item) ||
		    (item.number <= STRING_TABLE && item.type != WIRE_TYPE_BYTES))
			return false;
		if (item.number == STRING_TABLE && !has_string && item.bytes.len)
			return false;
		has_type |= item.number == SAMPLE_TYPE;
		has_string |= item.number == STRING_TABLE;
	}
	return has_type && has_string;
}

static int by_id(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Returns the element of a sorted list that has a number, or NULL. */
static const void *find_id(int64_t id, const void *list, size_t count, size_t size)
{
	return count ? bsearch(&id, list, count, size, by_id) : NULL;
}

static void sort_ids(void *list, size_t count, size_t size)
{
	if (count)
		qsort(list, count, size, by_id);
}

/* Sums of the values of the samples that have the same stack. */
struct pprof_sums {
	const struct source *s;
	const struct pprof *p;
	struct intern stacks;
	double *sum; /* of each type, for each stack */
	size_t sums, cap;
	struct buf stack;
};

static int check_string(
    const struct source *s, const struct pprof *p, int64_t number, struct fault *f)
{
	if (number >= 0 && number < p->strings)
		return 0;
	return fault_set(f,
	    "%s: the file names string %lld, but has %u strings; it is damaged", s->name,
	    (long long)number, p->strings);
}

/*
 * Checks that there are types, and the strings. Those that others name must exist. Only the
 * first may be empty: two profiles that follow each other are one protocol buffer, whose
 * strings have wrong numbers.
 */
static int check_profile(const struct source *s, const struct pprof *p, struct fault *f)
{
	if (!p->types)
		return fault_set(
		    f, "%s: no types of values; this is no profile of pprof", s->name);
	for (uint32_t i = 1; i < p->strings; i++)
		if (!p->string[i].len)
			return fault_set(f,
			    "%s: several profiles, one after the other: convert them one "
			    "by one",
			    s->name);
	for (uint32_t i = 0; i < p->types; i++) {
		if (check_string(s, p, p->type[i].type, f) < 0 ||
		    check_string(s, p, p->type[i].unit, f) < 0)
			return -1;
		if (!p->string[p->type[i].type].len)
			return fault_set(f,
			    "%s: a type of values has no name; the file is damaged",
			    s->name);
	}
	for (uint32_t i = 0; i < p->mappings; i++)
		if (check_string(s, p, p->mapping[i].filename, f) < 0)
			return -1;
	for (uint32_t i = 0; i < p->functions; i++)
		if (check_string(s, p, p->function[i].name, f) < 0 ||
		    check_string(s, p, p->function[i].system_name, f) < 0)
			return -1;
	return 0;
}

/* Appends a frame, after a semicolon if it is not the first. */
static int put_frame(struct pprof_sums *t, const struct pprof_function *function,
    const struct pprof_mapping *mapping, struct fault *f)
{
	struct text name = TEXT("");

	if (function)
		name = t->p->string[function->name];
	if (function && !name.len)
		name = t->p->string[function->system_name];
	if (t->stack.len)
		buf_byte(&t->stack, ';');
	if (name.len)
		stack_put_function(&t->stack, name);
	else
		stack_put_object(
		    &t->stack, mapping ? t->p->string[mapping->filename] : TEXT(""));
	return t->stack.len <= STACK_MAX
	           ? 0
		   : fault_set(f, "%s: a stack has more than %d bytes; the file is damaged",
	                 t->s->name, STACK_MAX);
}

static int missing_id(
    const struct pprof_sums *t, const char *what, int64_t id, struct fault *f)
{
	return fault_set(f,
	    "%s: the file names %s %llu, but does not have it; it is damaged", t->s->name,
	    what, (unsigned long long)id);
}

/* Appends the frames of a location, that of its function first. */
static int put_location(struct pprof_sums *t, int64_t id, struct fault *f)
{
	const struct pprof *p = t->p;
	const struct pprof_location *at =
	    find_id(id, p->location, p->locations, sizeof(*p->location));
	const struct pprof_mapping *mapping;

	if (!at)
		return missing_id(t, "location", id, f);
	mapping = find_id(at->mapping, p->mapping, p->mappings, sizeof(*p->mapping));
	if (!at->lines)
		return put_frame(t, NULL, mapping, f);
	for (uint32_t i = at->lines; i-- > 0;) {
		const struct pprof_function *function = find_id(
		    at->line[i].function, p->function, p->functions, sizeof(*p->function));

		if (!function && at->line[i].function)
			return missing_id(t, "function", at->line[i].function, f);
		if (put_frame(t, function, mapping, f) < 0)
			return -1;
	}
	return 0;
}

static int add_sample(
    struct pprof_sums *t, const struct pprof_sample *sample, struct fault *f)
{
	const uint32_t types = t->p->types;
	size_t number;

	if (sample->values != types)
		return fault_set(f,
		    "%s: a sample has %u values of %u types; the file is damaged",
		    t->s->name, sample->values, types);
	t->stack.len = 0;
	for (uint32_t i = sample->locations; i-- > 0;)
		if (put_location(t, sample->location[i], f) < 0)
			return -1;
	if (!sample->locations)
		stack_put_object(&t->stack, TEXT(""));
	number = intern_add(&t->stacks, text_in(&t->stack));
	if (t->stacks.bytes.len > STACKS_MAX)
		return fault_set(f, "%s: the stacks have more than %d bytes in all",
		    t->s->name, STACKS_MAX);
	while (t->sums < t->stacks.count * types)
		*VEC_ADD(t->sum, t->sums, t->cap) = 0;
	for (uint32_t i = 0; i < types; i++)
		t->sum[number * types + i] += (double)sample->value[i];
	return 0;
}

/* Sets the unit of a value, in one of bench-csv(5) if there is one; returns its factor. */
static double scale_unit(struct text unit, struct text *to)
{
	static const struct {
		const char *name, *unit;
		double factor;
	} units[] = {
		{ "count", "1", 1 },
		{ "nanoseconds", "ns", 1 },
		{ "microseconds", "ns", 1e3 },
		{ "milliseconds", "ns", 1e6 },
		{ "seconds", "ns", 1e9 },
		{ "bytes", "B", 1 },
		{ "kilobytes", "B", 1024 },
		{ "megabytes", "B", 1 << 20 },
	};

	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(unit, units[i].name)) {
			*to = text_of(units[i].unit);
			return units[i].factor;
		}
	*to = unit.len ? unit : TEXT("1");
	return 1;
}

/* Adds the row of a stack and a type, unless the sum is zero. */
static int put_type(const struct pprof_sums *t, size_t number, uint32_t type,
    struct row_builder *out, struct fault *f)
{
	const struct value_type *of = &t->p->type[type];
	const double value = t->sum[number * t->p->types + type];
	struct text unit;
	double factor;

	if (value < 0)
		return fault_set(f,
		    "%s: a negative sum, as in the difference of two profiles: convert "
		    "both "
		    "profiles instead",
		    t->s->name);
	factor = scale_unit(t->p->string[of->unit], &unit);
	return value > 0
	           ? row_builder_put(out, t->p->string[of->type], unit, value * factor, f)
		   : 0;
}

/* Returns the type that pprof shows if none is chosen. */
static uint32_t shown_type(const struct pprof *p)
{
	for (uint32_t i = 0; i < p->types && p->shown; i++)
		if (p->type[i].type == p->shown)
			return i;
	return p->types - 1;
}

/* Adds the rows of a stack. The type that pprof shows is first, because a flame graph shows
 * the first metric. */
static int put_stack(
    const struct pprof_sums *t, size_t number, struct row_builder *out, struct fault *f)
{
	const uint32_t shown = shown_type(t->p);

	row_builder_factor(out, TEXT("stack"), intern_text(&t->stacks, number));
	if (put_type(t, number, shown, out, f) < 0)
		return -1;
	for (uint32_t i = 0; i < t->p->types; i++)
		if (i != shown && put_type(t, number, i, out, f) < 0)
			return -1;
	return 0;
}

static int put_stacks(const struct pprof_sums *t, struct row_builder *out, struct fault *f)
{
	char time[PROVENANCE_TIME_MAX];

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	if (t->p->time_ns > 0)
		row_builder_set(out, COL_TIME,
		    (struct text){ time, provenance_time(time, t->p->time_ns) });
	out->row.sample = 0;
	for (size_t i = 0; i < t->stacks.count; i++)
		if (put_stack(t, i, out, f) < 0)
			return -1;
	return 0;
}

static int pprof_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct pprof p = { 0 };
	struct arena arena = { 0 };
	struct fault why;
	struct wire_reader r = { .file = s->text,
		.arena = &arena,
		.memory_max = MEMORY_FACTOR * s->text.len + MEMORY_LEAST,
		.fault = &why };
	struct pprof_sums t = { .s = s, .p = &p };
	int status = wire_read(&r, &profile_message, s->text, &p);

	if (status < 0)
		fault_set(f, "%s: %s", s->name, why.text);
	else
		status = check_profile(s, &p, f);
	sort_ids(p.mapping, p.mappings, sizeof(*p.mapping));
	sort_ids(p.location, p.locations, sizeof(*p.location));
	sort_ids(p.function, p.functions, sizeof(*p.function));
	for (uint32_t i = 0; i < p.samples && status == 0; i++)
		status = add_sample(&t, &p.sample[i], f);
	if (status == 0)
		status = put_stacks(&t, out, f);
	intern_free(&t.stacks);
	buf_free(&t.stack);
	free(t.sum);
	arena_free(&arena);
	return status;
}

const struct format format_pprof = { .name = "pprof",
	.meaning = "profiles of pprof, such as those of Go (.pb.gz)",
	.is_binary = true,
	.recognize = pprof_recognize,
	.read = pprof_read };
