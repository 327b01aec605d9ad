/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds numbers in a program's output by regular expression; see output_metric.h.
 */
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "run/output_metric.h"
#include "text/units.h"

struct output_metric {
	char *name, *unit;
	regex_t regex;
	bool compiled;
};

static void extract_close(struct output_metric *e)
{
	if (!e)
		return;
	free(e->name);
	free(e->unit);
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

int output_metric_find(
    const struct output_metric *e, struct text output, double *out, struct fault *f)
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
	if (error || m[group].rm_so < 0)
		return 0;
	struct text t = { output.ptr + m[group].rm_so,
		(size_t)(m[group].rm_eo - m[group].rm_so) };
	for (; t.len && (*t.ptr == ' ' || *t.ptr == '\t'); t.ptr++)
		t.len--;
	return number_parse(t, out);
}

int output_metrics_open(
    const char *const *specs, size_t count, struct output_metric ***out, struct fault *f)
{
	struct output_metric **extract = mem_zero(count, sizeof(struct output_metric *));

	for (size_t i = 0; i < count; i++) {
		struct fault why;

		extract[i] = extract_open(specs[i], &why);
		if (!extract[i]) {
			output_metrics_close(extract, i);
			return fault_set(f, "--extract: %s", why.text);
		}
	}
	*out = extract;
	return 0;
}

void output_metrics_close(struct output_metric **extract, size_t count)
{
	for (size_t i = 0; i < count; i++)
		extract_close(extract[i]);
	free(extract);
}
