/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads inputs; see port_file.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "port/npy.h"
#include "port/npz.h"
#include "port/port_file.h"
#include "port/port_shape.h"

/* Compares an array with the input. Returns 0, or -1 and the message. */
static int check_array(const char *path, const struct npy *a, const struct backend_port *p,
    const int64_t *size, struct fault *f)
{
	bool same = a->dims == p->dims;
	int status = 0;

	for (uint32_t i = 0; same && i < p->dims; i++)
		same = a->size[i] == size[i];
	if (strcmp(a->type, p->type) != 0)
		return fault_set(f, "%s: its elements are %s, but input '%s' is %s", path,
		    a->type, p->name, p->type);
	if (!same) {
		char *has = port_shape_text(a->size, a->dims),
		     *wants = port_shape_text(size, p->dims);

		status = fault_set(f, "%s: its shape is %s, but input '%s' is %s", path,
		    has, p->name, wants);
		free(has);
		free(wants);
	}
	return status;
}

static const char suffix[] = ".npz";

/* Splits the name of an archive, "PATH.npz" or "PATH.npz:ARRAY". Returns its path, which
 * the caller frees, or NULL for other files. The default array has the name of the
 * input. */
static char *split_archive(const char *path, const char *input, const char **array)
{
	const size_t len = strlen(path), end = sizeof(suffix) - 1;
	const char *colon = strstr(path, ".npz:");

	*array = colon ? colon + end + 1 : input;
	if (colon)
		return mem_text(path, (size_t)(colon - path) + end);
	return len > end && strcmp(path + len - end, suffix) == 0 ? str_copy(path) : NULL;
}

int port_file_bytes(const char *path, const char *input, struct buf *out, struct fault *f)
{
	const char *array;
	char *archive = split_archive(path, input, &array);
	const char *name = archive ? archive : path;
	struct buf file = { 0 };
	struct fault why;
	struct stat st;
	int status = 0;

	if (stat(name, &st) < 0)
		status = fault_errno(f, "%s", name);
	else if (!S_ISREG(st.st_mode))
		status = fault_set(f, "%s: not a regular file", name);
	else
		status = file_read_up_to(name, SIZE_MAX, archive ? &file : out, f);
	if (status == 0 && archive && !npz_is(text_in(&file)))
		status = fault_set(f, "%s: not an archive of NumPy", archive);
	else if (status == 0 && archive &&
	         npz_read(text_in(&file), array, out, &why) < 0)
		status = fault_set(f, "%s: %s", archive, why.text);
	buf_free(&file);
	free(archive);
	return status;
}

int port_file_read(const char *path, const struct backend_port *p, const int64_t *size,
    struct buf *out, struct fault *f)
{
	const size_t count = port_elements(size, p->dims),
	             wanted = count * p->element_bytes;
	struct buf file = { 0 };
	struct text elements;
	struct fault why;
	struct npy array;
	int status = port_file_bytes(path, p->name, &file, f);

	elements = text_in(&file);
	if (status == 0 && npy_is(elements)) {
		if (npy_read(elements, &array, &why) < 0)
			status = fault_set(f, "%s: %s", path, why.text);
		else
			status = check_array(path, &array, p, size, f);
		elements = array.elements;
	}
	if (status == 0 && elements.len != wanted)
		status = fault_set(f,
		    "%s: it has %zu bytes of elements, but input '%s' needs %zu: %zu of %s",
		    path, elements.len, p->name, wanted, count, p->type);
	if (status == 0)
		buf_put(out, elements.ptr ? elements.ptr : "", elements.len);
	buf_free(&file);
	return status;
}
