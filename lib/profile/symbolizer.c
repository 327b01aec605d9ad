/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds names for places; see symbolizer.h. A table has the function that reads the symbols
 * of each kind of object.
 */
#include <stdlib.h>

#include "elf/debug_info.h"
#include "elf/demangle.h"
#include "profile/jit_map.h"
#include "profile/object_file.h"
#include "profile/symbolizer.h"

struct module {
	bool loaded;
	struct elf_file *elf; /* NULL: places are addresses */
	struct symbols symbols;
	struct intern mangled; /* numbers of requested names */
	char **plain;          /* by number: demangled name; NULL: not mangled */
	size_t plains, plain_cap;
	struct debug_info *info; /* for source lines */
	struct intern lined;     /* numbers of names with source lines */
	char **line;             /* by number: the text, at a fixed address */
	size_t lines, line_cap;
	char *name;     /* name of the object */
	char *nameless; /* "[name]" */
};

struct symbolizer {
	const struct maps *maps;
	bool lines;
	uid_t owner;
	struct buf refused;    /* messages about rejected maps */
	struct module *module; /* by object */
	size_t modules;
};

struct symbolizer *symbolizer_open(const struct maps *maps, bool lines, uid_t owner)
{
	struct symbolizer *s = mem_zero(1, sizeof(*s));

	s->maps = maps;
	s->lines = lines;
	s->owner = owner;
	return s;
}

static void load_kernel(struct symbolizer *s, struct module *m, const struct object *o)
{
	struct buf lines = { 0 };
	struct fault ignored;

	(void)s;
	(void)o;
	m->name = str_copy("[kernel]");
	if (file_read("/proc/kallsyms", &lines, &ignored) == 0)
		symbols_add_kallsyms(&m->symbols, text_in(&lines));
	buf_free(&lines);
}

static void load_file(struct symbolizer *s, struct module *m, const struct object *o)
{
	const char *slash = memrchr(o->path.ptr, '/', o->path.len);
	const char *name = slash ? slash + 1 : o->path.ptr;

	(void)s;
	m->name = mem_text(name, o->path.len - (size_t)(name - o->path.ptr));
}

static void load_vdso(struct symbolizer *s, struct module *m, const struct object *o)
{
	(void)s;
	(void)o;
	m->name = str_copy("[vdso]");
}

static void load_jit(struct symbolizer *s, struct module *m, const struct object *o)
{
	struct buf lines = { 0 };
	struct fault why;

	m->name = str_copy("[jit]");
	if (jit_map_read(o->pid, s->owner, &lines, &why) < 0)
		buf_printf(&s->refused, "%s\n", why.text);
	else
		symbols_add_map(&m->symbols, text_in(&lines));
	buf_free(&lines);
}

static void load_unknown(struct symbolizer *s, struct module *m, const struct object *o)
{
	(void)s;
	(void)o;
	m->name = str_copy("[unknown]");
}

static void load_earlier(struct symbolizer *s, struct module *m, const struct object *o)
{
	(void)s;
	(void)o;
	m->name = str_copy("[wait began earlier]");
}

static struct module *module_of(struct symbolizer *s, uint32_t object)
{
	static void (*const load[])(
	    struct symbolizer * s, struct module * m, const struct object *o) = {
		[OBJECT_IS_UNKNOWN] = load_unknown,
		[OBJECT_IS_KERNEL] = load_kernel,
		[OBJECT_IS_EARLIER] = load_earlier,
		[OBJECT_IS_FILE] = load_file,
		[OBJECT_IS_VDSO] = load_vdso,
		[OBJECT_IS_JIT] = load_jit,
	};
	struct module *m;

	if (object >= s->modules) {
		size_t modules = maps_objects(s->maps);

		s->module = mem_resize(s->module, modules, sizeof(*s->module));
		memset(
		    s->module + s->modules, 0, (modules - s->modules) * sizeof(*s->module));
		s->modules = modules;
	}
	m = &s->module[object];
	if (!m->loaded) {
		struct object o = maps_object(s->maps, object);
		bool replaced;

		m->loaded = true;
		load[o.kind](s, m, &o);
		m->elf = object_file_open(s->maps, object, &replaced);
		if (m->elf)
			elf_file_symbols(m->elf, &m->symbols);
		if (m->elf && s->lines)
			m->info = debug_info_open(m->elf);
		m->nameless = *m->name == '[' ? str_copy(m->name)
		                              : str_format("[%s%s]", m->name,
		                                    replaced ? " (replaced)" : "");
		symbols_finish(&m->symbols);
	}
	return m;
}

/* Demangles a name, and caches the result. */
static struct text plain_name(struct module *m, const char *name)
{
	size_t number = intern_add(&m->mangled, text_of(name));

	if (number == m->plains)
		*VEC_ADD(m->plain, m->plains, m->plain_cap) = demangle(name);
	return text_of(m->plain[number] ? m->plain[number] : name);
}

static struct text with_line(struct module *m, struct text name, uint64_t address)
{
	const char *file;
	struct buf b = { 0 };
	size_t number;
	int line;

	if (!debug_info_line(m->info, address, &file, &line))
		return name;
	buf_text(&b, name);
	buf_printf(&b, " (%s:%d)", file, line);
	number = intern_add(&m->lined, text_in(&b));
	if (number == m->lines)
		*VEC_ADD(m->line, m->lines, m->line_cap) = mem_text(b.ptr, b.len);
	buf_free(&b);
	return text_of(m->line[number]);
}

struct text symbolizer_name(struct symbolizer *s, uint32_t object, uint64_t where)
{
	struct module *m = module_of(s, object);
	const char *name = NULL;
	uint64_t address = where;

	/* Places in objects without a file are addresses. */
	if (!m->elf || elf_file_address(m->elf, where, &address))
		name = symbols_find(&m->symbols, address);
	if (name && m->info)
		return with_line(m, plain_name(m, name), address);
	if (name)
		return plain_name(m, name);
	return text_of(m->nameless);
}

struct text symbolizer_object(struct symbolizer *s, uint32_t object)
{
	return text_of(module_of(s, object)->name);
}

void symbolizer_explain(const struct symbolizer *s, struct buf *out)
{
	buf_put(out, s->refused.ptr, s->refused.len);
}

void symbolizer_close(struct symbolizer *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->modules; i++) {
		struct module *m = &s->module[i];

		debug_info_close(m->info);
		elf_file_close(m->elf);
		symbols_free(&m->symbols);
		intern_free(&m->mangled);
		for (size_t k = 0; k < m->plains; k++)
			free(m->plain[k]);
		free(m->plain);
		intern_free(&m->lined);
		for (size_t k = 0; k < m->lines; k++)
			free(m->line[k]);
		free(m->line);
		free(m->name);
		free(m->nameless);
	}
	buf_free(&s->refused);
	free(s->module);
	free(s);
}
