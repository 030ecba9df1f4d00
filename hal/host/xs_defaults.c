/*
 * The engine's table of what can be stripped, as Moddable's linker leaves it on a board: functions have neither `length` nor `name`.
 * What relies on them fails here already, and each function takes two slots less, as there.
 */
#include "xsAll.h"

#define fxNewFunctionLength NULL
#define fxNewFunctionName NULL
#include "xsDefaults.c"
