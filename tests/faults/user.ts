import { again, type Remedy, refreshFirst, remediesOf } from "../../provider/core/http/remedies";
import type { Values } from "../../provider/core/language/object";
import { destroy, failureOf, isInState, refresh, up } from "./commands";
import type { Process } from "./process";
import { seenBetween } from "./shown";
import type { Life, Tried } from "./tried";

/** A user who reacts to errors. */
export interface User {
  readonly process: Process;
  readonly life: Life;
  readonly tried: Tried;
  /** The reaction to a kill. */
  readonly afterKill: keyof typeof AFTER_A_KILL;
  /** The applied remedies, in order. */
  readonly ways: Remedy[];
  /** The reported errors. */
  readonly errors: Error[];
  hear(error: Error): void;
  /** A step of the provider begins. */
  begins(): void;
  /** A refresh or a preview has shown these properties as changed, or the object as deleted. */
  shown(names: ReadonlySet<string> | "gone"): void;
}

/** The maximum number of remedies until everything must be correct. */
const MOST_ROUNDS = 2;

/**
 * The reactions to a kill, which reports no remedy. The documentation says to run the same command again. An engine
 * asks for a refresh first.
 */
export const AFTER_A_KILL = { again: again(), refresh: refreshFirst("pulumi refresh") } as const;

/** Applies the first remedy of each error until a command succeeds. Returns the final program. */
export async function recovered(user: User, told: Error | "killed"): Promise<Values | undefined> {
  const { ways, errors, life, process } = user;
  let { program } = life;
  let next = told === "killed" ? [AFTER_A_KILL[user.afterKill]] : toldBy(told);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const way = next.find(brings);
    if (way === undefined) return program;
    ways.push(way);
    if (way.kind === "set") program = { ...(program ?? process.resource.inputs), [way.property]: way.value };
    const failure = await process.time.until(failureOf(gone(user, way, program)));
    if (failure === undefined) return program;
    errors.push(failure);
    user.hear(failure);
    next = toldBy(failure);
  }
  return program;
}

/** @throws Error if the error has no list of remedies, which may be empty */
function toldBy(error: Error): readonly Remedy[] {
  const ways = remediesOf(error);
  if (ways === undefined)
    throw new Error(`an error that tells no way on: ${error.message}`, { cause: error });
  return ways;
}

/** An inspection changes nothing, and an edit needs a user's knowledge. */
function brings({ kind }: Remedy): boolean {
  return kind !== "look" && kind !== "edit";
}

/** Applies one remedy, and repeats the failed command. */
async function gone({ process, life, tried, shown, begins }: User, way: Remedy, program: Values | undefined) {
  const { resource, world } = process;
  begins();
  if (way.kind === "refresh") {
    const before = resource.outputs;
    await refresh(resource);
    shown(isInState(resource) ? seenBetween(before, resource) : "gone");
  }
  begins();
  // If the object does not exist, there is nothing to delete.
  if (way.kind === "remove") await tried.takeAway?.(world, resource).catch(() => undefined);
  if (life.ends) return destroy(resource, begins);
  if (life.kind === "refresh") return way.kind === "refresh" ? undefined : refresh(resource);
  if (life.kind === "import" && !isInState(resource)) return resource.get(resource.id);
  return up(resource, program ?? resource.inputs, begins);
}
