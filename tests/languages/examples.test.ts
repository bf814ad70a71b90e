import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { startStub } from "../../testing";
import { areFound, counted, Project, settingsOf } from "./project";
import { comparable, type Declared, type Registered, registeredBy, shownIn } from "./shown";

const ROOT = resolve(__dirname, "../..");
const GO_SDK = "github.com/quarterdeck-iac/pulumi-quarterdeck/sdk/go/quarterdeck";
const declared = new Map([...shownIn("yaml")].map(([token, text]) => [token, parse(text) as Declared]));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "shown-"));
});
afterEach(() => {
  // Go's downloads are read-only.
  execFileSync("chmod", ["-R", "u+w", folder]);
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program in the folder, and returns its output. */
function outputOf(program: string, ...args: readonly string[]): string {
  const env = { ...process.env, PULUMI_HOME: join(folder, "home"), PULUMI_SKIP_UPDATE_CHECK: "true" };
  return execFileSync(program, args, {
    cwd: folder,
    env: { ...env, GOFLAGS: "-mod=mod" },
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
}

/** Generates an SDK of the schema with the CLI, and returns its folder. */
function sdkIn(language: string): string {
  outputOf("pulumi", "package", "gen-sdk", "--language", language, "--out", "sdk", join(ROOT, "schema.json"));
  return join(folder, "sdk", language);
}

const inPython = areFound("pulumi", "pulumi-language-python", "python3") ? test : test.skip;
inPython(
  "every Python program of the reference registers the resources that its YAML declares",
  () => {
    const sdk = sdkIn("python");
    writeFileSync(join(sdk, "README.md"), "");
    outputOf("python3", "-m", "venv", "venv");
    const python = join(folder, "venv/bin/python");
    outputOf(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", sdk);
    mkdirSync(join(folder, "programs"));
    const files = new Map(
      [...shownIn("python")].map(([token, text]) => [`${token.replace(":", "-")}.py`, text]),
    );
    for (const [file, text] of files) writeFileSync(join(folder, "programs", file), text);
    const settings = [...declared.values()].flatMap(({ config = {} }) => Object.entries(config));
    const values = settings.map(([name, { type }]) => [name, type === "array" ? '["a share"]' : "a value"]);

    const script = join(__dirname, "registered.py");
    const printed = outputOf(python, script, "programs", JSON.stringify(Object.fromEntries(values)));
    const registered: Record<string, Registered[]> = JSON.parse(printed);

    expect(Object.keys(registered).sort()).toEqual([...files.keys()].sort());
    let count = 0;
    for (const [token, program] of declared) {
      const expected = registeredBy(program);
      const found = registered[`${token.replace(":", "-")}.py`] ?? [];
      // The program knows the values of settings, and its YAML does not.
      const own = (all: readonly Registered[]) =>
        all.map(comparable).map((one) => JSON.stringify(sorted(one)));
      expect([token, ...own(withoutSettings(found)).sort()]).toEqual([token, ...own(expected).sort()]);
      count += expected.length;
    }
    console.log(`Python: ${files.size} programs, ${count} registrations`);
  },
  600_000,
);

/** Removes the values of settings, which this test has chosen. */
function withoutSettings(found: readonly Registered[]): Registered[] {
  return JSON.parse(JSON.stringify(found), (_, value) =>
    value === "a value" || JSON.stringify(value) === '["a share"]' ? undefined : value,
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

const inGo = areFound("pulumi", "pulumi-language-go", "go", "gofmt") ? test : test.skip;
inGo(
  "every Go program of the reference passes go vet and gofmt",
  () => {
    cpSync(join(sdkIn("go"), "quarterdeck"), join(folder, "quarterdeck"), { recursive: true });
    const requires = (path: string) =>
      `module ${path}\n\ngo 1.25\n\nrequire github.com/pulumi/pulumi/sdk/v3 v3.260.0\n`;
    writeFileSync(join(folder, "quarterdeck/go.mod"), requires(GO_SDK));
    const own = `require ${GO_SDK} v0.0.0\n\nreplace ${GO_SDK} => ./quarterdeck\n`;
    writeFileSync(join(folder, "go.mod"), requires("programs") + own);
    const programs = shownIn("go");
    for (const [token, text] of programs) {
      const program = join(folder, "programs", token.replace(":", "-"));
      mkdirSync(program, { recursive: true });
      writeFileSync(join(program, "main.go"), text);
    }
    outputOf("go", "mod", "tidy");
    outputOf("go", "vet", "./programs/...");
    expect(outputOf("gofmt", "-l", "programs")).toBe("");
    console.log(`Go: ${programs.size} programs`);
  },
  1_200_000,
);

const onCli = areFound("pulumi", "pulumi-language-python", "python3") ? test : test.skip;
onCli(
  "a Python program of each service is deployed by the CLI, shows no changes, and is destroyed",
  async () => {
    const stub = await startStub();
    const project = new Project("examples/python", {
      ...settingsOf(stub),
    });
    const programs = shownIn("python");
    try {
      expect(await project.outputOf("quarterdeck", "init")).toContain("Added package");
      for (const token of [
        "workspaces:RemoteStateConsumers",
        "scheduler:Job",
        "secrets:LoginEnforcement",
        "mesh:ConfigEntry",
      ]) {
        writeFileSync(join(project.folder, "__main__.py"), programs.get(token) ?? "");
        const { config = {}, resources = {} } = declared.get(token) ?? {};
        const all = Object.keys(resources).length + 1;
        await project.outputOf("pulumi", "stack", "init", token.replace(":", "-"));
        for (const name of Object.keys(config))
          await project.outputOf("pulumi", "config", "set", "--secret", name, "a-value");
        const up = await project.outputOf("pulumi", "up", "--yes", "--skip-preview");
        expect([token, counted(up)]).toEqual([token, `+ ${all} created`]);
        const preview = await project.outputOf("pulumi", "preview");
        expect([token, counted(preview)]).toEqual([token, `${all} unchanged`]);
        const destroyed = await project.outputOf("pulumi", "destroy", "--yes", "--skip-preview");
        expect([token, counted(destroyed)]).toEqual([token, `- ${all} deleted`]);
      }
    } finally {
      project.remove();
      await stub.stop();
    }
  },
  1_200_000,
);
