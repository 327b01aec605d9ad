/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams over n elements, and the product of a matrix and a vector. Memory limits them, so a
 * work-item of a GPU accesses 16 bytes at a time. The numbers of accesses in flight and of
 * work-items that share a row are those that were best on an H100.
 */

#ifdef WIDE
/* Sets out[i] to the element that term computes from a and b, the elements of x and y. */
#define STREAM(x, y, term)                                                                   \
	const long i = (long)GROUP_ID * GROUP + LOCAL_ID;                                    \
                                                                                             \
	if (i < n) {                                                                         \
		const T_TYPE a = x[i], b = y[i];                                             \
                                                                                             \
		(void)b;                                                                     \
		term(out[i]);                                                                \
	}
#else
/* The elements of one access, and the accesses of a work-item to each tensor. */
enum { PACK = 16 / sizeof(T_TYPE), PACKS = sizeof(T_TYPE) < 4 ? 2 : 1 };

struct __attribute__((aligned(16))) pack {
	T_TYPE of[PACK];
};
CHECK_ALIGNED(pack);
#define PACKS_AT(p) ((GLOBAL struct pack *)(p))
#define CONST_PACKS_AT(p) ((GLOBAL const struct pack *)(p))
#define IS_ALIGNED(p) (((unsigned long)(p) & 15) == 0)

/* Elements are processed one by one at the end, and in tensors that do not begin at 16 bytes. */
#define STREAM(x, y, term)                                                                   \
	const long begin = (long)GROUP_ID * (GROUP * PACK * PACKS);                          \
                                                                                             \
	if (begin + GROUP * PACK * PACKS <= n && IS_ALIGNED(out) && IS_ALIGNED(x) &&         \
	    IS_ALIGNED(y)) {                                                                 \
		struct pack left[PACKS], right[PACKS];                                       \
                                                                                             \
		_Pragma("unroll") for (int p = 0; p < PACKS; p++)                            \
		{                                                                            \
			left[p] = CONST_PACKS_AT(x + begin)[p * GROUP + LOCAL_ID];           \
			right[p] = CONST_PACKS_AT(y + begin)[p * GROUP + LOCAL_ID];          \
		}                                                                            \
		_Pragma("unroll") for (int p = 0; p < PACKS; p++)                            \
		{                                                                            \
			struct pack to;                                                      \
                                                                                             \
			_Pragma("unroll") for (int e = 0; e < PACK; e++)                     \
			{                                                                    \
				const T_TYPE a = left[p].of[e], b = right[p].of[e];          \
                                                                                             \
				(void)b;                                                     \
				term(to.of[e]);                                              \
			}                                                                    \
			PACKS_AT(out + begin)[p * GROUP + LOCAL_ID] = to;                    \
		}                                                                            \
		return;                                                                      \
	}                                                                                    \
	for (int at = LOCAL_ID; at < GROUP * PACK * PACKS && begin + at < n; at += GROUP) {  \
		const long i = begin + at;                                                   \
		const T_TYPE a = x[i], b = y[i];                                             \
                                                                                             \
		(void)b;                                                                     \
		term(out[i]);                                                                \
	}
#endif

#define COPIED(to) ((to) = a)
KERNEL copy(const long n, OUT(T_TYPE, out), IN(T_TYPE, x))
{
	PLACE(out);
	PLACE(x);
	STREAM(x, x, COPIED)
}

#define SCALED(to) SET(to, alpha *VALUE(a))
KERNEL scale(const long n, OUT(T_TYPE, out), IN(T_TYPE, x), const R alpha)
{
	PLACE(out);
	PLACE(x);
	STREAM(x, x, SCALED)
}

/* out = x + alpha y; out may be x */
#define ADDED(to) SET(to, VALUE(a) + alpha * VALUE(b))
KERNEL triad(const long n, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, y), const R alpha)
{
	PLACE(out);
	PLACE(x);
	PLACE(y);
	STREAM(x, y, ADDED)
}

/* out = alpha x y */
#define MULTIPLIED(to) SET(to, alpha *VALUE(a) * VALUE(b))
KERNEL multiply(const long n, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, y), const R alpha)
{
	PLACE(out);
	PLACE(x);
	PLACE(y);
	STREAM(x, y, MULTIPLIED)
}

/* CHAINS elements per work-item, so that none waits for its own last result. */
KERNEL chain(const long n, OUT(T_TYPE, out), IN(T_TYPE, x), const R alpha, const R beta,
    const int repeat)
{
	const long from = ((long)GROUP_ID * GROUP + LOCAL_ID) * CHAINS;
	R value[CHAINS];

	PLACE(out);
	PLACE(x);
	if (from >= n)
		return;
	for (int c = 0; c < CHAINS; c++)
		value[c] = from + c < n ? LOAD(x, from + c) : 0;
	for (int r = 0; r < repeat; r++)
		for (int c = 0; c < CHAINS; c++)
			value[c] = fma(value[c], alpha, beta);
	for (int c = 0; c < CHAINS; c++)
		if (from + c < n)
			STORE(out, from + c, value[c]);
}

/*
 * Sets to to the sum of x[i] y[i] over the share of 0 <= i < n of a work-item, of which `sharers`
 * share it; `number` is its number among them.
 */
#ifdef WIDE
#define SUM_PRODUCTS(to, x, y, n, number, sharers) SUM_SHARE(to, n, LOAD(x, i) * LOAD(y, i))
#else
enum { AHEAD = 2 }; /* packs of each operand in flight */

FUNCTION R sum_pack(const struct pack a, const struct pack b)
{
	R sum = 0;

#pragma unroll
	for (int e = 0; e < PACK; e++)
		sum += VALUE(a.of[e]) * VALUE(b.of[e]);
	return sum;
}

FUNCTION R sum_products(
    GLOBAL const T_TYPE *x, GLOBAL const T_TYPE *y, const int n, const int number, const int sharers)
{
	GLOBAL const struct pack *a = CONST_PACKS_AT(x), *b = CONST_PACKS_AT(y);
	const int packs = IS_ALIGNED(x) && IS_ALIGNED(y) ? n / PACK : 0;
	int p = number;
	R sum = 0;

	for (; p + (AHEAD - 1) * sharers < packs; p += AHEAD * sharers) {
		struct pack left[AHEAD], right[AHEAD];

#pragma unroll
		for (int k = 0; k < AHEAD; k++) {
			left[k] = a[p + k * sharers];
			right[k] = b[p + k * sharers];
		}
#pragma unroll
		for (int k = 0; k < AHEAD; k++)
			sum += sum_pack(left[k], right[k]);
	}
	for (; p < packs; p += sharers)
		sum += sum_pack(a[p], b[p]);
	for (int i = packs * PACK + number; i < n; i += sharers)
		sum += LOAD(x, i) * LOAD(y, i);
	return sum;
}
#define SUM_PRODUCTS(to, x, y, n, number, sharers) to = sum_products(x, y, n, number, sharers)
#endif

/* The sum of x y over a part of it for each of `parts` groups. */
KERNEL dot_parts(const int parts, OUT(R, part), IN(T_TYPE, x), IN(T_TYPE, y), const int length,
    const long n)
{
	SHARED R room[ROW_GROUP];
	const long from = (long)GROUP_ID * length;
	const int mine = IF_MINE(parts, (int)(from + length < n ? length : n - from));
	R sum;

	PLACE(part);
	PLACE(x);
	PLACE(y);
	x += from;
	y += from;
	SUM_PRODUCTS(sum, x, y, mine, LOCAL_ID, ROW_GROUP);
	sum = group_sum(sum, room);
	if (LOCAL_ID == 0 && mine)
		part[GROUP_ID] = sum;
}

KERNEL dot_total(const int rows, OUT(U_TYPE, out), IN(R, part), const int parts)
{
	SHARED R room[ROW_GROUP];
	const int mine = IF_MINE(rows, parts);
	R sum;

	PLACE(out);
	PLACE(part);
	SUM_SHARE(sum, mine, part[i]);
	sum = group_sum(sum, room);
	if (LOCAL_ID == 0 && mine)
		STORE_U(out, 0, sum);
}

/*
 * out[row] = alpha a[row,k] x[k] + beta out[row], where rows of a may be strided. On a GPU
 * ROW_SHARERS work-items share a row, and a group has several rows.
 */
#ifdef WIDE
enum { ROW_SHARERS = 1 };
#else
enum { ROW_SHARERS = 64 };
#endif
KERNEL gemv(const int rows, OUT(T_TYPE, out), IN(T_TYPE, a), IN(T_TYPE, x), const long a_row,
    const int k, const R alpha, const R beta)
{
	SHARED R room[ROW_GROUP];
	const int number = LOCAL_ID % ROW_SHARERS;
	const int row = GROUP_ID * (ROW_GROUP / ROW_SHARERS) + LOCAL_ID / ROW_SHARERS;
	const int mine = row < rows ? k : 0;
	R sum;

	PLACE(out);
	PLACE(a);
	PLACE(x);
	a += (mine ? row : 0) * a_row;
	SUM_PRODUCTS(sum, a, x, mine, number, ROW_SHARERS);
	room[LOCAL_ID] = sum;
	BARRIER;
	for (int half_way = ROW_SHARERS / 2; half_way > 0; half_way /= 2) {
		if (number < half_way)
			room[LOCAL_ID] += room[LOCAL_ID + half_way];
		BARRIER;
	}
	if (number == 0 && mine) {
		sum = alpha * room[LOCAL_ID];
		if (beta != 0)
			sum += beta * LOAD(out, row);
		STORE(out, row, sum);
	}
}
