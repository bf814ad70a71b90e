import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "../..");

/** What a program prints that runs in the repository, where the package is linked under its own name. */
function printed(program: string): unknown {
  return JSON.parse(execFileSync(process.execPath, ["-e", program], { cwd: root, encoding: "utf8" }));
}

describe("the package as it is installed", () => {
  it("gives the SDK, a namespace a service, and the builder of filters", () => {
    expect(printed('console.log(JSON.stringify(Object.keys(require("pulumi-quarterdeck")).sort()))')).toEqual(
      ["filter", "mesh", "scheduler", "secrets", "workspaces"],
    );
  });

  it("loads nothing of the provider with the SDK, nor what only the provider needs", () => {
    const loaded = printed(
      'require("pulumi-quarterdeck"); console.log(JSON.stringify(Object.keys(require.cache)))',
    ) as string[];
    const own = loaded.filter((file) => file.startsWith(join(root, "dist")));
    expect(own).toContain(join(root, "dist/sdk/index.js"));
    expect(own.filter((file) => !file.startsWith(join(root, "dist/sdk/")))).toEqual([]);
    expect(loaded.filter((file) => /node_modules\/(zod|undici|lossless-json)\//.test(file))).toEqual([]);
  });

  it.each(["provider", "host", "schema.json", "package.json"])("gives %s", (entry) => {
    const program = `console.log(JSON.stringify(typeof require("pulumi-quarterdeck/${entry}")))`;
    expect(["object", "function"]).toContain(printed(program));
  });
});
