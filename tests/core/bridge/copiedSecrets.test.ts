import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { verdictOf } from "../../../cli/drift/verdict";
import { readProposed } from "../../../provider/core/bridge/proposed";
import { withRecordsRead } from "../../../provider/core/bridge/records";
import { callFunction } from "../../../provider/core/functions/call";
import { defineFunction } from "../../../provider/core/functions/define";
import { field } from "../../../provider/core/language/facts";
import type { Values } from "../../../provider/core/language/object";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import { RECORDS } from "../../../provider/core/state/records";
import { SecretMap } from "../../../provider/core/state/secretMap";
import { isObject } from "../../../provider/core/value/json";
import { formatPath, type Path, valueAt } from "../../../provider/core/value/path";
import job from "../../../provider/services/scheduler/job";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { randomBytes } from "../../bytes";
import { rounds } from "../../rounds";
import { subjects } from "../../steps/subjects";
import { World } from "../../steps/world";
import { plain } from "./engines";
import { hostOf } from "./host";
import { type Bag, secret } from "./plugin/calls";
import { plainOf } from "./plugin/plainText";
import { leavesOf } from "./plugin/plantedSecrets";
import { type RawBridge, rawBridges, type Stored } from "./rawBridges";

/** Everything that the state stores of a resource in plain text, with unpacked records. */
function shownOf(definition: AnyDefinition, { id, state }: Stored): string {
  const { [RECORDS]: records } = withRecordsRead(definition, state.outputs);
  return [id, plainOf(state.inputs), plainOf(state.outputs), typeof records === "string" ? records : ""].join(
    "\n",
  );
}

/** A copy of the program with another value at a path; does not look inside JSON texts. */
function put(value: unknown, [segment, ...rest]: Path, part: unknown): unknown {
  if (segment === undefined) return part;
  if (Array.isArray(value))
    return value.map((one, index) => (index === segment ? put(one, rest, part) : one));
  return { ...Object(value), [segment]: put(Object(value)[segment], rest, part) };
}

/** The paths of the maps and objects in a program. */
function objectsIn(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((part, index) => objectsIn(part, [...path, index]));
  if (!isObject(value)) return [];
  return [path, ...Object.entries(value).flatMap(([name, part]) => objectsIn(part, [...path, name]))];
}

interface Case {
  readonly definition: AnyDefinition;
  readonly world: World;
  readonly bridge: RawBridge;
  readonly stored: Stored;
  readonly program: Bag;
  readonly canary: string;
  readonly path: Path;
}

const freshSecret = () => `canary${randomBytes(12).toString("hex")}`;

/** A resource with a secret: a secret field of its definition, otherwise a value that the program marks. */
async function createCase(
  [definition, newWorld, program]: readonly [AnyDefinition, () => Promise<World>, Bag],
  kind: keyof typeof rawBridges,
): Promise<Case | undefined> {
  const leaves = leavesOf(program).filter(({ within }) => within === undefined);
  const isOwn = (path: Path) => new SecretMap(definition).isWithinSecret(path);
  const sorted = [...leaves].sort((one, other) => Number(isOwn(other.path)) - Number(isOwn(one.path)));
  for (const { path } of sorted) {
    const canary = freshSecret();
    const world = await newWorld();
    const bridge = new rawBridges[kind](definition, world);
    const own = put(program, path, secret(canary)) as Bag;
    const stored = await bridge.create(own).catch(() => undefined);
    if (stored === undefined || stored.id.includes(canary)) continue;
    return { definition, world, bridge, stored, program: own, canary, path };
  }
  return undefined;
}

/** Someone else updates the object with a separate state; false if the server or the rules reject it. */
async function updateAsSomeoneElse({ definition, world, stored }: Case, program: Bag): Promise<boolean> {
  const otherUser = new rawBridges.plugin(definition, world.another());
  return otherUser.update(stored, program).then(
    () => true,
    () => false,
  );
}

/** Every variant of the program with one copy of its secret in another place. */
function copiesOf({ program, canary, path: own }: Case): readonly (readonly [string, Bag])[] {
  const bare = plain(program) as Bag;
  const texts = leavesOf(bare)
    .filter(({ path, within }) => within === undefined && formatPath(path) !== formatPath(own))
    .flatMap(({ path }) =>
      [canary, `x-${canary}.y`].map((text) => [formatPath(path), put(program, path, text) as Bag] as const),
    );
  const keys = objectsIn(bare)
    .filter((path) => path.length > 0)
    .flatMap((path) => {
      const [first] = Object.values(Object(valueAt(bare, path)));
      const like = typeof first === "object" || first === undefined ? {} : first;
      return [
        [`${formatPath(path)} (key)`, put(program, [...path, canary], like) as Bag] as const,
        [`${formatPath(path)} (member)`, put(program, [...path, "another"], canary) as Bag] as const,
      ];
    });
  return [...texts, ...keys];
}

const tried = subjects.map(([token, { definition, world, programs, isVariant }]) => {
  const samples = fc.sample(programs, { numRuns: rounds(6, 3), seed: 7 });
  const size = (program: object) => JSON.stringify(program).length;
  const richest = samples.reduce((most, one) => (size(one) > size(most) ? one : most));
  return [token, { isVariant, parts: [definition, world, richest as Bag] as const }] as const;
});

describe.each(["dynamic", "plugin"] as const)("copied secrets on the %s bridge", (kind) => {
  const found: string[] = [];

  test.each(tried)(
    "%s: a secret that someone else copies into another field is not shown in plain text",
    async (_, { parts, isVariant }) => {
      const first = await createCase(parts, kind);
      if (first === undefined) return;
      const all = copiesOf(first);
      const every = isVariant ? rounds(1, 5) : rounds(1, 2);
      for (const [at, [path]] of all.entries()) {
        if (at % every !== 0) continue;
        const one = await createCase(parts, kind);
        const program = one && copiesOf(one)[at]?.[1];
        if (!one || !program || !(await updateAsSomeoneElse(one, program))) continue;
        const { definition, bridge, canary, world } = one;
        const after = await bridge.refresh(one.stored);
        found.push(path);
        expect([path, around(shownOf(definition, after), canary)]).toEqual([path, ""]);
        const { text } = await bridge.diff(after, one.program);
        expect([path, around(text, canary)]).toEqual([path, ""]);
        expect([path, around(world.logged.join("\n"), canary)]).toEqual([path, ""]);
        // A value that someone else wrote and the program does not manage is no change.
        const before = await bridge.diff(one.stored, one.program);
        expect(before.isChange).toBe(false);
      }
    },
  );

  test("the tests above found more than 20 copies", () => {
    expect(found.length).toBeGreaterThan(20);
  });
});

function around(text: string, canary: string): string {
  const at = text.indexOf(canary);
  return at < 0 ? "" : text.slice(Math.max(0, at - 100), at + 100);
}

describe.each(["dynamic", "plugin"] as const)("a job on the %s bridge", (kind) => {
  const groups = [{ name: "front", tasks: [{ name: "main", driver: "docker" }] }];
  const scene = async (spec: Bag, more: Bag = {}, token = "manager", settings: Values = { token }) => {
    const stub = new SchedulerService({
      switches: { dialect: "neutral" },
      seed: { tokens: { [token]: { management: true } } },
    });
    const world = new World(stub, job, { ...settings, dialect: "neutral" });
    const bridge = new rawBridges[kind](job, world);
    const program = { spec: { id: "web", taskGroups: groups, ...spec }, ...more };
    return { world, bridge, program, stored: await bridge.create(program) };
  };
  const editAsSomeoneElse = async (world: World, stored: Stored, program: Bag) => {
    await new rawBridges.plugin(job, world.another()).update(stored, program);
  };

  test("marks a copy of a short secret if it is the complete value, and not inside a longer text", async () => {
    const { world, bridge, program, stored } = await scene({ meta: { a: secret("abc"), b: "x", c: "y" } });
    await editAsSomeoneElse(
      world,
      stored,
      put(program, ["spec", "meta"], { a: "abc", b: "abc", c: "abcd" }) as Bag,
    );
    const { state } = await bridge.refresh(stored);
    for (const values of [state.inputs, state.outputs])
      expect(Object(values.spec).meta).toEqual({ a: secret("abc"), b: secret("abc"), c: "abcd" });
    expect(world.logged.join("\n")).not.toContain('"abc"');
  });

  test("does not mark a copy that the program itself writes in plain text", async () => {
    const { stored } = await scene({ meta: { a: secret("hush-hush"), b: "about hush-hush" } });
    expect(Object(stored.state.outputs.spec).meta).toEqual({ a: secret("hush-hush"), b: "about hush-hush" });
  });

  test("shows no change for the mark of a copy in a field that the program ignores", async () => {
    const { world, bridge, program, stored } = await scene({ meta: { a: secret("hush-hush"), b: "x" } });
    await editAsSomeoneElse(world, stored, put(program, ["spec", "meta", "b"], "a hush-hush") as Bag);
    const after = await bridge.refresh(stored);
    // The engine gives an ignored path the value of the state, with its mark.
    const ignoring = put(program, ["spec", "meta", "b"], secret("a hush-hush")) as Bag;
    const own = kind === "plugin" ? ignoring : (put(program, ["spec", "meta", "b"], "a hush-hush") as Bag);
    expect((await bridge.diff(after, own, ["spec.meta.b"])).isChange).toBe(false);
  });

  test("removes the mark when the copy is removed", async () => {
    const { world, bridge, program, stored } = await scene({ meta: { a: secret("hush-hush"), b: "x" } });
    await editAsSomeoneElse(world, stored, put(program, ["spec", "meta", "b"], "a hush-hush") as Bag);
    const copied = await bridge.refresh(stored);
    await editAsSomeoneElse(world, copied, program);
    const { state } = await bridge.refresh(copied);
    expect(Object(state.outputs.spec).meta.b).toBe("x");
    expect(Object(state.inputs.spec).meta.b).toBe("x");
  });

  test("keeps a copy of the old secret encrypted and out of messages after the secret is rotated", async () => {
    const { world, bridge, program, stored } = await scene({ meta: { a: secret("hush-hush"), b: "x" } });
    await editAsSomeoneElse(world, stored, put(program, ["spec", "meta", "b"], "a hush-hush") as Bag);
    const copied = await bridge.refresh(stored);
    const b = kind === "plugin" ? secret("a hush-hush") : "a hush-hush";
    const rotated = put(program, ["spec", "meta"], { a: secret("changed-since"), b }) as Bag;
    const updated = await bridge.update(copied, rotated, ["spec.meta.b"]);
    expect(Object(updated.state.outputs.spec).meta.b).toEqual(secret("a hush-hush"));
    const after = await bridge.refresh(updated);
    expect(Object(after.state.outputs.spec).meta.b).toEqual(secret("a hush-hush"));
    expect((await bridge.diff(after, rotated, ["spec.meta.b"])).isChange).toBe(false);
    await editAsSomeoneElse(
      world,
      updated,
      put(program, ["spec", "meta"], { a: "changed-since", b: "other" }) as Bag,
    );
    await bridge.refresh(updated);
    expect(world.logged.join("\n")).toContain("spec.meta");
    expect(world.logged.join("\n")).not.toContain("hush-hush");
  });

  test("shows no key of a map that is secret as a unit in a diff, an error or a drift table", async () => {
    const { world, bridge, program, stored } = await scene({ meta: secret({ "key-of-mine": "one" }) });
    const changed = put(program, ["spec", "meta"], secret({ "key-of-mine": "two", "key-of-yours": "x" }));
    const { isChange, text } = await bridge.diff(stored, changed as Bag);
    expect(isChange).toBe(true);
    if (kind === "plugin") expect(text).toContain('"spec.meta"');
    const refused = bridge.diff(stored, put(program, ["spec", "meta"], secret({ "key-of-mine": [] })) as Bag);
    const message = await refused.then(String, String);
    expect(message).toContain("spec.meta");
    await editAsSomeoneElse(world, stored, changed as Bag);
    await bridge.refresh(stored);
    expect(world.logged.join("\n")).toContain("spec.meta");
    const drift = await verdictOf(
      job,
      hostOf(() => world.connection),
      {
        id: stored.id,
        inputs: plain(stored.state.inputs),
        outputs: plain(stored.state.outputs),
        ignored: [],
      },
    );
    expect(drift).toMatchObject({ fields: [{ field: "spec.meta", was: "[secret]", is: "[secret]" }] });
    for (const shown of [text, message, ...world.logged, JSON.stringify(drift)])
      expect(shown).not.toContain("key-of");
  });

  test("marks a copy by the fingerprint of the secret if its source can no longer be read", async () => {
    const variable = "QUARTERDECK_TEST_COPIED";
    process.env[variable] = "hush-hush-of-elsewhere";
    try {
      const { world, bridge, program, stored } = await scene({
        meshToken: { fromEnv: variable },
        meta: { b: "x", c: "y" },
      });
      const copied = { b: "hush-hush-of-elsewhere", c: "other" };
      await editAsSomeoneElse(world, stored, put(program, ["spec", "meta"], copied) as Bag);
      delete process.env[variable];
      const { state } = await bridge.refresh(stored);
      expect(Object(state.outputs.spec).meta).toEqual({ b: secret(copied.b), c: "other" });
      expect(Object(state.inputs.spec).meta).toEqual({ b: secret(copied.b), c: "other" });
    } finally {
      delete process.env[variable];
    }
  });

  describe.each(["token", "tokenFile"] as const)("the connection's %s", (setting) => {
    const token = "hush-hush-of-the-connection";
    const file = join(tmpdir(), `quarterdeck-token-${process.pid}`);
    const settings = setting === "token" ? { token } : { tokenFile: file };
    beforeAll(() => writeFile(file, token));
    afterAll(() => rm(file));

    test("is marked if someone else copies it, and is in no message and no record", async () => {
      const { world, bridge, program, stored } = await scene(
        { meta: { b: "x", c: "y" } },
        {},
        token,
        settings,
      );
      const copied = { b: `about ${token}`, c: "other" };
      await editAsSomeoneElse(world, stored, put(program, ["spec", "meta"], copied) as Bag);
      const after = await bridge.refresh(stored);
      for (const values of [after.state.inputs, after.state.outputs])
        expect(Object(values.spec).meta).toEqual({ b: secret(copied.b), c: "other" });
      const { text } = await bridge.diff(after, program);
      for (const shown of [shownOf(job, after), text, world.logged.join("\n")])
        expect(shown).not.toContain(token);
      expect(JSON.stringify(stored)).not.toContain(token);
    });
  });

  test("redacts a copy in the inputs that an import proposes and lists its path as secret", async () => {
    const { world } = await scene({ meshToken: secret("hush-hush"), meta: { b: "a hush-hush", c: "y" } });
    const proposed = await readProposed(
      job,
      hostOf(() => world.connection),
      "default/web",
    );
    expect(JSON.stringify(proposed)).not.toContain("hush-hush");
    expect(proposed?.secrets).toContainEqual(["json", "Meta", "b"]);
  });
});

test.each([
  ["a secret argument", { token: "hush-hush" }, "hush-hush"],
  ["the connection's token", {}, "hush-of-the-connection"],
])("the result of a function that contains %s is secret", async (_, args, found) => {
  const definition = defineFunction({
    token: "scheduler:getEcho",
    doc: "Repeats.",
    section: "Jobs",
    service: job.service,
    fields: { token: field(z.string().optional(), { doc: "A token.", secret: true }) },
    result: { says: field(z.string(), { doc: "What it says." }) },
    asks: { kind: "call", call: async () => ({ says: `it is ${found}` }) },
  });
  const world = new World(new SchedulerService({ switches: { dialect: "neutral" } }), job, {
    token: "hush-of-the-connection",
    dialect: "neutral",
  });
  const caller = { connection: world.connection, log: () => undefined };
  expect(await callFunction(definition, args, caller)).toMatchObject({ isSecret: true });
});
