/*
 * What the engine asks of a board's platform, as far as our files reach it through the headers of the host's
 * engine: xsPlatform.h of Moddable's SDK.
 */
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define mxExport extern
#define mxImport extern
#define XS_FUNCTION_NORETURN __attribute__((noreturn))
#define mxMachinePlatform void *host;

/* xsHost.h */
struct xsMachineRecord;
typedef void (*modMessageDeliver)(void *the, void *context, uint8_t *message, uint16_t length);
int modMessagePostToMachine(struct xsMachineRecord *the, uint8_t *message, uint16_t length, modMessageDeliver deliver, void *context);
