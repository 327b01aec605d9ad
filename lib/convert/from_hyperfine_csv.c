/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the output of hyperfine --export-csv: one row of statistics, in seconds, for each
 * command. Parameters have columns parameter_NAME. The deviation of a single run, which is
 * null in hyperfine's JSON, is 0 here.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/command_template.h"
#include "convert/from.h"
#include "io/csv_table.h"
#include "text/units.h"

enum hyperfine_statistic { MEAN, SD, MEDIAN, USER, SYSTEM, MIN, MAX, STATISTICS };

static const struct {
	const char *column, *metric;
} statistics_of[STATISTICS] = {
	[MEAN] = { "mean", "wall" },
	[SD] = { "stddev", "wall_sd" },
	[MEDIAN] = { "median", "wall_median" },
	[USER] = { "user", "user" },
	[SYSTEM] = { "system", "sys" },
	[MIN] = { "min", "wall_min" },
	[MAX] = { "max", "wall_max" },
};

static bool hyperfine_csv_recognize(const struct source *s)
{
	return !s->doc && text_begins(s->text, "command,mean,stddev,median,user,system,");
}

/* The file, each row of which is a command. */
struct commands {
	struct csv_table table;
	size_t command, statistic[STATISTICS]; /* columns */
	struct command_parameter *parameter;   /* of the current row */
	size_t parameters;
};

static int commands_open(struct commands *c, const struct source *s, struct fault *f)
{
	const char *names[STATISTICS + 1] = { "command" };
	size_t at[STATISTICS + 1];

	*c = (struct commands){ 0 };
	for (size_t i = 0; i < STATISTICS; i++)
		names[i + 1] = statistics_of[i].column;
	if (csv_table_open(&c->table, s->text, s->name, f) < 0 ||
	    csv_table_require(&c->table, names, COUNT(names), at, f) < 0)
		return -1;
	c->command = at[0];
	memcpy(c->statistic, at + 1, sizeof(c->statistic));
	c->parameter = mem_zero(c->table.columns, sizeof(*c->parameter));
	return 0;
}

static void commands_free(struct commands *c)
{
	csv_table_free(&c->table);
	free(c->parameter);
}

/* Moves to the next command and finds its parameters. Returns 1, 0 at the end, or -1 and
 * the message. */
static int commands_next(struct commands *c, struct fault *f)
{
	static const char prefix[] = "parameter_";
	int status = csv_table_next(&c->table, f);

	c->parameters = 0;
	if (status <= 0)
		return status;
	if (csv_table_expect(&c->table, c->table.columns, f) < 0)
		return -1;
	for (size_t i = 0; i < c->table.columns; i++) {
		struct text name = text_of(csv_table_name(&c->table, i));

		if (text_begins(name, prefix))
			c->parameter[c->parameters++] =
			    (struct command_parameter){ text_after(name, strlen(prefix)),
				    csv_table_field(&c->table, i) };
	}
	return 1;
}

static int find_templates(
    struct command_templates *t, const struct source *s, struct fault *f)
{
	struct commands c;
	int status = commands_open(&c, s, f);

	while (status == 0 && (status = commands_next(&c, f)) > 0) {
		command_templates_add(
		    t, csv_table_field(&c.table, c.command), c.parameter, c.parameters);
		status = 0;
	}
	commands_free(&c);
	return status;
}

/* Sets the values of the current row in ns; NAN if a field is empty. */
static int parse_row(const struct commands *c, double *value, struct fault *f)
{
	for (size_t i = 0; i < STATISTICS; i++) {
		struct text field = csv_table_field(&c->table, c->statistic[i]);

		value[i] = NAN;
		if (field.len && !number_parse(field, &value[i]))
			return csv_table_fault(&c->table, f,
			    "%s: '%.*s' is not a decimal number", statistics_of[i].column,
			    field.len > 60 ? 60 : (int)field.len, field.ptr);
		value[i] = decimal_shift(value[i], 9);
	}
	if (value[SD] == 0 && value[MIN] == value[MAX])
		value[SD] = NAN;
	return 0;
}

static int put_row(const struct commands *c, const struct command_templates *t,
    struct row_builder *out, struct fault *f)
{
	struct buf command = { 0 };
	double value[STATISTICS];

	if (parse_row(c, value, f) < 0)
		return -1;
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	command_templates_find(t, csv_table_field(&c->table, c->command), c->parameter,
	    c->parameters, &command);
	row_builder_set(out, COL_BENCH,
	    text_of(arena_text(&out->texts, text_in(&command))));
	buf_free(&command);
	for (size_t i = 0; i < c->parameters; i++)
		row_builder_factor(out, c->parameter[i].name, c->parameter[i].value);
	for (size_t i = 0; i < STATISTICS; i++)
		if (isfinite(value[i]) &&
		    row_builder_put(
		        out, text_of(statistics_of[i].metric), TEXT("ns"), value[i], f) < 0)
			return -1;
	return 0;
}

static int hyperfine_csv_read(
    const struct source *s, struct row_builder *out, struct fault *f)
{
	struct command_templates templates = { 0 };
	struct commands c = { 0 };
	int status = find_templates(&templates, s, f);

	if (status == 0)
		status = commands_open(&c, s, f);
	while (status == 0 && (status = commands_next(&c, f)) > 0)
		status = put_row(&c, &templates, out, f);
	commands_free(&c);
	command_templates_free(&templates);
	return status;
}

const struct format format_hyperfine_csv = { .name = "hyperfine-csv",
	.meaning = "hyperfine --export-csv",
	.whole_lines = true,
	.recognize = hyperfine_csv_recognize,
	.read = hyperfine_csv_read };
