import type { Values } from "../../provider/core/language/object";
import { ConflictError } from "../../provider/core/state/conflict";
import { AlreadyExistsError } from "../../provider/core/state/failures";
import { destroy, isInState, refresh, up } from "./commands";
import type { Process } from "./process";
import type { Life, Tried } from "./tried";

/** What a user does after an error. */
export type Way = "up" | "refresh" | "import" | "adopt" | "overwrite" | "destroy" | "take away";

/** Whoever has to go on after an error. */
export interface User {
  readonly process: Process;
  readonly life: Life;
  readonly tried: Tried;
  /** What was done, in order. */
  readonly ways: Way[];
  /** What was told. */
  readonly errors: Error[];
  hear(error: Error): void;
  /** A refresh has shown what somebody else did. */
  shown(): void;
}

/** The most rounds that a user has to go until all is well. */
const MOST_ROUNDS = 3;

/** What a user does after an error, as its message says, until nothing is told any more; the program that it ends with. */
export async function recovered(user: User, told: Error | "killed"): Promise<Values | undefined> {
  const { process, life, tried, ways, errors } = user;
  const { resource, time } = process;
  let { program } = life;
  const go = async (way: Way, does: () => Promise<unknown>): Promise<Error | undefined> => {
    ways.push(way);
    const failure = await time.until(
      does().then(
        () => undefined,
        (error: Error) => error,
      ),
    );
    if (failure) {
      errors.push(failure);
      user.hear(failure);
    }
    return failure;
  };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let failure: Error | undefined;
    if (isInState(resource)) {
      failure = await go("refresh", () => refresh(resource));
      if (failure === undefined) user.shown();
    }
    if (life.ends) {
      if (!isInState(resource)) return program;
      failure = await go("destroy", () => destroy(resource));
      if (failure === undefined) return program;
      continue;
    }
    if (failure !== undefined) continue;
    if (life.kind === "import" && !isInState(resource)) {
      failure = await go("import", () => resource.get(resource.id));
      if (failure === undefined) return program;
      continue;
    }
    const wanted = program ?? resource.inputs;
    failure = await go("up", () => up(resource, wanted));
    if (failure instanceof AlreadyExistsError) {
      program = { ...wanted, adopt: true };
      const adopting = program;
      failure = await go("adopt", () => up(resource, adopting));
    }
    // Where it cannot be taken over the message says to remove it.
    if (failure instanceof AlreadyExistsError && !failure.message.includes("adopt")) {
      program = life.program;
      await go("take away", async () => tried.takeAway?.(process.world, resource));
      failure = await go("up", () => up(resource, wanted));
    }
    if (failure?.message.includes("set adopt: true;") && life.kind === "create") {
      program = { ...wanted, adopt: true };
      const adopting = program;
      failure = await go("adopt", () => up(resource, adopting));
    }
    if (failure?.message.includes("cancelRunning")) {
      program = { ...wanted, cancelRunning: true };
      const ending = program;
      failure = await go("adopt", () => up(resource, ending));
    }
    if (failure instanceof ConflictError && round === MOST_ROUNDS - 1) {
      program = { ...wanted, onConflict: "overwrite" };
      const insisting = program;
      failure = await go("overwrite", () => up(resource, insisting));
    }
    if (failure === undefined) break;
  }
  void told;
  return program;
}
