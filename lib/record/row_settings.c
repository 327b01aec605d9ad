/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns that the user supplies; see row_settings.h.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "record/provenance.h"
#include "record/row_settings.h"
#include "text/stamp.h"
#include "text/utf8.h"

/* The value of the setting time that means the time of a file's last change. */
#define TIME_OF_FILE "mtime"

struct row_setting {
	const char *spec; /* as the user wrote it */
	char *name, *value;
	bool replaces, is_mtime;
	/* Of the current file: */
	const char *file;
	char *replaced; /* the value of the file; NULL: none so far */
};

/* Returns why a column cannot be set, or NULL. */
static const char *setting_problem(const struct schema *reserved, struct text name)
{
	const long id = schema_find(reserved, name);

	if (column_extra(name) ||
	    (id >= 0 && column_kind((size_t)id) == COLUMN_MEASUREMENT) ||
	    id == COL_METRIC || id == COL_UNIT)
		return "describes a single value";
	if (text_is(name, COLUMN_AA))
		return "is that of bench-run --aa";
	if (text_is(name, "subject") || utf8_skip_mark(name).len < name.len)
		return "would not be read as a factor";
	return NULL;
}

/* Sets the value of the setting. Returns 0, or -1 and the message. */
static int set_value(struct row_setting *setting, const char *value, struct fault *f)
{
	char time[PROVENANCE_TIME_MAX];
	int64_t ns;
	int digits;

	if (!*value)
		return fault_set(f, "'%s' has no value", setting->spec);
	if (strcmp(setting->name, "time") != 0) {
		setting->value = str_copy(value);
		return 0;
	}
	setting->is_mtime = strcmp(value, TIME_OF_FILE) == 0;
	if (setting->is_mtime)
		return 0;
	if (!stamp_parse(text_of(value), &ns, &digits))
		return fault_set(f,
		    "'%s' is not a time, such as 2026-01-31T12:00:00Z, or " TIME_OF_FILE
		    " for the time of the last change of each file",
		    value);
	provenance_time(time, ns);
	setting->value = str_copy(time);
	return 0;
}

int row_settings_add(struct row_settings *s, const char *spec, struct fault *f)
{
	const char *equals = strchr(spec, '=');
	struct row_setting *setting;
	struct schema reserved;
	struct text name = { spec, equals ? (size_t)(equals - spec) : 0 };
	const bool replaces = name.len && spec[name.len - 1] == ':';
	const char *problem;

	name.len -= replaces;
	if (!name.len)
		return fault_set(f, "'%s' is not name=value or name:=value", spec);
	schema_init(&reserved);
	problem = setting_problem(&reserved, name);
	schema_free(&reserved);
	if (problem)
		return fault_set(f, "the column '%.*s' %s and cannot be set", (int)name.len,
		    name.ptr, problem);
	for (size_t i = 0; i < s->count; i++)
		if (text_is(name, s->of[i].name))
			return fault_set(f, "the column '%s' is set twice", s->of[i].name);
	setting = VEC_ADD(s->of, s->count, s->cap);
	*setting = (struct row_setting){
		.spec = spec, .name = mem_text(name.ptr, name.len), .replaces = replaces
	};
	return set_value(setting, equals + 1, f);
}

void row_settings_free(struct row_settings *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->of[i].name);
		free(s->of[i].value);
		free(s->of[i].replaced);
	}
	free(s->of);
	*s = (struct row_settings){ 0 };
}

const char *row_settings_find(const struct row_settings *s, enum column column)
{
	struct schema reserved;
	const char *value = NULL;

	if (!s)
		return NULL;
	schema_init(&reserved);
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->of[i].name, reserved.name[column]) == 0)
			value = s->of[i].value;
	schema_free(&reserved);
	return value;
}

/* Sets the value to the time of the last change of a file. */
static int set_file_time(struct row_setting *setting, const char *path, struct fault *f)
{
	char time[PROVENANCE_TIME_MAX];
	struct stat s;

	if (!path || stat(path, &s) < 0 || !S_ISREG(s.st_mode))
		return fault_set(f,
		    "%s: --set %s: this is no regular file, whose time of the last change "
		    "could be used: write the time instead of " TIME_OF_FILE,
		    setting->file, setting->spec);
	provenance_time(time, clock_timespec_ns(s.st_mtim));
	free(setting->value);
	setting->value = str_copy(time);
	return 0;
}

int row_settings_begin(
    struct row_settings *s, const char *name, const char *path, struct fault *f)
{
	for (size_t i = 0; s && i < s->count; i++) {
		struct row_setting *setting = &s->of[i];

		setting->file = name;
		free(setting->replaced);
		setting->replaced = NULL;
		if (setting->is_mtime && set_file_time(setting, path, f) < 0)
			return -1;
	}
	return 0;
}

/* Notes the value of the file that is replaced. Returns 0, or -1 and the message if the
 * file has several: rows that it distinguishes would look like samples of one subject. */
static int replace_value(struct row_setting *setting, struct text given, struct fault *f)
{
	if (setting->replaced && !text_is(given, setting->replaced))
		return fault_set(f,
		    "%s: --set %s: the rows have several values, '%s' and '%.*s', which "
		    "cannot be replaced by one",
		    setting->file, setting->spec, setting->replaced, (int)given.len,
		    given.ptr);
	if (!setting->replaced)
		setting->replaced = mem_text(given.ptr, given.len);
	return 0;
}

static int apply_setting(
    struct row_setting *setting, struct row_builder *r, struct fault *f)
{
	const size_t id = row_builder_column(r, text_of(setting->name));
	const struct text given = r->cell[id];

	if (given.ptr == setting->value || text_is(given, setting->value))
		return 0;
	if (given.len && !setting->replaces)
		return fault_set(f,
		    "%s: --set %s: the file has the %s '%.*s': omit the option, or write "
		    "'%s:=%s' to replace it",
		    setting->file, setting->spec, setting->name, (int)given.len, given.ptr,
		    setting->name, setting->is_mtime ? TIME_OF_FILE : setting->value);
	if (given.len && replace_value(setting, given, f) < 0)
		return -1;
	r->cell[id] = text_of(setting->value);
	return 0;
}

int row_settings_apply(struct row_settings *s, struct row_builder *r, struct fault *f)
{
	for (size_t i = 0; i < s->count; i++)
		if (apply_setting(&s->of[i], r, f) < 0)
			return -1;
	return 0;
}
