import { existsSync, globSync } from "node:fs";
import { join } from "node:path";

const folder = join(__dirname, "..", "..", "tools", "bench");

/** They need servers, or start one, while they load. */
const NEEDS_SERVERS = ["bare.cjs", "stubProcess.cjs"];

test("every module of the benchmarks loads, and its plugins exist", () => {
  const modules = globSync("*.cjs", { cwd: folder }).filter((name) => !NEEDS_SERVERS.includes(name));
  expect(modules.length).toBeGreaterThan(5);
  const loaded = new Map(modules.map((name) => [name, require(join(folder, name))]));
  const { OWN_PLUGIN } = loaded.get("stack.cjs");
  for (const path of [OWN_PLUGIN.path, join(folder, "nothing")])
    expect(existsSync(join(path, "PulumiPlugin.yaml"))).toBe(true);
});
