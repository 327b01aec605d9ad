/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds and loads backends; see backends.h. A plug-in is checked here once for everything
 * that bench-backend.h requires, so callers of a required hook do not check that it is
 * present.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>

#include "backends/ref/ref.h"
#include "base/paths.h"
#include "device/backends.h"
#include "sys/trusted_file.h"

static const char prefix[] = "backend-", suffix[] = ".so";

/* The hooks and strings that must not be NULL. */
static const struct {
	const char *name;
	size_t at;
	bool of_operations; /* not needed by an engine, which runs whole models */
} needed[] = {
#define NEEDED(member)                                           \
	{                                                        \
#member, offsetof(struct backend, member), false \
	}
#define NEEDED_BY_OPERATIONS(member)                            \
	{                                                       \
#member, offsetof(struct backend, member), true \
	}
	NEEDED(name),
	NEEDED(summary),
	NEEDED(probe),
	NEEDED(open),
	NEEDED(close),
	NEEDED_BY_OPERATIONS(alloc),
	NEEDED_BY_OPERATIONS(free),
	NEEDED_BY_OPERATIONS(write),
	NEEDED_BY_OPERATIONS(read),
	NEEDED_BY_OPERATIONS(sync),
#undef NEEDED
#undef NEEDED_BY_OPERATIONS
};

struct backend_list {
	struct backend_file *file;
	size_t count, cap;
};

static bool list_has(const struct backend_list *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->file[i].name, name) == 0)
			return true;
	return false;
}

/* Returns the NAME of backend-NAME.so, which the caller frees; NULL for other files. */
static char *file_backend(const char *file)
{
	size_t len = strlen(file), head = sizeof(prefix) - 1, tail = sizeof(suffix) - 1;

	if (len <= head + tail || strncmp(file, prefix, head) != 0 ||
	    strcmp(file + len - tail, suffix) != 0)
		return NULL;
	return mem_text(file + head, len - head - tail);
}

static int compare_names(const void *a, const void *b)
{
	const struct backend_file *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void list_add_directory(struct backend_list *l, const char *dir)
{
	size_t had = l->count;
	DIR *d = opendir(dir);

	for (struct dirent *entry; d && (entry = readdir(d));) {
		char *name = file_backend(entry->d_name);

		if (name && !list_has(l, name))
			*VEC_ADD(l->file, l->count, l->cap) = (struct backend_file){ name,
				str_format("%s/%s", dir, entry->d_name) };
		else
			free(name);
	}
	if (d)
		closedir(d);
	qsort(l->file + had, l->count - had, sizeof(*l->file), compare_names);
}

struct backend_file *backends_find(const char *lib_dir, size_t *count)
{
	const char *path = getenv("BENCH_BACKEND_PATH");
	struct backend_list l = { 0 };
	char *dir;

	*VEC_ADD(l.file, l.count, l.cap) =
	    (struct backend_file){ str_copy(backend_ref.name), NULL };
	while (path && *path) {
		size_t len = strcspn(path, ":");

		dir = mem_text(path, len);
		if (len > 0)
			list_add_directory(&l, dir);
		free(dir);
		path += len + (path[len] == ':');
	}
	dir = lib_dir ? str_copy(lib_dir) : lib_path("");
	for (size_t len = strlen(dir); len > 1 && dir[len - 1] == '/';)
		dir[--len] = '\0';
	list_add_directory(&l, dir);
	free(dir);
	*count = l.count;
	return l.file;
}

void backends_free(struct backend_file *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(list[i].name);
		free(list[i].path);
	}
	free(list);
}

/* Checks a backend. Returns 0, or -1 and the message. */
static int backend_check(
    const struct backend *b, const struct backend_file *file, struct fault *f)
{
	for (size_t i = 0; i < COUNT(needed); i++) {
		void *member;

		memcpy(&member, (const char *)b + needed[i].at, sizeof(member));
		if (!member && !(needed[i].of_operations && b->engine))
			return fault_set(f,
			    "%s: the backend has no `%s`, which is required; see "
			    "bench-backend(7)",
			    file->path, needed[i].name);
	}
	if (b->prepare && !b->release)
		return fault_set(f,
		    "%s: the backend has `prepare` but no `release`; see bench-backend(7)",
		    file->path);
	if (strcmp(b->name, file->name) != 0)
		return fault_set(f,
		    "%s: the backend is named %s; rename the file to %s%s%s", file->path,
		    b->name, prefix, b->name, suffix);
	return 0;
}

const struct backend *backend_load(const struct backend_file *file, struct fault *f)
{
	const struct backend *b;
	struct fault why;
	char *path;
	void *object;

	if (!file->path)
		return &backend_ref;
	path = trusted_file_path(file->path, &why);
	object = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	if (!object) {
		fault_set(f, "cannot load the backend %s: %s", file->name,
		    path ? dlerror() : why.text);
		free(path);
		return NULL;
	}
	free(path);
	b = dlsym(object, "bench_backend");
	if (!b) {
		fault_set(f, "%s: not a backend: no symbol bench_backend", file->path);
		return NULL;
	}
	if (b->abi != BACKEND_ABI) {
		fault_set(f,
		    "%s: its ABI is %u and that of this program is %u; rebuild it for "
		    "this version",
		    file->path, (unsigned)b->abi, (unsigned)BACKEND_ABI);
		return NULL;
	}
	return backend_check(b, file, f) < 0 ? NULL : b;
}
