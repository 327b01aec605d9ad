/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generates tokens; see whole_tokens.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helper_io.h"
#include "translate/onnx_export.h"
#include "whole_tokens.h"

/* Finds the value with the new tokens of all samples. */
static void find_next(struct whole_tokens *t)
{
	const struct graph *g = exported_list_graph(t->prompt->list);

	for (uint32_t i = 0; i < g->values && !t->next; i++)
		if (g->value[i].role == BACKEND_STATE && g->value[i].of == i &&
		    g->value[i].dtype == BACKEND_INT32) {
			t->next = str_copy(g->value[i].name);
			t->count = (size_t)graph_elements(&g->value[i]);
			t->drawn = mem_zero(t->count + 1, sizeof(*t->drawn));
		}
	if (!t->next)
		helper_give_up(HELPER_FAILED, "the list of the model makes no new tokens");
}

/* Connects a state: the output of the prompt with the input of the step, and the output of
 * the step with its input. */
static void connect_state(struct whole_tokens *t, size_t input)
{
	char name[BACKEND_PORT_NAME + sizeof(ONNX_EXPORT_AFTER)], why[BACKEND_WHY + 1] = "";
	size_t output;

	snprintf(name, sizeof(name), "%s%s", t->step->port[input].name, ONNX_EXPORT_AFTER);
	output = whole_pass_find(t->prompt, name, true);
	if (output < t->prompt->ports) {
		t->state[t->states].from = output;
		t->state[t->states++].to = input;
	}
	output = whole_pass_find(t->step, name, true);
	if (output < t->step->ports &&
	    t->step->backend->engine->carry(t->step->model, output, input, why) < 0)
		helper_give_up(HELPER_FAILED, "%s: %s", name, why);
}

void whole_tokens_open(struct whole_tokens *t)
{
	find_next(t);
	t->past = graph_cached(exported_list_graph(t->prompt->list));
	if (!t->step)
		return;
	t->state = mem_zero(t->step->ports + 1, sizeof(*t->state));
	t->past_port = whole_pass_find(t->step, ONNX_EXPORT_PAST, false);
	for (size_t i = 0; i < t->step->ports && !t->step->port[i].output; i++)
		connect_state(t, i);
}

void whole_tokens_close(struct whole_tokens *t)
{
	free(t->next);
	free(t->drawn);
	free(t->state);
}

void whole_tokens_run_prompt(struct whole_tokens *t)
{
	whole_pass_run(t->prompt);
	t->fresh = true;
}

/* Gives the step the states of the prompt. */
static void hand_states(struct whole_tokens *t)
{
	for (size_t i = 0; i < t->states; i++)
		whole_pass_adopt(t->step, t->state[i].to, t->prompt, t->state[i].from);
	t->fresh = false;
}

void whole_tokens_run_step(struct whole_tokens *t, int64_t past)
{
	if (t->fresh)
		hand_states(t);
	if (t->past_port < t->step->ports)
		whole_pass_set(t->step, t->past_port, NULL, &past, sizeof(past));
	whole_pass_run(t->step);
}

void whole_tokens_take(struct whole_tokens *t, const struct whole_pass *from)
{
	struct fault f;

	if (whole_pass_read(from, t->next, true, t->drawn, t->count, &f) < 0)
		helper_give_up(HELPER_FAILED, "%s", f.text);
}
