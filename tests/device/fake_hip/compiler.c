/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fakes hiprtc with the fake of NVRTC. Programs see that the compiler is HIP's.
 */
#include <string.h>

#include "../fake_cuda/fake.h"

/* The fake of NVRTC. */
int nvrtcVersion(int *major, int *minor);
int nvrtcCreateProgram(void **program, const char *source, const char *name, int headers,
    const char *const *header, const char *const *header_name);
int nvrtcDestroyProgram(void **program);
int nvrtcCompileProgram(void *program, int options, const char *const *option);
int nvrtcGetProgramLogSize(void *program, size_t *bytes);
int nvrtcGetProgramLog(void *program, char *log);
int nvrtcGetCUBINSize(void *program, size_t *bytes);
int nvrtcGetCUBIN(void *program, char *code);

FAKE_API int hiprtcVersion(int *major, int *minor)
{
	return nvrtcVersion(major, minor);
}

FAKE_API int hiprtcCreateProgram(void **program, const char *source, const char *name,
    int headers, const char *const *header, const char *const *header_name)
{
	return nvrtcCreateProgram(program, source, name, headers, header, header_name);
}

FAKE_API int hiprtcDestroyProgram(void **program)
{
	return nvrtcDestroyProgram(program);
}

FAKE_API int hiprtcCompileProgram(void *program, int options, const char *const *option)
{
	enum { MOST = 63 };
	const char *all[MOST + 1] = { "-D__HIP__" };
	const int count = options < MOST ? options : MOST;

	memcpy(all + 1, option, (size_t)count * sizeof(*option));
	return nvrtcCompileProgram(program, count + 1, all);
}

FAKE_API int hiprtcGetProgramLogSize(void *program, size_t *bytes)
{
	return nvrtcGetProgramLogSize(program, bytes);
}

FAKE_API int hiprtcGetProgramLog(void *program, char *log)
{
	return nvrtcGetProgramLog(program, log);
}

FAKE_API int hiprtcGetCodeSize(void *program, size_t *bytes)
{
	return nvrtcGetCUBINSize(program, bytes);
}

FAKE_API int hiprtcGetCode(void *program, char *code)
{
	return nvrtcGetCUBIN(program, code);
}
