import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Stub, TEST_TOKENS } from "../../testing";

const ROOT = resolve(__dirname, "../..");
const run = promisify(execFile);

/** Whether all of these programs are on the PATH. */
export function areFound(...programs: readonly string[]): boolean {
  return programs.every((program) => {
    try {
      execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}

/** The settings of every service of a stub as environment variables. */
export function settingsOf({ addresses }: Stub): Readonly<Record<string, string>> {
  const services = Object.entries(addresses).flatMap(([service, address]) => [
    [`QUARTERDECK_${service.toUpperCase()}_ADDRESS`, address],
    [`QUARTERDECK_${service.toUpperCase()}_TOKEN`, TEST_TOKENS[service as keyof typeof TEST_TOKENS]],
  ]);
  return { ...Object.fromEntries(services), QUARTERDECK_WORKSPACES_ORGANIZATION: "acme" };
}

/** The summary of changes in the output of a command. */
export function counted(output: string): string {
  return /Resources:\n((?: +[^\n]*\n)+)/.exec(output)?.[1]?.replace(/\s+/g, " ").trim() ?? output;
}

/** Links each package separately: a removal from a linked scope would remove the package from this repository. */
function link(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (name.startsWith("pulumi-quarterdeck") || name.startsWith(".")) continue;
    const [source, target] = [join(from, name), join(to, name)];
    if (name.startsWith("@")) {
      mkdirSync(target);
      link(source, target);
    } else symlinkSync(source, target, "junction");
  }
}

/** A project with a state of its own, in a folder in which the packed package is installed. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), "language-"));

  /**
   * @param example the folder that is copied
   * @param environment additional environment variables of the commands
   * @param dependencies of the package; "none" if npm runs in the project, because npm removes what it did not install
   */
  constructor(
    example: string,
    private readonly environment: Readonly<Record<string, string>>,
    dependencies: "linked" | "none" = "linked",
  ) {
    cpSync(join(ROOT, example), this.folder, { recursive: true });
    mkdirSync(join(this.folder, "state"));
    const modules = join(this.folder, "node_modules");
    const own = join(modules, "pulumi-quarterdeck");
    mkdirSync(own, { recursive: true });
    const pack = [
      "pack",
      "--json",
      "--ignore-scripts",
      "--loglevel=error",
      "--pack-destination",
      this.folder,
    ];
    const output = execFileSync("npm", pack, {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [packed] = Object.values(JSON.parse(output) as Record<string, { readonly filename: string }>);
    if (packed === undefined) throw new Error(`nothing was packed: ${output}`);
    execFileSync("tar", ["-xzf", join(this.folder, packed.filename), "-C", own, "--strip-components=1"]);
    if (dependencies === "linked") link(join(ROOT, "node_modules"), modules);
  }

  /** Runs a command of the package or of the CLI, and returns its output, also if it fails. */
  async outputOf(program: "quarterdeck" | "pulumi", ...args: readonly string[]): Promise<string> {
    const command = program === "pulumi" ? "pulumi" : process.execPath;
    const first =
      program === "pulumi" ? [] : [join(this.folder, "node_modules/pulumi-quarterdeck/cli/quarterdeck.js")];
    const env = {
      ...process.env,
      // The plugin is started by the first Node on the PATH.
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      PULUMI_HOME: join(this.folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(this.folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "languages",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      ...this.environment,
    };
    return run(command, [...first, ...args], { cwd: this.folder, env, maxBuffer: 2 ** 26 }).then(
      ({ stdout, stderr }) => stdout + stderr,
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed: ${stdout}${stderr}`,
    );
  }

  remove(): void {
    // Go's downloads are read-only.
    execFileSync("chmod", ["-R", "u+w", this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
