import type { Redactor } from "../../../packages/redact";
import type { Problem } from "../language/rules";
import type { Secrecy } from "../state/redaction";
import type { DiffPath } from "../steps/diff";
import type { Json } from "../value/json";
import { formatPath, type Path, parsePath } from "../value/path";
import { type Inputs, UNKNOWN, type Value } from "../value/unknown";
import { fromAsideProperty } from "./asideProperty";

/** How the engine marks an unknown value in what it hands to a provider. */
export const ENGINE_UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The same where it knows already what the value will be: a boolean, a number, a list, an object. */
const UNKNOWNS = new Set([
  ENGINE_UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** The property that carries the provider's own text; the host puts it back itself, except on errors. */
export const PROVIDER = "__provider";

/**
 * A bag of properties as the engine hands it over, without the provider's own text, unknown values marked as ours, and what
 * was handed along beside them.
 */
export function fromEngine(bag: Readonly<Record<string, unknown>> | undefined): Inputs {
  const { [PROVIDER]: _, ...own } = bag ?? {};
  // The engine hands over JSON with its marker for unknown values; nothing else can be in it.
  return fromAsideProperty(valueFromEngine(own) as Inputs);
}

function valueFromEngine(value: unknown): Value {
  if (typeof value === "string" && UNKNOWNS.has(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map(valueFromEngine);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, part]) =>
        part === undefined ? [] : [[name, valueFromEngine(part)]],
      ),
    );
  }
  return value as Json;
}

/** How the engine tells a secret value from a plain object: this key, with this value. */
export const MARK = "4dabf18193072939515e22adb298388d";
export const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/**
 * Values as the engine takes them: nothing undefined, which it would refuse, and what `isSecret` names marked, so
 * that a secret which others wrote is encrypted in the state like the program's own.
 */
export function toEngine(
  values: Readonly<Record<string, unknown>>,
  isSecret: (path: Path, value: unknown) => boolean = () => false,
): Record<string, unknown> {
  return membersToEngine(values, [], isSecret);
}

function membersToEngine(values: object, path: Path, isSecret: (path: Path, value: unknown) => boolean) {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, part]) =>
      part === undefined ? [] : [[name, valueToEngine(part, [...path, name], isSecret)]],
    ),
  );
}

function valueToEngine(
  value: unknown,
  path: Path,
  isSecret: (path: Path, value: unknown) => boolean,
): unknown {
  if (value === UNKNOWN) return ENGINE_UNKNOWN;
  if (value === null) return null;
  if (isSecret(path, value)) return { [MARK]: SECRET, value: valueToEngine(value, [], () => false) };
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) {
    return value.map((part, index) =>
      part === undefined ? null : valueToEngine(part, [...path, index], isSecret),
    );
  }
  return typeof value === "object" ? membersToEngine(value, path, isSecret) : value;
}

/** Changes with paths that the engine may print. */
export function shownChanges(changes: readonly DiffPath[], { shownPath }: Secrecy): DiffPath[] {
  return changes.map((change) => {
    const written = shownPath(change.written);
    return written.length === change.written.length ? change : { ...change, written, kind: "update" };
  });
}

/** Problems with paths that the engine may print, and without secrets in their reasons. */
export function shownProblems(
  problems: readonly Problem[],
  { shownPath }: Secrecy,
  redactor: Redactor,
): Problem[] {
  return problems.map(({ path, reason }) => {
    const segments = parsePath(path);
    const shown = shownPath(segments);
    return { path: shown.length < segments.length ? formatPath(shown) : path, reason: redactor.mask(reason) };
  });
}
