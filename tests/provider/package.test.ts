import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { VERSION } from "../../provider/version";
import { providerText } from "../../sdk/runtime/providerText";

const root = join(__dirname, "../..");
const manifest = z
  .object({ version: z.string(), engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

describe("what the sources repeat of package.json", () => {
  test("the version is the package's", () => {
    expect(VERSION).toBe(manifest.version);
  });

  test("a Node that is refused is one that `engines` refuses", () => {
    const source = readFileSync(join(root, "provider/node.ts"), "utf8");
    const [major, minor] = /OLDEST_NODE = \[(\d+), (\d+)\]/.exec(source)?.slice(1) ?? [];
    expect(manifest.engines.node).toBe(`>=${major}.${minor}`);
  });
});

describe("the entry that states call", () => {
  const original = process.versions;
  afterEach(() => Object.defineProperty(process, "versions", { value: original }));

  test.each(["20.18.1", "22.18.0"])("names the Node that it needs on Node %s, and nothing else", (node) => {
    Object.defineProperty(process, "versions", { value: { ...original, node } });
    // As the dynamic host does it, with the text of a state.
    const exported: { handler?: () => unknown } = {};
    const find = () => require("../../provider/host") as unknown;
    new Function("exports", "require", providerText("scheduler:Job"))(exported, find);
    let told: unknown;
    try {
      exported.handler?.();
    } catch (error) {
      told = error;
    }
    expect(told).toMatchObject({
      message: `pulumi-quarterdeck needs Node 22.19 or later, and this is ${node}: put a newer one first on the PATH of the Pulumi program`,
    });
    expect(`${told}: ${(told as Error).stack}`).toBe("pulumi-quarterdeck: this Node is too old for it");
  });
});
