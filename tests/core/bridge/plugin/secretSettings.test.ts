import { SERVICE_NAMES, type Stub, startStub } from "../../../../testing/stub";
import { randomBytes } from "../../../bytes";
import { SPELLINGS } from "../../../redact/spellings";
import { rounds } from "../../../rounds";
import { type Bag, errorOf } from "./calls";
import { type AttachedEngine, attachedEngine } from "./client";
import { plainOf, shownOf } from "./plainText";

const COMMAND = "urn:pulumi:dev::platform::pulumi:providers:quarterdeck::";
const URNS = {
  workspaces: "urn:pulumi:dev::platform::quarterdeck:workspaces:Workspace::it",
  scheduler: "urn:pulumi:dev::platform::quarterdeck:scheduler:Job::it",
  secrets: "urn:pulumi:dev::platform::quarterdeck:secrets:QueueRole::it",
  mesh: "urn:pulumi:dev::platform::quarterdeck:mesh:ConfigEntry::it",
} as const;
const PROGRAMS: Readonly<Record<keyof typeof URNS, Bag>> = {
  workspaces: { name: "app" },
  scheduler: { json: { ID: "web", TaskGroups: [{ Name: "g", Tasks: [{ Name: "t", Driver: "docker" }] }] } },
  secrets: { name: "app", tags: "monitoring" },
  mesh: { kind: "service-defaults", name: "web", spec: { Protocol: "http" } },
};
const FUNCTIONS = {
  workspaces: ["workspaces:getWorkspace", { organization: "acme", name: "app" }],
  scheduler: ["scheduler:getJob", { jobId: "web" }],
  secrets: ["secrets:getQueueRole", { name: "app" }],
  mesh: ["mesh:getConfigEntry", { kind: "service-defaults", name: "web" }],
} as const;

/** One token for each service, and one for its named connection. */
const tokens = Object.fromEntries(
  SERVICE_NAMES.flatMap((name) => [name, `second-${name}`]).map((name) => [
    name,
    `canary${randomBytes(14).toString("hex")}`,
  ]),
);

let stub: Stub;
let engine: AttachedEngine;
let settings: Record<string, Bag>;
const messages: string[] = [];
const printed = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));

beforeEach(async () => {
  stub = await startStub();
  const settingsOf = (prefix: string) =>
    Object.fromEntries(
      SERVICE_NAMES.map((name) => [
        name,
        {
          address: stub.addresses[name],
          token: tokens[prefix + name],
          maxRetries: 0,
          ...(name === "workspaces" && { organization: "acme" }),
        },
      ]),
    );
  settings = { ...settingsOf(""), connections: { second: settingsOf("second-") } };
  messages.length = 0;
  for (const { stream } of printed) {
    stream.write = ((text: string | Uint8Array) => messages.push(String(text)) > 0) as typeof stream.write;
  }
  engine = await attachedEngine(settings);
});
afterEach(async () => {
  for (const { stream, write } of printed) stream.write = write;
  engine.stop();
  await stub.stop();
});

/** The messages so far that contain a part of a token. */
const shown = () => {
  return [...messages, ...engine.shown.map((line) => plainOf(line))].filter((text) =>
    Object.values(tokens).some((token) => shownOf(token, text).length > 0),
  );
};

test("errors about invalid settings contain no part of a token", async () => {
  const [token = ""] = Object.values(tokens);
  const wrongs: readonly Bag[] = [
    { scheduler: token },
    { scheduler: `{"token": "${token}"` },
    { scheduler: [token] },
    { scheduler: { address: "http://a", token: { of: token } } },
    { scheduler: { address: "http://a", token: [token] } },
    { scheduler: { address: `not a url ${token}`, token } },
    { scheduler: { address: `http://user:${token}@host` } },
    { scheduler: { address: "http://a", tokens: token } },
    { scheduler: { address: "http://a", token, timeout: token, maxRetries: token } },
    { connections: token },
    { connections: { second: token } },
    { connections: { second: { scheduler: { token: [token] } } } },
  ];
  let failures = 0;
  for (const wrong of wrongs) {
    const checked = await engine.calls.checkConfig(wrong);
    failures += checked.failures.length;
    // Only the failures: the engine marks the inputs again.
    messages.push(plainOf(checked.failures), plainOf(await engine.calls.diffConfig(settings, wrong)));
    messages.push(plainOf(await engine.calls.diffConfig(wrong, settings)));
    if (checked.failures.length > 0)
      messages.push(plainOf(await errorOf(engine.calls.configure(wrong, COMMAND))));
    // A stored configuration may not have passed the current check.
    messages.push(plainOf(await engine.calls.configure(wrong).catch((error: unknown) => error)));
    for (const urn of Object.values(URNS))
      messages.push(plainOf(await engine.calls.check(urn, {}, {}).catch((error: unknown) => error)));
  }
  expect(failures).toBeGreaterThanOrEqual(wrongs.length - 2);
  expect(shown()).toEqual([]);
});

test.each(SERVICE_NAMES)(
  "no message contains the token of %s if the server quotes it in an error",
  async (service) => {
    const urn = URNS[service];
    const { calls } = engine;
    const record = async (call: Promise<unknown>) => {
      messages.push(plainOf(await call.catch((error: unknown) => error)));
    };
    for (const connection of [undefined, "second"])
      for (const [at, spell] of Object.values(SPELLINGS).entries()) {
        if (at % rounds(1, 5) !== 0) continue;
        const token = tokens[connection === undefined ? service : `second-${service}`] ?? "";
        await stub.fault({
          kind: "status",
          match: { service },
          times: "always",
          status: [400, 401, 403, 404, 422, 409][at % 6] ?? 400,
          body: at % 2 === 0 ? spell(token) : JSON.stringify({ errors: [spell(token)] }),
        });
        const inputs = { ...PROGRAMS[service], ...(connection && { connection }) };
        const [name, args] = FUNCTIONS[service];
        await record(calls.check(urn, {}, inputs));
        await record(calls.create(urn, inputs));
        await record(calls.read(urn, `${connection ? `${connection}:` : ""}default/web`));
        await record(calls.list(urn.split("::")[2] ?? "", connection ? { connection } : {}));
        await record(calls.invoke(`quarterdeck:${name}`, { ...args, ...(connection && { connection }) }));
        await stub.clearFaults();
      }
    expect(messages.join("\n")).toContain("[secret]");
    expect(shown()).toEqual([]);
  },
);
