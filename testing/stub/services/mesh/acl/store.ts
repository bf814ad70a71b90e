import { createHash } from "node:crypto";
import { isObject, type Members } from "../../../json";
import { isEnterprise } from "../edition";
import { invalid, Refusal, serverError } from "../errors";
import { namespaceOf, type Operation, type Outcome, partitionOf, type Written } from "../operation";
import type { Stored } from "../world";

/** An object as reads show it. `Name` is missing for a token. */
export type AclObject = Members & Stored & { readonly Name?: string };

/** The kinds of ACL objects, and the member with the ID of each. */
const ID_OF = { policy: "ID", role: "ID", token: "AccessorID" } as const;
export type AclKind = keyof typeof ID_OF;

const LABEL = { policy: "Policy ID", role: "Role ID", token: "Token Accessor ID" } as const;

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The objects of one kind in a namespace. Every request requires a permission. */
export class AclStore {
  readonly #table: string;
  readonly #place: Members;

  /** @param place the namespace and the partition in a body, which override those in the query */
  constructor(
    private readonly operation: Operation,
    private readonly kind: AclKind,
    place: Members = {},
  ) {
    const Namespace = String(place.Namespace || namespaceOf(operation));
    const Partition = String(place.Partition || partitionOf(operation));
    this.#table = `acl ${kind}/${Partition}/${Namespace}`;
    this.#place = isEnterprise(operation.switches) ? { Namespace, Partition } : {};
  }

  /** Ordered by ID. */
  get all(): readonly AclObject[] {
    const objects = [...this.operation.datacenter.table<AclObject>(this.#table).entries()];
    return objects.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  byId(id: string): AclObject | undefined {
    return this.operation.datacenter.table<AclObject>(this.#table).get(id);
  }

  /** Names are unique without regard to case (Consul 1.22.2, tables of `agent/consul/state/acl_schema.go`). */
  byName(name: unknown): AclObject | undefined {
    return this.all.find(({ Name = "" }) => Name.toLowerCase() === String(name).toLowerCase());
  }

  /** The object to replace, if the path of the request contains an ID. */
  toReplace(): AclObject | undefined {
    const { id = "" } = this.operation.request.params;
    if (id === "") return undefined;
    const isToken = this.kind === "token";
    if (!UUID.test(id))
      throw serverError(isToken ? "AccessorID is not a valid UUID" : `${LABEL[this.kind]} invalid UUID`);
    const found = this.byId(id);
    if (found === undefined)
      throw serverError(
        isToken ? `Cannot find token ${JSON.stringify(id)}` : `cannot find ${this.kind} ${id}`,
      );
    return found;
  }

  /** An ID that no object has. */
  freshId(more = ""): string {
    const digest = createHash("sha256")
      .update(`${this.kind} ${this.operation.datacenter.index}${more}`)
      .digest("hex");
    return [0, 8, 12, 16, 20]
      .map((at, part) => digest.slice(at, at + (part === 0 ? 8 : part === 4 ? 12 : 4)))
      .join("-");
  }

  store(id: string, members: Members): AclObject {
    const Hash = createHash("sha256").update(JSON.stringify(members)).digest("base64");
    const full: Members = { ...members, Hash, ...this.#place };
    return this.operation.datacenter.put(this.#table, id, full);
  }

  delete(id: string): Written {
    if (this.byId(id) === undefined) throw new Refusal(404, `Cannot find ${this.kind} to delete`);
    this.operation.datacenter.drop(this.#table, id);
    const headers = { "content-type": "application/json" };
    return { response: { status: 200, headers, body: "true" } };
  }
}

/** The response to a read of an object. */
export function shown(found: AclObject | undefined, kind: AclKind): Outcome {
  if (found === undefined) throw new Refusal(404, `Requested ${kind} does not exist: ACL not found`);
  return { body: found, stamp: String(found.ModifyIndex) };
}

/** Throws a 401 without ACLs, and a 403 without the permission. */
export function requireAcl({ caller, switches }: Operation, wanted: "read" | "write"): void {
  if (!switches.acl) throw new Refusal(401, "ACL support disabled");
  caller.requireAcl(wanted);
}

/** The names of an object's members; null for a member that is no object. */
export interface Known {
  readonly [name: string]: Known | null;
}

/**
 * The members of a body. Consul rejects members that it does not know, also in objects inside the body, compares names
 * without regard to case, and rejects an ID other than that of the path. The enterprise edition has a namespace and a
 * partition in each body. (Source: `agent/acl_endpoint.go`; manual: Consul, *ACL Policy HTTP API*.)
 */
export function readMembers({ request, switches }: Operation, kind: AclKind, known: Known): Members {
  const given = request.json();
  const failed = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} decoding failed`;
  if (!isObject(given)) throw invalid(`${failed}: json: cannot unmarshal the body`);
  const members = named(given, { ...known, ...(isEnterprise(switches) && PLACE) }, failed);
  const id = members[ID_OF[kind]] ?? "";
  const { id: inPath = kind === "token" ? id : "" } = request.params;
  if (id !== "" && id !== inPath) throw invalid(`${LABEL[kind]} in URL and payload do not match`);
  return members;
}

/** The members under their own names; throws a 400 for a member that is not known. */
function named(given: Members, known: Known, failed: string): Members {
  const entries = Object.entries(given).map(([name, value]) => {
    const own = Object.keys(known).find((one) => one.toLowerCase() === name.toLowerCase());
    if (own === undefined) throw invalid(`${failed}: json: unknown field ${JSON.stringify(name)}`);
    const inside = known[own] ?? null;
    const read = (part: unknown) => (inside !== null && isObject(part) ? named(part, inside, failed) : part);
    return [own, Array.isArray(value) ? value.map(read) : read(value)] as const;
  });
  return Object.fromEntries(entries);
}

const PLACE: Known = { Namespace: null, Partition: null };

/** Members that a body may contain, and that the server replaces. */
export const COMPUTED: Known = { Hash: null, CreateIndex: null, ModifyIndex: null };
