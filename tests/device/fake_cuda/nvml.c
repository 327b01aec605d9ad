/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fakes the part of NVML that the backend cuda uses, for the device of the fake driver.
 */
#include <stdio.h>

#include "fake.h"

/* nvmlMemory_t */
struct nvml_memory {
	unsigned long long total, left, used;
};

FAKE_API int nvmlInit_v2(void)
{
	return fake_called(__func__, "%s", "");
}

FAKE_API int nvmlShutdown(void)
{
	return fake_called(__func__, "%s", "");
}

FAKE_API int nvmlSystemGetDriverVersion(char *text, unsigned size)
{
	snprintf(text, size, "580.159.04");
	return fake_called(__func__, "%s", "");
}

FAKE_API int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, void **device)
{
	static char only;

	*device = &only;
	return fake_called(__func__, "%s", pci);
}

FAKE_API int nvmlDeviceGetMemoryInfo(void *device, struct nvml_memory *memory)
{
	size_t left, all;

	(void)device;
	fake_memory_info(&left, &all);
	*memory = (struct nvml_memory){ all, left, all - left };
	return fake_called(__func__, "%s", "");
}
