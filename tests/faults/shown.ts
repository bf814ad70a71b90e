import type { Resource } from "../steps/resource";
import type { Message } from "./claims";
import { failureOf, up } from "./commands";
import { dumped } from "./dumped";
import { Process } from "./process";
import type { Deed, Stranger } from "./strangers";
import type { Life, Tried } from "./tried";

/** What a message must report so that another user's change counts as shown. */
export interface Due {
  readonly deed: Deed;
  /** For an edit: the changed properties of the program, as a refresh shows them before the command, and after it. */
  readonly properties: readonly ReadonlySet<string>[];
}

/** True if a message reports what someone else did. For an edit, it must name every property that the edit changed. */
export function isShownBy({ facts }: Message, { deed, properties }: Due): boolean {
  const { changedBy, isExisting = false } = facts;
  switch (deed) {
    case "edit":
      return isNamed(new Set(facts.properties), properties);
    case "delete":
    case "undoing":
      return changedBy !== undefined;
    default:
      return changedBy !== undefined || isExisting;
  }
}

/** Whether these properties include all changed ones. */
export function isNamed(names: ReadonlySet<string>, properties: Due["properties"]): boolean {
  return properties.some((each) => each.size > 0 && [...each].every((name) => names.has(name)));
}

/** The properties of a resource that changed since `before`. */
export function seenBetween(before: Resource["outputs"], resource: Resource): ReadonlySet<string> {
  const { outputs } = resource;
  const names = new Set([...Object.keys(before), ...Object.keys(outputs)]);
  return new Set([...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(outputs[name])));
}

/** The required report of a change in a scenario. */
export async function dueOf(tried: Tried, life: Life, deed: Deed): Promise<Due> {
  return { deed, properties: deed === "edit" ? await movedByEdit(tried, life) : [] };
}

const moved = new WeakMap<Life, Promise<Due["properties"]>>();

function movedByEdit(tried: Tried, life: Life): Promise<Due["properties"]> {
  const known = moved.get(life) ?? Promise.all([false, true].map((isAfter) => shownOf(tried, life, isAfter)));
  moved.set(life, known);
  return known;
}

/** The properties that a refresh shows after the edit, before the command or after it; none if there is no object. */
async function shownOf(tried: Tried, life: Life, isAfter: boolean): Promise<ReadonlySet<string>> {
  const none: ReadonlySet<string> = new Set();
  if (life.edit === undefined || (life.ends && isAfter)) return none;
  const { resource, world, time } = Process.first(await tried.world(), tried.definition);
  resource.adoptsIdentical = life.takesIdentical === true;
  await time.until(life.before(resource));
  if (isAfter) await time.until(life.command(resource, () => undefined));
  if (resource.outputs.__quarterdeck === undefined) return none;
  const program = resource.inputs;
  await tried.edit?.(world, resource, life.edit);
  if (!(await time.until(resource.refresh()))) return none;
  return new Set(resource.preview(program).changes.map(({ path: [name] }) => String(name)));
}

/**
 * The content of a new service after the program created its object; undefined if the program of an import lacks a
 * secret.
 */
export async function madeAnew(
  tried: Tried,
  life: Life,
  program: Resource["inputs"],
): Promise<{ readonly anew?: string }> {
  const { resource, time, world } = Process.first(await tried.world(), tried.definition);
  resource.adoptsIdentical = life.takesIdentical === true;
  const failure = await time.until(failureOf(up(resource, program)));
  if (failure !== undefined && life.kind !== "import") throw failure;
  return failure === undefined ? { anew: dumped(world.stub.dump()) } : {};
}

/** Counts what someone else did as shown if a message reports it. */
export function hear(stranger: Stranger, due: Due | undefined, messages: readonly Message[]): void {
  if (stranger.moved === undefined || due === undefined) return;
  stranger.isShown ||= messages.some((message) => isShownBy(message, due));
}

/** Counts the change as shown if a refresh or a preview shows all changed properties, or the deletion. */
export function see(stranger: Stranger, due: Due | undefined, names: ReadonlySet<string> | "gone"): void {
  if (stranger.moved === undefined || due === undefined) return;
  stranger.isShown ||=
    names === "gone" || (due.deed === "edit" ? isNamed(names, due.properties) : names.size > 0);
}
