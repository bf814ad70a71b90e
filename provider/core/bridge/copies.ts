import { fieldNamed } from "../language/fields";
import type { AnyDefinition } from "../language/resource";
import { isWritable } from "../language/role";
import type { SecretCopies } from "../state/secretCopies";
import { documentIn } from "../state/secrets";
import { isObject } from "../value/json";
import { type Path, valueAt } from "../value/path";
import type { Inputs } from "../value/unknown";
import type { CallSecrets } from "./callSecrets";

/**
 * Whether a value is a copy of a secret that the program writes, or the state contains, at another place. A map with such a
 * name is secret as a unit. What the program itself writes at the same place is not: the program shows it.
 */
export function copiesIn(
  definition: AnyDefinition,
  written: Inputs,
  known: SecretCopies,
  secrets: Pick<CallSecrets, "isFingerprinted">,
): (path: Path, value: unknown) => boolean {
  const isKnown = ([name]: Path, value: unknown): boolean => {
    if (known.isScalar(value)) return true;
    const field = fieldNamed(definition, name);
    return field !== undefined && isWritable(field.facts) && secrets.isFingerprinted(value);
  };
  return (path, value) => {
    if (isObject(value)) {
      return Object.keys(value).some(
        (name) => isKnown(path, name) && valueAt(written, [...path, name]) === undefined,
      );
    }
    if (!isKnown(path, value) && !isInText(definition, written, known, path, value)) return false;
    return valueAt(written, path) !== value;
  };
}

/** Whether a document's text contains a secret in a spelling of its own. */
function isInText(
  definition: AnyDefinition,
  written: Inputs,
  known: SecretCopies,
  [name, ...inside]: Path,
  value: unknown,
): boolean {
  const field = inside.length === 0 ? fieldNamed(definition, name) : undefined;
  if (field?.facts.document === undefined || typeof value !== "string") return false;
  return known.isIn(documentIn(definition, field, written, value));
}
