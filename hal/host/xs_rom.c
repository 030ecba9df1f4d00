/*
 * What Moddable's linker does to preloaded code before it goes into ROM, done to the root machine before it
 * is shared. Plain objects, arrays and variables stay writable: the engine copies them into the heap at the
 * first write. What it cannot copy must not be written, or the clone's garbage would be referred to from
 * memory that is never collected.
 */
#include "xsAll.h"
#include "engine.h"

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
