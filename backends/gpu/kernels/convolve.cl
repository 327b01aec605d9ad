/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolutions of images with channels last on tensor cores, as a product of tiles (tiles.cl) whose
 * rows are pixels, and whose steps of k are (ky, kx, channel), which are read from the image where
 * they are needed (implicit GEMM).
 */
#ifdef TENSOR_CORES
enum { SIDE = 64, STAGES = 4, EACH = SIDE / LINES_APART };

/* Two adjacent channels, which are loaded at once. */
struct __align__(4) pair {
	T_TYPE of[2];
};
#define PAIRS_IN(p) ((GLOBAL const struct pair *)(p))

struct images {
	GLOBAL const T_TYPE *x;
	int channels, height, width, out_height, out_width, kernel_width;
	int stride_y, stride_x, before_y, before_x, dilation_y, dilation_x;
};

/* The pixels that a work-item copies: their images, 0 after the last pixel, and the places in them
 * of the first weight. */
struct pixels {
	GLOBAL const T_TYPE *image[EACH];
	int top[EACH], left[EACH];
};

FUNCTION void find_pixels(struct pixels *p, const struct images *x, const int first, const int m)
{
#pragma unroll
	for (int i = 0; i < EACH; i++) {
		const int pixel = first + MY_LINE + i * LINES_APART, in_row = pixel / x->out_width;
		const int sample = in_row / x->out_height;

		p->image[i] = pixel < m
		    ? x->x + (long)sample * x->height * x->width * x->channels
		    : 0;
		p->top[i] = (in_row - sample * x->out_height) * x->stride_y - x->before_y;
		p->left[i] = (pixel - in_row * x->out_width) * x->stride_x - x->before_x;
	}
}

/* A step of k: a weight of the kernel and a channel. */
struct step {
	int ky, kx, channel;
};

/* Advances a step by a number of channels, without a division. */
FUNCTION void advance(struct step *s, const struct images *x, const int by)
{
	s->channel += by;
	while (s->channel >= x->channels) {
		s->channel -= x->channels;
		if (++s->kx == x->kernel_width) {
			s->kx = 0;
			s->ky++;
		}
	}
}

/* Begins to copy a piece for each pixel: zeros outside the images, and if `exists` is 0. */
FUNCTION void copy_pixels(SHARED_POINTER T_TYPE *to, const struct pixels *p,
    const struct images *x, const struct step *s, const int exists)
{
#pragma unroll
	for (int i = 0; i < EACH; i++) {
		const int y = p->top[i] + s->ky * x->dilation_y;
		const int along = p->left[i] + s->kx * x->dilation_x;
		const int valid = p->image[i] && exists && y >= 0 && y < x->height &&
		    along >= 0 && along < x->width;

		copy_async(to + (MY_LINE + i * LINES_APART) * LINE + MY_COLUMN,
		    valid ? p->image[i] + ((long)y * x->width + along) * x->channels + s->channel
		          : x->x,
		    valid);
	}
}

/* Computes out[m,n] = act(x b[n,k]' + bias[n] + other[m,n]) from (row, column) on. */
FUNCTION void convolve(SHARED_POINTER struct tile<SIDE, SIDE, STAGES> *tile, GLOBAL T_TYPE *out,
    const struct images *x, GLOBAL const T_TYPE *b, GLOBAL const T_TYPE *bias,
    GLOBAL const T_TYPE *other, const int row, const int column, const int m, const int n,
    const int k, const int kind)
{
	GLOBAL const T_TYPE *weights[EACH];
	struct pixels pixels;
	struct step here = { 0, 0, 0 };
	float sum[SIDE / 32][SIDE / 16][4];

	find_pixels(&pixels, x, row, m);
	find_rows(weights, b, column, n, k);
	advance(&here, x, MY_COLUMN);
	multiply_tile(tile, sum, k, [&](const int stage, const int at) {
		copy_pixels(tile->a[stage], &pixels, x, &here, at < k);
		advance(&here, x, DEEP);
		copy_rows(tile->b[stage], weights, b, at, k);
	});
#pragma unroll
	for (int i = 0; i < SIDE / 32; i++)
#pragma unroll
		for (int r = 0; r < 2; r++) {
			const int pixel = row + row_in_tile<SIDE>(i, r);

			if (pixel >= m)
				continue;
#pragma unroll
			for (int j = 0; j < SIDE / 16; j++) {
				const int at = column + column_in_tile<SIDE>(j);
				const long to = (long)pixel * n + at;
				float low = sum[i][j][2 * r], high = sum[i][j][2 * r + 1];

				if (at >= n)
					continue;
				if (bias) {
					const struct pair by = PAIRS_IN(bias + at)[0];

					low += LOAD(by.of, 0);
					high += LOAD(by.of, 1);
				}
				if (other) {
					const struct pair by = PAIRS_IN(other + to)[0];

					low += LOAD(by.of, 0);
					high += LOAD(by.of, 1);
				}
				*(GLOBAL uint *)(out + to) =
				    JOIN(pair_, T)(
				        act_of_many(low, kind), act_of_many(high, kind));
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
	SHARED __align__(16) struct tile<SIDE, SIDE, STAGES> tile;

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
