/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads raw tensors; see tensor_file.h.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/tensor_file.h"
#include "graph/dtype.h"

/* Returns the element type in the file. */
static enum backend_dtype file_dtype(enum backend_dtype dtype)
{
	return dtype_is_float(dtype) ? BACKEND_FLOAT32 : dtype;
}

static int read_one(
    const char *path, enum backend_dtype dtype, size_t count, double *out, struct fault *f)
{
	struct buf bytes = { 0 };
	size_t wanted = count * dtype_bytes(dtype);
	int status = file_read(path, &bytes, f);

	if (status == 0 && bytes.len != wanted)
		status = fault_set(f,
		    "%s: the file has %zu bytes, but %zu numbers of %s need %zu", path,
		    bytes.len, count, dtype_name(dtype), wanted);
	if (status == 0)
		dtype_load(dtype, out, bytes.ptr, count);
	buf_free(&bytes);
	return status;
}

static int is_visible(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

static int read_folder(
    const char *path, const struct graph_value *v, double *out, struct fault *f)
{
	struct dirent **entry;
	int count = scandir(path, &entry, is_visible, alphasort), status = 0;
	int64_t wanted = v->dims ? v->size[0] : 1;
	size_t each = (size_t)(graph_elements(v) / wanted);

	if (count < 0)
		return fault_errno(f, "%s", path);
	if (count != wanted)
		status = fault_set(f, "%s: the directory has %d files, but %s needs %lld",
		    path, count, v->name, (long long)wanted);
	for (int i = 0; i < count; i++) {
		char *file = str_format("%s/%s", path, entry[i]->d_name);

		if (status == 0)
			status = read_one(
			    file, file_dtype(v->dtype), each, out + (size_t)i * each, f);
		free(file);
		free(entry[i]);
	}
	free(entry);
	return status;
}

int tensor_file_read(
    const char *path, const struct graph_value *v, double *out, struct fault *f)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return fault_errno(f, "%s", path);
	return S_ISDIR(st.st_mode) ? read_folder(path, v, out, f)
	                           : read_one(path, file_dtype(v->dtype),
	                                 (size_t)graph_elements(v), out, f);
}
