import { readFileSync } from "node:fs";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { oneTimeActions } from "./oneTimeActions";
import { procedures } from "./procedures";
import { RECORDED, type State } from "./recordings";
import { Resource } from "./resource";
import { secretsWorld } from "./subjects/secretsScene";
import type { World } from "./world";

/**
 * Recorded states of actions, of write-only resources, and of procedures that are done, under way, or open. Every later version
 * must read these. `recordDeeds.test.ts` records them, once.
 */
const recorded: readonly State[] = JSON.parse(readFileSync(RECORDED, "utf8"));
/** Titles of the ends that the states are recorded with. */
const END_TITLES: Readonly<Record<string, string>> = {
  whole: "complete",
  "under way": "in progress",
  "with its answer lost": "after a lost response",
};
const states = recorded.map((state) => [state.token, END_TITLES[state.end] ?? state.end, state] as const);

const MINUTE = 60_000;
const tried = new Map<string, { readonly definition: AnyDefinition; scene(): Promise<{ world: World }> }>([
  ...oneTimeActions,
  ...procedures,
]);
const openForEver = procedures.filter(([, { staysOpen }]) => staysOpen).map(([token]) => token);

afterEach(() => jest.restoreAllMocks());

/** A resource in this state, on a server with the same objects as at the time of the recording. */
async function resumed({ token, id, outputs, written, requests }: State) {
  const { definition, scene } = tried.get(token) ?? {};
  if (definition === undefined || scene === undefined) throw new Error(`there is no ${token} any more`);
  // A new server; for HCP Terraform, one with seeded objects.
  const world = token.startsWith("secrets:")
    ? await secretsWorld(definition, {}, "neutral")
    : (await scene()).world;
  for (const { method, path, headers, body, at } of requests) {
    world.now = at;
    await world.send(method, path, body, { ...headers });
  }
  world.now += MINUTE;
  const resource = new Resource(world, definition);
  Object.assign(resource, { id, outputs, inputs: written });
  const changes = (program: State["written"]) =>
    resource.preview(program).changes.map(({ path }) => path.join("."));
  const writes = () => world.requests.filter(({ nature }) => nature !== "read").length;
  return { resource, world, definition, changes, writes };
}

test("every action, write-only resource and procedure has a recorded state, and two have one in progress", () => {
  expect([...new Set(states.map(([token]) => token))].sort()).toEqual([...tried.keys()].sort());
  const underWay = states.filter(([, , { end }]) => end === "under way").map(([token]) => token);
  expect([...new Set(underWay)].sort()).toEqual([
    "secrets:RecoveryKeyRekey",
    "secrets:RecoveryKeyVerification",
  ]);
});

describe.each(states)("the recorded state of a %s (%s)", (token, _, state) => {
  const { end, program, written, preview } = state;
  const isOpen = end === "with its answer lost" && openForEver.includes(token);

  test("has the recorded preview, which sends nothing", async () => {
    const { resource, world, definition, changes } = await resumed(state);
    expect(changes(written)).toEqual(preview);
    if (end === "whole") expect(resource.preview(written)).toMatchObject({ changes: [], notes: [] });
    expect(definition.where.id.parse(resource.id)).toBeDefined();
    expect(world.requests).toEqual([]);
  });

  test("exists and is unchanged after a refresh, which writes nothing", async () => {
    const { resource, changes, writes } = await resumed(state);
    expect(await resource.refresh()).toBe(true);
    expect([writes(), resource.id]).toEqual([0, state.id]);
    expect(changes(written)).toEqual(preview);
  });

  test("is updated without a write if it is complete, and is completed by an update otherwise", async () => {
    const { resource, changes, writes } = await resumed(state);
    if (isOpen) {
      await expect(resource.update(program)).rejects.toThrow();
      expect(writes()).toBe(0);
      return;
    }
    const isDone = changes(program).length === 0;
    const next = isDone ? { ...program, timeouts: { update: 5 } } : program;
    await resource.update(next);
    expect(writes() === 0).toBe(isDone);
    expect(changes(next)).toEqual([]);
    expect(resource.id).toBe(state.id);
  });

  test("is replaced if its triggers change", async () => {
    const { resource, definition, writes } = await resumed(state);
    if (!("triggers" in definition.fields)) return;
    const changed = resource.preview({ ...program, triggers: ["another"] }).changes;
    expect(changed).toContainEqual(expect.objectContaining({ path: ["triggers"], replaces: true }));
    expect(writes()).toBe(0);
  });

  test("can be deleted", async () => {
    const { resource } = await resumed(state);
    await expect(resource.delete()).resolves.toBeUndefined();
  });
});
