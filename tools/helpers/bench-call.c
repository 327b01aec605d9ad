/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-call: runs one function of a shared object for bench-run, in a process of its own.
 * Users do not run it. lib/protocol/helper_proto.h defines its messages.
 */
#include <dlfcn.h>
#include <string.h>

#include "base/standard_files.h"
#include "helper_io.h"
#include "helper_main.h"

/* Returns the function of this name; NULL if the name is empty. */
static helper_function *find_symbol(void *handle, const char *name)
{
	helper_function *found = NULL;
	void *address;

	if (!*name)
		return NULL;
	address = dlsym(handle, name);
	if (!address)
		helper_give_up(HELPER_ABSENT, "%s: no such function", name);
	memcpy(&found, &address, sizeof(found));
	return found;
}

static void load_object(void)
{
	void *handle = dlopen(helper_job.object, RTLD_NOW | RTLD_LOCAL), *counter;

	if (!handle)
		helper_give_up(HELPER_ABSENT, "%s", dlerror());
	helper_job.run = find_symbol(handle, helper_job.symbol);
	helper_job.before = find_symbol(handle, helper_job.set_up);
	helper_job.after = find_symbol(handle, helper_job.tear_down);
	counter = dlsym(RTLD_DEFAULT, "bench_allocations");
	memcpy(&helper_job.allocations, &counter, sizeof(counter));
}

int main(void)
{
	standard_files_open();

	helper_main(NULL, load_object);
}
