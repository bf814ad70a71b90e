import { diagnosisText } from "../../command/doctorText";
import diagnosis from "../../doctor/diagnosis";
import { exitCodeOf, type Finding } from "../../doctor/report";
import { type Stub, startStub } from "../../testing/stub";
import { TOKENS } from "../stack/console";
import { serving } from "./serving";

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
  // What is installed here is this machine's.
  const own = found.findings.filter(({ what }) => what !== "Pulumi CLI");
  const printed = diagnosisText(found).join("\n") + JSON.stringify(found);
  for (const token of [...Object.values(TOKENS), "canary"]) expect(printed).not.toContain(token);
  return { own, exitCode: exitCodeOf({ ...found, findings: own }) };
}

const line = ({ about, what, verdict, says }: Finding) => `${about} ${what}: ${verdict}: ${says}`;
const about = (found: readonly Finding[], service: string) =>
  found.filter((finding) => finding.about === service).map(line);

test("where all is well, every line says so, and nothing is written", async () => {
  await stub.clearRequests();
  const { own, exitCode } = await findings(atTheStub(), { bridge: "plugin" });
  expect(own.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
  expect(exitCode).toBe(0);
  expect(own.map(line)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^this machine Node: ok: \d+\./),
      expect.stringMatching(/^this machine Pulumi SDK: ok: 3\./),
      "this machine bridge: ok: plugin",
    ]),
  );
  expect(about(own, "workspaces")).toEqual([
    "workspaces settings: ok: address, token, dialect, organization from the stack's configuration",
    expect.stringMatching(/^workspaces address: ok: http:\/\/127.0.0.1:\d+, on this machine$/),
    expect.stringMatching(/^workspaces reached: ok: answers in \d+ ms$/),
    "workspaces clock: ok: the same as ours",
    "workspaces reads: ok: the workspaces of acme are shown",
    "workspaces dialect: ok: neutral: the names of the specification",
  ]);
  const requests = await stub.requests();
  expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("what the environment says is named by its variable, and what nobody says is not told", async () => {
  const { own } = await findings({}, { env: { QUARTERDECK_MESH_ADDRESS: stub.addresses.mesh } });
  expect(about(own, "mesh")[0]).toBe("mesh settings: ok: address from QUARTERDECK_MESH_ADDRESS");
  expect(about(own, "mesh")).toContain("mesh token: not told: none is set");
  expect(about(own, "secrets")).toEqual([
    "secrets settings: not told: quarterdeck:secrets is not set, nor QUARTERDECK_SECRETS_ADDRESS",
  ]);
});

test("a token that is refused, a server that is not there, and a setting that is none", async () => {
  const { own, exitCode } = await findings(
    {
      ...atTheStub(),
      scheduler: { address: "http://127.0.0.1:1", token: "canary" },
      secrets: { ...atTheStub().secrets, token: "canary" },
      mesh: { ...atTheStub().mesh, tokn: "canary-typo" },
    },
    { bridge: "x" },
  );
  expect(exitCode).toBe(2);
  const wrong = own.filter(({ verdict }) => verdict === "to do").map(line);
  expect(wrong).toEqual([
    'this machine bridge: to do: quarterdeck:bridge is "x"',
    expect.stringMatching(/^scheduler reached: to do: .*ECONNREFUSED.* Check the address/),
    expect.stringMatching(
      /^secrets reads: to do: login enforcements are not shown \(403 permission denied\)$/,
    ),
    expect.stringMatching(/^mesh settings: to do: quarterdeck:mesh.tokn: there is no such setting/),
  ]);
});

test("a named connection is looked at beside the service's own", async () => {
  const { own } = await findings({ ...atTheStub(), connections: { eu: { mesh: atTheStub().mesh } } });
  expect(about(own, 'mesh of the connection "eu"')).toContain(
    'mesh of the connection "eu" reads: ok: entries are shown',
  );
});

test("a clock that is apart is told, and which is ahead", async () => {
  const server = await serving(() => ({ headers: { date: new Date(Date.now() - 3_600_000).toUTCString() } }));
  try {
    const { own } = await findings({ mesh: { address: server.address } });
    expect(own.find(({ what }) => what === "clock")).toMatchObject({
      verdict: "to do",
      says: expect.stringMatching(/^(3599|3600|3601) s behind ours$/),
    });
  } finally {
    await server.close();
  }
});
