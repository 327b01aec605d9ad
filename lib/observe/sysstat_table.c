/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of sysstat; see sysstat_table.h.
 */
#include <math.h>

#include "observe/sysstat_table.h"
#include "text/units.h"

static const char interrupt_label[] = "INTR", command_column[] = "Command";

/* Labels, and the factors that they become. */
static const struct label {
	const char *column, *factor;
} labels[] = {
	{ "CPU", "cpu" },
	{ interrupt_label, "interrupt" },
	{ "DEV", "device" },
	{ "DEVICE", "device" },
	{ "Device", "device" },
	{ "Device:", "device" }, /* of older versions of iostat */
	{ "IFACE", "interface" },
	{ "TTY", "tty" },
	{ "FILESYSTEM", "file_system" },
	{ "MOUNTPOINT", "file_system" },
	{ "FCHOST", "host_adapter" },
	{ "FAN", "fan" },
	{ "TEMP", "sensor" },
	{ "IN", "input" },
	{ "BAT", "battery" },
	{ "status", "battery_status" },
	{ "CORE", "core" },
	{ "SOCK", "socket" },
	{ "NODE", "node" },
	{ "UID", "uid" },
	{ "USER", "user_name" },
	{ "PID", "pid" },
	{ "TGID", "pid" },
	{ "TID", "tid" },
	{ "policy", "policy" },
};

/* Returns the factor of a label; NULL: the column is none. */
static const char *label_factor(struct text column)
{
	for (size_t i = 0; i < COUNT(labels); i++)
		if (text_is(column, labels[i].column))
			return labels[i].factor;
	return NULL;
}

/* Returns the column of commands, which is the last one, or the number of columns. */
static size_t command_at(const struct sysstat_table *table)
{
	bool has_command =
	    table->columns && text_is(table->column[table->columns - 1], command_column);

	return table->columns - has_command;
}

bool sysstat_first_line(struct text line, struct text *host)
{
	struct text last;

	if (!text_begins(line, "Linux ") || !text_ends(line, " CPU)"))
		return false;
	text_until(&line, '(');
	*host = text_until(&line, ')');
	last = text_trim(line);
	return memchr(last.ptr, '_', last.len) != NULL;
}

const char *sysstat_table_columns(struct sysstat_table *table, struct text names)
{
	double ignored;

	table->columns = 0;
	for (struct text word; (word = line_word(&names)).len;) {
		if (table->columns == SYSSTAT_COLUMNS_MAX)
			return "too many columns";
		if (number_parse(word, &ignored))
			return "values in the place of the names of columns: the file is "
			       "damaged";
		table->column[table->columns++] = word;
	}
	return NULL;
}

/* Returns whether a field is blank: mpstat -T prints no core, socket and node in the line
 * of all processors. */
static bool is_blank_field(
    const struct sysstat_table *table, const struct text *field, size_t at)
{
	return at && text_is(field[0], "all") &&
	       (text_is(table->column[at], "CORE") || text_is(table->column[at], "SOCK") ||
	           text_is(table->column[at], "NODE"));
}

bool sysstat_table_split(
    const struct sysstat_table *table, struct text line, struct text *field)
{
	size_t command = command_at(table);

	for (size_t i = 0; i < command; i++) {
		field[i] = TEXT("");
		if (is_blank_field(table, field, i))
			continue;
		field[i] = line_word(&line);
		if (!field[i].len)
			return false;
	}
	line = text_trim(line);
	if (command == table->columns)
		return table->columns && !line.len;
	field[command] = line;
	return line.len > 0;
}

bool sysstat_table_has_values(const struct sysstat_table *table)
{
	return table->columns && !text_is(table->column[0], "BUS");
}

/* Sets the factor of a label. */
static void set_label(struct row_builder *out, const char *factor, struct text value)
{
	/* sadf -d calls all processors together -1, and pidstat -t writes a hyphen in place
	 * of a number that a line does not have. */
	if (text_is(value, "-1") && strcmp(factor, "cpu") == 0)
		value = TEXT("all");
	row_builder_factor(out, text_of(factor), text_is(value, "-") ? TEXT("") : value);
}

/* Sets the name of a process. pidstat -t marks threads by "|__". */
static void set_command(struct row_builder *out, struct text command)
{
	static const char thread_mark[] = "|__";

	if (text_begins(command, thread_mark))
		command = text_after(command, strlen(thread_mark));
	row_builder_set(out, COL_KIND, TEXT("process"));
	row_builder_set(out, COL_BENCH, command);
}

int sysstat_table_check(
    const struct sysstat_table *table, const struct text *field, struct fault *f)
{
	double x;

	for (size_t i = 0; i < command_at(table); i++)
		if (!label_factor(table->column[i]) && !number_parse(field[i], &x))
			return fault_set(f, "no number in the column %.*s: '%.*s'%s",
			    (int)table->column[i].len, table->column[i].ptr,
			    (int)field[i].len, field[i].ptr,
			    memchr(field[i].ptr, ',', field[i].len)
			        ? " (print the tables with LC_ALL=C)"
				: "");
	return 0;
}

/* Adds the row of a value. */
static int put_value(struct row_builder *out, struct text column, bool is_interrupt,
    double value, struct fault *f)
{
	if (is_interrupt) {
		/* The columns are the processors. */
		set_label(
		    out, "cpu", text_begins(column, "CPU") ? text_after(column, 3) : column);
		column = TEXT("intr/s");
	}
	/* pidstat prints -1 if it may not read the file of a process. */
	if (value < 0 && text_begins(column, "kB_"))
		value = NAN;
	return observed_put(
	    out, TEXT("sysstat"), column, observed_column_unit(column), value, f);
}

/* Sets the labels of a line, which may be before or after its values. pidstat also prints
 * the processor on which a process was last, which is none. */
static void set_labels(
    const struct sysstat_table *table, const struct text *field, struct row_builder *out)
{
	size_t end = command_at(table);
	const char *factor;

	if (end < table->columns)
		set_command(out, field[end]);
	for (size_t i = 0; i < end; i++) {
		factor = label_factor(table->column[i]);
		if (factor && (end == table->columns || !text_is(table->column[i], "CPU")))
			set_label(out, factor, field[i]);
	}
}

/* Returns the name that a column has in a metric: that of sar for retransmissions of NFS is
 * also that for those of TCP. */
static struct text metric_column(const struct sysstat_table *table, size_t at)
{
	bool is_nfs = text_is(table->column[0], "call/s");

	return is_nfs && text_is(table->column[at], "retrans/s") ? TEXT("nfs-retrans/s")
	                                                         : table->column[at];
}

int sysstat_table_put(const struct sysstat_table *table, const struct text *field,
    struct row_builder *out, struct fault *f)
{
	bool has_interrupts = text_is(table->column[0], interrupt_label);
	double x;

	set_labels(table, field, out);
	for (size_t i = 0; i < command_at(table); i++)
		if (!label_factor(table->column[i]) && number_parse(field[i], &x) &&
		    put_value(out, metric_column(table, i), has_interrupts, x, f) < 0)
			return -1;
	return 0;
}
