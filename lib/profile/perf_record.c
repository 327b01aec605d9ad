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

/* A record while it is decoded. */
struct decoding {
	const struct perf_layout *layout;
	struct perf_event_header head;
	struct reader fields; /* not read yet */
	struct perf_record *out;
};

static void take_chain(struct reader *r, struct perf_sample *s)
{
	const uint64_t links = take64(r);

	s->links = links <= (size_t)(r->end - r->at) / sizeof(uint64_t) ? links : 0;
	r->failed |= s->links != links;
	s->chain = record_bytes(r, s->links * sizeof(uint64_t));
}

static void take_registers(struct reader *r, uint64_t registers, struct perf_sample *s)
{
	s->has_registers = take64(r) != PERF_SAMPLE_REGS_ABI_NONE;
	for (unsigned i = 0; s->has_registers && i < PERF_REGISTERS_MAX; i++)
		if (registers >> i & 1)
			s->reg[i] = take64(r);
}

static void take_stack(struct reader *r, struct perf_sample *s)
{
	const uint64_t room = take64(r);

	if (!room)
		return;
	if (room > (size_t)(r->end - r->at)) {
		r->failed = true;
		return;
	}
	s->stack = record_bytes(r, room);
	s->stack_size = take64(r); /* the size that the kernel could copy */
	r->failed |= s->stack_size > room;
}

/* Reads a sample; for the order of fields see PERF_RECORD_SAMPLE in perf_event_open(2). */
static void take_sample(struct decoding *d)
{
	struct perf_sample *s = &d->out->sample;
	struct reader *r = &d->fields;

	s->address = take64(r);
	s->in_kernel =
	    (d->head.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	d->out->pid = take32(r);
	d->out->tid = take32(r);
	d->out->time_ns = take64(r);
	s->period = take64(r);
	if (d->layout->chain)
		take_chain(r, s);
	if (!d->layout->registers)
		return;
	take_registers(r, d->layout->registers, s);
	take_stack(r, s);
}

/* Reads 32 bytes: device, inode and generation; then protection and flags. */
static struct text take_identity(struct reader *r)
{
	const unsigned char *bytes = record_bytes(r, 32);

	return (struct text){ (const char *)bytes, bytes ? 24 : 0 };
}

static void take_map(struct decoding *d)
{
	struct perf_record *out = d->out;

	out->pid = take32(&d->fields);
	out->tid = take32(&d->fields);
	out->map.start = take64(&d->fields);
	out->map.size = take64(&d->fields);
	out->map.offset = take64(&d->fields);
	if (d->head.type == PERF_RECORD_MMAP2)
		out->map.identity = take_identity(&d->fields);
	out->map.path = take_name(&d->fields);
}

static void take_comm(struct decoding *d)
{
	d->out->pid = take32(&d->fields);
	d->out->tid = take32(&d->fields);
	d->out->comm.exec = d->head.misc & PERF_RECORD_MISC_COMM_EXEC;
	d->out->comm.name = take_name(&d->fields);
}

static void take_fork(struct decoding *d)
{
	d->out->pid = take32(&d->fields);
	d->out->parent = take32(&d->fields);
	d->out->tid = take32(&d->fields);
}

static void take_lost_samples(struct decoding *d)
{
	d->out->lost = take64(&d->fields);
}

static void take_lost(struct decoding *d)
{
	take64(&d->fields); /* id of the event */
	take_lost_samples(d);
}

static void take_switch(struct decoding *d)
{
	const uint16_t misc = d->head.misc;

	d->out->change.out = misc & PERF_RECORD_MISC_SWITCH_OUT;
	d->out->change.preempted = misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	d->out->pid = take32(&d->fields);
	d->out->tid = take32(&d->fields);
}

/* The types of records that are used. */
static const struct {
	enum perf_kind kind;
	void (*take)(struct decoding *d); /* NULL: it has no fields */
} types[] = {
	[PERF_RECORD_SAMPLE] = { PERF_SAMPLE, take_sample },
	[PERF_RECORD_MMAP] = { PERF_MAP, take_map },
	[PERF_RECORD_MMAP2] = { PERF_MAP, take_map },
	[PERF_RECORD_COMM] = { PERF_COMM, take_comm },
	[PERF_RECORD_FORK] = { PERF_FORK, take_fork },
	[PERF_RECORD_EXIT] = { PERF_EXIT, take_fork },
	[PERF_RECORD_LOST] = { PERF_LOST, take_lost },
	[PERF_RECORD_LOST_SAMPLES] = { PERF_LOST, take_lost_samples },
	[PERF_RECORD_THROTTLE] = { PERF_THROTTLE, NULL },
	[PERF_RECORD_SWITCH] = { PERF_SWITCH, take_switch },
};

int perf_decode(const struct perf_layout *layout, const void *bytes, size_t size,
    struct perf_record *out)
{
	struct decoding d = { .layout = layout,
		.fields = { .at = bytes, .end = (const unsigned char *)bytes + size },
		.out = out };
	const unsigned char *head = record_bytes(&d.fields, sizeof(d.head));

	*out = (struct perf_record){ .kind = PERF_OTHER };
	if (!head)
		return -1;
	memcpy(&d.head, head, sizeof(d.head));
	if (d.head.size != size)
		return -1;
	if (d.head.type != PERF_RECORD_SAMPLE)
		out->time_ns = perf_time(bytes, size);
	if (d.head.type < COUNT(types))
		out->kind = types[d.head.type].kind;
	if (out->kind != PERF_OTHER && types[d.head.type].take)
		types[d.head.type].take(&d);
	return d.fields.failed ? -1 : 0;
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
