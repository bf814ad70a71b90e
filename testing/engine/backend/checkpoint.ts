import { createHash } from "node:crypto";
import { isJsonMap, type Json, type JsonMap } from "../json";
import { Refusal, Unserved } from "../refusal";
import type { PendingOperation, ResourceState } from "../state/resource";
import { ENGINE_VERSION } from "../version";
import type { Vault } from "./vault";

/** The state of one stack in its checkpoint file. */
export interface Deployment {
  readonly manifest: JsonMap;
  readonly secrets_providers?: { readonly type: string; readonly state?: Json };
  readonly resources?: readonly JsonMap[];
  readonly pending_operations?: readonly JsonMap[];
  readonly metadata?: JsonMap;
}

/** The order in which the CLI writes a resource's fields. */
const FIELDS = [
  "urn",
  "custom",
  "delete",
  "id",
  "type",
  "inputs",
  "outputs",
  "parent",
  "protect",
  "taint",
  "external",
  "dependencies",
  "initErrors",
  "provider",
  "propertyDependencies",
  "pendingReplacement",
  "additionalSecretOutputs",
  "aliases",
  "customTimeouts",
  "importID",
  "retainOnDelete",
  "deletedWith",
  "created",
  "modified",
  "sourcePosition",
];

/** Converts a resource to its checkpoint form. `place` distinguishes the vault's entries for resources with the same URN. */
export function writeResource(resource: ResourceState, vault: Vault, place = ""): JsonMap {
  const { inputs = {}, outputs = {}, ...rest } = resource;
  const scope = scopeOf(resource, place);
  const fields: { readonly [key: string]: unknown } = {
    ...rest,
    inputs: vault.write(inputs, `${scope}\ninputs`),
    outputs: vault.write(outputs, `${scope}\noutputs`),
  };
  const names = new Set([...FIELDS, ...Object.keys(fields)]);
  // Once its properties are written, every field of a ResourceState is JSON, including fields read from a file.
  return Object.fromEntries(
    [...names]
      .filter((name) => name === "custom" || !isEmpty(fields[name]))
      .map((name) => [name, fields[name]]),
  ) as JsonMap;
}

export function readResource(resource: JsonMap, vault: Vault, place = ""): ResourceState {
  // The CLI never writes a resource without a URN or a type.
  const state = resource as unknown as ResourceState;
  const scope = scopeOf(state, place);
  const { inputs, outputs } = resource;
  return {
    ...state,
    ...(isJsonMap(inputs) && { inputs: vault.read(inputs, `${scope}\ninputs`) }),
    ...(isJsonMap(outputs) && { outputs: vault.read(outputs, `${scope}\noutputs`) }),
  };
}

export function writePendingOperation({ resource, type }: PendingOperation, vault: Vault): JsonMap {
  return { resource: writeResource(resource, vault, "pending"), type };
}

export function readPendingOperation(operation: JsonMap, vault: Vault): PendingOperation {
  const { resource, type } = operation;
  return {
    resource: readResource(isJsonMap(resource) ? resource : {}, vault, "pending"),
    // The CLI writes only these five types.
    type: type as PendingOperation["type"],
  };
}

/** The time and the version of a checkpoint; the CLI checks that `magic` belongs to `version`. */
export function manifest(now: Date): JsonMap {
  return {
    time: now.toISOString(),
    magic: createHash("sha256").update(ENGINE_VERSION).digest("hex"),
    version: ENGINE_VERSION,
  };
}

export function writeCheckpoint(stack: string, deployment: Deployment): string {
  return JSON.stringify({ ...formOf(deployment), checkpoint: { stack, latest: inOrder(deployment) } });
}

/** The only feature that an older CLI would wrongly ignore. */
const FEATURE = "refreshBeforeUpdate";

/** The version of a deployment's format, and the features that its reader must support. */
export function formOf({ resources = [] }: Deployment): { version: number; features?: readonly string[] } {
  return resources.some((resource) => resource[FEATURE] === true)
    ? { version: 4, features: [FEATURE] }
    : { version: 3 };
}

/**
 * Checks the version and the features of a deployment.
 * @throws Refusal for a format that this engine does not read.
 */
export function refuseForm(what: string, version: unknown, features: readonly string[] = []): void {
  if (version !== 3 && version !== 4) {
    const own = "the embedded engine reads versions 3 and 4";
    throw new Refusal(`${what} has version ${String(version)}, and ${own}`);
  }
  const unknown = features.filter((feature) => feature !== FEATURE);
  if (unknown.length > 0)
    throw new Refusal(
      `this stack's deployment needs support for the following features: ${unknown.join(", ")}`,
    );
}

/** The deployment with its fields in the CLI's order, and without empty lists. */
export function inOrder(deployment: Deployment): Deployment {
  const { manifest, secrets_providers, resources = [], pending_operations = [], ...rest } = deployment;
  return {
    manifest,
    ...(secrets_providers && { secrets_providers }),
    ...(resources.length > 0 && { resources }),
    ...(pending_operations.length > 0 && { pending_operations }),
    ...rest,
  };
}

/** The salt of a deployment's secrets provider; undefined if it has none. */
export function saltOf({ secrets_providers: provider }: Deployment): string | undefined {
  if (provider === undefined) return undefined;
  if (provider.type !== "passphrase") throw new Unserved(`the secrets provider ${provider.type}`);
  const salt = isJsonMap(provider.state) ? provider.state.salt : undefined;
  return typeof salt === "string" ? salt : undefined;
}

function scopeOf(resource: ResourceState, place: string): string {
  return [place, resource.urn, resource.delete === true ? "replaced" : ""].join("\n");
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "" || value === 0) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
