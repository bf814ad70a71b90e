import { status } from "@grpc/grpc-js";
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { DiffResponse, GetMappingRequest, GetSchemaRequest } from "@pulumi/pulumi/proto/provider_pb";
import { plugin } from "../../../../provider/plugin";
import { type Stub, startStub, TEST_TOKENS } from "../../../../testing/stub";
import { consoleOn } from "../../../stack/console";
import { type Bag, errorOf, type State, secret, UNKNOWN } from "./calls";
import { type AttachedEngine, attachedEngine } from "./client";

const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
const URN = "urn:pulumi:dev::platform::my:Component$quarterdeck:scheduler:Job::web";
const ENTRY = "urn:pulumi:dev::platform::quarterdeck:mesh:ServiceDefaults::web";
const ROOT = "urn:pulumi:dev::platform::quarterdeck:secrets:CloudRoot::root";
const job = { ID: "web", TaskGroups: [{ Name: "g", Tasks: [{ Name: "t", Driver: "docker" }] }] };

let stub: Stub;
let settings: Record<string, Bag>;
let engine: AttachedEngine;

beforeEach(async () => {
  stub = await startStub({ mesh: { switches: { edition: "enterprise" } } });
  settings = Object.fromEntries(
    (["scheduler", "secrets", "mesh"] as const).map((service) => [
      service,
      { address: stub.addresses[service], token: TEST_TOKENS[service] },
    ]),
  );
  engine = await attachedEngine(settings);
});
afterEach(async () => {
  engine.stop();
  await stub.stop();
});

/** Checks and creates a resource. */
async function createResource(urn: string, program: Bag): Promise<{ id: string; state: State }> {
  const { inputs, failures } = await engine.calls.check(urn, {}, program);
  expect(failures).toEqual([]);
  const { id, outputs } = await engine.calls.create(urn, inputs);
  return { id, state: { inputs, outputs } };
}

/** The plain text part of an answer: every marked value is replaced. */
const inPlain = (value: unknown) =>
  JSON.stringify(value, (_, part) =>
    part !== null && typeof part === "object" && "4dabf18193072939515e22adb298388d" in part
      ? "[secret]"
      : part,
  );

describe("the handshake and the description of the plugin", () => {
  test("the plugin reports that it accepts secrets and supports previews", async () => {
    expect((await engine.calls.handshake()).getAcceptSecrets()).toBe(true);
    const configured = await engine.calls.configure(settings);
    expect([configured.getAcceptsecrets(), configured.getSupportspreview()]).toEqual([true, true]);
    expect([configured.getAcceptresources(), configured.getAcceptoutputs()]).toEqual([false, false]);
  });

  test("each server that a command uses is printed once with the source of its address", async () => {
    await createResource(URN, { json: job });
    await createResource(ENTRY, { name: "web" });
    await engine.calls.check(ENTRY, {}, { name: "api" });
    expect(engine.shown).toEqual(
      (["scheduler", "mesh"] as const).map((service) => ({
        severity: LogSeverity.INFO,
        text: `${service}: ${stub.addresses[service]} (from quarterdeck:${service}.address)`,
        urn: "",
        ephemeral: false,
      })),
    );
  });

  test("the plugin has the version and the schema of the package", async () => {
    const { version } = require("../../../../package.json");
    expect(plugin.version).toBe(version);
    const request = new GetSchemaRequest();
    const schema = JSON.parse(
      (await engine.calls.call<{ getSchema(): string }>("getSchema", request)).getSchema(),
    );
    expect([schema.name, schema.version]).toEqual(["quarterdeck", version]);
    expect((await engine.calls.info()).getVersion()).toBe(version);
  });

  test("an unknown resource, function or method returns an error that names it", async () => {
    const unknown = URN.replace("scheduler:Job", "scheduler:Jobb");
    expect(await errorOf(engine.calls.check(unknown, {}, {}))).toMatchObject({
      code: status.NOT_FOUND,
      message: `quarterdeck ${plugin.version} has no resource scheduler:Jobb`,
    });
    expect(await errorOf(engine.calls.invoke("quarterdeck:mesh:getNothing", {}))).toMatchObject({
      message: `quarterdeck ${plugin.version} has no function mesh:getNothing`,
    });
    expect(await errorOf(engine.calls.call("getMapping", new GetMappingRequest()))).toMatchObject({
      code: status.UNIMPLEMENTED,
    });
  });
});

describe("the configuration of the plugin", () => {
  test("accepts objects, JSON texts and numbers in strings, and drops the setting bridge", async () => {
    const address = stub.addresses.mesh;
    for (const mesh of [
      { address, timeout: 7 },
      { address, timeout: "7" },
      JSON.stringify({ address, timeout: "7" }),
    ]) {
      const given = { mesh, bridge: "plugin", version: plugin.version };
      const { bridge: _, ...expected } = given;
      expect(await engine.calls.checkConfig(given)).toEqual({ inputs: expected, failures: [] });
      expect(
        (await engine.calls.diffConfig({ mesh: { address, timeout: 7 } }, { mesh: { address, timeout: 7 } }))
          .changes,
      ).toBe(DIFF_NONE);
    }
    const [object, text] = [
      { mesh: { address, token: secret("a") } },
      { mesh: `{"token": "a", "address": "${address}"}` },
    ];
    expect((await engine.calls.diffConfig(object, text)).changes).toBe(DIFF_NONE);
    await engine.calls.configure({ mesh: JSON.stringify(settings.mesh) });
    expect((await engine.calls.check(ENTRY, {}, { name: "web" })).failures).toEqual([]);
  });

  test("reports every invalid setting by name and without its value", async () => {
    const { failures } = await engine.calls.checkConfig({
      mesh: { address: "canary.example", tokn: "canary" },
      secrets: "canary",
      vault: {},
      connections: { eu: { mesh: { address: 3 }, nomad: {} }, us: "canary" },
    });
    expect(failures.map(([property]) => property)).toEqual(failures.map(() => ""));
    expect(failures.map(([, reason]) => reason.split(": ")[0]).sort()).toEqual([
      "quarterdeck:connections.eu.mesh.address",
      "quarterdeck:connections.eu.nomad",
      "quarterdeck:connections.us",
      "quarterdeck:mesh.address",
      "quarterdeck:mesh.tokn",
      "quarterdeck:secrets",
      "quarterdeck:vault",
    ]);
    expect(JSON.stringify(failures)).not.toContain("canary");
  });

  test("accepts unknown settings, which count as a change", async () => {
    const given = { mesh: UNKNOWN, secrets: { address: UNKNOWN } };
    expect(await engine.calls.checkConfig(given)).toEqual({ inputs: given, failures: [] });
    expect(await engine.calls.diffConfig({ mesh: {} }, { mesh: UNKNOWN })).toMatchObject({
      changes: DIFF_SOME,
    });
  });

  test("replaces no resource if the token changes", async () => {
    const changed = await engine.calls.diffConfig(settings, {
      ...settings,
      mesh: { ...settings.mesh, token: "new" },
    });
    expect(changed).toEqual({ changes: DIFF_SOME, diffs: ["mesh"], replaces: [] });
  });

  test("is overridden by the environment if it is stored, and not if the program has just checked it", async () => {
    const stale = { ...settings, mesh: { ...settings.mesh, token: "expired" } };
    const variable = "QUARTERDECK_MESH_TOKEN";
    process.env[variable] = TEST_TOKENS.mesh;
    try {
      await engine.calls.configure(stale);
      const { id, state } = await createResource(ENTRY, { name: "web", spec: { protocol: "http" } });
      await engine.calls.checkConfig(stale);
      await engine.calls.configure(stale);
      expect((await errorOf(engine.calls.read(ENTRY, id, state))).message).toMatch(/40[13]/);
      await engine.calls.configure(stale);
      expect((await engine.calls.read(ENTRY, id, state)).id).toBe(id);
    } finally {
      delete process.env[variable];
    }
  });
});

describe("the settings of a single command (a provider without a name)", () => {
  const NAMELESS = "urn:pulumi:dev::default::pulumi:providers:quarterdeck::";

  test("override the environment, unlike stored settings", async () => {
    const stale = { ...settings, mesh: { ...settings.mesh, token: "expired" } };
    const variable = "QUARTERDECK_MESH_TOKEN";
    process.env[variable] = TEST_TOKENS.mesh;
    try {
      await engine.calls.configure(stale, NAMELESS);
      expect((await errorOf(engine.calls.read(ENTRY, "/default/service-defaults/web"))).message).toMatch(
        /40[13]/,
      );
      await engine.calls.configure(stale, `${NAMELESS}default_0_1_0`);
      expect((await errorOf(engine.calls.read(ENTRY, "/default/service-defaults/web"))).message).toContain(
        "not found",
      );
    } finally {
      delete process.env[variable];
    }
  });

  test("are validated by configure, because no other call validates them", async () => {
    const wrong = { mesh: { address: stub.addresses.mesh, tokn: "canary" }, nomad: {} };
    const { code, message } = await errorOf(engine.calls.configure(wrong, NAMELESS));
    expect(code).toBe(status.INVALID_ARGUMENT);
    expect(message.split("\n").map((line) => line.split(": ")[0])).toEqual([
      "quarterdeck:mesh.tokn",
      "quarterdeck:nomad",
    ]);
    expect(message).not.toContain("canary");
  });
});

describe("a secret value", () => {
  test("is listed by path in __aside if only the program marks it, and not if the definition does", async () => {
    const program = { accessKey: "AKIA1", secretKey: secret("canary-key"), region: secret("canary-region") };
    const { inputs } = await engine.calls.check(ROOT, {}, program);
    expect(inputs.__aside).toEqual({ secrets: ["region"] });
  });

  test("is marked in every answer if the program or the definition makes it secret", async () => {
    const program = { accessKey: "AKIA1", secretKey: secret("canary-key"), region: secret("canary-region") };
    const { inputs } = await engine.calls.check(ROOT, {}, program);
    const answers: unknown[] = [inputs, await engine.calls.create(ROOT, inputs, { preview: true })];
    const { id, outputs } = await engine.calls.create(ROOT, inputs);
    const state = { inputs, outputs };
    const second = await engine.calls.check(ROOT, inputs, { ...program, secretKey: "canary-other" });
    answers.push(outputs, second, await engine.calls.read(ROOT, id, state));
    answers.push(await engine.calls.diff(ROOT, id, state, second.inputs));
    answers.push(await engine.calls.update(ROOT, id, state, second.inputs, { preview: true }));
    answers.push(await engine.calls.update(ROOT, id, state, second.inputs));
    expect(inPlain(answers)).not.toContain("canary");
    expect(JSON.stringify(answers)).toContain("canary-other");
    expect(JSON.stringify(engine.shown)).not.toContain("canary");
    // A read by ID alone cannot know what a program marked.
    const { inputs: found } = await engine.calls.read(ROOT, id);
    expect(JSON.stringify(found)).not.toMatch(/canary-key|canary-other/);
  });

  test("is redacted in an error if the server quotes it", async () => {
    const { inputs } = await engine.calls.check(
      ROOT,
      {},
      { accessKey: "AKIA1", secretKey: "canary-key-of-twenty" },
    );
    await stub.fault({
      kind: "status",
      match: { service: "secrets", method: "POST" },
      status: 400,
      body: JSON.stringify({ errors: ["cannot work with canary-key-of-twenty"] }),
    });
    const { message } = await errorOf(engine.calls.create(ROOT, inputs));
    expect(message).toContain("cannot work with [secret]");
  });

  const SET = "urn:pulumi:dev::platform::quarterdeck:secrets:LibrarySet::set";
  const names = (...serviceAccountNames: unknown[]) => ({ name: "set", serviceAccountNames });

  test("in a map does not mark the other keys", async () => {
    const consul = { name: "web", spec: { protocol: "http", meta: { a: secret("canary"), b: "plain" } } };
    const { state } = await createResource(ENTRY, consul);
    expect(inPlain(state.outputs)).not.toContain("canary");
    expect(inPlain(state.outputs)).toContain("plain");
  });

  test("in a list that is returned unchanged marks only its own element", async () => {
    const { inputs } = await engine.calls.check(
      SET,
      {},
      names(secret("canary@example.com"), "b@example.com"),
    );
    const planned = await engine.calls.create(SET, inputs, { preview: true });
    expect(inPlain(planned.outputs.serviceAccountNames)).toBe('["[secret]","b@example.com"]');
  });

  test.each([
    ["that contains the secret again in plain text", ["canary@example.com", "x-canary@example.com"]],
    ["with an empty secret", ["", "b@example.com"]],
  ])("in a list %s marks the complete list", async (_, [first, second]) => {
    const { inputs } = await engine.calls.check(SET, {}, names(secret(first), second));
    const planned = await engine.calls.create(SET, inputs, { preview: true });
    expect(inPlain(planned.outputs.serviceAccountNames)).toBe('"[secret]"');
  });
});

describe("a preview", () => {
  test("shows the changed paths, and keeps outputs that an update cannot change", async () => {
    const urn = URN;
    const spec = {
      id: "web",
      taskGroups: [{ name: "g", count: 1, tasks: [{ name: "t", driver: "docker" }] }],
    };
    const { id, state } = await createResource(urn, { spec, namespace: "default" });
    const [group] = spec.taskGroups;
    const more = { ...spec, priority: 70, taskGroups: [{ ...group, count: 3 }] };
    const { inputs } = await engine.calls.check(urn, state.inputs, { spec: more, namespace: "default" });
    const diff = await engine.calls.diff(urn, id, state, inputs);
    expect(Object.keys(diff.details).sort()).toEqual(["spec.priority", "spec.taskGroups[0].count"]);
    expect([diff.diffs, diff.replaces]).toEqual([["spec"], []]);
    const { outputs } = await engine.calls.update(urn, id, state, inputs, { preview: true });
    expect(outputs).toMatchObject({ jobId: "web", namespace: "default", jobModifyIndex: UNKNOWN });
  });

  test("shows a change of identity as a replacement and names the property", async () => {
    const { id, state } = await createResource(ENTRY, { name: "web" });
    const { inputs } = await engine.calls.check(ENTRY, state.inputs, { name: "api" });
    const diff = await engine.calls.diff(ENTRY, id, state, inputs);
    expect([diff.replaces, diff.deleteBeforeReplace]).toEqual([["name"], false]);
  });

  test("sends no request, and accepts unknown values", async () => {
    const { inputs, failures } = await engine.calls.check(
      ENTRY,
      {},
      { name: UNKNOWN, spec: { protocol: UNKNOWN } },
    );
    expect(failures).toEqual([]);
    const sent = (await stub.requests()).length;
    const { outputs } = await engine.calls.create(ENTRY, inputs, { preview: true });
    expect(outputs).toMatchObject({ name: UNKNOWN, spec: { protocol: UNKNOWN } });
    expect((await stub.requests()).length).toBe(sent);
  });
});

describe("messages of a step", () => {
  test("an import warns about texts that the code generator of the Pulumi CLI damages", async () => {
    const Meta = {
      damaged: "one\n$two\nthree",
      whole: `one\n\${two}\nthree`,
      line: "one $two\n",
      plain: "one\ntwo\nthree",
    };
    const { id, state } = await createResource(URN, { json: { ...job, Meta } });
    const warnings = () => engine.shown.filter(({ text }) => text.includes("pulumi import"));
    await engine.calls.read(URN, id, state);
    expect(warnings()).toEqual([]);
    await engine.calls.read(URN, id);
    expect(warnings().map(({ text }) => text)).toEqual([
      expect.stringMatching(/^(json|spec)\.[Mm]eta\.damaged: pulumi import omits/),
    ]);
  });

  test("a warning is printed with the URN of its resource before the step returns", async () => {
    await stub.fault({
      kind: "status",
      match: { service: "scheduler", method: "POST", path: "/v1/jobs/parse" },
      times: "always",
      status: 501,
      body: "no leader",
    });
    const hcl = 'job "web" { group "g" { task "t" { driver = "docker" } } }';
    engine.messageDelayMs = 50;
    await engine.calls.check(URN, {}, { hcl, timeouts: { create: 1 } });
    const shown = engine.shown.filter(({ urn }) => urn !== "");
    expect(shown.map(({ urn, ephemeral }) => [urn, ephemeral])).toEqual([[URN, false]]);
    expect(shown[0]?.text).toContain("the server could not parse hcl");
  });

  test("a message with a table contains the name of its resource, because the engine may print it elsewhere", async () => {
    const { id, state } = await createResource(ENTRY, { name: "web", spec: { protocol: "http" } });
    await consoleOn(stub)("mesh", "PUT", "/v1/config", {
      Kind: "service-defaults",
      Name: "web",
      Protocol: "grpc",
    });
    await engine.calls.read(ENTRY, id, state);
    const [shown] = engine.shown.filter(({ urn }) => urn === ENTRY);
    expect(shown?.text).toMatch(
      /^Consul service-defaults entry "\/default\/service-defaults\/web": .*\n.*\n.*"http" +"grpc"$/,
    );
  });

  test("a check failure names no property, because the engine would print its value", async () => {
    const { failures } = await engine.calls.check(URN, {}, { json: job, namespac: secret("canary") });
    expect(failures).toEqual([["", "namespac: given [secret]: unknown property; did you mean namespace?"]]);
  });

  test("the error of a partially created object has its ID, state and reasons, and an update completes it", async () => {
    await stub.fault({
      kind: "status",
      match: { service: "scheduler", method: "GET" },
      times: "always",
      status: 403,
      body: "Permission denied",
    });
    const { inputs } = await engine.calls.check(URN, {}, { json: job, namespace: "default" });
    const { halfMade, message } = await errorOf(engine.calls.create(URN, inputs));
    expect(message).toContain("Permission denied");
    expect(halfMade).toMatchObject({ id: "default/web", inputs, reasons: [message] });
    expect(halfMade?.properties).toMatchObject({ jobId: "web", __quarterdeck: secret(expect.any(String)) });
    await stub.clearFaults();
    const state = { inputs, outputs: halfMade?.properties ?? {} };
    const updated = await engine.calls.update(URN, "default/web", state, inputs);
    const now = { inputs, outputs: updated.outputs };
    expect((await engine.calls.diff(URN, "default/web", now, inputs)).changes).toBe(DIFF_NONE);
  });
});

describe("a step", () => {
  test("ends when the engine cancels it, and does not affect the next step", async () => {
    await stub.fault({
      kind: "delay",
      match: { service: "mesh", method: "GET" },
      times: "always",
      milliseconds: 20_000,
    });
    const { inputs } = await engine.calls.check(ENTRY, {}, { name: "web" });
    const running = errorOf(engine.calls.create(ENTRY, inputs));
    while ((await stub.requests()).length === 0) await new Promise((done) => setTimeout(done, 5));
    await engine.calls.cancel();
    expect((await running).message).toMatch(/cancel/i);
    await stub.clearFaults();
    expect((await createResource(ENTRY, { name: "web" })).id).toBe("/default/service-defaults/web");
  });

  test("ends when the timeout of the engine has passed", async () => {
    await stub.fault({
      kind: "delay",
      match: { service: "mesh", method: "GET" },
      times: "always",
      milliseconds: 20_000,
    });
    const { inputs } = await engine.calls.check(ENTRY, {}, { name: "web" });
    const { message } = await errorOf(engine.calls.create(ENTRY, inputs, { timeout: 1 }));
    expect(message).toMatch(/time/);
  });
});

describe("a function call", () => {
  test("returns a result, rejects wrong arguments, and sends no credentials request in a preview", async () => {
    await createResource(ENTRY, { name: "web", spec: { protocol: "http" } });
    const { result } = await engine.calls.invoke("quarterdeck:mesh:getConfigEntry", {
      kind: "service-defaults",
      name: "web",
    });
    expect(result).toMatchObject({ spec: { Protocol: "http" } });
    const wrong = engine.calls.invoke("quarterdeck:mesh:getConfigEntry", { kind: "service-defaults" });
    expect((await errorOf(wrong)).message).toContain("name");
    const sent = (await stub.requests()).length;
    const credentials = await engine.calls.invoke(
      "quarterdeck:secrets:getCloudStaticCredentials",
      { name: "role" },
      true,
    );
    expect(Object.values(credentials.result).every((value) => value === UNKNOWN)).toBe(true);
    const replaced = engine.calls.invoke("quarterdeck:secrets:getQueueCredentials", { name: "role" }, true);
    expect((await errorOf(replaced)).message).toContain("Use the resource QueueCredentials");
    expect((await stub.requests()).length).toBe(sent);
  });
});
