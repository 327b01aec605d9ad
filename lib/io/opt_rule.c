/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the rules of opt_rule.h.
 */
#include <string.h>

#include "io/opt_priv.h"
#include "io/opt_rule.h"

enum { OPT_RULE_WORD = 64 };

/* Copies the next word of a list of options, and moves the list after it. Returns false at
 * the end. */
static bool next_option(const char **list, char word[static OPT_RULE_WORD])
{
	size_t length = strcspn(*list, " ");

	if (!length)
		return false;
	snprintf(word, OPT_RULE_WORD, "%.*s", (int)length, *list);
	*list += length + ((*list)[length] == ' ');
	return true;
}

/* Returns the number of options in a list that were given. */
static size_t count_given(const char *list)
{
	char word[OPT_RULE_WORD];
	size_t count = 0;

	while (next_option(&list, word))
		count += opt_word_given(word);
	return count;
}

/* Appends the options of a list, such as "--wait, -p or -e". Returns their number. */
static size_t put_options(struct buf *out, const char *list, const char *conjunction)
{
	char word[OPT_RULE_WORD];
	size_t count = 0;

	while (next_option(&list, word)) {
		buf_printf(out, "%s%s",
		    !count  ? ""
		    : *list ? ", "
		            : conjunction,
		    word);
		count++;
	}
	return count;
}

static bool is_broken(const struct opt_rule *rule)
{
	size_t count = count_given(rule->options);

	switch (rule->kind) {
	case OPT_REQUIRES:
		return count && !count_given(rule->others);
	case OPT_EXCLUDES:
		return count && count_given(rule->others);
	case OPT_ONE_OF:
		return count > 1;
	}
	return false;
}

static _Noreturn void report_broken(
    const struct opt_program *p, const struct opt_rule *rule)
{
	struct buf text = { 0 };
	size_t count = put_options(&text, rule->options, " and ");

	if (rule->kind == OPT_REQUIRES)
		buf_str(&text, count > 1 ? " require " : " requires ");
	else
		buf_str(&text, " cannot be combined");
	if (rule->kind == OPT_EXCLUDES)
		buf_str(&text, " with ");
	put_options(&text, rule->others ? rule->others : "", " or ");
	opt_usage_error(p, "%s%s", text.ptr, rule->why ? rule->why : "");
}

void opt_rules_check(const struct opt_program *p)
{
	for (const struct opt_rule *rule = p->rules; rule && rule->options; rule++)
		if (is_broken(rule))
			report_broken(p, rule);
}
