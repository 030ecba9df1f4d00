/*
 * The engine's table of what can be stripped, as Moddable's linker leaves it on a board: functions have
 * neither `length` nor `name`. Code that relies on them fails here, too, and each function takes two slots
 * less.
 */
#include "xsAll.h"

#define fxNewFunctionLength NULL
#define fxNewFunctionName NULL
#include "xsDefaults.c"
