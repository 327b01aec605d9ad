/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of counters and the results of opening them; see counter.h.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dir_names.h"
#include "counters/counter.h"
#include "counters/event.h"
#include "counters/event_pfm.h"
#include "counters/pmu.h"
#include "counters/usage.h"

enum { NOT_A_COUNTER = -1, BOND_MAX = 4 /* counters that most processors have at least */ };

static bool is_software(const struct perf_event_attr *attr, uint64_t config)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == config;
}

static void read_machine(struct counter_set *set)
{
	struct fault ignored;

	if (set->files_open)
		return;
	set->files_open =
	    kernel_files_open(&set->files, kernel_files_root(), &ignored) == 0;
	if (set->files_open)
		set->kinds = pmu_kinds(&set->files, &set->kind);
}

static long find_counter(const struct counter_set *set, const char *name)
{
	for (size_t i = 0; i < set->count; i++)
		if (!set->counter[i].hidden && strcmp(set->counter[i].name, name) == 0)
			return (long)i;
	return NOT_A_COUNTER;
}

/* Adds a counter. Takes ownership of name. */
static void counter_set_add(struct counter_set *set, char *name,
    const struct event_code *code, const struct counter *like)
{
	struct counter *c;

	if (find_counter(set, name) >= 0) {
		free(name);
		return;
	}
	c = VEC_ADD(set->counter, set->count, set->cap);
	*c = *like;
	c->name = name;
	c->scale = code->scale;
	c->attr = (struct perf_event_attr){ .size = sizeof(c->attr),
		.type = code->type,
		.config = code->config,
		.config1 = code->config1,
		.config2 = code->config2,
		.exclude_user = code->exclude_user,
		.exclude_kernel = code->exclude_kernel,
		.exclude_hv = code->exclude_hv };
	bool clock = is_software(&c->attr, PERF_COUNT_SW_TASK_CLOCK) ||
	             is_software(&c->attr, PERF_COUNT_SW_CPU_CLOCK);
	c->unit = str_copy(clock ? "ns" : code->unit);
	c->user_only_counts = event_counts_in_user_mode(code);
}

/*
 * Adds a hardware event for each kind of processors, with the names of perf. The type of
 * the PMU is stored in the upper half of the configuration of a generic event, or replaces
 * the raw type. See perf_event_open(2).
 */
static void put_kinds(struct counter_set *set, const char *name, const char *event,
    const struct event_code *code, const struct counter *like)
{
	size_t len = strcspn(event, ":");

	for (size_t i = 0; i < set->kinds; i++) {
		struct event_code own = *code;
		uint32_t type;

		if (!pmu_type(&set->files, set->kind[i], &type))
			continue;
		if (code->type == PERF_TYPE_RAW)
			own.type = type;
		else
			own.config |= (uint64_t)type << 32;
		counter_set_add(set,
		    name ? str_format("%s@%s", name, set->kind[i])
		         : str_format("%s/%.*s/%s", set->kind[i], (int)len, event,
		               event[len] ? event + len + 1 : ""),
		    &own, like);
	}
}

/* An event that no kernel can open, so that it becomes unsupported. */
static const struct event_code unavailable = {
	.type = UINT32_MAX, .scale = 1, .unit = "1"
};

/*
 * Adds one event, under the name of the event if name is NULL. may_lack_pmu: an event of a
 * PMU that the kernel lacks becomes an unavailable counter; otherwise it is rejected.
 */
static int add_counter(struct counter_set *set, const char *name, const char *event,
    bool may_lack_pmu, const struct counter *like, struct fault *f)
{
	struct event_code code;

	read_machine(set);
	const int status = event_encode(&set->files, event, &code, f);

	if (code.of_packages && !set->whole_machine)
		return fault_set(f,
		    "event '%s': its PMU counts whole packages, not commands or processes "
		    "(-a counts it; for energy see bench-run --energy)",
		    event);
	if (status < 0) {
		if (code.unknown) {
			struct buf b = { 0 };

			buf_str(&b, f->text);
			event_ask_near(&set->files, event, &b);
			fault_set(f, "%s (see bench-list events)", b.ptr);
			buf_free(&b);
		}
		if (!may_lack_pmu || !code.no_pmu)
			return -1;
		code = unavailable;
	}
	if (set->kinds && code.any_processor)
		put_kinds(set, name, event, &code, like);
	else
		counter_set_add(set, str_copy(name ? name : event), &code, like);
	return 0;
}

int counter_add_named(struct counter_set *set, const char *name, const char *event,
    uint32_t bond, bool asked, struct fault *f)
{
	struct counter like = { .asked = asked, .bond = bond };

	return add_counter(
	    set, strcmp(name, event) == 0 ? NULL : name, event, true, &like, f);
}

void counter_add_absent(struct counter_set *set, const char *name, const char *unit)
{
	struct counter like = { .asked = true };
	struct event_code code = unavailable;

	snprintf(code.unit, sizeof(code.unit), "%s", unit);
	counter_set_add(set, str_copy(name), &code, &like);
}

bool counter_has_pmu(struct counter_set *set, const char *glob)
{
	char **pmu;
	bool found = !*glob || event_pfm_present(glob);

	if (found)
		return true;
	read_machine(set);
	if (strchr(glob, '/'))
		return pmu_has_event(&set->files, glob);
	size_t pmus = pmu_names(&set->files, &pmu);
	for (size_t i = 0; i < pmus; i++)
		found = found || fnmatch(glob, pmu[i], FNM_EXTMATCH) == 0;
	dir_names_free(pmu, pmus);
	return found;
}

/* Returns the length of the next event of a list. A comma between slashes is part of it. */
static size_t event_length(const char *p)
{
	bool inside = false;
	size_t len = 0;

	for (; p[len] && (inside || !strchr(",{}", p[len])); len++)
		inside = inside != (p[len] == '/');
	return len;
}

int counter_add(struct counter_set *set, const char *list, bool asked, struct fault *f)
{
	struct counter like = { .asked = asked };

	for (const char *p = list;;) {
		if (*p == '{' && !like.strict) {
			like.strict = true;
			like.bond = ++set->bonds;
			p++;
		}
		size_t len = event_length(p);
		char *name = mem_text(p, len);
		int status =
		    len ? add_counter(set, NULL, name, false, &like, f)
		        : fault_set(f, "'%s': the name of an event is empty", list);

		free(name);
		if (status < 0)
			return -1;
		p += len;
		if (*p == '}' && like.strict) {
			like = (struct counter){ .asked = asked };
			p++;
		}
		if (!*p && like.strict)
			return fault_set(f, "'%s': a '}' is missing", list);
		if (!*p)
			return 0;
		if (*p != ',')
			return fault_set(f, "'%s': a comma was expected at '%s'", list, p);
		p++;
	}
}

static size_t bond_size(const struct counter_set *set, uint32_t bond)
{
	size_t n = 0;

	for (size_t i = 0; i < set->count; i++)
		n += set->counter[i].bond == bond;
	return n;
}

static bool is_processor_event(const struct counter *c)
{
	return c->attr.type != PERF_TYPE_SOFTWARE && c->attr.type != PERF_TYPE_TRACEPOINT;
}

/*
 * Gives these counters a common bond. The bond of some of them is used if the others have
 * none and there is room; otherwise counters that have another bond are counted once more.
 */
static void bond_inputs(struct counter_set *set, size_t *input, size_t inputs)
{
	uint32_t bond = 0;
	size_t unbound = 0;

	for (size_t i = 0; i < inputs; i++) {
		if (input[i] == SIZE_MAX)
			continue;
		const struct counter *c = &set->counter[input[i]];

		if (!is_processor_event(c) || c->strict)
			continue; /* software events are always counted */
		unbound += !c->bond;
		bond = bond ? bond : c->bond;
	}
	if (!bond || (unbound && bond_size(set, bond) + unbound > BOND_MAX))
		bond = ++set->bonds;
	for (size_t i = 0; i < inputs; i++) {
		if (input[i] == SIZE_MAX)
			continue;
		struct counter *c = &set->counter[input[i]];

		if (!is_processor_event(c) || c->strict || c->bond == bond)
			continue;
		if (c->bond) {
			struct counter again = *c;

			again.name = str_copy(c->name);
			again.unit = str_copy(c->unit);
			again.hidden = true;
			input[i] = set->count;
			c = VEC_ADD(set->counter, set->count, set->cap);
			*c = again;
		}
		c->bond = bond;
	}
}

int counter_derive(struct counter_set *set, const char *name, const char *unit,
    const char *text, struct fault *f)
{
	struct formula *formula = formula_parse(text, f);
	size_t inputs = formula ? formula_names(formula) : 0;
	size_t *input = mem_zero(inputs, sizeof(*input));
	bool complete = formula != NULL;

	for (size_t i = 0; i < inputs; i++) {
		long found = find_counter(set, formula_name(formula, i));

		complete = complete && (found >= 0 || usage_has(formula_name(formula, i)));
		input[i] = found < 0 ? SIZE_MAX : (size_t)found;
	}
	if (!complete) {
		free(input);
		formula_free(formula);
		return formula ? 0 : -1;
	}
	bond_inputs(set, input, inputs);
	*VEC_ADD(set->derived, set->deriveds, set->derived_cap) =
	    (struct derived){ .name = str_copy(name),
		    .unit = str_copy(unit),
		    .formula = formula,
		    .input = input };
	return 0;
}

void counter_opened(struct counter_set *set, size_t i, int error, bool user_only)
{
	struct counter *c = &set->counter[i];

	c->error = error;
	c->state = !error                              ? COUNTER_READY
	           : error == EACCES || error == EPERM ? COUNTER_DENIED
	                                               : COUNTER_UNSUPPORTED;
	c->user_only = user_only && !error;
	if (c->user_only) {
		char *name = str_format("%s:u", c->name);

		free(c->name);
		c->name = name;
	}
}

void counter_settle(struct counter_set *set)
{
	for (size_t i = 0; i < set->deriveds; i++) {
		struct derived *d = &set->derived[i];
		bool user_only = false;

		for (size_t k = 0; k < formula_names(d->formula); k++)
			user_only = user_only || (d->input[k] != SIZE_MAX &&
			                             set->counter[d->input[k]].user_only);
		if (user_only) {
			char *name = str_format("%s:u", d->name);

			free(d->name);
			d->name = name;
		}
	}
}

void counter_free(struct counter_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		free(set->counter[i].name);
		free(set->counter[i].unit);
	}
	for (size_t i = 0; i < set->deriveds; i++) {
		free(set->derived[i].name);
		free(set->derived[i].unit);
		free(set->derived[i].input);
		formula_free(set->derived[i].formula);
	}
	if (set->files_open)
		kernel_files_close(&set->files);
	dir_names_free(set->kind, set->kinds);
	free(set->counter);
	free(set->derived);
	*set = (struct counter_set){ 0 };
}
