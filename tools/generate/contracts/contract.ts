/** The fields of the requests with which a product creates and updates an object, from its public source. */
export interface Contract {
  /** Where the fields were read: the request's type, or the path of the API. */
  readonly source: string;
  /** Names on the wire, separated by spaces. The members of an object, of list elements and of map values are in braces. */
  readonly fields: string;
  /** Why the resource does not offer a field. Includes the fields below it. */
  readonly notOffered?: Readonly<Record<string, string>>;
  /** Fields that the request has under another name than the resource's own wire name. */
  readonly sentAs?: Readonly<Record<string, string>>;
  /** Why the resource has a property that is in none of these requests: it has a request of its own, or other versions have it. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

/** The contracts of one product, by the tokens of the resources. */
export interface Contracts {
  /** The product with the version whose source was read. */
  readonly product: string;
  readonly resources: Readonly<Record<string, Contract>>;
  /** Resources without a contract, with the reason. */
  readonly without: Readonly<Record<string, string>>;
}

/** The comparison of a resource with its contract. */
export interface Compared {
  readonly offered: readonly string[];
  readonly notOffered: readonly string[];
  /** Fields that the resource sends and the contract does not have. */
  readonly unknown: readonly string[];
}

/** The fields that a resource sends, and the parts of its address, by their names on the wire. */
export interface Sent {
  readonly fields: ReadonlySet<string>;
  readonly address: ReadonlySet<string>;
}

/** Compares the fields that a resource sends with its contract. A path is offered if the resource sends it. */
export function compareWithContract({ fields, sentAs = {}, elsewhere = {} }: Contract, sent: Sent): Compared {
  const known = pathsOf(fields);
  const own = new Set([...sent.fields].map((path) => sentAs[path] ?? path));
  const contract = new Set(known);
  return {
    offered: known.filter((path) => isWithin(path, own)),
    notOffered: known.filter((path) => !isWithin(path, own)),
    unknown: [...own].filter(
      (path) => !isWithin(path, contract) && elsewhere[path] === undefined && !sent.address.has(path),
    ),
  };
}

/**
 * True if the fields contain the path, or an object above it whose members they do not name: a program sends such an object
 * as it is.
 */
function isWithin(path: string, fields: ReadonlySet<string>): boolean {
  if (fields.has(path)) return true;
  const above = parentOf(path);
  if (above === undefined || !isWithin(above, fields)) return false;
  return ![...fields].some((one) => one.startsWith(`${above}.`));
}

function parentOf(path: string): string | undefined {
  const at = path.lastIndexOf(".");
  return at < 0 ? undefined : path.slice(0, at);
}

/** The reason for a field that is not offered: its own, or the one of an object above it. */
export function reasonFor({ notOffered = {} }: Contract, path: string): string | undefined {
  for (let at: string | undefined = path; at !== undefined; at = parentOf(at))
    if (notOffered[at] !== undefined) return notOffered[at];
  return undefined;
}

/** The paths in a text of nested names: `A B{C D{E}}` has `A`, `B`, `B.C`, `B.D` and `B.D.E`. */
export function pathsOf(fields: string): string[] {
  const paths: string[] = [];
  const above: string[] = [];
  let last = "";
  for (const [token] of fields.matchAll(/[{}]|[^\s{}]+/g)) {
    if (token === "{") above.push(last);
    else if (token === "}") above.pop();
    else {
      last = token;
      paths.push([...above, token].join("."));
    }
  }
  return paths;
}

/** Reasons that apply to fields of several resources. */
export const SERVER = "set by the server";
export const DEPRECATED = "deprecated";

/** The reasons for the indexes of an object in Nomad and Consul. */
export const INDEXES = { CreateIndex: SERVER, ModifyIndex: SERVER };
