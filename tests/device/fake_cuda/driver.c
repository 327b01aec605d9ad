/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fakes CUDA's driver: the device, its context, copies, modules and kernels. The device has
 * the compute capability 9.0.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"

enum { CONTEXT_BYTES = 400 << 20, MODULE_BYTES = 64 << 10, ARGUMENT_BYTES = 1024 };

/* The time that a kernel, and a copy, takes by definition. */
static const double kernel_us = 10, copy_us = 5;

struct module {
	void *handle;
	const struct fake_program *program;
	struct function *functions;
};

struct function {
	struct function *next;
	struct module *module;
	const struct fake_kernel *kernel;
	char name[64];
	size_t shared_bytes; /* the limit of dynamic shared memory */
};

static char context; /* its address is the context */
static int context_users;
static _Thread_local const void *current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Attributes of the device by number. */
static const struct {
	int attribute, value;
} attributes[] = {
	{ 1, 1024 },                  /* threads of a block */
	{ 8, 48 << 10 },              /* shared memory of a block */
	{ 10, 32 },                   /* lanes of a warp */
	{ 13, 1980000 },              /* clock, kHz */
	{ 16, 4 },                    /* multiprocessors */
	{ 33, 1 },                    /* PCI bus */
	{ 36, 2619000 },              /* memory clock, kHz */
	{ 37, 5120 },                 /* memory bus, bits */
	{ 38, 1 << 20 },              /* L2 */
	{ 39, 2048 },                 /* threads of a multiprocessor */
	{ 75, 9 },                    /* compute capability */
	{ 76, 0 }, { 81, 228 << 10 }, /* shared memory of a multiprocessor */
	{ 97, 227 << 10 },            /* shared memory of a block at most */
};

FAKE_API int cuInit(unsigned flags)
{
	return fake_called(__func__, "%u", flags);
}

FAKE_API int cuDriverGetVersion(int *version)
{
	*version = 13000;
	return fake_called(__func__, "%s", "");
}

static int devices(void)
{
	const char *count = getenv("FAKE_CUDA_DEVICES");

	return count ? atoi(count) : 1;
}

FAKE_API int cuDeviceGetCount(int *count)
{
	*count = devices();
	return fake_called(__func__, "%s", "");
}

FAKE_API int cuDeviceGet(int *device, int ordinal)
{
	*device = ordinal;
	return ordinal >= 0 && ordinal < devices() ? fake_called(__func__, "%d", ordinal) : FAKE_INVALID_VALUE;
}

FAKE_API int cuDeviceGetName(char *name, int size, int device)
{
	snprintf(name, (size_t)size, "Fake GPU");
	return fake_called(__func__, "%d", device);
}

FAKE_API int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
	size_t left;

	fake_memory_info(&left, bytes);
	return fake_called(__func__, "%d", device);
}

FAKE_API int cuDeviceGetAttribute(int *value, int attribute, int device)
{
	(void)device;
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		if (attributes[i].attribute == attribute) {
			*value = attributes[i].value;
			return fake_called(__func__, "%d", attribute);
		}
	*value = 0;
	return FAKE_INVALID_VALUE;
}

FAKE_API int cuDeviceGetPCIBusId(char *text, int size, int device)
{
	snprintf(text, (size_t)size, "0000:%02X:00.0", 0x3b + device);
	return fake_called(__func__, "%d", device);
}

FAKE_API int cuDevicePrimaryCtxRetain(void **handle, int device)
{
	const int error = fake_called(__func__, "%d", device);

	*handle = error ? NULL : &context;
	if (!error && context_users++ == 0)
		fake_use_memory(CONTEXT_BYTES);
	return error;
}

FAKE_API int cuDevicePrimaryCtxRelease_v2(int device)
{
	if (--context_users == 0)
		fake_use_memory(-CONTEXT_BYTES);
	return fake_called(__func__, "%d", device);
}

FAKE_API int cuCtxSetCurrent(void *handle)
{
	current = handle;
	return FAKE_OK;
}

FAKE_API int cuGetErrorName(int error, const char **name)
{
	static const struct {
		int error;
		const char *name;
	} names[] = {
		{ FAKE_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE" },
		{ FAKE_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY" },
		{ FAKE_NO_DEVICE, "CUDA_ERROR_NO_DEVICE" },
		{ FAKE_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE" },
		{ FAKE_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT" },
		{ FAKE_NOT_FOUND, "CUDA_ERROR_NOT_FOUND" },
		{ FAKE_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED" },
		{ FAKE_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED" },
		{ FAKE_UNKNOWN, "CUDA_ERROR_UNKNOWN" },
	};

	*name = NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].error == error)
			*name = names[i].name;
	return *name ? FAKE_OK : FAKE_INVALID_VALUE;
}

/* Returns why a function that may not be called during a capture fails, or one that needs a
 * context. */
static int synchronous_check(void)
{
	if (current != &context)
		return FAKE_INVALID_CONTEXT;
	return fake_spoil_capture() ? FAKE_CAPTURE_UNSUPPORTED : FAKE_OK;
}

FAKE_API int cuMemGetInfo_v2(size_t *left, size_t *all)
{
	fake_memory_info(left, all);
	return fake_called(__func__, "%s", "");
}

FAKE_API int cuMemAlloc_v2(void **address, size_t bytes)
{
	int error = fake_called(__func__, "%zu", bytes);

	error = error ? error : synchronous_check();
	return error ? error : fake_memory_take(address, bytes);
}

FAKE_API int cuMemFree_v2(void *address)
{
	int error = fake_called(__func__, "%s", "");

	error = error ? error : synchronous_check();
	return error ? error : fake_memory_give(address);
}

struct copy {
	void *to;
	const void *from;
	size_t bytes;
};

static int copy_run(const void *data)
{
	const struct copy *c = data;

	memcpy(c->to, c->from, c->bytes);
	return FAKE_OK;
}

static int copy_now(void *to, const void *from, size_t bytes, const void *device)
{
	const int error = synchronous_check();

	if (error)
		return error;
	if (!fake_is_device(device, bytes))
		return FAKE_INVALID_VALUE;
	memcpy(to, from, bytes);
	return FAKE_OK;
}

FAKE_API int cuMemcpyHtoD_v2(void *address, const void *from, size_t bytes)
{
	const int error = fake_called(__func__, "%zu", bytes);

	return error ? error : copy_now(address, from, bytes, address);
}

FAKE_API int cuMemcpyDtoH_v2(void *to, void *address, size_t bytes)
{
	const int error = fake_called(__func__, "%zu", bytes);

	return error ? error : copy_now(to, address, bytes, address);
}

static int copy_later(void *to, const void *from, size_t bytes, void *stream)
{
	const struct copy c = { to, from, bytes };

	return fake_enqueue(stream, copy_run, &c, sizeof(c), copy_us);
}

FAKE_API int cuMemcpyHtoDAsync_v2(
    void *address, const void *from, size_t bytes, void *stream)
{
	const int error = fake_called(__func__, "%zu", bytes);

	if (!error && !fake_is_device(address, bytes))
		return FAKE_INVALID_VALUE;
	return error ? error : copy_later(address, from, bytes, stream);
}

FAKE_API int cuMemcpyDtoDAsync_v2(void *to, void *from, size_t bytes, void *stream)
{
	const int error = fake_called(__func__, "%zu", bytes);

	if (!error && (!fake_is_device(to, bytes) || !fake_is_device(from, bytes)))
		return FAKE_INVALID_VALUE;
	return error ? error : copy_later(to, from, bytes, stream);
}

struct fill {
	void *to;
	size_t bytes;
	unsigned char value;
};

static int fill_run(const void *data)
{
	const struct fill *f = data;

	memset(f->to, f->value, f->bytes);
	return FAKE_OK;
}

FAKE_API int cuMemsetD8Async(void *to, unsigned char value, size_t bytes, void *stream)
{
	const int error = fake_called(__func__, "%u %zu", value, bytes);
	const struct fill f = { to, bytes, value };

	if (!error && !fake_is_device(to, bytes))
		return FAKE_INVALID_VALUE;
	return error ? error : fake_enqueue(stream, fill_run, &f, sizeof(f), copy_us);
}

struct set {
	uint32_t *to;
	size_t count;
	unsigned value;
};

static int set_run(const void *data)
{
	const struct set *f = data;

	for (size_t i = 0; i < f->count; i++)
		f->to[i] = f->value;
	return FAKE_OK;
}

FAKE_API int cuMemsetD32Async(void *to, unsigned value, size_t count, void *stream)
{
	const int error = fake_called(__func__, "%u %zu", value, count);
	const struct set f = { to, count, value };

	if (!error && !fake_is_device(to, 4 * count))
		return FAKE_INVALID_VALUE;
	return error ? error : fake_enqueue(stream, set_run, &f, sizeof(f), copy_us);
}

/* Loads the shared object of compiled code, each time from another file, so that it is
 * another object. */
static void *code_load(const struct fake_code *code)
{
	const size_t bytes = code->bytes - sizeof(*code);
	char path[] = "/tmp/fake_cuda.XXXXXX";
	const int fd = mkostemp(path, O_CLOEXEC);
	void *handle = NULL;

	if (fd < 0)
		return NULL;
	if (write(fd, code + 1, bytes) == (ssize_t)bytes)
		handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		fprintf(stderr, "fake_cuda: %s\n", dlerror());
	close(fd);
	unlink(path);
	return handle;
}

FAKE_API int cuModuleLoadData(struct module **module, const struct fake_code *code)
{
	int error = fake_called(__func__, "%s", "");

	error = error ? error : synchronous_check();
	if (error)
		return error;
	if (memcmp(code->magic, FAKE_MAGIC, sizeof(FAKE_MAGIC)) != 0)
		return FAKE_INVALID_IMAGE;
	void *handle = code_load(code);
	struct fake_program *program = handle ? dlsym(handle, "fake_cuda_program") : NULL;
	if (!program)
		return FAKE_INVALID_IMAGE;
	program->barrier = fake_barrier;
	program->exchange = fake_exchange;
	*module = calloc(1, sizeof(**module));
	(*module)->handle = handle;
	(*module)->program = program;
	fake_use_memory(MODULE_BYTES);
	return FAKE_OK;
}

FAKE_API int cuModuleUnload(struct module *module)
{
	fake_use_memory(-(int64_t)MODULE_BYTES);
	while (module->functions) {
		struct function *f = module->functions;

		module->functions = f->next;
		free(f);
	}
	dlclose(module->handle);
	free(module);
	return fake_called(__func__, "%s", "");
}

FAKE_API int cuModuleGetFunction(
    struct function **function, struct module *module, const char *name)
{
	char symbol[96];
	const int error = fake_called(__func__, "%s", name);

	snprintf(symbol, sizeof(symbol), "fake_kernel_%s", name);
	const struct fake_kernel *kernel = dlsym(module->handle, symbol);
	if (error || !kernel)
		return error ? error : FAKE_NOT_FOUND;
	struct function *f = calloc(1, sizeof(*f));
	f->module = module;
	f->kernel = kernel;
	f->shared_bytes = 48 << 10;
	snprintf(f->name, sizeof(f->name), "%s", name);
	f->next = module->functions;
	module->functions = f;
	*function = f;
	return FAKE_OK;
}

FAKE_API int cuFuncSetAttribute(struct function *function, int attribute, int value)
{
	enum { DYNAMIC_SHARED = 8 };
	const int error =
	    fake_called(__func__, "%s %d %d", function->name, attribute, value);

	if (attribute == DYNAMIC_SHARED) {
		if (value > 227 << 10)
			return FAKE_INVALID_VALUE;
		function->shared_bytes = (size_t)value;
	}
	return error;
}

struct launch {
	const struct function *function;
	struct fake_dim grid, block;
	_Alignas(16) char argument[ARGUMENT_BYTES];
};

static int launch_run(const void *data)
{
	static _Alignas(128) char shared[228 << 10];
	const struct launch *l = data;
	const struct fake_kernel *k = l->function->kernel;
	struct fake_program *p =
	    (struct fake_program *)(uintptr_t)l->function->module->program;
	void *argument[ARGUMENT_BYTES / 8];
	size_t at = 0;

	if (getenv("FAKE_CUDA_IDLE"))
		return FAKE_OK;
	for (size_t i = 0; k->sizes[i]; i++) {
		at = (at + k->sizes[i] - 1) / k->sizes[i] * k->sizes[i];
		argument[i] = (char *)(uintptr_t)l->argument + at;
		at += k->sizes[i];
	}
	pthread_mutex_lock(&lock);
	p->shared = shared;
	*p->block_size = l->block;
	*p->grid = l->grid;
	for (unsigned z = 0; z < l->grid.z; z++)
		for (unsigned y = 0; y < l->grid.y; y++)
			for (unsigned x = 0; x < l->grid.x; x++) {
				*p->block = (struct fake_dim){ x, y, z };
				fake_run_block(p, k, argument, l->block);
			}
	pthread_mutex_unlock(&lock);
	return FAKE_OK;
}

FAKE_API int cuLaunchKernel(struct function *function, unsigned grid_x, unsigned grid_y,
    unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
    unsigned shared_bytes, void *stream, void **argument, void **extra)
{
	struct launch l = { function, { grid_x, grid_y, grid_z },
		{ block_x, block_y, block_z }, { 0 } };
	const unsigned *sizes = function->kernel->sizes;
	size_t at = 0;
	const int error = fake_called(__func__, "%s %u,%u,%u %u,%u,%u", function->name,
	    grid_x, grid_y, grid_z, block_x, block_y, block_z);

	if (error)
		return error;
	if (extra || shared_bytes > function->shared_bytes || grid_x == 0 || grid_y == 0 ||
	    grid_z == 0 || block_x * block_y * block_z == 0 ||
	    block_x * block_y * block_z > 1024 || grid_y > 65535 || grid_z > 65535)
		return FAKE_INVALID_VALUE;
	if (current != &context)
		return FAKE_INVALID_CONTEXT;
	for (size_t i = 0; sizes[i]; i++) {
		at = (at + sizes[i] - 1) / sizes[i] * sizes[i];
		if (at + sizes[i] > ARGUMENT_BYTES)
			abort();
		memcpy(l.argument + at, argument[i], sizes[i]);
		at += sizes[i];
	}
	return fake_enqueue(stream, launch_run, &l, sizeof(l), kernel_us);
}
