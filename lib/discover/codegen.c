/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generates benchmarks for the functions of objects; see codegen.h.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/intern.h"
#include "discover/codegen.h"
#include "discover/codegen_stub.h"
#include "elf/debug_info.h"
#include "sys/parent_dirs.h"
#include "sys/temp_file.h"
#include "text/shell_words.h"

struct exports {
	struct elf_symbol *item;
	size_t count, cap;
};

static void add_export(void *ctx, const struct elf_symbol *symbol)
{
	struct exports *e = ctx;

	if (symbol->kind == ELF_SYMBOL_FUNCTION)
		*VEC_ADD(e->item, e->count, e->cap) = *symbol;
}

static int compare_names(const void *a, const void *b)
{
	const struct elf_symbol *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Returns the name of an object up to ".so", with letters that metadata can contain. */
static char *category_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
	           *so = strstr(name, ".so");
	char *category =
	    mem_text(name, so && so > name ? (size_t)(so - name) : strlen(name));

	for (char *p = category; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
		            "_.+-",
		        *p))
			*p = '_';
	return category;
}

static const char opening[] =
    "/*\n"
    " * Benchmarks of the functions of %s, written by bench-list --generate.\n"
    " *\n"
    " * The arguments fit the types of the parameters and have no meaning: buffers have n\n"
    " * elements, integers that are counts are n, and other integers are 1 if there is a\n"
    " * buffer. A call may change its buffers, and the next call uses the changed ones.\n"
    " * The bandwidth counts each buffer of numbers once; if there are only buffers of\n"
    " * bytes, it counts those that are only read.\n"
    " * Read each benchmark before you trust its results.\n"
    " *\n"
    " *\t%s\n"
    " *\tbench-run -f ./%s\n"
    " *\n"
    " * Functions are declared under names that begin with lib_, so that the compiler "
    "does\n"
    " * not replace a function that it knows by its own code.\n"
    " */\n"
    "#include <stdbool.h>\n"
    "#include <stddef.h>\n"
    "#include <stdint.h>\n"
    "#include <stdlib.h>\n"
    "\n"
    "#include <bench.h>\n"
    "\n"
    "%s";

/* The commands and names in the comment at the beginning of the file. */
struct codegen_head {
	char **word; /* of the command that compiles the file */
	size_t words, word_cap;
	struct buf names;
};

static void add_word(struct codegen_head *h, char *word)
{
	*VEC_ADD(h->word, h->words, h->word_cap) = word;
}

static void head_free(struct codegen_head *h)
{
	for (size_t i = 0; i < h->words; i++)
		free(h->word[i]);
	free(h->word);
	buf_free(&h->names);
}

/* Adds the objects to the command, and then their directories, each once. */
static int add_objects(
    struct codegen_head *h, char *const *object, size_t objects, struct fault *f)
{
	const size_t first = h->words;
	struct intern directories = { 0 };
	int status = 0;

	for (size_t i = 0; i < objects && status == 0; i++) {
		char real[PATH_MAX];

		if (!realpath(object[i], real)) {
			status = fault_errno(f, "%s", object[i]);
			break;
		}
		add_word(h, str_copy(real));
		buf_printf(
		    &h->names, "%s%s", h->names.len ? ", " : "", strrchr(real, '/') + 1);
	}
	for (size_t i = first, end = h->words; i < end && status == 0; i++) {
		char *real = str_copy(h->word[i]);
		const size_t known = directories.count;
		const char *directory = dirname(real);

		if (intern_add(&directories, text_of(directory)) == known) {
			add_word(h, str_copy("-Xlinker"));
			add_word(h, str_format("-rpath=%s", directory));
		}
		free(real);
	}
	intern_free(&directories);
	return status;
}

/*
 * Writes the beginning of the file. A comment contains the commands that compile and run
 * the file, so a path that would end the comment is rejected.
 */
static int put_head(
    struct buf *out, char *const *object, size_t objects, const char *name, struct fault *f)
{
	static const char *const compiler[] = { "gcc", "-shared", "-fPIC", "-O2" };
	char *output = str_format("%.*s.so", (int)strlen(name) - 2, name), *command;
	struct codegen_head h = { 0 };
	int status;

	for (size_t i = 0; i < COUNT(compiler); i++)
		add_word(&h, str_copy(compiler[i]));
	add_word(&h, str_copy(name));
	add_word(&h, str_copy("-o"));
	add_word(&h, str_copy(output));
	status = add_objects(&h, object, objects, f);
	add_word(&h, NULL);
	command = shell_words_join(h.word);
	if (status == 0 &&
	    (strstr(command, "*/") || strstr(command, "/*") || strchr(command, '\n')))
		status =
		    fault_set(f, "%s: a C comment cannot contain this path", object[0]);
	if (status == 0)
		buf_printf(
		    out, opening, h.names.ptr, command, output, codegen_stub_helpers);
	free(command);
	free(output);
	head_free(&h);
	return status;
}

static void put_tail(struct buf *out, const struct codegen *result)
{
	if (!result->skipped_count)
		return;
	buf_str(out, "\n/*\n * No benchmark was generated for these functions:\n *\n");
	for (size_t i = 0; i < result->skipped_count; i++) {
		buf_str(out, " *\t");
		codegen_stub_put_name(out, result->skipped[i].name);
		buf_printf(out, ": %s\n", result->skipped[i].why);
	}
	buf_str(out, " */\n");
}

static void skip_function(struct codegen *result, const char *name, const char *why)
{
	*VEC_ADD(result->skipped, result->skipped_count, result->skipped_cap) =
	    (struct skipped_function){ str_copy(name), str_copy(why) };
}

static void put_stub(struct buf *out, const struct elf_symbol *symbol,
    const struct signatures *known, const char *category, struct codegen *result)
{
	const struct signature *s = signatures_find(known, symbol->name, symbol->address);
	struct buf why = { 0 };
	bool refused = true;

	if (symbol->indirect)
		buf_str(
		    &why, "its code is chosen when it is loaded (an indirect function)");
	else
		refused = codegen_stub_refusal(&why, symbol->name, s);
	if (refused) {
		skip_function(result, symbol->name, why.ptr);
	} else {
		buf_byte(out, '\n');
		codegen_stub_write(out, symbol->name, s, category);
		result->benchmarks++;
	}
	buf_free(&why);
}

/* Appends the benchmarks of an object. A function that an object before exports is that of
 * the latter for the linker. `seen` has the names of functions. Returns 0, 1 or -1 as
 * codegen_file does. */
static int put_object(struct buf *out, const char *object, struct elf_file *elf,
    struct intern *seen, struct codegen *result, struct fault *f)
{
	const size_t before = seen->count;
	struct debug_info *debug = NULL;
	struct signatures known = { 0 };
	struct exports exports = { 0 };
	char *category = category_of(object);
	int status = 1;

	elf_file_exports(elf, add_export, &exports);
	if (exports.count)
		qsort(exports.item, exports.count, sizeof(*exports.item), compare_names);
	if (!exports.count) {
		fault_set(f, "%s exports no function", object);
		goto out;
	}
	debug = debug_info_open(elf);
	if (!debug_info_signatures(debug, &known)) {
		fault_set(f,
		    "%s has no debug information, so the signatures of its %zu functions "
		    "are unknown: compile it with -g, or install its debug file",
		    object, exports.count);
		goto out;
	}
	status = 0;
	for (size_t i = 0; i < exports.count; i++) {
		const char *name = exports.item[i].name;
		const size_t count = seen->count, number = intern_add(seen, text_of(name));

		if (number == count)
			put_stub(out, &exports.item[i], &known, category, result);
		else if (number < before)
			skip_function(
			    result, name, "another object before this one exports it");
	}
out:
	free(category);
	free(exports.item);
	signatures_free(&known);
	debug_info_close(debug);
	return status;
}

/* Opens a shared object. Returns NULL and a message on failure. */
static struct elf_file *open_object(const char *object, struct fault *f)
{
	struct elf_file *elf = elf_file_open(object);
	struct elf_head head;

	if (!elf && access(object, R_OK) < 0) {
		fault_errno(f, "%s", object);
		return NULL;
	}
	if (elf && elf_file_head(elf, &head) && head.kind == ELF_SHARED)
		return elf;
	elf_file_close(elf);
	fault_set(
	    f, "%s is not a shared object with which a benchmark can be linked", object);
	return NULL;
}

/* Writes the whole text. Returns 0, 1 or -1 as codegen_file does. */
static int put_file(struct buf *out, char *const *object, size_t objects, const char *name,
    struct codegen *result, struct fault *f)
{
	struct intern seen = { 0 };
	int status = 0;

	for (size_t i = 0; i < objects && status == 0; i++) {
		struct elf_file *elf = open_object(object[i], f);

		status = elf ? 0 : -1;
		if (elf && i == 0)
			status = put_head(out, object, objects, name, f);
		if (status == 0)
			status = put_object(out, object[i], elf, &seen, result, f);
		elf_file_close(elf);
	}
	intern_free(&seen);
	if (status == 0 && !result->benchmarks) {
		fault_set(f,
		    "%s%s: no benchmark can be generated for any of %s %zu functions; no "
		    "file was written",
		    object[0], objects > 1 ? " and others" : "",
		    objects > 1 ? "their" : "its", result->skipped_count);
		status = 1;
	}
	if (status == 0)
		put_tail(out, result);
	return status;
}

static int write_new(const char *path, const struct buf *text, struct fault *f)
{
	if (temp_file_write(
	        path, TEMP_FILE_NEW, text_in(text), f) == 0)
		return 0;
	return errno == EEXIST ? fault_set(f,
	                             "%s already exists: remove it first, or choose "
	                             "another name",
	                             path)
	                       : -1;
}

int codegen_file(char *const *object, size_t objects, const char *dir, const char *name,
    struct codegen *result, struct fault *f)
{
	size_t len = strlen(name);
	struct buf text = { 0 };
	int status;

	*result = (struct codegen){ .path = strcmp(dir, ".") == 0
		                                ? str_copy(name)
		                                : str_format("%s/%s", dir, name) };
	if (strchr(name, '/') || len < 3 || strcmp(name + len - 2, ".c") != 0)
		return fault_set(f,
		    "'%s' is not a valid file name: use NAME.c, and -o for its directory",
		    name);
	status = put_file(&text, object, objects, name, result, f);
	if (status == 0)
		status = parent_dirs_make(result->path, 0777, f);
	if (status == 0)
		status = write_new(result->path, &text, f);
	buf_free(&text);
	return status;
}

void codegen_free(struct codegen *result)
{
	for (size_t i = 0; i < result->skipped_count; i++) {
		free(result->skipped[i].name);
		free(result->skipped[i].why);
	}
	free(result->skipped);
	free(result->path);
}
