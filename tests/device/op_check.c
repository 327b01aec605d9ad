/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * op_check: compares a backend's operations with those of ref, on random operands.
 *
 *	op_check PLUGIN.so|ref [DEVICE [GROUP]]
 *
 * GROUP may be draw: the numbers that a device draws; or special: operands with NaN and
 * infinities, which are only checked if asked for.
 *
 * It writes one line of TAP for each group of cases (an operation, or a chain of
 * operations) and dtype. All cases of a group are prepared before any is run, and run in
 * turn, so that a list that disturbs another is detected. The operands are the same in each
 * run, unless OP_CHECK_SEED gives another seed. OP_CHECK_THREADS is the number of threads
 *of a backend that uses them; by default that of the processors. A backend may keep
 *compiled programs in the directory OP_CHECK_CACHE. With OP_CHECK_EACH, lists are run
 *operation by operation, even if the backend can run them in one step.
 */
#include <dlfcn.h>
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/ref/ref.h"
#include "base/paths.h"
#include "engine/fill.h"
#include "graph/dtype.h"
#include "op_check.h"
#include "tests/lib/tap.h"

static const char *const kinds[BACKEND_KINDS] = { "nop", "copy", "scale", "triad", "axpy",
	"dot", "fma", "gemv", "gemm", "conv", "attention", "layernorm", "rmsnorm",
	"groupnorm", "batchnorm", "softmax", "unary", "binary", "glu", "gather", "pool",
	"resize", "move", "rope", "relative", "sinusoid", "scan", "causal_conv", "route",
	"experts", "combine", "topk", "qgemm", "qconv", "qexperts", "round", "cell",
	"trees" };

/* The largest |a - b| over the largest |b| of a correct result. A case with several float
 * dtypes has the tolerance of the coarsest. */
static const double tolerance[BACKEND_DTYPES] = {
	[BACKEND_FLOAT64] = 1e-12,
	[BACKEND_FLOAT32] = 2e-5,
	[BACKEND_FLOAT16] = 4e-3,
	[BACKEND_BFLOAT16] = 3e-2,
	[BACKEND_TF32] = 4e-3,
};

struct op_side {
	const struct backend *backend;
	struct backend_session *session;
};

struct op_trial {
	const struct op_row *row;
	size_t steps, operands;
	struct op_operand operand[OPERANDS];
	struct backend_tensor tensor[SIDES][OPERANDS];
	struct backend_op op[SIDES][STEPS];
	bool prepared;
	char why[BACKEND_WHY]; /* the reason if not */
};

/* The reason for the failure of a hook. */
static char why[BACKEND_WHY];

/* Ends the program if a hook failed. */
static void hook_check(int status, const struct op_side *s, const char *what)
{
	if (status < 0)
		errx(2, "%s: %s: %s", s->backend->name, what, why);
}

/* Returns an operand's index in the case; OPERANDS if the text is NULL. */
static size_t operand_place(
    struct op_trial *t, const char *text, enum backend_dtype dtype, bool written)
{
	if (!text)
		return OPERANDS;
	return (size_t)(operand_read(t->operand, &t->operands, text, dtype, written) -
	                t->operand);
}

static void trial_set_tensor(
    struct op_trial *t, size_t step, bool written, int which, size_t place)
{
	for (int k = 0; k < SIDES; k++) {
		struct backend_op *op = &t->op[k][step];

		(written ? op->out : op->in)[which] =
		    place < OPERANDS ? &t->tensor[k][place] : NULL;
	}
}

/* Builds the operations and tensors of the rows of a case, on both sides, without memory.
 */
static void trial_build(
    struct op_trial *t, const struct op_row *row, enum backend_dtype dtype)
{
	*t = (struct op_trial){ .row = row };
	for (size_t i = 0; i < COUNT(row->declare); i++)
		operand_place(t, row->declare[i], dtype, true);
	do {
		const struct op_row *now = &row[t->steps];

		if (t->steps == STEPS)
			errx(2, "%s: too many steps", row->chain);
		t->op[0][t->steps] = t->op[1][t->steps] = now->op;
		for (int i = 0; i < BACKEND_INS; i++)
			trial_set_tensor(t, t->steps, false, i,
			    operand_place(t, now->in[i], dtype, false));
		for (int i = 0; i < BACKEND_OUTS; i++)
			trial_set_tensor(t, t->steps, true, i,
			    operand_place(t, now->out[i], dtype, true));
	} while (row[t->steps++].then);
	for (int k = 0; k < SIDES; k++)
		for (size_t i = 0; i < t->operands; i++) {
			t->tensor[k][i] = t->operand[i].like;
			t->tensor[k][i].dtype = operand_dtype(&t->operand[i], k);
			if (t->operand[i].base)
				t->tensor[k][i].of =
				    &t->tensor[k][t->operand[i].base - t->operand];
		}
}

static bool trial_supported(struct op_trial *t, const struct op_side *side)
{
	for (size_t i = 0; i < t->steps; i++) {
		const struct backend_op *op = &t->op[0][i];

		if (!side->backend->run[op->kind]) {
			snprintf(why, sizeof(why), "it has no %s", kinds[op->kind]);
			return false;
		}
		if (side->backend->supports &&
		    side->backend->supports(side->session, op, why) < 0)
			return false;
	}
	return true;
}

static void trial_place(
    struct op_trial *t, const struct op_side sides[SIDES], struct rng *r)
{
	for (size_t i = 0; i < t->operands; i++) {
		struct op_operand *o = &t->operand[i];

		operand_fill(o, r);
		for (int k = 0; k < SIDES; k++) {
			const struct op_side *s = &sides[k];
			enum backend_dtype dtype = operand_dtype(o, k);
			size_t bytes = (size_t)o->room * dtype_bytes(dtype);
			void *host;

			t->tensor[k][i].buffer = o->base ? o->base->device[k] : NULL;
			if (o->base)
				continue;
			host = mem_zero(1, bytes);
			dtype_store(dtype, host, o->first, (size_t)o->room);
			o->device[k] = s->backend->alloc(s->session, bytes, why);
			hook_check(o->device[k] ? 0 : -1, s, "alloc");
			hook_check(s->backend->write(
			               s->session, o->device[k], 0, host, bytes, why),
			    s, "write");
			t->tensor[k][i].buffer = o->device[k];
			free(host);
		}
	}
	for (int k = 0; k < SIDES; k++)
		if (sides[k].backend->prepare)
			hook_check(sides[k].backend->prepare(
			               sides[k].session, t->op[k], t->steps, why),
			    &sides[k], "prepare");
	t->prepared = true;
}

static void trial_run(struct op_trial *t, const struct op_side sides[SIDES], int64_t past)
{
	for (int k = 0; k < SIDES; k++) {
		const struct op_side *s = &sides[k];

		for (size_t i = 0; i < t->steps; i++)
			t->op[k][i].past = past;
		if (s->backend->run_list && !getenv("OP_CHECK_EACH"))
			hook_check(
			    s->backend->run_list(s->session, t->op[k], t->steps, why), s,
			    "run_list");
		else
			for (size_t i = 0; i < t->steps; i++) {
				const struct backend_op *op = &t->op[k][i];

				hook_check(s->backend->run[op->kind](s->session, op, why),
				    s, kinds[op->kind]);
			}
		hook_check(s->backend->sync(s->session, why), s, "sync");
	}
}

static double trial_tolerance(const struct op_trial *t)
{
	double most = 0;

	for (size_t i = 0; i < t->operands; i++)
		if (tolerance[t->operand[i].like.dtype] > most)
			most = tolerance[t->operand[i].like.dtype];
	return most;
}

/* Returns the largest error over its tolerance, of all operands that the host may read. */
static double trial_error(
    struct op_trial *t, const struct op_side sides[SIDES], size_t number)
{
	double worst = 0;

	for (size_t i = 0; i < t->operands; i++) {
		const struct op_operand *o = &t->operand[i];
		double *values[SIDES], error;

		if (o->base ||
		    (o->like.role != BACKEND_OUTPUT && o->like.role != BACKEND_STATE))
			continue;
		for (int k = 0; k < SIDES; k++) {
			enum backend_dtype dtype = operand_dtype(o, k);
			size_t bytes = (size_t)o->room * dtype_bytes(dtype);
			void *host = mem_zero(1, bytes);

			values[k] = mem_zero((size_t)o->room, sizeof(**values));
			hook_check(sides[k].backend->read(
			               sides[k].session, o->device[k], 0, host, bytes, why),
			    &sides[k], "read");
			dtype_load(dtype, values[k], host, (size_t)o->room);
			free(host);
		}
		error = operand_error(o, values[0], values[1]);
		if (error > trial_tolerance(t) || isnan(error)) {
			printf("# case %zu, operand %zu %s: error %g, at most %g\n", number,
			    i, o->name, error, trial_tolerance(t));
			operand_tell(o, values[0], values[1]);
		}
		if (error / trial_tolerance(t) > worst || isnan(error))
			worst = error / trial_tolerance(t);
		for (int k = 0; k < SIDES; k++)
			free(values[k]);
	}
	return worst;
}

static void trial_free(struct op_trial *t, const struct op_side sides[SIDES])
{
	for (int k = 0; k < SIDES; k++) {
		const struct op_side *s = &sides[k];

		if (t->prepared && s->backend->release)
			s->backend->release(s->session, t->op[k], t->steps);
		for (size_t i = 0; i < t->operands; i++)
			if (t->operand[i].device[k])
				s->backend->free(s->session, t->operand[i].device[k]);
	}
	for (size_t i = 0; i < t->operands; i++)
		operand_free(&t->operand[i]);
}

static const char *row_group(const struct op_row *row)
{
	return row->chain ? row->chain : kinds[row->op.kind];
}

/* Returns the first row of the next case; NULL after the last one. */
static const struct op_row *row_next_case(const struct op_row *row)
{
	while (row->then)
		row++;
	row++;
	if (row == op_rows + op_row_count)
		return op_int8_rows;
	if (row == op_int8_rows + op_int8_row_count)
		return op_chain_rows;
	if (row == op_special_rows + op_special_row_count)
		return NULL;
	return row == op_chain_rows + op_chain_row_count ? NULL : row;
}

/* Checks the cases of a group, of those that begin with this row. */
static void group_check(const struct op_side sides[SIDES], const struct op_row *begin,
    const char *group, enum backend_dtype dtype, uint64_t seed)
{
	struct op_trial *trial = mem_zero(
	    op_row_count + op_int8_row_count + op_special_row_count + op_chain_row_count,
	    sizeof(*trial));
	size_t trials = 0, refused = 0;
	double worst = 0;
	struct rng r;

	rng_seed(&r, seed);
	for (const struct op_row *row = begin; row; row = row_next_case(row)) {
		struct op_trial *t = &trial[trials];

		if (strcmp(row_group(row), group) != 0 ||
		    row->int8 != (dtype == BACKEND_INT8))
			continue;
		trial_build(t, row, dtype);
		trials++;
		if (trial_supported(t, &sides[0]))
			trial_place(t, sides, &r);
		else
			refused += snprintf(t->why, sizeof(t->why), "%s", why) >= 0;
	}
	for (int run = 0; run < RUNS; run++)
		for (size_t i = 0; i < trials; i++)
			if (trial[i].prepared && run < (trial[i].row->runs ?: 1))
				trial_run(&trial[i], sides, trial[i].row->past[run]);
	for (size_t i = 0; i < trials; i++) {
		double error = trial[i].prepared ? trial_error(&trial[i], sides, i + 1) : 0;

		worst = error > worst || isnan(error) ? error : worst;
	}
	for (size_t i = 0; i < trials; i++)
		trial_free(&trial[i], sides);
	for (size_t i = 0; i < trials && refused < trials; i++)
		if (!trial[i].prepared)
			printf("# case %zu: unsupported: %s\n", i + 1, trial[i].why);
	if (trials && refused == trials)
		tap_ok(true, "%s %s # SKIP %s", group, dtype_name(dtype), why);
	else if (trials)
		tap_ok(worst <= 1, "%s %s: %zu of %zu cases, error %.2g of the tolerance",
		    group, dtype_name(dtype), trials - refused, trials, worst);
	free(trial);
}

static void groups_check(
    const struct op_side sides[SIDES], uint32_t dtypes, const char *only, uint64_t seed)
{
	bool special = only && strcmp(only, "special") == 0;
	const struct op_row *begin = special ? op_special_rows : op_rows;

	for (const struct op_row *row = begin; row; row = row_next_case(row)) {
		const struct op_row *first = begin;

		while (strcmp(row_group(first), row_group(row)) != 0)
			first = row_next_case(first);
		if (first != row || (only && !special && strcmp(only, row_group(row)) != 0))
			continue;
		for (int dtype = 0; dtype < BACKEND_DTYPES; dtype++)
			if (dtypes >> dtype & 1 &&
			    (dtype_is_float((enum backend_dtype)dtype) ||
			        dtype == BACKEND_INT8))
				group_check(sides, begin, row_group(row),
				    (enum backend_dtype)dtype, seed);
	}
}

/* Checks that the numbers that a device draws are those that the engine draws. */
static void draw_check(const struct op_side *side)
{
	enum { COUNT_DRAWN = 300007 };
	const struct graph_value v = {
		.name = (char *)"drawn", .fill = FILL_NORMAL, .at = 0.5, .spread = 0.25
	};
	double *x = mem_zero(BACKEND_DRAWN, sizeof(*x));
	static const enum backend_dtype dtypes[] = { BACKEND_UINT8, BACKEND_FLOAT16,
		BACKEND_FLOAT32, BACKEND_FLOAT64 };

	fill_table(&v, x);
	for (size_t i = 0; i < COUNT(dtypes); i++) {
		const size_t size = dtype_bytes(dtypes[i]), bytes = COUNT_DRAWN * size;
		char *table = mem_zero(BACKEND_DRAWN, size), *want = mem_zero(1, bytes),
		     *got = mem_zero(1, bytes);
		void *buffer = side->backend->alloc(side->session, bytes, why);
		struct fill fill;

		hook_check(buffer ? 0 : -1, side, "alloc");
		dtype_store(dtypes[i], table, x, BACKEND_DRAWN);
		fill_begin(&fill, &v, 7);
		hook_check(side->backend->draw(side->session, buffer, size, table, fill.key,
		               COUNT_DRAWN, why),
		    side, "draw");
		hook_check(side->backend->read(side->session, buffer, 0, got, bytes, why),
		    side, "read");
		fill_next_from(&fill, table, size, want, COUNT_DRAWN);
		tap_ok(memcmp(got, want, bytes) == 0,
		    "numbers of %zu bytes drawn on the device are the engine's", size);
		side->backend->free(side->session, buffer);
		free(table);
		free(want);
		free(got);
	}
	free(x);
}

static const struct backend *plugin_load(const char *path)
{
	const struct backend *b = &backend_ref;
	void *object;

	if (strcmp(path, "ref") != 0) {
		object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (!object)
			errx(2, "%s", dlerror());
		b = dlsym(object, "bench_backend");
		if (!b || b->abi != BACKEND_ABI)
			errx(2, "%s: %s", path, b ? "wrong ABI" : dlerror());
	}
	return b;
}

int main(int argc, char **argv)
{
	enum { MOST = 16 };
	struct backend_device device[MOST];
	struct backend_config config = { .abi = BACKEND_ABI };
	struct op_side sides[SIDES] = { { .backend = NULL }, { .backend = &backend_ref } };
	const char *other = getenv("OP_CHECK_SEED"), *threads = getenv("OP_CHECK_THREADS");
	uint64_t seed = other ? strtoull(other, NULL, 10) : 1;
	uint32_t place = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
	int found;

	if (argc < 2 || argc > 4)
		errx(2, "usage: op_check PLUGIN.so|ref [DEVICE [GROUP]]");
	setvbuf(stdout, NULL, _IOLBF, 0);
	sides[0].backend = plugin_load(argv[1]);
	found = sides[0].backend->probe(device, MOST, why);
	hook_check(found, &sides[0], "probe");
	if ((uint32_t)found <= place)
		errx(2, "no device %u: %s", place, found ? "there are fewer" : why);
	printf("# %s, device %u: %s (%s), seed %llu\n", sides[0].backend->name, place,
	    device[place].name, device[place].detail, (unsigned long long)seed);
	config.share_dir = share_path(".");
	config.cache_dir = getenv("OP_CHECK_CACHE");
	config.threads = threads ? (uint32_t)atoi(threads) : 0;
	for (int k = 0; k < SIDES; k++) {
		config.device = k == 0 ? place : 0;
		sides[k].session = sides[k].backend->open(&config, why);
		hook_check(sides[k].session ? 0 : -1, &sides[k], "open");
	}
	if (sides[0].backend->draw && (argc < 4 || strcmp(argv[3], "draw") == 0))
		draw_check(&sides[0]);
	groups_check(sides, device[place].dtypes, argc > 3 ? argv[3] : NULL, seed);
	for (int k = 0; k < SIDES; k++)
		sides[k].backend->close(sides[k].session);
	free((char *)config.share_dir);
	return tap_end();
}
