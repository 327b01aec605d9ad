/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses sweeps; see sweep.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "load/arrivals.h"
#include "protocol/spawn_proto.h"
#include "record/record.h"
#include "subject/sweep.h"
#include "text/units.h"

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
	char *name = take_name(spec, "name=list, such as n=1,2,4 or n=1..8", &list, f);

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

/* Removes "/s" at the ends of the items of a list. Returns an allocated string. */
static char *bare_rates(const char *list)
{
	struct buf b = { 0 };

	for (const char *c = list; *c; c++)
		if (strncmp(c, "/s", 2) == 0 && (!c[2] || c[2] == ','))
			c++;
		else
			buf_byte(&b, *c);
	return buf_detach(&b);
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
