/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Packs the weights of convolutions; see cpu_qconv.h.
 *
 * AVX2 multiplies bytes without a sign by weights of 8 bits and adds two products in 16
 * bits. These hold every such sum if the two weights add up to at most QTILE_PAIR_MOST. Few
 * pairs of trained weights exceed it. The excess is kept apart and multiplied on its own,
 * so the sums are exact.
 */
#include <stdlib.h>
#include <string.h>

#include "cpu_qconv_priv.h"

/* The share of words of weights with a rest, 1 / RESTS_SHARE, above which products of 16
 * bits are faster. */
enum { RESTS_SHARE = 4 };

/* Packs a group: the panels of its channels, in which missing channels are zero. */
static void group_pack(
    const struct conv_sizes *c, int64_t words, const int8_t *weight, uint32_t *to)
{
	for (int64_t o = 0; o < c->outs; o++)
		for (int64_t i = 0; i < c->channels * c->taps; i++) {
			const int64_t channel = i / c->taps, tap = i % c->taps;
			const int64_t d = channel / 4 * c->taps + tap;
			const int64_t word = (o / QTILE_ROWS * c->depth + d) * words;
			const int64_t row = o % QTILE_ROWS;
			const int8_t w = weight[o * c->channels * c->taps + i];
			if (words == 1)
				((int8_t *)(to + word * QTILE_ROWS + row))[channel % 4] = w;
			else
				((int16_t *)(to + (word + channel % 2) * QTILE_ROWS +
				             row))[channel % 4 / 2] = w;
		}
}

/* Packs all groups. Returns NULL if there is no memory. */
static uint32_t *panels_pack(struct backend_session *s, const struct backend_op *op,
    const struct conv_sizes *c, int64_t words)
{
	const int64_t group = c->panels * c->depth * words * QTILE_ROWS;
	const size_t bytes = (size_t)(c->groups * group) * sizeof(uint32_t);
	uint32_t *panels = cpu_alloc(s, bytes);
	if (!panels)
		return NULL;
	memset(panels, 0, bytes);
	for (int64_t g = 0; g < c->groups; g++)
		group_pack(c, words,
		    cpu_i8(op->in[1]) + g * c->outs * c->channels * c->taps,
		    panels + g * group);
	return panels;
}

/* Returns how many words of some panels have a rest. */
static int64_t count_rests(const uint32_t *panels, int64_t words)
{
	int64_t count = 0;
	for (int64_t i = 0; i < words; i++) {
		uint32_t word = panels[i], rest;
		count += cpu_qtile_split(&word, &rest);
	}
	return count;
}

/* Splits the words of all panels. Returns false if there is no memory. */
static bool panels_split(struct backend_session *s, const struct conv_sizes *c,
    struct packed_conv *own, int64_t rests)
{
	const int64_t panels = c->groups * c->panels, words = c->depth * QTILE_ROWS;
	struct cpu_qrest *to = cpu_alloc(s, (size_t)(rests + 1) * sizeof(*to));
	own->rest = to;
	own->rest_begin = cpu_alloc(s, (size_t)(panels + 1) * sizeof(*own->rest_begin));
	if (!own->rest || !own->rest_begin)
		return false;
	for (int64_t p = 0; p < panels; p++) {
		own->rest_begin[p] = to - own->rest;
		for (int64_t i = 0; i < words; i++) {
			const int64_t row = i / c->depth, quad = i % c->depth;
			*to = (struct cpu_qrest){ .quad = (int32_t)quad,
				.row = (int32_t)row };
			to += cpu_qtile_split(
			    &own->panels[p * words + quad * QTILE_ROWS + row],
			    &to->weights);
		}
	}
	own->rest_begin[panels] = to - own->rest;
	return true;
}

/* Packs the panels in bytes if a function multiplies these faster, and otherwise in 16
 * bits. Returns false if there is no memory. */
static bool own_pack(struct backend_session *s, const struct backend_op *op,
    const struct conv_sizes *c, struct packed_conv *own)
{
	const int64_t words = c->groups * c->panels * c->depth * QTILE_ROWS;
	cpu_qtile_run *const byte_tile = s->isa->quantizing.byte_tile;
	const bool vnni = cpu_uses_vnni(s);
	own->run = cpu_qtile_of(s, &own->finishes);
	own->words = vnni || byte_tile ? 1 : 2;
	own->panels = panels_pack(s, op, c, own->words);
	if (!own->panels || vnni || !byte_tile)
		return own->panels != NULL;
	const int64_t rests = count_rests(own->panels, words);
	if (rests <= words / RESTS_SHARE) {
		own->run = byte_tile;
		return panels_split(s, c, own, rests);
	}
	cpu_free(s, own->panels);
	own->words = 2;
	own->panels = panels_pack(s, op, c, own->words);
	return own->panels != NULL;
}

static void own_free(struct backend_session *s, struct packed_conv *own)
{
	cpu_free(s, own->sums);
	cpu_free(s, own->panels);
	cpu_free(s, own->rest);
	cpu_free(s, own->rest_begin);
	free(own);
}

static struct packed_conv *conv_pack(
    struct backend_session *s, const struct backend_op *op, const struct conv_sizes *c)
{
	struct packed_conv *own = calloc(1, sizeof(*own));
	if (!own)
		return NULL;
	own->groups = c->groups;
	own->sums =
	    cpu_qsums(s, cpu_i8(op->in[1]), c->groups * c->outs, c->channels * c->taps);
	if (!own->sums || !own_pack(s, op, c, own)) {
		own_free(s, own);
		return NULL;
	}
	return own;
}

int cpu_qconv_prepare(struct backend_session *s, struct backend_op *op, char *why)
{
	const struct conv_sizes c = cpu_conv_sizes(s, op);
	struct packed_conv *own = op->in[1]->own;
	/* A weight that is also used with other groups is packed again. */
	if (!own || own->groups != c.groups) {
		struct packed_conv *made = conv_pack(s, op, &c);
		if (!made)
			return hook_fail(why, "out of memory for packed weights");
		if (!own)
			op->in[1]->own = made;
		own = made;
	}
	own->users++;
	op->own = own;
	return 0;
}

void cpu_qconv_release(struct backend_session *s, struct backend_op *op)
{
	struct packed_conv *own = op->own;
	op->own = NULL;
	if (--own->users)
		return;
	if (op->in[1]->own == own)
		op->in[1]->own = NULL;
	own_free(s, own);
}
