import diagnosis from "../../cli/doctor/diagnosis";
import { doctorExitCode, type Finding } from "../../cli/doctor/report";
import { diagnosisText } from "../../cli/doctor/text";
import { type Stub, startStub } from "../../testing/stub";
import { TOKENS } from "../stack/console";
import { startTestServer } from "./testServer";

let stub: Stub;
beforeAll(async () => {
  stub = await startStub({ dialect: "neutral" });
});
afterAll(() => stub.stop());

type Settings = Readonly<Record<string, object>>;

/** Settings of every service of the stub. */
const atTheStub = (): Settings =>
  Object.fromEntries(
    Object.entries(TOKENS).map(([service, token]) => [
      service,
      {
        address: stub.addresses[service as keyof typeof TOKENS],
        token,
        dialect: "neutral",
        ...(service === "workspaces" && { organization: "acme" }),
      },
    ]),
  );

async function findings(settings: Settings, more: { bridge?: string; env?: Record<string, string> } = {}) {
  const configuration = new Map(
    Object.entries(settings).map(([service, value]) => [`quarterdeck:${service}`, JSON.stringify(value)]),
  );
  if (more.bridge !== undefined) configuration.set("quarterdeck:bridge", more.bridge);
  const found = await diagnosis({ configuration, env: more.env ?? {}, folder: __dirname, node: ">=22.19" });
  // Whether the CLI is installed depends on the machine.
  const own = found.findings.filter(({ what }) => what !== "Pulumi CLI");
  const printed = diagnosisText(found).join("\n") + JSON.stringify(found);
  for (const token of [...Object.values(TOKENS), "canary"]) expect(printed).not.toContain(token);
  return { own, exitCode: doctorExitCode({ ...found, findings: own }) };
}

const line = ({ about, what, status, message }: Finding) => `${about} ${what}: ${status}: ${message}`;
const about = (found: readonly Finding[], service: string) =>
  found.filter((finding) => finding.about === service).map(line);

test("with correct settings, no check fails or warns, and no write is sent", async () => {
  await stub.clearRequests();
  const { own, exitCode } = await findings(atTheStub(), { bridge: "plugin" });
  // Without a stack, what its resources need is unknown.
  expect(own.filter(({ status, what }) => status !== "OK" && what !== "permissions")).toEqual([]);
  expect(exitCode).toBe(0);
  expect(own.map(line)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^this machine Node: OK: \d+\./),
      expect.stringMatching(/^this machine Pulumi SDK: OK: 3\./),
      "this machine bridge: OK: plugin",
    ]),
  );
  expect(about(own, "workspaces")).toEqual([
    "workspaces settings: OK: address, token, dialect, organization from the stack's configuration",
    expect.stringMatching(/^workspaces address: OK: http:\/\/127.0.0.1:\d+, on this machine$/),
    expect.stringMatching(/^workspaces reached: OK: answers in \d+ ms$/),
    "workspaces clock: OK: the same as this machine's",
    "workspaces permissions: SKIP: permissions for your resources are not checked: no stack is selected",
    "workspaces reads: OK: the workspaces of acme are shown",
    "workspaces dialect: OK: neutral: the names that only quarterdeck-stub understands",
  ]);
  const requests = await stub.requests();
  expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("environment settings are named by variable, a missing token fails, and a service without settings is skipped", async () => {
  const env = { QUARTERDECK_SECRETS_ADDRESS: stub.addresses.secrets, QUARTERDECK_SECRETS_DIALECT: "neutral" };
  const { own, exitCode } = await findings({}, { env });
  expect(about(own, "secrets")[0]).toMatch(
    /^secrets settings: OK: .*address from QUARTERDECK_SECRETS_ADDRESS/,
  );
  expect(about(own, "secrets")).toContain(
    "secrets token: FAIL: no token is set, and the server requires a token",
  );
  expect(own.find(({ what, status }) => what === "token" && status === "FAIL")?.command).toBe(
    "export QUARTERDECK_SECRETS_TOKEN=<token>",
  );
  expect(exitCode).toBe(2);
  expect(about(own, "mesh")).toEqual([
    "mesh settings: SKIP: none: quarterdeck:mesh is not set, nor QUARTERDECK_MESH_ADDRESS or CONSUL_HTTP_ADDR",
  ]);
});

test("a rejected token, an unreachable server and an invalid setting fail with a command to run", async () => {
  const { own, exitCode } = await findings(
    {
      ...atTheStub(),
      scheduler: { address: "http://127.0.0.1:1", token: "canary", dialect: "neutral" },
      secrets: { ...atTheStub().secrets, token: "canary" },
      mesh: { ...atTheStub().mesh, tokn: "canary-typo" },
    },
    { bridge: "x" },
  );
  expect(exitCode).toBe(2);
  const failed = own.filter(({ status }) => status === "FAIL");
  expect(failed.map(line)).toEqual([
    'this machine bridge: FAIL: quarterdeck:bridge is "x", but must be dynamic or plugin',
    expect.stringMatching(/^scheduler reached: FAIL: .*ECONNREFUSED.* Check the address/),
    "secrets reads: FAIL: login enforcements are not shown: 403 permission denied",
    expect.stringMatching(/^mesh settings: FAIL: quarterdeck:mesh.tokn: unknown setting/),
  ]);
  expect(failed.map(({ command }) => command)).toEqual([
    "pulumi config set quarterdeck:bridge plugin",
    "curl -v http://127.0.0.1:1/v1/status/leader",
    "pulumi config set --secret --path 'quarterdeck:secrets.token'",
    "pulumi config rm --path 'quarterdeck:mesh.tokn'",
  ]);
});

test("a named connection is checked in addition to the default connection", async () => {
  const { own } = await findings({ ...atTheStub(), connections: { eu: { mesh: atTheStub().mesh } } });
  expect(about(own, 'mesh of the connection "eu"')).toContain(
    'mesh of the connection "eu" reads: OK: entries are shown',
  );
});

test("a clock difference fails with the difference and its direction", async () => {
  const server = await startTestServer(() => ({
    headers: { date: new Date(Date.now() - 3_600_000).toUTCString() },
  }));
  try {
    const { own } = await findings({ mesh: { address: server.address, dialect: "neutral" } });
    expect(own.find(({ what }) => what === "clock")).toMatchObject({
      status: "FAIL",
      message: expect.stringMatching(/^(3599|3600|3601) s behind this machine's$/),
    });
  } finally {
    await server.close();
  }
});
