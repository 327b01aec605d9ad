/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that the readers share, and readers of facts about the system. host_cpu.c has
 * those of the processor.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dir_names.h"
#include "energy/energy_source.h"
#include "host/host_read.h"
#include "sys/cpu_quota.h"
#include "text/units.h"

enum { CPUINFO_BYTES = 1 << 13 };

int host_source_open(struct host_source *s, const char *root, struct fault *f)
{
	*s = (struct host_source){ 0 };
	if (kernel_files_open(&s->files, root, f) < 0)
		return -1;
	s->files.failure = &s->failure;
	kernel_file_read_up_to(&s->files, "proc/cpuinfo", CPUINFO_BYTES, &s->cpuinfo);
	return 0;
}

void host_source_close(struct host_source *s)
{
	buf_free(&s->cpuinfo);
	buf_free(&s->openblas);
	buf_free(&s->gpus);
	free(s->failure.path);
	free(s->refusal);
	for (size_t i = 0; i < s->caches; i++)
		buf_free(&s->cache[i].name);
	kernel_files_close(&s->files);
}

static struct text find_key(struct text lines, struct text key, char separator)
{
	while (lines.len) {
		struct text line = text_next_line(&lines);
		const char *at = memchr(line.ptr, separator, line.len);
		size_t len = at ? (size_t)(at - line.ptr) : 0;

		if (at && text_equal(text_trim((struct text){ line.ptr, len }), key))
			return text_trim((struct text){ at + 1, line.len - len - 1 });
	}
	return (struct text){ 0 };
}

struct text host_key_value(struct text lines, const char *keys, char separator)
{
	struct text value = { 0 };

	for (size_t len; !value.len && *keys; keys += len + (keys[len] == '|')) {
		len = strcspn(keys, "|");
		value = find_key(lines, (struct text){ keys, len }, separator);
	}
	return value;
}

void host_put_value(struct buf *out, double x)
{
	char text[NUMBER_TEXT_MAX];

	buf_put(out, text, number_print(text, x));
}

void host_read_line(struct host_source *s, const char *arg, struct buf *out)
{
	kernel_file_line(&s->files, arg, out);
}

void host_read_list(struct host_source *s, const char *arg, struct buf *out)
{
	if (kernel_file_line(&s->files, arg, out) && !out->len)
		buf_str(out, "none");
}

void host_read_chosen(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf line = { 0 };
	const char *open, *close;

	if (kernel_file_line(&s->files, arg, &line) && (open = strchr(line.ptr, '[')) &&
	    (close = strchr(open, ']')))
		buf_put(out, open + 1, (size_t)(close - open) - 1);
	buf_free(&line);
}

void host_read_khz(struct host_source *s, const char *arg, struct buf *out)
{
	double khz;

	if (kernel_file_number(&s->files, arg, &khz))
		host_put_value(out, khz * 1000);
}

void host_read_os(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf file = { 0 };
	struct text name;

	(void)arg;
	if (kernel_file_read(&s->files, "etc/os-release", &file) ||
	    kernel_file_read(&s->files, "usr/lib/os-release", &file)) {
		name = host_key_value(
		    text_in(&file), "PRETTY_NAME|NAME", '=');
		if (name.len >= 2 && (name.ptr[0] == '"' || name.ptr[0] == '\''))
			name = (struct text){ name.ptr + 1, name.len - 2 };
		buf_text(out, name);
	}
	buf_free(&file);
}

/* Finds a number of KiB in /proc/meminfo and converts it to bytes. */
static bool find_meminfo(struct host_source *s, const char *key, double *bytes)
{
	struct buf file = { 0 };
	struct text value = { 0 };
	bool there;

	if (kernel_file_read(&s->files, "proc/meminfo", &file))
		value = host_key_value(text_in(&file), key, ':');
	there = value.len > 3 && memcmp(value.ptr + value.len - 3, " kB", 3) == 0 &&
	        number_parse((struct text){ value.ptr, value.len - 3 }, bytes);
	*bytes *= 1024;
	buf_free(&file);
	return there;
}

/* Rounds MemTotal to 256 MiB, because it differs slightly from boot to boot. */
void host_read_memory_total(struct host_source *s, const char *arg, struct buf *out)
{
	const double step = 256 * 1024 * 1024;
	double bytes = 0;

	(void)arg;
	if (find_meminfo(s, "MemTotal", &bytes))
		host_put_value(out, round(bytes / step) * step);
}

void host_read_meminfo(struct host_source *s, const char *arg, struct buf *out)
{
	double bytes = 0;

	if (find_meminfo(s, arg, &bytes))
		host_put_value(out, bytes);
}

void host_read_swap_used(struct host_source *s, const char *arg, struct buf *out)
{
	double total = 0, unused = 0;

	(void)arg;
	if (find_meminfo(s, "SwapTotal", &total) && find_meminfo(s, "SwapFree", &unused))
		host_put_value(out, total - unused);
}

void host_read_load(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf line = { 0 };

	(void)arg;
	if (kernel_file_line(&s->files, "proc/loadavg", &line))
		buf_put(out, line.ptr, strcspn(line.ptr, " "));
	buf_free(&line);
}

void host_read_allowed(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf file = { 0 };

	(void)arg;
	if (kernel_file_read(&s->files, "proc/self/status", &file))
		buf_text(out, host_key_value(text_in(&file),
		                  "Cpus_allowed_list", ':'));
	buf_free(&file);
}

/* Reads the lowest limit of the control group of this process and of those above it. */
void host_read_quota(struct host_source *s, const char *arg, struct buf *out)
{
	struct cpu_quota quota[CPU_QUOTAS_MAX];
	const size_t count = cpu_quotas(&s->files, quota);
	double pct = INFINITY;

	(void)arg;
	for (size_t i = 0; i < count; i++)
		pct = fmin(pct, quota[i].pct);
	if (isfinite(pct))
		host_put_value(out, pct);
}

void host_read_power_source(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf path = { 0 }, word = { 0 };
	const char *found = NULL;
	char **names;
	size_t count = kernel_dir_names(&s->files, "sys/class/power_supply", &names);

	(void)arg;
	for (size_t i = 0; i < count; i++) {
		path.len = word.len = 0;
		buf_printf(&path, "sys/class/power_supply/%s/online", names[i]);
		if (kernel_file_line(&s->files, path.ptr, &word) &&
		    strcmp(word.ptr, "1") == 0 && !found)
			found = "mains";
		path.len = word.len = 0;
		buf_printf(&path, "sys/class/power_supply/%s/status", names[i]);
		if (kernel_file_line(&s->files, path.ptr, &word) &&
		    strcmp(word.ptr, "Discharging") == 0)
			found = "battery";
	}
	if (found)
		buf_str(out, found);
	dir_names_free(names, count);
	buf_free(&path);
	buf_free(&word);
}

void host_read_energy_domains(struct host_source *s, const char *arg, struct buf *out)
{
	struct energy_sources *p = energy_sources_open(&s->files);
	const struct energy_counter_list *list = energy_sources_list(p);

	(void)arg;
	for (size_t i = 0; i < list->count; i++)
		buf_printf(out, "%s%s", i ? " " : "", list->counter[i].name);
	energy_sources_close(p);
}

void host_read_energy_access(struct host_source *s, const char *arg, struct buf *out)
{
	struct energy_sources *p = energy_sources_open(&s->files);
	const struct energy_counter_list *list = energy_sources_list(p);

	(void)arg;
	if (list->count)
		buf_str(out, energy_sources_state(p) == ENERGY_READY
		                 ? list->counter[0].access
		                 : "denied");
	energy_sources_close(p);
}
