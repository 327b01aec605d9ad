/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Precedes each kernel file. A program is built with
 *   TYPE_T, _U    T and U, the types of its tensors, named as in bench-operation.h in lower case
 *   TYPE_R        R, the type that it computes in: float or double
 *   TYPE_A        A, the type of its sums: R, or int for int8
 *   GROUP         work-items of a group in element-wise kernels
 *   ROW_GROUP     work-items of a group in kernels whose groups have a row; a power of two
 *   LANES         adjacent elements that a work-item of such a kernel processes at a time: several
 *                 on a processor, whose compiler makes one vector of them, one on a GPU
 *   CHAINS        elements of a work-item of stream.cl's chain; STATES, of sequence.cl's scan
 *   WIDE          defined for a processor, with WIDTH, the elements of its vectors
 *   WHOLE         defined where A is int
 *
 * The first argument of each kernel is the number of items that it processes; with 0 it does
 * nothing. Indices are int, because a tensor has fewer than 2^31 elements; those of stream.cl and of
 * products are long, because theirs may have more.
 */
#define T TYPE_T
#define U TYPE_U
#define R TYPE_R
#define A TYPE_A

#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)

#define type_float32 float
#define type_float64 double
#define type_bfloat16 ushort
#define type_int8 signed char
#define type_uint8 uchar
#define type_int32 int

#define CLAMP(x, low, high) fmin(fmax(rint((R)(x)), (R)(low)), (R)(high))
#define load_float32(p, i) ((p)[i])
#define store_float32(p, i, x) ((p)[i] = (float)(x))
#define load_float64(p, i) ((p)[i])
#define store_float64(p, i, x) ((p)[i] = (double)(x))
#define load_bfloat16(p, i) float_of_bits((uint)(p)[i] << 16)
#define store_bfloat16(p, i, x) ((p)[i] = upper_half((float)(x)))
#define load_int8(p, i) ((p)[i])
#define store_int8(p, i, x) ((p)[i] = (signed char)CLAMP(x, -128, 127))
#define load_uint8(p, i) ((p)[i])
#define store_uint8(p, i, x) ((p)[i] = (uchar)CLAMP(x, 0, 255))
#define load_int32(p, i) ((p)[i])
#define store_int32(p, i, x) ((p)[i] = (int)rint((R)(x)))

/* The number that an element in a register represents, and the conversion of a number to it. */
#define value_float32(x) (x)
#define set_float32(to, x) ((to) = (float)(x))
#define value_float64(x) (x)
#define set_float64(to, x) ((to) = (double)(x))
#define value_bfloat16(x) float_of_bits((uint)(x) << 16)
#define set_bfloat16(to, x) ((to) = upper_half((float)(x)))
#define value_int8(x) (x)
#define set_int8(to, x) ((to) = (signed char)CLAMP(x, -128, 127))
#define value_uint8(x) (x)
#define set_uint8(to, x) ((to) = (uchar)CLAMP(x, 0, 255))
#define value_int32(x) (x)
#define set_int32(to, x) ((to) = (int)rint((R)(x)))

#define T_TYPE JOIN(type_, T)
#define U_TYPE JOIN(type_, U)
#define LOAD(p, i) ((R)JOIN(load_, T)(p, i))
#define STORE(p, i, x) JOIN(store_, T)(p, i, x)
#define VALUE(x) ((R)JOIN(value_, T)(x))
#define SET(to, x) JOIN(set_, T)(to, x)
#define LOAD_U(p, i) ((R)JOIN(load_, U)(p, i))
#define STORE_U(p, i, x) JOIN(store_, U)(p, i, x)

/* A tensor as an argument: its buffer and its offset in it, which PLACE adds up. An absent tensor
 * is a null pointer. */
#define IN(type, x) GLOBAL const type *x, const long x##_at
#define OUT(type, x) GLOBAL type *x, const long x##_at
#define PLACE(x) x += x##_at

/*
 * Fails to compile unless a struct of 16 bytes or more is aligned so that it is loaded and stored by
 * instructions of 16 bytes. NVRTC ignores an attribute after the members.
 */
#define CHECK_ALIGNED(name)                                                                  \
	struct name##_after {                                                                \
		char first;                                                                  \
		struct name second;                                                          \
	};                                                                                   \
	typedef char                                                                         \
	    name##_aligned[sizeof(struct name##_after) == 16 + sizeof(struct name) ? 1 : -1]

/*
 * The number of earlier tokens, as arguments and as a value: a number, or the element of a buffer
 * that changes between the runs of a recorded list.
 */
#define PAST_ARGUMENTS const int past_number, IN(int, past_buffer)
#define PAST (past_buffer ? past_buffer[past_buffer_at] : past_number)

/*
 * n, or 0 in a group after the last one with work. A kernel with a barrier must not return before
 * it: PoCL 3.1 then writes beyond the ends of loops.
 */
#define IF_MINE(count, n) (GROUP_ID < (count) ? (n) : 0)

/* Returns the upper half, rounded to nearest, ties to even; a NaN stays a NaN. */
FUNCTION ushort upper_half(float x)
{
	const uint bits = bits_of_float(x);

	if ((bits & 0x7fffffffu) > 0x7f800000u)
		return (ushort)(bits >> 16 | 0x40u);
	return (ushort)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/* Returns whether x is larger than y, or a NaN and y a number. */
FUNCTION int is_larger(const R x, const R y)
{
	return x > y || (x != x && y == y);
}

FUNCTION R hard_sigmoid(const R x)
{
	const R y = x * (R)(1.0 / 6) + (R)0.5;

	return y < 0 ? 0 : y > 1 ? 1 : y; /* a NaN remains */
}

/* Returns act(x); kind is an enum backend_act. */
FUNCTION R act(R x, const int kind)
{
	switch (kind) {
	case 1:
		return x < 0 ? 0 : x; /* a NaN remains */
	case 2:
		return x / 2 * (1 + erf(x * (R)0.70710678118654752440));
	case 3:
		return x / 2 *
		    (1 + tanh((R)0.79788456080286535588 * (x + (R)0.044715 * x * x * x)));
	case 4:
		return x / (1 + exp((R)-1.702 * x));
	case 5:
		return x / (1 + exp(-x));
	case 6:
		return tanh(x);
	case 7:
		return 1 / (1 + exp(-x));
	case 8:
		return fmax(x, (R)0) + log1p(exp(-fabs(x)));
	case 9:
		return x < 0 ? 0 : x > 6 ? 6 : x;
	case 10:
		return hard_sigmoid(x);
	case 11:
		return x * hard_sigmoid(x);
	case 12:
		return exp(x);
	case 13:
		return log(x);
	case 14:
		return sqrt(x);
	case 15:
		return 1 / x;
	case 16:
		return erf(x);
	case 17:
		return sin(x);
	case 18:
		return cos(x);
	}
	return x;
}

CALLED R act_called(const R x, const int kind)
{
	return act(x, kind);
}

/* Returns act(x), for kernels that have many elements of the result in registers: code that is
 * inlined for each would not fit in the instruction cache, and would take a second to compile. */
FUNCTION R act_of_many(const R x, const int kind)
{
	if (kind > 1)
		return act_called(x, kind);
	return kind == 1 && x < 0 ? 0 : x;
}

/*
 * Replaces each of n numbers x[k] by act(x[k]), where n is a constant. A loop around act itself would
 * not be unrolled, because act is long, so its numbers would be in local memory instead of registers.
 * The loops for the activations of layers contain only that one.
 */
FUNCTION void act_each(R *x, const int n, const int kind)
{
#define ACT_EACH_CASE(number)                                                                \
	case number:                                                                         \
		_Pragma("unroll") for (int k = 0; k < n; k++) x[k] = act(x[k], number);        \
		return
	switch (kind) {
	case 0:
		return;
		ACT_EACH_CASE(1);
		ACT_EACH_CASE(2);
		ACT_EACH_CASE(3);
		ACT_EACH_CASE(4);
		ACT_EACH_CASE(5);
	}
#undef ACT_EACH_CASE
#pragma unroll
	for (int k = 0; k < n; k++)
		x[k] = act_called(x[k], kind);
}

/* Return the sum or maximum of x over the group, in all its work-items. room has ROW_GROUP
 * elements. */
#ifdef WARPS_OF_32
/* Stores x of each warp, and returns that of warp l % warps in lane l. */
FUNCTION R warps_exchange(const R x, SHARED_POINTER R *room)
{
	BARRIER;
	if (LOCAL_ID % 32 == 0)
		room[LOCAL_ID / 32] = x;
	BARRIER;
	return room[LOCAL_ID % (ROW_GROUP / 32)];
}

FUNCTION R group_sum(R x, SHARED_POINTER R *room)
{
	for (int by = 16; by > 0; by /= 2)
		x += lane_exchange(x, by);
	x = warps_exchange(x, room);
	for (int by = ROW_GROUP / 64; by > 0; by /= 2)
		x += lane_exchange(x, by);
	return x;
}

FUNCTION R group_max(R x, SHARED_POINTER R *room)
{
	for (int by = 16; by > 0; by /= 2)
		x = fmax(x, lane_exchange(x, by));
	x = warps_exchange(x, room);
	for (int by = ROW_GROUP / 64; by > 0; by /= 2)
		x = fmax(x, lane_exchange(x, by));
	return x;
}
#else
FUNCTION R group_sum(R x, SHARED_POINTER R *room)
{
	BARRIER;
	room[LOCAL_ID] = x;
	BARRIER;
	for (int half_way = ROW_GROUP / 2; half_way > 0; half_way /= 2) {
		if (LOCAL_ID < half_way)
			room[LOCAL_ID] += room[LOCAL_ID + half_way];
		BARRIER;
	}
	return room[0];
}

FUNCTION R group_max(R x, SHARED_POINTER R *room)
{
	BARRIER;
	room[LOCAL_ID] = x;
	BARRIER;
	for (int half_way = ROW_GROUP / 2; half_way > 0; half_way /= 2) {
		if (LOCAL_ID < half_way)
			room[LOCAL_ID] = fmax(room[LOCAL_ID], room[LOCAL_ID + half_way]);
		BARRIER;
	}
	return room[0];
}
#endif

/*
 * Loop over each i of a work-item's share of 0 <= i < n; and compute to = the sum over it of term,
 * an expression of i. On a processor these are LANES sums, which the compiler vectorizes.
 */
#if LANES > 1
#define FOR_SHARE(i, n)                                                                      \
	for (int at_ = LOCAL_ID * LANES; at_ < (n); at_ += ROW_GROUP * LANES)                \
		for (int i = at_; i < (n) && i < at_ + LANES; i++)
#define SUM_SHARE(to, n, term)                                                               \
	do {                                                                                 \
		R lane_[LANES];                                                              \
		int at_ = LOCAL_ID * LANES;                                                  \
                                                                                             \
		for (int l_ = 0; l_ < LANES; l_++)                                           \
			lane_[l_] = 0;                                                       \
		for (; at_ + LANES <= (n); at_ += ROW_GROUP * LANES)                         \
			for (int l_ = 0; l_ < LANES; l_++) {                                 \
				const int i = at_ + l_;                                      \
				lane_[l_] += (term);                                         \
			}                                                                    \
		for (int i = at_; i < (n) && i < at_ + LANES; i++)                           \
			lane_[0] += (term);                                                  \
		to = 0;                                                                      \
		for (int l_ = 0; l_ < LANES; l_++)                                           \
			to += lane_[l_];                                                     \
	} while (0)
#else
#define FOR_SHARE(i, n) for (int i = LOCAL_ID; i < (n); i += ROW_GROUP)
#define SUM_SHARE(to, n, term)                                                               \
	do {                                                                                 \
		to = 0;                                                                      \
		FOR_SHARE(i, n) to += (term);                                                \
	} while (0)
#endif
