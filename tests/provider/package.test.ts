import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { VERSION } from "../../provider/version";
import { providerText } from "../../sdk/runtime/providerText";

const root = join(__dirname, "../..");
const manifest = z
  .object({ version: z.string(), engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

describe("values copied from package.json", () => {
  test("VERSION is the version of the package", () => {
    expect(VERSION).toBe(manifest.version);
  });

  test("OLDEST_NODE is the version in `engines`", () => {
    const source = readFileSync(join(root, "provider/node.ts"), "utf8");
    const [major, minor] = /OLDEST_NODE = \[(\d+), (\d+)\]/.exec(source)?.slice(1) ?? [];
    expect(manifest.engines.node).toBe(`>=${major}.${minor}`);
  });
});

describe("entry point for the provider text in states", () => {
  const original = process.versions;
  afterEach(() => Object.defineProperty(process, "versions", { value: original }));

  test.each(["20.18.1", "22.18.0"])(
    "reports the required Node version on Node %s, without a stack",
    (node) => {
      Object.defineProperty(process, "versions", { value: { ...original, node } });
      // The dynamic provider host runs the provider text of a state like this.
      const exported: { handler?: () => unknown } = {};
      const find = () => require("../../provider/host") as unknown;
      new Function("exports", "require", providerText("scheduler:Job"))(exported, find);
      let thrown: unknown;
      try {
        exported.handler?.();
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({
        message: `pulumi-quarterdeck needs Node 22.19 or later, but this is ${node}: put a newer Node first on the PATH of the Pulumi program`,
      });
      expect(`${thrown}: ${(thrown as Error).stack}`).toBe(
        "pulumi-quarterdeck: this Node version is too old",
      );
    },
  );
});
