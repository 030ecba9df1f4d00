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
