/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Element-wise operations and moves. A part of cpu_kernels.h. */

static void T_(unary)(struct backend_session *s, const struct backend_op *op)
{
	int64_t n = cpu_count(op->out[0]);
	T *to = TENSOR(op->out[0]);
	const T *from = TENSOR(op->in[0]);
	T alpha = (T)op->p.element.alpha;
	PARALLEL_FOR(s, n)
	for (int64_t at = 0; at < n; at += SPAN) {
		int64_t span = cpu_min(SPAN, n - at);
		T_(scaled_cached)(to + at, from + at, from + at, alpha, span);
		T_(act)(to + at, span, op->act);
	}
}

static void T_(round)(struct backend_session *s, const struct backend_op *op)
{
	const int64_t n = cpu_count(op->out[0]);
	T *to = TENSOR(op->out[0]);
	const T *from = TENSOR(op->in[0]);
	const T scale = (T)op->p.round.scale, low = (T)op->p.round.low,
	        high = (T)op->p.round.high, alpha = (T)op->p.round.alpha,
	        beta = (T)op->p.round.beta;
	/* The sum of 1.5 times this power of 2 and a number below half of it is rounded to
	 * a whole number, ties to even. Limits that are whole numbers may be applied
	 * before. */
	const T whole = (T)(sizeof(T) == sizeof(float) ? 0x1.8p23 : 0x1.8p52);
	PARALLEL_FOR(s, n)
	for (int64_t at = 0; at < n; at += SPAN) {
		const int64_t until = cpu_min(n, at + SPAN);
		_Pragma("omp simd") for (int64_t i = at; i < until; i++)
		{
			T q = from[i] / scale;
			q = q < low ? low : q;
			q = q > high ? high : q;
			to[i] = alpha * ((q + whole) - whole) + beta;
		}
	}
}

/* The elements of a state that are computed together. */
enum { T_(CELL_SPAN) = 256 };

/* Computes n elements of a row of a state, of which gate k has the products x and y at k h.
 */
static void T_(cell_row)(const T *x, const T *y, const T *before, T *out, T *after,
    int64_t n, int64_t h, int64_t gates)
{
	T gate[4][T_(CELL_SPAN)], *last = gate[gates - 1];
	for (int64_t k = 0; k + 1 < gates; k++) {
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) gate[k][i] =
		    x[k * h + i] + y[k * h + i];
		T_(act)(gate[k], n, BACKEND_SIGMOID);
	}
	x += (gates - 1) * h;
	y += (gates - 1) * h;
	if (gates == 4) {
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) last[i] = x[i] + y[i];
		T_(act)(last, n, BACKEND_TANH);
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) last[i] =
		    gate[2][i] * before[i] + gate[0][i] * last[i];
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) after[i] = last[i];
		T_(act)(last, n, BACKEND_TANH);
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) out[i] =
		    gate[1][i] * last[i];
		return;
	}
	_Pragma("omp simd") for (int64_t i = 0; i < n; i++) last[i] =
	    x[i] + gate[1][i] * y[i];
	T_(act)(last, n, BACKEND_TANH);
	_Pragma("omp simd") for (int64_t i = 0; i < n; i++) out[i] =
	    (1 - gate[0][i]) * last[i] + gate[0][i] * before[i];
}

static void T_(cell)(struct backend_session *s, const struct backend_op *op)
{
	const int64_t gates = op->p.cell.gates, h = cpu_columns(op->out[0]),
	              spans = (h + T_(CELL_SPAN) - 1) / T_(CELL_SPAN),
	              parts = cpu_count(op->out[0]) / h * spans;
	const T *x = TENSOR(op->in[0]), *y = TENSOR(op->in[1]), *before = TENSOR(op->in[2]);
	T *out = TENSOR(op->out[0]), *after = op->out[1] ? TENSOR(op->out[1]) : NULL;
	/* An element takes as long as some sixteen sums. */
	PARALLEL_FOR(s, 16 * cpu_count(op->out[0]))
	for (int64_t part = 0; part < parts; part++) {
		const int64_t row = part / spans, at = part % spans * T_(CELL_SPAN),
		              place = row * h + at;
		T_(cell_row)
		(x + row * gates * h + at, y + row * gates * h + at, before + place,
		    out + place, after ? after + place : NULL,
		    cpu_min(T_(CELL_SPAN), h - at), h, gates);
	}
}

/* These compute to = x + alpha y and to = x alpha y, where y is a row, or one number for
 * all. */
static void T_(row_combine)(
    T *to, const T *x, const T *y, T alpha, int64_t n, bool multiply)
{
	if (multiply) {
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] =
		    x[i] * (alpha * y[i]);
	} else {
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] =
		    x[i] + alpha * y[i];
	}
}

/* Computes to = x alpha y, and 0 where y is 0. */
static void T_(row_select)(T *to, const T *x, const T *y, T alpha, int64_t n)
{
	_Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] =
	    y[i] == 0 ? 0 : x[i] * (alpha * y[i]);
}

static void T_(row_combine_number)(T *to, const T *x, T y, int64_t n, bool multiply)
{
	T by = multiply ? y : 1, plus = multiply ? 0 : y;
	_Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] = x[i] * by + plus;
}

static void T_(binary)(struct backend_session *s, const struct backend_op *op)
{
	int64_t n = cpu_count(op->out[0]), count = cpu_count(op->in[1]);
	/* One number is that of all elements, not a row of one. */
	int64_t inner = count == 1 ? n : cpu_max(1, op->p.element.inner);
	T *to = TENSOR(op->out[0]);
	const T *x = TENSOR(op->in[0]), *y = TENSOR(op->in[1]);
	T alpha = (T)op->p.element.alpha;
	bool multiply = op->p.element.multiply, select = op->p.element.select;
	PARALLEL_FOR(s, n)
	for (int64_t at = 0; at < n; at += SPAN) {
		int64_t until = cpu_min(n, at + SPAN);
		for (int64_t i = at, len; i < until; i += len) {
			int64_t place = i / inner % count;
			len = inner == 1 ? cpu_min(count - place, until - i)
			                 : cpu_min(inner - i % inner, until - i);
			if (select && inner == 1)
				T_(row_select)(to + i, x + i, y + place, alpha, len);
			else if (select && y[place] == 0)
				memset(to + i, 0, (size_t)len * sizeof(T));
			else if (inner == 1) {
				T_(row_combine)
				(to + i, x + i, y + place, alpha, len, multiply);
			} else {
				T_(row_combine_number)
				(to + i, x + i, alpha * y[place], len, multiply);
			}
		}
		T_(act)(to + at, until - at, op->act);
	}
}

static void T_(glu)(struct backend_session *s, const struct backend_op *op)
{
	int64_t rows = cpu_row_count(op->out[0]), d = cpu_columns(op->out[0]);
	PARALLEL_FOR(s, rows * d * 2)
	for (int64_t r = 0; r < rows; r++) {
		T *to = TENSOR(op->out[0]) + cpu_row(op->out[0], r);
		const T *first = TENSOR(op->in[0]) + cpu_row(op->in[0], r);
		const T *gate = first + (op->p.element.gate_last ? d : 0);
		const T *value = first + (op->p.element.gate_last ? 0 : d);
		memcpy(to, gate, (size_t)d * sizeof(T));
		T_(act)(to, d, op->act);
		T_(row_combine)(to, to, value, 1, d, true);
	}
}

/* Moves the two innermost dimensions. */
static void T_(move_plane)(T *to, const T *from, const int64_t size[2],
    const int64_t out[2], const int64_t in[2], T alpha)
{
	for (int64_t i = 0; i < size[0]; i++) {
		T *row = to + i * out[0];
		const T *x = from + i * in[0];
		if (out[1] == 1 && in[1] == 1) {
			T_(scaled_cached)(row, x, x, alpha, size[1]);
			continue;
		}
		for (int64_t j = 0; j < size[1]; j++)
			row[j * out[1]] = alpha * x[j * in[1]];
	}
}

static void T_(move)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	int64_t size[2] = { cpu_size(out, 2), cpu_size(out, 1) };
	int64_t to_stride[2] = { cpu_stride(out, 2), cpu_stride(out, 1) };
	int64_t from_stride[2] = { cpu_stride(in, 2), cpu_stride(in, 1) };
	int64_t middle = cpu_size(out, 3), planes = cpu_size(out, 4) * middle;
	T *to = TENSOR(out) + op->past * op->p.move.advance;
	const T *from = TENSOR(in);
	/* The rows of a single plane are divided among the threads. */
	int64_t parts = planes == 1 ? cpu_min(s->threads, size[0]) : 1;
	PARALLEL_FOR(s, cpu_count(out) / 2)
	for (int64_t i = 0; i < planes * parts; i++) {
		int64_t plane = i / parts, first = size[0] * (i % parts) / parts;
		int64_t part[2] = { size[0] * (i % parts + 1) / parts - first, size[1] };
		int64_t a = plane / middle, b = plane % middle;
		T_(move_plane)
		(to + a * cpu_stride(out, 4) + b * cpu_stride(out, 3) +
		        first * to_stride[0],
		    from + a * cpu_stride(in, 4) + b * cpu_stride(in, 3) +
		        first * from_stride[0],
		    part, to_stride, from_stride, (T)op->p.move.alpha);
	}
}
