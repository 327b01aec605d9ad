/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fakes NVRTC: compiles programs with g++ to shared objects for the fake driver. A program
 * is first preprocessed, so that its kernels can be found. Functions and macros that
 * contain assembler are removed before, because device_tensor.h defines them for the
 * processor.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake.h"

extern char **environ;

enum { PROGRAM_INVALID = 4, PROGRAM_REJECTED = 6 };

/* device.h and device_tensor.h, whose directory the Makefile defines. */
extern const char prelude_begin[], prelude_end[];
__asm__(".section .rodata\n"
        ".hidden prelude_begin\n.globl prelude_begin\n"
        "prelude_begin: .incbin \"" FAKE_DIR "/device.h\"\n"
        ".incbin \"" FAKE_DIR "/device_tensor.h\"\n"
        ".hidden prelude_end\n.globl prelude_end\n"
        "prelude_end: .byte 0\n"
        ".text\n");

struct program {
	char *source, *log;
	struct fake_code *code;
	size_t bytes;
};

/* A growing text. */
struct draft {
	char *text;
	size_t length;
};

static void draft_add(struct draft *d, const char *text, size_t length)
{
	d->text = realloc(d->text, d->length + length + 1);
	if (!d->text)
		abort();
	memcpy(d->text + d->length, text, length);
	d->length += length;
	d->text[d->length] = '\0';
}

static void draft_add_text(struct draft *d, const char *text)
{
	draft_add(d, text, strlen(text));
}

/* Returns the end of the line at `at`, after its newline. */
static const char *line_end(const char *at)
{
	const char *end = strchr(at, '\n');

	return end ? end + 1 : at + strlen(at);
}

static bool contains(const char *from, const char *to, const char *text)
{
	return memmem(from, (size_t)(to - from), text, strlen(text)) != NULL;
}

/* Copies a source without functions and macros that contain assembler. Functions begin with
 * FUNCTION and end with a brace at the beginning of a line. */
static void draft_add_source(struct draft *d, const char *at)
{
	while (*at) {
		const char *end = line_end(at);

		if (strncmp(at, "FUNCTION ", 9) == 0) {
			while (*end && *end != '}')
				end = line_end(end);
			end = line_end(end);
		} else if (strncmp(at, "#define ", 8) == 0) {
			while (*end && end[-2] == '\\')
				end = line_end(end);
		} else {
			draft_add(d, at, (size_t)(end - at));
			at = end;
			continue;
		}
		if (!contains(at, end, "asm"))
			draft_add(d, at, (size_t)(end - at));
		at = end;
	}
}

/* Copies the declaration of dynamic shared memory after "extern FAKE_SHARED" as a pointer.
 * Returns its end. */
static const char *draft_add_dynamic(struct draft *d, const char *at)
{
	const char *bracket = strchr(at, '['), *name = bracket;

	while (name > at && name[-1] == ' ')
		name--;
	while (name > at && strchr(" *)", name[-1]) == NULL)
		name--;
	const char *type = memmem(at, (size_t)(name - at), "))", 2);
	type = type ? type + 2 : at;
	char line[512];
	snprintf(line, sizeof(line), "%.*s *const %.*s = (%.*s *)fake_cuda_shared",
	    (int)(name - type), type, (int)(bracket - name), name, (int)(name - type),
	    type);
	draft_add_text(d, line);
	return strchr(bracket, ';');
}

/* Copies preprocessed text; replaces __global__ and __shared__, and appends
 * FAKE_KERNEL(name) for each kernel. */
static void draft_add_preprocessed(struct draft *d, const char *at)
{
	static const char global[] = "FAKE_GLOBAL", shared[] = "FAKE_SHARED",
	                  dynamic[] = "extern FAKE_SHARED";
	struct draft kernels = { 0 };

	while (*at) {
		if (strncmp(at, global, sizeof(global) - 1) == 0) {
			const char *name = strstr(at, "void ") + 5;

			at += sizeof(global) - 1;
			draft_add_text(&kernels, "fake_kernel_of ");
			draft_add(&kernels, name, strcspn(name, "( "));
			draft_add_text(&kernels, "\n");
		} else if (strncmp(at, dynamic, sizeof(dynamic) - 1) == 0) {
			at = draft_add_dynamic(d, at + sizeof(dynamic) - 1);
		} else if (strncmp(at, shared, sizeof(shared) - 1) == 0) {
			at += sizeof(shared) - 1;
			draft_add_text(d, "static");
		} else {
			const size_t length = 1 + strcspn(at + 1, "Fe");

			draft_add(d, at, length);
			at += length;
		}
	}
	draft_add_text(d, "\n");
	for (char *rest = kernels.text, *word; rest && (word = strsep(&rest, " \n"));) {
		char line[1024];

		if (!*word || strcmp(word, "fake_kernel_of") == 0)
			continue;
		snprintf(line, sizeof(line),
		    "extern \"C\" __attribute__((visibility(\"default\"))) fake_kernel "
		    "fake_kernel_%s = { [](void **argument) { fake_copies_begin(); "
		    "fake_call(%s, argument); }, fake_sizes(%s) };\n",
		    word, word, word);
		draft_add_text(d, line);
	}
	free(kernels.text);
}

static char *file_read(const char *path, size_t *bytes)
{
	struct stat status;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *data = NULL;

	*bytes = 0;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) == 0 && (data = calloc(1, (size_t)status.st_size + 1)))
		while (*bytes < (size_t)status.st_size) {
			const ssize_t n =
			    read(fd, data + *bytes, (size_t)status.st_size - *bytes);

			if (n <= 0)
				break;
			*bytes += (size_t)n;
		}
	close(fd);
	return data;
}

static int file_write(const char *path, const struct draft *d)
{
	FILE *file = fopen(path, "we");
	const bool written = file && fwrite(d->text, 1, d->length, file) == d->length;

	return file && fclose(file) == 0 && written ? 0 : -1;
}

/* Runs g++, with its errors in a file. Returns 0 if it succeeds. */
static int compiler_run(char **argument, const char *errors)
{
	posix_spawn_file_actions_t actions;
	int status = -1;
	pid_t child;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(
	    &actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (posix_spawnp(&child, argument[0], &actions, NULL, argument, environ) == 0)
		while (waitpid(child, &status, 0) < 0)
			;
	posix_spawn_file_actions_destroy(&actions);
	return status;
}

/* The files of a compilation. */
struct place {
	char dir[64], source[80], text[80], object[80], errors[80];
};

static int preprocess(struct place *p, int options, const char *const *option)
{
	char *argument[64] = { "g++", "-E", "-P", "-x", "c++", "-std=c++17", "-w",
		"-D__global__=FAKE_GLOBAL", "-D__shared__=FAKE_SHARED", "-o", p->text,
		p->source };
	char architecture[32];
	size_t count = 12;

	for (int i = 0; i < options && count < 62; i++) {
		const char *name = strstr(option[i], "sm_");

		if (strncmp(option[i], "-D", 2) == 0)
			argument[count++] = (char *)(uintptr_t)option[i];
		else if (name) {
			snprintf(architecture, sizeof(architecture), "-D__CUDA_ARCH__=%d",
			    atoi(name + 3) * 10);
			argument[count++] = architecture;
		}
	}
	return compiler_run(argument, p->errors);
}

static int compile(struct place *p)
{
	char *argument[] = { "g++", "-x", "c++", "-std=c++17", "-O1", "-w", "-fPIC",
		"-shared", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti",
		"-fno-math-errno", "-fno-threadsafe-statics", "-fno-strict-aliasing",
		"-nostdlib", "-o", p->object, p->text, "-lm", "-lgcc", "-lc", NULL };

	return compiler_run(argument, p->errors);
}

/* Compiles the program in the files of p. Returns 0, or -1 if g++ fails. */
static int program_build(
    struct program *program, struct place *p, int options, const char *const *option)
{
	struct draft d = { 0 };
	size_t bytes;

	draft_add(&d, prelude_begin, (size_t)(prelude_end - prelude_begin));
	draft_add_source(&d, program->source);
	int result = file_write(p->source, &d);
	free(d.text);
	if (result || preprocess(p, options, option))
		return -1;
	char *text = file_read(p->text, &bytes);
	d = (struct draft){ 0 };
	draft_add_preprocessed(&d, text ? text : "");
	free(text);
	result = file_write(p->text, &d);
	free(d.text);
	if (result || compile(p))
		return -1;
	char *object = file_read(p->object, &bytes);
	program->bytes = sizeof(*program->code) + bytes;
	program->code = malloc(program->bytes);
	if (!object || !program->code)
		abort();
	*program->code = (struct fake_code){ .magic = FAKE_MAGIC, .bytes = program->bytes };
	memcpy(program->code + 1, object, bytes);
	free(object);
	return 0;
}

FAKE_API int nvrtcVersion(int *major, int *minor)
{
	unsigned sum = 0;

	/* a change of these files makes compiled programs out of date */
	for (const char *p = prelude_begin; p < prelude_end; p++)
		sum = sum * 31 + (unsigned char)*p;
	*major = 13;
	*minor = (int)(sum % 1000000);
	return 0;
}

FAKE_API int nvrtcCreateProgram(struct program **program, const char *source,
    const char *name, int headers, const char *const *header,
    const char *const *header_name)
{
	(void)name;
	(void)headers;
	(void)header;
	(void)header_name;
	if (fake_called(__func__, "%s", ""))
		return PROGRAM_INVALID;
	*program = calloc(1, sizeof(**program));
	(*program)->source = strdup(source);
	(*program)->log = strdup("");
	return 0;
}

FAKE_API int nvrtcDestroyProgram(struct program **program)
{
	free((*program)->source);
	free((*program)->log);
	free((*program)->code);
	free(*program);
	*program = NULL;
	return 0;
}

FAKE_API int nvrtcCompileProgram(
    struct program *program, int options, const char *const *option)
{
	const char *dir = getenv("TMPDIR");
	struct place p;
	size_t bytes;

	if (fake_called(__func__, "%s", options ? option[0] : ""))
		return PROGRAM_REJECTED;
	if (!dir || strlen(dir) > 40)
		dir = "/tmp";
	snprintf(p.dir, sizeof(p.dir), "%s/fake_cuda.XXXXXX", dir);
	if (!mkdtemp(p.dir))
		return PROGRAM_REJECTED;
	snprintf(p.source, sizeof(p.source), "%s/source.cc", p.dir);
	snprintf(p.text, sizeof(p.text), "%s/text.cc", p.dir);
	snprintf(p.object, sizeof(p.object), "%s/object.so", p.dir);
	snprintf(p.errors, sizeof(p.errors), "%s/errors", p.dir);
	const int result = program_build(program, &p, options, option);

	if (result) {
		free(program->log);
		program->log = file_read(p.errors, &bytes);
	}
	if (!getenv("FAKE_CUDA_KEEP")) {
		unlink(p.source);
		unlink(p.text);
		unlink(p.object);
		unlink(p.errors);
		rmdir(p.dir);
	}
	return result ? PROGRAM_REJECTED : 0;
}

FAKE_API int nvrtcGetProgramLogSize(struct program *program, size_t *bytes)
{
	*bytes = program->log ? strlen(program->log) + 1 : 0;
	return 0;
}

FAKE_API int nvrtcGetProgramLog(struct program *program, char *log)
{
	memcpy(log, program->log, strlen(program->log) + 1);
	return 0;
}

FAKE_API int nvrtcGetCUBINSize(struct program *program, size_t *bytes)
{
	*bytes = program->bytes;
	return 0;
}

FAKE_API int nvrtcGetCUBIN(struct program *program, char *code)
{
	memcpy(code, program->code, program->bytes);
	return 0;
}
