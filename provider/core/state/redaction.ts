import { Redactor, type Secret } from "../../../packages/redact";
import { writtenPath } from "../compare/asWritten";
import { decode, memberFor } from "../compare/model";
import { fieldNamed, fieldsOf, type Specified } from "../language/fields";
import { isAddress } from "../language/role";
import { asideOf, withAside } from "../value/aside";
import { sourceIn } from "../value/fingerprint";
import type { Json } from "../value/json";
import { KEY, type Path } from "../value/path";
import type { Inputs } from "../value/unknown";
import { parseRecords, pendingInputs, type Records, UnreadableRecordsError } from "./records";
import { SecretCopies } from "./secretCopies";
import {
  documentIn,
  isMarked,
  isSecretHere,
  isSecretKey,
  isSecretPath,
  isSecretPathExactly,
} from "./secrets";

/**
 * The redactor of one step, or of one function call. It knows the secrets in the inputs and in the state, and receives those
 * in responses. It searches for secrets only when it masks a text.
 */
export function redactorOf(definition: Specified, inputs: Inputs, outputs?: Inputs): Redactor {
  const redactor = new Redactor(
    () => secretsIn(definition, inputs),
    () => (outputs === undefined ? [] : recordedSecrets(definition, outputs)),
  );
  redactor.spare(...ownNames(definition, inputs));
  return redactor;
}

/** Shorter leaves of a document that is secret as a unit are words of its language, and are not masked. */
const SHORTEST_LEAF = 8;

/** Every secret string and number in a program's inputs. */
export function secretsIn(definition: Specified, inputs: Inputs): Secret[] {
  const secrets: Secret[] = [];
  // All visits share one path array, because a document may have a hundred thousand members.
  const path: (string | number)[] = [];
  const visit = (segment: string | number, value: unknown, isAbove: boolean, isWhole: boolean) => {
    path.push(segment);
    const isSecret = isAbove || isSecretHere(definition, inputs, path);
    if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
      if (isSecret && !(isWhole && String(value).length < SHORTEST_LEAF)) {
        // A secret field may declare which of its parts are secret. The rest of its value may be shown.
        const facts = path.length === 1 ? fieldNamed(definition, String(segment))?.facts : undefined;
        const parts = facts?.secret === true ? facts.secretsIn?.(String(value)) : undefined;
        secrets.push(...(parts ?? [value]));
      }
    } else if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) visit(index, element, isSecret, isWhole);
    } else if (typeof value === "object" && value !== null && !isElsewhere(definition, path, value)) {
      const inside = isWhole || isSecretAsAWhole(definition, inputs, path);
      for (const name in value) visit(name, (value as Record<string, unknown>)[name], isSecret, inside);
    }
    path.pop();
  };
  for (const [name, value] of Object.entries(inputs)) visit(name, value, false, false);
  for (const field of fieldsOf(definition)) {
    const value = inputs[field.name];
    if (typeof value !== "string" || field.facts.document?.secret === undefined) continue;
    secrets.push(...(field.facts.secretsIn?.(value) ?? []));
    visit(field.name, documentIn(definition, field, inputs, value), false, false);
  }
  return secrets;
}

/** True if a program gives a secret's source instead of the secret. Anyone may read the source. */
function isElsewhere(definition: Specified, path: Path, value: object): boolean {
  return sourceIn(value) !== undefined && isSecretPathExactly(definition, {}, path);
}

/** True if a document, or a part of one, is secret as a unit, without marks on its members. */
function isSecretAsAWhole(definition: Specified, inputs: Inputs, path: Path): boolean {
  if (fieldNamed(definition, path[0])?.facts.document === undefined) return false;
  const isFact = path.length === 1 && isSecretHere(definition, inputs, path);
  return isFact || isMarked(inputs, path);
}

/** Every secret in a state: in the outputs, and in each of the records. */
function recordedSecrets(definition: Specified, outputs: Inputs): Secret[] {
  const records = readableRecords(outputs);
  const { lastApplied = {}, baseline = {}, observed = {} } = records ?? {};
  const attempted = pendingInputs(records) ?? {};
  return [
    ...[outputs, lastApplied, baseline, observed].map((values) =>
      withAside(defined(values), asideOf(lastApplied)),
    ),
    withAside(defined(attempted), asideOf(attempted)),
  ].flatMap((values) => secretsIn(definition, values));
}

/** The records, if they are readable. Otherwise, no step quotes anything from them. */
function readableRecords(outputs: Inputs): Records | undefined {
  try {
    return parseRecords(outputs);
  } catch (error) {
    if (error instanceof UnreadableRecordsError) return undefined;
    throw error;
  }
}

/** Every secret in a response's object, or in the responses that a procedure stores. */
export function answeredSecrets(definition: Specified, body: { readonly [member: string]: Json }): Secret[] {
  return secretsIn(
    definition,
    defined(
      Object.fromEntries(
        fieldsOf(definition).map((field) => [field.name, decode(field, memberFor(definition, field, body))]),
      ),
    ),
  );
}

/** The defined members of a model. */
function defined(values: Readonly<Record<string, unknown>>): Inputs {
  // Models, records and decoded bodies contain JSON. Unknown values remain unknown.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Inputs;
}

/** The names of a resource in its messages: its type, and the parts of its identity. */
function ownNames(definition: Specified, inputs: Inputs): string[] {
  const identity = fieldsOf(definition)
    .filter(({ facts }) => isAddress(facts))
    .map(({ name }) => inputs[name])
    .filter((value) => typeof value === "string");
  return [definition.token, ...definition.token.split(":"), ...identity];
}

/** The parts of a resource that must not be printed: complete values by path, and texts anywhere. */
export interface Secrecy {
  isSecret(path: Path): boolean;
  /** True if the key at the end of this path is secret, because the element's name or the complete element is secret. */
  isSecretKey(path: Path): boolean;
  /** True if a value is or contains a secret from a different path. */
  isCopy(value: unknown): boolean;
  /** The part of a path that may be shown. */
  shownPath(path: Path): Path;
  mask(text: string): string;
}

/** The secrecy of these inputs and of the earlier inputs that they replace. */
export function secrecyOf(
  definition: Specified,
  inputs: Inputs,
  redactor: Redactor,
  earlier: Inputs = {},
): Secrecy {
  const secrets = [earlier, inputs].flatMap((each) => asideOf(each).secrets ?? []);
  const all = withAside({ ...earlier, ...inputs }, { ...asideOf(inputs), secrets });
  redactor.add(() => [earlier, inputs].flatMap((each) => secretsIn(definition, each)));
  let copies: SecretCopies | undefined;
  const known = () => {
    copies ??= new SecretCopies(redactor.known());
    return copies;
  };
  return {
    isSecret: (path) => isSecretPath(definition, all, path),
    isSecretKey: (path) => isSecretKey(definition, all, path),
    isCopy: (value) => known().isIn(value),
    shownPath: (path) => shownPath(definition, all, known(), path),
    mask: (text) => redactor.mask(text),
  };
}

/** A path up to the first map that is secret as a unit or has a known secret as a name. The names in that map are not shown. */
function shownPath(definition: Specified, inputs: Inputs, known: SecretCopies, path: Path): Path {
  const end = path.findIndex((segment, at) => {
    if (at === 0 || typeof segment === "number") return false;
    const map = path.slice(0, at);
    return (
      known.isScalar(segment.startsWith(KEY) ? segment.slice(KEY.length) : segment) ||
      isSecretPathExactly(definition, inputs, map) ||
      isSecretPathExactly(definition, inputs, writtenPath(definition, inputs, map))
    );
  });
  return end < 0 ? path : path.slice(0, end);
}
