import takingOver from "../../cli/import/adoptProgram";
import type { UnmanagedObject } from "../../cli/list/report";
import { inTypeScript } from "../../cli/programs/typescript";
import { readOnlyProvider } from "../../cli/state/readOnly";
import { type Stub, startStub } from "../../testing/stub";
import { CERTIFICATE, PRIVATE_KEY } from "../../testing/tests/stub/mesh-certificate";
import { type Ask, consoleOn, TOKENS } from "../stack/console";

let stub: Stub;
let ask: Ask;
beforeEach(async () => {
  stub = await startStub({ mesh: { switches: { edition: "enterprise" } } });
  ask = consoleOn(stub);
});
afterEach(() => stub.stop());

/** The program that adopts these objects, also as text. */
async function taken(found: readonly UnmanagedObject[]) {
  const settings = new Map(
    Object.entries(TOKENS).map(([service, token]) => {
      const address = stub.addresses[service as keyof typeof TOKENS];
      return [`quarterdeck:${service}`, JSON.stringify({ address, token, organization: undefined })];
    }),
  );
  const progress: number[] = [];
  const configuration = { get: (key: string) => settings.get(key), env: {} };
  const around = { host: readOnlyProvider(configuration, {}), names: new Set<string>() };
  const made = await takingOver(found, around, (done) => progress.push(done));
  expect(progress).toEqual(found.map((_, index) => index + 1));
  return { ...made, text: inTypeScript(made.program) };
}

test("the program contains the existing values, and reads secrets from the configuration", async () => {
  const { body: method } = await ask("secrets", "POST", "/v1/identity/mfa/method/okta", {
    method_name: "staff",
    org_name: "acme",
    api_token: "hush",
  });
  await ask("mesh", "PUT", "/v1/config", {
    Kind: "inline-certificate",
    Name: "tls",
    Certificate: CERTIFICATE,
    PrivateKey: PRIVATE_KEY,
    Meta: { team: "a" },
  });
  await ask("scheduler", "POST", "/v1/jobs", {
    Job: {
      ID: "own",
      VaultToken: "hush",
      TaskGroups: [{ Name: "a", Tasks: [{ Name: "b", Driver: "exec" }] }],
    },
  });
  const { text, settings, unread } = await taken([
    { type: "scheduler:Job", id: "default/own", name: "own" },
    { type: "secrets:MfaMethod", id: method.data.method_id, name: "staff" },
    { type: "mesh:InlineCertificate", id: "/default/inline-certificate/tls", name: "tls" },
  ]);
  expect(unread).toEqual([]);
  expect(settings.map(({ name }) => name)).toEqual(["staff.apiToken", "tls.spec.privateKey"]);
  expect(text).toContain(`new quarterdeck.secrets.MfaMethod("staff", {
  adopt: true,
  methodName: "staff",
  orgName: "acme",
  apiToken: config.requireSecret("staff.apiToken"),
});`);
  expect(text).toContain('privateKey: config.requireSecret("tls.spec.privateKey")');
  for (const secret of ["hush", ...PRIVATE_KEY.split("\n").filter((line) => line.length > 20)])
    expect(text).not.toContain(secret);
});

test("a secret that the server shows, and that the schema does not require, is read from the configuration", async () => {
  const entry = {
    Kind: "inline-certificate",
    Name: "tls",
    Certificate: CERTIFICATE,
    PrivateKey: PRIVATE_KEY,
  };
  await ask("mesh", "PUT", "/v1/config", entry);
  const { text, settings } = await taken([
    { type: "mesh:ConfigEntry", id: "/default/inline-certificate/tls", name: "tls" },
  ]);
  expect(settings.map(({ name }) => name)).toEqual(["tls.spec.PrivateKey"]);
  expect(text).toContain('PrivateKey: config.requireSecret("tls.spec.PrivateKey")');
});

test("the program has its properties in the order of the reference, without defaults", async () => {
  await ask("scheduler", "POST", "/v1/jobs", {
    Job: { ID: "web", TaskGroups: [{ Name: "front", Tasks: [{ Name: "server", Driver: "docker" }] }] },
  });
  const { text } = await taken([{ type: "scheduler:Job", id: "default/web", name: "web" }]);
  expect(text).toBe(`import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.scheduler.Job("web", {
  adopt: true,
  json: {
    ID: "web",
    TaskGroups: [{ Name: "front", Tasks: [{ Name: "server", Driver: "docker" }] }],
  },
});
`);
});

test("deleted and unreadable objects are reported, and the program contains the others", async () => {
  await ask("mesh", "PUT", "/v1/config", { Kind: "service-defaults", Name: "api", Protocol: "http" });
  await stub.fault({
    match: { service: "secrets", method: "GET" },
    kind: "status",
    status: 403,
    times: "always",
  } as never);
  const { program, unread } = await taken([
    { type: "scheduler:Job", id: "default/gone", name: "gone" },
    { type: "secrets:QueueRole", id: "rabbitmq/other", name: "other" },
    { type: "mesh:ServiceDefaults", id: "/default/service-defaults/api", name: "api" },
  ]);
  expect(program.statements.map((statement) => "token" in statement && statement.token)).toEqual([
    "mesh:ServiceDefaults",
  ]);
  expect([...unread].sort((one, other) => (one.of < other.of ? -1 : 1))).toEqual([
    { of: "scheduler:Job default/gone", why: expect.stringContaining("does not exist") },
    { of: "secrets:QueueRole rabbitmq/other", why: expect.stringContaining("403") },
  ]);
});
