export interface Linked {
	bytes: number;
	slots: number;
	aliases: number;
	warnings: string[];
	sdkconfig: string;
	partitions: string;
	components: string[];
	missingNatives: string[];
	wideArrays: number;
	compilerOptions: string;
}
export function linkJavaScript(name: string, options?: { readable?: boolean; debug?: boolean }): Promise<Linked>;
