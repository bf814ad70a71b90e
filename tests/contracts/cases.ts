import { catalog } from "../../provider/catalog";
import type { Json } from "../../provider/core/value/json";
import { CONTRACTS } from "../../tools/generate/contracts";
import { compareWithContract, pathsOf } from "../../tools/generate/contracts/contract";
import { requestFields } from "../../tools/generate/contracts/requestFields";
import { isWithin, type Members, type Requirements } from "./bodies";
import { type Leaf, leavesOf } from "./leaves";

/** An object as a read returns it, with all data of the mock server; or the rejection of the write. */
export type Written = { readonly read: Json; readonly dump: string } | { readonly rejection: string };

/** Sends a request for one object to a mock server, and reads the object. */
export type Writer = (body: Members) => Promise<Written>;

/** How a server treats a field of the contract that the resource does not offer. */
type Treatment = "ignored" | "rejected" | "stored" | `changes ${string}`;

/** One product's mock server. The patterns match a resource and the path of a field: `mesh:ServiceDefaults Protocol`. */
export interface Product extends Requirements {
  readonly service: string;
  /** A new mock server. A read leaves out members that differ from one server to the next. */
  open(token: string): Promise<Writer>;
  /** Values that a read returns in another form, or in another member (`$1` is the pattern's group), than the request has. */
  readonly returned: readonly (readonly [RegExp, { readonly value?: Json; readonly at?: string }])[];
  /** True if the fields that the contract has elsewhere are in the same request. */
  readonly hasElsewhere: boolean;
  /** Fields that the product stores, and that no read returns. */
  readonly unread: readonly RegExp[];
  /** Fields that the product accepts and does not store, or replaces by a value of its own. */
  readonly dropped: readonly RegExp[];
  /** The treatment of fields that the resource does not offer (`$1` is the pattern's group). Default: ignored. */
  readonly treatments: readonly (readonly [RegExp, Treatment])[];
  /** What the product does with a field that it does not have. */
  unknown(token: string): "ignored" | "rejected";
  /** A value of a field that the product does not have. */
  readonly unknownValue: Json;
  /** Fields of the product that its contract does not have. */
  readonly further: readonly RegExp[];
}

/** A resource with its contract. */
export interface Case {
  readonly token: string;
  readonly paths: ReadonlySet<string>;
  readonly offered: readonly string[];
  readonly notOffered: readonly string[];
  readonly leaves: readonly Leaf[];
}

/** The resources of a service that have a contract. */
export function casesOf({ service, leaves: further, hasElsewhere }: Product): Case[] {
  return CONTRACTS.flatMap(({ resources }) => Object.entries(resources))
    .filter(([token]) => token.startsWith(`${service}:`))
    .map(([token, contract]) => {
      const definition = catalog[token]?.();
      if (definition === undefined) throw new TypeError(`there is no resource ${token}`);
      const { offered, notOffered } = compareWithContract(contract, requestFields(definition));
      const { sentAs = {}, elsewhere = {} } = contract;
      const paths = new Set([...pathsOf(contract.fields), ...(hasElsewhere ? Object.keys(elsewhere) : [])]);
      const own = further[token] ?? [];
      const leaves = leavesOf(definition)
        .map((leaf) => renamed(leaf, sentAs[leaf.path]))
        .filter(({ path }) => paths.has(path) && !own.some((one) => isWithin(one.path, path)));
      return { token, paths, offered, notOffered, leaves: [...own, ...leaves] };
    });
}

/** A leaf under another name of the request. */
function renamed({ path, body }: Leaf, name = path): Leaf {
  return name === path ? { path, body } : { path: name, body: { [name]: body[path] ?? null } };
}

/** The patterns of a product that match no field of its contracts. */
export function unusedPatterns(product: Product, cases: readonly Case[]): string[] {
  const fields = cases.flatMap(({ token, paths, leaves }) =>
    [...paths, ...leaves.map(({ path }) => path)].map((path) => `${token} ${path}`),
  );
  const objects = cases.flatMap(({ token, leaves }) =>
    leaves.flatMap(({ path }) => splitsOf(path).map((split) => `${token} ${split}`)),
  );
  const { siblings, values, returned, unread, dropped, treatments } = product;
  const ofFields = [
    ...[...values, ...returned, ...treatments].map(([pattern]) => pattern),
    ...unread,
    ...dropped,
  ];
  return [
    ...ofFields.filter((pattern) => !fields.some((field) => pattern.test(field))),
    ...siblings.map(([pattern]) => pattern).filter((pattern) => !objects.some((one) => pattern.test(one))),
  ].map(String);
}

/** The objects around a field, each with the rest of the path: `>A.B`, `A>B`. */
function splitsOf(path: string): string[] {
  const names = path.split(".");
  return names.map((_, at) => `${names.slice(0, at).join(".")}>${names.slice(at).join(".")}`);
}
