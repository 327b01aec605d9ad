/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares an object with the ELF header of this program; see native.h.
 */
#include <elf.h>
#include <link.h>
#include <stdio.h>

#include "elf/native.h"

/* The linker defines this symbol. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static const struct {
	unsigned machine;
	const char *name;
} machines[] = {
	{ EM_386, "i386" },
	{ EM_X86_64, "x86-64" },
	{ EM_ARM, "arm" },
	{ EM_AARCH64, "aarch64" },
	{ EM_LOONGARCH, "loongarch" },
	{ EM_MIPS, "mips" },
	{ EM_PPC, "ppc" },
	{ EM_PPC64, "ppc64" },
	{ EM_RISCV, "riscv" },
	{ EM_S390, "s390" },
	{ EM_SPARCV9, "sparc64" },
};

enum { NAME = 32 };

static const char *machine_name(unsigned machine, char number[NAME])
{
	for (size_t i = 0; i < COUNT(machines); i++)
		if (machines[i].machine == machine)
			return machines[i].name;
	snprintf(number, NAME, "machine %u", machine);
	return number;
}

static int bits_of(bool is_64)
{
	return is_64 ? 64 : 32;
}

static const char *end_of(bool is_big_endian)
{
	return is_big_endian ? "big" : "little";
}

int native_check(const struct elf_head *head, struct fault *f)
{
	const bool is_64 = __ehdr_start.e_ident[EI_CLASS] == ELFCLASS64,
	           is_big_endian = __ehdr_start.e_ident[EI_DATA] == ELFDATA2MSB;
	char theirs[NAME], ours[NAME];

	if (head->machine != __ehdr_start.e_machine)
		return fault_set(f, "built for %s, but this machine is %s",
		    machine_name(head->machine, theirs),
		    machine_name(__ehdr_start.e_machine, ours));
	if (head->is_64 != is_64)
		return fault_set(f, "built for %d bits, but this machine uses %d",
		    bits_of(head->is_64), bits_of(is_64));
	if (head->is_big_endian != is_big_endian)
		return fault_set(f, "built %s-endian, but this machine is %s-endian",
		    end_of(head->is_big_endian), end_of(is_big_endian));
	return 0;
}
