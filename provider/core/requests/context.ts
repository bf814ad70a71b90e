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
 * Opens a step: from here on one deadline holds for everything that it does, and every request knows its secrets.
 * @param inputs what its object is asked for by; nothing where an id or a function's arguments say where that is
 * @param outputs what the state holds of the resource
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

/** Opens a step of an object. */
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

/** Milliseconds that all deeds together may take: an engine waits a second before it kills. */
const LONGEST_MS = 800;

/** The timer by which they are waited for. */
type Timer = Pick<Runtime, "sleep">;

type Deed = () => Promise<unknown>;

const deeds = new Set<Deed>();
let isListening = false;

/**
 * Has something done before this process ends: where it ends by itself, and on a signal, unless somebody else listens to
 * those, who then calls {@link lastDeeds}.
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

/** Does, once, what is to be done before the end; none of it may fail the end, or keep it waiting. */
export async function lastDeeds({ sleep }: Timer): Promise<void> {
  const now = [...deeds];
  deeds.clear();
  if (now.length === 0) return;
  const isOver = new AbortController();
  const over = sleep(LONGEST_MS, isOver.signal).catch(() => undefined);
  await Promise.race([Promise.allSettled(now.map((deed) => deed())), over]);
  isOver.abort();
}
