import { isObject, type Json, ownMember } from "../value/json";
import { type Path, parsePath } from "../value/path";
import { metadataOf } from "../value/programInputs";
import type { Inputs } from "../value/unknown";

/**
 * The inputs, with the server's current value at each path that the program ignores. The engine gives such a path the
 * state's value. After a refresh that is the server's value. Without a refresh it would look like an edit by the program, or
 * cause a conflict.
 * @param theirs the inputs that a program would need to match the server as last observed
 */
export function withIgnored<I extends Inputs>(inputs: I, theirs: () => Readonly<Record<string, Json>>): I {
  const { ignoredPaths: ignored } = metadataOf(inputs);
  if (ignored.length === 0) return inputs;
  const values = theirs();
  return ignored.map(parsePath).reduce((all, path) => {
    const [name] = path;
    const isKnownHere = name === "*" || (typeof name === "string" && Object.hasOwn(values, name));
    // A record of inputs still contains inputs after this replacement.
    return isKnownHere ? (copyAt(all, values, path) as I) : all;
  }, inputs);
}

/** Takes the value at a path from another value. A member missing from the other value is removed. */
function copyAt(own: unknown, theirs: unknown, [segment, ...rest]: Path): unknown {
  if (segment === undefined) return theirs;
  if (segment === "*") {
    const names = keysOf(own).concat(keysOf(theirs).filter((name) => !keysOf(own).includes(name)));
    return names.reduce<unknown>((all, name) => copyAt(all, theirs, [name, ...rest]), own);
  }
  if (Array.isArray(own)) {
    const other = Array.isArray(theirs) ? theirs[Number(segment)] : undefined;
    return other === undefined
      ? own
      : own.map((part, index) => (index === Number(segment) ? copyAt(part, other, rest) : part));
  }
  const name = String(segment);
  if (typeof own !== "object" || own === null) return own;
  const other = isObject(theirs) ? ownMember(theirs, name) : undefined;
  const { [name]: _, ...others } = own as Record<string, unknown>;
  const part = ownMember(own as Record<string, unknown>, name);
  const next = rest.length === 0 || part === undefined ? other : copyAt(part, other, rest);
  return next === undefined ? others : { ...own, [name]: next };
}

function keysOf(value: unknown): (string | number)[] {
  if (Array.isArray(value)) return value.map((_, index) => index);
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}
