import { ActionableError, editProgram } from "../../http/remedies";
import type { ObjectContext } from "../../language/resource";

/**
 * Waits after a rejection that another resource of the program may have caused, while other writes of this command run.
 * @returns the wait in milliseconds
 * @throws Error the rejection, with the order that avoids it, if no other write can lift it
 */
export async function waitForOthers(context: ObjectContext, error: Error): Promise<number> {
  const { connection, deadline, definition, others, signal } = context;
  const { blocked } = definition.life;
  if (blocked === undefined || !blocked.isBlocked(error)) throw error;
  const { runtime } = connection;
  const wait = others?.waitMs();
  if (wait === undefined || signal?.aborted || runtime.now() + wait >= deadline)
    throw withOrder(error, blocked.order);
  const { problem } = error instanceof ActionableError ? error : { problem: error.message };
  context.progress?.(
    `waits for the other writes of this command, then tries again. The server rejected this write: ${problem}`,
  );
  await runtime.sleep(wait, signal).catch(() => undefined);
  return wait;
}

function withOrder(error: Error, order: string): Error {
  if (!(error instanceof ActionableError)) return error;
  return error.addRemedies(editProgram(order));
}
