import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verdictOf } from "../../../cli/drift/verdict";
import { recordsTold } from "../../../cli/state/told";
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

/** The secret places of a field that a program may write, by the names that the definition has for them. */
function secretsOf({ name, facts, children = [] }: Field): string[] {
  if (!isWritable(facts)) return [];
  if (facts.secret) return [name];
  return [
    ...(facts.document?.secret ?? []).map((pattern) => `${name}.${pattern}`),
    ...children.flatMap(secretsOf).map((inside) => `${name}.${inside}`),
  ];
}

test("every secret that a program may write is among those that are tried", () => {
  const places = Object.entries(catalog).flatMap(([token, load]) =>
    fieldsOf(load())
      // Text of the scheduler's own language says its secrets itself.
      .filter(({ name }) => name !== "hcl")
      .flatMap(secretsOf)
      .map((place) => `${token} ${place}`.toLowerCase().replaceAll("_", "")),
  );
  const tried = secretSubjects.map(({ definition: { token }, path }) =>
    `${token} ${path.replace(/\[\d+\]$/, "")}`.toLowerCase().replaceAll("_", ""),
  );
  expect(places.length).toBeGreaterThan(10);
  expect([...new Set(places)].sort()).toEqual([...new Set(tried)].sort());
});

describe.each(["dynamic", "plugin"] as const)("on the %s bridge", (bridge) => {
  const directory = async () => {
    const world = await secretsWorld(directoryConfig);
    return { world, engine: new engines[bridge](directoryConfig, world) };
  };

  test("the same object is an object wherever no secret is: free documents are not misread", async () => {
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
    ["both", { fromEnv: VARIABLE, fromFile: "x" }],
    ["none", {}],
    ["an unknown kind", { fromVault: "x" }],
    ["no name", { fromEnv: "" }],
    ["no text", { fromEnv: 1 }],
  ])("an object that says %s is no source, and refused as what it is", async (_, bindpass) => {
    process.env[VARIABLE] = CANARY;
    const { engine } = await directory();
    const { failures } = await engine.check({ binddn: "cn=admin", bindpass });
    expect(failures.join("\n")).toBe("bindpass: given [secret]: must be text");
  });

  test("an empty variable holds no secret", async () => {
    process.env[VARIABLE] = "";
    const { engine } = await directory();
    const { failures } = await engine.check({ binddn: "cn=admin", bindpass: fromEnv });
    expect(failures.join("\n")).toContain("is not set");
  });

  test("a service that quotes a secret is not quoted, in an up, in a rotation, in a refresh", async () => {
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
    expect(engine.said.join("\n")).not.toContain("canary");
  });

  test("what the program says elsewhere now is a change of the state alone", async () => {
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

  test("a secret that the program no longer writes leaves the state, and is emptied on the service", async () => {
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

  test("a line break at the end of a secret is no change of it", async () => {
    process.env[VARIABLE] = CANARY;
    const { world, engine } = await directory();
    await engine.up({ binddn: "cn=admin", bindpass: `${CANARY}\n` });
    world.requests.length = 0;
    expect(await engine.up({ binddn: "cn=admin", bindpass: fromEnv })).toBe(true);
    expect(world.requests).toEqual([]);
  });

  test("a secret that is kept elsewhere has no output", async () => {
    process.env[VARIABLE] = CANARY;
    const { engine } = await directory();
    await engine.up({ binddn: "cn=admin", bindpass: fromEnv });
    expect(engine.state?.outputs).toMatchObject({ binddn: "cn=admin" });
    expect(engine.state?.outputs).not.toHaveProperty("bindpass");
    expect(engine.state?.inputs).toMatchObject({ bindpass: fromEnv });
  });

  test("an update that fails keeps the state, and no secret gets into it", async () => {
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
  "a share that was given is known as given, however it is spelled where it is kept, on the %s bridge",
  async (bridge) => {
    const [one = "", two = ""] = INITIAL_SHARES;
    const world = await secretsWorld(recoveryKeyRekey);
    const engine = new engines[bridge](recoveryKeyRekey, world);
    const program = (shares: Json[]) => ({ secretShares: 3, secretThreshold: 2, shares });
    process.env[VARIABLE] = one;
    await expect(engine.up(program([fromEnv]))).rejects.toThrow("has 1 of the 2 shares");
    expect(engine.readable()).not.toContain(one);
    // In the other spelling it is the same share, and is not given once more.
    process.env[VARIABLE] = /^[0-9a-f]+$/.test(one)
      ? Buffer.from(one, "hex").toString("base64")
      : Buffer.from(one, "base64").toString("hex");
    await engine.up(program([fromEnv, two]));
    const given = world.requests.filter(({ path }) => path.endsWith("rekey-recovery-key/update"));
    expect(given.map(({ body }) => body)).toMatchObject([{ key: one }, { key: two }]);
  },
);

test("what a state knows of such a resource is told with where its secret is", async () => {
  process.env[VARIABLE] = CANARY;
  const engine = new engines.dynamic(directoryConfig, await secretsWorld(directoryConfig));
  await engine.up({ binddn: "cn=admin", bindpass: fromEnv });
  const told = recordsTold(directoryConfig, engine.state?.outputs ?? {});
  const [{ lines = [] } = {}] = told?.sections ?? [];
  expect(lines).toEqual(['binddn: "cn=admin"', `bindpass: fromEnv("${VARIABLE}")`]);
});

test("of two states with one secret nobody can tell that it is one", async () => {
  process.env[VARIABLE] = CANARY;
  const seals = await Promise.all(
    [1, 2].map(async () => {
      const engine = new engines.dynamic(directoryConfig, await secretsWorld(directoryConfig));
      await engine.up({ binddn: "cn=admin", bindpass: fromEnv });
      return /quarterdeck:sealed:1:[\w-]+:[\w-]+/.exec(engine.readable())?.[0];
    }),
  );
  expect(seals[0]).toMatch(/^quarterdeck:sealed:1:/);
  expect(seals[0]).not.toBe(seals[1]);
});

test("a secret that is another one at its source is no drift, and a look needs none", async () => {
  const subject = secretSubjects.find(({ definition }) => definition === inlineCertificate);
  if (subject === undefined) throw new Error("there is no certificate to try");
  const { world, program } = await subject.scene();
  const [first = "", second = ""] = subject.secrets ?? [];
  process.env[VARIABLE] = first;
  const engine = new engines.dynamic(inlineCertificate, world);
  await engine.up(program(fromEnv));
  const look = async () => {
    if (engine.state === undefined) throw new Error("nothing is in the state");
    return verdictOf(
      inlineCertificate,
      hostOf(() => world.connection),
      { ...engine.state, ignored: [] },
    );
  };
  expect(await look()).toEqual({ verdict: "in sync" });
  process.env[VARIABLE] = second;
  expect(await look()).toEqual({ verdict: "in sync" });
  delete process.env[VARIABLE];
  expect(await look()).toEqual({ verdict: "in sync" });
  await subject.edit?.(world, second);
  const found = await look();
  expect(found).toMatchObject({
    verdict: "drifted",
    fields: [{ field: "spec.privateKey", was: "[secret]", is: "[secret]" }],
  });
});

describe("a secret in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "quarterdeck-secrets-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = sourceReader({}, () => folder);

  test.each([
    ["without the line break at its end", "secret\n", "secret"],
    ["without that of another system", "secret\r\n", "secret"],
    ["with white space, which is its own", "  se cret \n\n", "  se cret \n"],
  ])("is read %s", async (_, text, secret) => {
    writeFileSync(join(folder, "secret"), text);
    expect(await read({ fromFile: "secret" })).toBe(secret);
    expect(await read({ fromFile: join(folder, "secret") })).toBe(secret);
  });

  test("that is empty is none", async () => {
    writeFileSync(join(folder, "empty"), "\n");
    await expect(read({ fromFile: "empty" })).rejects.toThrow("is empty");
  });
});
