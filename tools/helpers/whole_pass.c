/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads and runs models on engines; see whole_pass.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/integer_type.h"
#include "graph/dtype.h"
#include "helper_io.h"
#include "helper_job.h"
#include "translate/onnx_export.h"
#include "whole_pass.h"

static _Noreturn void give_up(const char *what, const char *why)
{
	helper_give_up(HELPER_FAILED, "%s: %s", what, why);
}

static void list_ports(struct whole_pass *p)
{
	char why[BACKEND_WHY + 1] = "";
	int count = p->backend->engine->ports(p->model, NULL, 0, why);

	if (count < 0)
		give_up(helper_job.symbol, why);
	p->ports = (size_t)count;
	p->port = mem_zero(p->ports + 1, sizeof(*p->port));
	if (p->backend->engine->ports(p->model, p->port, p->ports, why) != count)
		give_up(helper_job.symbol, *why ? why : "its inputs cannot be listed");
}

void whole_pass_load(struct whole_pass *p, struct backend_session *session,
    struct backend_model_source source)
{
	char why[BACKEND_WHY + 1] = "";
	struct fault f;

	if (p->list && exported_list_write(p->list, &source, &f) < 0)
		helper_give_up(
		    HELPER_SKIPPED, "it cannot be expressed in ONNX: %s", f.text);
	p->load_start_ns = clock_monotonic_ns();
	p->model = p->backend->engine->load(session, &source, why);
	p->load_ns = clock_elapsed_ns(p->load_start_ns);
	if (p->list && !source.profile)
		exported_list_drop(p->list);
	if (!p->model && p->list)
		helper_give_up(HELPER_SKIPPED, "%s", why);
	if (!p->model)
		give_up(helper_job.symbol, why);
	list_ports(p);
}

void whole_pass_close(struct whole_pass *p)
{
	if (p->model)
		p->backend->engine->unload(p->model);
	exported_list_close(p->list);
	free(p->port);
}

size_t whole_pass_find(const struct whole_pass *p, const char *name, bool output)
{
	size_t i = 0;

	while (i < p->ports &&
	       (p->port[i].output != output || strcmp(p->port[i].name, name) != 0))
		i++;
	return i;
}

void whole_pass_set(struct whole_pass *p, size_t port, const int64_t *size,
    const void *elements, size_t bytes)
{
	char why[BACKEND_WHY + 1] = "";

	if (p->backend->engine->set(p->model, port, size, p->port[port].dims,
	        elements ? elements : "", bytes, why) < 0)
		give_up(p->port[port].name, why);
}

void whole_pass_adopt(
    struct whole_pass *p, size_t input, const struct whole_pass *from, size_t output)
{
	char why[BACKEND_WHY + 1] = "";

	if (p->backend->engine->adopt(p->model, input, from->model, output, why) < 0)
		give_up(from->port[output].name, why);
}

void whole_pass_run(struct whole_pass *p)
{
	char why[BACKEND_WHY + 1] = "";

	if (p->backend->engine->run(p->model, why) < 0)
		helper_give_up(HELPER_FAILED, "%s", why);
}

int whole_pass_read(const struct whole_pass *p, const char *name, bool state, double *out,
    size_t count, struct fault *f)
{
	char port[BACKEND_PORT_NAME], why[BACKEND_WHY + 1] = "";
	struct backend_port shape;
	const void *elements;
	size_t at, bytes, element;
	int dtype;

	snprintf(port, sizeof(port), "%s%s", name, state ? ONNX_EXPORT_AFTER : "");
	at = whole_pass_find(p, port, true);
	if (at == p->ports)
		return fault_set(f, "the engine has no output '%s'", port);
	if (p->backend->engine->get(p->model, at, &shape, &elements, &bytes, why) < 0)
		return fault_set(f, "%s", why);
	dtype = dtype_find(shape.type);
	element = dtype < 0 ? integer_type_bytes(shape.type)
	                    : dtype_bytes((enum backend_dtype)dtype);
	if (!element)
		return fault_set(
		    f, "output '%s' is %s, which is not compared", port, shape.type);
	if (bytes != count * element)
		return fault_set(f,
		    "output '%s' has %zu bytes of %s instead of %zu elements", port, bytes,
		    shape.type, count);
	if (dtype < 0)
		integer_type_load(shape.type, elements, count, out);
	else
		dtype_load((enum backend_dtype)dtype, out, elements, count);
	return 0;
}
