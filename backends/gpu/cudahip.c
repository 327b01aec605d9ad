/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drives cuda and hip; see cudahip.h. Hooks may be called from any thread, so each begins
 * by making the device's context current in its thread.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cudahip_priv.h"
#include "gpu_cache.h"
#include "gpu_tensor.h"

/* Writes the version of the driver if it is known, and that of its interface. */
static void version_write(
    const struct cudahip_family *family, int api_version, char *to, size_t size)
{
	char driver[32] = "", interface[24] = "";

	if (family->version)
		family->version(driver, sizeof(driver));
	family->interface(interface, sizeof(interface), api_version);
	snprintf(to, size, "%s%s%s", driver, *driver ? ", " : "", interface);
}

/* Writes the PCI address of a device as Linux does: with a domain of four digits, and in
 * lower case. */
static void pci_write(const struct cudahip_api *api, int device, char *to, size_t size)
{
	char pci[32];
	unsigned domain, bus, number, function;

	if (api->device_pci && !api->device_pci(pci, sizeof(pci), device) &&
	    sscanf(pci, "%x:%x:%x.%x", &domain, &bus, &number, &function) == 4)
		snprintf(to, size, "%04x:%02x:%02x.%x", domain, bus, number, function);
}

int cudahip_probe(
    const struct cudahip_family *family, struct backend_device *list, size_t max, char *why)
{
	struct cudahip_api api = { 0 };
	const int found = cudahip_start(family, &api, why);
	int count = 0, version = 0;
	char other[64] = "";

	if (found < 0)
		return 0;
	if (cudahip_load(family, CUDAHIP_COMPILER, &api, why) ||
	    cudahip_load(family, CUDAHIP_BLAS, &api, why) ||
	    (family->other_library && family->other_library(other, sizeof(other), why)))
		return 0;
	api.driver_version(&version);
	for (int i = 0; i < found && (size_t)count < max; i++) {
		struct backend_device *d = &list[count];
		size_t memory = 0;
		int device;

		if (api.device_get(&device, i))
			continue;
		const int major = cudahip_attribute(&api, family->major, device);
		const int minor = cudahip_attribute(&api, family->minor, device);

		*d = (struct backend_device){ .type = "gpu",
			.units = (uint32_t)cudahip_attribute(&api, family->units, device),
			.dtypes = family->dtypes(major) };
		api.device_name(d->name, sizeof(d->name), device);
		api.device_memory(&memory, device);
		d->memory_bytes = memory;
		snprintf(d->detail, sizeof(d->detail), "%s %d.%d%s", family->generation,
		    major, minor, other);
		version_write(family, version, d->version, sizeof(d->version));
		pci_write(&api, device, d->pci, sizeof(d->pci));
		count++;
	}
	return count;
}

struct cudahip *cudahip_enter(struct gpu *g)
{
	struct cudahip *c = g->device;

	c->api.context_use(c->context);
	return c;
}

void *cudahip_alloc(struct gpu *g, size_t bytes, char *why)
{
	const struct cudahip *c = cudahip_enter(g);
	void *address = NULL;
	const int error = c->api.alloc(&address, bytes);
	char what[64];

	if (!error)
		return address;
	snprintf(what, sizeof(what), "a buffer of %zu bytes", bytes);
	cudahip_fail(&c->api, why, what, error);
	return NULL;
}

void cudahip_free(struct gpu *g, void *buffer)
{
	const struct cudahip *c = cudahip_enter(g);

	c->api.free(buffer);
}

/* Writes to the device. Copies are not in the stream, so it waits for the stream first. */
int cudahip_write(
    struct gpu *g, void *buffer, size_t at, const void *from, size_t bytes, char *why)
{
	const struct cudahip *c = cudahip_enter(g);
	int error = c->api.stream_wait(c->stream);

	if (!error)
		error = c->api.to_device((char *)buffer + at, from, bytes);
	return error ? cudahip_fail(&c->api, why, "writing to the device", error) : 0;
}

int cudahip_read(struct gpu *g, void *buffer, size_t at, void *to, size_t bytes, char *why)
{
	const struct cudahip *c = cudahip_enter(g);
	int error = c->api.stream_wait(c->stream);

	if (!error)
		error = c->api.to_host(to, (char *)buffer + at, bytes);
	return error ? cudahip_fail(&c->api, why, "reading from the device", error) : 0;
}

void *cudahip_build(struct gpu *g, const char *source, const char *options, char *why)
{
	const struct cudahip *c = cudahip_enter(g);
	size_t bytes = 0;
	char *code = gpu_cache_get(g, source, options, &bytes);
	void *module = NULL;
	int error = -1;

	if (code)
		error = c->api.module_load(&module, code);
	if (error) {
		free(code);
		code =
		    cudahip_compile(&c->api, source, options, c->architecture, &bytes, why);
		if (!code)
			return NULL;
		error = c->api.module_load(&module, code);
		if (!error)
			gpu_cache_put(g, source, options, code, bytes);
	}
	free(code);
	if (error) {
		cudahip_fail(&c->api, why, "loading a program", error);
		return NULL;
	}
	return module;
}

void cudahip_unbuild(struct gpu *g, void *program)
{
	const struct cudahip *c = cudahip_enter(g);

	c->api.module_unload(program);
}

void *cudahip_kernel(struct gpu *g, void *program, const char *name, char *why)
{
	const struct cudahip *c = cudahip_enter(g);
	void *function = NULL;
	const int error = c->api.module_function(&function, program, name);

	if (!error)
		return function;
	cudahip_fail(&c->api, why, name, error);
	return NULL;
}

/* Does nothing, because a kernel is released with its program. */
void cudahip_drop(struct gpu *g, void *kernel)
{
	(void)g;
	(void)kernel;
}

int cudahip_launch(struct gpu *g, void *kernel, uint32_t groups, uint32_t group_size,
    const struct gpu_arg *arg, size_t args, char *why)
{
	const struct cudahip *c = cudahip_enter(g);
	void *place[GPU_ARGS];

	for (size_t i = 0; i < args; i++)
		place[i] = (void *)(uintptr_t)&arg[i].value;
	const int error = c->api.launch(
	    kernel, groups, 1, 1, group_size, 1, 1, 0, c->stream, place, NULL);

	return error ? cudahip_fail(&c->api, why, "starting a kernel", error) : 0;
}

static int blas_check(const struct cudahip *c, int status, char *why)
{
	return status ? hook_fail(why, "%s: the matrix library returned status %d",
	                    c->family->driver.name, status)
	              : 0;
}

/* Returns whether the library has a product. For int8 it has only those whose rows and
 * matrices begin at whole words. */
bool cudahip_has_product(struct gpu *g, const struct gpu_product *p)
{
	(void)g;
	if (p->dtype != BACKEND_INT8)
		return true;
	const int64_t all =
	    p->k | p->n | p->a_ld | p->b_ld | p->a_at | p->b_at | p->a_step | p->b_step;

	return all % 4 == 0;
}

int cudahip_product(struct gpu *g, const struct gpu_product *p, char *why)
{
	const struct cudahip *c = cudahip_enter(g);
	const size_t from = gpu_dtype_bytes(p->dtype), to = gpu_dtype_bytes(p->out);
	const float alpha_float = (float)p->alpha, beta_float = (float)p->beta;
	const int alpha_int = (int)p->alpha, beta_int = (int)p->beta;
	struct cudahip_operands x = {
		.a = (char *)p->a + (size_t)p->a_at * from,
		.b = (char *)p->b + (size_t)p->b_at * from,
		.c = (char *)p->c + (size_t)p->c_at * to,
		.alpha = &alpha_float,
		.beta = &beta_float,
	};

	if (p->dtype == BACKEND_FLOAT64) {
		x.alpha = &p->alpha;
		x.beta = &p->beta;
	} else if (p->dtype == BACKEND_INT8) {
		x.alpha = &alpha_int;
		x.beta = &beta_int;
	}
	return blas_check(c, c->family->product(c->blas, &c->api, p, &x), why);
}

void *cudahip_stream(struct gpu *g)
{
	return cudahip_enter(g)->stream;
}

uint64_t cudahip_memory_free(struct gpu *g)
{
	const struct cudahip *c = cudahip_enter(g);
	size_t left = 0, all;

	return c->api.memory_info(&left, &all) ? 0 : left;
}

int cudahip_sync(struct gpu *g, char *why)
{
	const struct cudahip *c = cudahip_enter(g);
	const int error = c->api.stream_wait(c->stream);

	return error ? cudahip_fail(&c->api, why, "waiting for the device", error) : 0;
}

void cudahip_close(struct gpu *g)
{
	struct cudahip *c = cudahip_enter(g);

	if (c->family->close)
		c->family->close(g);
	if (c->blas)
		c->api.blas_destroy(c->blas);
	if (c->workspace)
		c->api.free(c->workspace);
	if (c->stream)
		c->api.stream_destroy(c->stream);
	c->api.context_release(c->device);
	free(c);
}

/* The scratch memory of the matrix library, as NVIDIA recommends for cuBLAS. The library
 * would otherwise allocate its own, which it may not do while a list is recorded. */
enum { BLAS_WORKSPACE = 32 << 20 };

static int blas_open(struct gpu *g, struct cudahip *c, char *why)
{
	int status = c->api.blas_create(&c->blas);

	/* setting the stream resets the workspace */
	if (!status)
		status = c->api.blas_stream(c->blas, c->stream);
	if (!status && c->api.blas_workspace) {
		const int error = c->api.alloc(&c->workspace, BLAS_WORKSPACE);

		if (error)
			return cudahip_fail(
			    &c->api, why, "memory for the matrix library", error);
		g->bytes += BLAS_WORKSPACE;
		status = c->api.blas_workspace(c->blas, c->workspace, BLAS_WORKSPACE);
	}
	if (!status && c->api.blas_option)
		status = c->api.blas_option(c->blas, c->family->blas_option);
	return blas_check(c, status, why);
}

/* Returns the bytes in use on a device, by all processes; -1 if unknown. */
static int64_t device_used(
    const struct cudahip_family *family, const struct cudahip_api *api, int device)
{
	char pci[32];

	if (!family->used || !api->device_pci || api->device_pci(pci, sizeof(pci), device))
		return -1;
	return family->used(pci);
}

/* Opens g->device; a failure before there is a context leaves it NULL. */
static int device_open(struct gpu *g, const struct cudahip_family *family, uint32_t ordinal,
    const struct cudahip_api *api, char *why)
{
	struct cudahip *c = calloc(1, sizeof(*c));
	char name[128] = "";
	int version = 0, compiler[2] = { 0 };

	if (!c)
		return hook_fail(why, "out of memory");
	c->family = family;
	c->api = *api;
	int error = api->device_get(&c->device, (int)ordinal);
	const int64_t before = error ? -1 : device_used(family, api, c->device);
	if (!error)
		error = api->context_retain(&c->context, c->device);
	if (error) {
		free(c);
		return cudahip_fail(api, why, "opening the device", error);
	}
	g->device = c;
	if (before >= 0) {
		const int64_t taken = device_used(family, api, c->device) - before;

		c->context_bytes = taken > 0 ? (uint64_t)taken : 0;
	}
	gpu_account_begin(g);
	const int major = cudahip_attribute(api, family->major, c->device);
	const int minor = cudahip_attribute(api, family->minor, c->device);

	family->architecture(c->architecture, sizeof(c->architecture), major, minor);
	api->device_name(name, sizeof(name) - 1, c->device);
	api->driver_version(&version);
	if (api->compiler_version)
		api->compiler_version(&compiler[0], &compiler[1]);
	snprintf(g->identity, sizeof(g->identity), "%s\n%s\n%d.%d\n%d\n%d.%d", name,
	    c->architecture, major, minor, version, compiler[0], compiler[1]);
	g->dtypes = family->dtypes(major);
	g->warps = family->tensor_cores > 0;
	g->tensor_cores = family->tensor_cores && major >= family->tensor_cores;
	g->units = (uint32_t)cudahip_attribute(api, family->units, c->device);
	cudahip_enter(g);
	error = api->stream_create(&c->stream, 0);
	if (error)
		return cudahip_fail(api, why, "creating a stream", error);
	if (blas_open(g, c, why))
		return -1;
	gpu_account_end(g);
	return 0;
}

struct backend_session *cudahip_open(
    const struct cudahip_family *family, const struct backend_config *config, char *why)
{
	struct cudahip_api api = { 0 };
	const int count = cudahip_start(family, &api, why);
	char other[64];

	if (count < 0 || cudahip_load(family, CUDAHIP_COMPILER, &api, why) ||
	    cudahip_load(family, CUDAHIP_BLAS, &api, why) ||
	    (family->other_library && family->other_library(other, sizeof(other), why)))
		return NULL;
	if ((int64_t)config->device >= count) {
		hook_fail(why, "no device %u; there are %d", config->device, count);
		return NULL;
	}
	struct gpu *g = gpu_new(&family->driver, config, why);

	if (g && device_open(g, family, config->device, &api, why)) {
		gpu_close((struct backend_session *)g);
		return NULL;
	}
	return (struct backend_session *)g;
}
