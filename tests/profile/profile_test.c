/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the pure parts of the profiler: records of the kernel, address spaces, symbols,
 * the tree of stacks, unwinding and demangling.
 */
#include <dwarf.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "elf/demangle.h"
#include "elf/symbol.h"
#include "elf/unwind.h"
#include "profile/maps.h"
#include "profile/perf_record.h"
#include "profile/stacks.h"
#include "tests/lib/tap.h"

/* The bytes of a record. */
struct bytes {
	unsigned char at[512];
	size_t len;
};

static void put32(struct bytes *b, uint32_t x)
{
	memcpy(b->at + b->len, &x, sizeof(x));
	b->len += sizeof(x);
}

static void put64(struct bytes *b, uint64_t x)
{
	memcpy(b->at + b->len, &x, sizeof(x));
	b->len += sizeof(x);
}

static struct bytes head(uint32_t type, uint16_t misc)
{
	struct bytes b = { .len = sizeof(struct perf_event_header) };
	struct perf_event_header h = { .type = type, .misc = misc };

	memcpy(b.at, &h, sizeof(h));
	return b;
}

static void put_name(struct bytes *b, const char *name)
{
	size_t size = (strlen(name) + 8) & ~(size_t)7;

	memset(b->at + b->len, 0, size);
	memcpy(b->at + b->len, name, strlen(name));
	b->len += size;
}

static void put_trailer(struct bytes *b, uint32_t pid, uint32_t tid, uint64_t time)
{
	put32(b, pid);
	put32(b, tid);
	put64(b, time);
}

/* Fills in the size of a record and decodes it. */
static int decode(
    const struct perf_layout *layout, struct bytes *b, struct perf_record *out)
{
	struct perf_event_header h;

	memcpy(&h, b->at, sizeof(h));
	h.size = (uint16_t)b->len;
	memcpy(b->at, &h, sizeof(h));
	return perf_decode(layout, b->at, b->len, out);
}

/* Decodes every beginning of a record, with its old and with its shorter length. Returns
 * whether those with the old length are rejected. */
static bool survives_cutting(const struct perf_layout *layout, const struct bytes *b)
{
	bool refused = true;

	for (size_t len = 0; len < b->len; len++) {
		unsigned char *piece = malloc(len + 1); /* the sanitizer watches its end */
		struct perf_record r;

		memcpy(piece, b->at, len);
		refused = perf_decode(layout, piece, len, &r) < 0 && refused;
		if (len >= sizeof(struct perf_event_header)) {
			struct perf_event_header h;

			memcpy(&h, piece, sizeof(h));
			h.size = (uint16_t)len;
			memcpy(piece, &h, sizeof(h));
			perf_decode(layout, piece, len, &r);
		}
		free(piece);
	}
	return refused;
}

static void test_sample(void)
{
	const struct perf_layout chain = { .chain = true },
	                         dump = { .chain = true, .registers = 0x181 };
	struct bytes b = head(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	struct perf_record r;

	put64(&b, 0x401234);
	put32(&b, 10);
	put32(&b, 11);
	put64(&b, 123456789);
	put64(&b, 1001001);
	tap_ok(decode(&(struct perf_layout){ 0 }, &b, &r) == 0 && r.kind == PERF_SAMPLE &&
	           r.pid == 10 && r.tid == 11 && r.time_ns == 123456789 &&
	           r.sample.period == 1001001 && r.sample.address == 0x401234 &&
	           !r.sample.in_kernel,
	    "perf_decode reads a sample with an address");
	put64(&b, 3);
	put64(&b, PERF_CONTEXT_USER);
	put64(&b, 0x401234);
	put64(&b, 0x405678);
	tap_ok(decode(&chain, &b, &r) == 0 && r.sample.links == 3 &&
	           perf_word(r.sample.chain, 0) == PERF_CONTEXT_USER &&
	           perf_word(r.sample.chain, 2) == 0x405678,
	    "perf_decode reads a sample with a call chain");
	tap_ok(survives_cutting(&chain, &b), "perf_decode rejects a cut call chain");
	struct bytes stackless = b;
	put64(&b, PERF_SAMPLE_REGS_ABI_64);
	put64(&b, 1000);
	put64(&b, 1007);
	put64(&b, 1008);
	put64(&b, 16);
	put64(&b, 0xabcd);
	put64(&b, 0);
	put64(&b, 8);
	tap_ok(decode(&dump, &b, &r) == 0 && r.sample.has_registers &&
	           r.sample.reg[0] == 1000 && r.sample.reg[7] == 1007 &&
	           r.sample.reg[8] == 1008 && r.sample.stack_size == 8 &&
	           perf_word(r.sample.stack, 0) == 0xabcd,
	    "perf_decode reads a sample with registers and stack");
	tap_ok(survives_cutting(&dump, &b), "perf_decode rejects a cut stack");
	put64(&stackless, PERF_SAMPLE_REGS_ABI_NONE);
	put64(&stackless, 0);
	tap_ok(decode(&dump, &stackless, &r) == 0 && !r.sample.has_registers &&
	           r.sample.stack_size == 0,
	    "perf_decode reads a sample of a kernel thread without registers and stack");
	b = head(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	put64(&b, UINT64_MAX);
	put_trailer(&b, 1, 1, 5);
	put64(&b, 1);
	put64(&b, UINT64_MAX / 8 + 2); /* times 8 is small again */
	put64(&b, 0);
	tap_ok(decode(&chain, &b, &r) < 0,
	    "perf_decode rejects a call chain that is longer than the record");
}

static void test_others(void)
{
	const struct perf_layout any = { .chain = true };
	struct bytes b = head(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	struct perf_record r;

	put32(&b, 20);
	put32(&b, 21);
	put64(&b, 0x7f0000);
	put64(&b, 0x2000);
	put64(&b, 0x1000);
	for (int i = 0; i < 4; i++)
		put64(&b, UINT64_MAX);
	put_name(&b, "/usr/lib/libfoo.so");
	put_trailer(&b, 20, 21, 77);
	tap_ok(decode(&any, &b, &r) == 0 && r.kind == PERF_MAP && r.pid == 20 &&
	           r.tid == 21 && r.time_ns == 77 && r.map.start == 0x7f0000 &&
	           r.map.size == 0x2000 && r.map.offset == 0x1000 &&
	           strcmp(r.map.path, "/usr/lib/libfoo.so") == 0,
	    "perf_decode reads a mapping");
	tap_ok(survives_cutting(&any, &b), "perf_decode rejects a cut mapping");
	tap_ok(r.map.identity.len == 24 && (unsigned char)*r.map.identity.ptr == 0xff,
	    "perf_decode reads the identity of a mapping");
	b = head(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	put32(&b, 20);
	put32(&b, 20);
	put_name(&b, "prog");
	put_trailer(&b, 20, 20, 78);
	tap_ok(decode(&any, &b, &r) == 0 && r.kind == PERF_COMM && r.comm.exec &&
	           strcmp(r.comm.name, "prog") == 0 && r.time_ns == 78,
	    "perf_decode reads the name of a process that called exec");
	b = head(PERF_RECORD_FORK, 0);
	put32(&b, 30);
	put32(&b, 20);
	put32(&b, 31);
	put32(&b, 21);
	put64(&b, 79);
	put_trailer(&b, 30, 31, 80);
	tap_ok(decode(&any, &b, &r) == 0 && r.kind == PERF_FORK && r.pid == 30 &&
	           r.parent == 20 && r.tid == 31 && r.time_ns == 80,
	    "perf_decode reads a fork");
	b = head(PERF_RECORD_LOST, 0);
	put64(&b, 1);
	put64(&b, 1234);
	put_trailer(&b, 30, 31, 81);
	tap_ok(decode(&any, &b, &r) == 0 && r.kind == PERF_LOST && r.lost == 1234,
	    "perf_decode reads the number of lost records");
	b = head(PERF_RECORD_AUX, 0);
	put_trailer(&b, 1, 1, 82);
	tap_ok(decode(&any, &b, &r) == 0 && r.kind == PERF_OTHER && r.time_ns == 82,
	    "perf_decode reads the time of a record of another kind");
}

/* Returns what is mapped at an address: "PATH+offset", or "-". */
static const char *at(struct maps *m, uint32_t pid, uint64_t address)
{
	static char text[128];
	uint64_t where;
	uint32_t object = maps_find(m, pid, address, &where);
	struct object o = maps_object(m, object);

	switch (o.kind) {
	case OBJECT_IS_FILE:
		snprintf(text, sizeof(text), "%.*s+%llx", (int)o.path.len, o.path.ptr,
		    (unsigned long long)where);
		break;
	case OBJECT_IS_JIT:
		snprintf(
		    text, sizeof(text), "jit %u %llx", o.pid, (unsigned long long)where);
		break;
	case OBJECT_IS_VDSO:
		snprintf(text, sizeof(text), "vdso+%llx", (unsigned long long)where);
		break;
	default:
		return "-";
	}
	return text;
}

static void test_maps(void)
{
	struct maps *m = maps_open();

	tap_text(
	    at(m, 1, 0x1000), "-", "maps_find finds nothing in an empty address space");
	maps_map(m, 1, &(struct perf_map){ 0x1000, 0x4000, 0, "/a", { 0 } }, 5);
	maps_map(m, 1, &(struct perf_map){ 0x8000, 0x1000, 0x3000, "/b", { 0 } }, 5);
	tap_text(at(m, 1, 0xfff), "-", "maps_find finds nothing before a mapping");
	tap_text(at(m, 1, 0x1000), "/a+0", "maps_find finds the first byte of a mapping");
	tap_text(at(m, 1, 0x4fff), "/a+3fff", "maps_find finds the last byte of a mapping");
	tap_text(at(m, 1, 0x5000), "-", "maps_find finds nothing after a mapping");
	tap_text(at(m, 1, 0x8010), "/b+3010",
	    "maps_find adds the offset of the mapping in the file");
	maps_map(m, 1, &(struct perf_map){ 0x2000, 0x1000, 0x500, "/c", { 0 } }, 5);
	tap_text(at(m, 1, 0x1fff), "/a+fff",
	    "maps_find finds the beginning of a partly covered mapping");
	tap_text(at(m, 1, 0x2000), "/c+500", "maps_find finds the covering mapping");
	tap_text(at(m, 1, 0x3000), "/a+2000",
	    "maps_find finds the end of a partly covered mapping");
	maps_fork(m, 1, 2);
	maps_map(m, 1, &(struct perf_map){ 0, 0x10000, 0, "/all", { 0 } }, 5);
	tap_text(at(m, 1, 0x3000), "/all+3000",
	    "maps_find finds a mapping that covers several others");
	tap_text(at(m, 2, 0x3000), "/a+2000",
	    "a mapping of the parent does not change the address space of the child");
	tap_ok(maps_begun(m, 2), "maps_begun is true after an address was found");
	maps_exec(m, 2);
	tap_text(at(m, 2, 0x3000), "-", "maps_exec clears the address space");
	tap_ok(!maps_begun(m, 2), "maps_begun is false after exec");
	tap_text(at(m, 1, 0x3000), "/all+3000", "maps_exec clears only one address space");
	maps_map(m, 1, &(struct perf_map){ 0x3000, 0x1000, 0, "//anon", { 0 } }, 5);
	tap_text(at(m, 1, 0x3004), "jit 1 3004",
	    "maps_find finds generated code by its address");
	maps_map(m, 1, &(struct perf_map){ 0x20000, 0x1000, 0, "[vdso]", { 0 } }, 5);
	tap_text(at(m, 1, 0x20004), "vdso+4", "maps_find finds the vdso");
	maps_fork(m, 1, 1);
	maps_exit(m, 1);
	tap_text(at(m, 1, 0x2000), "/all+2000",
	    "an address space lives until the last thread ends");
	maps_exit(m, 1);
	tap_text(at(m, 1, 0x2000), "-", "an address space ends with the last thread");
	maps_map(m, 6, &(struct perf_map){ 0, 0x1000, 0, "/same", TEXT("abc") }, 5);
	maps_map(m, 6, &(struct perf_map){ 0x1000, 0x1000, 0, "/same", TEXT("abd") }, 5);
	maps_map(m, 6, &(struct perf_map){ 0x2000, 0x1000, 0, "/same", TEXT("abc") }, 5);
	uint64_t where;
	uint32_t first = maps_find(m, 6, 0, &where);
	struct object same = maps_object(m, first);
	tap_ok(text_is(same.path, "/same") && same.mapped_ns == 5 &&
	           maps_find(m, 6, 0x2000, &where) == first &&
	           maps_find(m, 6, 0x1000, &where) != first,
	    "maps_map distinguishes two files with the same path");
	maps_map(m, 1, &(struct perf_map){ UINT64_MAX - 10, 100, 0, "/wraps", { 0 } }, 5);
	tap_text(at(m, 1, UINT64_MAX - 5), "-",
	    "maps_map ignores a mapping past the end of the address space");
	maps_name(m, 3, TEXT("prog"));
	maps_fork(m, 3, 4);
	tap_ok(maps_comm(m, 3) == maps_comm(m, 4) && maps_comm(m, 5) != maps_comm(m, 4) &&
	           text_is(maps_comm_text(m, maps_comm(m, 4)), "prog"),
	    "a child has the name of its parent");
	maps_close(m);
}

static void test_symbols(void)
{
	static const char kallsyms[] = "0000000000000000 T hidden\n"
	                               "ffffffff81000000 T first\n"
	                               "ffffffff81000100 d data\n"
	                               "ffffffff81000200 t second [module]\n"
	                               "ffffffff81000300 t third\t[module]\nnonsense\n";
	static const char map[] = "7f00 10 a name (with spaces)\n0x7f20 0x10 other\n"
	                          "zz 10 bad\n7f40\n7f50 10 last";
	struct symbols s = { 0 };

	tap_ok(!symbols_find(&s, 5), "symbols_find finds nothing in an empty table");
	symbols_add(&s, 100, 10, SYMBOL_WEAK, TEXT("weak"));
	symbols_add(&s, 100, 10, SYMBOL_GLOBAL, TEXT("_under"));
	symbols_add(&s, 100, 10, SYMBOL_GLOBAL, TEXT("open"));
	symbols_add(&s, 100, 0, SYMBOL_GLOBAL, TEXT("longest_of_all"));
	symbols_add(&s, 150, 10, SYMBOL_LOCAL, TEXT("__GI_sort"));
	symbols_add(&s, 150, 10, SYMBOL_WEAK, TEXT("sort"));
	symbols_add(&s, 200, 100, SYMBOL_LOCAL, TEXT("outer"));
	symbols_add(&s, 220, 10, SYMBOL_LOCAL, TEXT("inner"));
	symbols_add(&s, 400, 0, SYMBOL_LOCAL, TEXT("endless"));
	symbols_finish(&s);
	tap_text(symbols_find(&s, 100), "open", "symbols_find returns the best name");
	tap_text(
	    symbols_find(&s, 109), "open", "symbols_find finds the last byte of a symbol");
	tap_text(symbols_find(&s, 155), "sort", "symbols_find prefers a public name");
	tap_ok(!symbols_find(&s, 110) && !symbols_find(&s, 99),
	    "symbols_find finds nothing outside");
	tap_text(symbols_find(&s, 225), "inner", "symbols_find finds the inner of two");
	tap_text(symbols_find(&s, 250), "outer", "symbols_find finds the outer one again");
	tap_text(
	    symbols_find(&s, 4000), "endless", "a symbol without size extends to the next");
	symbols_free(&s);

	symbols_add_kallsyms(&s, text_of(kallsyms));
	symbols_finish(&s);
	tap_text(symbols_find(&s, 0xffffffff81000150), "first",
	    "symbols_add_kallsyms reads the symbols of the kernel");
	tap_text(symbols_find(&s, 0xffffffff81000300), "third",
	    "symbols_add_kallsyms reads the symbols of modules");
	tap_ok(!symbols_find(&s, 0x1000), "symbols_add_kallsyms ignores hidden addresses");
	symbols_free(&s);

	symbols_add_map(&s, text_of(map));
	symbols_finish(&s);
	tap_text(symbols_find(&s, 0x7f0f), "a name (with spaces)",
	    "symbols_add_map reads a name with spaces");
	tap_ok(!symbols_find(&s, 0x7f10) && s.count == 3,
	    "symbols_add_map reads sizes and ignores invalid lines");
	tap_text(symbols_find(&s, 0x7f51), "last",
	    "symbols_add_map reads a last line without a newline");
	symbols_free(&s);
}

static void test_stacks(void)
{
	enum { MANY = 5000 };
	struct stacks s;
	uint32_t a, b, again;
	bool same = true;

	stacks_init(&s, 2);
	a = stacks_push(&s, STACK_ROOT, (struct frame){ 1, 10 });
	b = stacks_push(&s, a, (struct frame){ 1, 20 });
	again = stacks_push(&s, stacks_push(&s, STACK_ROOT, (struct frame){ 1, 10 }),
	    (struct frame){ 1, 20 });
	tap_ok(b == again && s.count == 2,
	    "stacks_push returns the same node for equal stacks");
	tap_ok(stacks_push(&s, STACK_ROOT, (struct frame){ 1, 20 }) != b,
	    "stacks_push returns another node for the same frame under another caller");
	stacks_count(&s, b, 0, 3);
	stacks_count(&s, again, 1, 5);
	for (uint64_t i = 0; i < MANY; i++)
		stacks_count(&s, stacks_push(&s, b, (struct frame){ 2, i }), 0, i);
	for (uint64_t i = 0; i < MANY; i++)
		same =
		    stacks_value(&s, stacks_push(&s, b, (struct frame){ 2, i }), 0) == i &&
		    same;
	tap_ok(same && s.count == MANY + 3, "stacks keep the values of many nodes");
	tap_ok(stacks_value(&s, b, 0) == 3 && stacks_value(&s, b, 1) == 5,
	    "stacks keep two values per node");
	stacks_free(&s);
}

/* A machine with few registers: 7 is the stack pointer, 6 the frame pointer, 16 the return
 * address. */
static const struct unwind_machine machine = {
	.sp = 7, .fp = 6, .pc = 16, .address_mask = UINT64_MAX
};

/* Returns the rules for functions at 0x1000 (no frame), 0x2000 (expressions), 0x3000
 * (signal frame), 0x4000 (outermost frame) and 0x5000 (its own caller). */
static const struct unwind_row *row_at(void *ctx, uint64_t address)
{
	static struct unwind_op leaf[] = { { DW_OP_breg7, 8, 0 },
		{ DW_OP_call_frame_cfa, 0, 0 }, { DW_OP_plus_uconst, -8, 0 } };
	/* CFA = (register 3 & -16) + 32; the caller's register 3 is at CFA - 16. */
	static struct unwind_op aligned[] = { { DW_OP_bregx, 3, 0 },
		{ DW_OP_const1s, -16, 0 }, { DW_OP_and, 0, 0 }, { DW_OP_lit0 + 30, 0, 0 },
		{ DW_OP_plus_uconst, 2, 0 }, { DW_OP_plus, 0, 0 },
		{ DW_OP_call_frame_cfa, 0, 0 }, { DW_OP_plus_uconst, -8, 0 },
		{ DW_OP_call_frame_cfa, 0, 0 }, { DW_OP_plus_uconst, -16, 0 } };
	static struct unwind_op endless[] = { { DW_OP_breg7, 0, 0 }, { DW_OP_breg16, 0, 0 },
		{ DW_OP_stack_value, 0, 0 } };
	static struct unwind_rule at_cfa[] = { { 16, UNWIND_AT, 1, 2 } },
	                          at_aligned[] = { { 16, UNWIND_AT, 6, 2 },
		                          { 3, UNWIND_AT, 8, 2 } },
	                          none[] = { { 16, UNWIND_UNDEFINED, 0, 0 } },
	                          itself[] = { { 16, UNWIND_IS, 1, 2 } };
	static struct unwind_row rows[] = {
		{ leaf, at_cfa, 1, 1, 16, false },
		{ aligned, at_aligned, 2, 6, 16, false },
		{ leaf, at_cfa, 1, 1, 16, true },
		{ leaf, none, 1, 1, 16, false },
		{ endless, itself, 1, 1, 16, false },
	};
	uint64_t number = (address >> 12) - 1;

	(void)ctx;
	return number < COUNT(rows) ? &rows[number] : NULL;
}

/* Returns the addresses of the frames, "1010 2020", of a stack that begins at 0x10000. */
static const char *unwound(
    uint64_t pc, uint64_t reg3, uint64_t fp, const uint64_t *stack, size_t words)
{
	static struct buf text;
	struct unwind_state s = { .machine = &machine,
		.stack = (const unsigned char *)stack,
		.stack_size = words * sizeof(*stack),
		.stack_start = 0x10000 };
	uint64_t out[UNWIND_FRAMES_MAX];
	size_t count;

	s.reg[3] = reg3;
	s.reg[6] = fp;
	s.reg[7] = 0x10000;
	s.reg[16] = pc;
	count = unwind(&s, row_at, NULL, out);
	text.len = 0;
	buf_str(&text, "");
	for (size_t i = 0; i < count; i++)
		buf_printf(&text, "%s%llx", i ? " " : "", (unsigned long long)out[i]);
	return text.ptr;
}

static void test_unwind(void)
{
	const uint64_t plain[] = { 0x1020, 0x1030, 0x4040 };
	tap_text(unwound(0x1010, 0, 0, plain, 3), "1010 101f 102f 403f",
	    "unwind follows return addresses up to the outermost frame");
	tap_text(unwound(0x1010, 0, 0, plain, 2), "1010 101f 102f",
	    "unwind stops at the end of the copied stack");
	const uint64_t aligned[] = { 0, 0, 0, 0, 0x10000, 0x2050, 0, 0, 0, 0, 0, 0x4060 };
	tap_text(unwound(0x2010, 0x1001f, 0, aligned, 12), "2010 204f",
	    "unwind stops at a frame that would go down the stack");
	const uint64_t saved[] = { 0, 0, 0, 0, 0x10048, 0x2050, 0, 0, 0, 0, 0, 0x4060 };
	tap_text(unwound(0x2010, 0x1001f, 0, saved, 12), "2010 204f 405f",
	    "unwind evaluates expressions and restores saved registers");
	const uint64_t signal[] = { 0x3000, 0x1010, 0x4040 };
	tap_text(unwound(0x1010, 0, 0, signal, 3), "1010 2fff",
	    "unwind handles a signal frame as a call");
	tap_text(unwound(0x3010, 0, 0, signal + 1, 2), "3010 1010 403f",
	    "unwind does not handle the code that a signal interrupted as a call");
	const uint64_t pointers[] = { 0, 0, 0x10020, 0x9020, 0x10000, 0x9030 };
	tap_text(unwound(0x9010, 0, 0x10010, pointers, 6), "9010 901f 902f",
	    "unwind follows frame pointers up the stack if there are no rules");
	tap_text(unwound(0x5010, 0, 0, plain, 3), "5010",
	    "unwind stops at a frame that is its own caller");
	tap_text(unwound(0x1010, 0, 0, NULL, 0), "1010",
	    "unwind returns only the address if there is no stack");
}

static void test_unmangle(void)
{
	static const char *const names[][2] = { { "_ZN3foo3barEi", "foo::bar" },
		{ "_ZNSt6vectorIiSaIiEE9push_backEOi",
		    "std::vector<int, std::allocator<int> >::push_back" },
		{ "_RNvNtC7mycrate3foo3bar", "mycrate::foo::bar" },
		{ "_ZN4core3ptr13drop_in_place17h0123456789abcdefE",
		    "core::ptr::drop_in_place" } };

	for (size_t i = 0; i < COUNT(names); i++) {
		char *plain = demangle(names[i][0]);

		tap_ok(plain && strcmp(plain, names[i][1]) == 0,
		    "demangle turns %s into %s: %s", names[i][0], names[i][1],
		    plain ? plain : "(none)");
		free(plain);
	}
	tap_ok(!demangle("main") && !demangle("_start") && !demangle("_Z") && !demangle(""),
	    "demangle returns NULL for names that are not mangled");
}

int main(void)
{
	test_sample();
	test_others();
	test_maps();
	test_symbols();
	test_stacks();
	test_unwind();
	test_unmangle();
	return tap_end();
}
