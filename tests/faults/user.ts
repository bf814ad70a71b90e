import { again, type Remedy, refreshFirst, remediesOf } from "../../provider/core/http/remedies";
import type { Values } from "../../provider/core/language/object";
import { destroy, failureOf, isInState, refresh, up } from "./commands";
import type { Process } from "./process";
import { seenBetween } from "./shown";
import type { Life, Tried } from "./tried";

/** Whoever has to go on after an error. */
export interface User {
  readonly process: Process;
  readonly life: Life;
  readonly tried: Tried;
  /** What is done after a kill. */
  readonly afterKill: keyof typeof AFTER_A_KILL;
  /** What was done, in order. */
  readonly ways: Remedy[];
  /** What was told. */
  readonly errors: Error[];
  hear(error: Error): void;
  /** A step of the provider begins. */
  begins(): void;
  /** A refresh or a preview has shown these properties as moved, or the object as gone. */
  shown(names: ReadonlySet<string> | "gone"): void;
}

/** The most rounds that a user has to go until all is well. */
const MOST_ROUNDS = 2;

/** Nobody was left to tell anything: the docs say the same command again, and an engine that was killed, too, a refresh first. */
export const AFTER_A_KILL = { again: again(), refresh: refreshFirst("pulumi refresh") } as const;

/**
 * Goes the first way of what was told, and then of what is told next, until nothing is told any more; the program that it
 * ends with.
 */
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

/** @throws Error where it is none of ours: what is told must carry its ways on, if only that there are none. */
function toldBy(error: Error): readonly Remedy[] {
  const ways = remediesOf(error);
  if (ways === undefined)
    throw new Error(`an error that tells no way on: ${error.message}`, { cause: error });
  return ways;
}

/** A look brings nothing about, and what only a person can know nobody does here. */
function brings({ kind }: Remedy): boolean {
  return kind !== "look" && kind !== "edit";
}

/** Goes one way, up to the command that failed. */
async function gone({ process, life, tried, shown, begins }: User, way: Remedy, program: Values | undefined) {
  const { resource, world } = process;
  begins();
  if (way.kind === "refresh") {
    const before = resource.outputs;
    await refresh(resource);
    shown(isInState(resource) ? seenBetween(before, resource) : "gone");
  }
  begins();
  // Whoever finds nothing there has nothing to take away.
  if (way.kind === "remove") await tried.takeAway?.(world, resource).catch(() => undefined);
  if (life.ends) return destroy(resource, begins);
  if (life.kind === "refresh") return way.kind === "refresh" ? undefined : refresh(resource);
  if (life.kind === "import" && !isInState(resource)) return resource.get(resource.id);
  return up(resource, program ?? resource.inputs, begins);
}
