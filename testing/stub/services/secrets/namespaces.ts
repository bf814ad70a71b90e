import type { StubResponse } from "../../service";
import { absent, invalid, Refusal } from "./errors";
import { isRecord } from "./fields";
import { answer, type Endpoint, type Operation } from "./operation";
import { newNamespace } from "./seeding";
import type { Namespace } from "./world";

/** `sys/namespaces`: the children of the request's namespace. */
export const namespaceEndpoints: readonly Endpoint[] = [
  { path: "sys/namespaces", list },
  { path: "sys/namespaces/:text*", read, write, patch, remove },
];

const RESERVED = ["", ".", "..", "root", "sys", "audit", "auth", "cubbyhole", "identity"];

/** Creates the namespace, or replaces the metadata of an existing one. */
function write(operation: Operation): StubResponse {
  const { fields, randomness, world } = operation;
  const path = pathOf(operation);
  const before = world.namespaces.get(path);
  if (before?.deletedAt !== undefined)
    throw invalid("namespace with that name exists and is currently tainted");
  checkName(path.slice(path.lastIndexOf("/") + 1));
  const metadata = metadataIn(operation, "write");
  const made = before ?? newNamespace(path, randomness);
  return keep(operation, { ...made, customMetadata: fields.has("custom_metadata") ? strings(metadata) : {} });
}

/** Changes the metadata of an existing namespace: null removes a key. Only a merge patch is accepted. */
function patch(operation: Operation): StubResponse {
  const type = String(operation.request.headers["content-type"] ?? "").split(";")[0];
  if (type !== "application/merge-patch+json")
    throw new Refusal(415, [`PATCH requires Content-Type of application/merge-patch+json, provided ${type}`]);
  const before = operation.world.namespaces.get(pathOf(operation));
  if (before === undefined) throw invalid("namespace not found");
  if (before.deletedAt !== undefined)
    throw invalid("namespace with that name exists and is currently tainted");
  const merged = { ...before.customMetadata, ...metadataIn(operation, "patch") };
  return keep(operation, { ...before, customMetadata: strings(merged) });
}

function keep(operation: Operation, namespace: Namespace): StubResponse {
  operation.world.namespaces.set(namespace.path, namespace);
  return answer(operation, shown(namespace));
}

function read(operation: Operation): StubResponse {
  const found = operation.world.namespaces.get(pathOf(operation));
  if (found === undefined) throw absent();
  return answer(operation, shown(found));
}

function list(operation: Operation): StubResponse {
  const { namespace, world } = operation;
  const prefix = namespace.path === "" ? "" : `${namespace.path}/`;
  const children = [...world.namespaces.values()]
    .filter(({ path }) => path !== "" && parentOf(path) === namespace.path)
    .map((child) => [`${child.path.slice(prefix.length)}/`, shown(child)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  if (children.length === 0) throw absent();
  return answer(operation, {
    key_info: Object.fromEntries(children),
    keys: children.map(([key]) => key),
  });
}

/** Starts the deletion of the contents, which takes `namespaceDeletionMs`. */
function remove(operation: Operation): StubResponse {
  const { request, switches, world } = operation;
  const found = world.namespaces.get(pathOf(operation));
  if (found === undefined) return answer(operation, null, undefined, ["requested namespace does not exist"]);
  if ([...world.namespaces.keys()].some((path) => path !== "" && parentOf(path) === found.path))
    throw invalid(`cannot delete namespace ("${found.path}/") containing child namespaces`);
  const deletedAt = found.deletedAt ?? request.now + switches.namespaceDeletionMs;
  world.namespaces.set(found.path, { ...found, deletedAt });
  endDeletions(operation);
  return answer(operation, { status: "in-progress" });
}

/** Removes the namespaces whose contents are deleted. */
export function endDeletions({ request, world }: Pick<Operation, "request" | "world">): void {
  for (const [path, { deletedAt }] of world.namespaces)
    if (deletedAt !== undefined && request.now >= deletedAt) world.namespaces.delete(path);
}

function shown({ customMetadata, deletedAt, id, path, uuid }: Namespace): object {
  return {
    custom_metadata: customMetadata,
    id,
    locked: false,
    path: `${path}/`,
    tainted: deletedAt !== undefined,
    uuid,
  };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The complete path of the namespace that a request names; it must be a single name. */
function pathOf({ namespace, params }: Operation): string {
  const name = params.text ?? "";
  if (name.includes("/")) throw invalid("namespace name cannot contain /");
  if (RESERVED.includes(name))
    throw invalid(`"${name}/" is a reserved path and cannot be used as a namespace name`);
  return namespace.path === "" ? name : `${namespace.path}/${name}`;
}

function checkName(name: string): void {
  if (/\s/.test(name))
    throw invalid(`"${name}" contains space characters that cannot be used in a namespace name`);
  const [wildcard] = /[+*]/.exec(name) ?? [];
  if (wildcard !== undefined)
    throw invalid(
      `"${name}" contains wildcard characters that cannot be used in a namespace name: '${wildcard}'`,
    );
}

/** The metadata of a request; a patch may contain null. */
function metadataIn({ fields }: Operation, verb: "write" | "patch"): Readonly<Record<string, unknown>> {
  const given = fields.raw("custom_metadata") ?? {};
  if (!isRecord(given))
    throw invalid(
      `Field validation failed: error converting input for field "custom_metadata": '' expected type 'map[string]interface {}'`,
    );
  const isAllowed = (value: unknown) => typeof value === "string" || (verb === "patch" && value === null);
  if (!Object.values(given).every(isAllowed))
    throw invalid(
      verb === "write"
        ? "custom_metadata values must be strings"
        : "metadata patch can only have string or null values",
    );
  return given;
}

function strings(metadata: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])),
  );
}
