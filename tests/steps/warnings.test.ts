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
import { dialectFor } from "../dialect";
import { expectAsserted } from "./asserted";
import { procedures } from "./procedures";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { subjects } from "./subjects";
import { secretsWorld, wireOf } from "./subjects/secretsScene";
import { ignoring, replacing, warning } from "./warnings";
import type { World } from "./world";

const MOON = "warning: the server warns: the moon is full";
const warningsIn = ({ logged }: World) => logged.filter((line) => line.includes("the moon is full"));
const sampled = (programs: fc.Arbitrary<Values>, numRuns: number) =>
  fc.sample(programs, { numRuns, seed: 7 });

describe.each(subjects)("a service's warning in the responses for a %s", (_, subject) => {
  test("is logged once per step, even if several responses contain it, and no step fails", async () => {
    const [program = {}] = sampled(subject.programs, 1);
    const world = await subject.world();
    const resource = new Resource(world, subject.definition);
    warning(world, () => ["the moon is full"]);
    await resource.create(program);
    expect(warningsIn(world)).toEqual([MOON]);
    expect(resource.record.pending).toBeUndefined();
    await resource.refresh();
    expect(warningsIn(world)).toEqual([MOON, MOON]);
    expect(resource.preview(program).changes).toEqual([]);
  });
});

describe.each(procedures)(
  "a service's warning in the responses for the procedure %s",
  (_, { definition, scene }) => {
    test("is logged once, and no step fails", async () => {
      const { world, program } = await scene();
      const resource = new Resource(world, definition);
      warning(world, () => ["the moon is full"]);
      await resource.create(program);
      expect(warningsIn(world)).toEqual([MOON]);
      await resource.delete();
    });
  },
);

const ofSecrets = subjects.filter(([, { definition }]) => definition.service.name === "secrets");

describe.each(ofSecrets)("a parameter of a %s that the service reports as ignored", (token, subject) => {
  test("is named in the error and not recorded as applied, and the next up writes it", async () => {
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
      expect(String(failure)).toContain(`reports that it ignored ${name}`);
      expect(resource.record.lastApplied).not.toHaveProperty(name);
      expect(Object.keys(resource.record.lastApplied).sort()).toEqual(
        Object.keys(program)
          .filter((one) => one !== name)
          .sort(),
      );
      // While the server ignores it, each up fails with that error.
      await expect(resource.up(program)).rejects.toThrow(`reports that it ignored ${name}`);
      expect(new Set(resource.preview(program).changes.map(({ path }) => path[0]))).toEqual(new Set([name]));
      world.transformResponse = (_, answer) => answer;
      world.transformRequest = (request) => request;
      await resource.up(program);
      expect(resource.record.pending).toBeUndefined();
      expect(resource.record.lastApplied).toEqual(program);
      await resource.refresh();
      expect(resource.preview(program).changes).toEqual([]);
    }
    expectAsserted(token, asserted, {
      "secrets:CloudLease": "it takes both of its values or none",
      // Its other properties are in Vault only.
      ...(dialectFor(token) === "neutral" && {
        "secrets:CloudStaticRole": "it takes both of its values or none",
      }),
      "secrets:GroupAlias": "its properties are required",
      "secrets:KvSecret": "its only property is required",
      "secrets:PasswordPolicy": "its only property is required",
      "secrets:Policy": "its only property is required",
      "secrets:DirectoryStaticRole": "its optional properties are immutable",
    });
  });
});

/** A property of this program without which the object can be created, but with a different value. */
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

/** Makes the service ignore a property. The result contains the properties that it has ignored. */
function ignores(world: World, property: string): Set<string> {
  const wire = wireOf(property);
  const left = new Set<string>();
  world.transformRequest = (request) => {
    const { nature, body } = request;
    if (nature !== "write" || !isObject(body) || !(wire in body)) return request;
    const { [wire]: _, ...others } = body;
    left.add(wire);
    return { ...request, body: others };
  };
  return left;
}

const ROOT: Values = { accessKey: "AKIA1", secretKey: "hush-hush-1", region: "eu-west-1" };

describe("a service's warning", () => {
  async function root() {
    const world = await secretsWorld(cloudRoot);
    return { world, resource: new Resource(world, cloudRoot) };
  }

  test("is logged without the program's secrets", async () => {
    const { world, resource } = await root();
    warning(world, () => ["the moon is full over hush-hush-1"]);
    await resource.create(ROOT);
    expect(warningsIn(world)).toHaveLength(1);
    expect(world.logged.join()).not.toContain("hush-hush-1");
  });

  test("in the response to a function is logged", async () => {
    const { world, resource } = await root();
    await resource.create(ROOT);
    warning(world, () => ["the moon is full"]);
    await callFunction(
      functions.getCloudRoot,
      {},
      { connection: world.connection, log: (level, text) => world.logged.push(`${level}: ${text}`) },
    );
    expect(warningsIn(world)).toEqual([MOON]);
  });

  test("is logged once for each distinct text", async () => {
    const { world, resource } = await root();
    warning(world, () => ["the moon is full", "the moon is full, too"]);
    await resource.create(ROOT);
    expect(warningsIn(world)).toEqual([MOON, `${MOON}, too`]);
  });

  test("about a value from the path is not logged if the sent value is the same", async () => {
    const { world, resource } = await root();
    warning(world, ({ nature }) => (nature === "write" ? [replacing("region")] : []));
    await resource.create({ ...ROOT, region: "root" });
    expect(world.logged).toEqual([]);
    expect(resource.record.lastApplied).toHaveProperty("region");
  });

  test("about a value from the path leaves the property unapplied if the sent value is different", async () => {
    const { world, resource } = await root();
    ignores(world, "region");
    warning(world, ({ nature }) => (nature === "write" ? [replacing("region")] : []));
    await expect(resource.create(ROOT)).rejects.toThrow("reports that it ignored region");
    expect(resource.record.lastApplied).not.toHaveProperty("region");
  });

  test("about an ignored property is logged without an error if the service stores it anyway", async () => {
    const { world, resource } = await root();
    warning(world, ({ nature }) => (nature === "write" ? [ignoring("region")] : []));
    await resource.create(ROOT);
    expect(world.logged.join()).toContain("Endpoint ignored these unrecognized parameters: [region]");
    expect(resource.record.lastApplied).toEqual(ROOT);
  });

  test("about an ignored parameter is logged without an error if the program does not set it", async () => {
    const { world, resource } = await root();
    warning(world, ({ nature }) => (nature === "write" ? [ignoring("max_retries")] : []));
    await resource.create(ROOT);
    expect(world.logged.join()).toContain("Endpoint ignored these unrecognized parameters: [max_retries]");
    expect(resource.record.pending).toBeUndefined();
  });

  test("about an ignored property that the service never returns leaves it unapplied", async () => {
    const world = await secretsWorld(queueConnection);
    const resource = new Resource(world, queueConnection);
    const program = {
      connectionUri: "http://broker",
      username: "a",
      password: "hush",
      passwordPolicy: "strong",
    };
    warning(world, () => [ignoring("password_policy")]);
    await expect(resource.create(program)).rejects.toThrow("reports that it ignored passwordPolicy");
    expect(resource.record.lastApplied).toEqual({ ...program, passwordPolicy: undefined });
    world.transformResponse = (_, answer) => answer;
    expect(await resource.up(program)).toBe(true);
    expect(resource.record.lastApplied).toEqual(program);
  });
});
