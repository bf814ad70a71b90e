import { again, type Remedy, refreshFirst, remediesOf } from "../../provider/core/http/remedies";
import type { Values } from "../../provider/core/language/object";
import { destroy, failureOf, isInState, refresh, up } from "./commands";
import type { FaultSubject, Scenario } from "./faultSubject";
import type { Process } from "./process";
import { changedProperties } from "./reports";

/** A user who reacts to errors. */
export interface User {
  readonly process: Process;
  readonly life: Scenario;
  readonly tried: FaultSubject;
  /** The reaction to a kill. */
  readonly afterKill: keyof typeof REACTIONS_TO_KILL;
  /** The applied remedies, in order. */
  readonly remedies: Remedy[];
  /** The reported errors. */
  readonly errors: Error[];
  hear(error: Error): void;
  /** A step of the provider begins. */
  begins(): void;
  /** A refresh or a preview has shown these properties as changed, or the object as deleted. */
  shown(names: ReadonlySet<string> | "gone"): void;
}

/** The maximum number of remedies until everything must be correct. */
const MAX_REMEDIES = 2;

/**
 * The reactions to a kill, which reports no remedy. The documentation says to run the same command again. An engine
 * asks for a refresh first.
 */
export const REACTIONS_TO_KILL = { again: again(), refresh: refreshFirst("pulumi refresh") } as const;

/** Applies the first remedy of each error until a command succeeds. Returns the final program. */
export async function recover(user: User, error: Error | "killed"): Promise<Values | undefined> {
  const { remedies, errors, life, process } = user;
  let { program } = life;
  let next = error === "killed" ? [REACTIONS_TO_KILL[user.afterKill]] : remediesIn(error);
  for (let round = 0; round < MAX_REMEDIES; round += 1) {
    const remedy = next.find(hasEffect);
    if (remedy === undefined) return program;
    remedies.push(remedy);
    if (remedy.kind === "set")
      program = { ...(program ?? process.resource.inputs), [remedy.property]: remedy.value };
    const failure = await process.time.until(failureOf(applyRemedy(user, remedy, program)));
    if (failure === undefined) return program;
    errors.push(failure);
    user.hear(failure);
    next = remediesIn(failure);
  }
  return program;
}

/** @throws Error if the error has no list of remedies, which may be empty */
function remediesIn(error: Error): readonly Remedy[] {
  const remedies = remediesOf(error);
  if (remedies === undefined)
    throw new Error(`an error that tells no remedy on: ${error.message}`, { cause: error });
  return remedies;
}

/** An inspection changes nothing, and an edit needs a user's knowledge. */
function hasEffect({ kind }: Remedy): boolean {
  return kind !== "look" && kind !== "edit";
}

/** Applies one remedy, and repeats the failed command. */
async function applyRemedy(
  { process, life, tried, shown, begins }: User,
  remedy: Remedy,
  program: Values | undefined,
) {
  const { resource, world } = process;
  begins();
  if (remedy.kind === "refresh") {
    const before = resource.outputs;
    await refresh(resource);
    shown(isInState(resource) ? changedProperties(before, resource) : "gone");
  }
  begins();
  // If the object does not exist, there is nothing to delete.
  if (remedy.kind === "remove") await tried.takeAway?.(world, resource).catch(() => undefined);
  if (life.deletesObject) return destroy(resource, begins);
  if (life.kind === "refresh") return remedy.kind === "refresh" ? undefined : refresh(resource);
  if (life.kind === "import" && !isInState(resource)) return resource.get(resource.id);
  return up(resource, program ?? resource.inputs, begins);
}
