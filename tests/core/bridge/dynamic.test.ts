import { dynamicHandler } from "../../../provider/core/bridge/dynamic/dynamicHandler";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import job from "../../../provider/services/scheduler/job";
import cloudRootRotation from "../../../provider/services/secrets/cloudRootRotation";
import mfaMethod from "../../../provider/services/secrets/mfaMethod";
import recoveryBackupDeletion from "../../../provider/services/secrets/recoveryBackupDeletion";
import type { StubService } from "../../../testing/stub/service";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { everythingSaid } from "../../redact/readable";
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

/** A bag as the engine would hand it back: without marks, which it takes off. */
function asState(bag: object): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(bag, (_, value) =>
      value !== null && typeof value === "object" && SIGNATURE in value ? value.value : value,
    ),
  );
}

test("what is secret by definition comes out marked, the records too, and nothing else", async () => {
  const { handler } = methods();
  const { outs } = await handler.create(method);
  expect(outs.apiToken).toEqual(secretly("canary-token"));
  expect(outs.__quarterdeck).toMatchObject({ [SIGNATURE]: SECRET });
  expect(outs.orgName).toBe("acme");
});

test("a secret that somebody else adds to a document comes out of a refresh marked", async () => {
  const { handler, world } = jobs();
  const { id, outs } = await handler.create({ json: web, ...provider });
  const headers = { "x-sched-token": "manager", "content-type": "application/json" };
  await world.send("POST", "/v1/jobs", { Job: { ...web, SecretsToken: "canary" } }, headers);
  const found = await handler.read(id, { ...asState(outs), ...provider });
  expect(found.inputs?.json).toMatchObject({ SecretsToken: secretly("canary") });
  expect(found.props?.json).toMatchObject({ SecretsToken: secretly("canary") });
});

test("a document that is text is secret as a whole where a secret stands in it", async () => {
  const { handler } = jobs();
  const json = JSON.stringify({ ...web, SecretsToken: "canary" });
  const { outs } = await handler.create({ json, ...provider });
  expect(outs.json).toEqual(secretly(json));
});

test("a read by its id alone yields marked inputs, as an import would store them", async () => {
  const { handler, world } = jobs();
  const headers = { "x-sched-token": "manager", "content-type": "application/json" };
  await world.send("POST", "/v1/jobs", { Job: { ...web, SecretsToken: "canary" } }, headers);
  const found = await handler.read("default/web", provider);
  expect(found.inputs?.json).toMatchObject({ SecretsToken: secretly("canary") });
});

test("a refresh of what nobody moved hands back no inputs, so that the state keeps the program's own", async () => {
  const { handler } = jobs();
  const { id, outs } = await handler.create({ json: web, ...provider });
  const found = await handler.read(id, { ...asState(outs), ...provider });
  expect(found.id).toBe(id);
  expect(found).not.toHaveProperty("inputs");
});

test("what is gone has an empty id", async () => {
  const { handler, world } = jobs();
  const { id, outs } = await handler.create({ json: web, ...provider });
  await world.send("DELETE", "/v1/job/web?purge=true", undefined, { "x-sched-token": "manager" });
  expect(await handler.read(id, { ...asState(outs), ...provider })).toEqual({ id: "" });
});

test.each([
  [
    "of a version to come",
    JSON.stringify({ v: 99, applied: { json: "canary" } }),
    /newer version .* Next: update the package/,
  ],
  ["that are none", '{"v": "canary', /is not what this package writes/],
])("records %s are refused in words, by every step that is handed them", async (_, record, words) => {
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
    expect(everythingSaid(error)).not.toContain("canary");
  }
});

test("problems carry their path in the reason and no property, because the engine would print its value", async () => {
  const { handler } = methods();
  const { failures, inputs } = await handler.check({}, { ...method, orgName: "", nonsense: 1 });
  expect(failures.map(({ property }) => property)).toEqual(["", ""]);
  expect(failures.map(({ reason }) => reason).sort()).toEqual([
    expect.stringMatching(/^nonsense: given 1: there is no such property/),
    expect.stringMatching(/^orgName: given "": must not be empty/),
  ]);
  expect(inputs).not.toHaveProperty("__provider");
});

test("problems are told without the secrets of the inputs, whoever quotes them", async () => {
  const { handler, world } = jobs();
  world.afterwards = ({ path }, answer) => {
    if (path === "/v1/jobs/parse") Object.assign(answer, { status: 400, text: "no canary-token here" });
  };
  const { failures } = await handler.check(
    {},
    { hcl: "job {", variables: { a: "canary-token" }, __aside: { secrets: ["variables"] }, ...provider },
  );
  expect(failures).toEqual([{ property: "", reason: expect.stringContaining("no [secret] here") }]);
});

test("the engine's mark of what is not known yet goes in and out, at any depth", async () => {
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

test("a connection that is not known in the preview is refused: it is part of the identity", async () => {
  const { handler } = methods();
  const { failures } = await handler.check({}, { ...method, connection: UNKNOWN });
  expect(failures).toEqual([{ property: "", reason: expect.stringContaining("connection: must be known") }]);
});

test("errors leave without a stack, which the host would print, and without secrets", async () => {
  const { handler, world } = methods();
  world.fate = () => {
    throw new Error("the service said canary-token");
  };
  const error = await handler.create(method).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(String(error)).not.toContain("canary-token");
  expect((error as Error).stack).not.toMatch(/\n +at /);
});

test("an error stands once: the host prints the resource's name, and the engine the message", async () => {
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
    expect(`${error}: ${error.stack}`).toBe(
      'scheduler:Job "default/web": it failed, for the reason that the engine gives',
    );
  }
});

test("a line about a resource names it once, before the service has made its id, too", async () => {
  const { handler, printed, world } = jobs();
  world.afterwards = ({ path }, answer) => {
    if (path === "/v1/jobs") Object.assign(answer, { json: { ...Object(answer.json), Warnings: "beware" } });
  };
  await handler.create({ json: web, ...provider });
  expect(printed).toEqual([expect.stringMatching(/^warning: scheduler:Job "default\/web": /)]);
  const staff = methods();
  await staff.handler.check({}, { ...method, methodName: "staff" });
  for (const line of staff.printed) expect(line).toContain('secrets:MfaMethod "staff": ');
});

test("a create that half succeeded carries its id, its outputs with the provider's text, and the reason", async () => {
  const { handler, world } = jobs();
  world.fate = ({ method: verb }) => (verb === "GET" ? "request lost" : "passes");
  const error = await handler.create({ json: web, ...provider }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    id: "default/web",
    properties: { json: web, ...provider },
    reasons: [expect.stringContaining("lost its connection")],
  });
});

test("what a create should be known for is said before it, in the preview, and by no update", async () => {
  const stub = new SecretsService({ switches: { dialect: "neutral" }, seed: { tokens: { root: {} } } });
  const { handler, printed } = bridge(cloudRootRotation, stub, "root");
  await handler.check({ triggers: ["a"] }, { triggers: ["b"], ...provider });
  expect(printed).toEqual([]);
  await handler.check({}, { triggers: ["a"], ...provider });
  expect(printed).toEqual([
    expect.stringContaining(
      'warning: secrets:CloudRootRotation "cloud": the root access key must be the only',
    ),
  ]);
});

test("an action lives through the engine's calls: created, refreshed, and deleted without a request", async () => {
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
