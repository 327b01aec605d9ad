/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples a command or a running process until it ends, and adds the samples to a profile.
 */
#ifndef PROFILE_PROFILE_COMMAND_H
#define PROFILE_PROFILE_COMMAND_H

#include "profile/profile.h"
#include "profile/sampler.h"
#include "sys/process_start.h"

struct profile_command_opts {
	/* Events to try in order; the first by which the machine can sample is used. */
	struct counter_set *events;
	bool waits; /* profile waits: the event must be context-switches */
	double frequency_hz;
	enum sampler_stack stack;
	uint32_t dump_bytes;
	double duration_ns; /* of sampling a running process; 0: until it ends */
	bool output_apart; /* the command's standard output is this program's standard error
	                    */
};

struct profile_command_result {
	size_t event;        /* index of the event that is used */
	double frequency_hz; /* may be less than requested */
	int status;          /* of a command, as from wait(2) */
};

/*
 * Runs and samples a command. Returns 0, or -1 if the command cannot be started or sampled.
 * A signal to this process (interrupt.h) is passed on to the command; the samples are kept.
 */
int profile_command(const struct profile_command_opts *opts, const char *path,
    char *const *argv, struct profile *profile, struct profile_command_result *out,
    struct fault *f);
/* Runs a command without sampling it; of opts, output_apart counts. Returns 0 or -1. */
int profile_command_unsampled(const struct profile_command_opts *opts, const char *path,
    char *const *argv, struct profile_command_result *out, struct fault *f);
/* Samples a running process. Returns 0 or -1. */
int profile_process(const struct profile_command_opts *opts, pid_t pid,
    struct profile *profile, struct profile_command_result *out, struct fault *f);

#endif
