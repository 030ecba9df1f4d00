// A test file that throws while it is loaded: `test/tools/test-command.test.ts` runs it.
throw new Error("there is no test in here");
