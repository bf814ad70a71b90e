import type { StubResponse } from "../../service";
import { readResource } from "./documents";
import { forbidden, invalid, notFound, Refusal } from "./errors";
import { keyIdOf } from "./openpgp-key";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "./operation";
import { page } from "./paging";
import { timestamp } from "./render";
import type { GpgKey, World } from "./world";

const COLLECTION = "/api/registry/private/v2/gpg-keys";
const ITEM = `${COLLECTION}/:namespace/:key_id`;
const section = "API: GPG keys";

/** The GPG keys of private registries: list, add, get, update and delete. The paths are complete. */
export const gpgKeyEndpoints: readonly Endpoint[] = [
  { method: "GET", path: COLLECTION, section, handle: list },
  { method: "POST", path: COLLECTION, section, handle: add },
  { method: "GET", path: ITEM, section, handle: get },
  { method: "PATCH", path: ITEM, section, handle: update },
  { method: "DELETE", path: ITEM, section, handle: remove },
];

/** "A comma-separated list of one or more namespaces." */
function list({ request, world, caller }: Operation): StubResponse {
  const asked = (request.query.get("filter[namespace]") ?? "").split(",").filter((name) => name !== "");
  if (asked.length === 0)
    throw new Refusal(400, [
      { status: "400", title: "bad request", detail: "filter[namespace] is required" },
    ]);
  const allowed = asked.filter((name) => caller.isMember(name));
  if (allowed.length === 0) throw forbidden("none of the namespaces is authorized");
  const keys = [...world.gpgKeys.values()].filter(({ namespace }) => allowed.includes(namespace));
  return answer(page(request, keys, render));
}

function add(operation: Operation): StubResponse {
  const { request, world } = operation;
  const { attributes } = readResource(request, "gpg-keys");
  const namespace = manageable(operation, attributes.namespace);
  const asciiArmor = attributes["ascii-armor"];
  const keyId = typeof asciiArmor === "string" ? keyIdOf(asciiArmor) : undefined;
  if (typeof asciiArmor !== "string" || keyId === undefined)
    throw invalid({
      pointer: "/data/attributes/ascii-armor",
      detail: "Ascii armor must be a public RSA or DSA key in ASCII armor",
    });
  if (world.gpgKeys.has(keyOf(namespace, keyId)))
    throw invalid({ pointer: "/data/attributes/ascii-armor", detail: "Key has already been taken" });
  return answer({ data: render(keepKey(world, namespace, asciiArmor, request.now)) }, 201);
}

/** Stores a key. */
export function keepKey({ gpgKeys }: World, namespace: string, asciiArmor: string, now: number): GpgKey {
  const keyId = keyIdOf(asciiArmor) ?? "";
  const id = String(Number.parseInt(keyId.slice(-6), 16));
  const key = { id, namespace, keyId, asciiArmor, createdAt: now, updatedAt: now };
  gpgKeys.set(keyOf(namespace, keyId), key);
  return key;
}

function get(operation: Operation): StubResponse {
  return answer({ data: render(theKey(operation)) });
}

/** "Only the `namespace` attribute can be updated." */
function update(operation: Operation): StubResponse {
  const { request, world } = operation;
  const key = theKey(operation);
  manageable(operation, key.namespace);
  const namespace = manageable(operation, readResource(request, "gpg-keys").attributes.namespace);
  const after = { ...key, namespace, updatedAt: request.now };
  world.gpgKeys.delete(keyOf(key.namespace, key.keyId));
  world.gpgKeys.set(keyOf(namespace, key.keyId), after);
  return answer({ data: render(after) }, 201);
}

function remove(operation: Operation): StubResponse {
  const { namespace, keyId } = theKey(operation);
  manageable(operation, namespace);
  operation.world.gpgKeys.delete(keyOf(namespace, keyId));
  return NO_CONTENT;
}

/** The namespace, if it is an organization whose registry the caller may manage; throws a 404 otherwise. */
function manageable({ caller }: Operation, namespace: unknown): string {
  if (typeof namespace !== "string" || namespace === "")
    throw invalid({ pointer: "/data/attributes/namespace", detail: "Namespace can't be blank" });
  caller.organization(namespace);
  if (!caller.managesRegistry(namespace)) throw notFound();
  return namespace;
}

function theKey({ world, caller, request }: Operation): GpgKey {
  const { namespace = "", key_id: keyId = "" } = request.params;
  const key = world.gpgKeys.get(keyOf(namespace, keyId));
  if (key === undefined || !caller.isMember(namespace)) throw notFound();
  return key;
}

function render({ id, namespace, keyId, asciiArmor, createdAt, updatedAt }: GpgKey): unknown {
  return {
    type: "gpg-keys",
    id,
    attributes: {
      "ascii-armor": asciiArmor,
      "created-at": timestamp(createdAt),
      "key-id": keyId,
      namespace,
      source: "",
      "source-url": null,
      "trust-signature": "",
      "updated-at": timestamp(updatedAt),
    },
    links: { self: `/v2/gpg-keys/${id}` },
  };
}

function keyOf(namespace: string, keyId: string): string {
  return `${namespace}/${keyId}`;
}
