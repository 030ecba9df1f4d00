/*
 * Scripts whose byte code stays where the parser put it, as it does in a board's flash. After parsing, symbol indexes
 * become identifiers and the opcodes that copy code and string literals into the chunk heap become those that refer to
 * them in place.
 */
#include "xsAll.h"
#include "xsScript.h"
#include "engine.h"

extern void fxRemapIDs(txMachine *the, txByte *code, txSize size, txID *ids);

struct flash {
	struct flash *next;
	txByte *code;      /* byte code, used in place */
	txByte *symbols;   /* names, used in place */
	txID *ids;         /* only while mapping */
};

static struct flash *scripts;

/* The opcode that uses its operand in place, for one that would copy it. */
static txU1 archive_opcode(txU1 opcode)
{
	switch (opcode) {
	case XS_CODE_CODE_1: return XS_CODE_CODE_ARCHIVE_1;
	case XS_CODE_CODE_2: return XS_CODE_CODE_ARCHIVE_2;
	case XS_CODE_CODE_4: return XS_CODE_CODE_ARCHIVE_4;
	case XS_CODE_STRING_1: return XS_CODE_STRING_ARCHIVE_1;
	case XS_CODE_STRING_2: return XS_CODE_STRING_ARCHIVE_2;
	case XS_CODE_STRING_4: return XS_CODE_STRING_ARCHIVE_4;
	default: return opcode;
	}
}

static void use_in_place(txByte *code, txSize size)
{
	txByte *p = code;
	while (p < code + size) {
		txS1 length = gxCodeSizes[*(txU1 *)p];
		txU2 length2;
		txS4 length4;
		*(txU1 *)p = archive_opcode(*(txU1 *)p);
		if (length > 0)
			p += length;
		else if (length == 0)                /* an identifier */
			p += 1 + sizeof(txID);
		else if (length == -1)               /* 1, 2 or 4 bytes of length, then so many bytes */
			p += 2 + *(txU1 *)(p + 1);
		else if (length == -2) {
			memcpy(&length2, p + 1, sizeof length2);
			p += 3 + length2;
		}
		else {
			memcpy(&length4, p + 1, sizeof length4);
			p += 5 + length4;
		}
	}
}

/* Takes code and names over from the parser's script. May abort for want of keys or slots. */
static void map_into_flash(txMachine *the, txScript *script)
{
	struct flash *flash = calloc(1, sizeof *flash);
	txByte *p = script->symbolsBuffer;
	txID count, index;
	if (!flash)
		fxAbort(the, XS_NOT_ENOUGH_MEMORY_EXIT);
	flash->next = scripts;
	scripts = flash;
	flash->code = script->codeBuffer;
	flash->symbols = script->symbolsBuffer;
	mxDecodeID(p, count);
	flash->ids = calloc(count ? count : 1, sizeof(txID));
	if (!flash->ids)
		fxAbort(the, XS_NOT_ENOUGH_MEMORY_EXIT);
	for (index = 1; index < count; index++) {
		flash->ids[index] = fxNewNameX(the, (txString)p);
		p += strlen((char *)p) + 1;
	}
	fxRemapIDs(the, script->codeBuffer, script->codeSize, flash->ids);
	use_in_place(script->codeBuffer, script->codeSize);
	free(flash->ids);
	flash->ids = NULL;
	script->symbolsBuffer = NULL;   /* tells fxRunScript that identifiers are in place and that nothing is to be freed */
}

void engine_run_script(xsMachine *the, const char *source, size_t size)
{
	txSlot *program = mxProgram.value.reference;
	txSlot *realm = mxModuleInstanceInternal(program)->value.module.realm;
	txStringCStream stream = { .buffer = (txString)source, .offset = 0, .size = (txSize)size };
	txScript *parsed = fxParseScript(the, &stream, fxStringCGetter, mxProgramFlag | mxStrictFlag);
	if (!parsed)
		mxSyntaxError("invalid script");
	txScript script = *parsed;
	free(parsed->hostsBuffer);
	free(parsed);
	script.hostsBuffer = NULL;
	map_into_flash(the, &script);
	fxRunScript(the, &script, mxRealmGlobal(realm), C_NULL, mxRealmClosures(realm)->value.reference, C_NULL, program);
	mxPop();
}

void engine_free_scripts(void)
{
	while (scripts) {
		struct flash *flash = scripts;
		scripts = flash->next;
		free(flash->code);
		free(flash->symbols);
		free(flash->ids);
		free(flash);
	}
}
