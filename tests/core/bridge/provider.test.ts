import { dynamicHandler } from "../../../provider/core/bridge/dynamic/dynamicHandler";
import { noticeText } from "../../../provider/core/bridge/notices";
import { Provider } from "../../../provider/core/bridge/provider";
import type { Notice } from "../../../provider/core/language/stepInput";
import { type Configuration, ConfigurationError } from "../../../provider/core/requests/given";
import cloudRootRotation from "../../../provider/services/secrets/cloudRootRotation";
import mfaMethod from "../../../provider/services/secrets/mfaMethod";
import { secrets } from "../../../provider/services/secrets/service";
import { testRuntime } from "../http/clients";

const notices: Notice[] = [];
const clients: string[] = [];
beforeEach(() => {
  notices.length = 0;
  clients.length = 0;
});

/** A provider whose connections must not be used. */
function providerOf(values: Readonly<Record<string, unknown>>, more: Partial<Configuration> = {}): Provider {
  const configuration = { get: (key: string) => JSON.stringify(values[key]), env: {}, ...more };
  return new Provider(configuration, {
    runtime: testRuntime(),
    userAgent: "test",
    tell: (one) => notices.push(one),
    createClient: ({ address }) => {
      clients.push(address);
      throw new Error("no live connection is expected");
    },
  });
}

const configured = { "quarterdeck:secrets": { address: "http://host", token: "t" } };

test("a provider reuses the connection of a service and has a separate one for each connection name", () => {
  const one = { secrets: { address: "http://other", token: "t" } };
  const provider = providerOf({ ...configured, "quarterdeck:connections": { one } });
  const own = provider.connection(secrets, undefined);
  expect(provider.connection(secrets, undefined)).toBe(own);
  expect(provider.connection(secrets, "one")).not.toBe(own);
  expect(providerOf(configured).connection(secrets, undefined)).not.toBe(own);
});

test("settings of default and named connections accept the snake_case names of the Python SDK", () => {
  const written = { address: "http://host", token: "t", queue_mount: "mq", max_retries: "2" };
  const provider = providerOf({
    "quarterdeck:secrets": written,
    "quarterdeck:connections": { my_one: { secrets: written } },
  });
  for (const name of [undefined, "my_one"])
    expect(provider.connection(secrets, name).settings).toEqual({
      address: "http://host",
      token: "t",
      queueMount: "mq",
      maxRetries: 2,
    });
});

const stored = { address: "http://host", token: "of then", queueMount: "mq" };
const newer = {
  QUARTERDECK_SECRETS_TOKEN: "of now",
  QUARTERDECK_SECRETS_CA_FILE: "/ca.pem",
  QUARTERDECK_SECRETS_QUEUE_MOUNT: "other",
};

test.each([
  ["has lower precedence than settings of the program", false, undefined, { ...stored, caFile: "/ca.pem" }],
  ["overrides the token and files that the state stores", true, undefined, "renewed"],
  ["overrides them if its address is the same server", true, "http://HOST:80/", "renewed"],
  [
    "does not override them if its address is a different server",
    true,
    "http://other",
    { ...stored, caFile: "/ca.pem" },
  ],
])("the environment %s", (_, isStored, address, settings) => {
  const env = { ...newer, ...(address !== undefined && { QUARTERDECK_SECRETS_ADDRESS: address }) };
  const connection = providerOf({ "quarterdeck:secrets": stored }, { env, isStored }).connection(
    secrets,
    undefined,
  );
  const renewed = { ...stored, token: "of now", caFile: "/ca.pem" };
  expect(connection.settings).toEqual(settings === "renewed" ? renewed : settings);
});

test("a check and a diff need no live connection", async () => {
  const handler = dynamicHandler(mfaMethod, () => providerOf(configured));
  const program = { orgName: "acme", apiToken: "x" };
  const { failures } = await handler.check({}, program);
  expect(failures).toEqual([]);
  const v1 = {
    v: 1,
    address: { methodId: "m" },
    lastApplied: { ...program, orgName: "other" },
    baseline: {},
  };
  expect(await handler.diff("m", { __quarterdeck: JSON.stringify(v1) }, program)).toMatchObject({
    changes: true,
  });
  expect(clients).toEqual([]);
});

test("the check reports all problems of the configuration at once, each with its path", async () => {
  const provider = providerOf({ "quarterdeck:secrets": { token: 7, adress: "http://host" } });
  let thrown: unknown;
  try {
    provider.connection(secrets, undefined);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ConfigurationError);
  const { problems } = thrown as ConfigurationError;
  expect(problems.map(({ path }) => path).sort()).toEqual([
    "quarterdeck:secrets.address",
    "quarterdeck:secrets.adress",
    "quarterdeck:secrets.token",
  ]);
  const { failures } = await dynamicHandler(mfaMethod, () => provider).check(
    {},
    { orgName: "a", apiToken: "x" },
  );
  expect(failures.map(({ reason }) => reason)).toContainEqual(
    expect.stringMatching(
      /^quarterdeck:secrets\.address: is missing; set QUARTERDECK_SECRETS_ADDRESS or BAO_ADDR or VAULT_ADDR, or run: pulumi config set --path --plaintext/,
    ),
  );
});

test("a notice names its resource and is reported once; the bridge formats its text", async () => {
  const provider = providerOf(configured);
  const handler = dynamicHandler(cloudRootRotation, () => provider);
  await handler.check({}, { triggers: ["a"] });
  await handler.check({}, { triggers: ["a"] });
  expect(notices).toEqual([
    {
      kind: "warning",
      about: { type: "AWS secrets engine root rotation", name: "aws" },
      text: expect.stringContaining("the root access key must be the only"),
    },
  ]);
  expect(notices.map(noticeText)).toEqual([
    expect.stringMatching(/^warning: AWS secrets engine root rotation "aws": the root access key/),
  ]);
  expect(noticeText({ kind: "progress", about: { type: "a:B" }, text: "waits" })).toBe("a:B: waits");
  expect(noticeText({ kind: "warning", text: "a token over plain http" })).toBe("a token over plain http");
});
