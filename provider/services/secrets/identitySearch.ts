import {
  type Address,
  errorOfRead,
  get,
  isObject,
  isSuccess,
  type ObjectHookContext,
  type Observation,
  type Search,
  send,
  stringIn,
  type Values,
} from "../../core";
import { isAbsent, keysAt, secrets } from "./service";

/** The part of the address with the namespace only. */
const inside = ({ namespace }: Address): Address => (namespace === undefined ? {} : { namespace });

/** The read of an entity or a group by its name, which the server compares without regard to case. */
export const byName = (kind: "entity" | "group") => get(`/identity/${kind}/name/{name}`);

/** Finds an entity or a group before it has an ID: the server would update the existing one of the same name. */
export function searchByName(kind: "entity" | "group", part: string): Search {
  const route = byName(kind);
  return {
    canFind: () => true,
    async find(context, address, { name }) {
      const there = { ...inside(address), name: stringIn(name ?? "") };
      const answer = await send(context, route, there, { nature: "read" });
      if (isAbsent(answer)) return undefined;
      const { id } = secrets.unwrap(answer.json ?? null);
      if (!isSuccess(answer) || typeof id !== "string") throw errorOfRead(context, answer, route, there);
      return context.observe({ ...inside(address), [part]: id });
    },
  };
}

/**
 * Finds an alias before it has an ID: the server would update the alias of the same name and auth method, or replace the
 * alias of the same group. It rejects a second alias of an entity in an auth method.
 */
export function searchAlias(kind: "entity-alias" | "group-alias"): Search {
  const { route } = keysAt(`/identity/${kind}/id`);
  const isTaken = ({ name, mountAccessor, canonicalId }: Values, alias: Observation["body"]) => {
    const isThere = alias.mount_accessor === mountAccessor;
    const isOfOwner = alias.canonical_id === canonicalId && (isThere || kind === "group-alias");
    return isOfOwner || (isThere && isSameName(alias.name, name));
  };
  return {
    canFind: () => true,
    async find(context: ObjectHookContext, address: Address, inputs: Values) {
      const there = inside(address);
      const answer = await send(context, route, there, { nature: "read" });
      if (isAbsent(answer)) return undefined;
      const { key_info: info } = secrets.unwrap(answer.json ?? null);
      // A list without the aliases must not count as an empty one.
      if (!isSuccess(answer) || !isObject(info)) throw errorOfRead(context, answer, route, there);
      const found = Object.entries(info).find(([, alias]) => isObject(alias) && isTaken(inputs, alias));
      return found && context.observe({ ...there, aliasId: found[0] });
    },
  };
}

/** The server compares names without regard to case. */
function isSameName(one: unknown, other: unknown): boolean {
  return typeof one === "string" && typeof other === "string" && one.toLowerCase() === other.toLowerCase();
}
