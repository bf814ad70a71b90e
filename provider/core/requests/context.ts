import type { Runtime } from "../http/timeBudget";
import { idOf, idOfInputs, nameOf } from "../language/address";
import type { DefinitionBase } from "../language/fields";
import type { Definition, ObjectContext, StepContext } from "../language/resource";
import { type StepInput, type StepName, USUAL_SECONDS } from "../language/stepInput";
import { redactorOf } from "../state/redaction";
import type { Inputs } from "../value/unknown";
import { withMiddleware } from "./middleware";
import { sendSecrets } from "./middleware/secrets";
import { logWarnings } from "./middleware/warnings";
import { observe } from "./observe";

/**
 * Creates the context of a step. All requests of the step share its deadline and its secrets.
 * @param inputs the object's inputs; omitted if an id or a function's arguments identify the object
 * @param outputs the resource's outputs in the state
 */
export function contextOf<D extends DefinitionBase>(
  definition: D,
  step: StepName,
  input: StepInput,
  inputs?: Inputs,
  outputs?: Inputs,
): StepContext<D> {
  const { connection } = input;
  const asked = timeoutOf(inputs?.timeouts, step) ?? input.timeout ?? USUAL_SECONDS[step] * 1000;
  const redactor = input.redactor ?? redactorOf(definition, inputs ?? {}, outputs);
  return {
    ...input,
    connection: withMiddleware(
      connection,
      ...(input.sealing ? [sendSecrets(input.sealing)] : []),
      logWarnings({ ...input, redactor }),
    ),
    redactor,
    definition,
    step,
    label: { definition: definition.token, step, ...input.behalf },
    deadline: connection.runtime.now() + asked,
    name: (address) =>
      nameOf(
        definition,
        inputs === undefined
          ? idOf(definition, connection, address, address)
          : idOfInputs(definition, connection, address, inputs),
      ),
  };
}

/** Creates the context of an object's step. */
export function objectContextOf(
  definition: Definition,
  step: StepName,
  input: StepInput,
  inputs?: Inputs,
  outputs?: Inputs,
): ObjectContext {
  return {
    ...contextOf(definition, step, input, inputs, outputs),
    observe(address) {
      return observe({ ...this, definition }, address);
    },
  };
}

function timeoutOf(timeouts: unknown, step: StepName): number | undefined {
  const value = (timeouts as Record<string, unknown> | undefined)?.[step];
  return typeof value === "number" ? value * 1000 : undefined;
}

/** Time limit for all shutdown hooks together, in milliseconds: an engine waits one second before it kills the process. */
const LONGEST_MS = 800;

/** The timer that limits the shutdown hooks. */
type Timer = Pick<Runtime, "sleep">;

type Deed = () => Promise<unknown>;

const deeds = new Set<Deed>();
let isListening = false;

/**
 * Registers a hook that runs before this process ends: on `beforeExit`, and on SIGINT and SIGTERM unless the signal already
 * has a listener. That listener must call {@link lastDeeds}.
 */
export function beforeEnd(deed: Deed, timer: Timer): void {
  deeds.add(deed);
  if (isListening) return;
  isListening = true;
  process.once("beforeExit", () => void lastDeeds(timer));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    if (process.listenerCount(signal) > 0) continue;
    process.once(signal, () => void lastDeeds(timer).finally(() => process.kill(process.pid, signal)));
  }
}

/** Runs the registered hooks, once. A hook can neither make the exit fail nor delay it beyond `LONGEST_MS`. */
export async function lastDeeds({ sleep }: Timer): Promise<void> {
  const now = [...deeds];
  deeds.clear();
  if (now.length === 0) return;
  const isOver = new AbortController();
  const over = sleep(LONGEST_MS, isOver.signal).catch(() => undefined);
  await Promise.race([Promise.allSettled(now.map((deed) => deed())), over]);
  isOver.abort();
}
