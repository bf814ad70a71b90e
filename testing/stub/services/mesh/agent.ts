import type { IssuedTokens } from "../../logins";
import { secretIdOf } from "../../secret-id";
import type { StubRequest, StubResponse, StubRoute } from "../../service";
import type { Caller } from "./callers";
import { denied, Refusal } from "./errors";
import type { Switches, Token } from "./settings";

/** A request to an agent of the real product about itself, or about who sends it. */
interface Asked {
  readonly request: StubRequest;
  /** Throws where the token is none that is known. */
  caller(): Caller;
  readonly secret: string;
  readonly issued: IssuedTokens<Token>;
  readonly switches: Switches;
}

/** What only the real product has: the specification knows nothing of it. */
export interface AgentEndpoint extends Pick<StubRoute, "method" | "path"> {
  answer(asked: Asked): StubResponse;
}

/** Takes the right to read the agent. An agent that is in no federation is in the primary datacenter itself. */
const self: AgentEndpoint = {
  method: "GET",
  path: "/v1/agent/self",
  answer({ caller, switches: { datacenter, primaryDatacenter } }) {
    if (!caller().isManagement) throw denied(`token lacks permission 'agent:read' on "stub"`);
    const PrimaryDatacenter = primaryDatacenter || datacenter;
    return { status: 200, body: { Config: { Datacenter: datacenter, PrimaryDatacenter, NodeName: "stub" } } };
  },
};

/** Takes no rights. Only an agent that copies names a source. */
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

/** Hands out a token to whoever proves who they are. */
const login: AgentEndpoint = {
  method: "POST",
  path: "/v1/acl/login",
  answer({ request, issued }) {
    const token = issued.issue(request.json(), request.now);
    if (token === undefined) throw denied("no binding rules match the login");
    return { status: 200, body: secretIdOf(token) };
  },
};

/** Ends a token that a login has handed out, and no other one. */
const logout: AgentEndpoint = {
  method: "POST",
  path: "/v1/acl/logout",
  answer({ secret, issued }) {
    if (!issued.revoke(secret)) throw denied("the token was not made by a login");
    return { status: 200, body: "" };
  },
};

export const agentEndpoints: readonly AgentEndpoint[] = [self, replication, login, logout];
