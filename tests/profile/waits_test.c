/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the pure parts of a profile of waits: records of context switches, the waits
 * between them, and the stacks that are joined from two halves.
 */
#include <dwarf.h>
#include <linux/perf_event.h>

#include "profile/perf_record.h"
#include "profile/stack_join.h"
#include "profile/waits.h"
#include "tests/lib/tap.h"

/* Decodes a record of a context switch of thread 11 of process 10 at time 99. */
static int decode_switch(uint16_t misc, struct perf_record *out)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t time;
	} record = { { PERF_RECORD_SWITCH, misc, sizeof(record) }, 10, 11, 99 };

	return perf_decode(
	    &(struct perf_layout){ .chain = true }, &record, sizeof(record), out);
}

static void test_records(void)
{
	struct perf_record r;

	tap_ok(decode_switch(0, &r) == 0 && r.kind == PERF_SWITCH && r.pid == 10 &&
	           r.tid == 11 && r.time_ns == 99 && !r.change.out && !r.change.preempted,
	    "perf_decode reads that a thread got a processor");
	tap_ok(decode_switch(PERF_RECORD_MISC_SWITCH_OUT, &r) == 0 && r.change.out &&
	           !r.change.preempted,
	    "perf_decode reads that a thread was blocked");
	tap_ok(
	    decode_switch(PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT,
	        &r) == 0 &&
	        r.change.out && r.change.preempted,
	    "perf_decode reads that a thread was preempted");
}

/* Returns the wait that ends, "pid 1, stack 7, 30 ns", or "none". */
static const char *wait_text(bool ended, const struct wait *wait)
{
	static char text[80];

	if (!ended)
		return "none";
	snprintf(text, sizeof(text), "pid %u, stack %d, %llu ns%s", wait->pid,
	    (int)wait->stack, (unsigned long long)wait->ns,
	    wait->preempted ? ", preempted" : "");
	return text;
}

static const char *got(struct waits *w, uint32_t tid, uint64_t now_ns)
{
	struct wait wait;
	bool ended = waits_in(w, tid, now_ns, &wait);

	return wait_text(ended, &wait);
}

static const char *rest(struct waits *w, uint64_t now_ns)
{
	struct wait wait;
	bool ended = waits_end(w, now_ns, &wait);

	return wait_text(ended, &wait);
}

/* Records that a thread leaves its processor. Returns the wait that ends. */
static const char *block(struct waits *w, uint32_t tid, uint32_t stack, uint64_t now_ns)
{
	struct wait wait;
	bool ended;

	waits_stack(w, tid, stack, now_ns);
	ended = waits_out(w, 1, tid, now_ns, false, &wait);
	return wait_text(ended, &wait);
}

static void test_waits(void)
{
	struct waits *w = waits_open();
	struct wait wait;

	tap_text(
	    got(w, 5, 10), "none", "a thread whose beginning was not seen has no wait");
	block(w, 5, 7, 100);
	block(w, 6, 8, 110);
	tap_text(got(w, 5, 130), "pid 1, stack 7, 30 ns",
	    "a wait lasts from leaving a processor to getting one");
	tap_text(got(w, 5, 140), "none", "a wait ends only once");
	tap_text(got(w, 6, 200), "pid 1, stack 8, 90 ns",
	    "threads that wait at the same time have their own waits");
	waits_stack(w, 5, 7, 300);
	waits_out(w, 1, 5, 300, true, &wait);
	tap_text(got(w, 5, 305), "pid 1, stack 7, 5 ns, preempted",
	    "a wait for a processor is told apart from a blocked thread");
	waits_out(w, 1, 5, 400, false, &wait);
	tap_text(got(w, 5, 401), "pid 1, stack -1, 1 ns",
	    "a wait without a sample has no stack, not that of the previous wait");
	block(w, 5, 7, 600);
	block(w, 5, 9, 900);
	tap_text(got(w, 5, 910), "pid 1, stack 9, 10 ns",
	    "a wait whose end is missing does not extend the next one");
	block(w, 5, 7, 1000);
	block(w, 6, 8, 1001);
	waits_lost(w, 1100);
	tap_text(
	    got(w, 5, 5000), "none", "a wait during which records were lost is forgotten");
	block(w, 6, 8, 1050);
	block(w, 7, 8, 1060);
	got(w, 8, 1200);
	tap_text(block(w, 8, 8, 1090), "none",
	    "a wait that began before records were lost is not completed");
	tap_text(rest(w, 5000), "none", "lost records leave no wait that lasts to the end");
	waits_close(w);
}

/* The records of one of two processors arrive late. */
static void test_order(void)
{
	struct waits *w = waits_open();

	block(w, 5, 7, 100);
	tap_text(got(w, 5, 400), "pid 1, stack 7, 300 ns",
	    "a wait lasts until the first record of a processor that arrives");
	tap_text(got(w, 5, 200), "none", "a late record ends no wait");
	tap_text(block(w, 5, 8, 300), "none", "a late record begins no wait");
	tap_text(got(w, 5, 500), "none", "a thread does not wait after a late record");

	tap_text(
	    got(w, 6, 200), "none", "a wait whose beginning is late is unknown at first");
	tap_text(block(w, 6, 9, 150), "pid 1, stack 9, 50 ns",
	    "a late beginning completes a wait with its stack");
	tap_text(block(w, 6, 9, 140), "none", "a wait is not completed twice");
	tap_text(
	    rest(w, 9000), "none", "late beginnings leave no wait that lasts to the end");
	waits_close(w);

	w = waits_open();
	block(w, 5, 7, 500);
	tap_text(got(w, 5, 499), "none", "a wait cannot end before it begins");
	block(w, 5, 9, 450);
	tap_text(got(w, 5, 510), "pid 1, stack 7, 10 ns",
	    "late records do not change the wait that has begun since");
	waits_close(w);
}

static void test_ends(void)
{
	struct waits *w = waits_open();

	block(w, 5, 7, 100);
	waits_reset(w, 5, 105);
	block(w, 6, 8, 110);
	waits_blocked(w, 2, 20, 50);
	waits_blocked(w, 2, 21, 50);
	tap_text(got(w, 21, 70), "pid 2, stack -2, 20 ns",
	    "a thread that was blocked at the beginning waits from then on");
	waits_blocked(w, 2, 22, 50);
	block(w, 22, 3, 49);
	tap_text(got(w, 22, 52), "pid 1, stack 3, 3 ns",
	    "a thread that was blocked when it was looked at has the wait of its records");
	waits_reset(w, 6, 105);
	tap_text(rest(w, 1000), "pid 1, stack 8, 890 ns",
	    "a thread that still waits at the end has waited until then");
	tap_text(rest(w, 1000), "pid 2, stack -2, 950 ns",
	    "a thread that is blocked all the time waits from the beginning to the end");
	tap_text(rest(w, 1000), "none", "a thread that has ended waits no longer");
	waits_close(w);

	w = waits_open();
	for (uint32_t tid = 1; tid <= 3000; tid++)
		block(w, tid, tid, tid);
	tap_text(got(w, 2999, 4000), "pid 1, stack 2999, 1001 ns",
	    "waits of thousands of threads are kept apart");
	waits_close(w);
}

/* Returns the rules of a function at 0x1000 whose caller is undefined, as _start has them.
 */
static const struct unwind_row *start_row(void *ctx, uint64_t address)
{
	static struct unwind_op here[] = { { DW_OP_breg7, 0, 0 } };
	static struct unwind_rule none[] = { { 16, UNWIND_UNDEFINED, 0, 0 } };
	static const struct unwind_row row = { here, none, 1, 1, 16, false };

	(void)ctx;
	return address >> 12 == 1 ? &row : NULL;
}

/* Returns whether a stack with the words 0 and 0x1010 is complete. */
static bool is_complete(uint64_t pc, uint64_t fp, size_t words)
{
	static const uint64_t stack[] = { 0, 0x1010 };
	static const struct unwind_machine machine = {
		.sp = 7, .fp = 6, .pc = 16, .address_mask = UINT64_MAX
	};
	struct unwind_state s = { .machine = &machine,
		.stack = (const unsigned char *)stack,
		.stack_size = words * sizeof(*stack),
		.stack_start = 0x10000 };
	uint64_t out[UNWIND_FRAMES_MAX];

	s.reg[6] = fp;
	s.reg[7] = 0x10000;
	s.reg[16] = pc;
	unwind(&s, start_row, NULL, out);
	return s.complete;
}

static void test_complete(void)
{
	tap_ok(is_complete(0x1010, 5, 0),
	    "a stack is complete at a function without a caller");
	tap_ok(is_complete(0x9010, 0x10000, 2),
	    "a stack is complete at a caller that has none, found by the frame pointer");
	tap_ok(is_complete(0x9010, 0, 2), "a stack is complete at a frame pointer of 0");
	tap_ok(!is_complete(0x9010, 0x10000, 1),
	    "a stack is incomplete if its copy ends before the frame of the caller");
}

/* Returns the joined frames, "1 2 3". Both lists end with 0. */
static const char *joined(const uint64_t *unwound, const uint64_t *chain)
{
	static char text[UNWIND_FRAMES_MAX * 4];
	uint64_t frame[UNWIND_FRAMES_MAX];
	size_t count = 0, links = 0, len = 0;

	for (; unwound[count]; count++)
		frame[count] = unwound[count];
	while (chain[links])
		links++;
	count = stack_join(frame, count, chain, links);
	*text = '\0';
	for (size_t i = 0; i < count; i++)
		len += (size_t)snprintf(
		    text + len, sizeof(text) - len, "%s%d", i ? " " : "", (int)frame[i]);
	return text;
}

static void test_join(void)
{
	static const uint64_t inner[] = { 1, 2, 3, 4, 0 }, none[] = { 0 };
	uint64_t many[UNWIND_FRAMES_MAX + 1] = { 0 }, last;
	static char expected[] = "1 2 3 4 5 6";

	tap_text(joined(inner, (const uint64_t[]){ 1, 4, 5, 6, 0 }), expected,
	    "stack_join adds the outer frames to those that frame pointers miss");
	tap_text(joined(inner, (const uint64_t[]){ 1, 5, 6, 0 }), expected,
	    "stack_join adds outer frames that are all beyond the copied stack");
	tap_text(joined(inner, (const uint64_t[]){ 1, 2, 3, 4, 5, 6, 0 }), expected,
	    "stack_join adds the rest of a chain that misses no frame");
	tap_text(joined(inner, (const uint64_t[]){ 1, 3, 0 }), "1 2 3 4",
	    "stack_join keeps frames beyond the end of the chain");
	tap_text(
	    joined(inner, none), "1 2 3 4", "stack_join keeps a stack without a chain");
	tap_text(joined(none, inner), "1 2 3 4", "stack_join returns a chain alone");
	tap_text(joined((const uint64_t[]){ 1, 2, 9, 9, 0 },
	             (const uint64_t[]){ 1, 9, 9, 9, 3, 0 }),
	    "1 2 9 9 9 3", "stack_join counts the calls of a recursive function");
	for (size_t i = 0; i < UNWIND_FRAMES_MAX; i++)
		many[i] = 5;
	last = stack_join(many, UNWIND_FRAMES_MAX, inner, 4);
	tap_ok(
	    last == UNWIND_FRAMES_MAX, "stack_join keeps to the largest number of frames");
}

int main(void)
{
	test_records();
	test_waits();
	test_order();
	test_ends();
	test_complete();
	test_join();
	return tap_end();
}
