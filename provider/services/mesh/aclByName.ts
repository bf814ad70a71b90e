import {
  type Address,
  checksByReadAndRejection,
  errorOfRead,
  get,
  type HttpResponse,
  isObject,
  type Search,
  send,
} from "../../core";
import { goneAcl, inScope } from "./aclFields";

/** True if Consul rejected a create because an object of this name exists. */
const isTaken = ({ status, text }: HttpResponse) =>
  status === 500 &&
  /^Invalid (Policy|Role): A (Policy|Role) with Name \S+ already exists$/i.test(text.trim());

/** Consul compares names without regard to case, and returns the stored name. */
const isSameName = (found: unknown, name: string) =>
  typeof found === "string" && found.toLowerCase() === name.toLowerCase();

/** How a create detects an existing ACL object, and its own after a lost response: names are unique. */
export function uniqueByName(kind: "policy" | "role", part: string) {
  const route = get(`/acl/${kind}/name/{name}`, { query: inScope });
  const search: Search = {
    canFind: () => true,
    async find(context, { namespace, partition }, { name }) {
      if (typeof name !== "string") return undefined;
      const scope: Address = {
        ...(namespace !== undefined && { namespace }),
        ...(partition !== undefined && { partition }),
      };
      const there: Address = { ...scope, name };
      const answer = await send(context, route, there, { nature: "read" });
      if (await goneAcl(kind).proves(answer, context, there)) return undefined;
      const found = isObject(answer.json) ? answer.json : {};
      if (answer.status !== 200 || !isSameName(found.Name, name) || typeof found.ID !== "string")
        throw errorOfRead(context, answer, route, there);
      return context.observe({ ...scope, [part]: found.ID });
    },
  };
  return checksByReadAndRejection(isTaken, search);
}
