/*
 * ELF; see elf_file.h.
 */
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gelf.h>

#include "elf_file.h"

static const char debug_root[] = "/usr/lib/debug";

struct elf_file {
	char *path; /* NULL: in memory */
	Elf *elf;
	int fd;
	struct elf_file *debug;
	bool debug_sought;
};

static struct elf_file *from(Elf *elf, int fd, const char *path)
{
	struct elf_file *e;

	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	e = mem_zero(1, sizeof(*e));
	*e =
	    (struct elf_file){ .elf = elf, .fd = fd, .path = path ? str_copy(path) : NULL };
	return e;
}

struct elf_file *elf_file_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	elf_version(EV_CURRENT);
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		fd = -1;
	}
	return fd < 0 ? NULL : from(elf_begin(fd, ELF_C_READ_MMAP, NULL), fd, path);
}

struct elf_file *elf_file_image(void *image)
{
	const ElfW(Ehdr) *head = image;

	if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
		return NULL;
	elf_version(EV_CURRENT);
	/* The table of sections is what an image ends with. */
	return from(
	    elf_memory(image, head->e_shoff + (size_t)head->e_shnum * head->e_shentsize),
	    -1, NULL);
}

static const char *section_name(const struct elf_file *e, const GElf_Shdr *head)
{
	size_t names;
	const char *name = NULL;

	if (elf_getshdrstrndx(e->elf, &names) == 0)
		name = elf_strptr(e->elf, names, head->sh_name);
	return name ? name : "";
}

static Elf_Scn *section(const struct elf_file *e, const char *name, GElf_Shdr *head)
{
	for (Elf_Scn *s = NULL; (s = elf_nextscn(e->elf, s));)
		if (gelf_getshdr(s, head) && strcmp(section_name(e, head), name) == 0)
			return s;
	return NULL;
}

/* The bytes of the GNU build-id note; they live as long as the file. */
static struct text build_id(const struct elf_file *e)
{
	GElf_Shdr head;
	GElf_Nhdr note;
	size_t name, desc;

	for (Elf_Scn *s = NULL; (s = elf_nextscn(e->elf, s));) {
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

static struct elf_file *debug_by_build_id(const struct elf_file *e)
{
	struct text id = build_id(e);
	struct buf path = { 0 };
	struct elf_file *debug = NULL;

	if (id.len < 2)
		return NULL;
	buf_printf(&path, "%s/.build-id/%02x/", debug_root, (unsigned char)id.ptr[0]);
	for (size_t i = 1; i < id.len; i++)
		buf_printf(&path, "%02x", (unsigned char)id.ptr[i]);
	buf_str(&path, ".debug");
	debug = elf_file_open(path.ptr);
	buf_free(&path);
	if (debug && !text_equal(build_id(debug), id)) {
		elf_file_close(debug);
		return NULL;
	}
	return debug;
}

/* The checksum of .gnu_debuglink: CRC-32 as in zlib (gdb manual, "Separate Debug Files").
 */
static uint32_t crc32_of(const unsigned char *bytes, size_t size)
{
	static uint32_t table[256];
	uint32_t crc = UINT32_MAX;

	for (uint32_t i = 1; i < COUNT(table) && !table[COUNT(table) - 1]; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] =
			    table[i] & 1 ? 0xedb88320u ^ table[i] >> 1 : table[i] >> 1;
	}
	for (size_t i = 0; i < size; i++)
		crc = table[(crc ^ bytes[i]) & 255] ^ crc >> 8;
	return ~crc;
}

static bool checksum_is(const struct elf_file *e, uint32_t want)
{
	size_t size;
	const char *bytes = elf_rawfile(e->elf, &size);

	return bytes && crc32_of((const unsigned char *)bytes, size) == want;
}

/* DIR/NAME, DIR/.debug/NAME, /usr/lib/debug/DIR/NAME: the first with the right checksum. */
static struct elf_file *debug_by_link(const struct elf_file *e)
{
	GElf_Shdr head;
	Elf_Scn *s = e->path ? section(e, ".gnu_debuglink", &head) : NULL;
	Elf_Data *data = s ? elf_rawdata(s, NULL) : NULL;
	struct elf_file *found = NULL;
	const char *name;
	size_t crc_at;
	uint32_t crc;

	if (!data || !data->d_size || !memchr(data->d_buf, '\0', data->d_size))
		return NULL;
	name = data->d_buf;
	crc_at = (strlen(name) + 1 + 3) & ~(size_t)3;
	if (crc_at + sizeof(crc) > data->d_size)
		return NULL;
	memcpy(&crc, name + crc_at, sizeof(crc));
	char *dir = realpath(e->path, NULL);
	if (!dir)
		return NULL;
	*strrchr(dir, '/') = '\0';
	char *candidate[] = { str_format("%s/%s", dir, name),
		str_format("%s/.debug/%s", dir, name),
		str_format("%s%s/%s", debug_root, dir, name) };
	for (size_t i = 0; i < COUNT(candidate); i++) {
		if (!found)
			found = elf_file_open(candidate[i]);
		if (found && !checksum_is(found, crc)) {
			elf_file_close(found);
			found = NULL;
		}
		free(candidate[i]);
	}
	free(dir);
	return found;
}

struct elf_file *elf_file_debug(struct elf_file *e)
{
	if (!e->debug_sought) {
		e->debug_sought = true;
		e->debug = debug_by_build_id(e);
		if (!e->debug)
			e->debug = debug_by_link(e);
	}
	return e->debug;
}

static void add_table(
    const struct elf_file *e, Elf_Scn *s, const GElf_Shdr *head, struct symbols *out)
{
	Elf_Data *data = elf_getdata(s, NULL);
	size_t count = data && head->sh_entsize ? head->sh_size / head->sh_entsize : 0;
	GElf_Sym sym;

	for (size_t i = 0; i < count; i++) {
		const char *name;
		unsigned type;

		if (!gelf_getsym(data, (int)i, &sym))
			break;
		type = GELF_ST_TYPE(sym.st_info);
		if ((type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) ||
		    sym.st_shndx == SHN_UNDEF || sym.st_shndx >= SHN_LORESERVE ||
		    (type == STT_NOTYPE && !sym.st_size))
			continue;
		name = elf_strptr(e->elf, head->sh_link, sym.st_name);
		if (!name || !*name)
			continue;
		unsigned bind = GELF_ST_BIND(sym.st_info);
		/* A version may stand behind an @. */
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

	for (Elf_Scn *s = NULL; (s = elf_nextscn(e->elf, s));)
		if (gelf_getshdr(s, &head) && head.sh_type == type)
			add_table(e, s, &head, out);
}

/* The symbol that relocation i of .rela.plt is for. */
static const char *plt_target(const struct elf_file *e, Elf_Data *relocations, size_t i,
    Elf_Data *dynamic, size_t names)
{
	GElf_Rela rela;
	GElf_Sym sym;

	if (!gelf_getrela(relocations, (int)i, &rela) ||
	    !gelf_getsym(dynamic, (int)GELF_R_SYM(rela.r_info), &sym))
		return NULL;
	return elf_strptr(e->elf, names, sym.st_name);
}

/*
 * The PLT has no symbols of its own: its entries, of 16 bytes on the machines we know, are
 * in the order of its relocations, behind a head that takes what is left.
 */
static void add_plt(const struct elf_file *e, struct symbols *out)
{
	enum { ENTRY = 16 };
	GElf_Shdr plt, rela, dynamic;
	Elf_Scn *s = section(e, ".rela.plt", &rela),
	        *symbols = section(e, ".dynsym", &dynamic);
	Elf_Data *relocations = s ? elf_getdata(s, NULL) : NULL;
	Elf_Data *data = symbols ? elf_getdata(symbols, NULL) : NULL;

	if (!relocations || !data || !rela.sh_entsize ||
	    (!section(e, ".plt.sec", &plt) && !section(e, ".plt", &plt)))
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

/* Where a program begins is known although its symbols were stripped. */
static void add_entry(const struct elf_file *e, struct symbols *out)
{
	enum { START_BYTES = 48 }; /* what it fills in glibc, and no more in others */
	GElf_Ehdr head;

	if (gelf_getehdr(e->elf, &head) && head.e_entry)
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

bool elf_file_address(const struct elf_file *e, uint64_t offset, uint64_t *address)
{
	size_t count;
	GElf_Phdr head;

	if (elf_getphdrnum(e->elf, &count) < 0)
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(e->elf, (int)i, &head) && head.p_type == PT_LOAD &&
		    (head.p_flags & PF_X) && offset >= head.p_offset &&
		    offset - head.p_offset < head.p_filesz) {
			*address = offset - head.p_offset + head.p_vaddr;
			return true;
		}
	return false;
}

int64_t elf_file_changed_ns(const struct elf_file *e)
{
	struct stat st;

	if (e->fd < 0 || fstat(e->fd, &st) < 0)
		return 0;
	return (int64_t)st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec;
}

bool elf_file_is_dynamic(const struct elf_file *e)
{
	size_t count;
	GElf_Phdr head;

	if (elf_getphdrnum(e->elf, &count) < 0)
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(e->elf, (int)i, &head) && head.p_type == PT_INTERP)
			return true;
	return false;
}

struct Elf *elf_file_handle(const struct elf_file *e)
{
	return e->elf;
}

void elf_file_close(struct elf_file *e)
{
	if (!e)
		return;
	elf_file_close(e->debug);
	elf_end(e->elf);
	if (e->fd >= 0)
		close(e->fd);
	free(e->path);
	free(e);
}
