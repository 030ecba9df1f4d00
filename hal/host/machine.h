/*
 * The two machines: the root, which stands for what a board has in ROM and flash (built-ins, native
 * functions, core.js), and its clone with the heap under test, in which the application runs.
 */
#ifndef OPENCOUPLING_MACHINE_H
#define OPENCOUPLING_MACHINE_H

/* Creates both, runs the application until it ends, deletes both. Returns the program's exit code. */
int machine_run(void);

#endif
