/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Encodes events of PMUs from the descriptions of the kernel; see pmu.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/dir_names.h"
#include "counters/pmu.h"
#include "text/number_set.h"
#include "text/units.h"

static const char devices[] = "sys/bus/event_source/devices";

struct pmu {
	const struct kernel_files *files;
	const char *event;  /* the whole text, for messages */
	char *dir;          /* directory of the PMU, relative to the root */
	bool inside_events; /* in a file of events, which cannot name other events */
};

/* Appends the first line of a file of the PMU. Returns whether it exists. */
static bool pmu_line(const struct pmu *p, struct buf *out, const char *dir,
    struct text name, const char *suffix)
{
	char *path =
	    str_format("%s/%s%.*s%s", p->dir, dir, (int)name.len, name.ptr, suffix);
	bool found = kernel_file_line(p->files, path, out);

	free(path);
	return found;
}

static uint64_t *config_word(struct text name, struct event_code *code)
{
	if (text_is(name, "config"))
		return &code->config;
	if (text_is(name, "config1"))
		return &code->config1;
	return text_is(name, "config2") ? &code->config2 : NULL;
}

/* Takes the text before a separator, or all text, and the separator. */
static struct text cut_term(struct text *rest, char separator)
{
	const char *at = rest->len ? memchr(rest->ptr, separator, rest->len) : NULL;
	struct text head = { rest->ptr, at ? (size_t)(at - rest->ptr) : rest->len };
	size_t gone = head.len + (at != NULL);

	*rest = text_after(*rest, gone);
	return head;
}

int pmu_field(struct text format, uint64_t value, struct event_code *out)
{
	uint64_t *word = config_word(cut_term(&format, ':'), out);

	if (!word || !format.len)
		return -1;
	while (format.len) {
		struct text range = cut_term(&format, ','), low = cut_term(&range, '-');
		int64_t from, to;

		if (!integer_parse(low, &from) || from < 0 || from > 63)
			return -1;
		to = from;
		if (range.len && (!integer_parse(range, &to) || to < from || to > 63))
			return -1;
		uint64_t width = (uint64_t)(to - from + 1);
		uint64_t mask = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
		*word = (*word & ~(mask << from)) | (value & mask) << from;
		value = width == 64 ? 0 : value >> width;
	}
	return value ? -1 : 0;
}

static int encode_terms(
    struct pmu *p, struct text terms, struct event_code *out, struct fault *f);

static int set_field(struct pmu *p, struct text field, struct text value,
    struct event_code *out, struct fault *f)
{
	uint64_t number = 1, *word = config_word(field, out);
	struct buf format = { 0 };
	int status = 0;

	if (value.ptr && !bits_parse(value, &number))
		return fault_set(f, "event '%s': '%.*s' is not a number", p->event,
		    (int)value.len, value.ptr);
	if (word)
		*word = number;
	else if (!pmu_line(p, &format, "format/", field, ""))
		status = fault_set(f,
		    "event '%s': the PMU has neither an event nor a field '%.*s'", p->event,
		    (int)field.len, field.ptr);
	else if (pmu_field(text_in(&format), number, out) < 0)
		status = fault_set(f,
		    "event '%s': the value of %.*s does not fit into its field (%s)",
		    p->event, (int)field.len, field.ptr, format.ptr);
	buf_free(&format);
	return status;
}

/* Encodes a named event: the terms in its file, its scale and its unit. */
static int set_event(
    struct pmu *p, struct text name, struct event_code *out, bool *found, struct fault *f)
{
	struct buf b = { 0 };
	int status = 0;

	*found = !p->inside_events && pmu_line(p, &b, "events/", name, "");
	if (*found) {
		p->inside_events = true;
		status = encode_terms(p, text_in(&b), out, f);
		p->inside_events = false;
		b.len = 0;
		if (pmu_line(p, &b, "events/", name, ".scale"))
			number_parse(text_in(&b), &out->scale);
		b.len = 0;
		if (pmu_line(p, &b, "events/", name, ".unit") && b.len < sizeof(out->unit))
			memcpy(out->unit, b.ptr, b.len + 1);
	}
	buf_free(&b);
	return status;
}

static int encode_terms(
    struct pmu *p, struct text terms, struct event_code *out, struct fault *f)
{
	while (terms.len) {
		struct text value = cut_term(&terms, ','), name = cut_term(&value, '=');
		bool valued = name.ptr + name.len < value.ptr, found = false;

		if (!valued && set_event(p, name, out, &found, f) < 0)
			return -1;
		if (!found &&
		    set_field(p, name, valued ? value : (struct text){ 0 }, out, f) < 0)
			return -1;
	}
	return 0;
}

bool pmu_type(const struct kernel_files *t, const char *pmu, uint32_t *type)
{
	char *path = str_format("%s/%s/type", devices, pmu);
	double number;
	bool found = kernel_file_number(t, path, &number) && number >= 0;

	free(path);
	if (found)
		*type = (uint32_t)number;
	return found;
}

static bool has_file(const struct kernel_files *t, const char *pmu, const char *what)
{
	char *path = str_format("%s/%s/%s", devices, pmu, what);
	bool found = kernel_file_exists(t, path);

	free(path);
	return found;
}

int pmu_encode(const struct kernel_files *t, const char *name, struct text pmu,
    struct text terms, struct event_code *out, struct fault *f)
{
	char *text = mem_text(pmu.ptr, pmu.len);
	struct pmu p = {
		.files = t, .event = name, .dir = str_format("%s/%s", devices, text)
	};
	int status;

	out->no_pmu = pmu.len > 0 && !pmu_type(t, text, &out->type);
	out->of_packages = pmu.len > 0 && has_file(t, text, "cpumask");
	if (out->no_pmu || !pmu.len)
		status = fault_set(f, "event '%s': the kernel has no PMU '%s' (see /%s)",
		    name, text, devices);
	else
		status = encode_terms(&p, terms, out, f);
	free(text);
	free(p.dir);
	return status;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), tail = strlen(suffix);

	return len >= tail && strcmp(name + len - tail, suffix) == 0;
}

void pmu_each(const struct kernel_files *t, event_visit *visit, void *ctx)
{
	char **pmu;
	size_t pmus = kernel_dir_names(t, devices, &pmu);

	for (size_t i = 0; i < pmus; i++) {
		char *dir = str_format("%s/%s/events", devices, pmu[i]), **event = NULL;
		size_t events =
		    has_file(t, pmu[i], "cpumask") ? 0 : kernel_dir_names(t, dir, &event);

		for (size_t k = 0; k < events; k++) {
			char *name = str_format("%s/%s/", pmu[i], event[k]);

			if (!has_suffix(event[k], ".scale") &&
			    !has_suffix(event[k], ".unit") &&
			    !has_suffix(event[k], ".snapshot"))
				visit(ctx, name, pmu[i], "");
			free(name);
		}
		dir_names_free(event, events);
		free(dir);
	}
	dir_names_free(pmu, pmus);
}

bool pmu_has_event(const struct kernel_files *t, const char *name)
{
	size_t pmu = strcspn(name, "/"),
	       event = name[pmu] ? strcspn(name + pmu + 1, "/") : 0;
	char *path = str_format(
	    "%s/%.*s/events/%.*s", devices, (int)pmu, name, (int)event, name + pmu + 1);
	bool found = event > 0 && kernel_file_exists(t, path);

	free(path);
	return found;
}

size_t pmu_names(const struct kernel_files *t, char ***names)
{
	return kernel_dir_names(t, devices, names);
}

bool pmu_cpus(const struct kernel_files *t, uint32_t type, bool *cpus)
{
	static const char *const lists[] = { "cpumask", "cpus" };
	struct buf list = { 0 };
	char **pmu;
	const size_t pmus = kernel_dir_names(t, devices, &pmu);
	bool found = false;
	uint32_t own;

	for (size_t i = 0; i < pmus && !found; i++)
		for (size_t k = 0; k < COUNT(lists) && !found; k++) {
			char *path = str_format("%s/%s/%s", devices, pmu[i], lists[k]);

			found = pmu_type(t, pmu[i], &own) && own == type &&
			        kernel_file_line(t, path, &list);
			free(path);
		}
	if (found)
		cpu_list_parse(text_in(&list), cpus);
	dir_names_free(pmu, pmus);
	buf_free(&list);
	return found;
}

size_t pmu_kinds(const struct kernel_files *t, char ***names)
{
	size_t all = kernel_dir_names(t, devices, names), kept = 0;
	char **name = *names;

	for (size_t i = 0; i < all; i++)
		if (has_file(t, name[i], "cpus"))
			name[kept++] = name[i];
		else
			free(name[i]);
	if (kept > 1)
		return kept;
	dir_names_free(name, kept);
	*names = NULL;
	return 0;
}
