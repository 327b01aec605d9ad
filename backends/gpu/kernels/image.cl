/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Images: [N,C,H,W].
 */

/*
 * Writes column[N,C KH KW,H' W'] of x[N,C,H,W] (im2col), with which a convolution is a matrix
 * product. A group has a part of one row.
 */
KERNEL columns(const int groups, OUT(T_TYPE, column), IN(T_TYPE, x), const int parts,
    const int rows, const int channels, const int height, const int width,
    const int kernel_height, const int kernel_width, const int out_height,
    const int out_width, const int stride_y, const int stride_x, const int before_y,
    const int before_x, const int dilation_y, const int dilation_x)
{
	const int row = GROUP_ID / parts % rows, sample = GROUP_ID / parts / rows;
	const int pixel = GROUP_ID % parts * GROUP + LOCAL_ID;

	if (GROUP_ID >= groups || pixel >= out_height * out_width)
		return;
	PLACE(column);
	PLACE(x);
	const int channel = row / (kernel_height * kernel_width);
	const int ky = row / kernel_width % kernel_height, kx = row % kernel_width;
	const int from_y = pixel / out_width * stride_y - before_y + ky * dilation_y;
	const int from_x = pixel % out_width * stride_x - before_x + kx * dilation_x;
	const int inside = from_y >= 0 && from_y < height && from_x >= 0 && from_x < width;

	STORE(column, ((long)sample * rows + row) * out_height * out_width + pixel,
	    inside ? LOAD(x,
	                 (((long)sample * channels + channel) * height + from_y) * width +
	                     from_x)
	           : 0);
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
			most = fmax(most, value);
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
