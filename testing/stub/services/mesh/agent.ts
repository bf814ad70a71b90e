import type { IssuedTokens } from "../../logins";
import { secretIdOf } from "../../secret-id";
import type { StubRequest, StubResponse, StubRoute } from "../../service";
import type { Caller } from "./callers";
import { permissionError, Refusal } from "./errors";
import type { Switches, Token } from "./settings";

/** A request to a Consul agent endpoint about the agent itself or about the caller. */
interface Asked {
  readonly request: StubRequest;
  /** Throws if the token is unknown. */
  caller(): Caller;
  readonly secret: string;
  readonly issued: IssuedTokens<Token>;
  readonly switches: Switches;
}

/** An endpoint that only Consul has; the specification does not describe it. */
export interface AgentEndpoint extends Pick<StubRoute, "method" | "path"> {
  answer(asked: Asked): StubResponse;
}

/** Requires permission to read the agent. An agent outside a federation reports its own datacenter as the primary one. */
const self: AgentEndpoint = {
  method: "GET",
  path: "/v1/agent/self",
  answer({ caller, switches: { datacenter, primaryDatacenter } }) {
    if (!caller().isManagement) throw permissionError(`token lacks permission 'agent:read' on "stub"`);
    const PrimaryDatacenter = primaryDatacenter || datacenter;
    return { status: 200, body: { Config: { Datacenter: datacenter, PrimaryDatacenter, NodeName: "stub" } } };
  },
};

const ANONYMOUS = "00000000-0000-0000-0000-000000000002";

/** The accessor of a token without one in the settings. */
const SOME_ACCESSOR = "6f1e2d3c-4b5a-4968-8776-655443322110";

const GLOBAL_MANAGEMENT = { ID: "00000000-0000-0000-0000-000000000001", Name: "global-management" };

/** The caller's own token, without a permission. Tokens of the settings have rules and no other policy than this one. */
const ownToken: AgentEndpoint = {
  method: "GET",
  path: "/v1/acl/token/self",
  answer({ caller, secret, switches: { acl } }) {
    if (!acl) throw new Refusal(401, "ACL support disabled");
    const { accessor, isManagement } = caller();
    const body = {
      AccessorID: secret === "" ? ANONYMOUS : accessor || SOME_ACCESSOR,
      SecretID: secret || "anonymous",
      Description: "",
      ...(isManagement && { Policies: [GLOBAL_MANAGEMENT] }),
      Local: false,
    };
    return { status: 200, body };
  },
};

/** Requires no permission. Only an agent that replicates reports a source datacenter. */
const replication: AgentEndpoint = {
  method: "GET",
  path: "/v1/acl/replication",
  answer({ switches: { acl, datacenter, primaryDatacenter } }) {
    if (!acl) throw new Refusal(401, "ACL support disabled");
    const copies = primaryDatacenter !== "" && primaryDatacenter !== datacenter;
    const SourceDatacenter = copies ? primaryDatacenter : "";
    return { status: 200, body: { Enabled: copies, Running: copies, SourceDatacenter } };
  },
};

/** Issues a token to a caller that proves its identity. */
const login: AgentEndpoint = {
  method: "POST",
  path: "/v1/acl/login",
  answer({ request, issued }) {
    const token = issued.issue(request.json(), request.now);
    if (token === undefined) throw permissionError("no binding rules match the login");
    return { status: 200, body: secretIdOf(token) };
  },
};

/** Revokes a token that a login issued; other tokens are rejected. */
const logout: AgentEndpoint = {
  method: "POST",
  path: "/v1/acl/logout",
  answer({ secret, issued }) {
    if (!issued.revoke(secret)) throw permissionError("the token was not made by a login");
    return { status: 200, body: "" };
  },
};

export const agentEndpoints: readonly AgentEndpoint[] = [self, ownToken, replication, login, logout];
