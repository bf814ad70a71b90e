import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verdictOf } from "../../../cli/drift/verdict";
import { describeRecords } from "../../../cli/state/recordsText";
import { catalog } from "../../../provider/catalog";
import { type Field, fieldsOf } from "../../../provider/core/language/fields";
import { isWritable } from "../../../provider/core/language/role";
import { sourceReader } from "../../../provider/core/requests/secretSources";
import type { Json } from "../../../provider/core/value/json";
import inlineCertificate from "../../../provider/services/mesh/kinds/inlineCertificate";
import job from "../../../provider/services/scheduler/job";
import directoryConfig from "../../../provider/services/secrets/directoryConfig";
import recoveryKeyRekey from "../../../provider/services/secrets/recoveryKeyRekey";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { INITIAL_SHARES } from "../../../testing/stub/services/secrets/rekey/records";
import { secretsWorld } from "../../steps/subjects/secretsScene";
import { World } from "../../steps/world";
import { engines } from "./engines";
import { hostOf } from "./host";
import { secretSubjects } from "./secretSubjects";

const VARIABLE = "QUARTERDECK_TEST_SECRET";
afterEach(() => {
  delete process.env[VARIABLE];
});
const fromEnv = { fromEnv: VARIABLE };
const CANARY = "canary-of-a-secret-4711";

/** The secret paths of a field that a program may write, with the names of the definition. */
function secretsOf({ name, facts, children = [] }: Field): string[] {
  if (!isWritable(facts)) return [];
  if (facts.secret) return [name];
  return [
    ...(facts.document?.secret ?? []).map((pattern) => `${name}.${pattern}`),
    ...children.flatMap(secretsOf).map((inside) => `${name}.${inside}`),
  ];
}

test("secretSubjects covers every secret field that a program may write", () => {
  const places = Object.entries(catalog).flatMap(([token, load]) =>
    fieldsOf(load())
      // HCL text contains its secrets itself.
      .filter(({ name }) => name !== "hcl")
      .flatMap(secretsOf)
      .map((place) => `${token} ${place}`.toLowerCase().replaceAll("_", "")),
  );
  const covered = secretSubjects.map(({ definition: { token }, path, pattern = path }) =>
    `${token} ${pattern.replace(/\[\d+\]$/, "")}`.toLowerCase().replaceAll("_", ""),
  );
  expect(places.length).toBeGreaterThan(10);
  expect([...new Set(places)].sort()).toEqual([...new Set(covered)].sort());
});

describe.each(["dynamic", "plugin"] as const)("secret fields on the %s bridge", (bridge) => {
  const directory = async () => {
    const world = await secretsWorld(directoryConfig);
    return { world, engine: new engines[bridge](directoryConfig, world) };
  };

  test("an object { fromEnv } outside a secret field is sent unchanged", async () => {
    const stub = new SchedulerService({
      switches: { dialect: "neutral" },
      seed: { tokens: { manager: { management: true } } },
    });
    const world = new World(stub, job, { token: "manager" });
    const engine = new engines[bridge](job, world);
    const config = { fromEnv: VARIABLE, nested: { fromFile: "/etc/passwd" } };
    const tasks = [{ name: "main", driver: "docker", config: { labels: fromEnv, ...config }, env: fromEnv }];
    await engine.up({ spec: { id: "web", meta: fromEnv, taskGroups: [{ name: "front", tasks }] } });
    const [body] = world.requests.flatMap(({ method, body: sent }) => (method === "POST" ? [sent] : []));
    expect(JSON.stringify(body, (_, value) => (typeof value === "bigint" ? Number(value) : value))).toContain(
      `"labels":{"fromEnv":"${VARIABLE}"}`,
    );
    expect(engine.readable()).not.toContain("sealed");
  });

  test.each<[string, unknown]>([
    ["two sources", { fromEnv: VARIABLE, fromFile: "x" }],
    ["no source", {}],
    ["an unknown source", { fromVault: "x" }],
    ["an empty name", { fromEnv: "" }],
    ["a name that is not a string", { fromEnv: 1 }],
  ])("the check rejects an object with %s in a secret field", async (_, bindpass) => {
    process.env[VARIABLE] = CANARY;
    const { engine } = await directory();
    const { failures } = await engine.check({ binddn: "cn=admin", bindpass });
    expect(failures.join("\n")).toBe("bindpass: given [secret]: must be text");
  });

  test("an empty environment variable counts as not set", async () => {
    process.env[VARIABLE] = "";
    const { engine } = await directory();
    const { failures } = await engine.check({ binddn: "cn=admin", bindpass: fromEnv });
    expect(failures.join("\n")).toContain("is not set");
  });

  test("errors of an up, a refresh and a rotation redact a secret that the server quotes", async () => {
    process.env[VARIABLE] = CANARY;
    const { world, engine } = await directory();
    const program = { binddn: "cn=admin", bindpass: fromEnv };
    const quote = (secret: string) => () =>
      ({
        answer: { status: 400, text: `{"errors":["cannot use ${secret} here"]}` },
        isCarriedOut: false,
      }) as const;
    world.fate = quote(CANARY);
    await expect(engine.up(program)).rejects.toThrow("[secret]");
    world.fate = () => "passes";
    await engine.up(program);
    world.fate = quote(CANARY);
    await expect(engine.refresh()).rejects.toThrow("[secret]");
    process.env[VARIABLE] = "canary-of-the-next-one-0815";
    world.fate = quote("canary-of-the-next-one-0815");
    await expect(engine.up(program)).rejects.toThrow("[secret]");
    expect(engine.messages.join("\n")).not.toContain("canary");
  });

  test("another environment variable with the same secret changes the state and sends no request", async () => {
    process.env[VARIABLE] = CANARY;
    const { world, engine } = await directory();
    await engine.up({ binddn: "cn=admin", bindpass: fromEnv });
    process.env.QUARTERDECK_TEST_OTHER = CANARY;
    try {
      const other = { binddn: "cn=admin", bindpass: { fromEnv: "QUARTERDECK_TEST_OTHER" } };
      world.requests.length = 0;
      expect(await engine.up(other)).toBe(true);
      expect(world.requests).toEqual([]);
      expect(await engine.changes(other)).toBe(false);
      expect(engine.readable()).not.toContain(VARIABLE);
    } finally {
      delete process.env.QUARTERDECK_TEST_OTHER;
    }
  });

  test("a secret that is removed from the program is removed from the state and emptied on the server", async () => {
    process.env[VARIABLE] = CANARY;
    const { world, engine } = await directory();
    const program = { binddn: "cn=admin", bindpass: "hush" };
    await engine.up({ ...program, clientTlsCert: "certificate", clientTlsKey: fromEnv });
    world.requests.length = 0;
    expect(await engine.up(program)).toBe(true);
    const bodies = world.requests.flatMap(({ method, body }) => (method === "POST" ? [body] : []));
    expect(bodies).toMatchObject([{ client_tls_cert: "", client_tls_key: "" }]);
    expect(engine.readable()).not.toContain("sealed");
    expect(await engine.changes(program)).toBe(false);
  });

  test("a trailing line break of a secret is no change", async () => {
    process.env[VARIABLE] = CANARY;
    const { world, engine } = await directory();
    await engine.up({ binddn: "cn=admin", bindpass: `${CANARY}\n` });
    world.requests.length = 0;
    expect(await engine.up({ binddn: "cn=admin", bindpass: fromEnv })).toBe(true);
    expect(world.requests).toEqual([]);
  });

  test("a secret that is read with fromEnv has no output", async () => {
    process.env[VARIABLE] = CANARY;
    const { engine } = await directory();
    await engine.up({ binddn: "cn=admin", bindpass: fromEnv });
    expect(engine.state?.outputs).toMatchObject({ binddn: "cn=admin" });
    expect(engine.state?.outputs).not.toHaveProperty("bindpass");
    expect(engine.state?.inputs).toMatchObject({ bindpass: fromEnv });
  });

  test("a failed update leaves no secret in the state", async () => {
    process.env[VARIABLE] = CANARY;
    const { world, engine } = await directory();
    await engine.up({ binddn: "cn=admin", bindpass: "plain-of-before" });
    world.fate = ({ method }) => (method === "POST" ? "response hangs" : "passes");
    const program = { binddn: "cn=admin", bindpass: fromEnv, userdn: "ou=people" };
    await engine.up(program).catch(() => undefined);
    expect(engine.readable()).not.toContain(CANARY);
    world.fate = () => "passes";
    await engine.up(program);
    expect(engine.readable()).not.toContain(CANARY);
    expect(engine.readable()).not.toContain("plain-of-before");
    expect(await engine.changes(program)).toBe(false);
  });
});

test.each(["dynamic", "plugin"] as const)(
  "a submitted rekey share is recognized in hex and base64 and not submitted again, on the %s bridge",
  async (bridge) => {
    const [one = "", two = ""] = INITIAL_SHARES;
    const world = await secretsWorld(recoveryKeyRekey);
    const engine = new engines[bridge](recoveryKeyRekey, world);
    const program = (shares: Json[]) => ({ secretShares: 3, secretThreshold: 2, shares });
    process.env[VARIABLE] = one;
    await expect(engine.up(program([fromEnv]))).rejects.toThrow("has 1 of 2 required shares");
    expect(engine.readable()).not.toContain(one);
    // The other encoding is the same share, which is not submitted again.
    process.env[VARIABLE] = /^[0-9a-f]+$/.test(one)
      ? Buffer.from(one, "hex").toString("base64")
      : Buffer.from(one, "base64").toString("hex");
    await engine.up(program([fromEnv, two]));
    const submitted = world.requests.filter(({ path }) => path.endsWith("rekey-recovery-key/update"));
    expect(submitted.map(({ body }) => body)).toMatchObject([{ key: one }, { key: two }]);
  },
);

test("the listing of a state prints fromEnv instead of the secret", async () => {
  process.env[VARIABLE] = CANARY;
  const engine = new engines.dynamic(directoryConfig, await secretsWorld(directoryConfig));
  await engine.up({ binddn: "cn=admin", bindpass: fromEnv });
  const listing = describeRecords(directoryConfig, engine.state?.outputs ?? {});
  const [{ lines = [] } = {}] = listing?.sections ?? [];
  expect(lines).toEqual(['binddn: "cn=admin"', `bindpass: fromEnv("${VARIABLE}")`]);
});

test("two states with the same secret have different fingerprints", async () => {
  process.env[VARIABLE] = CANARY;
  const fingerprints = await Promise.all(
    [1, 2].map(async () => {
      const engine = new engines.dynamic(directoryConfig, await secretsWorld(directoryConfig));
      await engine.up({ binddn: "cn=admin", bindpass: fromEnv });
      return /quarterdeck:sealed:1:[\w-]+:[\w-]+/.exec(engine.readable())?.[0];
    }),
  );
  expect(fingerprints[0]).toMatch(/^quarterdeck:sealed:1:/);
  expect(fingerprints[0]).not.toBe(fingerprints[1]);
});

test("a drift check needs no secret source and reports no drift if the value of the source changed", async () => {
  const subject = secretSubjects.find(({ definition }) => definition === inlineCertificate);
  if (subject === undefined) throw new Error("there is no certificate to try");
  const { world, program } = await subject.scene();
  const [first = "", second = ""] = subject.secrets ?? [];
  process.env[VARIABLE] = first;
  const engine = new engines.dynamic(inlineCertificate, world);
  await engine.up(program(fromEnv));
  const checkDrift = async () => {
    if (engine.state === undefined) throw new Error("nothing is in the state");
    return verdictOf(
      inlineCertificate,
      hostOf(() => world.connection),
      { ...engine.state, ignored: [] },
    );
  };
  expect(await checkDrift()).toEqual({ verdict: "in sync" });
  process.env[VARIABLE] = second;
  expect(await checkDrift()).toEqual({ verdict: "in sync" });
  delete process.env[VARIABLE];
  expect(await checkDrift()).toEqual({ verdict: "in sync" });
  await subject.edit?.(world, second);
  const found = await checkDrift();
  expect(found).toMatchObject({
    verdict: "drifted",
    fields: [{ field: "spec.privateKey", was: "[secret]", is: "[secret]" }],
  });
});

describe("fromFile", () => {
  const folder = mkdtempSync(join(tmpdir(), "quarterdeck-secrets-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = sourceReader({}, () => folder);

  test.each([
    ["without its trailing line feed", "secret\n", "secret"],
    ["without its trailing CRLF", "secret\r\n", "secret"],
    ["with all other white space", "  se cret \n\n", "  se cret \n"],
  ])("reads the content %s", async (_, text, secret) => {
    writeFileSync(join(folder, "secret"), text);
    expect(await read({ fromFile: "secret" })).toBe(secret);
    expect(await read({ fromFile: join(folder, "secret") })).toBe(secret);
  });

  test("rejects an empty file", async () => {
    writeFileSync(join(folder, "empty"), "\n");
    await expect(read({ fromFile: "empty" })).rejects.toThrow("is empty");
  });
});
