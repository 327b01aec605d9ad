/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares and runs operations of 16 bits; see cpu_half.h. */
#include <stdlib.h>

#include "cpu_dnn.h"
#include "cpu_half_priv.h"
#include "cpu_op.h"

bool cpu_op_is_half(const struct backend_op *op)
{
	return op->kind != BACKEND_NOP && op->kind != BACKEND_MOVE &&
	       cpu_is_half(cpu_op_typed(op)->dtype);
}

bool cpu_half_is_packed(const struct backend_tensor *t)
{
	int64_t step = 1;
	for (uint32_t i = t->dims; i-- > 0; step *= t->size[i])
		if (t->size[i] != 1 && t->stride[i] != step)
			return false;
	return true;
}

/* The rows and columns of a tensor that an operation uses: rows [first, first + count) of
 * the last but one dimension. */
struct used_part {
	int64_t first, count, columns;
};

/* Converts a part of a tensor to packed float32, or back. */
static void part_convert(const struct backend_session *s, const struct backend_tensor *t,
    float *x, const struct used_part *used, bool store)
{
	const struct cpu_half_kernels *half = &s->isa->half[cpu_half_of(t)];
	int64_t columns = cpu_columns(t), rows = cpu_row_count(t), high = cpu_size(t, 2);
	uint16_t *base = cpu_u16(t);
	bool all = used->count == high && used->columns == columns;
	if (all && cpu_half_is_packed(t)) {
		/* Adjacent rows are divided evenly. */
		enum { EACH = 16384 };
		int64_t n = rows * columns;
#pragma omp parallel for num_threads(cpu_team(s, n / 8)) schedule(static)
		for (int64_t at = 0; at < n; at += EACH) {
			int64_t span = cpu_min(EACH, n - at);
			if (store)
				half->store(base + at, x + at, span);
			else
				half->load(x + at, base + at, span);
		}
		return;
	}
#pragma omp parallel for num_threads(cpu_team(s, rows *columns / 8)) schedule(static)
	for (int64_t r = 0; r < rows; r++) {
		if (r % high < used->first || r % high >= used->first + used->count)
			continue;
		if (store)
			half->store(base + cpu_row(t, r), x + r * columns, used->columns);
		else
			half->load(x + r * columns, base + cpu_row(t, r), used->columns);
	}
}

static struct used_part part_all(const struct backend_tensor *t)
{
	return (struct used_part){ 0, cpu_size(t, 2), cpu_columns(t) };
}

/* Returns the part of tensor i that an operation reads or writes. Caches are filled from
 * the beginning, and the rest of them is not used. */
static struct used_part part_of(const struct backend_op *op, int i)
{
	const struct backend_tensor *t = cpu_half_tensor(op, i), *out = op->out[0];
	struct used_part used = part_all(t);
	int64_t seen = op->past + cpu_size(out, 2);
	if (op->kind == BACKEND_ATTENTION && op->p.attention.cached && (i == 1 || i == 2))
		used.count = cpu_min(used.count, seen);
	else if (op->kind == BACKEND_ATTENTION && op->p.attention.cached && i == 3)
		used.columns = cpu_min(used.columns, seen);
	else if (op->kind == BACKEND_RELATIVE && op->p.relative.cached && i == BACKEND_INS)
		used.columns = cpu_min(used.columns, seen);
	if (op->kind == BACKEND_CAUSAL_CONV && i == 0) {
		used.first = op->past;
		used.count = cpu_size(out, 2) + cpu_columns(op->in[1]) - 1;
	}
	return used;
}

void cpu_half_load(
    const struct backend_session *s, float *to, const struct backend_tensor *t)
{
	struct used_part all = part_all(t);
	part_convert(s, t, to, &all, false);
}

void cpu_half_store(
    const struct backend_session *s, const struct backend_tensor *t, const float *from)
{
	struct used_part all = part_all(t);
	part_convert(s, t, (float *)from, &all, true);
}

/* Returns whether tensor i of an operation has 16 bits that its kernel does not read. */
static bool tensor_is_half(const struct backend_op *op, int i)
{
	const struct backend_tensor *t = cpu_half_tensor(op, i);
	bool is_read = cpu_attention_is_few(op) && (i == 1 || i == 2);
	return t && cpu_is_half(t->dtype) && !is_read;
}

/* Returns whether tensor i is converted once. */
static bool tensor_is_kept(const struct backend_op *op, int i)
{
	return i < BACKEND_INS && tensor_is_half(op, i) &&
	       op->in[i]->role == BACKEND_WEIGHT;
}

static size_t whole_room(const struct backend_session *s, const struct backend_op *op)
{
	size_t bytes = 0;
	(void)s;
	for (int i = 0; i < HALF_TENSORS; i++)
		if (tensor_is_half(op, i) && !tensor_is_kept(op, i))
			bytes += cpu_half_bytes(cpu_count(cpu_half_tensor(op, i)));
	return bytes;
}

/* Makes a tensor of float32 with these elements. */
static struct backend_tensor tensor_copy(const struct backend_tensor *t, void *bytes)
{
	struct backend_tensor copy = {
		.dtype = BACKEND_FLOAT32, .role = t->role, .dims = t->dims, .buffer = bytes
	};
	int64_t step = 1;
	for (uint32_t i = t->dims; i-- > 0; step *= t->size[i]) {
		copy.size[i] = t->size[i];
		copy.stride[i] = step;
	}
	return copy;
}

static int whole_prepare(
    struct backend_session *s, struct half_plan *p, const struct backend_op *op, char *why)
{
	char *room = p->room->bytes;
	for (int i = 0; i < HALF_TENSORS; i++) {
		const struct backend_tensor *t = cpu_half_tensor(op, i);
		if (!tensor_is_half(op, i))
			continue;
		void *bytes;
		if (tensor_is_kept(op, i)) {
			bytes = p->kept[i] = cpu_alloc(s, cpu_half_bytes(cpu_count(t)));
			if (!bytes)
				return hook_fail(why, "out of memory for weights");
			cpu_half_load(s, bytes, t);
		} else {
			bytes = cpu_half_take(&room, cpu_count(t));
		}
		p->copy[i] = tensor_copy(t, bytes);
		*(i < BACKEND_INS ? &p->op.in[i] : &p->op.out[i - BACKEND_INS]) =
		    &p->copy[i];
	}
	if (op->kind == BACKEND_CONV && s->dnn && cpu_dnn_prepare(s, &p->op, 1, why) < 0)
		return -1;
	if (op->kind == BACKEND_CONV && p->op.own) {
		/* oneDNN has its own weights. */
		cpu_free(s, p->kept[1]);
		p->kept[1] = NULL;
	}
	return cpu_op_prepare(s, &p->op, why);
}

static int whole_run(
    struct backend_session *s, struct half_plan *p, const struct backend_op *op, char *why)
{
	p->op.past = op->past;
	for (int i = 0; i < BACKEND_INS; i++) {
		if (!tensor_is_half(op, i) || tensor_is_kept(op, i))
			continue;
		struct used_part used = part_of(op, i);
		part_convert(s, op->in[i], cpu_f32(&p->copy[i]), &used, false);
	}
	if (cpu_op_run(s, &p->op, why) < 0)
		return -1;
	for (int i = BACKEND_INS; i < HALF_TENSORS; i++) {
		if (!tensor_is_half(op, i))
			continue;
		struct used_part used = part_of(op, i);
		part_convert(
		    s, op->out[i - BACKEND_INS], cpu_f32(&p->copy[i]), &used, true);
	}
	return 0;
}

const struct half_way cpu_half_whole = { whole_room, whole_prepare, whole_run };

static size_t no_room(const struct backend_session *s, const struct backend_op *op)
{
	(void)s;
	(void)op;
	return 0;
}

static int dnn_run(
    struct backend_session *s, struct half_plan *p, const struct backend_op *op, char *why)
{
	(void)op;
	return cpu_dnn_run(s, &p->op, why);
}

/* Operations that oneDNN computes in bfloat16. */
static const struct half_way half_dnn = { no_room, NULL, dnn_run };

static int stream_run(
    struct backend_session *s, struct half_plan *p, const struct backend_op *op, char *why)
{
	(void)p;
	(void)why;
	s->isa->half[cpu_half_of(op->in[0])].stream[op->kind](s, op);
	return 0;
}

static const struct half_way half_streams = { no_room, NULL, stream_run };

static const struct half_way *way_of(const struct backend_op *op)
{
	if (op->own)
		return &half_dnn;
	if (op->kind == BACKEND_BINARY && op->act == BACKEND_LINEAR &&
	    !op->p.element.select && cpu_half_is_stream(op))
		return &half_streams;
	switch (op->kind) {
	case BACKEND_COPY:
	case BACKEND_GATHER:
		return &cpu_half_moves;
	case BACKEND_SCALE:
	case BACKEND_TRIAD:
	case BACKEND_AXPY:
	case BACKEND_DOT:
		return &half_streams;
	case BACKEND_GEMV:
	case BACKEND_GEMM:
		return &cpu_half_products;
	case BACKEND_EXPERTS:
		return &cpu_half_experts;
	default:
		return cpu_half_has_rows(op) ? &cpu_half_rows : &cpu_half_whole;
	}
}

static struct half_room *room_create(
    struct backend_session *s, struct backend_op *op, size_t count, char *why)
{
	struct half_room *room = calloc(1, sizeof(*room));
	size_t most = 64;
	for (size_t i = 0; i < count; i++) {
		size_t bytes = cpu_op_is_half(&op[i]) ? way_of(&op[i])->room(s, &op[i]) : 0;
		most = bytes > most ? bytes : most;
	}
	if (room)
		room->bytes = cpu_alloc(s, most);
	if (room && room->bytes)
		return room;
	free(room);
	hook_fail(why, "cannot allocate %zu bytes for operands in float32", most);
	return NULL;
}

static void room_release(struct backend_session *s, struct half_room *room)
{
	if (--room->users)
		return;
	cpu_free(s, room->bytes);
	free(room);
}

static int plan_create(
    struct backend_session *s, struct backend_op *op, struct half_room *room, char *why)
{
	struct half_plan *p = calloc(1, sizeof(*p));
	if (!p) {
		if (op->own)
			cpu_dnn_release(s, op);
		return hook_fail(why, "out of memory");
	}
	p->way = way_of(op);
	p->op = *op;
	p->room = room;
	room->users++;
	op->own = p;
	return p->way->prepare ? p->way->prepare(s, p, op, why) : 0;
}

/* Makes the plans of a list; `made` stores the number of operations that have one
 * or need none. */
static int plans_create(
    struct backend_session *s, struct backend_op *op, size_t count, size_t *made, char *why)
{
	size_t halves = 0;
	int status = 0;
	for (size_t i = 0; i < count; i++) {
		halves += cpu_op_is_half(&op[i]);
		if (s->dnn && cpu_op_is_half(&op[i]) && op[i].kind == BACKEND_GEMM &&
		    cpu_dnn_half_gemm(s, &op[i], why) < 0)
			return -1;
	}
	struct half_room *room = halves ? room_create(s, op, count, why) : NULL;
	if (!room)
		return halves ? -1 : 0;
	room->users++; /* this function */
	for (; *made < count && status == 0; ++*made)
		if (cpu_op_is_half(&op[*made]))
			status = plan_create(s, &op[*made], room, why);
	room_release(s, room);
	return status;
}

int cpu_half_prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why)
{
	size_t made = 0;
	int status = plans_create(s, op, count, &made, why);
	for (size_t i = made; i < count && status < 0; i++)
		if (cpu_op_is_half(&op[i]) && op[i].own)
			cpu_dnn_release(s, &op[i]);
	return status;
}

void cpu_half_release(struct backend_session *s, struct backend_op *op)
{
	struct half_plan *p = op->own;
	op->own = NULL;
	if (p->way == &half_dnn)
		cpu_dnn_release(s, &p->op);
	else
		cpu_op_release(s, &p->op);
	for (int i = 0; i < BACKEND_INS; i++)
		cpu_free(s, p->kept[i]);
	room_release(s, p->room);
	free(p);
}

int cpu_half_run(struct backend_session *s, const struct backend_op *op, char *why)
{
	struct half_plan *p = op->own;
	return p->way->run(s, p, op, why);
}
