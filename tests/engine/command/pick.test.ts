import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pickEngine } from "../../../testing/engine";
import { temporaryFolder } from "../recorded";

/** A home with or without a CLI under it, and a PATH with or without one. */
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

test("the CLI is picked where it is on the PATH", () => {
  const { environment } = machine({ onPath: true, atHome: true });
  const { kind, command, root, describe } = pickEngine(environment);
  expect([kind, command, root]).toEqual(["cli", undefined, undefined]);
  expect(describe).toContain(join(environment.PATH, "pulumi"));
});

test("the CLI is picked where it is under the home folder", () => {
  const { environment, home } = machine({ atHome: true });
  expect(pickEngine(environment)).toMatchObject({ kind: "cli", root: join(home, ".pulumi") });
});

test("the embedded engine is picked where there is no CLI, and says why", () => {
  const picked = pickEngine(machine({}).environment);
  expect(picked.kind).toBe("embedded");
  expect(picked.command?.version?.toString()).toBe("3.260.0");
  expect(picked.describe).toBe(
    "engine: embedded, a test double (no Pulumi CLI on the PATH or under ~/.pulumi)",
  );
});

test("PULUMI_ENGINE has the last word", () => {
  const { environment } = machine({ onPath: true });
  expect(pickEngine({ ...environment, PULUMI_ENGINE: "embedded" }).kind).toBe("embedded");
  expect(pickEngine({ ...environment, PULUMI_ENGINE: "cli" }).kind).toBe("cli");
  expect(pickEngine({ ...environment, PULUMI_ENGINE: "" }).kind).toBe("cli");
});

test("a CLI that is wanted and not there is an error, as is an engine that nobody knows", () => {
  const { environment } = machine({});
  expect(() => pickEngine({ ...environment, PULUMI_ENGINE: "cli" })).toThrow("there is no Pulumi CLI");
  expect(() => pickEngine({ ...environment, PULUMI_ENGINE: "other" })).toThrow('it is "cli" or "embedded"');
});
