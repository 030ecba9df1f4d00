/** A button that asks for a file. */

interface Props {
	readonly label: string;
	/** Ends of the names that are offered, ".json,.txt" for example. */
	readonly accept: string;
	readonly disabled?: boolean;
	readonly onFile: (file: File) => void;
}

/** Tells each file that is chosen, one at a time, the same one again too. */
export function FileButton({ label, accept, disabled = false, onFile }: Props) {
	return (
		<label class={`button file${disabled ? " disabled" : ""}`}>
			{label}
			<input
				class="visually-hidden"
				type="file"
				accept={accept}
				disabled={disabled}
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
