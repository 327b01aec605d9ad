/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attending a command, or a process that runs already, until it ends: its samples go into a
 * profile.
 */
#ifndef PROFILE_PROFILE_COMMAND_H
#define PROFILE_PROFILE_COMMAND_H

#include "profile/profile.h"
#include "profile/sampler.h"
#include "sys/process_start.h"

struct profile_command_opts {
	/* Events to try in turn: the first that the machine can sample is taken. */
	struct counter_set *events;
	double frequency_hz;
	enum sampler_stack stack;
	uint32_t dump_bytes;
	double duration_ns; /* of attending a running process; 0: to its end */
};

struct profile_command_result {
	size_t event;        /* the one that was taken */
	double frequency_hz; /* may be less than was asked for */
	int status;          /* of a command, as wait gives it */
};

/*
 * Runs a command. Returns 0; or -1 when it could not be started or watched. A signal to us
 * (interrupt.h) is passed on to it, and what was sampled so far is kept.
 */
int profile_command(const struct profile_command_opts *opts, const char *path,
    char *const *argv, struct profile *profile, struct profile_command_result *out,
    struct fault *f);
/* Runs a command without sampling it. */
int profile_command_unsampled(const char *path, char *const *argv,
    struct profile_command_result *out, struct fault *f);
int profile_process(const struct profile_command_opts *opts, pid_t pid,
    struct profile *profile, struct profile_command_result *out, struct fault *f);

#endif
