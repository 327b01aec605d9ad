/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the metadata of benchmarks; see meta.h.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "discover/meta.h"
#include "record/record.h"
#include "text/formula.h"
#include "text/units.h"

/* Takes the text before a separator, and the separator. Returns false if there is none. */
static bool take_until(struct text *t, char separator, struct text *out)
{
	const char *end = t->len ? memchr(t->ptr, separator, t->len) : NULL;

	if (!end)
		return false;
	*out = (struct text){ t->ptr, (size_t)(end - t->ptr) };
	t->ptr += out->len + 1;
	t->len -= out->len + 1;
	return true;
}

static bool has_control(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if ((unsigned char)t.ptr[i] < ' ' || t.ptr[i] == 0x7f)
			return true;
	return false;
}

static const char *parse_entry(struct text entry, struct meta_entry *out)
{
	struct text magic, kind, symbol, file, line;
	int64_t number;

	if (!take_until(&entry, '\t', &magic) || !text_is(magic, "bench1"))
		return "the entry does not begin with bench1";
	if (!take_until(&entry, '\t', &kind) || !take_until(&entry, '\t', &symbol) ||
	    !symbol.len || has_control(symbol))
		return "the entry has no symbol";
	out->symbol = symbol;
	out->loop = text_is(kind, "loop");
	if (!out->loop && !text_is(kind, "call"))
		return "the entry is neither loop nor call";
	if (!take_until(&entry, '\t', &file) || !take_until(&entry, '\t', &line) ||
	    !integer_parse(line, &number) || number < 0)
		return "the entry has no file and line";
	out->file = file;
	out->line = (uint64_t)number;
	out->text = entry;
	return NULL;
}

bool meta_next(struct text *section, struct meta_entry *out)
{
	struct text entry;

	*out = (struct meta_entry){ 0 };
	while (section->len && !*section->ptr) {
		section->ptr++;
		section->len--;
	}
	if (!section->len)
		return false;
	if (!take_until(section, '\0', &entry)) {
		section->len = 0;
		out->wrong = "the entry is not terminated";
	} else if (entry.len > META_MAX)
		out->wrong = "the entry is longer than 16384 bytes";
	else
		out->wrong = parse_entry(entry, out);
	return true;
}

bool meta_word(struct text *text, struct text *key, struct text *value)
{
	struct text word;

	do {
		if (!text->len)
			return false;
		if (!take_until(text, ' ', &word)) {
			word = *text;
			text->len = 0;
		}
	} while (!word.len);
	*value = (struct text){ 0 };
	*key = word;
	if (take_until(&word, '=', key))
		*value = word;
	return true;
}

struct text meta_find(struct text text, const char *wanted)
{
	struct text key, value;

	while (meta_word(&text, &key, &value))
		if (value.ptr && text_is(key, wanted))
			return value;
	return (struct text){ "", 0 };
}

static const char param[] = "param.";
enum { PARAM = sizeof(param) - 1 };

static bool is_param(struct text key)
{
	return key.len >= PARAM && memcmp(key.ptr, param, PARAM) == 0;
}

bool meta_param(struct text *text, struct text *name, struct text *list)
{
	struct text key;

	while (meta_word(text, &key, list))
		if (list->ptr && is_param(key)) {
			*name = text_after(key, PARAM);
			return true;
		}
	return false;
}

static int check_param(struct text name, struct text list, struct fault *f)
{
	char **value, *text;
	size_t count;
	int status;

	if (!name.len)
		return fault_set(f, "a parameter has no name");
	if (column_reserved(name))
		return fault_set(f, "parameter '%.*s': the name is reserved for a column",
		    (int)name.len, name.ptr);
	text = mem_text(list.ptr, list.len);
	status = units_list(text, &value, &count, f);
	free(text);
	if (status == 0)
		units_list_free(value, count);
	return status;
}

static int check_formula(struct text value, struct fault *f)
{
	char *text = mem_text(value.ptr, value.len);
	struct formula *formula = formula_parse(text, f);

	free(text);
	if (!formula)
		return -1;
	formula_free(formula);
	return 0;
}

static int check_word(struct text key, struct text value, struct fault *f)
{
	if (!value.ptr || !key.len || !value.len)
		return fault_set(f, "'%.*s%s%.*s' is not key=value", (int)key.len, key.ptr,
		    value.ptr ? "=" : "", (int)value.len, value.ptr ? value.ptr : "");
	if (text_is(key, "items") || text_is(key, "bytes"))
		return check_formula(value, f);
	if (!is_param(key))
		return 0;
	return check_param(text_after(key, PARAM), value, f);
}

int meta_check(struct text text, struct fault *f)
{
	struct intern seen = { 0 };
	struct text key, value;
	int status = 0;

	if (has_control(text))
		return fault_set(f, "the text contains a control character");
	for (size_t words = 0; status == 0 && meta_word(&text, &key, &value); words++) {
		status = check_word(key, value, f);
		if (status == 0 && intern_add(&seen, key) != words)
			status =
			    fault_set(f, "'%.*s' is given twice", (int)key.len, key.ptr);
	}
	intern_free(&seen);
	return status;
}
