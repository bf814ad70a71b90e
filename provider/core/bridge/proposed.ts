import { withoutStack } from "../http/errors";
import { fieldNamed } from "../language/fields";
import type { AnyDefinition } from "../language/resource";
import { isShown, isSteering } from "../language/role";
import type { Problem } from "../language/rules";
import { MissingObject } from "../operations/read";
import { SecretMap } from "../state/secretMap";
import { isObject } from "../value/json";
import { formatPath, type Path, parsePath, valueAt } from "../value/path";
import { NO_INPUTS } from "../value/programInputs";
import type { Inputs } from "../value/unknown";
import { Call, type Host } from "./call";
import { findProblems } from "./checking";
import { type Bag, textRead, withoutAside } from "./engineValues";

/** The inputs that a program would write for an existing object. */
export interface Proposed {
  /** The ID in its full form. */
  readonly id: string;
  /** Without secrets, defaults and the server's own values. */
  readonly inputs: Bag;
  /** The paths at which the program must add a secret: values that were left out, and values that the server never shows. */
  readonly secrets: readonly Path[];
}

/**
 * Reads an object by its ID, as an import does, and returns the inputs that a program would write for it; undefined if the
 * object does not exist.
 * @throws Error with a message that may be printed
 */
export async function readProposed(
  resource: AnyDefinition,
  host: Host,
  id: string,
): Promise<Proposed | undefined> {
  const call = (await Call.of(resource, { id, inputs: NO_INPUTS }, host)).named;
  const { definition } = call;
  try {
    const read = await call.steps.read(call.readInput(), id, {});
    if (read === undefined) return undefined;
    const found = { ...read, ...read.imported };
    const { inputs, secrets } = separateSecrets(call, withoutAside(found.inputs ?? {}));
    // The engine's values are JSON, apart from the values of marks.
    const written = inputs as Inputs;
    const text = textRead(found.inputs);
    const { problems } = await findProblems(call, written, {}, text);
    const lacking = problems
      .filter((problem) => isUnreadable(definition, written, problem))
      .map(({ path }) => parsePath(path));
    const all = new Map([...secrets, ...lacking].map((path) => [formatPath(path), path]));
    return { id: read.id, inputs, secrets: [...all.values()] };
  } catch (error) {
    if (error instanceof MissingObject) return undefined;
    throw new Error(call.redactor.mask(withoutStack(error).message));
  }
}

/** Inputs that may be printed, and the paths of the secrets that were removed from them. */
export function separateSecrets(call: Call, inputs: Bag): Pick<Proposed, "inputs" | "secrets"> {
  const isSecret = call.secretIn(inputs, NO_INPUTS);
  const secrets: Path[] = [];
  const members = (bag: Bag, path: Path): Bag =>
    Object.fromEntries(
      Object.entries(bag).flatMap(([name, value]) => {
        const at = [...path, name];
        if (!isSecret(at, value)) return [[name, inside(value, at)]];
        secrets.push(at);
        return [];
      }),
    );
  const inside = (value: unknown, path: Path): unknown => {
    if (Array.isArray(value)) return value.map((part, index) => inside(part, [...path, index]));
    return typeof value === "object" && value !== null ? members(value as Bag, path) : value;
  };
  return { inputs: members(inputs, []), secrets };
}

/** True if a missing value could not be read because it is secret, or because the server never shows it. */
export function isUnreadable(definition: AnyDefinition, inputs: Inputs, { path }: Problem): boolean {
  const at = parsePath(path);
  const field = fieldNamed(definition, at[0]);
  if (field === undefined) return false;
  const value = valueAt(inputs, at) ?? null;
  const secrets = new SecretMap(definition, inputs);
  // An object is empty if an import left out all of its values.
  if (isObject(value) && Object.keys(value).length === 0) return secrets.isWithinSecret([...at, "*"]);
  if (value !== null) return false;
  const isHidden = !isShown(field.facts) && !isSteering(field.facts);
  return isHidden || secrets.isWithinSecret(at);
}
