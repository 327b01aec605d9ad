/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decodes records; see perf_record.h. The reader of fields stops at the end of the record,
 * so no length inside a record can lead out of it.
 */
#include <linux/perf_event.h>

#include "profile/perf_record.h"

struct reader {
	const unsigned char *at, *end;
	bool failed;
};

static const unsigned char *record_bytes(struct reader *r, size_t size)
{
	const unsigned char *at = r->at;

	if (r->failed || (size_t)(r->end - r->at) < size) {
		r->failed = true;
		return NULL;
	}
	r->at += size;
	return at;
}

static uint64_t take64(struct reader *r)
{
	const unsigned char *at = record_bytes(r, sizeof(uint64_t));
	uint64_t x = 0;

	if (at)
		memcpy(&x, at, sizeof(x));
	return x;
}

static uint32_t take32(struct reader *r)
{
	const unsigned char *at = record_bytes(r, sizeof(uint32_t));
	uint32_t x = 0;

	if (at)
		memcpy(&x, at, sizeof(x));
	return x;
}

static const char *take_name(struct reader *r)
{
	size_t room = (size_t)(r->end - r->at);
	const unsigned char *at = r->at;

	if (r->failed || !memchr(at, '\0', room)) {
		r->failed = true;
		return "";
	}
	r->at += strlen((const char *)at) + 1;
	return (const char *)at;
}

uint64_t perf_word(const unsigned char *words, size_t i)
{
	uint64_t word;

	memcpy(&word, words + i * sizeof(word), sizeof(word));
	return word;
}

uint64_t perf_sample_type(const struct perf_layout *layout)
{
	return PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
	       (layout->chain ? PERF_SAMPLE_CALLCHAIN : 0) |
	       (layout->registers ? PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER : 0);
}

/* Reads a sample; for the order of fields see PERF_RECORD_SAMPLE in perf_event_open(2). */
static void take_sample(const struct perf_layout *layout, struct reader *r, uint16_t misc,
    struct perf_record *out)
{
	struct perf_sample *s = &out->sample;

	s->address = take64(r);
	s->in_kernel = (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	out->pid = take32(r);
	out->tid = take32(r);
	out->time_ns = take64(r);
	s->period = take64(r);
	if (layout->chain) {
		uint64_t links = take64(r);

		s->links = links <= (size_t)(r->end - r->at) / sizeof(uint64_t) ? links : 0;
		r->failed |= s->links != links;
		s->chain = record_bytes(r, s->links * sizeof(uint64_t));
	}
	if (!layout->registers)
		return;
	s->has_registers = take64(r) != PERF_SAMPLE_REGS_ABI_NONE;
	for (unsigned i = 0; s->has_registers && i < PERF_REGISTERS_MAX; i++)
		if (layout->registers >> i & 1)
			s->reg[i] = take64(r);
	uint64_t room = take64(r);
	if (room && room <= (size_t)(r->end - r->at)) {
		s->stack = record_bytes(r, room);
		s->stack_size = take64(r); /* the size that the kernel could copy */
		r->failed |= s->stack_size > room;
	} else
		r->failed |= room != 0;
}

/* Reads 32 bytes: device, inode and generation; then protection and flags. */
static struct text take_identity(struct reader *r)
{
	const unsigned char *bytes = record_bytes(r, 32);

	return (struct text){ (const char *)bytes, bytes ? 24 : 0 };
}

static void take_map(struct reader *r, bool second, struct perf_record *out)
{
	out->pid = take32(r);
	out->tid = take32(r);
	out->map.start = take64(r);
	out->map.size = take64(r);
	out->map.offset = take64(r);
	if (second)
		out->map.identity = take_identity(r);
	out->map.path = take_name(r);
}

int perf_decode(const struct perf_layout *layout, const void *bytes, size_t size,
    struct perf_record *out)
{
	struct perf_event_header head;
	struct reader r = { .at = bytes, .end = (const unsigned char *)bytes + size };
	const unsigned char *h = record_bytes(&r, sizeof(head));

	*out = (struct perf_record){ .kind = PERF_OTHER };
	if (!h)
		return -1;
	memcpy(&head, h, sizeof(head));
	if (head.size != size)
		return -1;
	if (head.type != PERF_RECORD_SAMPLE)
		out->time_ns = perf_time(bytes, size);
	switch (head.type) {
	case PERF_RECORD_SAMPLE:
		out->kind = PERF_SAMPLE;
		take_sample(layout, &r, head.misc, out);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		out->kind = PERF_MAP;
		take_map(&r, head.type == PERF_RECORD_MMAP2, out);
		break;
	case PERF_RECORD_COMM:
		out->kind = PERF_COMM;
		out->pid = take32(&r);
		out->tid = take32(&r);
		out->comm.exec = head.misc & PERF_RECORD_MISC_COMM_EXEC;
		out->comm.name = take_name(&r);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		out->kind = head.type == PERF_RECORD_FORK ? PERF_FORK : PERF_EXIT;
		out->pid = take32(&r);
		out->parent = take32(&r);
		out->tid = take32(&r);
		break;
	case PERF_RECORD_LOST:
		out->kind = PERF_LOST;
		take64(&r); /* id of the event */
		out->lost = take64(&r);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		out->kind = PERF_LOST;
		out->lost = take64(&r);
		break;
	case PERF_RECORD_THROTTLE:
		out->kind = PERF_THROTTLE;
		break;
	case PERF_RECORD_SWITCH:
		out->kind = PERF_SWITCH;
		out->change.out = head.misc & PERF_RECORD_MISC_SWITCH_OUT;
		out->change.preempted = head.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
		out->pid = take32(&r);
		out->tid = take32(&r);
		break;
	}
	return r.failed ? -1 : 0;
}

uint64_t perf_time(const void *bytes, size_t size)
{
	struct perf_event_header head;
	uint64_t time;
	size_t at;

	if (size < sizeof(head) + sizeof(time))
		return 0;
	memcpy(&head, bytes, sizeof(head));
	/* In a sample, the time follows address, process and thread; else it is in the
	 * trailer. */
	at = head.type == PERF_RECORD_SAMPLE ? sizeof(head) + 16 : size - sizeof(time);
	if (at + sizeof(time) > size)
		return 0;
	memcpy(&time, (const unsigned char *)bytes + at, sizeof(time));
	return time;
}
