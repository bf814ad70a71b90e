import { catalog } from "../../provider/catalog";
import type { Address } from "../../provider/core/language/object";
import { type AnyDefinition, hasLifecycle } from "../../provider/core/language/resource";
import type { Needed, Route } from "../../provider/core/language/route";
import type { Connection } from "../../provider/core/language/service";
import { permissionsFor, realmHeaders } from "../../provider/core/requests/send";
import { ownMember } from "../../provider/core/value/json";
import { type StackResource, serviceOf, tokenOf } from "../state/deployment";
import { type Found, fail, ok } from "./report";

/** A permission that a token needs for resources of a stack. */
export interface NeededHere extends Needed {
  /** The path that the permission is checked for: in the service's dialect, decoded, without the prefix. */
  readonly path: string;
  /** The address of one of these resources. */
  readonly address: Address;
  /** The headers that select the realm of these resources. */
  readonly realm: Readonly<Record<string, string>>;
  /** The resources, by type and name. */
  readonly by: ReadonlySet<string>;
}

/** The permissions that resources of a stack need from a token, and the types whose permissions only the reference pages list. */
export interface NeededByStack {
  readonly permissions: readonly NeededHere[];
  /** The number of resources that these permissions cover. */
  readonly resources: number;
  /** Types whose requests no table lists. */
  readonly others: ReadonlySet<string>;
}

/**
 * The permissions that a token needs to manage these resources: each request of their definitions, looked up in the service's
 * table of permissions.
 * @param resources the resources of the connection
 */
export function permissionsNeededBy(
  resources: readonly StackResource[],
  connection: Connection,
): NeededByStack {
  const found = new Map<string, NeededHere & { readonly by: Set<string> }>();
  const others = new Set<string>();
  let counted = 0;
  for (const resource of resources) {
    const token = tokenOf(resource.type) ?? "";
    const definition = ownMember(catalog, token)?.();
    if (definition === undefined || serviceOf(token) !== connection.service.name) continue;
    const routes = routesOf(definition);
    if (routes.length === 0) {
      others.add(token);
      continue;
    }
    counted += 1;
    const address = addressOf(definition, resource);
    const realm = realmHeaders(connection, address) ?? {};
    for (const route of routes) {
      const { path, permissions } = permissionsFor(connection, route, address);
      for (const needed of permissions) {
        const { anyOf, on, when } = needed;
        const key = JSON.stringify([realm, anyOf, on, when]);
        const known = found.get(key) ?? {
          ...needed,
          path: decodeURIComponent(path.slice(1)),
          address,
          realm,
          by: new Set(),
        };
        known.by.add(`${token.split(":")[1]} ${resource.name}`);
        found.set(key, known);
      }
    }
  }
  return { permissions: [...found.values()], resources: counted, others };
}

/** Describes the permissions: each permission once, and permissions on the same objects together. */
export function neededText({ permissions, others }: NeededByStack): string {
  const byRight = Map.groupBy(permissions, ({ anyOf, when }) => {
    return `${anyOf.join(" or ")}${when === undefined ? "" : ` (${when})`}`;
  });
  const where = [...byRight].map(([right, of]) => ({
    right,
    on: some([...new Set(of.map(({ on }) => on))]),
  }));
  const parts = [...Map.groupBy(where, ({ on }) => on)].map(
    ([on, of]) => `${of.map(({ right }) => right).join(" and ")} on ${on}`,
  );
  return [...parts, ...othersText(others)].join("; ");
}

/** Types whose permissions only their pages list. */
function othersText(others: ReadonlySet<string>): string[] {
  return others.size === 0 ? [] : [`not checked: ${[...others].join(", ")} (see the reference page)`];
}

/**
 * The permissions that a token lacks for the resources of a stack.
 * @param shows a command that shows what the token may do
 */
export function lackingPermissions(
  { resources, others }: NeededByStack,
  lacking: readonly NeededHere[],
  shows: string,
): Found {
  const left = othersText(others)
    .map((text) => `; ${text}`)
    .join("");
  // A permission that is needed only in some cases does not fail the check.
  const certain = lacking.filter(({ when }) => when === undefined);
  if (certain.length === 0)
    return ok(`the token has all permissions that ${resources} of this stack's resources need${left}`);
  const lacks = certain.map(({ anyOf, on, by }) => `${anyOf.join(" or ")} on ${on} (${some([...by])})`);
  return fail(`lacks ${some(lacks)}${left}`, shows, "Add these permissions to a policy of the token.");
}

const MOST_NAMED = 3;

/** The first names, and the number of the remaining ones. */
function some(all: readonly string[]): string {
  const more = all.length - MOST_NAMED;
  return more > 1 ? `${all.slice(0, MOST_NAMED).join(", ")} and ${more} more` : all.join(", ");
}

/** The requests in a definition. A procedure has none, because its functions send their own requests. */
function routesOf(definition: AnyDefinition): readonly Route[] {
  if (hasLifecycle(definition, "object")) {
    const { reads, writes, deletion } = definition.life;
    return [
      reads.one,
      writes.create,
      writes.update,
      ...(deletion.kind === "deletes" ? [deletion.route] : []),
    ];
  }
  return "route" in definition.life ? [definition.life.route] : [];
}

/** The address of a resource, from its ID and its outputs in the state. */
function addressOf({ where }: AnyDefinition, { id, outputs }: StackResource): Address {
  const texts = Object.entries(outputs).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { ...Object.fromEntries(texts), ...where.id.parse(id)?.address };
}
