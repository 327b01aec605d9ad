/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes options; see onnxruntime_options.h. ONNX Runtime and most providers accept unknown
 * names silently, so a name is looked up in the libraries first: those that they know are
 * strings in them.
 */
#include <ctype.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/hook/hook.h"
#include "onnxruntime_options.h"

enum { OPTIONS_MAX = 64 };
static const char provider_prefix[] = "provider.", config_prefix[] = "config.";

/* Options of the provider, collected from those of a model. */
struct provider_options {
	const char *key[OPTIONS_MAX], *value[OPTIONS_MAX];
	size_t count;
};

/* Whether bytes contain a name as a string. Linkers merge a string with the end of another
 * one, so the byte before may be of a string, but not of the same word. */
static bool contains_name(const char *bytes, size_t size, const char *name)
{
	const size_t length = strlen(name) + 1;
	const char *end = bytes + size;

	for (const char *p = bytes;
	     (p = memmem(p, (size_t)(end - p), name, length)) != NULL; p += length)
		if (p == bytes || !isalnum((unsigned char)p[-1]))
			return true;
	return false;
}

/* Whether a file contains a name, or cannot be read. */
static bool file_contains(const char *path, const char *name)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool found = false;

	if (fd < 0)
		return true;
	if (fstat(fd, &st) == 0 && st.st_size > 0) {
		const size_t size = (size_t)st.st_size;
		void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

		if (bytes != MAP_FAILED) {
			found = contains_name(bytes, size, name);
			munmap(bytes, size);
		}
	}
	close(fd);
	return found;
}

static bool is_known(const struct ort *o, const struct ort_target *t, const char *name)
{
	const struct ort_pairs *about =
	    t->device ? o->api.device_metadata(t->device) : NULL;
	const char *path = about ? o->api.pairs_get(about, "library_path") : NULL;

	return file_contains(o->path, name) || (path && file_contains(path, name));
}

/* A word as the value of an option, and the number for the library. */
struct option_word {
	const char *word;
	int number;
};

static const struct option_word optimizations[] = { { "none", 0 }, { "basic", 1 },
	{ "extended", 2 }, { "layout", 3 }, { "all", 99 }, { NULL, 0 } };
static const struct option_word modes[] = { { "sequential", 0 }, { "parallel", 1 },
	{ NULL, 0 } };
static const struct option_word switches[] = { { "off", 0 }, { "on", 1 }, { NULL, 0 } };

static struct ort_status *set_optimization(
    const struct ort *o, struct ort_options *to, int level)
{
	return o->api.set_optimization(to, level);
}

static struct ort_status *set_mode(const struct ort *o, struct ort_options *to, int mode)
{
	return o->api.set_mode(to, mode);
}

static struct ort_status *set_inter_threads(
    const struct ort *o, struct ort_options *to, int threads)
{
	return o->api.set_inter_threads(to, threads);
}

static struct ort_status *set_pattern(const struct ort *o, struct ort_options *to, int on)
{
	return on ? o->api.memory_pattern_on(to) : o->api.memory_pattern_off(to);
}

static struct ort_status *set_arena(const struct ort *o, struct ort_options *to, int on)
{
	return on ? o->api.arena_on(to) : o->api.arena_off(to);
}

/* The options that have a function. Without words, the value is a number from 1 on. */
static const struct {
	const char *name;
	const struct option_word *word;
	struct ort_status *(*set)(const struct ort *o, struct ort_options *to, int number);
} named[] = {
	{ "optimization", optimizations, set_optimization },
	{ "execution_mode", modes, set_mode },
	{ "inter_op_threads", NULL, set_inter_threads },
	{ "memory_pattern", switches, set_pattern },
	{ "cpu_arena", switches, set_arena },
};

/* Sets an option that has a function. Returns 0, 1 if it has none, or -1 and the reason. */
static int set_named(const struct ort *o, struct ort_options *to,
    const struct backend_option *option, char *why)
{
	char words[128] = "", *end;
	size_t i = 0;
	long number;

	while (
	    i < sizeof(named) / sizeof(*named) && strcmp(named[i].name, option->name) != 0)
		i++;
	if (i == sizeof(named) / sizeof(*named))
		return 1;
	number = strtol(option->value, &end, 10);
	if (!named[i].word && (*end || number < 1 || number > 4096))
		return hook_fail(why, "option %s: '%s' is not a number from 1 to 4096",
		    option->name, option->value);
	for (const struct option_word *w = named[i].word; w && w->word; w++) {
		snprintf(
		    words + strlen(words), sizeof(words) - strlen(words), " %s", w->word);
		if (strcmp(w->word, option->value) == 0)
			return ort_check(
			    o, named[i].set(o, to, w->number), option->name, why);
	}
	if (named[i].word)
		return hook_fail(why, "option %s: '%s' is not one of%s", option->name,
		    option->value, words);
	return ort_check(o, named[i].set(o, to, (int)number), option->name, why);
}

static int unknown_option(
    const struct ort *o, const struct backend_option *option, char *why)
{
	if (strchr(option->name, '.'))
		return hook_fail(why,
		    "ONNX Runtime %s has no option '%s'; config.%s sets it in any case",
		    o->version, option->name, option->name);
	return hook_fail(why,
	    "unknown option '%s': there are optimization, execution_mode, "
	    "inter_op_threads, memory_pattern, cpu_arena, provider.KEY, and keys with a "
	    "dot such as session.disable_prepacking",
	    option->name);
}

/* Sets or collects an option of a model. */
static int set_option(const struct ort *o, const struct ort_target *t,
    struct ort_options *to, const struct backend_option *option,
    struct provider_options *provider, char *why)
{
	const size_t p = sizeof(provider_prefix) - 1, c = sizeof(config_prefix) - 1;
	const int set = set_named(o, to, option, why);

	if (set <= 0)
		return set;
	if (strncmp(option->name, provider_prefix, p) == 0) {
		if (!t->name && t->family < 0)
			return hook_fail(why, "the device %s has no options such as %s",
			    t->word, option->name);
		if (!is_known(o, t, option->name + p) && t->family < 0)
			return hook_fail(why, "the provider %s has no option '%s'", t->word,
			    option->name + p);
		if (provider->count == OPTIONS_MAX)
			return hook_fail(
			    why, "more than %d options of the provider", OPTIONS_MAX);
		provider->key[provider->count] = option->name + p;
		provider->value[provider->count++] = option->value;
		return 0;
	}
	if (strncmp(option->name, config_prefix, c) == 0)
		return ort_check(o, o->api.set_config(to, option->name + c, option->value),
		    option->name, why);
	if (!strchr(option->name, '.') || !is_known(o, t, option->name))
		return unknown_option(o, option, why);
	return ort_check(
	    o, o->api.set_config(to, option->name, option->value), option->name, why);
}

/* Adds the options of a model to a line if they turn on a cache. */
static void note_cache(const struct backend_model_source *from, char *cache, size_t size)
{
	*cache = '\0';
	for (size_t i = 0; i < from->options; i++) {
		const struct backend_option *option = &from->option[i];

		if ((strstr(option->name, "cache") ||
		        strstr(option->name, "context_enable")) &&
		    strcmp(option->value, "0") != 0)
			snprintf(cache + strlen(cache), size - strlen(cache), "%s%s=%s",
			    *cache ? " " : "", option->name, option->value);
	}
	if (!*cache)
		snprintf(cache, size, "off");
}

static bool has_backend(const struct provider_options *provider)
{
	for (size_t i = 0; i < provider->count; i++)
		if (strncmp(provider->key[i], "backend_", 8) == 0)
			return true;
	return false;
}

/* Adds the provider with its options. QNN's gets the library of the accelerator, which is
 * next to it. */
static int add_provider(const struct ort *o, const struct ort_target *t,
    struct ort_options *to, struct provider_options *provider, char *why)
{
	char path[4096];

	if (t->device && strcmp(t->provider, ORT_QNN) == 0 && !has_backend(provider) &&
	    provider->count < OPTIONS_MAX) {
		const char *library =
		    o->api.pairs_get(o->api.device_metadata(t->device), "library_path");
		const char *slash = library ? strrchr(library, '/') : NULL;

		snprintf(path, sizeof(path), "%.*s%s",
		    slash ? (int)(slash - library) + 1 : 0, slash ? library : "",
		    strcmp(t->type, "gpu") == 0 ? "libQnnGpu.so" : "libQnnHtp.so");
		provider->key[provider->count] = "backend_path";
		provider->value[provider->count++] = path;
	}
	return ort_target_add(
	    o, t, to, provider->key, provider->value, provider->count, why);
}

uint32_t ort_threads(uint32_t wanted)
{
	cpu_set_t set;

	if (wanted)
		return wanted;
	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
}

static int fill_options(const struct ort *o, const struct ort_target *t, uint32_t threads,
    const struct backend_model_source *from, struct ort_options *to, char *why)
{
	struct provider_options provider = { .count = 0 };

	if (ort_check(o, o->api.set_threads(to, (int)ort_threads(threads)), "threads", why))
		return -1;
	if (o->api.assignment &&
	    ort_check(o,
	        o->api.set_config(to, "session.record_ep_graph_assignment_info", "1"), "",
	        why))
		return -1;
	for (size_t i = 0; i < from->options; i++)
		if (set_option(o, t, to, &from->option[i], &provider, why))
			return -1;
	for (size_t i = 0; i < from->dimensions; i++) {
		const struct backend_option *d = &from->dimension[i];
		char *end;
		const long long size = strtoll(d->value, &end, 10);

		if (*end || end == d->value || size < 0)
			return hook_fail(why, "dimension %s: '%s' is not a number from 0",
			    d->name, d->value);
		if (ort_check(o, o->api.set_dimension(to, d->name, size), d->name, why))
			return -1;
	}
	return add_provider(o, t, to, &provider, why);
}

struct ort_options *ort_options_make(const struct ort *o, const struct ort_target *t,
    uint32_t threads, const struct backend_model_source *from, char *cache, size_t size,
    char *why)
{
	struct ort_options *to = NULL;

	note_cache(from, cache, size);
	if (ort_check(o, o->api.options_new(&to), "", why))
		return NULL;
	if (fill_options(o, t, threads, from, to, why) == 0)
		return to;
	o->api.options_free(to);
	return NULL;
}
