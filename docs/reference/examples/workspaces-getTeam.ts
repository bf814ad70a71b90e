import * as quarterdeck from "pulumi-quarterdeck";

// Every organization has the team owners.
const owners = quarterdeck.workspaces.getTeamOutput({ name: "owners" });

export const ownersVisibility = owners.visibility;
