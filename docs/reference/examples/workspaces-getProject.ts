import * as quarterdeck from "pulumi-quarterdeck";

// A project that this program does not manage.
const platform = quarterdeck.workspaces.getProjectOutput({ name: "platform" });

new quarterdeck.workspaces.Workspace("network", { name: "network", projectId: platform.projectId });
