import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import configEntry from "../../provider/services/mesh/configEntry";
import inlineCertificate from "../../provider/services/mesh/kinds/inlineCertificate";
import job from "../../provider/services/scheduler/job";
import cloudRoot from "../../provider/services/secrets/cloudRoot";
import directoryConfig from "../../provider/services/secrets/directoryConfig";
import mfaMethod from "../../provider/services/secrets/mfaMethod";
import queueConnection from "../../provider/services/secrets/queueConnection";
import { MeshService } from "../../testing/stub/services/mesh/service";
import { SchedulerService } from "../../testing/stub/services/scheduler/service";
import { randomBytes } from "../bytes";
import { everythingSaid, runsOf } from "../core/http/redact/readable";
import { SPELLINGS } from "../core/http/redact/spellings";
import { CERTIFICATE, PRIVATE_KEY } from "../stub/mesh-certificate";
import { Resource } from "./resource";
import { secretsWorld } from "./subjects/secretsScene";
import { World } from "./world";

/** A resource that holds a secret, and another program for it with the same one. */
interface Holder {
  readonly definition: AnyDefinition;
  world(): World | Promise<World>;
  programs(secret: string): readonly [Values, Values];
  /** Where the service takes only a secret of one shape. */
  readonly only?: string;
}

const holders: readonly Holder[] = [
  {
    definition: configEntry,
    world: () => new World(new MeshService(), configEntry, {}),
    programs: (PrivateKey) => [
      { kind: "inline-certificate", name: "tls", spec: { Certificate: CERTIFICATE, PrivateKey } },
      {
        kind: "inline-certificate",
        name: "tls",
        spec: { Certificate: CERTIFICATE, PrivateKey, Meta: { team: "a" } },
      },
    ],
    only: PRIVATE_KEY,
  },
  {
    definition: inlineCertificate,
    world: () => new World(new MeshService(), inlineCertificate, {}),
    programs: (privateKey) => [
      { name: "tls", spec: { certificate: CERTIFICATE, privateKey } },
      { name: "tls", spec: { certificate: CERTIFICATE, privateKey, meta: { team: "a" } } },
    ],
    only: PRIVATE_KEY,
  },
  {
    definition: job,
    world: () => new World(new SchedulerService(), job, {}),
    programs: (SecretsToken) => [
      {
        json: {
          ID: "web",
          SecretsToken,
          TaskGroups: [{ Name: "front", Tasks: [{ Name: "main", Driver: "docker" }] }],
        },
      },
      {
        json: {
          ID: "web",
          Priority: 70,
          SecretsToken,
          TaskGroups: [{ Name: "front", Tasks: [{ Name: "main", Driver: "docker" }] }],
        },
      },
    ],
  },
  {
    definition: mfaMethod,
    world: () => secretsWorld(mfaMethod),
    programs: (apiToken) => [
      { methodName: "corporate", orgName: "acme", apiToken },
      { methodName: "corporate", orgName: "acme-eu", apiToken },
    ],
  },
  {
    definition: cloudRoot,
    world: () => secretsWorld(cloudRoot),
    programs: (secretKey) => [
      { accessKey: "AKIA1", secretKey },
      { accessKey: "AKIA1", secretKey, region: "eu-west-1" },
    ],
  },
  {
    definition: directoryConfig,
    world: () => secretsWorld(directoryConfig),
    programs: (bindpass) => [
      { binddn: "cn=admin,dc=example", bindpass },
      { binddn: "cn=admin,dc=example", bindpass, userdn: "ou=people" },
    ],
  },
  {
    definition: queueConnection,
    world: () => secretsWorld(queueConnection),
    programs: (password) => [
      { connectionUri: "http://broker:15672", username: "admin", password, verifyConnection: false },
      {
        connectionUri: "http://broker:15672",
        username: "admin",
        password,
        verifyConnection: false,
        passwordPolicy: "long",
      },
    ],
  },
];

const SECRETS: Readonly<Record<string, string>> = {
  "of 25,000 characters": randomBytes(18_750).toString("base64"),
  "of many lines": PRIVATE_KEY,
  "that every layer escapes": `p@ss <w&rd> "${randomBytes(15).toString("base64")}" \\ü/ 100% + #${randomBytes(6).toString("hex")}`,
};

const cases = holders.flatMap((holder) =>
  Object.entries(SECRETS)
    .filter(([, secret]) => holder.only === undefined || holder.only === secret)
    .map(([name, secret]) => [holder.definition.token, name, holder, secret] as const),
);

describe.each(cases)("the secret of a %s, %s", (_, __, holder, secret) => {
  test("stands in nothing that is said, whatever of it a service quotes in answer to whichever request", async () => {
    const sent = await story(holder, secret, () => undefined);
    const said: string[] = [];
    const quotes = quotesOf(secret);
    let next = 0;
    for (let index = 0; index < sent.requests; index++) {
      for (const status of secret.length > 10_000 ? [400] : [400, 404, 500, 503]) {
        const quote = quotes[next++ % quotes.length] ?? "";
        const text = next % 2 === 0 ? JSON.stringify({ errors: [quote] }) : quote;
        said.push(
          ...(await story(holder, secret, (at) => (at === index ? { status, text } : undefined))).said,
        );
      }
    }
    const text = said.join("\n");
    expect(text).toContain("[secret]");
    expect(runsOf(secret, text)).toEqual([]);
  }, 120_000);
});

/** Creates, updates, reads and deletes; at which request the service answers otherwise, and what. */
async function story(
  holder: Holder,
  secret: string,
  otherwise: (index: number) => { status: number; text: string } | undefined,
): Promise<{ requests: number; said: string[] }> {
  const world = await holder.world();
  world.requests.length = 0;
  const resource = new Resource(world, holder.definition);
  const [first, second] = holder.programs(secret);
  const said: string[] = [];
  const tried = async (step: () => Promise<unknown>) => {
    try {
      await step();
    } catch (error) {
      said.push(everythingSaid(error));
    }
  };
  world.fate = () => {
    const answer = otherwise(world.requests.length - 1);
    return answer === undefined ? "passes" : { answer, isCarriedOut: false };
  };
  await tried(() => resource.create(first));
  if (resource.id !== "") {
    await tried(() => resource.up(second));
    await tried(() => resource.refresh());
    await tried(() => resource.delete());
  }
  const paths = world.requests.map(({ method, path }) => `${method} ${path}`);
  return { requests: world.requests.length, said: [...said, ...world.logged, ...paths] };
}

/** The whole, a part cut at both ends, and one that crosses where messages are cut, each in every spelling. */
function quotesOf(secret: string): string[] {
  const middle = Math.floor(secret.length / 2);
  const parts = [secret, secret.slice(Math.max(0, middle - 300), middle + 20), secret.slice(0, 300)];
  const before = ["", "bad value: ", `${"x ".repeat(240)}: `];
  return Object.values(SPELLINGS).flatMap((spell, at) => {
    const part = parts[at % parts.length] ?? "";
    return [`${before[at % before.length]}${spell(part)} is refused`];
  });
}
