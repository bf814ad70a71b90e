import type { HttpRequest } from "../../provider/core/http/request";
import type { Values } from "../../provider/core/language/object";
import { Resource } from "./resource";
import type { Edit, Subject } from "./subject";
import { configEntrySubject } from "./subjects/configEntry";
import { jobSubject } from "./subjects/job";
import { queueRoleSubject } from "./subjects/secrets";
import { workspaceSubject } from "./subjects/workspace";
import type { World } from "./world";

/** An object whose writes come late. */
export interface Scene {
  readonly subject: Subject;
  readonly first: Values;
  readonly second: Values;
  readonly third: Values;
  /** Whether its address gives its id, so that one that is perhaps made stays in the state. */
  readonly isNamed: boolean;
  /** What somebody else moves that the program manages, beside what tells `first` from `second`. */
  readonly edit: Edit;
  /** How a message names what moved. */
  readonly moved: string;
  /** What of `second` is in none of the others. */
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
      moved: "autoApply",
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
      moved: "json.Meta",
      own: 70,
    },
  ],
  [
    "entry",
    {
      subject: configEntrySubject,
      first: defaults({ Protocol: "http" }),
      second: defaults({ Protocol: "grpc" }),
      third: defaults({ Protocol: "tcp" }),
      isNamed: true,
      edit: { property: "spec", value: { MaxInboundConnections: 7 } },
      moved: "spec.MaxInboundConnections",
      own: "grpc",
    },
  ],
  [
    "queue role",
    {
      subject: queueRoleSubject,
      first: role("monitoring"),
      second: role("policymaker"),
      third: role("management"),
      isNamed: true,
      edit: { property: "vhosts", value: { "/": { read: "^q" } } },
      moved: "vhosts",
      own: "policymaker",
    },
  ],
];

/** A write that hangs until the operation's time is up, and when it is carried out all the same. */
export interface Late {
  /** Lets it arrive now, where it has not. */
  arrive(): Promise<void>;
}

/**
 * From here on, the next write hangs for 2.5 s, or loses its connection at once.
 * @param after milliseconds until it is carried out; never by itself where nothing is said
 */
export function hold(world: World, after?: number, { breaks } = { breaks: false }): Late {
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
  world.slept = async (milliseconds) => {
    world.now += milliseconds;
    if (world.now >= due) await arrive();
  };
  return { arrive };
}

/** How often anything was written since a test began to count. */
export function writesOf({ requests }: World): () => number {
  const before = requests.length;
  return () => requests.slice(before).filter(({ nature }) => nature !== "read").length;
}

/** A fresh service, and a resource that is not made yet. */
export async function blank({ subject }: Scene) {
  const world = await subject.world();
  return { world, resource: new Resource(world, subject.definition), writes: writesOf(world) };
}

/** A fresh service, and a resource that `first` has made. */
export async function made(scene: Scene) {
  const { world, resource } = await blank(scene);
  await resource.create(scene.first);
  return { world, resource, writes: writesOf(world) };
}

/** The service holds what the program writes, and nothing is to be done. */
export async function expectQuiet(resource: Resource, program: Values): Promise<void> {
  expect(resource.preview(program).changes).toEqual([]);
  expect(await resource.refresh()).toBe(true);
  expect(resource.preview(program).changes).toEqual([]);
}

/** What is carried out while the service is still looked at: when, in milliseconds. */
export const inTime = [
  ["at once", 0],
  ["within the grace", 5000],
] as const;
