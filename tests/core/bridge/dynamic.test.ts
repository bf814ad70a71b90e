import { dynamicHandler } from "../../../provider/core/bridge/dynamic/dynamicHandler";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import job from "../../../provider/services/scheduler/job";
import cloudRootRotation from "../../../provider/services/secrets/cloudRootRotation";
import mfaMethod from "../../../provider/services/secrets/mfaMethod";
import recoveryBackupDeletion from "../../../provider/services/secrets/recoveryBackupDeletion";
import type { StubService } from "../../../testing/stub/service";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { everythingPrinted } from "../../redact/readable";
import { World } from "../../steps/world";
import { hostOf } from "./host";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const secretly = (value: unknown) => ({ [SIGNATURE]: SECRET, value });
const provider = { __provider: "the provider's text" };

function bridge(definition: AnyDefinition, stub: StubService, token: string) {
  const world = new World(stub, definition, { token });
  const printed: string[] = [];
  const host = hostOf(() => world.connection, printed);
  const handler = dynamicHandler(definition, () => host);
  return { handler, world, printed };
}

const methods = () =>
  bridge(
    mfaMethod,
    new SecretsService({ switches: { dialect: "neutral" }, seed: { tokens: { root: {} } } }),
    "root",
  );
const jobs = () =>
  bridge(
    job,
    new SchedulerService({
      switches: { dialect: "neutral" },
      seed: { tokens: { manager: { management: true } } },
      random: () => 0.5,
    }),
    "manager",
  );

const method = { methodName: "staff", orgName: "acme", apiToken: "canary-token", ...provider };
const web = { ID: "web", TaskGroups: [{ Name: "g", Tasks: [{ Name: "t", Driver: "docker" }] }] };

/** Values as the engine passes them back: it removes the secret marks. */
function asState(bag: object): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(bag, (_, value) =>
      value !== null && typeof value === "object" && SIGNATURE in value ? value.value : value,
    ),
  );
}

test("create marks the secret fields of the definition and the records, and no other field", async () => {
  const { handler } = methods();
  const { outs } = await handler.create(method);
  expect(outs.apiToken).toEqual(secretly("canary-token"));
  expect(outs.__quarterdeck).toMatchObject({ [SIGNATURE]: SECRET });
  expect(outs.orgName).toBe("acme");
});

test("a refresh marks a secret that someone else added to a document", async () => {
  const { handler, world } = jobs();
  const { id, outs } = await handler.create({ json: web, ...provider });
  const headers = { "x-sched-token": "manager", "content-type": "application/json" };
  await world.send("POST", "/v1/jobs", { Job: { ...web, SecretsToken: "canary" } }, headers);
  const found = await handler.read(id, { ...asState(outs), ...provider });
  expect(found.inputs?.json).toMatchObject({ SecretsToken: secretly("canary") });
  expect(found.props?.json).toMatchObject({ SecretsToken: secretly("canary") });
});

test("a document given as JSON text is marked as a unit if it contains a secret", async () => {
  const { handler } = jobs();
  const json = JSON.stringify({ ...web, SecretsToken: "canary" });
  const { outs } = await handler.create({ json, ...provider });
  expect(outs.json).toEqual(secretly(json));
});

test("a read by ID alone (import) returns inputs with marked secrets", async () => {
  const { handler, world } = jobs();
  const headers = { "x-sched-token": "manager", "content-type": "application/json" };
  await world.send("POST", "/v1/jobs", { Job: { ...web, SecretsToken: "canary" } }, headers);
  const found = await handler.read("default/web", provider);
  expect(found.inputs?.json).toMatchObject({ SecretsToken: secretly("canary") });
});

test("a refresh without drift returns no inputs, so that the state keeps the program's inputs", async () => {
  const { handler } = jobs();
  const { id, outs } = await handler.create({ json: web, ...provider });
  const found = await handler.read(id, { ...asState(outs), ...provider });
  expect(found.id).toBe(id);
  expect(found).not.toHaveProperty("inputs");
});

test("read returns an empty ID for a deleted object", async () => {
  const { handler, world } = jobs();
  const { id, outs } = await handler.create({ json: web, ...provider });
  await world.send("DELETE", "/v1/job/web?purge=true", undefined, { "x-sched-token": "manager" });
  expect(await handler.read(id, { ...asState(outs), ...provider })).toEqual({ id: "" });
});

test.each([
  [
    "of a newer version",
    JSON.stringify({ v: 99, applied: { json: "canary" } }),
    /newer version .* Next: update the package/,
  ],
  ["that cannot be parsed", '{"v": "canary', /the records in the state are invalid/],
])("diff, read, update and delete reject records %s and explain why", async (_, record, words) => {
  const { handler } = jobs();
  const { id, outs } = await handler.create({ json: web, ...provider });
  const state = { ...asState(outs), ...provider, __quarterdeck: record };
  const steps: readonly (() => Promise<unknown>)[] = [
    () => handler.diff(id, state, { json: web, ...provider }),
    () => handler.read(id, state),
    () => handler.update(id, state, { json: web, ...provider }),
    () => handler.delete(id, state),
  ];
  for (const step of steps) {
    const error = await Promise.resolve()
      .then(step)
      .then(
        () => new Error("it was done"),
        (reason: Error) => reason,
      );
    expect(error.message).toMatch(words);
    expect(everythingPrinted(error)).not.toContain("canary");
  }
});

test("check failures have the path in the reason and no property, because the engine would print its value", async () => {
  const { handler } = methods();
  const { failures, inputs } = await handler.check({}, { ...method, orgName: "", nonsense: 1 });
  expect(failures.map(({ property }) => property)).toEqual(["", ""]);
  expect(failures.map(({ reason }) => reason).sort()).toEqual([
    expect.stringMatching(/^nonsense: given 1: unknown property/),
    expect.stringMatching(/^orgName: given "": must not be empty/),
  ]);
  expect(inputs).not.toHaveProperty("__provider");
});

test("check failures contain no secret of the inputs if the server quotes one", async () => {
  const { handler, world } = jobs();
  world.onResponse = ({ path }, answer) => {
    if (path === "/v1/jobs/parse") Object.assign(answer, { status: 400, text: "no canary-token here" });
  };
  const { failures } = await handler.check(
    {},
    { hcl: "job {", variables: { a: "canary-token" }, __aside: { secrets: ["variables"] }, ...provider },
  );
  expect(failures).toEqual([{ property: "", reason: expect.stringContaining("no [secret] here") }]);
});

test("check and diff accept the engine's unknown value at any depth, and check returns it", async () => {
  const { handler } = jobs();
  const json = { ...web, Meta: { later: UNKNOWN } };
  const { failures, inputs } = await handler.check({}, { json, ...provider });
  expect(failures).toEqual([]);
  expect(inputs.json).toEqual(json);
  const { id, outs } = await handler.create({ json: web, ...provider });
  expect(await handler.diff(id, asState(outs), { json, ...provider })).toMatchObject({
    changes: true,
    replaces: [],
  });
});

test("check rejects an unknown connection in a preview, because it is part of the identity", async () => {
  const { handler } = methods();
  const { failures } = await handler.check({}, { ...method, connection: UNKNOWN });
  expect(failures).toEqual([{ property: "", reason: expect.stringContaining("connection: must be known") }]);
});

test("errors have no stack frames, which the host would print, and no secrets", async () => {
  const { handler, world } = methods();
  world.fate = () => {
    throw new Error("the service said canary-token");
  };
  const error = await handler.create(method).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(String(error)).not.toContain("canary-token");
  expect((error as Error).stack).not.toMatch(/\n +at /);
});

test("an error is printed once: the host prints the resource's name, the engine prints the message", async () => {
  const { handler: creator, world } = jobs();
  const { id, outs } = await creator.create({ json: web, ...provider });
  // Another command: the one that creates an object does not delete it.
  const handler = dynamicHandler(job, () => hostOf(() => world.connection));
  world.fate = () => {
    throw new Error("the service is on fire");
  };
  const failures = [
    () => handler.delete(id, { ...asState(outs), ...provider }),
    () => handler.read(id, { ...asState(outs), ...provider }),
  ];
  for (const fail of failures) {
    const error: Error = await fail().then(
      () => Promise.reject(new Error("it did not fail")),
      (thrown: Error) => thrown,
    );
    expect(error.message).toContain("the service is on fire");
    // As the host prints it.
    expect(`${error}: ${error.stack}`).toBe('Nomad job "default/web": failed; the engine reports the reason');
  }
});

test("a log line names its resource once, even before the server has assigned an ID", async () => {
  const { handler, printed, world } = jobs();
  world.onResponse = ({ path }, answer) => {
    if (path === "/v1/jobs") Object.assign(answer, { json: { ...Object(answer.json), Warnings: "beware" } });
  };
  await handler.create({ json: web, ...provider });
  expect(printed).toEqual([expect.stringMatching(/^warning: Nomad job "default\/web": /)]);
  const staff = methods();
  await staff.handler.check({}, { ...method, methodName: "staff" });
  for (const line of staff.printed) expect(line).toContain('Okta MFA method "staff": ');
});

test("the error of a partially created object has its ID, its outputs with the provider's text, and the reason", async () => {
  const { handler, world } = jobs();
  world.fate = ({ method: verb }) => (verb === "GET" ? "request lost" : "passes");
  const error = await handler.create({ json: web, ...provider }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    id: "default/web",
    properties: { json: web, ...provider },
    reasons: [expect.stringContaining("lost its connection")],
  });
});

test("the check of a new resource prints the warning about its create, and the check of an update does not", async () => {
  const stub = new SecretsService({ switches: { dialect: "neutral" }, seed: { tokens: { root: {} } } });
  const { handler, printed } = bridge(cloudRootRotation, stub, "root");
  await handler.check({ triggers: ["a"] }, { triggers: ["b"], ...provider });
  expect(printed).toEqual([]);
  await handler.check({}, { triggers: ["a"], ...provider });
  expect(printed).toEqual([
    expect.stringContaining(
      'warning: AWS secrets engine root rotation "cloud": the root access key must be the only',
    ),
  ]);
});

test("a one-time action is created with one request, and read, compared and deleted without a request", async () => {
  const stub = new SecretsService({ switches: { dialect: "neutral" }, seed: { tokens: { root: {} } } });
  const { handler, world } = bridge(recoveryBackupDeletion, stub, "root");
  const { id, outs } = await handler.create({ triggers: ["a"], ...provider });
  expect(outs).toMatchObject({ outcome: "done", triggers: ["a"] });
  const state = { ...asState(outs), ...provider };
  const found = await handler.read(id, state);
  expect(found).toMatchObject({ id: "recovery-key-backup", props: { outcome: "done" } });
  expect(await handler.diff(id, state, { triggers: ["b"], ...provider })).toMatchObject({
    changes: true,
    replaces: ["triggers"],
  });
  await handler.delete(id, state);
  expect(world.requests).toHaveLength(1);
});
