import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { request } from "undici";
import { DEFAULT_PORTS, SERVICE_NAMES, StubControl, startStub } from "../../stub";

const SCRIPT = join(__dirname, "../../bin/quarterdeck-stub.js");
const FREE = Object.keys(DEFAULT_PORTS).flatMap((name) => [`--${name}-port`, "0"]);

function run(...flags: string[]): ChildProcess {
  return spawn(process.execPath, [SCRIPT, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
}

/** What a run that ends by itself says. */
async function outcome(...flags: string[]) {
  const child = run(...flags);
  if (child.stdout === null || child.stderr === null) throw new Error("the script has no output");
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, err, code };
}

/** What the script prints before it serves. */
async function printed(child: ChildProcess): Promise<string> {
  let out = "";
  for await (const part of child.stdout ?? []) {
    out += part;
    if (out.includes("Ctrl+C")) return out;
  }
  throw new Error(`the script ended with: ${out}`);
}

describe("quarterdeck-stub", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("serves what it prints, until %s", async (signal) => {
    const child = run(...FREE);
    const exit = once(child, "exit");
    try {
      const out = await printed(child);
      const printedAddress = (name: string) =>
        new RegExp(`^${name} +(http://127\\.0\\.0\\.1:\\d+)`, "m").exec(out)?.[1] ?? "";
      const addresses = await new StubControl(printedAddress("control")).addresses();
      for (const name of SERVICE_NAMES) {
        expect(printedAddress(name)).toBe(addresses[name]);
        expect(out).toContain(
          `pulumi config set --path --plaintext 'quarterdeck:${name}.address' ${addresses[name]}`,
        );
        expect(out).toContain(`export QUARTERDECK_${name.toUpperCase()}_ADDRESS=${addresses[name]}`);
      }
      const organization = /export QUARTERDECK_WORKSPACES_ORGANIZATION=(\S+)/.exec(out)?.[1];
      const token = /export QUARTERDECK_WORKSPACES_TOKEN=(\S+)/.exec(out)?.[1];
      const { statusCode } = await request(
        `${addresses.workspaces}/api/v2/organizations/${organization}/workspaces`,
        { headers: { authorization: `Bearer ${token}` } },
      );
      expect(statusCode).toBe(200);
    } finally {
      child.kill(signal);
    }
    expect(await exit).toEqual([0, null]);
  });

  test("names its ports where it is asked for help", async () => {
    const { out, code } = await outcome("--help");
    expect(code).toBe(0);
    for (const [name, port] of Object.entries(DEFAULT_PORTS)) {
      expect(out).toMatch(new RegExp(`--${name}-port +${port} `));
    }
  });

  test.each([
    ["--mesh-port", "x"],
    ["--mesh-port", "65536"],
    ["--speed", "1"],
  ])("refuses %s %s, and says how it is called", async (...flags) => {
    const { err, code } = await outcome(...flags);
    expect(code).toBe(2);
    expect(err).toMatch(new RegExp(`^quarterdeck-stub: .*${flags[0]}[\\s\\S]*Usage: quarterdeck-stub`));
  });

  test("says which port is taken", async () => {
    const stub = await startStub();
    try {
      const { port } = new URL(stub.addresses.secrets);
      const { err, code } = await outcome(...FREE, "--secrets-port", port);
      expect(code).toBe(1);
      expect(err).toMatch(`quarterdeck-stub: the secrets service cannot listen on 127.0.0.1:${port}: `);
    } finally {
      await stub.stop();
    }
  });
});
