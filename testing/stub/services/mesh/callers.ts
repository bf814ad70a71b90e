import type { IncomingHttpHeaders } from "node:http";
import { sentHeader } from "./dialect";
import { permissionError, Refusal } from "./errors";
import type { Kind, Resource } from "./kinds/define";
import type { Level, Rules, Switches, Token } from "./settings";
import type { Draft } from "./world";

type Wanted = "read" | "write";

/** The caller of a request, with the permissions of the table "Required ACLs by kind". */
export class Caller {
  constructor(
    private readonly token: Token | undefined,
    private readonly isAnonymous = false,
  ) {}

  /** The token's namespace; empty if it has none. */
  get namespace(): string {
    return this.token?.namespace ?? "";
  }

  /** The token's partition; empty if it has none. */
  get partition(): string {
    return this.token?.partition ?? "";
  }

  /** The token's accessor ID; empty if it has none. */
  get accessor(): string {
    return this.token?.accessor ?? "";
  }

  get isManagement(): boolean {
    return this.token?.management === true;
  }

  reads(kind: Kind, name: string): boolean {
    return kind.read.length === 0 || kind.read.some((resource) => this.#may(resource, "read", name));
  }

  /** Throws a 403 unless the caller may read an entry of that name. */
  requireRead(kind: Kind, name: string): void {
    if (!this.reads(kind, name)) throw this.#refusal(kind.read, "read", name);
  }

  /** Throws a 403 unless the caller may write or delete the entry. */
  requireWrite(kind: Kind, entry: Pick<Draft, "name" | "namespace" | "body">): void {
    if (kind.write.length === 0) throw permissionError("only writeable by controller");
    if (!kind.write.some((resource) => this.#may(resource, "write", entry.name))) {
      throw this.#refusal(kind.write, "write", entry.name);
    }
    if (!kind.write.includes("service")) return;
    // A caller that routes a service's traffic to another service needs read permission on that service.
    for (const { name } of kind.leadsTo(entry.body, entry)) {
      if (name === entry.name || this.#may("service", "read", name)) continue;
      throw this.#refusal(["service"], "read", name);
    }
  }

  readsKey(key: string): boolean {
    return this.#mayKey("read", key);
  }

  /** Throws a 403 unless the caller may read or write the key. */
  requireKey(wanted: Wanted, key: string): void {
    if (!this.#mayKey(wanted, key)) throw this.#without(`key:${wanted}`, key);
  }

  get mayWriteAcl(): boolean {
    return this.isManagement || this.token?.rules.acl === "write";
  }

  /** Throws a 403 unless the caller may read or write ACL objects. */
  requireAcl(wanted: Wanted): void {
    const given = this.mayWriteAcl ? "write" : this.token?.rules.acl;
    if (given !== "write" && given !== wanted) throw this.#without(`acl:${wanted}`, undefined);
  }

  #mayKey(wanted: Wanted, key: string): boolean {
    if (this.isManagement || this.token === undefined) return this.isManagement;
    const { rules } = this.token;
    const given = closest(rules.key, rules.keyPrefix, key);
    return given === "write" || given === wanted;
  }

  #may(resource: Resource, wanted: Wanted, name: string): boolean {
    if (this.token === undefined) return false;
    const { management, rules } = this.token;
    if (management) return true;
    const given = isNamed(resource) ? levelOf(rules, resource, name) : rules[resource];
    return given === "write" || given === wanted;
  }

  #refusal([first]: readonly Resource[], wanted: Wanted, name: string): Refusal {
    return this.#without(`${first}:${wanted}`, first !== undefined && isNamed(first) ? name : undefined);
  }

  #without(permission: string, name: string | undefined): Refusal {
    const who = this.isAnonymous
      ? "anonymous token"
      : this.token?.accessor
        ? `token with AccessorID '${this.token.accessor}'`
        : "provided token";
    const on = name === undefined ? "" : ` on ${JSON.stringify(name)}`;
    const hint = this.isAnonymous
      ? ". The anonymous token is used implicitly when a request does not specify a token."
      : "";
    return permissionError(`${who} lacks permission '${permission}'${on}${hint}`);
  }
}

/** The caller of a request; a request without a token gets the anonymous token. */
export function identify(
  tokens: Pick<ReadonlyMap<string, Token>, "get">,
  headers: IncomingHttpHeaders,
  switches: Pick<Switches, "acl" | "dialect">,
): Caller {
  if (!switches.acl) return new Caller(EVERYBODY);
  const secret = secretOf(headers, switches);
  if (secret === "") return new Caller(tokens.get(ANONYMOUS), true);
  const token = tokens.get(secret);
  if (token === undefined) throw new Refusal(403, "ACL not found");
  return new Caller(token);
}

/** The request's token, from the product's own header or from a bearer header; empty if there is none. */
export function secretOf(headers: IncomingHttpHeaders, switches: Pick<Switches, "dialect">): string {
  const own = sentHeader(headers, "token", switches);
  return own !== "" ? own : (/^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "");
}

const ANONYMOUS = "anonymous";

const EVERYBODY: Token = {
  accessor: "",
  management: true,
  rules: { service: {}, servicePrefix: {}, intentions: {}, intentionsPrefix: {}, key: {}, keyPrefix: {} },
};

function isNamed(resource: Resource): resource is "service" | "intentions" {
  return resource === "service" || resource === "intentions";
}

function levelOf(rules: Rules, resource: "service" | "intentions", name: string): Level | undefined {
  if (resource === "service") return closest(rules.service, rules.servicePrefix, name);
  const own = closest(rules.intentions, rules.intentionsPrefix, name);
  if (own !== undefined) return own;
  const service = closest(rules.service, rules.servicePrefix, name);
  return service === "write" ? "read" : service;
}

/** The level of the exact name, else of the longest matching prefix. */
function closest(
  exact: Readonly<Record<string, Level>>,
  prefixes: Readonly<Record<string, Level>>,
  name: string,
): Level | undefined {
  if (Object.hasOwn(exact, name)) return exact[name];
  const fitting = Object.keys(prefixes).filter((prefix) => name.startsWith(prefix));
  const [longest] = fitting.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : prefixes[longest];
}
