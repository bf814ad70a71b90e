import * as quarterdeck from "pulumi-quarterdeck";

// A workspace that this program does not manage. Its runs create DNS zones.
const zones = quarterdeck.workspaces.getWorkspaceOutput({ name: "dns-zones" });
const outputs = quarterdeck.workspaces.getWorkspaceOutputsOutput({ workspaceId: zones.workspaceId });

export const zoneIds = outputs.values;
