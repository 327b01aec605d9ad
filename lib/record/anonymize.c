/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The anonymizer; see anonymize.h. Each column and fact has a row in one of the tables. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sha256.h"
#include "record/anonymize.h"
#include "record/anonymize_priv.h"
#include "record/record.h"
#include "sys/user_name.h"
#include "text/stamp.h"
#include "text/units.h"

enum { HASH_BYTES = 5, ENV_BYTES = 6, LONGEST = 100, HOST_NAME = 256 };

struct anonymizer {
	struct buf key;
	struct private_names names;
	struct intern
	    seen; /* word, NUL, text; of strings with several replacements NUL, text */
	char **replacement; /* by number in seen */
	size_t count, cap;
};

static const char word_characters[] = "_+-.,:=%";
static const char sentence_characters[] = "_+-.,:=%() ";

/* Returns a replacement: the word, "-" and a part of the HMAC of word and text. */
static struct text replacement_text(struct anonymizer *a, const char *word, struct text t)
{
	bool is_env = strcmp(word, "env") == 0;
	unsigned char hash[SHA256_SIZE];
	struct buf message = { 0 }, out = { 0 };
	size_t number;

	buf_str(&message, word);
	buf_byte(&message, '\0');
	buf_text(&message, t);
	number = intern_add(&a->seen, text_in(&message));
	if (number == a->count) {
		sha256_hmac(text_in(&a->key),
		    text_in(&message), hash);
		/* An env is a hash already, and stays one in its form. */
		if (!is_env)
			buf_printf(&out, "%s-", word);
		for (size_t i = 0; i < (is_env ? ENV_BYTES : HASH_BYTES); i++)
			buf_printf(&out, "%02x", hash[i]);
		*VEC_ADD(a->replacement, a->count, a->cap) = out.ptr;
	}
	buf_free(&message);
	return text_of(a->replacement[number]);
}

/* Returns a string that contains replacements, made from this cell. Takes the buffer. */
static struct text compose_text(struct anonymizer *a, struct text cell, struct buf *text)
{
	struct buf key = { 0 };
	size_t number;

	buf_byte(&key, '\0');
	buf_text(&key, cell);
	number = intern_add(&a->seen, text_in(&key));
	buf_free(&key);
	if (number == a->count)
		*VEC_ADD(a->replacement, a->count, a->cap) = text->ptr;
	else
		buf_free(text);
	return text_of(a->replacement[number]);
}

/* Returns whether a string is short, has only letters, digits and these characters,
 * and identifies nobody. */
static bool is_harmless(const struct anonymizer *a, struct text t, const char *characters)
{
	return t.len <= LONGEST && private_is_plain(t, characters) &&
	       !private_has_address(t) && !private_names_in(&a->names, t);
}

static bool is_number(struct text t)
{
	double ignored;

	return number_parse(t, &ignored);
}

typedef struct text treatment(struct anonymizer *a, const char *word, struct text cell);

static struct text treat_number(struct anonymizer *a, const char *word, struct text cell)
{
	(void)a;
	(void)word;
	return is_number(cell) ? cell : TEXT("");
}

/* Times become UTC, because a time zone shows where a machine is. */
static struct text treat_time(struct anonymizer *a, const char *word, struct text cell)
{
	char utc[STAMP_MAX];
	struct buf out = { 0 };
	int64_t ns;
	int digits;

	(void)word;
	if (!stamp_parse(cell, &ns, &digits))
		return TEXT("");
	if (digits != STAMP_FOREIGN)
		return cell;
	stamp_print(utc, ns, 9);
	buf_str(&out, utc);
	return compose_text(a, cell, &out);
}

static struct text treat_always(struct anonymizer *a, const char *word, struct text cell)
{
	return replacement_text(a, word, cell);
}

/* Returns whether a string is a UUID. Versions 1, 2 and 6 contain a MAC address. */
static bool is_harmless_uuid(struct text t)
{
	enum { VERSION = 14 };

	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	if (t.len != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < t.len; i++)
		if (form[i] == '-' ? t.ptr[i] != '-' : !isxdigit((unsigned char)t.ptr[i]))
			return false;
	return !strchr("126", t.ptr[VERSION]);
}

static struct text treat_run(struct anonymizer *a, const char *word, struct text cell)
{
	return is_harmless_uuid(cell) ? cell : replacement_text(a, word, cell);
}

static struct text treat_word(struct anonymizer *a, const char *word, struct text cell)
{
	return cell.ptr[0] != '-' && is_harmless(a, cell, word_characters)
	           ? cell
	           : replacement_text(a, word, cell);
}

static struct text treat_commit(struct anonymizer *a, const char *word, struct text cell)
{
	size_t digits = 0;

	while (digits < cell.len && isxdigit((unsigned char)cell.ptr[digits]))
		digits++;
	if (digits >= 7 &&
	    (digits == cell.len ||
	        text_is(text_after(cell, digits), "-dirty")))
		return cell;
	return treat_word(a, word, cell);
}

static struct text treat_words(struct anonymizer *a, const char *word, struct text cell)
{
	return is_harmless(a, cell, sentence_characters) ? cell
	                                                 : replacement_text(a, word, cell);
}

/* Words, or the name of an event such as cpu/cache-misses/. */
static struct text treat_metric(struct anonymizer *a, const char *word, struct text cell)
{
	return cell.ptr[0] != '/' && is_harmless(a, cell, "_+-.,:=%/")
	           ? cell
	           : replacement_text(a, word, cell);
}

static struct text treat_unit(struct anonymizer *a, const char *word, struct text cell)
{
	return cell.len <= 16 && cell.ptr[0] != '/' &&
	               (is_harmless(a, cell, "/%_ ") || text_is(cell, "°C"))
	           ? cell
	           : replacement_text(a, word, cell);
}

static struct text treat_kind(struct anonymizer *a, const char *word, struct text cell)
{
	static const char *const kinds[] = { "command", "function", "kernel", "model",
		"process" };

	for (size_t i = 0; i < COUNT(kinds); i++)
		if (text_is(cell, kinds[i]))
			return cell;
	return replacement_text(a, word, cell);
}

/* Returns whether a string is the number of an exit status or the number or name of a
 * signal. */
static bool is_reason(const struct anonymizer *a, struct text t)
{
	if (is_number(t))
		return true;
	for (size_t i = 0; i < t.len; i++)
		if (islower((unsigned char)t.ptr[i]))
			return false;
	return t.len > 3 && memcmp(t.ptr, "SIG", 3) == 0 && is_harmless(a, t, "+-");
}

static struct text treat_status(struct anonymizer *a, const char *word, struct text cell)
{
	static const char *const all[] = { "ok", "timeout", "unsupported", "denied",
		"skipped" },
	                         *const ways[] = { "failed:exit=", "failed:signal=" };

	(void)word;
	for (size_t i = 0; i < COUNT(all); i++)
		if (text_is(cell, all[i]))
			return cell;
	for (size_t i = 0; i < COUNT(ways); i++) {
		size_t len = strlen(ways[i]);

		if (cell.len < 32 && cell.len > len &&
		    memcmp(cell.ptr, ways[i], len) == 0 &&
		    is_reason(a, text_after(cell, len)))
			return cell;
	}
	return TEXT("failed");
}

static bool is_frame(const struct anonymizer *a, struct text frame)
{
	return frame.len <= 4 * LONGEST &&
	       private_is_plain(frame, "_+-.,:=%()<>[]{}~*&!|^$#'? \"") &&
	       !private_has_address(frame) && !private_names_in(&a->names, frame);
}

/* Frames of a stack: names of functions stay, but not a frame that names a file. */
static struct text treat_stack(struct anonymizer *a, const char *word, struct text cell)
{
	struct buf out = { 0 };
	struct text rest = cell;
	bool same = true;

	(void)word;
	while (rest.len) {
		const char *end = memchr(rest.ptr, ';', rest.len);
		struct text frame = { rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len };
		bool stays = is_frame(a, frame);

		buf_text(&out, stays ? frame : replacement_text(a, "frame", frame));
		same = same && stays;
		if (end)
			buf_byte(&out, ';');
		rest.ptr += frame.len + (end != NULL);
		rest.len -= frame.len + (end != NULL);
	}
	if (!same)
		return compose_text(a, cell, &out);
	buf_free(&out);
	return cell;
}

static const struct {
	const char *column;
	treatment *treat;
} columns[] = {
	{ "run", treat_run },
	{ "time", treat_time },
	{ "host", treat_always },
	{ "env", treat_always },
	{ "commit", treat_commit },
	{ "kind", treat_kind },
	{ "process", treat_number },
	{ "sample", treat_number },
	{ "t", treat_number },
	{ "iterations", treat_number },
	{ "metric", treat_metric },
	{ "unit", treat_unit },
	{ "value", treat_number },
	{ "status", treat_status },
	{ "running_pct", treat_number },
	/* Factors of our programs. The value of any other factor is treated as a word. */
	{ "stack", treat_stack },
	{ "arch", treat_words },
	{ "backend", treat_words },
	{ "device", treat_words },
	{ "device_type", treat_words },
	{ "dtype", treat_words },
	{ "engine", treat_words },
	{ "input_shape", treat_words },
	{ "operation", treat_words },
	/* Names of factors whose values identify, even if they are words. */
	{ "args", treat_always },
	{ "arguments", treat_always },
	{ "argv", treat_always },
	{ "cmd", treat_always },
	{ "command", treat_always },
	{ "cwd", treat_always },
	{ "dir", treat_always },
	{ "directory", treat_always },
	{ "file", treat_always },
	{ "path", treat_always },
	{ "url", treat_always },
	{ "address", treat_always },
	{ "ip", treat_always },
	{ "mac", treat_always },
	{ "hostname", treat_always },
	{ "machine", treat_always },
	{ "node", treat_always },
	{ "seal", treat_always },
	{ "serial", treat_always },
	{ "uuid", treat_always },
	{ "author", treat_always },
	{ "email", treat_always },
	{ "user", treat_always },
	{ "username", treat_always },
	{ "password", treat_always },
	{ "secret", treat_always },
	{ "token", treat_always },
};

/* Facts whose values stay; "*" is any string. A fact that is not listed is replaced. */
static const char *const public_facts[] = { "arch", "aslr", "busy_cpus", "busy_siblings",
	"cache_*_bytes", "clocksource", "container", "counters", "counters_dead", "cpu_*",
	"cpufreq_driver", "cpus_allowed", "cuda", "energy_access", "energy_domains",
	"energy_preference", "frequency_*", "governor", "gpu_driver", "gpu_ecc",
	"gpu_memory_bytes", "gpu_mig", "gpu_model", "gpu_partition", "gpu_pcie_gen",
	"gpu_pcie_width", "gpu_power_limit_w", "gpus", "hypervisor", "isolated_cpus",
	"kernel", "libc", "load_1min", "memory_available_bytes", "memory_bytes",
	"mitigations", "nmi_watchdog", "numa_balancing", "numa_nodes", "openblas",
	"openblas_core", "os", "page_size_bytes", "perf_event_paranoid", "power_source",
	"smt", "steal_pct", "swap_used_bytes", "temperature_c", "thp", "throttle_count",
	"turbo" };

static bool fits_pattern(struct text name, const char *pattern)
{
	const char *star = strchr(pattern, '*');
	size_t before = star ? (size_t)(star - pattern) : 0,
	       after = star ? strlen(star + 1) : 0;

	if (!star)
		return text_is(name, pattern);
	return name.len >= before + after && memcmp(name.ptr, pattern, before) == 0 &&
	       memcmp(name.ptr + name.len - after, star + 1, after) == 0;
}

static bool is_public_fact(struct text fact)
{
	for (size_t i = 0; i < COUNT(public_facts); i++)
		if (fits_pattern(fact, public_facts[i]))
			return true;
	return false;
}

struct anonymizer *anonymizer_open(const char *key_file, struct fault *f)
{
	struct anonymizer *a = mem_zero(1, sizeof(*a));
	const char *home = getenv("HOME"), *slash = home ? strrchr(home, '/') : NULL;
	char *user, host[HOST_NAME] = "";

	if (anonymize_key_read(key_file, &a->key, f) < 0) {
		anonymizer_close(a);
		return NULL;
	}
	user = user_name();
	private_names_add(&a->names, text_of(user));
	free(user);
	if (slash)
		private_names_add(&a->names, text_of(slash + 1));
	if (gethostname(host, sizeof(host) - 1) == 0)
		private_names_add_host(&a->names, text_of(host));
	return a;
}

void anonymizer_learn(struct anonymizer *a, struct text column, struct text cell)
{
	static const char *const users[] = { "user", "username", "author" };

	if (text_is(column, "host") || text_is(column, "hostname"))
		private_names_add_host(&a->names, cell);
	for (size_t i = 0; i < COUNT(users); i++)
		if (text_is(column, users[i]))
			private_names_add(&a->names, cell);
	private_names_add_users(&a->names, cell);
}

struct text anonymize_column(struct anonymizer *a, struct text name)
{
	for (size_t i = 0; i < COUNT(columns); i++)
		if (text_is(name, columns[i].column))
			return name;
	return text_is(name, "bench") || is_harmless(a, name, word_characters)
	           ? name
	           : replacement_text(a, "column", name);
}

/* Returns the last part of the path of a program in a directory of the system, or the text
 * itself. */
static struct text program_name(struct text t)
{
	static const char *const folders[] = { "/usr/local/bin/", "/usr/bin/", "/bin/",
		"/usr/sbin/", "/sbin/" };

	for (size_t i = 0; i < COUNT(folders); i++) {
		size_t len = strlen(folders[i]);

		if (t.len > len && memcmp(t.ptr, folders[i], len) == 0)
			return text_after(t, len);
	}
	return t;
}

/* Returns the program's name of a command line, followed by a replacement of its
 * arguments. */
static struct text treat_command(struct anonymizer *a, struct text line)
{
	size_t len = 0;
	struct text name;
	struct buf out = { 0 };

	while (len < line.len && !isspace((unsigned char)line.ptr[len]))
		len++;
	name = program_name((struct text){ line.ptr, len });
	if (!name.len || name.ptr[0] == '-' || !is_harmless(a, name, "_+-."))
		name = len == line.len ? replacement_text(a, "command", line)
		                       : TEXT("command");
	if (len == line.len)
		return name;
	buf_text(&out, name);
	buf_byte(&out, ' ');
	buf_text(&out, replacement_text(a, "args", line));
	return compose_text(a, line, &out);
}

static struct text treat_bench(struct anonymizer *a, struct text kind, struct text cell)
{
	static const char *const named[] = { "function", "kernel", "model" };

	for (size_t i = 0; i < COUNT(named); i++)
		if (text_is(kind, named[i]))
			return is_harmless(a, cell, "_+-.,:=%()<>[]{}~*& ")
			           ? cell
			           : replacement_text(a, "bench", cell);
	return treat_command(a, cell);
}

struct text anonymize_cell(
    struct anonymizer *a, struct text column, struct text kind, struct text cell)
{
	char word[32];
	struct text name;

	if (!cell.len)
		return cell;
	if (column_extra(column))
		return TEXT("");
	if (text_is(column, "bench"))
		return treat_bench(a, kind, cell);
	name = anonymize_column(a, column);
	snprintf(
	    word, sizeof(word), "%.*s", (int)(name.len < 20 ? name.len : 20), name.ptr);
	for (size_t i = 0; i < COUNT(columns); i++)
		if (text_is(column, columns[i].column))
			return columns[i].treat(a, word, cell);
	return is_number(cell) ? cell : treat_word(a, word, cell);
}

struct text anonymize_fact(struct anonymizer *a, struct text fact)
{
	return is_public_fact(fact) || is_harmless(a, fact, "_-.")
	           ? fact
	           : replacement_text(a, "fact", fact);
}

struct text anonymize_fact_value(struct anonymizer *a, struct text fact, struct text value)
{
	if (!value.len)
		return value;
	if (text_is(fact, "host"))
		return replacement_text(a, "host", value);
	if (!is_public_fact(fact))
		return replacement_text(a, "value", value);
	if (is_number(value))
		return value;
	return value.ptr[0] != '/' && !private_has_address(value) &&
	               !memmem(value.ptr, value.len, " /", 2) &&
	               !private_names_in(&a->names, value)
	           ? value
	           : replacement_text(a, "value", value);
}

void anonymizer_close(struct anonymizer *a)
{
	for (size_t i = 0; i < a->count; i++)
		free(a->replacement[i]);
	free(a->replacement);
	private_names_free(&a->names);
	intern_free(&a->seen);
	buf_free(&a->key);
	free(a);
}
