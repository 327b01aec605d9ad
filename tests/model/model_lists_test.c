/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks model lists that are written for the test: invalid ones, parameters, and the
 * expansion of a small list, value by value.
 */
#include <stdlib.h>

#include "model/model.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tap.h"

static struct fault fault;
static const struct model_expand_opts in_float32 = { .dtype = BACKEND_FLOAT32 };

/* Writes a list with these lines to a file, and opens it. */
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

/* Checks that each invalid list is rejected with a message of one line. */
static void test_refused(void)
{
	static const struct {
		const char *lines, *why;
	} cases[] = {
		{ "", "list.csv:2: model: the list has no operation" },
		{ INPUT "relux,y,x,\n", "list.csv:4: relux: no such word" },
		{ INPUT "relu,y,z,\n", "relu: there is no value 'z'" },
		{ INPUT "relu,y,x,size=3\n", "relu: has no argument 'size'" },
		{ INPUT "relu,y,x x,\n", "relu: takes 1 value, not 2" },
		{ INPUT "relu,y z,x,\n", "relu: makes at most 1 value, not 2" },
		{ INPUT "linear,y,x,\n", "linear: needs the argument out=" },
		{ INPUT "linear,y,x,out=0\n", "out=0: its value is 0, not a whole number" },
		{ INPUT "linear,y,x,out=1/2\n", "its value is 0.5, not a whole number" },
		{ INPUT "linear,y,x,out=1/0\n", "out=1/0: its value is not a number" },
		{ INPUT "linear,y,x,out=n\n", "there is no symbol 'n'" },
		{ INPUT "linear,y,x,out=2+\n", "linear: formula '2+'" },
		{ INPUT "linear,y,x,out\n", "argument 'out' is not name=value" },
		{ INPUT "linear,y,x,out=2 out=3\n", "an argument is given twice" },
		{ INPUT "linear,y,x,out=2 act=no\n",
		    "act=no: no such activation function" },
		{ INPUT "linear,y,x,out=2 act=exp\n",
		    "linear: no operation but add and mul ends in this function" },
		{ INPUT "linear,y,x,out=2 weight=w\n", "there is no 'w.weight'" },
		{ INPUT "linear,a,x,out=6 name=l\nlinear,b,a,out=6 name=l\n",
		    "the name 'l.weight' exists already" },
		{ INPUT "linear,y,x,out=3\nadd,y,x y,\n",
		    "neither the last nor the first" },
		{ "input,x,,sizes=1:2:3:4:5\n",
		    "needs the argument sizes= with 1 to 4 numbers" },
		{ "input,x,,sizes=1e9:1e9:1e9\n", "'x' has more than 2^48 elements" },
		{ "input,x,,sizes=1e300\n", "not a whole number" },
		{ "input,x,,sizes=0-5\n", "value is -5, not a whole number" },
		{ "input,x,,sizes=0\n", "a size of 'x' is less than 1" },
		{ "input,x,,sizes=2 dtype=complex\n",
		    "dtype=complex: no such element type" },
		{ "input,x,,sizes=2 fill=zero\n", "fill=zero: no such way to fill" },
		{ INPUT "input,x,,sizes=2\n", "the name 'x' exists already" },
		{ INPUT "reshape,y,x,sizes=5:5\n", "24 elements do not fit sizes of 25" },
		{ INPUT "reshape,y,x,sizes=-1:-1\n", "sizes= has a size below 1" },
		{ INPUT "reshape,y,x,sizes=-1:7\n", "24 elements do not fit sizes of 21" },
		{ INPUT "permute,y,x,order=0:0\n", "order= does not name each" },
		{ INPUT "permute,y,x,order=1:0\nrelu,z,y,\n",
		    "an operand is not contiguous" },
		{ INPUT "permute,y,x,order=1:0\nreshape,z,y,sizes=24\n",
		    "the operand is not contiguous" },
		{ INPUT "slice,y,x,dim=1 from=5 size=2\n",
		    "2 places from 5 are not inside dimension 1" },
		{ INPUT "slice,y,x,dim=9 size=1\n", "are not inside dimension 9" },
		{ INPUT "expand,y,x,sizes=8:6\n", "only dimensions of size 1" },
		{ INPUT "concat,y,x x,dim=2\n", "dim= is not below 2" },
		{ INPUT "conv,y,x,out=1 kernel=1\n", "the operand is not [N,C,H,W]" },
		{ "input,x,,sizes=1:1:4:4\nconv,y,x,out=1 kernel=5\n",
		    "the window of 5 is larger" },
		{ "input,x,,sizes=1:3:4:4\nconv,y,x,out=2 kernel=1 groups=2\n",
		    "cannot be divided into 2 groups" },
		{ "input,x,,sizes=1:1:4:4\npool,y,x,kernel=2 pad=2\n",
		    "pad= is not smaller than the kernel" },
		{ INPUT "attention,y,x x x,heads=2\n", "needs the argument batch=" },
		{ INPUT "attention,y,x x x,heads=4 batch=2\n",
		    "not a multiple of the heads" },
		{ INPUT "cache,y,x,batch=2 capacity=1\n",
		    "capacity=1 is less than 2 tokens" },
		{ INPUT "embed,y,x,rows=2 size=2\n", "the operand is not [batch,tokens]" },
		{ INPUT "topk,y,x,k=7\n", "k= is not from 1" },
		{ INPUT "relu,y{,x,\n", "a '}' is missing" },
		{ INPUT "repeat,i,,times=2\nrelu,y,x,\n",
		    "list.csv:4: repeat: the end of the block is missing" },
		{ INPUT "end,,,\n", "no block to end" },
		{ INPUT "repeat,i,,times=1e9\nend,,,\n", "more than 1000000 lines" },
		{ INPUT
		    "repeat,i,,times=1e6\nrepeat,j,,times=1e6\nrelu,y,x,\nend,,,\nend,,,\n",
		    "more than 100000 operations" },
		{ "def,x,x,name=f\nf,x,x,\nend,,,\n" INPUT "f,x,x,\n",
		    "f: the definition calls itself" },
		{ "def,x,x,name=f\ng,x,x,\nend,,,\ndef,x,x,name=g\nf,x,x,\nend,,,\n" INPUT
		  "f,x,x,\n",
		    "the definition calls itself" },
		{ "def,y,x,name=f\nend,,,\n" INPUT "f,y,x,\n",
		    "the definition does not make 'y'" },
		{ "def,x,x,name=f\nend,,,\n" INPUT "f,y,x,n=3\n", "has no argument 'n'" },
		{ "def,x,x,name=f\nend,,,\n" INPUT "f,y,,\n",
		    "takes 1 value and makes 1" },
		{ "symbol,n,,value=3\nsymbol,n,,value=3\n",
		    "the symbol 'n' exists already" },
		{ "symbol,step,,value=3\n", "the symbol 'step' exists already" },
		{ "symbol,n,,\n", "symbol: needs the argument value=" },
		{ "symbol,n,,value=m\n", "there is no symbol 'm'" },
		{ "require,,n is {1+2},value=0\n", "list.csv:3: require: n is 3" },
		{ "a,\"b,c\n", "list.csv" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct model *m = list_of(cases[i].lines);
		struct graph g = { 0 };
		bool made = m && model_expand(m, &in_float32, &g, &fault) == 0;

		if (!tap_ok(!made && strstr(fault.text, cases[i].why) &&
		                !strchr(fault.text, '\n') && !g.nodes && !g.values,
		        "an invalid list is rejected with: %s", cases[i].why))
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
		{ { "n", "0" }, "is less than 1" }, { { "n", "-3" }, "not a whole number" },
		{ { "n", "2.5" }, "not a whole number" } };
	struct model *m = list_of("symbol,n,,value=3\ninput,x,,sizes=n\nrelu,y,x,\n");
	const struct model_symbol *symbol;
	struct graph g;

	tap_ok(m && model_symbols(m, &symbol) == 1 && strcmp(symbol[0].name, "n") == 0 &&
	           symbol[0].value == 3,
	    "model_symbols returns the symbols of a list");
	for (size_t i = 0; m && i < COUNT(cases); i++) {
		const struct model_expand_opts opts = {
			.param = &cases[i].param, .params = 1, .dtype = BACKEND_FLOAT32
		};

		if (!tap_ok(model_expand(m, &opts, &g, &fault) < 0 &&
		                strstr(fault.text, cases[i].why),
		        "model_expand rejects the parameter %s=%s", cases[i].param.name,
		        cases[i].param.value))
			printf("# got: %s\n", fault.text);
	}
	tap_ok(m &&
	           model_expand(m, &(struct model_expand_opts){ .dtype = BACKEND_INT32 },
	               &g, &fault) < 0 &&
	           strstr(fault.text, "whole numbers"),
	    "model_expand rejects whole numbers for an operation that is not a product");
	model_close(m);
	tap_ok(!model_open("gpt3", &fault) && strstr(fault.text, "gpt2"),
	    "model_open reports an unknown model: %s", fault.text);
	tap_ok(!kernel_open("nosuch", &fault) && strstr(fault.text, "gemm"),
	    "kernel_open reports an unknown kernel");
	tap_ok(!model_open("./nosuch.csv", &fault), "model_open reports a missing file");
}

/* Checks the names, views and blocks of a small list, value by value. */
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

	tap_ok(m && model_expand(m, &in_float32, &g, &fault) < 0 &&
	           strstr(fault.text, "list.csv:12: linear: there is no symbol 'i_is'"),
	    "model_expand reports an unknown symbol with its line");
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
	tap_ok(m && model_expand(m, &in_float32, &g, &fault) == 0,
	    "model_expand expands a small list");
	for (size_t i = 0; i < COUNT(want); i++) {
		uint32_t at = graph_find(&g, want[i].name);
		const struct graph_value *v = &g.value[at];

		tap_ok(at != GRAPH_NONE && v->dims == 2 && v->size[0] == want[i].size[0] &&
		           v->size[1] == want[i].size[1] &&
		           v->stride[0] == want[i].stride[0] &&
		           v->stride[1] == want[i].stride[1] &&
		           v->offset == want[i].offset &&
		           strcmp(g.value[v->of].name, want[i].of) == 0,
		    "the value %s has its sizes, strides and offset", want[i].name);
	}
	tap_ok(g.nodes == 5 && g.node[0].op.act == BACKEND_GELU &&
	           strcmp(g.node[2].name, "part.1.up") == 0 &&
	           strcmp(g.node[2].word, "linear") == 0,
	    "the operations have their names, words and activations");
	tap_ok(g.params == 8 * 6 + 8 + 8 * 8 + 8 && g.macs == 2 * 8 * 6 + 2 * 8 * 8 &&
	           g.flops == 2 * g.macs + 2 * 2 * 8,
	    "parameters, MACs and flops are summed over the graph");
	tap_text(g.input_shape, "2x6", "a graph has the shape of its first input");
	graph_free(&g);
	model_close(m);
}

int main(void)
{
	if (!scratch_begin())
		return 2;
	test_refused();
	test_params();
	test_expansion();
	scratch_end();
	return tap_end();
}
