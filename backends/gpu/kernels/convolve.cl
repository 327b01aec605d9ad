/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolutions of images with channels last on tensor cores, as a product of tiles (tiles.cl) whose
 * rows are pixels, and whose steps of k are (ky, kx, channel), which are read from the image where
 * they are needed (implicit GEMM). If tiles are few, several groups share the steps of a tile, and
 * convolve_join adds up their sums in the order of the steps.
 */
#ifdef TENSOR_CORES
enum { SIDE = 64, STAGES = 4, EACH = SIDE / LINES_APART };

/* Two adjacent channels, which are loaded at once, and their sums. */
struct __align__(4) pair {
	T_TYPE of[2];
};
struct __align__(8) sums {
	float of[2];
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

/* Adds two adjacent elements of a tensor to sums. */
FUNCTION void add_pair(struct sums *to, GLOBAL const T_TYPE *from)
{
	const struct pair by = PAIRS_IN(from)[0];

	to->of[0] += LOAD(by.of, 0);
	to->of[1] += LOAD(by.of, 1);
}

/* Computes out[m,n] = act(x b[n,k]' + bias[n] + other[m,n]) from (row, column) on; or, if there is
 * partial[m,n], only the sum of the steps from `begin` to `end` there. */
FUNCTION void convolve(SHARED_POINTER struct tile<SIDE, SIDE, STAGES> *tile, GLOBAL T_TYPE *out,
    const struct images *x, GLOBAL const T_TYPE *b, GLOBAL const T_TYPE *bias,
    GLOBAL const T_TYPE *other, const int row, const int column, const int m, const int n,
    const int k, const int kind, GLOBAL float *partial, const int begin, const int end)
{
	GLOBAL const T_TYPE *weights[EACH];
	struct pixels pixels;
	struct step here = { 0, 0, 0 };
	float sum[SIDE / 32][SIDE / 16][4];

	find_pixels(&pixels, x, row, m);
	find_rows(weights, b, column, n, k);
	advance(&here, x, begin + MY_COLUMN);
	multiply_tile(tile, sum, end - begin, [&](const int stage, const int at) {
		copy_pixels(tile->a[stage], &pixels, x, &here, begin + at < end);
		advance(&here, x, DEEP);
		copy_rows(tile->b[stage], weights, b, begin + at, end);
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
				struct sums both = { sum[i][j][2 * r], sum[i][j][2 * r + 1] };

				if (at >= n)
					continue;
				if (partial) {
					*(GLOBAL struct sums *)(partial + to) = both;
					continue;
				}
				if (bias)
					add_pair(&both, bias + at);
				if (other)
					add_pair(&both, other + to);
				*(GLOBAL uint *)(out + to) =
				    JOIN(pair_, T)(act_of_many(both.of[0], kind),
				        act_of_many(both.of[1], kind));
			}
		}
}

KERNEL convolve_tiles(const int groups, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, weight),
    IN(T_TYPE, bias), IN(T_TYPE, other), const int m, const int n, const int k, const int tiles_n,
    const int channels, const int height, const int width, const int out_height,
    const int out_width, const int kernel_width, const int stride_y, const int stride_x,
    const int before_y, const int before_x, const int dilation_y, const int dilation_x,
    const int kind, OUT(float, partial), const int each, const int shares)
{
	SHARED __align__(16) struct tile<SIDE, SIDE, STAGES> tile;

	if (GROUP_ID >= groups)
		return;
	PLACE(out);
	PLACE(x);
	PLACE(weight);
	PLACE(bias);
	PLACE(other);
	PLACE(partial);
	const int number = GROUP_ID / shares, share = GROUP_ID % shares, begin = share * each;
	const struct images all = { x, channels, height, width, out_height, out_width,
		kernel_width, stride_y, stride_x, before_y, before_x, dilation_y, dilation_x };

	convolve(&tile, out, &all, weight, bias, other, number / tiles_n * SIDE,
	    number % tiles_n * SIDE, m, n, k, kind,
	    shares > 1 ? partial + (long)share * m * n : 0, begin,
	    begin + each < k ? begin + each : k);
}

/* Computes out[m,n] = act(the sum of partial[shares,m,n] + bias[n] + other[m,n]), two elements in a
 * work-item. */
KERNEL convolve_join(const int pairs, OUT(T_TYPE, out), IN(float, partial), IN(T_TYPE, bias),
    IN(T_TYPE, other), const int n, const int shares, const int kind)
{
	const int to = 2 * (GROUP_ID * GROUP + LOCAL_ID);
	struct sums both = { 0, 0 };

	if (to >= 2 * pairs)
		return;
	PLACE(out);
	PLACE(partial);
	PLACE(bias);
	PLACE(other);
#pragma unroll 4
	for (int i = 0; i < shares; i++) {
		const struct sums part =
		    *(GLOBAL const struct sums *)(partial + (long)i * 2 * pairs + to);

		both.of[0] += part.of[0];
		both.of[1] += part.of[1];
	}
	if (bias)
		add_pair(&both, bias + to % n);
	if (other)
		add_pair(&both, other + to);
	*(GLOBAL uint *)(out + to) = JOIN(pair_, T)(act(both.of[0], kind), act(both.of[1], kind));
}
#endif
