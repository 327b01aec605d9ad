/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the installed model lists: the published counts at full size; both phases of
 * models that generate; and that steps after a prompt give the results of a longer prompt.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "backends/ref/ref.h"
#include "engine/engine.h"
#include "model/model.h"
#include "tests/lib/tap.h"

static struct fault fault;

static int expand(const char *name, const struct binding *param, size_t params,
    enum model_phase phase, struct graph *g)
{
	struct model *m = model_open(name, &fault);
	const struct model_expand_opts opts = {
		.param = param, .params = params, .phase = phase, .dtype = BACKEND_FLOAT32
	};
	int status = m ? model_expand(m, &opts, g, &fault) : -1;

	if (status < 0)
		printf("# %s: %s\n", name, fault.text);
	model_close(m);
	return status;
}

/* Returns the MACs of the operations whose names begin with one of the words, with or
 * without attention. */
static double macs_of(const struct graph *g, const char *prefixes, bool attention)
{
	double macs = 0;

	for (size_t i = 0; i < g->nodes; i++) {
		bool counts = !*prefixes;

		for (const char *p = prefixes; *p; p += strspn(p, " ")) {
			size_t len = strcspn(p, " ");

			counts = counts || strncmp(g->node[i].name, p, len) == 0;
			p += len;
		}
		if (counts && (attention || g->node[i].op.kind != BACKEND_ATTENTION))
			macs += g->node[i].macs;
	}
	return macs;
}

/*
 * The published parameters, and GMACs to four digits. If there are none, they follow from
 * the dimensions:
 *
 * vit-gpt2: ViT-B/16 without its head, 86,567,656 - (768 + 1) 1000 = 85,798,656; GPT-2,
 * 124,439,808; and in each of 12 layers a norm (2 768), queries and projection (2 (768 + 1)
 * 768) and keys with values ((768 + 1) 1536): 2,363,904. In all 238,605,312. MACs: ViT
 * 17,563,828,224 - 768,000; one token of GPT-2: 12 (12 768^2 + 2 768) + 768 50257 =
 * 123,550,464; of cross-attention in each of 12 layers 2 768^2 for queries and projection,
 * 197 2 768^2 for keys and values, 2 197 768 for attention: 2,806,474,752. In all
 * 20,493,085,440.
 */
static const struct count {
	const char *name;
	double params, gmacs;
	const char *prefixes; /* count the GMACs of these operations only */
	bool less_attention;
} counts[] = {
	{ "resnet50", 25557032, 4.0892, "", false },
	{ "vit_b_16", 86567656, 17.5638, "", false },
	{ "bert-base-uncased", 109482240, 11.174, "", false },
	{ "distilbert-base-uncased", 66362880, 5.587, "", false },
	{ "bert-large-uncased", 335141888, 39.461, "", false },
	{ "gpt2", 124439808, 16.114, "", false },
	{ "gpt2", 124439808, 4.940, "logits", false },
	{ "t5-small", 60506624, 2.958, "", false },
	{ "vit-gpt2", 238605312, 20.4931, "", false },
	{ "whisper-tiny", 37760640, 18.469, "encoder.", false },
	{ "wav2vec2-base", 94371712, 6.911, "", false },
	{ "clip-vit-base-patch32", 151277313, 4.409, "image.", false },
	{ "clip-vit-base-patch32", 151277313, 2.980, "text.", false },
	{ "sd15-unet", 859520964, 401.64, "", false },
	{ "sd15-unet", 859520964, 338.61, "", true },
	{ "ddpm-cifar10", 35746307, 6.222, "", false },
	{ "switch-base-8", 619339008, 13.117, "", false },
	{ "mixtral-small", 123490816, 5.320, "", false },
	{ "mamba-130m", 129135360, 16.668, "", false },
	{ "dpr-bart", 108891648.0 + 406291456, 2.737, "retriever.", false },
	{ "dpr-bart", 108891648.0 + 406291456, 0.0768, "search.", false },
	{ "dpr-bart", 108891648.0 + 406291456, 23.182, "encoder. decoder. logits", false },
};

static void test_counts(void)
{
	clock_t begin = clock();

	for (size_t i = 0; i < COUNT(counts); i++) {
		const struct count *c = &counts[i];
		struct graph g = { 0 };
		char got[32], want[32];

		if (!tap_ok(expand(c->name, NULL, 0, MODEL_FORWARD, &g) == 0,
		        "the model %s expands at full size", c->name))
			continue;
		if (!tap_ok(g.params == c->params, "the model %s has %.0f parameters",
		        c->name, c->params))
			printf("# got %.0f\n", g.params);
		(void)snprintf(want, sizeof(want), "%.4g", c->gmacs);
		(void)snprintf(got, sizeof(got), "%.4g",
		    macs_of(&g, c->prefixes, !c->less_attention) / 1e9);
		if (!tap_ok(strcmp(got, want) == 0, "the model %s has %s GMACs%s%s",
		        c->name, want, *c->prefixes ? " in " : "", c->prefixes))
			printf("# got %s\n", got);
		graph_free(&g);
	}
	double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
	tap_ok(seconds < 10, "all models expand within 10 s (%.2f s)", seconds);
}

static void test_names(void)
{
	char **names = model_names(&fault);
	size_t count = 0, archs = 0;
	const char *arch[32];

	for (; names && names[count] && count < COUNT(arch); count++) {
		struct model *m = model_open(names[count], &fault);
		bool known = false;

		for (size_t k = 0; m && k < archs; k++)
			known = known || strcmp(arch[k], model_arch(m)) == 0;
		if (m && !known)
			arch[archs++] = strdup(model_arch(m));
		tap_ok(m && *model_summary(m), "the model %s opens and has a description",
		    names[count]);
		model_close(m);
	}
	tap_ok(count == 17 && archs == 11, "there are 17 models of 11 types");
	while (archs)
		free((char *)arch[--archs]);
	shell_words_free(names);
	names = kernel_names(&fault);
	for (count = 0; names && names[count]; count++) {
		struct model *m = kernel_open(names[count], &fault);
		struct graph g = { 0 };

		tap_ok(m && model_expand(m,
		                &(struct model_expand_opts){ .dtype = BACKEND_FLOAT32 }, &g,
		                &fault) == 0,
		    "the kernel %s expands", names[count]);
		graph_free(&g);
		model_close(m);
	}
	tap_ok(count >= 30, "there are at least 30 kernels (%zu)", count);
	shell_words_free(names);
}

/* Checks that the weights and states of a step are those of the forward pass. */
static void test_phases(void)
{
	static const char *const models[] = { "gpt2", "mixtral-small", "mamba-130m",
		"t5-small", "switch-base-8", "whisper-tiny", "vit-gpt2", "dpr-bart" };
	static const struct binding param[] = { { "new_tokens", "8" }, { "batch", "2" } };

	for (size_t i = 0; i < COUNT(models); i++) {
		struct graph all = { 0 }, step = { 0 };
		bool fine =
		    expand(models[i], param, COUNT(param), MODEL_FORWARD, &all) == 0 &&
		    expand(models[i], param, COUNT(param), MODEL_STEP, &step) == 0;

		for (size_t k = 0; fine && k < step.values; k++) {
			const struct graph_value *v = &step.value[k];
			uint32_t twin;

			if (v->of != k ||
			    (v->role != BACKEND_WEIGHT && v->role != BACKEND_STATE))
				continue;
			twin = graph_find(&all, v->name);
			fine = twin != GRAPH_NONE && all.value[twin].role == v->role &&
			       all.value[twin].dtype == v->dtype &&
			       graph_bytes(&all.value[twin]) == graph_bytes(v);
			if (!fine)
				printf("# %s\n", v->name);
		}
		tap_ok(fine && step.macs < all.macs / 20 &&
		           graph_find(&step, "next") != GRAPH_NONE,
		    "a step of %s has the weights of the model and one token", models[i]);
		graph_free(&all);
		graph_free(&step);
	}
	struct graph g;
	tap_ok(expand("gpt2", NULL, 0, MODEL_STEP, &g) < 0,
	    "a model has no steps without new_tokens");
}

enum { PROMPT = 4, LONG = 7, BATCH = 2, VOCAB = 50 };

static struct engine *engine_of(const char *name, const char *seq, const char *new_tokens,
    struct graph g[ENGINE_PHASES])
{
	const struct binding param[] = { { "seq", seq }, { "new_tokens", new_tokens },
		{ "batch", "2" }, { "layers", "2" }, { "hidden", "48" },
		{ "vocab", "50" } };
	struct engine_opts config = { .backend = &backend_ref,
		.device = { .abi = BACKEND_ABI },
		.graph = { &g[MODEL_FORWARD], &g[MODEL_STEP] },
		.rounding = BACKEND_FLOAT64 };
	struct model *m = model_open(name, &fault);
	enum engine_trouble trouble;
	struct engine *e = NULL;
	const struct model_expand_opts opts = {
		.param = param, .params = COUNT(param), .dtype = BACKEND_FLOAT64
	};
	struct model_expand_opts step = opts;

	step.phase = MODEL_STEP;
	if (m && model_expand(m, &opts, &g[MODEL_FORWARD], &fault) == 0 &&
	    (*new_tokens == '0' || model_expand(m, &step, &g[MODEL_STEP], &fault) == 0))
		e = engine_open(&config, &trouble, &fault);
	if (!e)
		printf("# %s: %s\n", name, fault.text);
	model_close(m);
	return e;
}

static double token(int b, int t)
{
	return (b * 17 + t * 23) % VOCAB;
}

static bool put(struct engine *e, const char *name, int from, int count)
{
	double ids[BATCH * LONG];

	for (int b = 0; b < BATCH; b++)
		for (int t = 0; t < count; t++)
			ids[b * count + t] = token(b, from + t);
	return engine_write(e, MODEL_FORWARD,
	           graph_find(engine_graph(e, MODEL_FORWARD), name), ids, &fault) == 0;
}

/* Returns the largest difference between the logits after token t and those of the long
 * prompt. */
static double apart(struct engine *e, enum model_phase phase, const double *all, int t)
{
	double now[BATCH * VOCAB], most = 0;

	if (engine_read(
	        e, phase, graph_find(engine_graph(e, phase), "logits"), now, &fault) < 0)
		return INFINITY;
	for (int b = 0; b < BATCH; b++)
		for (int v = 0; v < VOCAB; v++)
			most = fmax(most,
			    fabs(now[b * VOCAB + v] - all[(b * LONG + t) * VOCAB + v]));
	return most;
}

static void test_steps(void)
{
	static const char *const models[] = { "gpt2", "mixtral-small", "mamba-130m" };

	for (size_t i = 0; i < COUNT(models); i++) {
		struct graph g[4] = { 0 };
		struct engine *whole = engine_of(models[i], "7", "0", g),
		              *steps = engine_of(models[i], "4", "4", g + 2);
		double all[BATCH * LONG * VOCAB], most = INFINITY;

		if (whole && steps && put(whole, "ids", 0, LONG) &&
		    engine_run(whole, MODEL_FORWARD, 0, &fault) == 0 &&
		    engine_read(whole, MODEL_FORWARD,
		        graph_find(engine_graph(whole, MODEL_FORWARD), "logits"), all,
		        &fault) == 0 &&
		    put(steps, "ids", 0, PROMPT) &&
		    engine_run(steps, MODEL_FORWARD, 0, &fault) == 0)
			most = apart(steps, MODEL_FORWARD, all, PROMPT - 1);
		for (int t = PROMPT; t < LONG && most < INFINITY; t++)
			if (put(steps, "next", t, 1) &&
			    engine_run(steps, MODEL_STEP, t, &fault) == 0)
				most = fmax(most, apart(steps, MODEL_STEP, all, t));
			else
				most = INFINITY;
		tap_ok(most < 1e-9, "steps of %s give the logits of a longer prompt (%g)",
		    models[i], most);
		engine_close(whole);
		engine_close(steps);
	}
}

int main(void)
{
	test_counts();
	test_names();
	test_phases();
	test_steps();
	return tap_end();
}
