import { z } from "zod";
import { atLeastOne, type Definition, field, readFunction } from "../../core";
import agentPool from "./agentPool";
import oauthClient from "./oauthClient";
import { serviceProviders } from "./oauthClientFields";
import { organizationField } from "./organization";
import project from "./project";
import sshKey from "./sshKey";
import team from "./team";
import variableSet from "./variableSet";

/** An OAuth client by its name, its service provider, or both. */
const getOauthClient = readFunction(oauthClient, {
  doc: "Looks up the OAuth client with a name, a service provider, or both: its ID, the ID of its OAuth token, for `vcsRepo.oauthTokenId` of a workspace, and its settings. No client and several clients are an error.",
  by: {
    organization: organizationField,
    name: field(z.string().min(1).optional(), {
      doc: "Name of the OAuth client in its organization.",
      role: "identity",
      location: "address",
    }),
    serviceProvider: field(serviceProviders.optional(), {
      doc: "Kind of the client's VCS provider.",
      role: "identity",
      location: "address",
    }),
  },
  rules: [atLeastOne(["name", "serviceProvider"], "set name, serviceProvider, or both")],
});

/** The functions that look up an organization's objects by name (HCP Terraform API: the section of each object). */
export default {
  getProject: byName(project, "project", "`projectId` of a workspace"),
  getAgentPool: byName(agentPool, "agent pool", "`agentPoolId` of a workspace"),
  getSshKey: byName(sshKey, "SSH key", "`sshKeyId` of a workspace"),
  getVariableSet: byName(variableSet, "variable set", "a variable of the set"),
  getOauthClient,
  getTeam: byName(team, "team", "`teamId` of a `TeamAccess`"),
};

/** Reads an object of an organization by its name. */
function byName(definition: Definition, noun: string, use: string) {
  return readFunction(definition, {
    doc: `Looks up the ${noun} with a name: its ID, for ${use}, and its settings. A missing ${noun} is an error.`,
    by: {
      organization: organizationField,
      name: field(z.string().min(1), {
        doc: `Name of the ${noun} in its organization.`,
        role: "identity",
        location: "address",
      }),
    },
  });
}
