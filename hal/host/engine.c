/* What engine.h says, but for xs_platform.c's part of it. */
#include <limits.h>
#include <unistd.h>

#include "xsAll.h"
#include "xsScript.h"
#include "engine.h"

/* ---- scripts ---- */

/*
 * Scripts whose byte code stays where the parser put it, as it does in a board's flash. After parsing, symbol
 * indexes become identifiers and the opcodes that copy code and string literals into the chunk heap become
 * those that refer to them in place.
 */

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
		else if (length == -1)               /* a length of 1, 2 or 4 bytes, then its bytes */
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

/* Copies code and names from the parser's script. May abort if keys or slots run out. */
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

/*
 * Head of the file that keeps byte code between starts: its origin, and the sizes of code and names, which
 * follow.
 */
struct kept {
	uint64_t origin;
	txSize code_size, symbols_size;
};

/* Hash of the source and of this engine's byte code: FNV-1a. */
static uint64_t origin_of(const char *source, size_t size)
{
	const txS1 engine[] = { sizeof(txID), sizeof(void *), XS_MAJOR_VERSION, XS_MINOR_VERSION };
	const struct { const void *bytes; size_t size; } parts[] = {
		{ source, size }, { engine, sizeof engine }, { gxCodeSizes, XS_CODE_COUNT * sizeof *gxCodeSizes }
	};
	uint64_t hash = 0xcbf29ce484222325;
	for (size_t part = 0; part < sizeof parts / sizeof *parts; ++part)
		for (size_t i = 0; i < parts[part].size; ++i)
			hash = (hash ^ ((const uint8_t *)parts[part].bytes)[i]) * 0x100000001b3;
	return hash;
}

/* Reads the byte code that an earlier start has kept. False: there is no code of this origin. */
static bool read_kept(const char *path, uint64_t origin, txScript *script)
{
	struct kept kept;
	FILE *file = fopen(path, "rb");
	if (!file)
		return false;
	bool whole = fread(&kept, sizeof kept, 1, file) == 1 && kept.origin == origin;
	if (whole) {
		script->codeBuffer = malloc(kept.code_size);
		script->symbolsBuffer = malloc(kept.symbols_size);
		script->codeSize = kept.code_size;
		whole = script->codeBuffer && script->symbolsBuffer && fread(script->codeBuffer, kept.code_size, 1, file) == 1
			&& fread(script->symbolsBuffer, kept.symbols_size, 1, file) == 1;
	}
	fclose(file);
	return whole;
}

/*
 * Written aside and moved, because another program may start at any time. If that fails, each start parses.
 */
static void keep(const char *path, uint64_t origin, const txScript *script)
{
	struct kept kept = { .origin = origin, .code_size = script->codeSize, .symbols_size = script->symbolsSize };
	char aside[PATH_MAX];
	snprintf(aside, sizeof aside, "%s.%d", path, (int)getpid());
	FILE *file = fopen(aside, "wb");
	if (!file)
		return;
	bool whole = fwrite(&kept, sizeof kept, 1, file) == 1 && fwrite(script->codeBuffer, kept.code_size, 1, file) == 1
		&& fwrite(script->symbolsBuffer, kept.symbols_size, 1, file) == 1;
	if (fclose(file) == 0 && whole)
		rename(aside, path);
	else
		remove(aside);
}

static txScript parse(txMachine *the, const char *source, size_t size)
{
	txStringCStream stream = { .buffer = (txString)source, .offset = 0, .size = (txSize)size };
	txScript *parsed = fxParseScript(the, &stream, fxStringCGetter, mxProgramFlag | mxStrictFlag);
	if (!parsed)
		mxSyntaxError("invalid script");
	txScript script = *parsed;
	free(parsed->hostsBuffer);
	free(parsed);
	script.hostsBuffer = NULL;
	return script;
}

void engine_run_script(xsMachine *the, const char *source, size_t size, const char *kept_path)
{
	txSlot *program = mxProgram.value.reference;
	txSlot *realm = mxModuleInstanceInternal(program)->value.module.realm;
	uint64_t origin = kept_path ? origin_of(source, size) : 0;
	txScript script = { 0 };
	if (!kept_path || !read_kept(kept_path, origin, &script)) {
		free(script.codeBuffer);
		free(script.symbolsBuffer);
		script = parse(the, source, size);
		if (kept_path)
			keep(kept_path, origin, &script);
	}
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

/* ---- the library ---- */

/*
 * What Moddable's linker does to preloaded code before it goes into ROM, done to the root machine before it
 * is shared. Plain objects, arrays and variables stay writable: the engine copies them into the heap at the
 * first write. What it cannot copy must not be written, or the clone's garbage would be referred to from
 * memory that is never collected.
 */

static txBoolean is_function(txSlot *internal)
{
	return internal->kind == XS_CALLBACK_KIND || internal->kind == XS_CALLBACK_X_KIND || internal->kind == XS_CODE_KIND ||
		internal->kind == XS_CODE_X_KIND;
}

/* Instances that the engine cannot copy on write. */
static txBoolean is_uncopyable(txSlot *internal)
{
	switch (internal->kind) {
	case XS_ARRAY_BUFFER_KIND: case XS_DATA_VIEW_KIND: case XS_TYPED_ARRAY_KIND:
	case XS_MAP_KIND: case XS_SET_KIND: case XS_WEAK_MAP_KIND: case XS_WEAK_SET_KIND: case XS_WEAK_REF_KIND:
	case XS_PROMISE_KIND: case XS_PROXY_KIND: case XS_REGEXP_KIND:
		return 1;
	default:
		return internal->ID == XS_ENVIRONMENT_BEHAVIOR || is_function(internal);
	}
}

static void freeze_properties(txSlot *property)
{
	for (; property; property = property->next) {
		if (property->kind != XS_ACCESSOR_KIND)
			property->flag |= XS_DONT_SET_FLAG;
		property->flag |= XS_DONT_DELETE_FLAG;
		if (property->kind == XS_PRIVATE_KIND)
			freeze_properties(property->value.private.first);
	}
}

static void freeze_instance(txSlot *instance)
{
	freeze_properties(instance->next);
	instance->flag |= XS_DONT_PATCH_FLAG;
}

static void freeze_prototype(txSlot *constructor)
{
	for (txSlot *property = constructor->next; property; property = property->next)
		if (property->ID == mxID(_prototype) && property->kind == XS_REFERENCE_KIND)
			freeze_instance(property->value.reference);
}

static void freeze_slot(txSlot *slot)
{
	txSlot *internal = slot->next;
	if (slot->kind == XS_INSTANCE_KIND && internal && (internal->flag & XS_INTERNAL_FLAG) && is_uncopyable(internal)) {
		freeze_instance(slot);
		if (is_function(internal) && (slot->flag & XS_CAN_CONSTRUCT_FLAG))
			freeze_prototype(slot);
	}
	/* a variable that holds a function is taken for a constant */
	else if (slot->kind == XS_CLOSURE_KIND && slot->value.closure && slot->value.closure->kind == XS_REFERENCE_KIND) {
		internal = slot->value.closure->value.reference->next;
		if (internal && (internal->flag & XS_INTERNAL_FLAG) && is_function(internal))
			slot->value.closure->flag |= XS_DONT_SET_FLAG;
	}
}

void engine_freeze_library(xsMachine *the)
{
	fxCollectGarbage(the);   /* free slots must not be taken for live ones */
	for (txSlot *heap = the->firstHeap; heap; heap = heap->next)
		for (txSlot *slot = heap + 1; slot < heap->value.reference; slot++)
			freeze_slot(slot);
}

/* A value with bytes in the chunk heap becomes one with bytes in ROM. */
static void put_into_rom(txSlot *slot)
{
	switch (slot->kind) {
	case XS_STRING_KIND: slot->kind = XS_STRING_X_KIND; break;
	case XS_BIGINT_KIND: slot->kind = XS_BIGINT_X_KIND; break;
	case XS_CODE_KIND: slot->kind = XS_CODE_X_KIND; break;
	case XS_KEY_KIND: slot->kind = XS_KEY_X_KIND; break;
	default: break;
	}
}

void engine_put_library_into_rom(xsMachine *the)
{
	for (txSlot *heap = the->firstHeap; heap; heap = heap->next)
		for (txSlot *slot = heap + 1; slot < heap->value.reference; slot++) {
			put_into_rom(slot);
			if (slot->kind == XS_ARRAY_KIND && slot->value.array.address)
				for (txIndex i = 0; i < fxGetIndexSize(the, slot); i++)
					put_into_rom(slot->value.array.address + i);
		}
	for (txSlot *slot = the->stack; slot < the->stackTop; slot++)
		put_into_rom(slot);
}
