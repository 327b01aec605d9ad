/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Combines the parts of an attention whose keys were divided among several groups (after Dao et al.:
 * Flash-Decoding, 2023). Each group leaves the sums over its keys of `wide` columns, the largest
 * exponent to base 2, and the sum of the powers. The parts are added in their order, so that results
 * do not depend on which group ends first. Rows are those of attention.cl.
 */
KERNEL attention_join(const int rows, OUT(T_TYPE, out), IN(R, partial), const long out_batch,
    const long out_step, const int kv_heads, const int shared, const int tokens, const int width,
    const int wide, const int shares)
{
	const int at = GROUP_ID % (tokens * shared), number = GROUP_ID / (tokens * shared);
	const int head = number % kv_heads * shared + at % shared;
	const int column = LOCAL_ID, size = wide + 2;
	R top = -INFINITY, whole = 0, x = 0;

	if (GROUP_ID >= rows || column >= width)
		return;
	PLACE(out);
	PLACE(partial);
	partial += (long)GROUP_ID * shares * size;
#pragma unroll 4
	for (int i = 0; i < shares; i++)
		top = fmax(top, partial[i * size + wide]);
#pragma unroll 4
	for (int i = 0; i < shares; i++) {
		const R by = exp2(partial[i * size + wide] - top);

		whole += by * partial[i * size + wide + 1];
		x += by * partial[i * size + column];
	}
	STORE(out, number / kv_heads * out_batch + at / shared * out_step + head * width + column,
	    x / whole);
}
