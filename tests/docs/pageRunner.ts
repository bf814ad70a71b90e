import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { type Stub, startStub, TEST_TOKENS } from "pulumi-quarterdeck-testing";
import { ROOT } from "./pages";

const run = promisify(execFile);

/**
 * A folder in which a page's commands run, with its own mock servers. Packages are installed already, and the engine is
 * the embedded one.
 */
export class PageRunner {
  private constructor(
    readonly folder: string,
    readonly stub: Stub,
  ) {}

  static async open(): Promise<PageRunner> {
    const folder = mkdtempSync(join(tmpdir(), "desk-"));
    const desk = new PageRunner(folder, await startStub({ dialect: "real" }));
    for (const name of ["bin", "state"]) mkdirSync(join(folder, name));
    const quarterdeck = `exec '${process.execPath}' '${join(ROOT, "cli/quarterdeck.js")}'`;
    // npx runs the package's own command.
    desk.script(
      "npx",
      `[ "$1" = -p ] && shift 2\n[ "$1" = quarterdeck ] || exit 9\nshift\n${quarterdeck} "$@"`,
    );
    // `npm run stub` would use fixed ports; this stub uses free ports.
    const readdressed = `sed -i 's#http://127.0.0.1:4646#${desk.stub.addresses.scheduler}#' Pulumi.dev.yaml`;
    const linked = `[ -e node_modules ] || ln -s '${join(ROOT, "node_modules")}' node_modules`;
    desk.script(
      "npm",
      `case "$*" in\n  install*) ${linked} ;;\n  "run stub") ${readdressed} ;;\n  *) exit 9 ;;\nesac`,
    );
    // Confirms `pulumi up`, as a user would.
    const engine = `exec '${process.execPath}' '${join(ROOT, "testing/dist/engine/bin.js")}'`;
    desk.script("pulumi", `[ "$*" = up ] && set -- up --yes --skip-preview\n${engine} "$@"`);
    return desk;
  }

  async close(): Promise<void> {
    await this.stub.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs the lines in a shell, and returns the output. */
  async execute(lines: string, more: Readonly<Record<string, string>> = {}, inside = ""): Promise<string> {
    const { folder, stub } = this;
    const env = {
      ...process.env,
      PATH: [join(folder, "bin"), process.env.PATH].join(delimiter),
      PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "first",
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      NOMAD_ADDR: stub.addresses.scheduler,
      NOMAD_TOKEN: TEST_TOKENS.scheduler,
      ...more,
    };
    return run("sh", ["-e", "-c", lines], { cwd: join(folder, inside), env }).then(
      ({ stdout, stderr }) => stdout + stderr,
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed: ${stdout}${stderr}`,
    );
  }

  private script(name: string, text: string): void {
    writeFileSync(join(this.folder, "bin", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
}
