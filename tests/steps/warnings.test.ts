import fc from "fast-check";
import { modelOfInputs } from "../../provider/core/diff/models";
import { isDeepEmpty } from "../../provider/core/diff/normalize";
import { callFunction } from "../../provider/core/functions/call";
import { fieldsOf } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import { PartialError } from "../../provider/core/state/errors";
import { isObject } from "../../provider/core/value/json";
import cloudRoot from "../../provider/services/secrets/cloudRoot";
import functions from "../../provider/services/secrets/functions";
import queueConnection from "../../provider/services/secrets/queueConnection";
import { expectAsserted } from "./asserted";
import { procedures } from "./procedures";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { subjects } from "./subjects";
import { secretsWorld, wireOf } from "./subjects/secretsScene";
import { ignoring, replacing, warning } from "./warnings";
import type { World } from "./world";

const MOON = "warning: the service warns: the moon is full";
const told = ({ logged }: World) => logged.filter((line) => line.includes("the moon is full"));
const sampled = (programs: fc.Arbitrary<Values>, numRuns: number) =>
  fc.sample(programs, { numRuns, seed: 7 });

describe.each(subjects)("what its service warns of, for a %s,", (_, subject) => {
  test("is told with the object, once a step, however many of its answers say it, and fails nothing", async () => {
    const [program = {}] = sampled(subject.programs, 1);
    const world = await subject.world();
    const resource = new Resource(world, subject.definition);
    warning(world, () => ["the moon is full"]);
    await resource.create(program);
    expect(told(world)).toEqual([MOON]);
    expect(resource.record.pending).toBeUndefined();
    await resource.refresh();
    expect(told(world)).toEqual([MOON, MOON]);
    expect(resource.preview(program).changes).toEqual([]);
  });
});

describe.each(procedures)("what its service warns of, for the procedure %s,", (_, { definition, scene }) => {
  test("is told, and fails nothing", async () => {
    const { world, program } = await scene();
    const resource = new Resource(world, definition);
    warning(world, () => ["the moon is full"]);
    await resource.create(program);
    expect(told(world)).toEqual([MOON]);
    await resource.delete();
  });
});

const ofSecrets = subjects.filter(([, { definition }]) => definition.service.name === "secrets");

describe.each(ofSecrets)("a parameter of a %s that its service says it ignored", (token, subject) => {
  test("is not on record as written: the rest is, the error names it, and the next up writes it", async () => {
    let asserted = 0;
    for (const program of sampled(subject.programs, 6)) {
      const name = await ignorable(subject, program);
      if (name === undefined) continue;
      asserted++;
      const world = await subject.world();
      const resource = new Resource(world, subject.definition);
      ignores(world, name);
      warning(world, ({ nature, body }) =>
        nature === "write" && isObject(body) && wireOf(name) in body ? [ignoring(wireOf(name))] : [],
      );
      const failure = await resource.create(program).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(PartialError);
      expect(String(failure)).toContain(`says that it ignored ${name}`);
      expect(resource.record.lastApplied).not.toHaveProperty(name);
      expect(Object.keys(resource.record.lastApplied).sort()).toEqual(
        Object.keys(program)
          .filter((one) => one !== name)
          .sort(),
      );
      // A server that goes on ignoring it is told each time.
      await expect(resource.up(program)).rejects.toThrow(`says that it ignored ${name}`);
      expect(new Set(resource.preview(program).changes.map(({ path }) => path[0]))).toEqual(new Set([name]));
      world.saying = (_, answer) => answer;
      world.taking = (request) => request;
      await resource.up(program);
      expect(resource.record.pending).toBeUndefined();
      expect(resource.record.lastApplied).toEqual(program);
      await resource.refresh();
      expect(resource.preview(program).changes).toEqual([]);
    }
    expectAsserted(token, asserted, {
      "secrets:CloudLease": "it takes both of its values or none",
      "secrets:CloudStaticRole": "it takes both of its values or none",
      "secrets:DirectoryStaticRole": "what it can do without is fixed once it exists",
    });
  });
});

/** A property of this program that a service may ignore: without it the object is made all the same, and is another. */
async function ignorable(
  { world: begin, definition }: Subject,
  program: Values,
): Promise<string | undefined> {
  for (const field of fieldsOf(definition)) {
    const { name, facts } = field;
    if (isDeepEmpty(field, program[name]) || facts.immutable) continue;
    const world = await begin();
    const left = ignores(world, name);
    const resource = new Resource(world, definition);
    await resource.create(program).catch(() => undefined);
    if (resource.id === "" || left.size === 0) continue;
    await resource.refresh();
    const { [name]: held = null } = resource.record.observed;
    const { [name]: wanted = null } = modelOfInputs(definition, program);
    const isElse =
      typeof wanted === "object" ? isDeepEmpty(field, held) && !isDeepEmpty(field, wanted) : held !== wanted;
    if (facts.writeOnly || isElse) return name;
  }
  return undefined;
}

/** Has the service leave a property out of what it takes; what it left out so far. */
function ignores(world: World, property: string): Set<string> {
  const wire = wireOf(property);
  const left = new Set<string>();
  world.taking = (request) => {
    const { nature, body } = request;
    if (nature !== "write" || !isObject(body) || !(wire in body)) return request;
    const { [wire]: _, ...others } = body;
    left.add(wire);
    return { ...request, body: others };
  };
  return left;
}

const ROOT: Values = { accessKey: "AKIA1", secretKey: "hush-hush-1", region: "eu-west-1" };

describe("a warning", () => {
  async function root() {
    const world = await secretsWorld(cloudRoot);
    return { world, resource: new Resource(world, cloudRoot) };
  }

  test("is told without the program's secrets", async () => {
    const { world, resource } = await root();
    warning(world, () => ["the moon is full over hush-hush-1"]);
    await resource.create(ROOT);
    expect(told(world)).toHaveLength(1);
    expect(world.logged.join()).not.toContain("hush-hush-1");
  });

  test("of an answer to a function is told without the connection's secrets", async () => {
    const { world, resource } = await root();
    await resource.create(ROOT);
    warning(world, () => ["the moon is full"]);
    await callFunction(
      functions.getCloudRoot,
      {},
      { connection: world.connection, log: (level, text) => world.logged.push(`${level}: ${text}`) },
    );
    expect(told(world)).toEqual([MOON]);
  });

  test("of two texts is two", async () => {
    const { world, resource } = await root();
    warning(world, () => ["the moon is full", "the moon is full, too"]);
    await resource.create(ROOT);
    expect(told(world)).toEqual([MOON, `${MOON}, too`]);
  });

  test("that the path says what the path says anyway is no news", async () => {
    const { world, resource } = await root();
    warning(world, ({ nature }) => (nature === "write" ? [replacing("region")] : []));
    await resource.create({ ...ROOT, region: "root" });
    expect(world.logged).toEqual([]);
    expect(resource.record.lastApplied).toHaveProperty("region");
  });

  test("that the path says another value than was sent leaves that unwritten", async () => {
    const { world, resource } = await root();
    ignores(world, "region");
    warning(world, ({ nature }) => (nature === "write" ? [replacing("region")] : []));
    await expect(resource.create(ROOT)).rejects.toThrow("says that it ignored region");
    expect(resource.record.lastApplied).not.toHaveProperty("region");
  });

  test("that something was ignored which the service holds as written all the same is told, and fails nothing", async () => {
    const { world, resource } = await root();
    warning(world, ({ nature }) => (nature === "write" ? [ignoring("region")] : []));
    await resource.create(ROOT);
    expect(world.logged.join()).toContain("Endpoint ignored these unrecognized parameters: [region]");
    expect(resource.record.lastApplied).toEqual(ROOT);
  });

  test("that something was ignored which the program does not write is told, and fails nothing", async () => {
    const { world, resource } = await root();
    warning(world, ({ nature }) => (nature === "write" ? [ignoring("max_retries")] : []));
    await resource.create(ROOT);
    expect(world.logged.join()).toContain("Endpoint ignored these unrecognized parameters: [max_retries]");
    expect(resource.record.pending).toBeUndefined();
  });

  test("of what the service never shows leaves that unwritten, too", async () => {
    const world = await secretsWorld(queueConnection);
    const resource = new Resource(world, queueConnection);
    const program = {
      connectionUri: "http://broker",
      username: "a",
      password: "hush",
      passwordPolicy: "strong",
    };
    warning(world, () => [ignoring("password_policy")]);
    await expect(resource.create(program)).rejects.toThrow("says that it ignored passwordPolicy");
    expect(resource.record.lastApplied).toEqual({ ...program, passwordPolicy: undefined });
    world.saying = (_, answer) => answer;
    expect(await resource.up(program)).toBe(true);
    expect(resource.record.lastApplied).toEqual(program);
  });
});
