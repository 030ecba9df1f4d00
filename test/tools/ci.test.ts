/**
 * What CI does before the tests, on machines that lack something: as commands, only stand-ins of the system's
 * are found.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PACKAGES =
	"chromium-headless-shell fonts-dejavu-core valgrind gcc-multilib gcc-riscv64-unknown-elf gcc-xtensa-lx106 picolibc-riscv64-unknown-elf curl".split(
		" ",
	);

describe(".ci/packages", () => {
	let folder: string;

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), "ci-test-"));
		for (const name of ["bash", "cat", "env", "timeout", "chmod"]) {
			const path = ["/bin", "/usr/bin"].map((place) => join(place, name)).find((path) => existsSync(path));
			symlinkSync(path as string, join(folder, name));
		}
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	/** A command of the system. */
	const command = (name: string, script: string) =>
		writeFileSync(join(folder, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
	const user = (id: number) => command("id", `echo ${id}`);
	/** apt-get writes down what it is asked for; what it installs is there then, but for some packages. */
	const apt = (unknown: string[] = []) =>
		command(
			"apt-get",
			`echo "$*" >> ${folder}/asked
			[[ "$*" != *update* ]] || exit 0
			for package in ${unknown.join(" ")}; do [[ " $* " != *" $package "* ]] || exit 100; done
			for package in "$@"; do
				case $package in
					chromium-headless-shell | valgrind | curl) name=$package;;
					gcc-multilib) name=cc;;
					gcc-xtensa-lx106) name=xtensa-lx106-elf-gcc;;
					picolibc-*) name=riscv64-unknown-elf-gcc;;
					*) continue;;
				esac
				echo '#!/bin/bash' > ${folder}/$name; chmod +x ${folder}/$name
			done`,
		);
	const asked = () => (existsSync(join(folder, "asked")) ? readFileSync(join(folder, "asked"), "utf8") : "");
	const run = () => {
		const { status, stdout, stderr } = spawnSync(".ci/packages", { encoding: "utf8", env: { PATH: folder } });
		return { status, stdout, stderr };
	};

	it("installs what is missing, and the next time nothing", () => {
		user(0);
		apt();
		command("curl", "");
		const { status, stdout } = run();
		const installed = PACKAGES.filter((name) => name !== "curl").join(" ");
		assert.deepEqual([status, stdout], [0, `installing ${installed} ...\n`]);
		assert.match(asked(), new RegExp(`install -y --no-install-recommends ${installed}\n$`));
		assert.deepEqual(run(), { status: 0, stdout: "", stderr: "" });
	});

	it("installs what can be had when one package can't", () => {
		user(0);
		apt(["valgrind"]);
		const { status, stdout } = run();
		assert.equal(status, 0);
		assert.match(stdout, /\nnot installed, tests that need it are skipped: valgrind\n$/);
	});

	it("says what is missing and goes on without root, and without apt", () => {
		const all = `not installed, tests that need it are skipped: ${PACKAGES.join(" ")}\n`;
		user(1000);
		apt();
		assert.deepEqual(run(), { status: 0, stdout: all, stderr: "" });
		assert.equal(asked(), "");
		user(0);
		rmSync(join(folder, "apt-get"));
		assert.deepEqual(run(), { status: 0, stdout: all, stderr: "" });
	});
});
