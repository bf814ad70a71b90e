import { execFileSync } from "node:child_process";
import { basename, join } from "node:path";

const root = join(__dirname, "../..");

/** Runs a program in the repository, where the package is linked under its own name; returns what it prints. */
function printed(program: string): unknown {
  return JSON.parse(execFileSync(process.execPath, ["-e", program], { cwd: root, encoding: "utf8" }));
}

describe("installed package", () => {
  it("exports one namespace per service, and Provider, OnConflict, filter, fromEnv and fromFile", () => {
    expect(printed('console.log(JSON.stringify(Object.keys(require("pulumi-quarterdeck")).sort()))')).toEqual(
      [
        "OnConflict",
        "Provider",
        "filter",
        "fromEnv",
        "fromFile",
        "mesh",
        "scheduler",
        "secrets",
        "workspaces",
      ],
    );
  });

  it("loads neither the provider nor its dependencies with the SDK", () => {
    const loaded = printed(
      'require("pulumi-quarterdeck"); console.log(JSON.stringify(Object.keys(require.cache)))',
    ) as string[];
    const own = loaded.filter((file) => file.startsWith(join(root, "dist")));
    expect(own).toContain(join(root, "dist/sdk/index.js"));
    expect(own.filter((file) => !file.startsWith(join(root, "dist/sdk/")))).toEqual([]);
    expect(loaded.filter((file) => /node_modules\/(zod|undici|lossless-json)\//.test(file))).toEqual([]);
  });

  it("loads a resource only when a program first accesses it", () => {
    const loads = (use: string) =>
      (
        printed(
          `const sdk = require("pulumi-quarterdeck"); ${use};` +
            "console.log(JSON.stringify(Object.keys(require.cache)))",
        ) as string[]
      ).filter((file) => file.startsWith(join(root, "dist")));
    const before = loads("");
    expect(before.length).toBeLessThanOrEqual(40);
    expect(before).not.toContain(join(root, "dist/sdk/mesh/configEntry.js"));
    expect(loads("sdk.mesh.ConfigEntry")).toContain(join(root, "dist/sdk/mesh/configEntry.js"));
  });

  it("exports the same to an ES module, and loads only what it accesses", () => {
    const program = `
      import * as all from "pulumi-quarterdeck";
      import { mesh } from "pulumi-quarterdeck";
      import { createRequire } from "node:module";
      const kinds = [mesh === all.mesh, typeof mesh.ConfigEntry, typeof mesh.getConfigEntry];
      console.log(JSON.stringify({ kinds, loaded: Object.keys(createRequire(import.meta.url).cache) }));
    `;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: root,
      encoding: "utf8",
    });
    const { kinds, loaded } = JSON.parse(output) as { kinds: unknown[]; loaded: string[] };
    expect(kinds).toEqual([true, "function", "function"]);
    const ofMesh = loaded.filter((file) => file.startsWith(join(root, "dist/sdk/mesh/")));
    expect(ofMesh.map((file) => basename(file)).sort()).toEqual([
      "configEntry.js",
      "getConfigEntry.js",
      "index.js",
    ]);
  });

  it.each(["provider", "host", "package.json"])("exports %s", (entry) => {
    const program = `console.log(JSON.stringify(typeof require("pulumi-quarterdeck/${entry}")))`;
    expect(["object", "function"]).toContain(printed(program));
  });
});
