import type { JsonObject, JsonValue } from "../../json";
import type { Problem } from "./errors";
import type { Switches } from "./settings";

/**
 * The plain attributes of the section "Workspace" and of HCP Terraform's API: the type of each, and its default in a create.
 * `draft.ts` handles the interdependent ones (name, execution mode, agent pool, VCS repository).
 */
const PLAIN: Readonly<Record<string, { readonly kind: Kind; readonly initially: JsonValue }>> = {
  "allow-destroy-plan": { kind: "boolean", initially: true },
  "assessments-enabled": { kind: "boolean", initially: false },
  "auto-apply": { kind: "boolean", initially: false },
  "auto-apply-run-trigger": { kind: "boolean", initially: false },
  "auto-destroy-at": { kind: "timestamp", initially: null },
  "auto-destroy-activity-duration": { kind: "activity duration", initially: null },
  description: { kind: "string", initially: null },
  "file-triggers-enabled": { kind: "boolean", initially: true },
  "global-remote-state": { kind: "boolean", initially: false },
  "queue-all-runs": { kind: "boolean", initially: false },
  "source-name": { kind: "string", initially: null },
  "source-url": { kind: "string", initially: null },
  "speculative-enabled": { kind: "boolean", initially: true },
  "engine-version": { kind: "version", initially: null },
  "hyok-enabled": { kind: "boolean", initially: false },
  "inherits-project-auto-destroy": { kind: "boolean", initially: false },
  "project-remote-state": { kind: "boolean", initially: false },
  "structured-run-output-enabled": { kind: "boolean", initially: true },
  "trigger-patterns": { kind: "strings", initially: [] },
  "trigger-prefixes": { kind: "strings", initially: [] },
  "working-directory": { kind: "string", initially: "" },
};

type Kind = "boolean" | "string" | "strings" | "timestamp" | "activity duration" | "version";

/** The plain attributes of a workspace created without any of them. */
export function initialPlain(switches: Switches): Readonly<Record<string, JsonValue>> {
  const initially = Object.entries(PLAIN).map(([name, { initially }]) => [name, initially] as const);
  return {
    ...Object.fromEntries(initially),
    "engine-version": switches.latestEngineVersion,
    "global-remote-state": switches.globalRemoteStateDefault,
  };
}

/** Applies a body to the plain attributes: an omitted one keeps its value, an explicit null restores its default. */
export function applyPlain(
  before: Readonly<Record<string, JsonValue>>,
  attributes: JsonObject,
  switches: Switches,
  problems: Problem[],
): Readonly<Record<string, JsonValue>> {
  const initially = initialPlain(switches);
  const after = { ...before };
  for (const [name, { kind }] of Object.entries(PLAIN)) {
    const value = attributes[name];
    if (value === undefined) continue;
    const problem = value === null ? undefined : problemOf[kind](value);
    if (problem !== undefined) {
      problems.push({ pointer: `/data/attributes/${name}`, detail: `${name} ${problem}` });
    } else {
      after[name] = value === null ? (initially[name] ?? null) : value;
    }
  }
  return after;
}

/** The body's attributes with the neutral names. */
export function neutralAttributes(attributes: JsonObject, switches: Switches): JsonObject {
  if (switches.dialect === "neutral") return attributes;
  const { "terraform-version": version, "engine-version": _unknown, ...rest } = attributes;
  return version === undefined ? rest : { ...rest, "engine-version": version };
}

/** Plain attributes with the names of the dialect. */
export function dialectAttributes(
  plain: Readonly<Record<string, JsonValue>>,
  switches: Switches,
): JsonObject {
  if (switches.dialect === "neutral") return plain;
  const { "engine-version": version = null, ...rest } = plain;
  return { ...rest, "terraform-version": version };
}

/** Returns the problem with a value of each type, if there is one. */
const problemOf: Readonly<Record<Kind, (value: JsonValue) => string | undefined>> = {
  boolean: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
  string: (value) => (typeof value === "string" ? undefined : "must be a string"),
  strings: (value) =>
    Array.isArray(value) && value.every((item) => typeof item === "string")
      ? undefined
      : "must be an array of strings",
  timestamp: (value) =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
      ? undefined
      : "must be an ISO 8601 timestamp",
  "activity duration": (value) =>
    typeof value === "string" && /^\d{1,4}[dh]$/.test(value) && Number.parseInt(value, 10) > 0
      ? undefined
      : "must be a number greater than 0 of at most four digits followed by d or h",
  version: (value) =>
    typeof value === "string" && CONSTRAINTS.test(value) ? undefined : "must be a version or a constraint",
};

const CONSTRAINTS =
  /^(latest|(=|!=|>=?|<=?|~>)?\s*v?\d+(\.\d+){0,2}(-[\w.]+)?(\s*,\s*(=|!=|>=?|<=?|~>)?\s*\d+(\.\d+){0,2}(-[\w.]+)?)*)$/;
