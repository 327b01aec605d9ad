/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Images with channels last, [N,H,W,C], of elements of 16 bits. A work-item has a vector of
 * channels: C is a multiple of VECTOR.
 */
enum { VECTOR = 8 };

struct __attribute__((aligned(16))) vector {
	T_TYPE of[VECTOR];
};
CHECK_ALIGNED(vector);

#define VECTORS(p) ((GLOBAL struct vector *)(p))
#define VECTORS_IN(p) ((GLOBAL const struct vector *)(p))

/*
 * Transposes matrices [rows,columns] by tiles: out[m, column, row] = x[m, row, column], and 0 for
 * rows <= row < padded.
 */
enum { SIDE = 32, ROWS = GROUP / SIDE };

KERNEL transpose(const int groups, OUT(T_TYPE, out), IN(T_TYPE, x), const int rows,
    const int columns, const int in_ld, const int out_ld, const int padded, const int tiles_row,
    const int tiles_column)
{
	SHARED T_TYPE tile[SIDE * (SIDE + 1)];
	const int matrix = GROUP_ID / (tiles_row * tiles_column);
	const int first_row = GROUP_ID / tiles_column % tiles_row * SIDE;
	const int first_column = GROUP_ID % tiles_column * SIDE;
	const int n = IF_MINE(groups, padded);
	const int inner = LOCAL_ID % SIDE, outer = LOCAL_ID / SIDE;

	PLACE(out);
	PLACE(x);
	x += (long)matrix * rows * in_ld;
	out += (long)matrix * columns * out_ld;
	for (int y = outer; y < SIDE; y += ROWS) {
		const int row = first_row + y, column = first_column + inner;

		tile[y * (SIDE + 1) + inner] =
		    n && row < rows && column < columns ? x[(long)row * in_ld + column] : 0;
	}
	BARRIER;
	for (int y = outer; y < SIDE; y += ROWS) {
		const int row = first_row + inner, column = first_column + y;

		if (row < n && column < columns)
			out[(long)column * out_ld + row] = tile[inner * (SIDE + 1) + y];
	}
}

/* Transposes matrices with at most VECTOR rows, a vector of zeros included. */
KERNEL transpose_few(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const int rows,
    const int columns, const int in_ld)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	const int matrix = i / columns;
	struct vector v;

	x += (long)matrix * rows * in_ld + (i - matrix * columns);
	for (int r = 0; r < VECTOR; r++)
		v.of[r] = r < rows ? x[(long)r * in_ld] : 0;
	VECTORS(out)[i] = v;
}

/*
 * Makes one pixel of each block of fold_y x fold_x pixels of x[N,C,H,W]. Its channels are those of
 * all pixels of the block, (channel, y, x), and zeros.
 */
KERNEL fold(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const int vectors, const int channels,
    const int height, const int width, const int before_y, const int before_x, const int fold_y,
    const int fold_x, const int blocks_y, const int blocks_x)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	const int pixel = i / vectors, first = (i - pixel * vectors) * VECTOR;
	const int row = pixel / blocks_x, sample = row / blocks_y;
	const int top = (row - sample * blocks_y) * fold_y - before_y;
	const int left = (pixel - row * blocks_x) * fold_x - before_x;
	int c = first / (fold_y * fold_x), dx = first % fold_x;
	int dy = first / fold_x % fold_y;
	struct vector v;

	x += (long)sample * channels * height * width;
	for (int k = 0; k < VECTOR; k++) {
		const int from_y = top + dy, from_x = left + dx;
		const int inside = c < channels && from_y >= 0 && from_y < height &&
		    from_x >= 0 && from_x < width;

		v.of[k] = inside ? x[((long)c * height + from_y) * width + from_x] : 0;
		if (++dx == fold_x) {
			dx = 0;
			if (++dy == fold_y) {
				dy = 0;
				c++;
			}
		}
	}
	VECTORS(out)[i] = v;
}

/*
 * The epilogue of a matrix product: out[r,c] = act(out + bias[c] + other[r,c]) of rows of `vectors`
 * vectors.
 */
KERNEL finish_rows(const int n, OUT(T_TYPE, out), IN(T_TYPE, bias), IN(T_TYPE, other),
    const int vectors, const int out_row, const int other_row, const int kind)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(bias);
	PLACE(other);
	const int row = i / vectors, v = i - row * vectors;
	struct vector x = VECTORS(out + (long)row * out_row)[v], y;
	R sum[VECTOR];

	for (int k = 0; k < VECTOR; k++)
		sum[k] = LOAD(x.of, k);
	if (bias) {
		y = VECTORS_IN(bias)[v];
		for (int k = 0; k < VECTOR; k++)
			sum[k] += LOAD(y.of, k);
	}
	if (other) {
		y = VECTORS_IN(other + (long)row * other_row)[v];
		for (int k = 0; k < VECTOR; k++)
			sum[k] += LOAD(y.of, k);
	}
	act_each(sum, VECTOR, kind);
	for (int k = 0; k < VECTOR; k++)
		STORE(x.of, k, sum[k]);
	VECTORS(out + (long)row * out_row)[v] = x;
}

/* Computes glu of element.cl for rows of `vectors` vectors. */
KERNEL glu_rows(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const int vectors, const int inner,
    const int x_outer, const int x_inner, const int gate_last, const int kind)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	const int row = i / vectors, v = i - row * vectors, outer = row / inner;
	GLOBAL const struct vector *from =
	    VECTORS_IN(x + (long)outer * x_outer + (long)(row - outer * inner) * x_inner);
	struct vector gate = from[gate_last ? v + vectors : v];
	const struct vector value = from[gate_last ? v : v + vectors];
	R product[VECTOR];

	for (int k = 0; k < VECTOR; k++)
		product[k] = LOAD(gate.of, k);
	act_each(product, VECTOR, kind);
	for (int k = 0; k < VECTOR; k++)
		STORE(gate.of, k, product[k] * LOAD(value.of, k));
	VECTORS(out)[i] = gate;
}

/* Copies rows of `vectors` vectors; sizes and strides are those of three outer dimensions. */
KERNEL copy_rows(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const int vectors, const int size1,
    const int size2, const int out0, const int out1, const int out2, const int x0, const int x1,
    const int x2)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	const int row = i / vectors, v = i - row * vectors;
	const int b = row / size2, c = row - b * size2;
	const int a = b / size1, middle = b - a * size1;

	VECTORS(out + (long)a * out0 + (long)middle * out1 + (long)c * out2)[v] =
	    VECTORS_IN(x + (long)a * x0 + (long)middle * x1 + (long)c * x2)[v];
}

/* The lanes of a group that process channels: `lanes` vectors of each of several pixels. */
#define MY_VECTOR (LOCAL_ID % lanes)
#define MY_PIXEL (LOCAL_ID / lanes)
#define PIXELS_AT_ONCE (GROUP / lanes)

/*
 * Sums up the elements and squares of each group of channels over a part of the pixels, for
 * groupnorm. A group of work-items has `segment` channels, which are whole groups of `share`
 * channels: lanes = segment / VECTOR vectors.
 */
KERNEL groupnorm_sums(const int count, GLOBAL float *sums, const long sums_at, IN(T_TYPE, x),
    const int channels, const int pixels, const int segments, const int parts,
    const int part_pixels, const int lanes, const int share)
{
	SHARED float room[GROUP * VECTOR * 2];
	const int part = GROUP_ID % parts, segment = GROUP_ID / parts % segments;
	const int sample = GROUP_ID / parts / segments;
	const int first = part * part_pixels;
	int last = IF_MINE(count, first + part_pixels);
	float sum[VECTOR], square[VECTOR];

	PLACE(sums);
	PLACE(x);
	x += ((long)sample * pixels) * channels + segment * lanes * VECTOR;
	last = last < pixels ? last : pixels;
	for (int k = 0; k < VECTOR; k++)
		sum[k] = square[k] = 0;
	if (MY_PIXEL < PIXELS_AT_ONCE)
		for (int p = first + MY_PIXEL; p < last; p += PIXELS_AT_ONCE) {
			const struct vector v =
			    VECTORS_IN(x + (long)p * channels)[MY_VECTOR];

			for (int k = 0; k < VECTOR; k++) {
				const float value = LOAD(v.of, k);

				sum[k] += value;
				square[k] += value * value;
			}
		}
	for (int k = 0; k < VECTOR; k++) {
		room[(k * 2) * GROUP + LOCAL_ID] = sum[k];
		room[(k * 2 + 1) * GROUP + LOCAL_ID] = square[k];
	}
	BARRIER;
	/* two work-items for each group of channels: one adds up the sums, one the squares */
	const int groups = lanes * VECTOR / share;
	for (int i = LOCAL_ID; i < groups * 2 && last > 0; i += GROUP) {
		float total = 0;

		for (int c = i / 2 * share; c < (i / 2 + 1) * share; c++)
			for (int p = 0; p < PIXELS_AT_ONCE; p++)
				total += room[(c % VECTOR * 2 + i % 2) * GROUP +
				    p * lanes + c / VECTOR];
		sums[(long)GROUP_ID * groups * 2 + i] = total;
	}
}

/* Applies groupnorm with the sums of all parts. */
KERNEL groupnorm_apply(const int count, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, gain),
    IN(T_TYPE, shift), GLOBAL const float *sums, const long sums_at, const int channels,
    const int pixels, const int segments, const int parts, const int part_pixels,
    const int lanes, const int share, const float eps, const int kind)
{
	SHARED float mean[GROUP], scale[GROUP];
	const int part = GROUP_ID % parts, segment = GROUP_ID / parts % segments;
	const int sample = GROUP_ID / parts / segments;
	const int groups = lanes * VECTOR / share, mine = IF_MINE(count, 1);
	const int first = part * part_pixels;
	int last = IF_MINE(count, first + part_pixels);
	float factor[VECTOR], offset[VECTOR];

	PLACE(out);
	PLACE(x);
	PLACE(gain);
	PLACE(shift);
	PLACE(sums);
	sums += (long)(GROUP_ID - part) * groups * 2;
	/* Several work-items add up the parts of a group of channels. */
	const int helpers = GROUP / (groups * 2), of = LOCAL_ID / helpers;
	float total = 0;
	if (mine && of < groups * 2)
		for (int i = LOCAL_ID % helpers; i < parts; i += helpers)
			total += sums[(long)i * groups * 2 + of];
	mean[LOCAL_ID] = total;
	BARRIER;
	total = 0;
	if (LOCAL_ID < groups * 2)
		for (int i = 0; i < helpers; i++)
			total += mean[LOCAL_ID * helpers + i];
	BARRIER;
	scale[LOCAL_ID] = total / ((float)share * pixels);
	BARRIER;
	if (LOCAL_ID < groups) {
		const float middle = scale[LOCAL_ID * 2];

		mean[LOCAL_ID] = middle;
		total = 1 / sqrt(fmax(scale[LOCAL_ID * 2 + 1] - middle * middle, 0.0f) + eps);
	}
	BARRIER;
	if (LOCAL_ID < groups)
		scale[LOCAL_ID] = total;
	BARRIER;
	if (!mine || MY_PIXEL >= PIXELS_AT_ONCE)
		return;
	for (int k = 0; k < VECTOR; k++) {
		const int channel = MY_VECTOR * VECTOR + k, from = segment * lanes * VECTOR;

		factor[k] = scale[channel / share] * (gain ? LOAD(gain, from + channel) : 1);
		offset[k] = (shift ? LOAD(shift, from + channel) : 0) -
		    mean[channel / share] * factor[k];
	}
	x += ((long)sample * pixels) * channels + segment * lanes * VECTOR;
	out += ((long)sample * pixels) * channels + segment * lanes * VECTOR;
	last = last < pixels ? last : pixels;
	for (int p = first + MY_PIXEL; p < last; p += PIXELS_AT_ONCE) {
		struct vector v = VECTORS_IN(x + (long)p * channels)[MY_VECTOR];
		R y[VECTOR];

		for (int k = 0; k < VECTOR; k++)
			y[k] = LOAD(v.of, k) * factor[k] + offset[k];
		act_each(y, VECTOR, kind);
		for (int k = 0; k < VECTOR; k++)
			STORE(v.of, k, y[k]);
		VECTORS(out + (long)p * channels)[MY_VECTOR] = v;
	}
}

KERNEL pool_channels(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const int vectors,
    const int height, const int width, const int out_height, const int out_width,
    const int kernel_height, const int kernel_width, const int stride_y, const int stride_x,
    const int before_y, const int before_x, const int average)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	const int pixel = i / vectors;
	const int row = pixel / out_width, sample = row / out_height;
	const int top = (row - sample * out_height) * stride_y - before_y;
	const int left = (pixel - row * out_width) * stride_x - before_x;
	GLOBAL const struct vector *from =
	    VECTORS_IN(x) + (long)sample * height * width * vectors + (i - pixel * vectors);
	int count = 0;
	float value[VECTOR];
	struct vector v;

	for (int k = 0; k < VECTOR; k++)
		value[k] = average ? 0 : -INFINITY;
	for (int y = top > 0 ? top : 0; y < top + kernel_height && y < height; y++)
		for (int at = left > 0 ? left : 0; at < left + kernel_width && at < width; at++) {
			v = from[(long)(y * width + at) * vectors];
			count++;
			for (int k = 0; k < VECTOR; k++) {
				const float x = LOAD(v.of, k);

				value[k] = average ? value[k] + x : is_larger(x, value[k]) ? x : value[k];
			}
		}
	for (int k = 0; k < VECTOR; k++)
		STORE(v.of, k, average ? value[k] / count : value[k]);
	VECTORS(out)[i] = v;
}

KERNEL resize_channels(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const int vectors,
    const int height, const int width, const int out_height, const int out_width,
    const int bilinear)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	const int pixel = i / vectors;
	const int row = pixel / out_width, sample = row / out_height;
	const int oy = row - sample * out_height, ox = pixel - row * out_width;
	GLOBAL const struct vector *from =
	    VECTORS_IN(x) + (long)sample * height * width * vectors + (i - pixel * vectors);

	if (!bilinear) {
		VECTORS(out)[i] =
		    from[(long)((int)((long)oy * height / out_height) * width +
		             (int)((long)ox * width / out_width)) *
		        vectors];
		return;
	}
	float y = (oy + 0.5f) * height / out_height - 0.5f;
	float at = (ox + 0.5f) * width / out_width - 0.5f;

	y = fmin(fmax(y, 0.0f), (float)(height - 1));
	at = fmin(fmax(at, 0.0f), (float)(width - 1));
	const int y0 = (int)y, x0 = (int)at;
	const int y1 = y0 + 1 < height ? y0 + 1 : y0, x1 = x0 + 1 < width ? x0 + 1 : x0;
	const float down = y - y0, right = at - x0;
	const struct vector a = from[(long)(y0 * width + x0) * vectors],
	                    b = from[(long)(y0 * width + x1) * vectors],
	                    c = from[(long)(y1 * width + x0) * vectors],
	                    d = from[(long)(y1 * width + x1) * vectors];
	struct vector v;

	for (int k = 0; k < VECTOR; k++) {
		const float upper = LOAD(a.of, k) * (1 - right) + LOAD(b.of, k) * right;
		const float lower = LOAD(c.of, k) * (1 - right) + LOAD(d.of, k) * right;

		STORE(v.of, k, upper * (1 - down) + lower * down);
	}
	VECTORS(out)[i] = v;
}

/* Adds alpha y[channel mod count] to the channels of all images, or multiplies them by it. */
KERNEL binary_channels(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, y),
    const int vectors, const int pixels, const int count, const int multiply, const float alpha,
    const int kind)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	PLACE(y);
	const int pixel = i / vectors, sample = pixel / pixels;
	const int from = (sample * vectors + i - pixel * vectors) * VECTOR % count;
	struct vector v = VECTORS_IN(x)[i];
	R z[VECTOR];

	for (int k = 0; k < VECTOR; k++) {
		const float a = LOAD(v.of, k), b = alpha * LOAD(y, from + k);

		z[k] = multiply ? a * b : a + b;
	}
	act_each(z, VECTOR, kind);
	for (int k = 0; k < VECTOR; k++)
		STORE(v.of, k, z[k]);
	VECTORS(out)[i] = v;
}
