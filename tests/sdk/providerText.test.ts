import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalog } from "../../provider/catalog";
import { providerText } from "../../sdk/runtime/providerText";

const root = join(__dirname, "../..");

/** Runs a provider text as the dynamic provider host does: from a string, in a process with this working directory. */
function hostIn(folder: string, text: string): unknown {
  const host = `
    const fromString = require(${JSON.stringify(require.resolve("require-from-string"))});
    try {
      const handler = fromString(process.argv[1]).handler();
      console.log(JSON.stringify(Object.keys(handler)));
    } catch (error) {
      console.log(JSON.stringify({ isError: error instanceof Error, message: error.message }));
    }`;
  const printed = execFileSync(process.execPath, ["-e", host, "--", text], { cwd: folder, encoding: "utf8" });
  return JSON.parse(printed);
}

describe("provider text of a resource in the state", () => {
  it.each([...Object.keys(catalog), "secrets:LoginEnforcement"])(
    "is at most 160 bytes long for %s",
    (token) => {
      expect(Buffer.byteLength(providerText(token))).toBeLessThanOrEqual(160);
    },
  );

  it("is the same for every version, because states contain it", () => {
    expect(providerText("scheduler:Job")).toBe(
      'let p="pulumi-quarterdeck";try{exports.handler=require(p+"/host")("scheduler:Job")}catch(e){throw Error(e+"\\nRun: npm install "+p)}',
    );
  });

  it("returns a handler if the package is installed", () => {
    expect(hostIn(root, providerText("scheduler:Job"))).toEqual(
      expect.arrayContaining(["configure", "check", "diff", "create", "read", "update", "delete"]),
    );
  });

  it("fails with the command to run if the package is not installed", () => {
    const folder = mkdtempSync(join(tmpdir(), "without-"));
    try {
      const { isError, message } = hostIn(folder, providerText("scheduler:Job")) as Record<string, unknown>;
      expect(isError).toBe(true);
      expect(message).toMatch(/^Error: Cannot find module 'pulumi-quarterdeck\/host'/);
      expect(message).toMatch(/\nRun: npm install pulumi-quarterdeck$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("fails with the list of resources if the package does not have this one", () => {
    const { message } = hostIn(root, providerText("scheduler:Ship")) as Record<string, unknown>;
    expect(message).toMatch(/pulumi-quarterdeck has no resource scheduler:Ship; it has: .*scheduler:Job/);
  });
});
