/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads the libraries of CUDA and HIP, names their errors, and calls the run-time compiler;
 * see cudahip.h.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cudahip.h"

int cudahip_fail(const struct cudahip_api *api, char *why, const char *what, int error)
{
	const char *name = NULL;

	if (api->error_into)
		api->error_into(error, &name);
	else if (api->error_name)
		name = api->error_name(error);
	if (name)
		return hook_fail(why, "%s: %s", what, name);
	return hook_fail(why, "%s: error %d", what, error);
}

int cudahip_load(const struct cudahip_family *family, enum cudahip_library library,
    struct cudahip_api *api, char *why)
{
	char path[4096];
	void *handle = library_open(&family->library[library], path, sizeof(path), why);

	if (!handle)
		return -1;
	for (size_t i = 0; i < family->functions; i++) {
		const struct cudahip_function *f = &family->function[i];

		if (f->library != library)
			continue;
		void *symbol = dlsym(handle, f->name);
		if (!symbol && !f->optional)
			return hook_fail(why, "%s: not in %s", f->name, path);
		memcpy((char *)api + f->at, &symbol, sizeof(symbol));
	}
	return 0;
}

int cudahip_start(const struct cudahip_family *family, struct cudahip_api *api, char *why)
{
	char reason[BACKEND_WHY];
	int count = 0;

	if (cudahip_load(family, CUDAHIP_DRIVER, api, why))
		return -1;
	int error = api->init(0);
	if (!error)
		error = api->device_count(&count);
	if (error) {
		cudahip_fail(api, reason, "the driver finds no device", error);
		return hook_fail(why, "%.100s; %s", reason, family->remedy);
	}
	if (count == 0)
		return hook_fail(why, "the driver has no device; %s", family->remedy);
	return count;
}

int cudahip_attribute(const struct cudahip_api *api, int what, int device)
{
	int value = 0;

	return api->device_attribute(&value, what, device) ? 0 : value;
}

/* Writes to why the first line of the compiler's log that has an error, else its first one.
 */
static void log_report(const struct cudahip_api *api, void *program, char *why)
{
	size_t bytes = 0;
	char *log = NULL;

	hook_fail(why, "a kernel does not compile");
	if (!api->program_log_size(program, &bytes) && bytes > 0)
		log = calloc(1, bytes + 1);
	if (log && !api->program_log(program, log)) {
		const char *line = strstr(log, "error:");

		line = line ? line : log + strspn(log, " \n");
		hook_fail(
		    why, "a kernel does not compile: %.*s", (int)strcspn(line, "\n"), line);
	}
	free(log);
}

char *cudahip_compile(const struct cudahip_api *api, const char *source,
    const char *options, const char *architecture, size_t *bytes, char *why)
{
	enum { OPTIONS_MAX = 32 };
	char *words = strdup(options), *rest = words, *code = NULL;
	const char *option[OPTIONS_MAX];
	int count = 0;
	void *program = NULL;

	for (char *word; words && (word = strtok_r(NULL, " ", &rest));)
		if (count < OPTIONS_MAX - 1)
			option[count++] = word;
	if (*architecture)
		option[count++] = architecture;
	if (!words || api->program_create(&program, source, "benchutils", 0, NULL, NULL)) {
		hook_fail(why, "the compiler cannot create a program");
		free(words);
		return NULL;
	}
	if (api->program_compile(program, count, option)) {
		log_report(api, program, why);
	} else if (api->program_code_size(program, bytes) || *bytes == 0 ||
	           !(code = malloc(*bytes)) || api->program_code(program, code)) {
		hook_fail(why, "the compiler returned no code");
		free(code);
		code = NULL;
	}
	api->program_destroy(&program);
	free(words);
	return code;
}
