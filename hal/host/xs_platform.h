/*
 * What the XS engine asks of a platform at compile time; included by the engine's own xsPlatform.h through
 * -DXSPLATFORM. Linux without glib. The C half is xs_platform.c.
 */
#ifndef OPENCOUPLING_XS_PLATFORM_H
#define OPENCOUPLING_XS_PLATFORM_H

#undef mxLinux
#define mxLinux 1

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define mxExport extern
#define mxImport extern
#define XS_FUNCTION_NORETURN __attribute__((noreturn))

#define mxUseGCCAtomics 1
#define mxUsePOSIXThreads 1
#define mxUseDefaultBuildKeys 1
#define mxUseDefaultParseScript 1
#define mxUseDefaultSharedChunks 1

/*
 * The boards have 16-bit identifiers; a 64-bit host can afford more, so that tests never run out of them by
 * accident.
 */
#if UINTPTR_MAX > 0xFFFFFFFF
	#define mx32bitID 1
#endif

/* Per machine; the waiter fields belong to Atomics.wait. */
#define mxMachinePlatform \
	bool promiseJobs; \
	size_t chunksAllocated; \
	void *waiterCondition; \
	void *waiterData; \
	void *waiterLink;

/* `Date` follows the host's clock, so that a replay sees the same dates each time. */
typedef struct timeval c_timeval;
#define c_timezone timezone
extern int host_gettimeofday(struct timeval *now, void *zone);
#define c_gettimeofday host_gettimeofday

#endif
