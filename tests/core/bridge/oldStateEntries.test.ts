import fc from "fast-check";
import { startStub, TEST_TOKENS } from "../../../testing/stub";
import { subjects } from "../../steps/subjects";
import type { World } from "../../steps/world";
import { type Engine, engines } from "./engines";
import { hostOf } from "./host";
import { attachedEngine } from "./plugin/client";

/**
 * Which deletes of one command reach the server. An engine deletes old state entries of objects that another entry
 * manages, after a rename in two commands, or after a replacement that an earlier command could not complete.
 */

const TOKENS = [
  "secrets:DirectoryStaticRole",
  "secrets:QueueRole",
  "workspaces:Workspace",
  "mesh:ServiceDefaults",
];
const chosen = subjects.filter(([token]) => TOKENS.includes(token));

const cases = chosen.flatMap(([token, subject]) =>
  (["dynamic", "plugin"] as const).map((bridge) => [token, bridge, subject] as const),
);

describe.each(cases)("object of %s on the %s bridge", (_, bridge, subject) => {
  const [program = {}] = fc.sample(subject.programs, { numRuns: 1, seed: 3 });

  /** One command: a provider process and the state entries that it processes. */
  const command = (world: World) => {
    const host = hostOf(() => world.connection, world.logged);
    return (name: string, { state }: Pick<Engine, "state"> = { state: undefined }): Engine => {
      const engine: Engine & { state: Engine["state"] } = new engines[bridge](
        subject.definition,
        world,
        host,
        name,
      );
      engine.state = state;
      return engine;
    };
  };

  const created = async () => {
    const world = await subject.world();
    const made = command(world)("made");
    await made.up(program);
    return { world, made };
  };

  const isThere = (world: World, entry: Engine) => command(world)("look", entry).refresh();

  test("is not deleted by an older state entry while another resource of the program manages it", async () => {
    for (const isRead of [false, true]) {
      const { world, made } = await created();
      const open = command(world);
      const [old, current] = [open("old", made), open("new", made)];
      if (isRead) await old.refresh();
      expect(await current.changes(program)).toBe(false);
      await old.destroy();
      expect(await isThere(world, made)).toBe(true);
      expect(world.logged.join("\n")).toContain("another resource of this stack manages the object");
    }
  });

  test("is not deleted by an older state entry of the same resource", async () => {
    const { world, made } = await created();
    const open = command(world);
    await open("it", made).changes(program);
    await open("it", made).destroy();
    expect(await isThere(world, made)).toBe(true);
  });

  test("is deleted by a destroy that refreshes first", async () => {
    const { world, made } = await created();
    const entry = command(world)("it", made);
    await entry.refresh();
    await entry.compare();
    await entry.destroy();
    expect(await isThere(world, made)).toBe(false);
  });

  test("is deleted with the last of its state entries", async () => {
    const { world, made } = await created();
    const open = command(world);
    const entries = [open("old", made), open("new", made)];
    for (const entry of entries) await entry.compare();
    const [first, second] = entries;
    await first?.destroy();
    // The dynamic bridge cannot distinguish two entries with the same content.
    expect(await isThere(world, made)).toBe(bridge === "plugin");
    await second?.destroy();
    expect(await isThere(world, made)).toBe(false);
  });

  test("is deleted before its replacement is created, and an older state entry keeps the replacement", async () => {
    const { world, made } = await created();
    const open = command(world);
    const entry = open("it", made);
    await entry.changes({ ...program, timeouts: { delete: 9 } });
    await entry.destroy();
    expect(await isThere(world, made)).toBe(false);
    const replacement = open("it");
    await replacement.up(program);
    await open("it", made).destroy();
    expect(await isThere(world, replacement)).toBe(true);
    // If the server assigns IDs, the old ID does not exist any more.
    const isSameId = replacement.state?.id === made.state?.id;
    const warning = "this command created, updated or adopted the object at the same address";
    expect(world.logged.join("\n").includes(warning)).toBe(isSameId);
  });
});

const ofConsul = cases.filter(([token]) => token === "mesh:ServiceDefaults");

describe.each(ofConsul)("two names of %s that differ only in case (%s bridge)", (_, bridge, subject) => {
  /** One command on a server with Consul's own API names. */
  const command = (world: World) => {
    world.stub.configure({ dialect: "real" });
    const own = world.with({ dialect: "real" });
    const host = hostOf(() => own.connection, own.logged);
    return (name: string) => new engines[bridge](subject.definition, own, host, name);
  };

  test("are one object in Consul: the older state entry does not delete it", async () => {
    const world = await subject.world();
    const old = command(world)("old");
    await old.up({ name: "Web", spec: {} });
    const open = command(world);
    await open("new").up({ name: "web", spec: {} });
    const removed = open("old");
    Object.assign(removed, { state: old.state });
    await removed.destroy();
    expect(removed.messages.join("\n")).toContain("this command created, updated or adopted the object");
  });

  test("fail the check if both are in one program", async () => {
    const open = command(await subject.world());
    expect((await open("one").check({ name: "Web", spec: {} })).failures).toEqual([]);
    expect((await open("two").check({ name: "web", spec: {} })).failures).toEqual([
      expect.stringContaining(
        'another resource of this program, "Web": the server treats both names as the same',
      ),
    ]);
  });
});

test("an attached plugin that is configured again deletes an object that the previous command created", async () => {
  const stub = await startStub({ dialect: "neutral" });
  const settings = {
    secrets: { address: stub.addresses.secrets, token: TEST_TOKENS.secrets, dialect: "neutral" },
  };
  const engine = await attachedEngine(settings);
  try {
    const urn = "urn:pulumi:dev::platform::quarterdeck:secrets:QueueRole::it";
    const { inputs } = await engine.calls.check(urn, {}, { name: "reader", tags: "management" });
    const { id, outputs } = await engine.calls.create(urn, inputs);
    const role = { service: "secrets", method: "DELETE" } as const;
    await engine.calls.delete(urn, id, { inputs, outputs });
    expect(await stub.requests(role)).toHaveLength(0);
    await engine.calls.configure(settings);
    await engine.calls.delete(urn, id, { inputs, outputs });
    expect(await stub.requests(role)).toHaveLength(1);
  } finally {
    engine.stop();
    await stub.stop();
  }
});
