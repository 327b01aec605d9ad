/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Infers the shapes of the values of an ONNX graph, computes ("folds") small tensors that
 * become shapes, and counts multiply-adds. Pure.
 *
 * Open dimensions of the inputs are symbols, which have a value before the shapes are
 * inferred, so a shape is either known in full or unknown. A shape is unknown if it depends
 * on data (NonZero), if the operator is not in the table of onnx_rules.c, or if the node
 * contradicts its operator.
 *
 * Fused operators, such as QLinearConv, are replaced by standard ones (onnx_expand.c). An
 * If whose condition is known is replaced by the nodes of its branch, and a Loop or Scan
 * whose number of steps is known by these steps (onnx_unroll.h). Other graphs inside nodes
 * are not inferred.
 */
#ifndef ONNX_ONNX_SHAPES_H
#define ONNX_ONNX_SHAPES_H

#include "base/hash_map.h"
#include "onnx/onnx_model.h"

/* A name for an open dimension of the inputs: its name in the file, or "INPUT.0" for the
 * unnamed first dimension of INPUT, and so on. Or the name of an input that is a number. */
struct onnx_symbol {
	const char *name;
	const char *longer; /* another name: "INPUT.0", or "INPUT.value" of a number */
	int64_t size; /* 0: not set; 1 for first dimensions before onnx_symbols_set() */
	/* It is an input that is a whole number or truth value, or a list of them, all of
	 * which are `size`: 1 before onnx_symbols_set(), which may set any. */
	bool is_number, is_set;
};

struct onnx_symbols {
	struct onnx_symbol *item;
	size_t count, capacity;
	struct arena arena; /* private */
	struct hash_map map;
};

/* Finds the symbols of a model, in the order of the inputs. */
void onnx_symbols_find(const struct onnx_model *m, struct onnx_symbols *out);
void onnx_symbols_free(struct onnx_symbols *s);
/* Sets a symbol. Returns 1, 0 if there is no such symbol, or -1 and the message if the
 * value is no size. */
int onnx_symbols_set(
    struct onnx_symbols *s, const char *name, const char *value, struct fault *f);

/* Returns the symbol of an input that is a whole number or truth value, or a list of them;
 * or NULL. */
const struct onnx_symbol *onnx_symbols_number(
    const struct onnx_symbols *s, const struct onnx_value *v);

/* Returns the size of a dimension of an input or another declared value; -1: unknown. */
int64_t onnx_symbols_size(
    const struct onnx_symbols *s, const struct onnx_value *v, uint32_t dim);

/* A value, with its type, shape and elements as far as they are known. */
struct onnx_fact {
	struct text name;
	int64_t type; /* enum onnx_type; 0: unknown */
	bool has_shape;
	uint32_t dims;
	const int64_t *dim;
	/* The elements, if onnx_fact_known() returned true: the first for integers and
	 * bool, the second for floating-point numbers. */
	const int64_t *integer;
	const double *real;
	const struct onnx_tensor *tensor; /* that has these elements, in their order */
	const struct onnx_node *node;     /* that computes it; NULL: input or initializer */
	const struct onnx_node *lost;     /* where the shape became unknown; NULL: known */
};

/* Returns the number of elements of a value whose shape is known. */
int64_t onnx_fact_elements(const struct onnx_fact *v);

/* Returns an element of a value whose elements are known. */
static inline double onnx_fact_number(const struct onnx_fact *v, int64_t i)
{
	return v->integer ? (double)v->integer[i] : v->real[i];
}

struct onnx_shapes {
	struct onnx_fact *fact; /* in the order of definition */
	size_t facts;
	/* The nodes that compute them, in their order. */
	const struct onnx_node **node;
	size_t nodes, node_capacity;
	bool has_macs;
	double macs; /* of matrix products and convolutions; see graph_count.h */
	/* If !has_macs: which node is the reason, and why. */
	struct fault why;
	/* The first node that contradicts its operator, and how; NULL: none. */
	const struct onnx_node *wrong_node;
	struct fault wrong;
	/* Private. */
	struct arena arena;
	struct hash_map map;
	size_t capacity;
	/* Elements of all folded tensors, and elements that were read for them. */
	size_t folded, fold_max, folded_max;
	double fold_work, fold_work_max;
};

/*
 * Infers all shapes. fold_max limits the elements of a tensor that is folded; 4096 is
 * enough for shapes. ones: by number, which inputs are constants of ones; NULL: none.
 * Returns 0, or -1 and the message if a node uses a value that is not defined before it, or
 * if a value is defined twice. The result refers to the model.
 */
int onnx_shapes_make(const struct onnx_model *m, const struct onnx_symbols *symbols,
    size_t fold_max, const bool *ones, struct onnx_shapes *out, struct fault *f);
void onnx_shapes_free(struct onnx_shapes *s);
/* Returns whether the elements of a value are known. Reads them from the tensor if they
 * were not asked for before. */
bool onnx_fact_known(struct onnx_shapes *s, const struct onnx_fact *v);
/* Returns what is known about a value, or NULL if there is no value of this name. */
const struct onnx_fact *onnx_shapes_of(const struct onnx_shapes *s, struct text name);

#endif
