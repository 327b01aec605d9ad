/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See command_hints.h.
 */
#include <ctype.h>
#include <stdlib.h>

#include "subject/command_hints.h"

/* Returns whether a dollar sign begins an expansion. */
static bool expands(const char *dollar)
{
	return isalpha((unsigned char)dollar[1]) ||
	       (dollar[1] && strchr("_{(?$!@*#0123456789", dollar[1]));
}

/* Returns the first character of a line that a shell would interpret, or NULL. */
static const char *find_special(const char *line)
{
	bool single = false, twofold = false;

	for (const char *p = line; *p; p++) {
		bool first = p == line || p[-1] == ' ' || p[-1] == '\t';

		if (*p == '\\' && !single) {
			p += p[1] != '\0';
			continue;
		}
		if (*p == '\'' && !twofold)
			single = !single;
		else if (*p == '"' && !single)
			twofold = !twofold;
		if (single)
			continue;
		if ((*p == '$' && expands(p)) || *p == '`')
			return p;
		if (!twofold && (strchr("|<>&;*", *p) || (*p == '~' && first)))
			return p;
	}
	return NULL;
}

bool command_hint_shell(const char *line, struct buf *notes)
{
	const char *special = find_special(line);

	if (!special)
		return false;
	buf_printf(notes,
	    "-c '%s': without a shell, '%c' has no special meaning; -S runs "
	    "the line with sh -c\n",
	    line, *special);
	return true;
}

const char *command_hint_line(char *const *words)
{
	if (!words || !words[0] || !strpbrk(words[0], " \t"))
		return "";
	if (words[1])
		return " (use -c before each command line)";
	return find_special(words[0]) ? " (use -S to run a line with the shell)"
	                              : " (use -c to run a command line)";
}

static bool uses(const char *text, const char *parameter)
{
	return text && strstr(text, parameter);
}

static bool template_uses(const struct template *t, const char *parameter)
{
	bool found = uses(t->line, parameter) || uses(t->stdin_path, parameter);

	for (size_t i = 0; t->words && t->words[i]; i++)
		found = found || uses(t->words[i], parameter);
	for (int h = 0; h < HOOKS; h++)
		found = found || uses(t->hook[h], parameter);
	return found;
}

void command_hint_unused(const struct templates *list, const struct sweep *sweep,
    size_t sweeps, struct buf *notes)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->item[i].kind != KIND_COMMAND)
			return;
	for (size_t i = 0; i < sweeps; i++) {
		char *parameter = str_format("{%s}", sweep[i].name);
		bool used = sweep[i].workers || sweep[i].rate || sweep[i].of_engine;

		for (size_t k = 0; k < list->count; k++)
			used = used || template_uses(&list->item[k], parameter);
		if (!used)
			buf_printf(notes,
			    "-P %s: no command has %s, so its values change nothing\n",
			    sweep[i].name, parameter);
		free(parameter);
	}
}
