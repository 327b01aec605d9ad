/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads sections, symbols and segments of ELF files; see elf_file.h. libelf checks that
 * they are within the file.
 */
#include <elf.h>
#include <stdlib.h>

#include <gelf.h>

#include "elf/elf_file.h"

static const char *section_name(const struct elf_file *e, const GElf_Shdr *head)
{
	size_t names;
	const char *name = NULL;

	if (elf_getshdrstrndx(elf_file_handle(e), &names) == 0)
		name = elf_strptr(elf_file_handle(e), names, head->sh_name);
	return name ? name : "";
}

static Elf_Scn *find_section(const struct elf_file *e, const char *name, GElf_Shdr *head)
{
	for (Elf_Scn *s = NULL; (s = elf_nextscn(elf_file_handle(e), s));)
		if (gelf_getshdr(s, head) && strcmp(section_name(e, head), name) == 0)
			return s;
	return NULL;
}

struct text elf_file_build_id(const struct elf_file *e)
{
	GElf_Shdr head;
	GElf_Nhdr note;
	size_t name, desc;

	for (Elf_Scn *s = NULL; (s = elf_nextscn(elf_file_handle(e), s));) {
		Elf_Data *data;

		if (!gelf_getshdr(s, &head) || head.sh_type != SHT_NOTE ||
		    !(data = elf_getdata(s, NULL)))
			continue;
		for (size_t at = 0; (at = gelf_getnote(data, at, &note, &name, &desc));)
			if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
			    memcmp((char *)data->d_buf + name, "GNU", 4) == 0)
				return (struct text){ (char *)data->d_buf + desc,
					note.n_descsz };
	}
	return (struct text){ 0 };
}

struct text elf_file_section(const struct elf_file *e, const char *name)
{
	GElf_Shdr head;
	Elf_Scn *s = find_section(e, name, &head);
	Elf_Data *data = s ? elf_rawdata(s, NULL) : NULL;

	return data && data->d_buf ? (struct text){ data->d_buf, data->d_size }
	                           : (struct text){ 0 };
}

/* Returns whether a symbol names code of this file: assemblers may omit its type. */
static bool names_code(const GElf_Sym *sym)
{
	const unsigned type = GELF_ST_TYPE(sym->st_info);

	return sym->st_shndx != SHN_UNDEF && sym->st_shndx < SHN_LORESERVE &&
	       (type == STT_FUNC || type == STT_GNU_IFUNC ||
	           (type == STT_NOTYPE && sym->st_size));
}

static void add_table(
    const struct elf_file *e, Elf_Scn *s, const GElf_Shdr *head, struct symbols *out)
{
	Elf_Data *data = elf_getdata(s, NULL);
	size_t count = data && head->sh_entsize ? head->sh_size / head->sh_entsize : 0;
	GElf_Sym sym;

	for (size_t i = 0; i < count && gelf_getsym(data, (int)i, &sym); i++) {
		const unsigned bind = GELF_ST_BIND(sym.st_info);
		const char *name = names_code(&sym) ? elf_strptr(elf_file_handle(e),
		                                          head->sh_link, sym.st_name)
		                                    : NULL;

		if (!name || !*name)
			continue;
		/* A version may follow an @. */
		symbols_add(out, sym.st_value, sym.st_size,
		    bind == STB_GLOBAL ? SYMBOL_GLOBAL
		    : bind == STB_WEAK ? SYMBOL_WEAK
		                       : SYMBOL_LOCAL,
		    (struct text){ name, strcspn(name, "@") });
	}
}

static void add_tables(const struct elf_file *e, GElf_Word type, struct symbols *out)
{
	GElf_Shdr head;

	for (Elf_Scn *s = NULL; (s = elf_nextscn(elf_file_handle(e), s));)
		if (gelf_getshdr(s, &head) && head.sh_type == type)
			add_table(e, s, &head, out);
}

/* Returns the symbol of relocation i of .rela.plt. */
static const char *plt_target(const struct elf_file *e, Elf_Data *relocations, size_t i,
    Elf_Data *dynamic, size_t names)
{
	GElf_Rela rela;
	GElf_Sym sym;

	if (!gelf_getrela(relocations, (int)i, &rela) ||
	    !gelf_getsym(dynamic, (int)GELF_R_SYM(rela.r_info), &sym))
		return NULL;
	return elf_strptr(elf_file_handle(e), names, sym.st_name);
}

/*
 * Adds the entries of the PLT, which has no symbols. Its entries have 16 bytes on the
 * supported machines and the order of its relocations, and follow a header of the remaining
 * size.
 */
static void add_plt(const struct elf_file *e, struct symbols *out)
{
	enum { ENTRY = 16 };
	GElf_Shdr plt, rela, dynamic;
	Elf_Scn *s = find_section(e, ".rela.plt", &rela),
	        *symbols = find_section(e, ".dynsym", &dynamic);
	Elf_Data *relocations = s ? elf_getdata(s, NULL) : NULL;
	Elf_Data *data = symbols ? elf_getdata(symbols, NULL) : NULL;

	if (!relocations || !data || !rela.sh_entsize ||
	    (!find_section(e, ".plt.sec", &plt) && !find_section(e, ".plt", &plt)))
		return;
	size_t count = rela.sh_size / rela.sh_entsize;
	if (plt.sh_size < count * ENTRY)
		return;
	uint64_t at = plt.sh_addr + plt.sh_size - count * ENTRY;
	for (size_t i = 0; i < count; i++, at += ENTRY) {
		const char *target = plt_target(e, relocations, i, data, dynamic.sh_link);
		char *name = target && *target ? str_format("%s@plt", target) : NULL;

		if (name)
			symbols_add(out, at, ENTRY, SYMBOL_LOCAL, text_of(name));
		free(name);
	}
}

/* Adds _start at the entry point, which is known even if the symbols were stripped. */
static void add_entry(const struct elf_file *e, struct symbols *out)
{
	enum { START_BYTES = 48 }; /* size of _start in glibc; not larger in others */
	GElf_Ehdr head;

	if (gelf_getehdr(elf_file_handle(e), &head) && head.e_entry)
		symbols_add(out, head.e_entry, START_BYTES, SYMBOL_WEAK, TEXT("_start"));
}

void elf_file_symbols(struct elf_file *e, struct symbols *out)
{
	struct elf_file *debug = elf_file_debug(e);

	add_tables(e, SHT_SYMTAB, out);
	add_tables(e, SHT_DYNSYM, out);
	add_plt(e, out);
	add_entry(e, out);
	if (debug)
		add_tables(debug, SHT_SYMTAB, out);
}

/* Returns a section of strings up to its last NUL, so that each offset is a string. */
static struct text strings_of(const struct elf_file *e, size_t index)
{
	Elf_Scn *s = elf_getscn(elf_file_handle(e), index);
	Elf_Data *data = s ? elf_getdata(s, NULL) : NULL;
	struct text all = { 0 };

	if (data && data->d_buf)
		all = (struct text){ data->d_buf, data->d_size };
	while (all.len && all.ptr[all.len - 1])
		all.len--;
	return all;
}

static const char *string_at(struct text strings, uint64_t at)
{
	return at < strings.len ? strings.ptr + at : NULL;
}

/*
 * Finds the first section of a type and its data, which is NULL if the section is damaged.
 * Returns false if there is no such section.
 */
static bool find_typed_section(
    const struct elf_file *e, GElf_Word type, GElf_Shdr *head, Elf_Data **data)
{
	for (Elf_Scn *s = NULL; (s = elf_nextscn(elf_file_handle(e), s));)
		if (gelf_getshdr(s, head) && head->sh_type == type) {
			*data = elf_getdata(s, NULL);
			if (*data && !(*data)->d_buf)
				*data = NULL;
			return true;
		}
	*data = NULL;
	return false;
}

void elf_file_dynamic(
    const struct elf_file *e, void (*take)(void *, const struct elf_dynamic *), void *ctx)
{
	GElf_Shdr head;
	Elf_Data *data;
	struct text strings = { 0 };
	GElf_Dyn entry;

	if (find_typed_section(e, SHT_DYNAMIC, &head, &data) && data)
		strings = strings_of(e, head.sh_link);

	for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
		take(ctx, &(struct elf_dynamic){ entry.d_tag, entry.d_un.d_val,
		              string_at(strings, entry.d_un.d_val) });
}

static bool is_code(const struct elf_file *e, const GElf_Sym *sym)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);
	Elf_Scn *s;
	GElf_Shdr head;

	/* Assemblers omit the type. */
	if (type == STT_NOTYPE && sym->st_shndx < SHN_LORESERVE)
		return (s = elf_getscn(elf_file_handle(e), sym->st_shndx)) &&
		       gelf_getshdr(s, &head) && (head.sh_flags & SHF_EXECINSTR);
	return type == STT_FUNC || type == STT_GNU_IFUNC;
}

/* Returns whether a symbol has an old version, which only old programs use. */
static bool is_superseded(Elf_Data *versions, int i)
{
	enum { HIDDEN = 0x8000 };
	GElf_Versym version;

	return versions && gelf_getversym(versions, i, &version) && (version & HIDDEN);
}

static enum elf_symbol_kind kind_of(
    const struct elf_file *e, const GElf_Sym *sym, bool superseded)
{
	if (sym->st_shndx == SHN_UNDEF)
		return ELF_SYMBOL_UNDEFINED;
	if (superseded)
		return ELF_SYMBOL_SUPERSEDED;
	return is_code(e, sym) ? ELF_SYMBOL_FUNCTION : ELF_SYMBOL_DATA;
}

/* Returns whether other files can see a symbol. */
static bool is_visible(const GElf_Sym *sym)
{
	const unsigned visibility = GELF_ST_VISIBILITY(sym->st_other);

	return GELF_ST_BIND(sym->st_info) != STB_LOCAL && visibility != STV_HIDDEN &&
	       visibility != STV_INTERNAL;
}

bool elf_file_exports(
    const struct elf_file *e, void (*take)(void *, const struct elf_symbol *), void *ctx)
{
	GElf_Shdr head, ignored;
	GElf_Ehdr file;
	Elf_Data *data, *versions;
	struct text strings;
	GElf_Sym sym;

	if (!gelf_getehdr(elf_file_handle(e), &file) ||
	    (file.e_shoff && !elf_nextscn(elf_file_handle(e), NULL)))
		return false;
	if (!find_typed_section(
	        e, file.e_type == ET_REL ? SHT_SYMTAB : SHT_DYNSYM, &head, &data))
		return true;
	strings = strings_of(e, head.sh_link);
	find_typed_section(e, SHT_GNU_versym, &ignored, &versions);
	for (int i = 1; data && gelf_getsym(data, i, &sym); i++) {
		const char *name = string_at(strings, sym.st_name);

		if (!is_visible(&sym) || !name || !*name)
			continue;
		take(ctx, &(struct elf_symbol){ .name = name,
		              .address = sym.st_value,
		              .weak = GELF_ST_BIND(sym.st_info) == STB_WEAK,
		              .indirect = GELF_ST_TYPE(sym.st_info) == STT_GNU_IFUNC,
		              .kind = kind_of(e, &sym, is_superseded(versions, i)) });
	}
	return data && strings.len;
}

/* The properties that distinguish a position-independent program from a shared object. */
struct nature {
	bool is_pie, has_soname;
};

static void take_nature(void *ctx, const struct elf_dynamic *d)
{
	struct nature *n = ctx;

	if (d->tag == DT_FLAGS_1 && (d->value & DF_1_PIE))
		n->is_pie = true;
	if (d->tag == DT_SONAME)
		n->has_soname = true;
}

bool elf_file_head(const struct elf_file *e, struct elf_head *out)
{
	GElf_Ehdr head;
	struct nature n = { 0 };

	if (!gelf_getehdr(elf_file_handle(e), &head))
		return false;
	*out = (struct elf_head){ .machine = head.e_machine,
		.is_64 = head.e_ident[EI_CLASS] == ELFCLASS64,
		.is_big_endian = head.e_ident[EI_DATA] == ELFDATA2MSB };
	if (head.e_type == ET_DYN)
		elf_file_dynamic(e, take_nature, &n);
	/* Old linkers did not mark programs. libc.so can also be run but has a soname. */
	if (!n.has_soname && elf_file_is_dynamic(e))
		n.is_pie = true;
	out->kind = head.e_type == ET_REL                ? ELF_RELOCATABLE
	            : head.e_type == ET_EXEC || n.is_pie ? ELF_PROGRAM
	            : head.e_type == ET_DYN              ? ELF_SHARED
	                                                 : ELF_OTHER;
	return true;
}

bool elf_file_address(const struct elf_file *e, uint64_t offset, uint64_t *address)
{
	size_t count;
	GElf_Phdr head;

	if (elf_getphdrnum(elf_file_handle(e), &count) < 0)
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf_file_handle(e), (int)i, &head) &&
		    head.p_type == PT_LOAD && (head.p_flags & PF_X) &&
		    offset >= head.p_offset && offset - head.p_offset < head.p_filesz) {
			*address = offset - head.p_offset + head.p_vaddr;
			return true;
		}
	return false;
}

bool elf_file_is_dynamic(const struct elf_file *e)
{
	size_t count;
	GElf_Phdr head;

	if (elf_getphdrnum(elf_file_handle(e), &count) < 0)
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf_file_handle(e), (int)i, &head) &&
		    head.p_type == PT_INTERP)
			return true;
	return false;
}
