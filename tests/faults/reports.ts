import type { Resource } from "../steps/resource";
import type { Message } from "./claims";
import { failureOf, up } from "./commands";
import { dumped } from "./dump";
import type { FaultSubject, Scenario } from "./faultSubject";
import type { OtherUser, UserChange } from "./otherUser";
import { Process } from "./process";

/** What a message must report so that another user's change counts as shown. */
export interface RequiredReport {
  readonly userChange: UserChange;
  /** For an edit: the changed properties of the program, as a refresh shows them before the command, and after it. */
  readonly properties: readonly ReadonlySet<string>[];
}

/** True if a message reports what someone else did. For an edit, it must name every property that the edit changed. */
export function isShownBy({ facts }: Message, { userChange, properties }: RequiredReport): boolean {
  const { changedBy, isExisting = false } = facts;
  switch (userChange) {
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
export function isNamed(names: ReadonlySet<string>, properties: RequiredReport["properties"]): boolean {
  return properties.some((each) => each.size > 0 && [...each].every((name) => names.has(name)));
}

/** The properties of a resource that changed since `before`. */
export function changedProperties(before: Resource["outputs"], resource: Resource): ReadonlySet<string> {
  const { outputs } = resource;
  const names = new Set([...Object.keys(before), ...Object.keys(outputs)]);
  return new Set([...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(outputs[name])));
}

/** The required report of a change in a scenario. */
export async function requiredReportOf(
  tried: FaultSubject,
  life: Scenario,
  userChange: UserChange,
): Promise<RequiredReport> {
  return { userChange, properties: userChange === "edit" ? await changedByEdit(tried, life) : [] };
}

const changes = new WeakMap<Scenario, Promise<RequiredReport["properties"]>>();

function changedByEdit(tried: FaultSubject, life: Scenario): Promise<RequiredReport["properties"]> {
  const known =
    changes.get(life) ?? Promise.all([false, true].map((isAfter) => shownOf(tried, life, isAfter)));
  changes.set(life, known);
  return known;
}

/** The properties that a refresh shows after the edit, before the command or after it; none if there is no object. */
async function shownOf(tried: FaultSubject, life: Scenario, isAfter: boolean): Promise<ReadonlySet<string>> {
  const none: ReadonlySet<string> = new Set();
  if (life.edit === undefined || (life.deletesObject && isAfter)) return none;
  const { resource, world, time } = Process.first(await tried.world(), tried.definition);
  resource.adoptsIdentical = life.adoptsIdentical === true;
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
export async function recreate(
  tried: FaultSubject,
  life: Scenario,
  program: Resource["inputs"],
): Promise<{ readonly recreated?: string }> {
  const { resource, time, world } = Process.first(await tried.world(), tried.definition);
  resource.adoptsIdentical = life.adoptsIdentical === true;
  const failure = await time.until(failureOf(up(resource, program)));
  if (failure !== undefined && life.kind !== "import") throw failure;
  return failure === undefined ? { recreated: dumped(world.stub.dump()) } : {};
}

/** Counts what someone else did as shown if a message reports it. */
export function markReported(
  otherUser: OtherUser,
  requiredReport: RequiredReport | undefined,
  messages: readonly Message[],
): void {
  if (otherUser.changes === undefined || requiredReport === undefined) return;
  otherUser.isShown ||= messages.some((message) => isShownBy(message, requiredReport));
}

/** Counts the change as shown if a refresh or a preview shows all changed properties, or the deletion. */
export function markShown(
  otherUser: OtherUser,
  requiredReport: RequiredReport | undefined,
  names: ReadonlySet<string> | "gone",
): void {
  if (otherUser.changes === undefined || requiredReport === undefined) return;
  otherUser.isShown ||=
    names === "gone" ||
    (requiredReport.userChange === "edit" ? isNamed(names, requiredReport.properties) : names.size > 0);
}
