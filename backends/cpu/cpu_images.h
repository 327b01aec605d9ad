/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pooling and resizing of planes [N,C,H,W]. A part of cpu_kernels.h. */

/* Returns the maximum or mean of the part of a window that is inside a plane. */
static T T_(window_pool)(
    const T *x, int64_t width, const int64_t from[2], const int64_t until[2], bool average)
{
	T largest = -T_MAX, sum = 0;
	for (int64_t i = from[0]; i < until[0]; i++) {
		const T *row = x + i * width;
		if (average) {
			_Pragma("omp simd reduction(+ : sum)") for (int64_t j = from[1];
			                                            j < until[1]; j++)
			    sum += row[j];
		} else {
			for (int64_t j = from[1]; j < until[1]; j++)
				largest = row[j] > largest ? row[j] : largest;
		}
	}
	int64_t inside = (until[0] - from[0]) * (until[1] - from[1]);
	return average ? sum / (T)inside : largest;
}

static void T_(pool)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	const int64_t *kernel = op->p.pool.kernel, *stride = op->p.pool.stride;
	int64_t size[2] = { in->size[2], in->size[3] };
	int64_t to_size[2] = { out->size[2], out->size[3] };
	int64_t planes = in->size[0] * in->size[1];
	PARALLEL_FOR(s, cpu_count(out) * kernel[0] * kernel[1])
	for (int64_t p = 0; p < planes; p++) {
		const T *x = TENSOR(in) + p * size[0] * size[1];
		T *to = TENSOR(out) + p * to_size[0] * to_size[1];
		for (int64_t i = 0; i < to_size[0] * to_size[1]; i++) {
			int64_t place[2] = { i / to_size[1], i % to_size[1] }, from[2],
			        until[2];
			for (int j = 0; j < 2; j++) {
				int64_t at = place[j] * stride[j] - op->p.pool.before[j];
				from[j] = cpu_max(0, at);
				until[j] = cpu_min(size[j], at + kernel[j]);
			}
			to[i] =
			    T_(window_pool)(x, size[1], from, until, op->p.pool.average);
		}
	}
}

/* Locates the two pixels of `from` around pixel i of `to`; returns the weight of the
 * second. */
static T T_(pixel_locate)(int64_t i, int64_t from, int64_t to, int64_t beside[2])
{
	T at = ((T)i + (T)0.5) * (T)from / (T)to - (T)0.5;
	at = at < 0 ? 0 : at;
	beside[0] = cpu_min((int64_t)at, from - 1);
	beside[1] = cpu_min(beside[0] + 1, from - 1);
	return at - (T)beside[0];
}

static void T_(resize_row)(T *to, int64_t width, const T *upper, const T *lower,
    int64_t from_width, T part, bool bilinear)
{
	for (int64_t j = 0; j < width; j++) {
		if (!bilinear) {
			to[j] = upper[j * from_width / width];
			continue;
		}
		int64_t x[2];
		T right = T_(pixel_locate)(j, from_width, width, x);
		T above = upper[x[0]] + right * (upper[x[1]] - upper[x[0]]);
		T below = lower[x[0]] + right * (lower[x[1]] - lower[x[0]]);
		to[j] = above + part * (below - above);
	}
}

static void T_(resize)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	int64_t height = in->size[2], width = in->size[3];
	int64_t to_height = out->size[2], to_width = out->size[3];
	bool bilinear = op->p.resize.bilinear;
	PARALLEL_FOR(s, cpu_count(out) * 8)
	for (int64_t r = 0; r < out->size[0] * out->size[1] * to_height; r++) {
		const T *plane = TENSOR(in) + r / to_height * height * width;
		int64_t i = r % to_height, y[2] = { i * height / to_height, 0 };
		T part = 0;
		if (bilinear)
			part = T_(pixel_locate)(i, height, to_height, y);
		T_(resize_row)
		(TENSOR(out) + r * to_width, to_width, plane + y[0] * width,
		    plane + y[1] * width, width, part, bilinear);
	}
}
