import { fieldNamed } from "../language/fields";
import type { AnyDefinition } from "../language/resource";
import { isWritable } from "../language/role";
import { isTextUnread, withEarlierReading } from "../operations/readText";
import { parseRecords, RECORDS, writesIn } from "../state/records";
import { redactorOf } from "../state/redaction";
import { SecretCopies } from "../state/secretCopies";
import { SecretMap } from "../state/secretMap";
import { isObject } from "../value/json";
import { formatPath, isWithinPath, type Path, valueAt } from "../value/path";
import { metadataOf, type ProgramInputs, withMetadata } from "../value/programInputs";
import type { Inputs } from "../value/unknown";
import { type Bag, type IsSecret, toEngine } from "./engineValues";
import type { CallSecrets } from "./fingerprintedSecrets";

/**
 * True if a value is a copy of a secret that the program writes, or the state contains, at a different path. A map with such
 * a name is secret as a unit. A value that the program itself writes at the same path does not count: the program shows it.
 */
export function copiesIn(
  definition: AnyDefinition,
  written: Inputs,
  known: SecretCopies,
  secrets: Pick<CallSecrets, "isFingerprinted">,
): IsSecret {
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
 * Inputs in which copies at ignored paths are marked, as the plugin receives these from the engine. The records of the
 * update then contain these paths, which the next read needs after a rotation.
 */
export function withIgnoredCopies(
  definition: AnyDefinition,
  inputs: ProgramInputs,
  outputs: Inputs,
): ProgramInputs {
  const { secretPaths, ignoredPaths: ignored } = metadataOf(inputs);
  if (ignored.length === 0) return inputs;
  const known = new SecretCopies(redactorOf(definition, inputs, outputs).knownSecrets());
  const map = new SecretMap(definition, inputs);
  const copies: string[] = [];
  toEngine(inputs, (path, value) => {
    const text = formatPath(path);
    const isOpen = ignored.some((above) => isWithinPath(text, above)) && known.isScalar(value);
    if (isOpen && !map.isWithinSecret(path)) copies.push(text);
    return false;
  });
  return withMetadata(inputs, { secretPaths: [...secretPaths, ...copies] });
}

/** True if a document's text contains a secret in a spelling of its own. */
function isInText(
  definition: AnyDefinition,
  written: Inputs,
  known: SecretCopies,
  [name, ...inside]: Path,
  value: unknown,
): boolean {
  const field = inside.length === 0 ? fieldNamed(definition, name) : undefined;
  if (field?.facts.document === undefined || typeof value !== "string") return false;
  return known.isIn(new SecretMap(definition, written).documentIn(field, value));
}

/** Inputs with the parsed form of their text from the records, if the text was parsed only during its write. */
export function withRecordedText(
  definition: AnyDefinition,
  { [RECORDS]: text }: Bag,
  written: Inputs,
): Inputs {
  if (!isTextUnread(definition, written)) return written;
  const records = typeof text === "string" ? parseRecords({ [RECORDS]: text }) : undefined;
  return withEarlierReading(definition, {}, written, writesIn(records));
}
