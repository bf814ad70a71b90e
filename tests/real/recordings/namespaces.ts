import type { Json } from "../../../provider/core/value/json";
import type { Exchange } from "../../recorded/exchange";

const at = (name: string) => `/v1/sys/namespaces${name}`;
const get = (about: string, name: string): Exchange => ({
  about: `namespaces: ${about}`,
  method: "GET",
  path: at(name),
});
const send = (method: Exchange["method"], about: string, name: string, body?: Json): Exchange => ({
  about: `namespaces: ${about}`,
  method,
  path: at(name),
  ...(body !== undefined && { body }),
});

/** The requests to the namespaces of a server. */
export const namespaces: readonly Exchange[] = [
  get("one that is not there", "/divisions"),
  get("no children", "?list=true"),
  send("POST", "one, created", "/divisions", { custom_metadata: { owner: "web", tier: "gold" } }),
  get("one", "/divisions"),
  send("POST", "one, written without metadata", "/divisions", {}),
  send("POST", "metadata that is no string", "/divisions", { custom_metadata: { owner: 1 } }),
  get("the children", "?list=true"),
  send("POST", "a name with a slash", "/divisions/web", {}),
  send("POST", "a reserved name", "/sys", {}),
  send("POST", "a name with a wildcard", "/a+b", {}),
  send("DELETE", "one that is not there, deleted", "/others"),
  send("DELETE", "one, deleted", "/divisions"),
];
