import type { HttpRequest } from "../../provider/core/http/request";
import type { Values } from "../../provider/core/language/object";
import { Resource } from "./resource";
import type { Edit, Subject } from "./subject";
import { configEntrySubject } from "./subjects/configEntry";
import { jobSubject } from "./subjects/job";
import { queueRoleSubject } from "./subjects/secrets";
import { workspaceSubject } from "./subjects/workspace";
import type { World } from "./world";

/** An object whose writes arrive late. */
export interface Scene {
  readonly subject: Subject;
  readonly first: Values;
  readonly second: Values;
  readonly third: Values;
  /** Whether its ID follows from its address, so that the state contains a create with an unknown outcome. */
  readonly isNamed: boolean;
  /** Another user's change to a managed property, other than the difference between `first` and `second`. */
  readonly edit: Edit;
  /** The path of that property in messages. */
  readonly driftedPath: string;
  /** A value of `second` that the other programs do not contain. */
  readonly own: string | number;
}

const timeouts = { create: 1, update: 1, delete: 1 };
const web = (Priority: number): Values => ({
  purge: true,
  json: { ID: "web", Priority, TaskGroups: [{ Name: "front", Tasks: [{ Name: "main", Driver: "docker" }] }] },
  timeouts,
});
const defaults = (spec: { [member: string]: string | number }): Values => ({
  kind: "service-defaults",
  name: "web",
  spec,
  timeouts,
});
const app = (description: string): Values => ({ name: "app", description, autoApply: true, timeouts });
const role = (tags: string): Values => ({
  name: "app",
  tags,
  vhosts: { "/": { read: ".*" } },
  timeouts,
});

/** One scene of each service. */
export const scenes: readonly (readonly [string, Scene])[] = [
  [
    "workspace",
    {
      subject: workspaceSubject,
      first: app("one"),
      second: app("two words"),
      third: app("three"),
      isNamed: false,
      edit: { property: "autoApply", value: false },
      driftedPath: "autoApply",
      own: "two words",
    },
  ],
  [
    "job",
    {
      subject: jobSubject,
      first: web(50),
      second: web(70),
      third: web(60),
      isNamed: true,
      edit: { property: "json", value: { meta: "by hand" } },
      driftedPath: "json.Meta",
      own: 70,
    },
  ],
  [
    "configuration entry",
    {
      subject: configEntrySubject,
      first: defaults({ Protocol: "http" }),
      second: defaults({ Protocol: "grpc" }),
      third: defaults({ Protocol: "tcp" }),
      isNamed: true,
      edit: { property: "spec", value: { MaxInboundConnections: 7 } },
      driftedPath: "spec.MaxInboundConnections",
      own: "grpc",
    },
  ],
  [
    "RabbitMQ role",
    {
      subject: queueRoleSubject,
      first: role("monitoring"),
      second: role("policymaker"),
      third: role("management"),
      isNamed: true,
      edit: { property: "vhosts", value: { "/": { read: "^q" } } },
      driftedPath: "vhosts",
      own: "policymaker",
    },
  ],
];

/** A write that hangs until the operation times out, and may be applied later. */
export interface DelayedWrite {
  /** Applies it now, unless it was already applied. */
  arrive(): Promise<void>;
}

/**
 * The next write hangs for 2.5 s, or loses its connection at once.
 * @param after milliseconds until it is applied; without it, only `arrive` applies it
 */
export function hold(world: World, after?: number, { breaks } = { breaks: false }): DelayedWrite {
  let held: HttpRequest | undefined;
  let due = Number.POSITIVE_INFINITY;
  let isOver = false;
  const arrive = async () => {
    const request = held;
    held = undefined;
    if (request === undefined) return;
    const { status, text } = await world.carryOut(request);
    if (status >= 300) throw new Error(text);
  };
  world.fate = (request) => {
    if (request.nature === "read" || isOver) return "passes";
    isOver = true;
    if (!breaks) world.now += 2500;
    if (after === 0) return breaks ? "response lost" : "response hangs";
    held = request;
    due = world.now + (after ?? Number.POSITIVE_INFINITY);
    return breaks ? "request lost" : "request hangs";
  };
  world.onSleep = async (milliseconds) => {
    world.now += milliseconds;
    if (world.now >= due) await arrive();
  };
  return { arrive };
}

/** Counts the writes from now on. */
export function writesOf({ requests }: World): () => number {
  const before = requests.length;
  // Uploads follow the write of their object.
  return () => requests.slice(before).filter(({ nature, file }) => nature !== "read" && !file).length;
}

/** A new mock server, and a resource that does not exist yet. */
export async function newResource({ subject }: Scene) {
  const world = await subject.world();
  return { world, resource: new Resource(world, subject.definition), writes: writesOf(world) };
}

/** A new mock server, and a resource that was created with `first`. */
export async function createFirst(scene: Scene) {
  const { world, resource } = await newResource(scene);
  await resource.create(scene.first);
  return { world, resource, writes: writesOf(world) };
}

/** Expects that the service stores the program's values: no changes before and after a refresh. */
export async function expectUnchanged(resource: Resource, program: Values): Promise<void> {
  expect(resource.preview(program).changes).toEqual([]);
  expect(await resource.refresh()).toBe(true);
  expect(resource.preview(program).changes).toEqual([]);
}

/** Times, in milliseconds, at which a request is applied while the service is still probed. */
export const inTime = [
  ["at once", 0],
  ["within the grace period", 5000],
] as const;
