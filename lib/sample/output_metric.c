/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds numbers in a program's output by regular expression; see output_metric.h.
 */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "sample/energy_meter.h"
#include "sample/output_metric.h"
#include "text/display_text.h"
#include "text/plural.h"
#include "text/units.h"

struct output_metric {
	char *name, *unit;
	regex_t regex;
	bool compiled;
	uint64_t searched, matched; /* outputs */
	uint64_t unread;            /* matches that are not a number */
	char *first;                /* the first of them */
};

static void extract_close(struct output_metric *e)
{
	if (!e)
		return;
	free(e->name);
	free(e->unit);
	free(e->first);
	if (e->compiled)
		regfree(&e->regex);
	free(e);
}

/*
 * Returns whether an expression refers to a group of its own, such as \1. POSIX does not
 * define this for extended expressions, and matching it can take exponential time.
 */
static bool has_back_reference(const char *regex)
{
	for (const char *at = regex; *at; at++)
		if (*at == '\\' && at[1] && *++at >= '1' && *at <= '9')
			return true;
	return false;
}

static struct output_metric *extract_open(const char *spec, struct fault *f)
{
	struct output_metric *e = mem_zero(1, sizeof(*e));
	const char *equals = strchr(spec, '='),
	           *colon = memchr(spec, ':', strcspn(spec, "="));
	size_t len = (size_t)((colon ? colon : equals ? equals : spec) - spec);
	char why[256];
	int error;

	if (!equals || !len) {
		fault_set(f, "'%s' is not NAME[:UNIT]=REGEX", spec);
		goto failed;
	}
	e->name = mem_text(spec, len);
	e->unit = colon ? mem_text(colon + 1, (size_t)(equals - colon - 1)) : str_copy("1");
	if (has_back_reference(equals + 1)) {
		fault_set(f, "'%s': back-references are not supported", equals + 1);
		goto failed;
	}
	error = regcomp(&e->regex, equals + 1, REG_EXTENDED | REG_NEWLINE);
	e->compiled = error == 0;
	if (!error)
		return e;
	regerror(error, &e->regex, why, sizeof(why));
	fault_set(f, "'%s': %s", equals + 1, why);
failed:
	extract_close(e);
	return NULL;
}

const char *output_metric_name(const struct output_metric *e)
{
	return e->name;
}

const char *output_metric_unit(const struct output_metric *e)
{
	return e->unit;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Returns whether the locale writes decimals with a comma. A program in such a locale may
 * mean 1.234 by "1,234".
 */
static bool has_decimal_comma(void)
{
	locale_t locale = newlocale(LC_NUMERIC_MASK, "", (locale_t)0);
	bool comma = locale && strcmp(nl_langinfo_l(RADIXCHAR, locale), ",") == 0;

	if (locale)
		freelocale(locale);
	return comma;
}

/*
 * Parses a number whose digits are grouped by commas, such as "2,064,972.5": one to three
 * digits that do not begin with 0, and groups of three. A number with a single comma may
 * have a decimal comma, in a locale that has one.
 */
static bool grouped_parse(struct text t, double *out)
{
	char *plain = mem_text(t.ptr, t.len);
	size_t at = *plain == '-' || *plain == '+', first = at, len = at, commas = 0;
	bool is_grouped = is_digit(plain[at]) && plain[at] != '0';

	while (is_grouped && (is_digit(plain[at]) || plain[at] == ',')) {
		if (plain[at] != ',') {
			plain[len++] = plain[at++];
			continue;
		}
		is_grouped =
		    (commas ? at - first == 3 : at - first <= 3) && is_digit(plain[at + 1]);
		commas++;
		first = ++at;
	}
	is_grouped = is_grouped && commas && at - first == 3 &&
	             (commas > 1 || plain[at] == '.' || !has_decimal_comma());
	memmove(plain + len, plain + at, t.len - at);
	is_grouped =
	    is_grouped && number_parse((struct text){ plain, len + t.len - at }, out);
	free(plain);
	return is_grouped;
}

/* Notes a match that is not a number. */
static void note_unread(struct output_metric *e, struct text t)
{
	struct buf clean = { 0 };

	if (e->unread++)
		return;
	display_text_clean(&clean, (struct text){ t.ptr, t.len > 60 ? 60 : t.len });
	e->first = str_copy(clean.len ? clean.ptr : "");
	buf_free(&clean);
}

void output_metric_explain(const struct output_metric *e, struct buf *lines)
{
	if (e->searched == 1 && !e->matched)
		buf_printf(lines, "--extract %s: the expression did not match the output\n",
		    e->name);
	else if (e->searched && !e->matched)
		buf_printf(lines,
		    "--extract %s: the expression matched none of %llu outputs\n", e->name,
		    (unsigned long long)e->searched);
	if (!e->unread)
		return;
	buf_printf(lines, "--extract %s: %llu match%s '%s'", e->name,
	    (unsigned long long)e->unread,
	    plural(e->unread, " is not a number:", "es are not a number; the first was"),
	    e->first);
	if (strchr(e->first, ','))
		buf_str(
		    lines, ": run the command with LC_ALL=C if this is a decimal comma");
	buf_byte(lines, '\n');
}

int output_metric_find(
    struct output_metric *e, struct text output, double *out, struct fault *f)
{
	/* REG_STARTEND: the output may contain NUL bytes. */
	regmatch_t m[2] = { { 0, (regoff_t)output.len }, { -1, -1 } };
	const size_t group = e->regex.re_nsub > 0;

	/* glibc's regexec returns REG_NOMATCH if memory runs out, so errno must say it. */
	errno = 0;
	const int error = regexec(&e->regex, output.ptr, 2, m, REG_STARTEND);
	if (error && errno == ENOMEM)
		return fault_set(f,
		    "--extract %s: matching %zu bytes of output takes more memory than "
		    "there is",
		    e->name, output.len);
	e->searched++;
	if (error || m[group].rm_so < 0)
		return 0;
	e->matched++;
	struct text t = { output.ptr + m[group].rm_so,
		(size_t)(m[group].rm_eo - m[group].rm_so) };
	for (; t.len && (*t.ptr == ' ' || *t.ptr == '\t'); t.ptr++)
		t.len--;
	if (number_parse(t, out) || grouped_parse(t, out))
		return 1;
	note_unread(e, t);
	return 0;
}

int output_metrics_open(
    const char *const *specs, size_t count, struct output_metric ***out, struct fault *f)
{
	struct output_metric **extract = mem_zero(count, sizeof(struct output_metric *));

	for (size_t i = 0; i < count; i++) {
		extract[i] = extract_open(specs[i], f);
		if (!extract[i]) {
			output_metrics_close(extract, i);
			return fault_prefix(f, "--extract");
		}
	}
	*out = extract;
	return 0;
}

/* Returns whether a counter, or a metric derived from counters, has this name. */
static bool counter_is_named(const struct counter_set *set, const char *name)
{
	for (size_t i = 0; i < set->count; i++)
		if (strcmp(set->counter[i].name, name) == 0)
			return true;
	for (size_t i = 0; i < set->deriveds; i++)
		if (strcmp(set->derived[i].name, name) == 0)
			return true;
	return false;
}

int output_metrics_check(struct output_metric *const *extract, size_t count,
    const struct counter_set *counters, bool energy, struct fault *f)
{
	for (size_t i = 0; i < count; i++) {
		const char *name = extract[i]->name;
		bool taken = run_metric_between(name, METRIC_WALL, METRIC_OK) ||
		             counter_is_named(counters, name) ||
		             (energy && energy_meter_has_metric(name));

		for (size_t j = 0; j < i && !taken; j++)
			taken = strcmp(extract[j]->name, name) == 0;
		if (taken)
			return fault_set(f,
			    "--extract: a metric named '%s' already exists; choose another "
			    "name",
			    name);
	}
	return 0;
}

void output_metrics_close(struct output_metric **extract, size_t count)
{
	for (size_t i = 0; i < count; i++)
		extract_close(extract[i]);
	free(extract);
}
