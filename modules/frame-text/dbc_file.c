/* See dbc_file.h. */
#include "dbc_file.h"

#include "text_out.h"

enum stage { HEAD, FRAMES, VALUES, COMPLETE };

static const char *const left_out[] = {"GK1_Counter_Trailer", "PLA_Bremsmoment", "GK1_Charisma_Mode"};

static bool is_left_out(const struct catalogue_signal *signal)
{
	for (unsigned i = 0; i < sizeof left_out / sizeof *left_out; ++i)
		if (strlen(left_out[i]) == signal->name_length && memcmp(left_out[i], signal->text, signal->name_length) == 0)
			return true;
	return false;
}

static char *put_signal(char *at, const struct catalogue_signal *signal)
{
	at = put_text(at, " SG_ ");
	at = put_bytes(at, signal->text, signal->name_length);
	if (signal->mux == MUX_SELECTOR)
		at = put_text(at, " M");
	else if (signal->mux >= 0)
		at = put_decimal(put_text(at, " m"), (uint32_t)signal->mux);
	at = put_decimal(put_text(at, " : "), signal->start);
	at = put_decimal(put_text(at, "|"), signal->length);
	at = put_text(at, signal->is_motorola ? "@0" : "@1");
	at = put_text(at, signal->is_signed ? "- (" : "+ (");
	at = put_bytes(at, signal->scale, signal->scale_length);
	at = put_text(at, ") [0|0] \"");
	at = put_text(at, signal->unit);
	return put_text(at, "\" Vector__XXX\n");
}

/* Of the frame at an index, as cars and couplings send it: strict readers reject frames of another length. */
static unsigned bytes_of(const struct dbc_file *file, const struct catalogue *catalogue, unsigned index)
{
	uint32_t id = catalogue_id(catalogue, index);
	if (id == coupling_reports[file->network].id && file->report_bytes)
		return file->report_bytes;
	const struct short_frame *short_frame = short_frames[file->network];
	while (short_frame->bytes && short_frame->id != id)
		++short_frame;
	return short_frame->bytes ? short_frame->bytes : 8;
}

static char *put_frame(char *at, const struct catalogue *catalogue, unsigned index, unsigned bytes)
{
	char name[CATALOGUE_TEXT_BYTES];
	catalogue_text(strchr(catalogue->frames[index], ' ') + 1, name);
	at = put_decimal(put_text(at, "BO_ "), catalogue_id(catalogue, index));
	*at++ = ' ';
	at = put_text(at, name);
	at = put_decimal(put_text(at, ": "), bytes);
	return put_text(at, " Vector__XXX\n");
}

/* The next line of the frames; `at` if there is none in this step. */
static char *put_frame_line(struct dbc_file *file, char *at)
{
	const struct catalogue *catalogue = file->own ? &own_frames[file->network] : &catalogues[file->network];
	struct catalogue_signal signal;
	if (!file->signal) {
		if (file->frame < catalogue->frame_count) {
			file->signal = catalogue_frame(catalogue, file->frame).signals;
			unsigned index = file->frame++;
			return put_frame(at, catalogue, index, bytes_of(file, catalogue, index));
		}
		file->frame = 0;
		file->stage += file->own;
		file->own = true;
		return at;
	}
	if (catalogue_signal(&file->signal, &signal)) {
		bool is_beyond = signal.start + signal.length > 8 * bytes_of(file, catalogue, file->frame - 1) && !signal.is_motorola;
		return is_beyond || is_left_out(&signal) ? at : put_signal(at, &signal);
	}
	file->signal = NULL;
	return put_text(at, "\n");
}

char *dbc_file_write(struct dbc_file *file, char *at, const char *end)
{
	while ((size_t)(end - at) >= DBC_LINE_BYTES && file->stage != COMPLETE)
		switch (file->stage) {
		case HEAD:
			at = put_text(at, "VERSION \"OpenCoupling\"\n\nNS_ :\n\nBS_:\n\nBU_:\n\n");
			++file->stage;
			break;
		case FRAMES:
			at = put_frame_line(file, at);
			break;
		default:
			at = put_text(at, dbc_values);
			++file->stage;
		}
	return at;
}

bool dbc_file_is_complete(const struct dbc_file *file)
{
	return file->stage == COMPLETE;
}
