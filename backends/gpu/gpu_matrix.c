/*
 * Matrix products, and what is made of them: convolutions through columns, attention
 * through scores, experts.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu_call.h"

/* As backends/gpu/kernels/matrix.cl has it: the side of a tile, and its work-items. */
static int64_t tile_side(const struct gpu *g)
{
	return g->wide ? 96 : 64;
}

static uint32_t tile_group(const struct gpu *g)
{
	return g->wide ? 1 : 256;
}

/* Columns of so many bytes at a time, at least those of one picture. */
static const int64_t columns_bytes = INT64_C(256) << 20;

/* The type of scores, and of sums: float32 at least. */
static enum backend_dtype real_of(enum backend_dtype dtype)
{
	return dtype == BACKEND_FLOAT64 ? BACKEND_FLOAT64 : BACKEND_FLOAT32;
}

/* One row times a transposed matrix: what a library's tiles do badly. */
static bool is_row(const struct gpu_product *p)
{
	return p->m == 1 && p->batch == 1 && p->transpose_b && p->dtype == p->out;
}

static int run_row(struct gpu *g, const struct gpu_product *p, char *why)
{
	struct gpu_call c =
	    call_begin(g, "stream", "gemv", p->dtype, p->dtype, 0, p->n, why);

	call_buffer(&c, p->c, p->c_at);
	call_buffer(&c, p->b, p->b_at);
	call_buffer(&c, p->a, p->a_at);
	INTS(&c, p->b_ld, p->k);
	call_real(&c, p->alpha);
	call_real(&c, p->beta);
	return call_rows(&c, why);
}

static int run_tiles(struct gpu *g, const struct gpu_product *p, char *why)
{
	const int64_t side = tile_side(g);
	const int64_t tiles_m = (p->m + side - 1) / side, tiles_n = (p->n + side - 1) / side;
	const int64_t tiles = p->batch * tiles_m * tiles_n;
	struct gpu_call c =
	    call_begin(g, "matrix", "product", p->dtype, p->out, 0, tiles, why);

	call_buffer(&c, p->c, p->c_at);
	call_buffer(&c, p->a, p->a_at);
	call_buffer(&c, p->b, p->b_at);
	INTS(&c, p->m, p->n, p->k, tiles_m, tiles_n, p->c_ld, p->a_ld, 1,
	    p->transpose_b ? 1 : p->b_ld, p->transpose_b ? p->b_ld : 1);
	call_long(&c, p->c_step);
	call_long(&c, p->a_step);
	call_long(&c, p->b_step);
	call_real(&c, p->alpha);
	call_real(&c, p->beta);
	return call_go(&c, tiles, tile_group(g), why);
}

/* Whether a product of this form has been tried; if not, it counts as tried from now on. */
static bool was_tried(struct gpu *g, const struct gpu_product *p)
{
	const struct gpu_form form = { .of = { p->dtype, p->out, p->transpose_b,
		                           p->beta != 0, p->m, p->n, p->k, p->batch,
		                           p->a_ld, p->b_ld, p->c_ld, p->a_at != 0,
		                           p->b_at != 0, p->c_at != 0 } };

	for (size_t i = 0; i < g->forms; i++)
		if (memcmp(&g->form[i], &form, sizeof(form)) == 0)
			return true;
	struct gpu_form *more = realloc(g->form, (g->forms + 1) * sizeof(*g->form));
	if (more) {
		g->form = more;
		g->form[g->forms++] = form;
	}
	return false;
}

/* The same with c in gpu->scratch, as the real one may hold what is still to be read. */
static int try_product(struct gpu *g, const struct gpu_product *p, char *why)
{
	const int64_t at = p->c_at ? 64 : 0;
	const int64_t last = (p->batch - 1) * p->c_step + (p->m - 1) * p->c_ld + p->n;
	const size_t bytes = (size_t)(at + last) * gpu_dtype_bytes(p->out);
	struct gpu_product trial = *p;

	if (bytes > g->scratch_needed)
		g->scratch_needed = bytes;
	if (g->phase == GPU_MEASURE || was_tried(g, p))
		return 0;
	trial.c = g->scratch;
	trial.c_at = at;
	return g->driver->product(g, &trial, why);
}

static int run_one(struct gpu *g, const struct gpu_product *p, char *why)
{
	if (p->m < 1 || p->n < 1 || p->batch < 1)
		return 0;
	if (is_row(p) && g->driver->own_rows)
		return run_row(g, p, why);
	if (!g->driver->has_product(g, p))
		return run_tiles(g, p, why);
	if (g->phase == GPU_RUN)
		return g->driver->product(g, p, why);
	return try_product(g, p, why);
}

int product_run(
    struct gpu *g, struct gpu_product *p, const struct product_batch batch[3], char *why)
{
	size_t most = 0;

	for (size_t i = 1; i < 3; i++)
		if (batch[i].count > batch[most].count)
			most = i;
	const struct product_batch *inner = &batch[most];
	const struct product_batch *x = &batch[(most + 1) % 3], *y = &batch[(most + 2) % 3];

	p->batch = inner->count;
	p->a_step = inner->a;
	p->b_step = inner->b;
	p->c_step = inner->c;
	for (int64_t i = 0; i < x->count; i++)
		for (int64_t j = 0; j < y->count; j++) {
			struct gpu_product one = *p;

			one.a_at += i * x->a + j * y->a;
			one.b_at += i * x->b + j * y->b;
			one.c_at += i * x->c + j * y->c;
			if (run_one(g, &one, why))
				return -1;
		}
	return 0;
}

static const struct product_batch no_batch = { .count = 1 };

/* A tensor of two or three dimensions as matrices. */
struct matrices {
	int64_t batch, rows, columns, step, ld;
};

static struct matrices matrices_of(const struct backend_tensor *t)
{
	const uint32_t d = t->dims;

	return (struct matrices){
		.batch = d > 2 ? t->size[d - 3] : 1,
		.rows = d > 1 ? t->size[d - 2] : 1,
		.columns = t->size[d - 1],
		.step = d > 2 ? t->stride[d - 3] : 0,
		.ld = d > 1 ? t->stride[d - 2] : t->size[d - 1],
	};
}

static bool are_one(const struct matrices *x)
{
	return x->batch == 1 || x->step == x->rows * x->ld;
}

/* act(out + bias + other), in place; bias[(i / inner) mod count] */
static int finish(struct gpu *g, const struct backend_op *op, const struct matrices *out,
    const struct backend_tensor *other, const struct matrices *other_form, int64_t inner,
    char *why)
{
	const struct backend_tensor *bias = op->in[2];

	if (!bias && !other && op->act == BACKEND_LINEAR)
		return 0;
	const enum backend_dtype dtype = op->out[0]->dtype;
	struct gpu_call c = call_begin(g, "element", "finish", dtype, dtype, 0,
	    out->batch * out->rows * out->columns, why);

	call_tensor(&c, op->out[0]);
	call_tensor(&c, bias);
	call_tensor(&c, other);
	INTS(&c, out->rows, out->columns, out->step, out->ld, other_form->step,
	    other_form->ld, inner, bias ? tensor_elements(bias) : 1, op->act);
	return call_each(&c, 1, why);
}

int op_gemm(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *ta = op->in[0], *tb = op->in[1], *out = op->out[0];
	const struct backend_tensor *other = op->in[3];
	struct matrices a = matrices_of(ta), b = matrices_of(tb), c = matrices_of(out);
	struct matrices o = matrices_of(other ? other : out);
	const bool add =
	    other && other->buffer == out->buffer && other->offset == out->offset;

	/* what shares one matrix is one product of more rows */
	if (b.batch == 1 && are_one(&a) && are_one(&c) && are_one(&o)) {
		a.rows *= a.batch;
		c.rows *= c.batch;
		a.batch = b.batch = c.batch = o.batch = 1;
	}
	struct gpu_product p = {
		.dtype = ta->dtype,
		.out = out->dtype,
		.transpose_b = op->p.gemm.transpose,
		.m = c.rows,
		.n = c.columns,
		.k = a.columns,
		.alpha = op->p.gemm.alpha,
		.beta = add,
		.a = tensor_handle(ta),
		.b = tensor_handle(tb),
		.c = tensor_handle(out),
		.a_at = ta->offset,
		.b_at = tb->offset,
		.c_at = out->offset,
		.a_ld = a.ld,
		.b_ld = b.ld,
		.c_ld = c.ld,
	};
	const struct product_batch batch[3] = {
		{ c.batch, a.batch > 1 ? a.step : 0, b.batch > 1 ? b.step : 0, c.step },
		no_batch,
		no_batch,
	};
	if (product_run(g, &p, batch, why))
		return -1;
	return finish(g, op, &c, add ? NULL : other, &o, 1, why);
}

int op_gemv(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *a = op->in[0], *out = op->out[0];
	const struct gpu_product p = {
		.dtype = out->dtype,
		.n = a->size[0],
		.k = a->size[1],
		.alpha = 1,
		.a = tensor_handle(op->in[1]),
		.a_at = op->in[1]->offset,
		.b = tensor_handle(a),
		.b_at = a->offset,
		.b_ld = a->stride[0],
		.c = tensor_handle(out),
		.c_at = out->offset,
	};

	return run_row(g, &p, why);
}

/* What a convolution is, counted out. */
struct conv {
	int64_t samples, channels, height, width, out_channels, out_height, out_width;
	int64_t kernel_height, kernel_width, pixels, rows;
};

static struct conv conv_of(const struct backend_op *op)
{
	const int64_t *x = op->in[0]->size, *w = op->in[1]->size, *y = op->out[0]->size;

	return (struct conv){
		.samples = x[0],
		.channels = x[1],
		.height = x[2],
		.width = x[3],
		.out_channels = y[1],
		.out_height = y[2],
		.out_width = y[3],
		.kernel_height = w[2],
		.kernel_width = w[3],
		.pixels = y[2] * y[3],
		.rows = x[1] * w[2] * w[3],
	};
}

static int conv_direct(
    struct gpu *g, const struct backend_op *op, const struct conv *v, char *why)
{
	const enum backend_dtype dtype = op->out[0]->dtype;
	struct gpu_call c = call_begin(
	    g, "image", "conv_direct", dtype, dtype, 0, tensor_elements(op->out[0]), why);

	call_tensor(&c, op->out[0]);
	for (size_t i = 0; i < 4; i++)
		call_tensor(&c, op->in[i]);
	INTS(&c, v->channels, v->height, v->width, v->out_channels, v->out_height,
	    v->out_width, v->kernel_height, v->kernel_width, op->p.conv.stride[0],
	    op->p.conv.stride[1], op->p.conv.before[0], op->p.conv.before[1],
	    op->p.conv.dilation[0], op->p.conv.dilation[1], op->p.conv.groups, op->act);
	return call_each(&c, 1, why);
}

/* Columns of `samples` pictures from `first` on, into the room at `at` bytes. */
static int make_columns(struct gpu *g, const struct backend_op *op, const struct conv *v,
    int64_t first, int64_t samples, size_t at, char *why)
{
	const struct backend_tensor *x = op->in[0];
	const int64_t parts = (v->pixels + gpu_group(g) - 1) / gpu_group(g);
	const int64_t groups = parts * v->rows * samples;
	struct gpu_call c =
	    call_begin(g, "image", "columns", x->dtype, x->dtype, 0, groups, why);

	call_buffer(&c, g->room, (int64_t)(at / gpu_dtype_bytes(x->dtype)));
	call_buffer(
	    &c, tensor_handle(x), x->offset + first * v->channels * v->height * v->width);
	INTS(&c, parts, v->rows, v->channels, v->height, v->width, v->kernel_height,
	    v->kernel_width, v->out_height, v->out_width, op->p.conv.stride[0],
	    op->p.conv.stride[1], op->p.conv.before[0], op->p.conv.before[1],
	    op->p.conv.dilation[0], op->p.conv.dilation[1]);
	return call_go(&c, groups, gpu_group(g), why);
}

/* Whether the picture is its own columns. */
static bool is_pointwise(const struct backend_op *op, const struct conv *v)
{
	for (int i = 0; i < 2; i++)
		if (op->p.conv.stride[i] != 1 || op->p.conv.before[i] ||
		    op->p.conv.after[i])
			return false;
	return v->kernel_height == 1 && v->kernel_width == 1;
}

int op_conv(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct conv v = conv_of(op);
	const struct backend_tensor *x = op->in[0], *out = op->out[0];
	const int64_t groups = op->p.conv.groups;
	const int64_t share = v.rows / groups, out_share = v.out_channels / groups;
	const int64_t bytes = v.rows * v.pixels * (int64_t)gpu_dtype_bytes(x->dtype);
	const bool pointwise = is_pointwise(op, &v);
	int64_t chunk = pointwise || columns_bytes >= bytes * v.samples
	                    ? v.samples
	                    : columns_bytes / bytes;
	size_t at = 0, used = 0;

	if (groups > 1 && (share < 64 || out_share < 8))
		return conv_direct(g, op, &v, why);
	chunk = chunk < 1 ? 1 : chunk;
	if (!pointwise)
		room_take(g, (size_t)(bytes * chunk), &at, &used);
	for (int64_t first = 0; first < v.samples; first += chunk) {
		const int64_t samples =
		    v.samples - first < chunk ? v.samples - first : chunk;
		struct gpu_product p = {
			.dtype = x->dtype,
			.out = x->dtype,
			.m = out_share,
			.n = v.pixels,
			.k = share,
			.alpha = 1,
			.a = tensor_handle(op->in[1]),
			.b = pointwise ? tensor_handle(x) : g->room,
			.c = tensor_handle(out),
			.a_at = op->in[1]->offset,
			.b_at = pointwise ? x->offset : 0,
			.c_at = out->offset + first * v.out_channels * v.pixels,
			.a_ld = share,
			.b_ld = v.pixels,
			.c_ld = v.pixels,
		};
		const struct product_batch batch[3] = {
			{ samples, 0, v.rows * v.pixels, v.out_channels * v.pixels },
			{ groups, out_share * share, share * v.pixels,
			    out_share * v.pixels },
			no_batch,
		};

		if ((!pointwise && make_columns(g, op, &v, first, samples, at, why)) ||
		    product_run(g, &p, batch, why))
			return -1;
	}
	const struct matrices form = {
		.batch = v.samples,
		.rows = v.out_channels,
		.columns = v.pixels,
		.step = v.out_channels * v.pixels,
		.ld = v.pixels,
	};
	return finish(g, op, &form, op->in[3], &form, v.pixels, why);
}

/* softmax(scores + bias), scores[b,heads,t,keys] at the room's `from` bytes, to `to` */
static int attention_softmax(struct gpu *g, const struct backend_op *op, int64_t keys,
    size_t from, size_t to, char *why)
{
	const struct backend_tensor *q = op->in[0], *bias = op->in[3];
	const enum backend_dtype real = real_of(q->dtype);
	const int64_t heads = op->p.attention.heads, tokens = q->size[1];
	struct gpu_call c = call_begin(g, "norm", "attention_softmax", q->dtype, real, 0,
	    q->size[0] * heads * tokens, why);

	call_buffer(&c, g->room, (int64_t)(to / gpu_dtype_bytes(q->dtype)));
	call_buffer(&c, g->room, (int64_t)(from / gpu_dtype_bytes(real)));
	call_tensor(&c, bias);
	INTS(&c, bias ? bias->stride[0] : 0, bias ? bias->stride[1] : 0, heads, tokens,
	    keys, op->p.attention.causal, op->past);
	return call_rows(&c, why);
}

/* Over the first `keys` keys. */
static int attend(struct gpu *g, const struct backend_op *op, int64_t keys, char *why)
{
	const struct backend_tensor *q = op->in[0], *k = op->in[1], *v = op->in[2];
	const struct backend_tensor *out = op->out[0];
	const enum backend_dtype real = real_of(q->dtype);
	const int64_t batches = q->size[0], tokens = q->size[1];
	const int64_t heads = op->p.attention.heads, kv_heads = op->p.attention.kv_heads;
	const int64_t width = q->size[2] / heads, v_width = v->size[2] / kv_heads;
	const int64_t shared = heads / kv_heads, matrix = tokens * keys;
	/* with one token, the heads that share keys are the rows of one product */
	const bool stacked = tokens == 1 && shared > 1;
	const int64_t scores = batches * heads * matrix;
	size_t from, to, used = 0;

	room_take(g, (size_t)scores * gpu_dtype_bytes(real), &from, &used);
	to = from;
	if (real != q->dtype)
		room_take(g, (size_t)scores * gpu_dtype_bytes(q->dtype), &to, &used);

	struct gpu_product qk = {
		.dtype = q->dtype,
		.out = real,
		.transpose_b = true,
		.m = stacked ? shared : tokens,
		.n = keys,
		.k = width,
		.alpha = op->p.attention.scale,
		.a = tensor_handle(q),
		.b = tensor_handle(k),
		.c = g->room,
		.a_at = q->offset,
		.b_at = k->offset,
		.c_at = (int64_t)(from / gpu_dtype_bytes(real)),
		.a_ld = stacked ? width : q->stride[1],
		.b_ld = k->stride[1],
		.c_ld = keys,
	};
	const int64_t apart = stacked ? 1 : shared;
	const struct product_batch qk_batch[3] = {
		{ batches, q->stride[0], k->stride[0], heads * matrix },
		{ kv_heads, shared * width, width, shared * matrix },
		{ apart, width, 0, matrix },
	};
	struct gpu_product av = {
		.dtype = q->dtype,
		.out = q->dtype,
		.m = qk.m,
		.n = v_width,
		.k = keys,
		.alpha = 1,
		.a = g->room,
		.b = tensor_handle(v),
		.c = tensor_handle(out),
		.a_at = (int64_t)(to / gpu_dtype_bytes(q->dtype)),
		.b_at = v->offset,
		.c_at = out->offset,
		.a_ld = keys,
		.b_ld = v->stride[1],
		.c_ld = stacked ? v_width : out->stride[1],
	};
	const struct product_batch av_batch[3] = {
		{ batches, heads * matrix, v->stride[0], out->stride[0] },
		{ kv_heads, shared * matrix, v_width, shared * v_width },
		{ apart, matrix, 0, v_width },
	};

	if (product_run(g, &qk, qk_batch, why) ||
	    attention_softmax(g, op, keys, from, to, why))
		return -1;
	return product_run(g, &av, av_batch, why);
}

int op_attention(struct gpu *g, const struct backend_op *op, char *why)
{
	const int64_t all = op->in[1]->size[1], tokens = op->in[0]->size[1];

	if (!op->p.attention.cached)
		return attend(g, op, all, why);
	/* how many there will be is not known yet: room for all, and both ends tried */
	if (g->phase != GPU_RUN && attend(g, op, all, why))
		return -1;
	return attend(g, op, op->past + tokens, why);
}

int op_experts(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0], *weight = op->in[1],
	                            *choice = op->in[2];
	const struct backend_tensor *out = op->out[0];
	const int64_t rows = tensor_elements(choice), experts = weight->size[0];
	const int64_t n = weight->size[1], k = weight->size[2];
	const int64_t side = tile_side(g), tiles_n = (n + side - 1) / side;
	const int64_t most = rows / side + experts, tiles_m = most < rows ? most : rows;
	size_t order, start, used = 0;

	room_take(g, (size_t)rows * sizeof(int32_t), &order, &used);
	room_take(g, (size_t)(experts + 1) * sizeof(int32_t), &start, &used);
	order /= sizeof(int32_t);
	start /= sizeof(int32_t);

	struct gpu_call c =
	    call_begin(g, "expert", "experts_order", out->dtype, out->dtype, 0, 1, why);
	call_buffer(&c, g->room, (int64_t)order);
	call_buffer(&c, g->room, (int64_t)start);
	call_tensor(&c, choice);
	INTS(&c, rows, experts);
	if (call_rows(&c, why))
		return -1;

	c = call_begin(
	    g, "matrix", "experts", out->dtype, out->dtype, 0, tiles_m * tiles_n, why);
	call_tensor(&c, out);
	call_tensor(&c, x);
	call_tensor(&c, weight);
	call_buffer(&c, g->room, (int64_t)order);
	call_buffer(&c, g->room, (int64_t)start);
	INTS(&c, experts, n, k, tiles_n, rows / tensor_rows(x), op->act);
	return call_go(&c, tiles_m * tiles_n, tile_group(g), why);
}
