/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the benchmarks of an object; see benchmarks.h.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file_check.h"
#include "base/intern.h"
#include "base/paths.h"
#include "discover/benchmarks.h"
#include "discover/meta.h"
#include "elf/elf_file.h"
#include "elf/linkage.h"
#include "elf/native.h"

/* State of reading one object. */
struct reading {
	struct elf_file *file;
	struct benchmarks *out;
	bool all_functions, has_benchmarks;
	struct text meta;    /* the section of metadata */
	struct intern names; /* all exported symbols, if there is metadata */
	struct symbol_use {
		size_t item; /* index in out + 1; 0: none */
		uint64_t address;
		bool is_function, is_described;
	} * symbol; /* by number in names */
	size_t symbols, symbol_cap;
};

static const char meta_section[] = ".benchutils", not_function[] = "data, not a function";
static const char *const prefixes[] = { "benchmark_", "run_" };

/* Returns a symbol without the prefix of benchmarks, or NULL if it has none. */
static const char *bare_name(const char *symbol)
{
	for (size_t i = 0; i < COUNT(prefixes); i++) {
		size_t len = strlen(prefixes[i]);

		if (strncmp(symbol, prefixes[i], len) == 0)
			return symbol + len;
	}
	return NULL;
}

static struct benchmark *add_item(struct reading *r, struct text symbol)
{
	struct benchmarks *b = r->out;
	const char *kept = arena_text(&b->memory, symbol);
	struct benchmark *item = VEC_ADD(b->item, b->count, b->cap);

	*item = (struct benchmark){ .symbol = kept,
		.name = benchmark_bare_name(kept),
		.text = "",
		.category = "",
		.source = "",
		.status = "ok" };
	return item;
}

static void add_symbol(void *ctx, const struct elf_symbol *s)
{
	struct reading *r = ctx;
	bool is_function = s->kind == ELF_SYMBOL_FUNCTION, is_named;
	struct benchmark *item = NULL;

	if (!is_function && s->kind != ELF_SYMBOL_DATA)
		return;
	is_named = bare_name(s->name);
	if (is_named || (r->all_functions && is_function)) {
		item = add_item(r, text_of(s->name));
		item->address = s->address;
		item->is_benchmark = is_named;
		if (!is_function)
			item->status = not_function;
		r->has_benchmarks = r->has_benchmarks || is_named;
	}
	/* The first symbol of a name is used. */
	if (r->meta.len && intern_add(&r->names, text_of(s->name)) == r->symbols)
		*VEC_ADD(r->symbol, r->symbols, r->symbol_cap) =
		    (struct symbol_use){ .item = item ? r->out->count : 0,
			    .address = s->address,
			    .is_function = is_function };
}

/*
 * Returns the reason why the setup or teardown function of the metadata cannot be called,
 * or NULL.
 */
static const char *check_helper(const struct reading *r, struct text text, const char *key)
{
	struct text symbol = meta_find(text, key);
	long i;

	if (!symbol.len)
		return NULL;
	i = intern_find(&r->names, symbol);
	if (i >= 0 && r->symbol[i].is_function)
		return NULL;
	return arena_format(&r->out->memory, "%s=%.*s is not an exported function", key,
	    (int)symbol.len, symbol.ptr);
}

static void set_status(struct benchmark *item, const char *status)
{
	if (status && strcmp(item->status, "ok") == 0)
		item->status = status;
}

static void describe_function(
    const struct reading *r, struct benchmark *item, const struct meta_entry *entry)
{
	struct fault why;

	item->is_benchmark = true;
	item->loop = entry->loop;
	item->text = arena_text(&r->out->memory, entry->text);
	item->category = arena_text(&r->out->memory, meta_find(entry->text, "category"));
	item->source = arena_text(&r->out->memory, entry->file);
	item->line = entry->line;
	if (entry->wrong)
		set_status(item,
		    arena_format(&r->out->memory, "malformed metadata: %s", entry->wrong));
	else if (meta_check(entry->text, &why) < 0)
		set_status(item,
		    arena_format(&r->out->memory, "malformed metadata: %s", why.text));
	set_status(item, check_helper(r, entry->text, "setup"));
	set_status(item, check_helper(r, entry->text, "teardown"));
}

static void add_entry(struct reading *r, const struct meta_entry *entry)
{
	long i = intern_find(&r->names, entry->symbol);
	struct symbol_use *use = i < 0 ? NULL : &r->symbol[i];
	struct benchmark *item;

	if (use && use->item) {
		item = &r->out->item[use->item - 1];
	} else {
		item = add_item(r, entry->symbol);
		if (!use)
			item->status = "no such exported symbol";
		else {
			use->item = r->out->count;
			item->address = use->address;
			if (!use->is_function)
				item->status = not_function;
		}
	}
	if (use && use->is_described) {
		set_status(item, "malformed metadata: two entries for this symbol");
		return;
	}
	if (use)
		use->is_described = true;
	describe_function(r, item, entry);
}

/* Reads all metadata. Invalid entries without a symbol share one item. */
static void read_meta(struct reading *r)
{
	struct text left = r->meta;
	struct meta_entry entry;
	const char *wrong = NULL;
	size_t strays = 0;

	while (meta_next(&left, &entry)) {
		r->has_benchmarks = true;
		if (entry.symbol.len)
			add_entry(r, &entry);
		else if (!strays++)
			wrong = entry.wrong;
	}
	if (strays) {
		struct benchmark *item = add_item(r, (struct text){ 0 });

		item->name = meta_section;
		item->status =
		    strays == 1
		        ? arena_format(&r->out->memory, "malformed metadata: %s", wrong)
		        : arena_format(&r->out->memory,
		              "malformed metadata: %s (and %zu more)", wrong, strays - 1);
	}
}

/* Returns the reason why no function of the object can be called, or NULL. */
static const char *object_fault(const struct reading *r)
{
	struct elf_head head;
	struct fault why;
	const char *fault;
	char *lacking;

	if (!elf_file_head(r->file, &head))
		return "the ELF header cannot be read";
	if (native_check(&head, &why) < 0)
		return arena_text(&r->out->memory, text_of(why.text));
	if (head.kind != ELF_SHARED)
		return head.kind == ELF_RELOCATABLE ? "a relocatable file, not a shared "
		                                      "object (link it with -shared)"
		       : head.kind == ELF_PROGRAM
		           ? "a program, not a shared object (link it with -shared)"
		           : "not a shared object";
	if (!r->has_benchmarks)
		return NULL;
	lacking = linkage_fault(r->file);
	fault = lacking ? arena_text(&r->out->memory, text_of(lacking)) : NULL;
	free(lacking);
	return fault;
}

/* Replaces names that two benchmarks share, as of benchmark_sort and run_sort, by symbols.
 */
static void make_unique(struct benchmarks *b)
{
	struct intern names = { 0 };
	size_t *uses = mem_zero(b->count, sizeof(*uses));

	for (size_t i = 0; i < b->count; i++)
		uses[intern_add(&names, text_of(b->item[i].name))]++;
	for (size_t i = 0; i < b->count; i++)
		if (uses[intern_find(&names, text_of(b->item[i].name))] > 1)
			b->item[i].name = b->item[i].symbol;
	intern_free(&names);
	free(uses);
}

static int compare_addresses(const void *a, const void *b)
{
	const struct benchmark *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return strcmp(x->symbol, y->symbol);
}

static void set_statuses(const struct reading *r)
{
	const char *fault = object_fault(r);

	for (size_t i = 0; i < r->out->count; i++)
		set_status(&r->out->item[i], fault);
}

static char *hexadecimal_text(struct text bytes)
{
	struct buf b = { 0 };

	buf_put(&b, "", 0);
	for (size_t i = 0; i < bytes.len; i++)
		buf_printf(&b, "%02x", (unsigned char)bytes.ptr[i]);
	return b.ptr;
}

/* Reports the reason why a file cannot be opened as ELF. Returns -1. */
static int open_fault(const char *path, struct fault *f)
{
	/* Remove the ./ that benchmark_object_path() has added. */
	if (strncmp(path, "./", 2) == 0 && !strchr(path + 2, '/'))
		path += 2;
	return file_check(path, f) < 0 ? -1 : fault_set(f, "%s: not an ELF file", path);
}

int benchmarks_read(
    const char *path, bool all_functions, struct benchmarks *out, struct fault *f)
{
	struct reading r = { .out = out, .all_functions = all_functions };
	int status = 0;

	*out = (struct benchmarks){ 0 };
	r.file = elf_file_peek(path);
	if (!r.file)
		return open_fault(path, f);
	r.meta = elf_file_section(r.file, meta_section);
	if (elf_file_exports(r.file, add_symbol, &r))
		read_meta(&r);
	else
		status = fault_set(f, "%s: truncated or damaged", path);
	if (out->count && status == 0)
		set_statuses(&r);
	if (r.has_benchmarks && status == 0)
		make_unique(out);
	if (out->count)
		qsort(out->item, out->count, sizeof(*out->item), compare_addresses);
	out->build_id = hexadecimal_text(elf_file_build_id(r.file));
	elf_file_close(r.file);
	intern_free(&r.names);
	free(r.symbol);
	if (status < 0)
		benchmarks_free(out);
	return status;
}

void benchmarks_free(struct benchmarks *b)
{
	arena_free(&b->memory);
	free(b->item);
	free(b->build_id);
	*b = (struct benchmarks){ 0 };
}

const char *benchmark_bare_name(const char *symbol)
{
	const char *bare = bare_name(symbol);

	return bare && *bare ? bare : symbol;
}

bool benchmark_matches(const struct benchmark *b, const char *glob)
{
	return !glob || fnmatch(glob, b->symbol, 0) == 0 || fnmatch(glob, b->name, 0) == 0;
}

size_t benchmarks_split(const char *operand, const char **glob)
{
	size_t len = strlen(operand), end = len;

	*glob = NULL;
	if (access(operand, F_OK) == 0)
		return len;
	while (end-- > 0) {
		char *object;
		bool is_there;

		if (operand[end] != ':')
			continue;
		object = mem_text(operand, end);
		is_there = access(object, F_OK) == 0;
		free(object);
		if (!*glob || is_there) {
			*glob = operand + end + 1;
			len = end;
		}
		if (is_there)
			break;
	}
	return len;
}

char *benchmark_object_path(struct text name)
{
	char *path = mem_text(name.ptr, name.len), *full = NULL;

	if (strchr(path, '/'))
		return path;
	if (access(path, F_OK) < 0) {
		full = lib_path(path);
		if (access(full, F_OK) < 0) {
			free(full);
			full = NULL;
		}
	}
	if (!full)
		full = str_format("./%s", path);
	free(path);
	return full;
}
