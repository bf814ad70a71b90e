import { fieldNamed } from "../language/fields";
import type { AnyDefinition } from "../language/resource";
import { isWritable } from "../language/role";
import { parseRecords, RECORDS, writesIn } from "../state/records";
import { redactorOf } from "../state/redaction";
import { SecretCopies } from "../state/secretCopies";
import { documentIn, isKeptSecret, isSecretPathExactly } from "../state/secrets";
import { isTextUnread, withEarlierReading } from "../steps/readText";
import { asideOf, withAside } from "../value/aside";
import { isObject } from "../value/json";
import { formatPath, isWithinPath, type Path, valueAt } from "../value/path";
import type { Inputs } from "../value/unknown";
import type { Bag } from "./asideProperty";
import type { CallSecrets } from "./callSecrets";
import { toEngine } from "./engineValues";

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

/**
 * Inputs in which copies at ignored paths are marked, as the plugin receives them from the engine. The records of the update
 * then name these paths, which the next read needs after a rotation.
 */
export function withIgnoredCopies(definition: AnyDefinition, inputs: Inputs, outputs: Inputs): Inputs {
  const { secrets = [], ignored = [] } = asideOf(inputs);
  if (ignored.length === 0) return inputs;
  const known = new SecretCopies(redactorOf(definition, inputs, outputs).known());
  const copies: string[] = [];
  toEngine(inputs, (path, value) => {
    const text = formatPath(path);
    const isOpen = ignored.some((above) => isWithinPath(text, above)) && known.isScalar(value);
    if (isOpen && !isSecretPathExactly(definition, inputs, path)) copies.push(text);
    return false;
  });
  return withAside(inputs, { ...asideOf(inputs), secrets: [...secrets, ...copies] });
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

/** What of an answer its engine must keep encrypted, by what the program wrote. */
export function keptIn(
  definition: AnyDefinition,
  values: Bag,
  written: Inputs,
): (path: Path, value: unknown) => boolean {
  const inputs = isTextUnread(definition, written)
    ? withReadingOnRecord(definition, values, written)
    : written;
  return (path, value) => isKeptSecret(definition, inputs, path, value);
}

/** What was read of a text only while it was written lies in the records. */
function withReadingOnRecord(definition: AnyDefinition, { [RECORDS]: text }: Bag, written: Inputs): Inputs {
  const records = typeof text === "string" ? parseRecords({ [RECORDS]: text }) : undefined;
  return withEarlierReading(definition, {}, written, writesIn(records));
}
