/*
 * Model lists: the published counts at full size, both phases of those that generate,
 * hostile lists, and that steps behind a prompt say what a longer prompt would.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "engine/engine.h"
#include "model/model.h"
#include "backends/ref/ref.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tap.h"

static struct fault fault;

static int expand(const char *name, const struct binding *param, size_t params,
    enum model_phase phase, struct graph *g)
{
	struct model *m = model_open(name, &fault);
	int status =
	    m ? model_expand(m, param, params, phase, BACKEND_FLOAT32, g, &fault) : -1;

	if (status < 0)
		printf("# %s: %s\n", name, fault.text);
	model_close(m);
	return status;
}

/* The MACs of operations whose names begin with one of the words; without attention when it
 * is left out. */
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
 * Parameters as published, and GMACs to four digits. Where both are not, from dimensions:
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
	const char *prefixes; /* GMACs of these operations only */
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
		        "%s at full size", c->name))
			continue;
		if (!tap_ok(g.params == c->params, "%s has %.0f parameters", c->name,
		        c->params))
			printf("# got %.0f\n", g.params);
		(void)snprintf(want, sizeof(want), "%.4g", c->gmacs);
		(void)snprintf(got, sizeof(got), "%.4g",
		    macs_of(&g, c->prefixes, !c->less_attention) / 1e9);
		tap_text(got, want, "and so many GMACs");
		graph_free(&g);
	}
	double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
	tap_ok(seconds < 10, "which took %.2f s", seconds);
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
		tap_ok(
		    m && *model_summary(m), "%s opens and says what it is", names[count]);
		model_close(m);
	}
	tap_ok(count == 17 && archs == 11, "17 models of 11 types");
	while (archs)
		free((char *)arch[--archs]);
	words_free(names);
	names = kernel_names(&fault);
	for (count = 0; names && names[count]; count++) {
		struct model *m = kernel_open(names[count], &fault);
		struct graph g = { 0 };

		tap_ok(m && model_expand(m, NULL, 0, MODEL_FORWARD, BACKEND_FLOAT32, &g,
		                &fault) == 0,
		    "kernel %s", names[count]);
		graph_free(&g);
		model_close(m);
	}
	tap_ok(count >= 30, "%zu kernels", count);
	words_free(names);
}

/* What a step needs of weights and states is what the forward run has. */
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
		    "a step of %s is the same model, on one token", models[i]);
		graph_free(&all);
		graph_free(&step);
	}
	struct graph g;
	tap_ok(expand("gpt2", NULL, 0, MODEL_STEP, &g) < 0, "no steps without new_tokens");
}

enum { PROMPT = 4, LONG = 7, BATCH = 2, VOCAB = 50 };

static struct engine *engine_of(const char *name, const char *seq, const char *new_tokens,
    struct graph g[ENGINE_PHASES])
{
	const struct binding param[] = { { "seq", seq }, { "new_tokens", new_tokens },
		{ "batch", "2" }, { "layers", "2" }, { "hidden", "48" },
		{ "vocab", "50" } };
	struct engine_config config = { .backend = &backend_ref,
		.device = { .abi = BACKEND_ABI },
		.graph = { &g[MODEL_FORWARD], &g[MODEL_STEP] },
		.rounding = BACKEND_FLOAT64 };
	struct model *m = model_open(name, &fault);
	enum engine_trouble trouble;
	struct engine *e = NULL;

	if (m &&
	    model_expand(m, param, COUNT(param), MODEL_FORWARD, BACKEND_FLOAT64,
	        &g[MODEL_FORWARD], &fault) == 0 &&
	    (*new_tokens == '0' || model_expand(m, param, COUNT(param), MODEL_STEP,
	                               BACKEND_FLOAT64, &g[MODEL_STEP], &fault) == 0))
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

/* The largest difference between the logits after token t and those of the long prompt. */
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
		tap_ok(most < 1e-9, "%s: steps say what a longer prompt says (%g)",
		    models[i], most);
		engine_close(whole);
		engine_close(steps);
	}
}

/* A list of these lines, written to a file. */
static struct model *list_of(const char *lines)
{
	FILE *file = fopen("list.csv", "w");

	if (!file)
		return NULL;
	fprintf(file, "op,out,in,args\nmodel,list,a list,arch=test\n%s", lines);
	fclose(file);
	return model_open("./list.csv", &fault);
}

#define INPUT "input,x,,sizes=4:6\n"

/* Each is refused in one line. */
static void test_refused(void)
{
	static const struct {
		const char *lines, *why;
	} cases[] = {
		{ "", "list.csv:2: model: there is no operation in it" },
		{ INPUT "relux,y,x,\n", "list.csv:4: relux: there is no such word" },
		{ INPUT "relu,y,z,\n", "relu: there is no value 'z'" },
		{ INPUT "relu,y,x,size=3\n", "relu: it has no argument 'size'" },
		{ INPUT "relu,y,x x,\n", "relu: it takes 1 to 1 values, not 2" },
		{ INPUT "relu,y z,x,\n", "relu: it makes 1 values, not 2" },
		{ INPUT "linear,y,x,\n", "linear: it needs out=" },
		{ INPUT "linear,y,x,out=0\n", "it comes to 0, not to a whole number" },
		{ INPUT "linear,y,x,out=1/2\n", "it comes to 0.5, not to a whole number" },
		{ INPUT "linear,y,x,out=1/0\n", "it is no number here" },
		{ INPUT "linear,y,x,out=n\n", "there is no symbol 'n'" },
		{ INPUT "linear,y,x,out=2+\n", "linear: formula '2+'" },
		{ INPUT "linear,y,x,out\n", "'out': it is not name=value" },
		{ INPUT "linear,y,x,out=2 out=3\n", "an argument stands there twice" },
		{ INPUT "linear,y,x,out=2 act=no\n", "act=no: there is none of this name" },
		{ INPUT "linear,y,x,out=2 weight=w\n", "there is no 'w.weight'" },
		{ INPUT "linear,a,x,out=6 name=l\nlinear,b,a,out=6 name=l\n",
		    "there is a 'l.weight' already" },
		{ INPUT "linear,y,x,out=3\nadd,y,x y,\n",
		    "neither the last nor the first" },
		{ "input,x,,sizes=1:2:3:4:5\n", "it needs sizes= of 1 to 4 numbers" },
		{ "input,x,,sizes=1e9:1e9:1e9\n", "would have more than 2^48 elements" },
		{ "input,x,,sizes=1e300\n", "not to a whole number" },
		{ "input,x,,sizes=0-5\n", "not to a whole number" },
		{ "input,x,,sizes=0\n", "a size of 'x' is less than 1" },
		{ "input,x,,sizes=2 dtype=complex\n", "dtype=complex: there is none" },
		{ "input,x,,sizes=2 fill=zero\n", "fill=zero: there is none" },
		{ INPUT "input,x,,sizes=2\n", "there is a 'x' already" },
		{ INPUT "reshape,y,x,sizes=5:5\n", "24 elements do not go into 25" },
		{ INPUT "reshape,y,x,sizes=-1:-1\n", "a size is less than 1" },
		{ INPUT "reshape,y,x,sizes=-1:7\n", "24 elements do not go into 21" },
		{ INPUT "permute,y,x,order=0:0\n", "it does not name each" },
		{ INPUT "permute,y,x,order=1:0\nrelu,z,y,\n",
		    "an operand is not contiguous" },
		{ INPUT "permute,y,x,order=1:0\nreshape,z,y,sizes=24\n", "do not lie so" },
		{ INPUT "slice,y,x,dim=1 from=5 size=2\n", "it has no such part" },
		{ INPUT "slice,y,x,dim=9 size=1\n", "it has no such part" },
		{ INPUT "expand,y,x,sizes=8:6\n", "only a dimension of size 1" },
		{ INPUT "concat,y,x x,dim=2\n", "there are only 2" },
		{ INPUT "conv,y,x,out=1 kernel=1\n", "it takes [N,C,H,W]" },
		{ "input,x,,sizes=1:1:4:4\nconv,y,x,out=1 kernel=5\n", "its window of 5" },
		{ "input,x,,sizes=1:3:4:4\nconv,y,x,out=2 kernel=1 groups=2\n",
		    "do not go into 2 groups" },
		{ "input,x,,sizes=1:1:4:4\npool,y,x,kernel=2 pad=2\n",
		    "more room around it than the kernel" },
		{ INPUT "attention,y,x x x,heads=2\n", "it needs batch=" },
		{ INPUT "attention,y,x x x,heads=4 batch=2\n", "no multiple of the heads" },
		{ INPUT "cache,y,x,batch=2 capacity=1\n",
		    "capacity=1 is less than 2 tokens" },
		{ INPUT "embed,y,x,rows=2 size=2\n", "it takes numbers [batch,tokens]" },
		{ INPUT "topk,y,x,k=7\n", "k is not from 1" },
		{ INPUT "relu,y{,x,\n", "a '}' is missing" },
		{ INPUT "repeat,i,,times=2\nrelu,y,x,\n",
		    "list.csv:4: repeat: its end is missing" },
		{ INPUT "end,,,\n", "there is nothing to end" },
		{ INPUT "repeat,i,,times=1e9\nend,,,\n", "more than 1000000 lines" },
		{ INPUT
		    "repeat,i,,times=1e6\nrepeat,j,,times=1e6\nrelu,y,x,\nend,,,\nend,,,\n",
		    "more than 100000 operations" },
		{ "def,x,x,name=f\nf,x,x,\nend,,,\n" INPUT "f,x,x,\n",
		    "f: it calls itself" },
		{ "def,x,x,name=f\ng,x,x,\nend,,,\ndef,x,x,name=g\nf,x,x,\nend,,,\n" INPUT
		  "f,x,x,\n",
		    "it calls itself" },
		{ "def,y,x,name=f\nend,,,\n" INPUT "f,y,x,\n", "it does not make 'y'" },
		{ "def,x,x,name=f\nend,,,\n" INPUT "f,y,x,n=3\n",
		    "it has no argument 'n'" },
		{ "def,x,x,name=f\nend,,,\n" INPUT "f,y,,\n",
		    "it takes 1 values and makes 1" },
		{ "symbol,n,,value=3\nsymbol,n,,value=3\n",
		    "there is a symbol 'n' already" },
		{ "symbol,step,,value=3\n", "there is a symbol 'step' already" },
		{ "symbol,n,,\n", "symbol: it needs value=" },
		{ "symbol,n,,value=m\n", "there is no symbol 'm'" },
		{ "require,,n is {1+2},value=0\n", "list.csv:3: require: n is 3" },
		{ "a,\"b,c\n", "list.csv" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct model *m = list_of(cases[i].lines);
		struct graph g = { 0 };
		bool made = m && model_expand(m, NULL, 0, MODEL_FORWARD, BACKEND_FLOAT32,
		                     &g, &fault) == 0;

		if (!tap_ok(!made && strstr(fault.text, cases[i].why) &&
		                !strchr(fault.text, '\n') && !g.nodes && !g.values,
		        "refused: %s", cases[i].why))
			printf("# got: %s\n", made ? "a graph" : fault.text);
		graph_free(&g);
		model_close(m);
	}
}

static void test_params(void)
{
	static const struct {
		struct binding param;
		const char *why;
	} cases[] = { { { "n", "many" }, "many" },
		{ { "m", "1" }, "no parameter 'm'; it has n" },
		{ { "n", "0" }, "is less than 1" },
		{ { "n", "-3" }, "not to a whole number" },
		{ { "n", "2.5" }, "not to a whole number" } };
	struct model *m = list_of("symbol,n,,value=3\ninput,x,,sizes=n\nrelu,y,x,\n");
	const struct model_symbol *symbol;
	struct graph g;

	tap_ok(m && model_symbols(m, &symbol) == 1 && strcmp(symbol[0].name, "n") == 0 &&
	           symbol[0].value == 3,
	    "a list has its symbols");
	for (size_t i = 0; m && i < COUNT(cases); i++)
		if (!tap_ok(model_expand(m, &cases[i].param, 1, MODEL_FORWARD,
		                BACKEND_FLOAT32, &g, &fault) < 0 &&
		                strstr(fault.text, cases[i].why),
		        "refused: %s=%s", cases[i].param.name, cases[i].param.value))
			printf("# got: %s\n", fault.text);
	tap_ok(m && model_expand(m, NULL, 0, MODEL_FORWARD, BACKEND_INT8, &g, &fault) < 0 &&
	           strstr(fault.text, "whole numbers"),
	    "int8 is for products only");
	model_close(m);
	tap_ok(!model_open("nosuch", &fault) && strstr(fault.text, "gpt2"),
	    "a model that is not there: %s", fault.text);
	tap_ok(!kernel_open("nosuch", &fault) && strstr(fault.text, "gemm"),
	    "a kernel that is not there");
	tap_ok(!model_open("./nosuch.csv", &fault), "a list that is not there");
}

/* Names, views and blocks of a small list, value by value. */
static void test_expansion(void)
{
	static const struct {
		const char *name;
		int64_t size[2], stride[2], offset;
		const char *of;
	} want[] = {
		{ "x", { 2, 6 }, { 6, 1 }, 0, "x" },
		{ "part.0.up.weight", { 8, 6 }, { 6, 1 }, 0, "part.0.up.weight" },
		{ "part.1.up", { 2, 8 }, { 8, 1 }, 0, "part.1.up" },
		{ "half.view", { 2, 4 }, { 8, 1 }, 4, "part.1.add" },
		{ "turned.view", { 4, 2 }, { 1, 8 }, 4, "part.1.add" },
		{ "move", { 4, 2 }, { 2, 1 }, 0, "move" },
	};
	struct model *m = list_of(
	    "symbol,n,,value=2\n"
	    "def,y,x,name=widen to=1 act=relu\nlinear,y,x,name=up out=to act={act}\n"
	    "add,y,y y,\nend,,,\n"
	    "input,x,,sizes=2:6\n"
	    "repeat,i,,name=part times=n\nwiden,x,x,to=8 act=gelu\nend,,,\n"
	    "linear,never,x,out=5 when=i_is==0\n"
	    "slice,half,x,dim=1 from=4 size=4\npermute,turned,half,order=1:0\n"
	    "move,turned,turned,\noutput,,turned,\n");
	struct graph g = { 0 };

	tap_ok(
	    m && model_expand(m, NULL, 0, MODEL_FORWARD, BACKEND_FLOAT32, &g, &fault) < 0 &&
	        strstr(fault.text, "list.csv:12: linear: there is no symbol 'i_is'"),
	    "a symbol that is nowhere");
	model_close(m);
	m = list_of(
	    "symbol,n,,value=2\n"
	    "def,y,x,name=widen to=1 act=relu\nlinear,y,x,name=up out=to act={act}\n"
	    "add,y,y y,\nend,,,\n"
	    "input,x,,sizes=2:6\n"
	    "repeat,i,,name=part times=n\nwiden,x,x,to=8 act=gelu\nend,,,\n"
	    "linear,never,x,out=5 when=n>2\n"
	    "slice,half,x,dim=1 from=4 size=4\npermute,turned,half,order=1:0\n"
	    "move,turned,turned,\noutput,,turned,\n");
	tap_ok(
	    m && model_expand(m, NULL, 0, MODEL_FORWARD, BACKEND_FLOAT32, &g, &fault) == 0,
	    "a small list");
	for (size_t i = 0; i < COUNT(want); i++) {
		uint32_t at = graph_find(&g, want[i].name);
		const struct graph_value *v = &g.value[at];

		tap_ok(at != GRAPH_NONE && v->dims == 2 && v->size[0] == want[i].size[0] &&
		           v->size[1] == want[i].size[1] &&
		           v->stride[0] == want[i].stride[0] &&
		           v->stride[1] == want[i].stride[1] &&
		           v->offset == want[i].offset &&
		           strcmp(g.value[v->of].name, want[i].of) == 0,
		    "%s has its place", want[i].name);
	}
	tap_ok(g.nodes == 5 && g.node[0].op.act == BACKEND_GELU &&
	           strcmp(g.node[2].name, "part.1.up") == 0 &&
	           strcmp(g.node[2].word, "linear") == 0,
	    "the operations have theirs");
	tap_ok(g.params == 8 * 6 + 8 + 8 * 8 + 8 && g.macs == 2 * 8 * 6 + 2 * 8 * 8 &&
	           g.flops == 2 * g.macs + 2 * 2 * 8,
	    "parameters, MACs and flops add up");
	tap_text(g.input_shape, "2x6", "the shape of the input");
	graph_free(&g);
	model_close(m);
}

int main(void)
{
	test_counts();
	test_names();
	test_phases();
	test_steps();
	if (!scratch_begin())
		return 2;
	test_refused();
	test_params();
	test_expansion();
	scratch_end();
	return tap_end();
}
