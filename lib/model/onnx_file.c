/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Maps ONNX files; see onnx_file.h.
 */
#include "model/onnx_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protobuf/wire.h"

/* External files; some exports have one for each tensor. */
enum { FILES_MAX = 10000 };

struct onnx_mapping {
	struct text location; /* empty: the ONNX file */
	struct text bytes;
};

bool onnx_file_is_named(const char *name)
{
	size_t len = strlen(name);

	return len > 5 && strcasecmp(name + len - 5, ".onnx") == 0;
}

/* Maps an open file. */
static int map_descriptor(int fd, struct text *bytes, struct fault *f)
{
	struct stat st;
	void *at;

	if (fstat(fd, &st) < 0)
		return fault_errno(f, "fstat");
	if (!S_ISREG(st.st_mode))
		return fault_set(f, "not a regular file");
	*bytes = (struct text){ "", 0 };
	if (!st.st_size)
		return 0;
	if ((uint64_t)st.st_size > SIZE_MAX)
		return fault_set(f, "too large for the memory of this machine");
	at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		return fault_errno(f, "cannot map it");
	*bytes = (struct text){ at, (size_t)st.st_size };
	return 0;
}

/* Opens and maps a file. O_NONBLOCK: a named pipe must not wait for its writer. */
static int map_path(const char *path, struct text *bytes, struct fault *f)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	int status;

	if (fd < 0)
		return fault_set(f, "%s", strerror(errno));
	status = map_descriptor(fd, bytes, f);
	close(fd);
	return status;
}

/* Returns the directory of a path without symbolic links, or NULL (errno set). */
static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = slash ? mem_text(path, (size_t)(slash - path) + 1) : str_copy(".");
	char *real = realpath(name, NULL);

	free(name);
	return real;
}

static bool is_below(const char *path, const char *directory)
{
	size_t len = directory ? strlen(directory) : 0;

	if (len == 1) /* the root */
		return true;
	return len && strncmp(path, directory, len) == 0 && path[len] == '/';
}

/* Returns whether a location is a relative path without "..". */
static bool is_plain(struct text location)
{
	for (size_t i = 0, end; i < location.len; i = end + 1) {
		for (end = i; end < location.len && location.ptr[end] != '/';)
			end++;
		if (text_equal((struct text){ location.ptr + i, end - i }, TEXT("..")))
			return false;
	}
	return location.len && location.len < PATH_MAX && location.ptr[0] != '/';
}

/* Maps an external file. */
static int map_external(
    struct onnx_file *file, struct text location, struct text *bytes, struct fault *f)
{
	char *path, *real;
	int status;

	if (!is_plain(location))
		return fault_set(f, "the path is absolute, contains \"..\" or is too long");
	path = str_format("%s/%.*s", file->directory[0], (int)location.len, location.ptr);
	real = realpath(path, NULL);
	if (!real)
		status = fault_set(f, "%s", strerror(errno));
	else if (!is_below(real, file->directory[0]) && !is_below(real, file->directory[1]))
		status = fault_set(f, "a symbolic link leads out of the model's directory");
	else
		status = map_path(real, bytes, f);
	free(path);
	free(real);
	return status;
}

static const struct onnx_mapping *mapping_of(
    struct onnx_file *file, struct text location, struct fault *f)
{
	struct onnx_mapping *m;
	struct text bytes;

	/* Most tensors are in the same file as the tensor before. */
	for (size_t i = file->mappings; i-- > 1;)
		if (text_equal(file->mapping[i].location, location))
			return &file->mapping[i];
	if (file->mappings > FILES_MAX) {
		fault_set(f, "more than %d external files", FILES_MAX);
		return NULL;
	}
	if (map_external(file, location, &bytes, f) < 0)
		return NULL;
	m = VEC_ADD(file->mapping, file->mappings, file->capacity);
	*m = (struct onnx_mapping){ location, bytes };
	return m;
}

/* Sets the data of an external tensor. */
static int resolve_tensor(void *ctx, struct onnx_tensor *t, struct fault *f)
{
	struct onnx_file *file = ctx;
	const struct onnx_mapping *m;
	struct fault why;

	if (!t->is_external)
		return 0;
	m = mapping_of(file, t->location, &why);
	if (m && (t->offset > m->bytes.len || t->bytes > m->bytes.len - t->offset)) {
		fault_set(&why,
		    "the file has %zu bytes, fewer than %llu bytes at offset %llu need; it "
		    "is truncated or belongs to another model",
		    m->bytes.len, (unsigned long long)t->bytes,
		    (unsigned long long)t->offset);
		m = NULL;
	}
	if (!m)
		return fault_set(f, "%s: data of tensor '%.*s' in '%.*s': %s", file->path,
		    t->name.len > 80 ? 80 : (int)t->name.len, t->name.ptr,
		    t->location.len > 200 ? 200 : (int)t->location.len, t->location.ptr,
		    why.text);
	t->data = (struct text){ m->bytes.ptr + t->offset, (size_t)t->bytes };
	return 0;
}

/* Finds the directories in which external files may be. */
static int find_directories(struct onnx_file *file, const char *path, struct fault *f)
{
	char *real = realpath(path, NULL);

	file->directory[0] = directory_of(path);
	if (real)
		file->directory[1] = directory_of(real);
	free(real);
	return file->directory[0] ? 0 : fault_errno(f, "%s", path);
}

int onnx_file_open(const char *path, struct onnx_file *out, struct fault *f)
{
	struct fault why;
	struct text bytes;

	*out = (struct onnx_file){ .path = path };
	if (map_path(path, &bytes, &why) < 0)
		return fault_set(f, "%s: %s", path, why.text);
	*VEC_ADD(out->mapping, out->mappings, out->capacity) =
	    (struct onnx_mapping){ .bytes = bytes };
	if (onnx_model_read(bytes, &out->model, &why) < 0)
		fault_set(f, "%s: %s", path, why.text);
	else if (find_directories(out, path, f) == 0 &&
	         onnx_tensors_visit(&out->model, resolve_tensor, out, f) == 0)
		return 0;
	onnx_file_close(out);
	return -1;
}

/* Checks that no field of a file is longer than the rest of the file. Other errors are left
 * to the programs that read it. */
static int check_fields(struct text bytes, struct fault *f)
{
	struct wire_item item = { .type = WIRE_TYPE_BYTES };
	const char *wrong = bytes.len ? NULL : "the file is empty";

	while (bytes.len && !wrong)
		wrong = wire_next(&bytes, &item);
	return wrong && item.type == WIRE_TYPE_BYTES ? fault_set(f, "%s", wrong) : 0;
}

int onnx_file_check(const char *path, struct fault *f)
{
	struct onnx_file file = { .path = path };
	struct text bytes = { 0 };
	struct fault why;
	int status = map_path(path, &bytes, &why);

	if (status == 0)
		*VEC_ADD(file.mapping, file.mappings, file.capacity) =
		    (struct onnx_mapping){ .bytes = bytes };
	if (status == 0)
		status = check_fields(bytes, &why);
	if (status < 0)
		fault_set(f, "%s: %s", path, why.text);
	else if (onnx_model_read(bytes, &file.model, &why) == 0)
		status = find_directories(&file, path, f) == 0
		             ? onnx_tensors_visit(&file.model, resolve_tensor, &file, f)
		             : -1;
	onnx_file_close(&file);
	return status;
}

void onnx_file_close(struct onnx_file *file)
{
	onnx_model_free(&file->model);
	for (size_t i = 0; i < file->mappings; i++)
		if (file->mapping[i].bytes.len)
			munmap((void *)(uintptr_t)file->mapping[i].bytes.ptr,
			    file->mapping[i].bytes.len);
	free(file->mapping);
	free(file->directory[0]);
	free(file->directory[1]);
	*file = (struct onnx_file){ 0 };
}
