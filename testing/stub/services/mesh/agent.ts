import type { StubResponse } from "../../service";
import type { Caller } from "./callers";
import { denied, Refusal } from "./errors";
import type { Switches } from "./settings";

/** What an agent of the real product says of the datacenter that the others copy. */
export interface AgentEndpoint {
  readonly path: string;
  answer(caller: Caller, switches: Switches): StubResponse;
}

/** Takes the right to read the agent. An agent that is in no federation is in the primary datacenter itself. */
const self: AgentEndpoint = {
  path: "/v1/agent/self",
  answer(caller, { datacenter, primaryDatacenter }) {
    if (!caller.isManagement) throw denied(`token lacks permission 'agent:read' on "stub"`);
    const PrimaryDatacenter = primaryDatacenter || datacenter;
    return { status: 200, body: { Config: { Datacenter: datacenter, PrimaryDatacenter, NodeName: "stub" } } };
  },
};

/** Takes no rights. Only an agent that copies names a source. */
const replication: AgentEndpoint = {
  path: "/v1/acl/replication",
  answer(_, { acl, datacenter, primaryDatacenter }) {
    if (!acl) throw new Refusal(401, "ACL support disabled");
    const copies = primaryDatacenter !== "" && primaryDatacenter !== datacenter;
    const SourceDatacenter = copies ? primaryDatacenter : "";
    return { status: 200, body: { Enabled: copies, Running: copies, SourceDatacenter } };
  },
};

export const agentEndpoints: readonly AgentEndpoint[] = [self, replication];
