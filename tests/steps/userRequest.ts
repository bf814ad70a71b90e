import type { StubService } from "../../testing/stub/service";

/** A request of another user in a test, with the specification's names. */
export interface UserRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const TOKEN_HEADERS: Readonly<Record<string, string>> = {
  "x-sched-token": "x-nomad-token",
  "x-secrets-token": "x-vault-token",
  "x-secrets-namespace": "x-vault-namespace",
  "x-mesh-token": "x-consul-token",
  "x-mesh-namespace": "x-consul-namespace",
  "x-mesh-partition": "x-consul-partition",
};

/** Default mounts of the specification, and the product's. */
const MOUNTS: Readonly<Record<string, string>> = { "/v1/msgq/": "/v1/rabbitmq/", "/v1/cloud/": "/v1/aws/" };

const PATHS: Readonly<Record<string, string>> = {
  "/v1/identity/mfa/method/extidp": "/v1/identity/mfa/method/okta",
};

/** The dialect in which each stub started, which decides the mounts. */
const started = new WeakMap<object, StubService["dialect"]>();

/** Notes the dialect in which a stub starts. */
export function noteStart(stub: Pick<StubService, "dialect">): void {
  if (!started.has(stub)) started.set(stub, stub.dialect);
}

/** The same request with the names that a stub in this dialect uses. */
export function inDialect({ path, headers }: UserRequest, stub: Pick<StubService, "dialect">): UserRequest {
  if (stub.dialect === "neutral") return { path, headers };
  const paths = { ...PATHS, ...(started.get(stub) === "real" && MOUNTS) };
  const [own, product] = Object.entries(paths).find(([prefix]) => path.startsWith(prefix)) ?? ["", ""];
  return {
    path: product + path.slice(own.length),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [TOKEN_HEADERS[name] ?? name, value]),
    ),
  };
}
