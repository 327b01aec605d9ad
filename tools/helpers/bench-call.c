/*
 * bench-call: runs one function of a shared object for bench-run, in a process of its own.
 * Not for people. What it is told and what it answers, lib/protocol/helper_proto.h says.
 */
#include <dlfcn.h>
#include <string.h>

#include "helper_main.h"
#include "helper_io.h"

static call_function *find(void *handle, const char *name)
{
	call_function *found = NULL;
	void *address;

	if (!*name)
		return NULL;
	address = dlsym(handle, name);
	if (!address)
		call_give_up(CALL_FAILED, "%s: there is no such function", name);
	memcpy(&found, &address, sizeof(found));
	return found;
}

static void load(void)
{
	void *handle = dlopen(call_job.object, RTLD_NOW | RTLD_LOCAL), *counter;

	if (!handle)
		call_give_up(CALL_FAILED, "%s", dlerror());
	call_job.run = find(handle, call_job.symbol);
	call_job.before = find(handle, call_job.set_up);
	call_job.after = find(handle, call_job.tear_down);
	counter = dlsym(RTLD_DEFAULT, "bench_allocations");
	memcpy(&call_job.allocations, &counter, sizeof(counter));
}

int main(void)
{
	call_process(load);
}
