import { createPrivateKey } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import * as quarterdeck from "../../sdk";
import { CERTIFICATE, PRIVATE_KEY } from "../../testing/tests/stub/mesh-certificate";
import { withRecordsUnpacked } from "./ownRecords";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(240_000);

const { fromEnv, fromFile } = quarterdeck;
const VARIABLE = "QUARTERDECK_TEST_BINDPASS";
const [FIRST, SECOND] = ["canary-of-the-first-4711", "canary-of-the-second-0815"];
const SEC1 = createPrivateKey(PRIVATE_KEY).export({ format: "pem", type: "sec1" }).toString();
/** A part of a private key that its certificate does not contain. */
const secretHalf = (key: string) => key.split("\n")[1]?.slice(0, 40) ?? "";

let stack: TestStack;
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "quarterdeck-secrets-"));
  file = join(folder, "key.pem");
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await stack.close();
});

async function open(bridge: "dynamic" | "plugin"): Promise<void> {
  stack = await TestStack.open({}, { hasOwnProcesses: true });
  await stack.setBridge(bridge);
}

function provide(bindpass: string | undefined, key: string | undefined): void {
  const { envVars } = stack.stack.workspace;
  if (bindpass === undefined) delete envVars[VARIABLE];
  else envVars[VARIABLE] = bindpass;
  if (key === undefined) rmSync(file, { force: true });
  else writeFileSync(file, key);
}

/** @param path relative to the program's folder, in which a provider's process starts */
const program =
  (path = relative(resolve(__dirname, "../.."), file)) =>
  async () => {
    new quarterdeck.secrets.DirectoryConfig("directory", { binddn: "cn=admin", bindpass: fromEnv(VARIABLE) });
    new quarterdeck.mesh.InlineCertificate("tls", {
      name: "tls",
      spec: { certificate: CERTIFICATE, privateKey: fromFile(path) },
    });
  };

const withPlainValues = (bindpass: string, privateKey: string) => async () => {
  new quarterdeck.secrets.DirectoryConfig("directory", { binddn: "cn=admin", bindpass });
  new quarterdeck.mesh.InlineCertificate("tls", {
    name: "tls",
    spec: { certificate: CERTIFICATE, privateKey },
  });
};

/** The decrypted state, and everything that the engine has printed so far. */
async function readable(): Promise<string> {
  const { deployment } = await stack.stack.exportStack();
  return JSON.stringify(deployment.resources.map(withRecordsUnpacked)) + stack.printed;
}

async function expectNoTrace(): Promise<void> {
  const text = await readable();
  expect(text).toContain("quarterdeck:sealed:1:");
  for (const secret of [FIRST, SECOND, secretHalf(PRIVATE_KEY), secretHalf(SEC1)])
    expect(text.includes(secret) ? secret : undefined).toBeUndefined();
}

describe.each(["dynamic", "plugin"] as const)("fromEnv and fromFile on the %s bridge", (bridge) => {
  test("send the secret without storing it, detect a new value, and are not read by refresh and destroy", async () => {
    await open(bridge);
    provide(FIRST, PRIVATE_KEY);
    expect(await stack.preview(program())).toMatchObject({ failure: undefined, changes: { create: 3 } });
    expect(await stack.up()).toMatchObject({ failure: undefined, changes: { create: 3 } });
    const dumps = async () => (await stack.objects()).join("\n");
    expect(await dumps()).toContain(FIRST);
    expect(await dumps()).toContain(secretHalf(PRIVATE_KEY));
    await expectNoTrace();
    expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { same: 3 } });

    provide(undefined, undefined);
    expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 3 } });
    provide(undefined, PRIVATE_KEY);
    expect((await stack.preview()).output).toContain(
      `bindpass: fromEnv("${VARIABLE}"): the environment variable ${VARIABLE} is not set: set the variable in the environment of the Pulumi engine`,
    );
    provide(FIRST, undefined);
    expect((await stack.preview()).output).toMatch(
      /spec\.privateKey: fromFile\(".*key\.pem"\): the file ".*" cannot be read \(ENOENT\)/,
    );

    provide(SECOND, SEC1);
    const preview = await stack.preview();
    expect(preview).toMatchObject({ failure: undefined, changes: { update: 2, same: 1 } });
    expect(preview.output).toContain(`bindpass: the value behind fromEnv("${VARIABLE}") has changed`);
    expect(preview.output).toMatch(/spec\.privateKey: the value behind fromFile\(".*key\.pem"\) has changed/);
    expect(await stack.up()).toMatchObject({ failure: undefined, changes: { update: 2, same: 1 } });
    expect(await dumps()).toContain(SECOND);
    expect(await dumps()).not.toContain(FIRST);
    expect(await stack.up()).toMatchObject({ failure: undefined, changes: { same: 3 } });
    await expectNoTrace();

    provide(undefined, undefined);
    expect(await stack.destroy()).toMatchObject({ failure: undefined, changes: { delete: 3 } });
  });

  test("replace the same plain values in the state, and are replaced by them, without a write", async () => {
    await open(bridge);
    provide(FIRST, PRIVATE_KEY);
    expect(await stack.up(withPlainValues(FIRST, PRIVATE_KEY))).toMatchObject({ failure: undefined });
    await stack.stub.clearRequests();
    expect(await stack.up(program(file))).toMatchObject({
      failure: undefined,
      changes: { update: 2, same: 1 },
    });
    expect(await stack.writes()).toEqual([]);
    await expectNoTrace();
    expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { same: 3 } });
    expect(await stack.up(withPlainValues(FIRST, PRIVATE_KEY))).toMatchObject({
      failure: undefined,
      changes: { update: 2, same: 1 },
    });
    expect(await stack.writes()).toEqual([]);
    expect(await readable()).not.toContain("quarterdeck:sealed:1:");
    expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { same: 3 } });
  });
});
