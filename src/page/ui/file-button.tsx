/** A button that asks for a file. */

export function FileButton({ label, accept, onFile }: { label: string; accept: string; onFile: (file: File) => void }) {
	return (
		<label class="button file">
			{label}
			<input
				class="visually-hidden"
				type="file"
				accept={accept}
				onChange={(event) => {
					const [file] = event.currentTarget.files ?? [];
					if (file !== undefined) onFile(file);
					// the same file again is another choice
					event.currentTarget.value = "";
				}}
			/>
		</label>
	);
}
