import * as quarterdeck from "pulumi-quarterdeck";

const pool = new quarterdeck.workspaces.AgentPool("cluster", { name: "cluster" });

const agents = new quarterdeck.workspaces.AgentToken("cluster", {
  agentPoolId: pool.agentPoolId,
  description: "agents of the cluster",
});

// TFC_AGENT_TOKEN of the agents.
export const agentToken = agents.token;
