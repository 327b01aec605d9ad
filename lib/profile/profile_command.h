/*
 * Attending a command, or a process that runs already, until it ends: its samples go into a
 * profile.
 */
#ifndef ATTEND_H
#define ATTEND_H

#include "sys/process_start.h"
#include "profile/profile.h"
#include "profile/sampler.h"

struct attend_how {
	/* Events to try in turn: the first that the machine can sample is taken. */
	struct counter_set *events;
	double frequency_hz;
	enum sampler_stack stack;
	uint32_t dump_bytes;
	double duration_ns; /* of attending a running process; 0: to its end */
};

struct attended {
	size_t event;        /* the one that was taken */
	double frequency_hz; /* may be less than was asked for */
	int status;          /* of a command, as wait gives it */
};

/*
 * Run a command. 0; or -1 when it could not be started or watched. A signal to us
 * (interrupt.h) is passed on to it, and what was sampled so far is kept.
 */
int attend_command(const struct attend_how *how, const char *path, char *const *argv,
    struct profile *profile, struct attended *out, struct fault *f);
/* Run a command without sampling it. */
int attend_only(const char *path, char *const *argv, struct attended *out, struct fault *f);
int attend_process(const struct attend_how *how, pid_t pid, struct profile *profile,
    struct attended *out, struct fault *f);

#endif
