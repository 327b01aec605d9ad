/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the graphs of lists in int8: which products are quantized, how they are counted,
 * and which lists are refused.
 */
#include "graph/graph_quantize.h"
#include "model/model.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tap.h"

static struct fault fault;

/* Expands a list with these lines in int8. Returns the status of model_expand. */
static int expand(const char *word, const char *lines, struct graph *g)
{
	FILE *file = fopen("list.csv", "w");
	struct model *m;
	int status;

	if (!file)
		return 1;
	fprintf(file, "op,out,in,args\n%s,list,a list,arch=test\n%s", word, lines);
	fclose(file);
	m = model_open("./list.csv", &fault);
	status = m ? model_expand(
	                 m, &(struct model_expand_opts){ .dtype = BACKEND_INT8 }, g, &fault)
	           : 1;
	model_close(m);
	return status;
}

static const struct graph_value *value_of(const struct graph *g, const char *name)
{
	const uint32_t number = graph_find(g, name);

	return number == GRAPH_NONE ? NULL : &g->value[number];
}

static void test_quantized(void)
{
	struct graph g = { 0 };
	const struct graph_value *rows, *scales;

	/* A table that is also the weight of the last product, as in language models. */
	if (!tap_ok(expand("model",
	                "input,ids,,sizes=2:4 dtype=int32 fill=below spread=5\n"
	                "embed,x,ids,name=table rows=5 size=8\n"
	                "linear,y,x,name=up out=8 act=gelu\n"
	                "linear,y,y,name=head out=5 weight=table bias=0\n"
	                "output,,y,\n",
	                &g) == 0,
	        "a list with products is expanded in int8")) {
		printf("# %s\n", fault.text);
		return;
	}
	rows = value_of(&g, "table.weight.int8");
	scales = value_of(&g, "table.weight.scale");
	tap_ok(g.nodes == 3 && g.node[0].op.kind == BACKEND_GATHER &&
	           g.node[1].op.kind == BACKEND_QGEMM &&
	           g.node[2].op.kind == BACKEND_QGEMM &&
	           g.value[g.node[0].in[0]].dtype == BACKEND_FLOAT32,
	    "products are quantized, and a lookup of a shared weight is not");
	tap_ok(rows && rows->dtype == BACKEND_INT8 && rows->dims == 2 &&
	           rows->size[0] == 5 && rows->size[1] == 8 && scales &&
	           scales->dtype == BACKEND_FLOAT32 && scales->dims == 1 &&
	           scales->size[0] == 5,
	    "a quantized weight has one scale for each output channel");
	tap_ok(g.params == 5 * 8 + 8 * 8 + 8,
	    "the parameters are those of the model, counted once");
	/* Eight rows; weights take a byte, all else takes four. */
	tap_ok(g.node[1].bytes == 4 * 8 * 8 + 8 * 8 + 4 * 8 + 4 * 8 + 4 * 8 * 8 &&
	           g.node[1].macs == 8 * 8 * 8,
	    "the bytes of a product count a byte for each weight");
	tap_ok(graph_quantized_share(&g) == 1, "all MACs of this list are in int8");
	graph_free(&g);
}

static void test_convolutions(void)
{
	struct graph g = { 0 };
	const struct graph_value *rows, *scales;

	if (!tap_ok(expand("model",
	                "input,x,,sizes=1:3:32:32\n"
	                "conv,y,x,name=full out=8 kernel=3\n"
	                "conv,y,y,name=half out=6 kernel=3 groups=2\n"
	                "conv,y,y,name=each out=6 kernel=3 groups=6\n"
	                "output,,y,\n",
	                &g) == 0,
	        "a list with convolutions is expanded in int8")) {
		printf("# %s\n", fault.text);
		return;
	}
	rows = value_of(&g, "half.weight.int8");
	scales = value_of(&g, "half.weight.scale");
	tap_ok(g.nodes == 3 && g.node[0].op.kind == BACKEND_QCONV &&
	           g.node[1].op.kind == BACKEND_QCONV && g.node[2].op.kind == BACKEND_CONV,
	    "convolutions are quantized, except those of single channels");
	tap_ok(rows && rows->dtype == BACKEND_INT8 && rows->dims == 4 &&
	           rows->size[0] == 6 && rows->size[1] == 4 && rows->row == 36 && scales &&
	           scales->dtype == BACKEND_FLOAT32 && scales->dims == 1 &&
	           scales->size[0] == 6,
	    "a quantized filter has one scale for each output channel");
	tap_ok(g.node[0].macs == 8 * 30 * 30 * 27 &&
	           g.node[0].bytes ==
	               4 * 3 * 32 * 32 + 8 * 27 + 4 * 8 + 4 * 8 + 4 * 8 * 30 * 30,
	    "the bytes of a convolution count a byte for each weight");
	graph_free(&g);
}

static void test_experts(void)
{
	struct graph g = { 0 };
	const struct graph_value *rows, *scales;

	if (!tap_ok(expand("model",
	                "input,x,,sizes=3:8\n"
	                "linear,s,x,name=router out=5 bias=0\n"
	                "route,share chosen,s,k=1\n"
	                "experts,y,x chosen,name=up experts=5 out=6\n"
	                "output,,y,\n",
	                &g) == 0,
	        "a list with experts is expanded in int8")) {
		printf("# %s\n", fault.text);
		return;
	}
	rows = value_of(&g, "up.weight.int8");
	scales = value_of(&g, "up.weight.scale");
	tap_ok(g.nodes == 3 && g.node[2].op.kind == BACKEND_QEXPERTS && rows &&
	           rows->dtype == BACKEND_INT8 && rows->dims == 3 && rows->row == 8 &&
	           scales && scales->dims == 2 && scales->size[0] == 5 &&
	           scales->size[1] == 6 && scales->stride[0] == 6,
	    "experts are quantized, with one scale for each row of each expert");
	/* Three tokens choose at most three of five experts. */
	tap_ok(g.node[2].bytes == 4 * 3 * 8 + 3 * 6 * 8 + 4 * 3 + 4 * 3 * 6 + 4 * 3 * 6,
	    "the bytes of experts are those of the experts that can be chosen");
	graph_free(&g);
}

static void test_refused(void)
{
	struct graph g = { 0 };

	tap_ok(expand("model",
	           "input,x,,sizes=1:8:32:32\nconv,y,x,out=8 kernel=3 groups=8\n"
	           "pool,y,y,mode=average\nreshape,y,y,sizes=1:8\nlinear,y,y,out=4\n"
	           "output,,y,\n",
	           &g) == MODEL_UNSUPPORTED &&
	           strstr(fault.text, "have only 0.049% of the multiply-adds") && !g.nodes,
	    "a list that is mostly convolutions of single channels is not called int8: %s",
	    fault.text);
	tap_ok(expand("model",
	           "input,x,,sizes=4:6\ninput,w,,sizes=6:5\nmatmul,y,x w,\noutput,,y,\n",
	           &g) == MODEL_UNSUPPORTED,
	    "a product without a constant weight is not quantized");
}

int main(void)
{
	if (!scratch_begin())
		return 2;
	test_quantized();
	test_convolutions();
	test_experts();
	test_refused();
	return tap_end();
}
