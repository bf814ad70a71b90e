import type { IncomingHttpHeaders } from "node:http";
import { sentHeader } from "./dialect";
import { denied, Refusal } from "./errors";
import type { Kind, Resource } from "./kinds/define";
import type { Level, Rules, Switches, Token } from "./settings";
import type { Draft } from "./world";

type Wanted = "read" | "write";

/** Whoever sent a request, and what the table "Required ACLs by kind" lets them do. */
export class Caller {
  constructor(
    private readonly token: Token | undefined,
    private readonly isAnonymous = false,
  ) {}

  /** The namespace that the token belongs to; empty where it names none. */
  get namespace(): string {
    return this.token?.namespace ?? "";
  }

  /** Likewise. */
  get partition(): string {
    return this.token?.partition ?? "";
  }

  get isManagement(): boolean {
    return this.token?.management === true;
  }

  reads(kind: Kind, name: string): boolean {
    return kind.read.length === 0 || kind.read.some((resource) => this.#may(resource, "read", name));
  }

  /** 403 for who may not read an entry of that name. */
  requireRead(kind: Kind, name: string): void {
    if (!this.reads(kind, name)) throw this.#refusal(kind.read, "read", name);
  }

  /** 403 for who may not write or delete the entry. */
  requireWrite(kind: Kind, entry: Pick<Draft, "name" | "namespace" | "body">): void {
    if (kind.write.length === 0) throw denied("only writeable by controller");
    if (!kind.write.some((resource) => this.#may(resource, "write", entry.name))) {
      throw this.#refusal(kind.write, "write", entry.name);
    }
    if (!kind.write.includes("service")) return;
    // Whoever sends a service's traffic on to another must be allowed to know that one.
    for (const { name } of kind.leadsTo(entry.body, entry)) {
      if (name === entry.name || this.#may("service", "read", name)) continue;
      throw this.#refusal(["service"], "read", name);
    }
  }

  #may(resource: Resource, wanted: Wanted, name: string): boolean {
    if (this.token === undefined) return false;
    const { management, rules } = this.token;
    if (management) return true;
    const given = isNamed(resource) ? levelOf(rules, resource, name) : rules[resource];
    return given === "write" || given === wanted;
  }

  #refusal([first]: readonly Resource[], wanted: Wanted, name: string): Refusal {
    const who = this.isAnonymous
      ? "anonymous token"
      : this.token?.accessor
        ? `token with AccessorID '${this.token.accessor}'`
        : "provided token";
    const on = first !== undefined && isNamed(first) ? ` on ${JSON.stringify(name)}` : "";
    const hint = this.isAnonymous
      ? ". The anonymous token is used implicitly when a request does not specify a token."
      : "";
    return denied(`${who} lacks permission '${first}:${wanted}'${on}${hint}`);
  }
}

/** The caller of a request; without a token it is the anonymous one. */
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

/** The token of a request, in the service's own header or as a bearer; empty where there is none. */
export function secretOf(headers: IncomingHttpHeaders, switches: Pick<Switches, "dialect">): string {
  const own = sentHeader(headers, "token", switches);
  return own !== "" ? own : (/^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "");
}

const ANONYMOUS = "anonymous";

const EVERYBODY: Token = {
  accessor: "",
  management: true,
  rules: { service: {}, servicePrefix: {}, intentions: {}, intentionsPrefix: {} },
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

/** The exact name, else the longest start of it. */
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
