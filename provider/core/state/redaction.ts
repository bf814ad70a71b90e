import { Redactor, type Secret } from "../../../packages/redact";
import { decode, memberFor } from "../compare/model";
import { writtenPath } from "../compare/predicted";
import { fieldNamed, fieldsOf, type Specified } from "../language/fields";
import { isAddress } from "../language/role";
import { asideOf, withAside } from "../value/aside";
import type { Json } from "../value/json";
import { KEY, type Path } from "../value/path";
import { sourceIn } from "../value/sealing";
import type { Inputs } from "../value/unknown";
import { parseRecords, type Records, UnreadableRecordsError } from "./records";
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
 * The redactor of one step, or of one call of a function: it knows the secrets of what the program writes and of what
 * the state holds, and learns of those that are answered. It looks for them only once it masks.
 */
export function redactorOf(definition: Specified, inputs: Inputs, outputs?: Inputs): Redactor {
  const redactor = new Redactor(
    () => secretsIn(definition, inputs),
    () => (outputs === undefined ? [] : recordedSecrets(definition, outputs)),
  );
  redactor.spare(...ownNames(definition, inputs));
  return redactor;
}

/** Shorter leaves of a document that is secret as a whole are words of its language, and not masked. */
const SHORTEST_LEAF = 8;

/** Every secret text and number in a program's inputs. */
export function secretsIn(definition: Specified, inputs: Inputs): Secret[] {
  const secrets: Secret[] = [];
  // One path for all of them: a document may have a hundred thousand members.
  const path: (string | number)[] = [];
  const visit = (segment: string | number, value: unknown, isAbove: boolean, isWhole: boolean) => {
    path.push(segment);
    const isSecret = isAbove || isSecretHere(definition, inputs, path);
    if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
      if (isSecret && !(isWhole && String(value).length < SHORTEST_LEAF)) {
        // Of a field that is secret and tells which parts of it are, the rest may be shown.
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

/** Whether a program says in place of a secret where it is: that is for everybody to read. */
function isElsewhere(definition: Specified, path: Path, value: object): boolean {
  return sourceIn(value) !== undefined && isSecretPathExactly(definition, {}, path);
}

/** Whether a document, or a part of one with all that is in it, is secret without a word of what in it is. */
function isSecretAsAWhole(definition: Specified, inputs: Inputs, path: Path): boolean {
  if (fieldNamed(definition, path[0])?.facts.document === undefined) return false;
  const isFact = path.length === 1 && isSecretHere(definition, inputs, path);
  return isFact || isMarked(inputs, path);
}

/** Every secret that a state holds: in the outputs, and in each of the records. */
function recordedSecrets(definition: Specified, outputs: Inputs): Secret[] {
  const records = readableRecords(outputs);
  const { applied = {}, attempted = {}, settled = {}, seen = {} } = records ?? {};
  return [
    ...[outputs, applied, settled, seen].map((values) => withAside(defined(values), asideOf(applied))),
    withAside(defined(attempted), asideOf(attempted)),
  ].flatMap((values) => secretsIn(definition, values));
}

/** The records, where they can be read: where they cannot, no step quotes anything of them. */
function readableRecords(outputs: Inputs): Records | undefined {
  try {
    return parseRecords(outputs);
  } catch (error) {
    if (error instanceof UnreadableRecordsError) return undefined;
    throw error;
  }
}

/** Every secret in an object as its service answers it, or as a procedure keeps what it was answered. */
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
  // Models, records and decoded bodies hold JSON, and what is unknown stays so.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Inputs;
}

/** What a resource's messages name it by: its type, and the parts of its identity. */
function ownNames(definition: Specified, inputs: Inputs): string[] {
  const identity = fieldsOf(definition)
    .filter(({ facts }) => isAddress(facts))
    .map(({ name }) => inputs[name])
    .filter((value) => typeof value === "string");
  return [definition.token, ...definition.token.split(":"), ...identity];
}

/** What must not be printed of a resource: whole values by their paths, and texts wherever they stand. */
export interface Secrecy {
  isSecret(path: Path): boolean;
  /** Whether so is the key with which this path ends: the name of a list's element, or all of it. */
  isSecretKey(path: Path): boolean;
  /** Whether a value is or contains a secret of another place. */
  isCopy(value: unknown): boolean;
  /** The part of a path that may be shown. */
  shownPath(path: Path): Path;
  mask(text: string): string;
}

/** What must not be printed where these inputs take the place of earlier ones. */
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

/** A path up to the first map that is secret as a unit, or that has a known secret as a name: its names are not shown. */
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
