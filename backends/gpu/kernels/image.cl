/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Images: [N,C,H,W].
 */

/*
 * The work-items of a group have `lanes` adjacent pixels each of several channels. A work-item has
 * one pixel of several channels, so that it divides only once.
 */
#define MY_PIXEL (LOCAL_ID % lanes)
#define MY_CHANNEL (LOCAL_ID / lanes)
#define CHANNELS_AT_ONCE (GROUP / lanes)

/*
 * Writes column[N,C KH KW,H' W'] of x[N,C,H,W] (im2col), with which a convolution is a matrix
 * product. A group has a part of the pixels of a chunk of the channels of a sample.
 */
KERNEL columns(const int groups, OUT(T_TYPE, column), IN(T_TYPE, x), const int lanes,
    const int parts, const int chunks, const int each, const int channels, const int height,
    const int width, const int kernel_height, const int kernel_width, const int out_height,
    const int out_width, const int stride_y, const int stride_x, const int before_y,
    const int before_x, const int dilation_y, const int dilation_x)
{
	const int chunk = GROUP_ID / parts % chunks, sample = GROUP_ID / parts / chunks;
	const int pixel = GROUP_ID % parts * lanes + MY_PIXEL, pixels = out_height * out_width;

	if (GROUP_ID >= groups || pixel >= pixels)
		return;
	PLACE(column);
	PLACE(x);
	const int row = pixel / out_width;
	const int top = row * stride_y - before_y;
	const int left = (pixel - row * out_width) * stride_x - before_x;
	const int first = (chunk * CHANNELS_AT_ONCE + MY_CHANNEL) * each;

	x += ((long)sample * channels + first) * height * width;
	column += ((long)sample * channels + first) * kernel_height * kernel_width * pixels + pixel;
	for (int c = first; c < first + each && c < channels; c++) {
		for (int ky = 0; ky < kernel_height; ky++) {
			const int from_y = top + ky * dilation_y;
			const int has_row = from_y >= 0 && from_y < height;

			for (int kx = 0; kx < kernel_width; kx++) {
				const int from_x = left + kx * dilation_x;

				STORE(column, 0,
				    has_row && from_x >= 0 && from_x < width
				        ? LOAD(x, from_y * width + from_x)
				        : 0);
				column += pixels;
			}
		}
		x += height * width;
	}
}

/*
 * The epilogue of a convolution: out[N,C,pixels] = act(out + bias[C] + other[N,C,pixels]). rows is
 * N C, of which a work-item has `each`.
 */
KERNEL finish_images(const int groups, OUT(T_TYPE, out), IN(T_TYPE, bias), IN(T_TYPE, other),
    const int lanes, const int parts, const int each, const int rows, const int channels,
    const int pixels, const int kind)
{
	const int pixel = GROUP_ID % parts * lanes + MY_PIXEL;
	const int first = (GROUP_ID / parts * CHANNELS_AT_ONCE + MY_CHANNEL) * each;
	int channel = first % channels;

	if (GROUP_ID >= groups || pixel >= pixels)
		return;
	PLACE(out);
	PLACE(bias);
	PLACE(other);
	for (int row = first; row < first + each && row < rows; row++) {
		const long at = (long)row * pixels + pixel;
		R x = LOAD(out, at);

		if (bias)
			x += LOAD(bias, channel);
		if (other)
			x += LOAD(other, at);
		STORE(out, at, act(x, kind));
		channel = channel + 1 < channels ? channel + 1 : 0;
	}
}

/* One output element per work-item, for groups of few channels. */
KERNEL conv_direct(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, weight),
    IN(T_TYPE, bias), IN(T_TYPE, other), const int channels, const int height,
    const int width, const int out_channels, const int out_height, const int out_width,
    const int kernel_height, const int kernel_width, const int stride_y, const int stride_x,
    const int before_y, const int before_x, const int dilation_y, const int dilation_x,
    const int groups, const int kind)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	PLACE(weight);
	PLACE(bias);
	PLACE(other);
	const int ox = i % out_width, oy = i / out_width % out_height;
	const int o = i / out_width / out_height % out_channels;
	const int sample = i / out_width / out_height / out_channels;
	const int share = channels / groups, first = o / (out_channels / groups) * share;
	R sum = 0;

	weight += (long)o * share * kernel_height * kernel_width;
	x += ((long)sample * channels + first) * height * width;
	for (int c = 0; c < share; c++)
		for (int ky = 0; ky < kernel_height; ky++) {
			const int y = oy * stride_y - before_y + ky * dilation_y;

			if (y < 0 || y >= height)
				continue;
			for (int kx = 0; kx < kernel_width; kx++) {
				const int at = ox * stride_x - before_x + kx * dilation_x;

				if (at >= 0 && at < width)
					sum += LOAD(x, (c * height + y) * width + at) *
					    LOAD(weight,
					        (c * kernel_height + ky) * kernel_width +
					            kx);
			}
		}
	if (bias)
		sum += LOAD(bias, o);
	if (other)
		sum += LOAD(other, i);
	STORE(out, i, act(sum, kind));
}

KERNEL pool(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const int height, const int width,
    const int out_height, const int out_width, const int kernel_height,
    const int kernel_width, const int stride_y, const int stride_x, const int before_y,
    const int before_x, const int average)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	const int top = i / out_width % out_height * stride_y - before_y;
	const int left = i % out_width * stride_x - before_x;
	int count = 0;
	R sum = 0, most = -INFINITY;

	x += (long)(i / out_width / out_height) * height * width;
	for (int y = top > 0 ? top : 0; y < top + kernel_height && y < height; y++)
		for (int at = left > 0 ? left : 0; at < left + kernel_width && at < width;
		     at++) {
			const R value = LOAD(x, y * width + at);

			count++;
			sum += value;
			most = is_larger(value, most) ? value : most;
		}
	STORE(out, i, average ? sum / count : most);
}

KERNEL resize(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const int height, const int width,
    const int out_height, const int out_width, const int bilinear)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	const int ox = i % out_width, oy = i / out_width % out_height;

	x += (long)(i / out_width / out_height) * height * width;
	if (!bilinear) {
		out[i] = x[(int)((long)oy * height / out_height) * width +
		    (int)((long)ox * width / out_width)];
		return;
	}
	R y = (oy + (R)0.5) * height / out_height - (R)0.5;
	R at = (ox + (R)0.5) * width / out_width - (R)0.5;

	y = fmin(fmax(y, (R)0), (R)(height - 1));
	at = fmin(fmax(at, (R)0), (R)(width - 1));
	const int y0 = (int)y, x0 = (int)at;
	const int y1 = y0 + 1 < height ? y0 + 1 : y0, x1 = x0 + 1 < width ? x0 + 1 : x0;
	const R down = y - y0, right = at - x0;
	const R upper = LOAD(x, y0 * width + x0) * (1 - right) + LOAD(x, y0 * width + x1) * right;
	const R lower = LOAD(x, y1 * width + x0) * (1 - right) + LOAD(x, y1 * width + x1) * right;

	STORE(out, i, upper * (1 - down) + lower * down);
}
