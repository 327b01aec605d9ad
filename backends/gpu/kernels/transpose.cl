/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Transposes matrices, one tile per group, through shared memory, so that both accesses are along the
 * contiguous dimension.
 */
enum { SIDE = 64 };

/* out[b,n,k] = in[b,k,n], whose rows and matrices are in_row and in_batch apart */
KERNEL transpose(const int tiles, OUT(T_TYPE, out), IN(T_TYPE, in), const int k, const int n,
    const int in_row, const int tiles_k, const int tiles_n, const long in_batch)
{
	SHARED T_TYPE tile[SIDE][SIDE + 4];
	const int batch = GROUP_ID / (tiles_k * tiles_n);
	const int row = GROUP_ID / tiles_n % tiles_k * SIDE, column = GROUP_ID % tiles_n * SIDE;
	const int elements = IF_MINE(tiles, SIDE * SIDE);

	PLACE(out);
	PLACE(in);
	in += in_batch * batch + (long)row * in_row + column;
	out += (long)batch * n * k + (long)column * k + row;
	for (int e = LOCAL_ID; e < elements; e += ROW_GROUP) {
		const int r = e / SIDE, c = e % SIDE;

		if (row + r < k && column + c < n)
			tile[r][c] = in[(long)r * in_row + c];
	}
	BARRIER;
	for (int e = LOCAL_ID; e < elements; e += ROW_GROUP) {
		const int c = e / SIDE, r = e % SIDE;

		if (row + r < k && column + c < n)
			out[(long)c * k + r] = tile[r][c];
	}
}
