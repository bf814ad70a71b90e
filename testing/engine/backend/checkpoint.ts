import { createHash } from "node:crypto";
import { isJsonMap, type Json, type JsonMap } from "../json";
import { Refusal, Unserved } from "../refusal";
import type { PendingOperation, ResourceState } from "../state/resource";
import { ENGINE_VERSION } from "../version";
import type { Vault } from "./vault";

/** What a checkpoint says of one stack, as the file has it. */
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

/** A resource as the checkpoint has it. `place` tells apart what a vault remembers of resources with one URN. */
export function writeResource(resource: ResourceState, vault: Vault, place = ""): JsonMap {
  const { inputs = {}, outputs = {}, ...rest } = resource;
  const scope = scopeOf(resource, place);
  const fields: { readonly [key: string]: unknown } = {
    ...rest,
    inputs: vault.write(inputs, `${scope}\ninputs`),
    outputs: vault.write(outputs, `${scope}\noutputs`),
  };
  const names = new Set([...FIELDS, ...Object.keys(fields)]);
  // Every field of a ResourceState is JSON once its properties are written, and so is what was read from a file.
  return Object.fromEntries(
    [...names]
      .filter((name) => name === "custom" || !isEmpty(fields[name]))
      .map((name) => [name, fields[name]]),
  ) as JsonMap;
}

export function readResource(resource: JsonMap, vault: Vault, place = ""): ResourceState {
  // The two fields without which it is not a resource; a file that has none is none of the CLI's.
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
    // The CLI writes these five words and no others.
    type: type as PendingOperation["type"],
  };
}

/** Who wrote a checkpoint and when; the CLI checks that `magic` belongs to `version`. */
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

/** The one feature of a state that an older CLI would pass over, and must not. */
const FEATURE = "refreshBeforeUpdate";

/** The version in which a deployment is written, and what of it a reader has to know. */
export function formOf({ resources = [] }: Deployment): { version: number; features?: readonly string[] } {
  return resources.some((resource) => resource[FEATURE] === true)
    ? { version: 4, features: [FEATURE] }
    : { version: 3 };
}

/** @throws Refusal for a form that this engine does not read. */
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

/** What the secrets provider of a deployment needs to open again; undefined where it names none. */
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
