import type { IncomingHttpHeaders } from "node:http";
import { ownOf } from "../../json";
import { permissionError, unknownToken } from "./errors";
import type { Capability, Switches, Token } from "./settings";

/** The existing namespaces, by name. */
export type Names = Pick<ReadonlyMap<string, unknown>, "keys">;

/** The caller of a request, with the permissions of the section "Authentication". */
export class Caller {
  constructor(private readonly token: Token | undefined) {}

  /** For the namespace `*`: true if the caller has the capability in any namespace. */
  may(capability: Capability, namespace: string, namespaces: Names): boolean {
    if (this.token === undefined) return false;
    if (this.token.management) return true;
    if (namespace === "*") {
      return [...namespaces.keys()].some((name) => this.may(capability, name, namespaces));
    }
    const granted = closest(this.token.namespaces, namespace);
    return granted.includes(capability) && !granted.includes("deny");
  }

  /** True if the caller has any capability in the namespace. */
  sees(namespace: string): boolean {
    if (this.token === undefined || this.token.management) return this.token !== undefined;
    const granted = closest(this.token.namespaces, namespace);
    return granted.length > 0 && !granted.includes("deny");
  }

  /** True if the caller has the capability in every node pool. */
  mayInNodePools(capability: Token["nodePools"][number]): boolean {
    return this.isManagement || (this.token?.nodePools.includes(capability) ?? false);
  }

  /** True if the caller may read the client nodes. */
  get mayReadNodes(): boolean {
    return this.isManagement || (this.token?.node ?? false);
  }

  /** True if the caller has a management token. */
  get isManagement(): boolean {
    return this.token?.management ?? false;
  }

  get accessor(): string {
    return this.token?.accessor ?? "";
  }
}

/** The caller of a request; a request without a token is anonymous and has no permissions. */
export function identify(
  tokens: Pick<ReadonlyMap<string, Token>, "get">,
  headers: IncomingHttpHeaders,
  { acl, dialect }: Switches,
): Caller {
  if (!acl) return new Caller(EVERYBODY);
  const named = headers[dialect === "neutral" ? "x-sched-token" : "x-nomad-token"];
  const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1];
  const secret = typeof named === "string" && named !== "" ? named : bearer;
  if (secret === undefined) return new Caller(undefined);
  const token = tokens.get(secret);
  if (token === undefined) throw dialect === "real" ? permissionError() : unknownToken();
  return new Caller(token);
}

const EVERYBODY: Token = { accessor: "", management: true, namespaces: {}, nodePools: [], node: false };

/** The capabilities of the exact name, else of the pattern whose wildcards match the least. */
function closest(namespaces: Token["namespaces"], namespace: string): readonly Capability[] {
  const exact = ownOf(namespaces, namespace);
  if (exact !== undefined) return exact;
  const fitting = Object.entries(namespaces)
    .filter(([pattern]) => pattern.includes("*") && fits(pattern, namespace))
    .sort(([left], [right]) => right.length - left.length);
  return fitting[0]?.[1] ?? [];
}

function fits(pattern: string, namespace: string): boolean {
  const literal = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join(".*")}$`).test(namespace);
}
