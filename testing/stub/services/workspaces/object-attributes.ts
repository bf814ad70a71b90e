import { isObject, type JsonObject, type JsonValue } from "../../json";
import type { Attribute } from "./organization-kinds";

/** The problem with a value of an attribute, if there is one. */
export function problemOf(
  value: JsonValue,
  { kind, initially, longest = Number.POSITIVE_INFINITY }: Attribute,
) {
  const known = Object.keys(Object(initially));
  if (kind === "flags")
    return isObject(value) && known.every((name) => ["boolean", "undefined"].includes(typeof value[name]))
      ? undefined
      : "must contain booleans";
  if (typeof kind !== "string")
    return kind.some((word) => word === value) ? undefined : `must be ${kind.join(" or ")}`;
  if (kind === "boolean") return typeof value === "boolean" ? undefined : "must be a boolean";
  if (typeof value !== "string") return "must be a string";
  if (kind === "activity duration" && !/^[1-9]\d{0,3}[dh]$/.test(value))
    return "must be a duration such as 14d";
  return value.length > longest ? `is too long (maximum is ${longest} characters)` : undefined;
}

/** "You cannot set `manage-workspaces` to `false` when setting `manage-projects` to `true`." */
export function flagProblem(flags: JsonObject): string | undefined {
  return flags["manage-projects"] === true && flags["manage-workspaces"] === false
    ? "must contain manage-workspaces if it contains manage-projects"
    : undefined;
}

/** Changes the known flags that a body names. To manage projects or workspaces includes reading workspaces. */
export function withFlags(before: JsonValue | undefined, given: JsonObject): JsonObject {
  const known = isObject(before) ? before : {};
  const flags = Object.fromEntries(Object.entries(known).map(([name, flag]) => [name, given[name] ?? flag]));
  const reads = flags["manage-workspaces"] === true || flags["read-projects"] === true;
  return reads ? { ...flags, "read-workspaces": true } : flags;
}
