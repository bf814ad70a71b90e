import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type PickOptions, pickEngine } from "../../../engine";
import { temporaryFolder } from "../recorded";

/** Picks an engine, and expects its description to be printed. */
function pick(environment: Record<string, string>, options: PickOptions = {}) {
  const printed: string[] = [];
  const picked = pickEngine(environment, { print: (line) => printed.push(line), ...options });
  expect(printed).toEqual([picked.describe]);
  return picked;
}

/** A home folder and a PATH, each with or without a CLI. */
function machine({ onPath = false, atHome = false }) {
  const folder = temporaryFolder();
  const [path, home] = [join(folder, "path"), join(folder, "home")];
  const name = process.platform === "win32" ? "pulumi.exe" : "pulumi";
  for (const [is, where] of [
    [onPath, path],
    [atHome, join(home, ".pulumi", "bin")],
  ] as const) {
    mkdirSync(where, { recursive: true });
    if (!is) continue;
    writeFileSync(join(where, name), "");
    chmodSync(join(where, name), 0o755);
  }
  return { environment: { PATH: path, HOME: home }, home };
}

test("picks the CLI if it is on the PATH", () => {
  const { environment } = machine({ onPath: true, atHome: true });
  const { kind, command, root, describe } = pick(environment);
  expect([kind, command, root]).toEqual(["cli", undefined, undefined]);
  expect(describe).toContain(join(environment.PATH, "pulumi"));
});

test("picks the CLI if it is in the home folder", () => {
  const { environment, home } = machine({ atHome: true });
  expect(pick(environment)).toMatchObject({ kind: "cli", root: join(home, ".pulumi") });
});

test("picks the embedded engine if there is no CLI, and prints the reason", () => {
  const picked = pick(machine({}).environment);
  expect(picked.kind).toBe("embedded");
  expect(picked.command?.version?.toString()).toBe("3.260.0");
  expect(picked.describe).toBe(
    "engine: embedded, a test double (no Pulumi CLI on the PATH or under ~/.pulumi)",
  );
});

test("PULUMI_ENGINE selects the engine even if the CLI is on the PATH", () => {
  const { environment } = machine({ onPath: true });
  expect(pick({ ...environment, PULUMI_ENGINE: "embedded" }).kind).toBe("embedded");
  expect(pick({ ...environment, PULUMI_ENGINE: "cli" }).kind).toBe("cli");
  expect(pick({ ...environment, PULUMI_ENGINE: "" }).kind).toBe("cli");
});

test("`otherwise` picks the embedded engine even if there is a CLI, unless PULUMI_ENGINE is set", () => {
  const { environment } = machine({ onPath: true });
  expect(pick(environment, { otherwise: "embedded" })).toMatchObject({
    kind: "embedded",
    describe: "engine: embedded, a test double",
  });
  expect(pick({ ...environment, PULUMI_ENGINE: "cli" }, { otherwise: "embedded" }).kind).toBe("cli");
});

test("throws if PULUMI_ENGINE requests a missing CLI or an unknown engine", () => {
  const { environment } = machine({});
  expect(() => pick({ ...environment, PULUMI_ENGINE: "cli" })).toThrow("there is no Pulumi CLI");
  expect(() => pick({ ...environment, PULUMI_ENGINE: "other" })).toThrow('it is "cli" or "embedded"');
});
