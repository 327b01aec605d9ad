/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks which kernels the GPU backends launch, with a driver that records launches and has
 * neither a compiler nor a device.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/gpu/gpu.h"
#include "base/paths.h"
#include "tests/lib/tap.h"

enum { UNITS = 132, MEMORY = 1 << 20 };

/* The last launch. */
static struct {
	char kernel[32];
	uint32_t groups, group_size;
	struct gpu_arg first;
	size_t count;
	char all[128]; /* the names and groups of all launches */
} last;

static void *memory_alloc(struct gpu *g, size_t bytes, char *why)
{
	(void)g;
	(void)why;
	return calloc(1, bytes < MEMORY ? bytes : MEMORY);
}

static void memory_free(struct gpu *g, void *buffer)
{
	(void)g;
	free(buffer);
}

static void *program_build(
    struct gpu *g, const char *source, const char *options, char *why)
{
	(void)g;
	(void)source;
	(void)options;
	(void)why;
	return calloc(1, 1);
}

static void *kernel_find(struct gpu *g, void *program, const char *name, char *why)
{
	(void)g;
	(void)program;
	(void)why;
	return strdup(name);
}

static int kernel_launch(struct gpu *g, void *kernel, uint32_t groups, uint32_t group_size,
    const struct gpu_arg *arg, size_t args, char *why)
{
	(void)g;
	(void)why;
	snprintf(last.kernel, sizeof(last.kernel), "%s", (const char *)kernel);
	last.groups = groups;
	last.group_size = group_size;
	last.first = arg[0];
	last.count++;
	const size_t length = strlen(last.all);
	snprintf(last.all + length, sizeof(last.all) - length, "%s%s %u",
	    length ? ", " : "", last.kernel, groups);
	return args <= GPU_ARGS ? 0 : -1;
}

static int memory_write(
    struct gpu *g, void *buffer, size_t at, const void *from, size_t bytes, char *why)
{
	(void)g;
	(void)buffer;
	(void)at;
	(void)from;
	(void)bytes;
	(void)why;
	return 0;
}

static bool product_absent(struct gpu *g, const struct gpu_product *p)
{
	(void)g;
	(void)p;
	return false;
}

static int queue_sync(struct gpu *g, char *why)
{
	(void)g;
	(void)why;
	return 0;
}

static void device_close(struct gpu *g)
{
	(void)g;
}

static const struct gpu_driver driver = {
	.name = "record",
	.prelude = "prelude.cu",
	.alloc = memory_alloc,
	.free = memory_free,
	.write = memory_write,
	.build = program_build,
	.unbuild = memory_free,
	.kernel = kernel_find,
	.drop = memory_free,
	.launch = kernel_launch,
	.has_product = product_absent,
	.sync = queue_sync,
	.close = device_close,
};

static struct backend_session *session_open(void)
{
	char *share = share_path(".");
	const struct backend_config config = { .abi = BACKEND_ABI, .share_dir = share };
	char why[BACKEND_WHY];
	struct gpu *g = gpu_new(&driver, &config, why);

	free(share);
	if (!g)
		return NULL;
	g->device = g;
	g->units = UNITS;
	g->dtypes = UINT32_MAX;
	return (struct backend_session *)g;
}

static struct backend_tensor tensor(enum backend_dtype dtype, int64_t rows, int64_t columns)
{
	struct backend_tensor t = { .dtype = dtype, .role = BACKEND_INPUT };

	if (rows > 1)
		t = (struct backend_tensor){ .dtype = dtype,
			.dims = 2,
			.size = { rows, columns },
			.stride = { columns, 1 } };
	else {
		t.dims = 1;
		t.size[0] = columns;
		t.stride[0] = 1;
	}
	return t;
}

/* Runs a stream over n elements. Returns whether it was supported and launched. */
static bool stream_run(
    struct backend_session *s, enum backend_kind kind, enum backend_dtype dtype, int64_t n)
{
	struct backend_tensor a = tensor(dtype, 1, n), b = a, out = a;
	struct backend_op op = { .kind = kind, .in = { &a, &b }, .out = { &out } };
	char why[BACKEND_WHY] = "";
	bool done;

	op.p.element.alpha = 1;
	if (gpu_supports(s, &op, why) < 0) {
		printf("# %s\n", why);
		return false;
	}
	a.buffer = gpu_alloc(s, 64, why);
	b.buffer = gpu_alloc(s, 64, why);
	out.buffer = gpu_alloc(s, 64, why);
	last.count = 0;
	done = gpu_run(s, &op, why) == 0 && last.count > 0;
	if (!done)
		printf("# %s\n", why);
	gpu_free(s, a.buffer);
	gpu_free(s, b.buffer);
	gpu_free(s, out.buffer);
	return done;
}

static void test_streams(struct backend_session *s)
{
	static const struct {
		enum backend_dtype dtype;
		const char *name;
		uint32_t bytes;
	} dtypes[] = {
		{ BACKEND_FLOAT64, "float64", 8 },
		{ BACKEND_FLOAT32, "float32", 4 },
		{ BACKEND_BFLOAT16, "bfloat16", 2 },
		{ BACKEND_FLOAT16, "float16", 2 },
	};
	static const struct {
		enum backend_kind kind;
		const char *name;
	} kinds[] = {
		{ BACKEND_COPY, "copy" },
		{ BACKEND_SCALE, "scale" },
		{ BACKEND_TRIAD, "triad" },
		{ BACKEND_BINARY, "add" },
		{ BACKEND_UNARY, "unary" },
	};

	for (size_t k = 0; k < COUNT(kinds); k++)
		for (size_t d = 0; d < COUNT(dtypes); d++) {
			bool done = stream_run(s, kinds[k].kind, dtypes[d].dtype, 1 << 22);
			uint64_t bytes = ((uint64_t)dtypes[d].bytes << 22) /
			                 ((uint64_t)last.groups * last.group_size);

			tap_ok(done && bytes >= 16 && bytes % 16 == 0,
			    "%s of %s: a work-item has accesses of 16 bytes "
			    "(%d bytes)",
			    kinds[k].name, dtypes[d].name, (int)bytes);
		}
}

static void test_sizes(struct backend_session *s)
{
	const int64_t n = 3000000000;

	tap_ok(stream_run(s, BACKEND_TRIAD, BACKEND_FLOAT32, n) &&
	           last.first.type == GPU_LONG && last.first.value.l == n,
	    "a triad of 3e9 elements is launched with all of its elements");
	tap_ok(stream_run(s, BACKEND_DOT, BACKEND_BFLOAT16, n),
	    "a scalar product of 3e9 elements is supported");
	tap_ok(!stream_run(s, BACKEND_UNARY, BACKEND_FLOAT32, n),
	    "an operation with indices of 32 bits rejects 3e9 elements");
}

/* Before its first run, an operation is launched without work. */
static void test_preparation(struct backend_session *s)
{
	struct backend_tensor a = tensor(BACKEND_FLOAT32, 1, 1 << 26), b = a, out = a;
	struct backend_op op = { .kind = BACKEND_TRIAD, .in = { &a, &b }, .out = { &out } };
	char why[BACKEND_WHY] = "";

	a.buffer = b.buffer = out.buffer = gpu_alloc(s, 64, why);
	last.count = 0;
	tap_ok(
	    gpu_prepare(s, &op, 1, why) == 0 && last.count == 1 && last.first.value.l == 0,
	    "an operation is prepared by a launch without elements");
	const uint64_t items = (uint64_t)last.groups * last.group_size;
	tap_ok(items > UINT16_MAX && items <= 1 << 17,
	    "preparing a long operation launches few work-items, but not less than pocl's "
	    "large launches (%llu)",
	    (unsigned long long)items);
	gpu_release(s, &op, 1);
	gpu_free(s, a.buffer);
}

struct attention_case {
	enum backend_dtype dtype;
	bool tensor_cores;
	int64_t batch, tokens, keys, heads, kv_heads;
	const char *launches, *name;
};

/* Runs an attention with a cache as it is recorded in a graph. Returns whether that is
 * possible with as much scratch memory as preparing it took. */
static bool attention_run(struct gpu *g, const struct attention_case *of)
{
	enum { WIDTH = 64 };
	struct backend_session *s = (struct backend_session *)g;
	struct backend_tensor q = { .dtype = of->dtype,
		.dims = 3,
		.size = { of->batch, of->tokens, of->heads * WIDTH },
		.stride = { of->tokens * of->heads * WIDTH, of->heads * WIDTH, 1 } };
	struct backend_tensor k = { .dtype = of->dtype,
		.dims = 3,
		.size = { of->batch, of->keys, of->kv_heads * WIDTH },
		.stride = { of->keys * of->kv_heads * WIDTH, of->kv_heads * WIDTH, 1 } };
	struct backend_tensor v = k, out = q;
	struct backend_op op = { .kind = BACKEND_ATTENTION,
		.in = { &q, &k, &v },
		.out = { &out },
		.p.attention = { of->heads, of->kv_heads, 0.125, true, true } };
	char why[BACKEND_WHY] = "";

	q.buffer = k.buffer = v.buffer = out.buffer = gpu_alloc(s, 64, why);
	g->tensor_cores = of->tensor_cores;
	bool done = gpu_prepare(s, &op, 1, why) == 0;
	const uint64_t before = gpu_memory(s);
	const size_t needed = g->room_needed;

	last.all[0] = '\0';
	g->recording = true;
	g->needs_past = false;
	done = done && gpu_run(s, &op, why) == 0 && !g->needs_past;
	g->recording = false;
	done = done && g->room_needed == needed && g->room_bytes == needed &&
	       gpu_memory(s) == before && before >= needed;
	if (!done)
		printf("# %s\n", why);
	gpu_release(s, &op, 1);
	gpu_free(s, q.buffer);
	return done;
}

static void test_attention(void)
{
	static const struct attention_case cases[] = {
		{ BACKEND_FLOAT32, true, 1, 1, 1024, 12, 12,
		    "attention_row 192, attention_join 12",
		    "the keys of 12 rows are divided in float32" },
		{ BACKEND_FLOAT64, false, 1, 1, 1024, 132, 132,
		    "attention_row 264, attention_join 132",
		    "the keys of a row for each multiprocessor are halved" },
		{ BACKEND_FLOAT16, false, 1, 1, 1024, 133, 133, "attention_row 133",
		    "the keys of more rows than multiprocessors are not divided" },
		{ BACKEND_FLOAT32, true, 32, 1, 1024, 12, 12, "attention_row 384",
		    "the keys of a batch are not divided" },
		{ BACKEND_FLOAT32, true, 1, 1, 127, 12, 12, "attention_row 12",
		    "the keys of a short cache are not divided" },
		{ BACKEND_FLOAT32, true, 1, 1, 8192, 32, 8,
		    "attention_row 256, attention_join 32",
		    "the keys that heads share are divided in float32" },
		{ BACKEND_FLOAT32, true, 17, 1, 8192, 64, 8, "attention_float 136",
		    "tiles compute float32 in which many heads share keys" },
		{ BACKEND_FLOAT32, true, 1, 5, 1024, 12, 12, "attention_float 12",
		    "tiles compute float32 of several tokens" },
		{ BACKEND_BFLOAT16, true, 1, 1, 4096, 12, 12,
		    "attention_split 192, attention_join 12",
		    "the keys of 12 rows are divided in bfloat16" },
		{ BACKEND_BFLOAT16, true, 32, 1, 4096, 12, 12, "attention 384",
		    "the keys of a batch in bfloat16 are not divided" },
	};
	struct gpu *g = (struct gpu *)session_open();

	for (size_t i = 0; g && i < COUNT(cases); i++) {
		const bool done = attention_run(g, &cases[i]);

		tap_ok(done && strcmp(last.all, cases[i].launches) == 0,
		    "attention: %s (%s)", cases[i].name, last.all);
	}
	gpu_close((struct backend_session *)g);
}

static struct backend_tensor image(enum backend_dtype dtype, enum backend_role role,
    int64_t count, int64_t channels, int64_t side)
{
	return (struct backend_tensor){ .dtype = dtype,
		.role = role,
		.dims = 4,
		.size = { count, channels, side, side },
		.stride = { channels * side * side, side * side, side, 1 } };
}

struct conv_case {
	int64_t batch, side, channels, kernel, out_channels;
	const char *launches, *name;
};

/* Runs a convolution of 16 bits without a library, which keeps the size of its images. */
static bool conv_run(struct gpu *g, const struct conv_case *of)
{
	const enum backend_dtype dtype = BACKEND_BFLOAT16;
	struct backend_session *s = (struct backend_session *)g;
	struct backend_tensor x =
	    image(dtype, BACKEND_INPUT, of->batch, of->channels, of->side);
	struct backend_tensor w =
	    image(dtype, BACKEND_WEIGHT, of->out_channels, of->channels, of->kernel);
	struct backend_tensor out =
	    image(dtype, BACKEND_OUTPUT, of->batch, of->out_channels, of->side);
	const int64_t pad = of->kernel / 2;
	struct backend_op op = { .kind = BACKEND_CONV,
		.in = { &x, &w },
		.out = { &out },
		.p.conv = { { 1, 1 }, { pad, pad }, { pad, pad }, { 1, 1 }, 1 } };
	char why[BACKEND_WHY] = "";

	x.buffer = w.buffer = out.buffer = gpu_alloc(s, 64, why);
	bool done = gpu_prepare(s, &op, 1, why) == 0;
	const size_t needed = g->room_needed;

	last.all[0] = '\0';
	done = done && gpu_run(s, &op, why) == 0 && g->room_needed == needed &&
	       g->room_bytes == needed;
	if (!done)
		printf("# %s\n", why);
	gpu_release(s, &op, 1);
	gpu_free(s, x.buffer);
	return done;
}

static void test_convolutions(void)
{
	/* layers of resnet50 */
	static const struct conv_case cases[] = {
		{ 1, 7, 512, 3, 512, "convolve_tiles 144, convolve_join 49",
		    "the steps of 8 tiles are divided" },
		{ 1, 28, 128, 3, 128, "convolve_tiles 104, convolve_join 196",
		    "the steps of 26 tiles are divided" },
		{ 1, 7, 512, 1, 2048, "convolve_tiles 32",
		    "steps for two shares are not divided" },
		{ 32, 7, 512, 3, 512, "convolve_tiles 200",
		    "the steps of more tiles than multiprocessors are not divided" },
		{ 1, 56, 64, 1, 256, "convolve_tiles 196", "few steps are not divided" },
	};
	struct gpu *g = (struct gpu *)session_open();

	if (g)
		g->tensor_cores = true;
	for (size_t i = 0; g && i < COUNT(cases); i++) {
		const bool done = conv_run(g, &cases[i]);

		tap_ok(done && strstr(last.all, cases[i].launches) &&
		           !strstr(last.all, "join") == !strstr(cases[i].launches, "join"),
		    "convolution: %s (%s)", cases[i].name, last.all);
	}
	gpu_close((struct backend_session *)g);
}

static struct backend_tensor sequence(int64_t a, int64_t b, int64_t c)
{
	return (struct backend_tensor){ .dtype = BACKEND_FLOAT32,
		.role = BACKEND_INPUT,
		.dims = 3,
		.size = { a, b, c },
		.stride = { b * c, c, 1 } };
}

static void test_scans(struct backend_session *s)
{
	/* the layers of mamba-130m */
	enum { CHANNELS = 1536, STATES = 16 };
	static const struct {
		int64_t batch, tokens;
		const char *launches, *name;
	} cases[] = {
		{ 1, 128, "scan_chunks 192", "many tokens of one prompt have more chunks" },
		{ 2, 128, "scan_chunks 192", "two prompts have fewer chunks" },
		{ 1, 40, "scan_chunks 96", "40 tokens have chunks of a few tokens" },
		{ 1, 1, "scan_states 96", "a token has a work-item for each state" },
		{ 32, 1, "scan 192", "a token of a batch has one for each channel" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const int64_t b = cases[i].batch, t = cases[i].tokens;
		struct backend_tensor x = sequence(b, t, CHANNELS), delta = x, out = x;
		struct backend_tensor input = sequence(b, t, STATES), output = input;
		struct backend_tensor decay = tensor(BACKEND_FLOAT32, CHANNELS, STATES);
		struct backend_tensor skip = tensor(BACKEND_FLOAT32, 1, CHANNELS);
		struct backend_tensor bias = skip, h = sequence(b, CHANNELS, STATES);
		struct backend_op op = { .kind = BACKEND_SCAN,
			.in = { &x, &delta, &decay, &input, &output, &skip, &bias, &h },
			.out = { &out } };
		char why[BACKEND_WHY] = "";

		for (size_t k = 0; k < 8; k++)
			op.in[k]->buffer = gpu_alloc(s, 64, why);
		out.buffer = x.buffer;
		last.all[0] = '\0';
		tap_ok(
		    gpu_run(s, &op, why) == 0 && strcmp(last.all, cases[i].launches) == 0,
		    "scan: %s (%s)", cases[i].name, last.all);
		for (size_t k = 0; k < 8; k++)
			gpu_free(s, op.in[k]->buffer);
	}
}

int main(void)
{
	struct backend_session *s = session_open();

	tap_ok(s != NULL, "a session is opened with a recording driver");
	test_streams(s);
	test_sizes(s);
	test_preparation(s);
	test_scans(s);
	test_attention();
	test_convolutions();
	gpu_close(s);
	return tap_end();
}
