/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The backend cpu of the build that a test belongs to.
 */
#ifndef TESTS_DEVICE_CPU_PLUGIN_H
#define TESTS_DEVICE_CPU_PLUGIN_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "bench-backend.h"

/* Loads the backend, which stays loaded. Returns NULL if it was not built. */
static inline const struct backend *cpu_plugin_load(void)
{
	char *self = realpath("/proc/self/exe", NULL), *path;
	void *plugin;

	path = str_format("%.*s/../lib/benchutils/backend-cpu.so",
	    self ? (int)(strrchr(self, '/') - self) : 0, self ? self : "");
	plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	free(path);
	free(self);
	return plugin ? dlsym(plugin, "bench_backend") : NULL;
}

#endif
