import * as quarterdeck from "pulumi-quarterdeck";

const network = new quarterdeck.workspaces.Workspace("network", { name: "network" });

const clusters = new quarterdeck.workspaces.Project("clusters", { name: "clusters" });

// Only the network workspace and the workspaces of a project may use the pool.
const agents = new quarterdeck.workspaces.AgentPool("on-premises", {
  name: "on-premises",
  organizationScoped: false,
  allowedWorkspaceIds: [network.workspaceId],
  allowedProjectIds: [clusters.projectId],
});

export const agentPoolId = agents.agentPoolId;
