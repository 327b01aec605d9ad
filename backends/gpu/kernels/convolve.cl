/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolutions of images with channels last on tensor cores, as a matrix product whose rows are
 * pixels, and whose columns are (ky, kx, channel), which are read from the image where they are
 * needed (implicit GEMM). A group of WARPS warps, two by two, has a tile of SIDE x SIDE of the
 * result. DEEP steps of k at a time pass through shared memory, STAGES of them at once. T is float16 or bfloat16.
 */
#ifdef TENSOR_CORES
enum { WARPS = 4, SIDE = 64, DEEP = 32, STAGES = 4, LINE = DEEP + 8, PIECES = DEEP / 8 };

struct images {
	GLOBAL const T_TYPE *x;
	int channels, height, width, out_height, out_width, kernel_width;
	int stride_y, stride_x, before_y, before_x, dilation_y, dilation_x;
};

struct tile {
	T_TYPE a[STAGES][SIDE * LINE], b[STAGES][SIDE * LINE];
};

/* Computes out[m,n] = act(x b[n,k]' + bias[n] + other[m,n]) from (row, column) on. */
FUNCTION void convolve(SHARED_POINTER struct tile *tile, GLOBAL T_TYPE *out, const struct images *x, GLOBAL const T_TYPE *b,
    GLOBAL const T_TYPE *bias, GLOBAL const T_TYPE *other, const int row, const int column,
    const int m, const int n, const int k, const int kind)
{
	const int EACH = SIDE * PIECES / (32 * WARPS);
	const int DOWN = SIDE / 2 / 16, ACROSS = SIDE / 2 / 8;
	const int lane = LOCAL_ID % 32, warp = LOCAL_ID / 32;
	const int row0 = warp / 2 * (SIDE / 2), column0 = warp % 2 * (SIDE / 2);
	const int deep = LOCAL_ID % PIECES * 8, line = LOCAL_ID / PIECES;
	const int lines = 32 * WARPS / PIECES;
	const int turns = (k + DEEP - 1) / DEEP;
	GLOBAL const T_TYPE *image[EACH], *from_b[EACH];
	int top[EACH], left[EACH];
	float sum[DOWN][ACROSS][4];

#pragma unroll
	for (int i = 0; i < EACH; i++) {
		const int pixel = row + line + i * lines, in_row = pixel / x->out_width;
		const int sample = in_row / x->out_height;

		image[i] = pixel < m
		    ? x->x + (long)sample * x->height * x->width * x->channels
		    : 0;
		top[i] = (in_row - sample * x->out_height) * x->stride_y - x->before_y;
		left[i] = (pixel - in_row * x->out_width) * x->stride_x - x->before_x;
	}
#pragma unroll
	for (int i = 0; i < EACH; i++) {
		const int at = column + line + i * lines;

		from_b[i] = at < n ? b + (long)at * k : 0;
	}
#pragma unroll
	for (int i = 0; i < DOWN; i++)
#pragma unroll
		for (int j = 0; j < ACROSS; j++)
			sum[i][j][0] = sum[i][j][1] = sum[i][j][2] = sum[i][j][3] = 0;

	for (int turn = 1 - STAGES; turn < turns; turn++) {
		const int next = turn + STAGES - 1;

		if (turn >= 0) {
			copy_async_wait(STAGES - 2);
			BARRIER;
		}
		if (next < turns) {
			const int at = next * DEEP + deep, stage = next % STAGES;
			const int tap = at / x->channels, channel = at - tap * x->channels;
			const int ky = tap / x->kernel_width, kx = tap - ky * x->kernel_width;

#pragma unroll
			for (int i = 0; i < EACH; i++) {
				const int y = top[i] + ky * x->dilation_y;
				const int along = left[i] + kx * x->dilation_x;
				const int valid = image[i] && at < k && y >= 0 &&
				    y < x->height && along >= 0 && along < x->width;

				copy_async(&tile->a[stage][(line + i * lines) * LINE + deep],
				    valid ? image[i] +
				            ((long)y * x->width + along) * x->channels + channel
				          : x->x,
				    valid);
			}
#pragma unroll
			for (int i = 0; i < EACH; i++) {
				const int valid = from_b[i] && at < k;

				copy_async(&tile->b[stage][(line + i * lines) * LINE + deep],
				    valid ? from_b[i] + at : b, valid);
			}
		}
		copy_async_commit();
		if (turn < 0)
			continue;

		SHARED_POINTER const T_TYPE *now_a = tile->a[turn % STAGES];
		SHARED_POINTER const T_TYPE *now_b = tile->b[turn % STAGES];

#pragma unroll
		for (int step = 0; step < DEEP; step += 16) {
			uint first[DOWN][4], second[ACROSS / 2][4];

#pragma unroll
			for (int i = 0; i < DOWN; i++)
				load_matrices(first[i],
				    now_a + (row0 + i * 16 + lane % 16) * LINE + step + lane / 16 * 8);
#pragma unroll
			for (int j = 0; j < ACROSS / 2; j++)
				load_matrices(second[j],
				    now_b +
				        (column0 + j * 16 + lane % 8 + lane / 16 * 8) * LINE +
				        step + lane / 8 % 2 * 8);
#pragma unroll
			for (int i = 0; i < DOWN; i++)
#pragma unroll
				for (int j = 0; j < ACROSS; j++)
					JOIN(multiply_, T)(sum[i][j], first[i],
					    second[j / 2] + j % 2 * 2);
		}
	}
#pragma unroll
	for (int i = 0; i < DOWN; i++)
#pragma unroll
		for (int r = 0; r < 2; r++) {
			const int pixel = row + row0 + i * 16 + lane / 4 + r * 8;

			if (pixel >= m)
				continue;
#pragma unroll
			for (int j = 0; j < ACROSS; j++) {
				const int at = column + column0 + j * 8 + lane % 4 * 2;
				const long to = (long)pixel * n + at;
				float low = sum[i][j][2 * r], high = sum[i][j][2 * r + 1];

				if (at >= n)
					continue;
				if (bias) {
					low += LOAD(bias, at);
					high += LOAD(bias, at + 1);
				}
				if (other) {
					low += LOAD(other, to);
					high += LOAD(other, to + 1);
				}
				*(GLOBAL uint *)(out + to) =
				    JOIN(pair_, T)(act(low, kind), act(high, kind));
			}
		}
}

KERNEL convolve_tiles(const int tiles, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, weight),
    IN(T_TYPE, bias), IN(T_TYPE, other), const int m, const int n, const int k, const int tiles_n,
    const int channels, const int height, const int width, const int out_height,
    const int out_width, const int kernel_width, const int stride_y, const int stride_x,
    const int before_y, const int before_x, const int dilation_y, const int dilation_x,
    const int kind)
{
	SHARED __align__(16) struct tile tile;

	if (GROUP_ID >= tiles)
		return;
	PLACE(out);
	PLACE(x);
	PLACE(weight);
	PLACE(bias);
	PLACE(other);
	const struct images all = { x, channels, height, width, out_height, out_width,
		kernel_width, stride_y, stride_x, before_y, before_x, dilation_y, dilation_x };

	convolve(&tile, out, &all, weight, bias, other, GROUP_ID / tiles_n * SIDE,
	    GROUP_ID % tiles_n * SIDE, m, n, k, kind);
}
#endif
