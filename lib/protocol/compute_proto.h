/*
 * What bench-run says to bench-compute beside the symbols of a list: helper_param whose
 * names begin with a dot. And what `bench-compute probe NAME [PATH]` writes on its standard
 * output: a probe_answer, then so many backend_device.
 */
#ifndef COMPUTE_WIRE_H
#define COMPUTE_WIRE_H

#include "bench-backend.h"

#define COMPUTE_BACKEND ".backend" /* its name */
#define COMPUTE_PATH ".path"       /* of the plugin; empty: compiled in */
#define COMPUTE_KIND ".kind"       /* kernel or model */
#define COMPUTE_DEVICE \
	".device" /* their places in what probe gave: 0+1; worker by worker */
#define COMPUTE_THREADS ".threads" /* of a CPU; 0: all */
#define COMPUTE_DTYPE ".dtype"     /* by name */
#define COMPUTE_SEED ".seed"
#define COMPUTE_NEW_TOKENS ".tokens" /* generated in an iteration; 0: none */
#define COMPUTE_CHECK ".check"       /* 1: compare with the reference */
#define COMPUTE_OPS ".ops"           /* 1: tell each operation's time */
#define COMPUTE_CEILINGS ".ceilings" /* 1: measure them */
#define COMPUTE_SHARE ".share"       /* where the files of share are */
#define COMPUTE_CACHE ".cache"       /* where what was compiled is kept; empty: nowhere */
#define COMPUTE_INPUT ".input."      /* before an input's name: its file or folder */

enum { COMPUTE_DEVICES_MAX = 64 };

struct probe_answer {
	int32_t count; /* of devices; -1: trouble */
	char why[1024];
};

#endif
