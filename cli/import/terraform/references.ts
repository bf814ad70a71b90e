import { serviceOf } from "../../state/deployment";
import type { FindReference } from "../adoptStatement";

/** The outputs of a type that other resources of its service refer to: the paths of the referring properties, by output. */
type ReferredOutputs = Readonly<Record<string, readonly string[]>>;

const REFERRED: Readonly<Record<string, ReferredOutputs>> = {
  "workspaces:Workspace": {
    workspaceId: [
      "workspaceId",
      "sourceableId",
      "consumerIds",
      "workspaceIds",
      "allowedWorkspaceIds",
      "excludedWorkspaceIds",
    ],
  },
  "workspaces:Project": { projectId: ["projectId", "projectIds", "allowedProjectIds"] },
  "workspaces:AgentPool": { agentPoolId: ["agentPoolId", "defaultAgentPoolId"] },
  "workspaces:SshKey": { sshKeyId: ["sshKeyId"] },
  "workspaces:VariableSet": { variableSetId: ["variableSetId"] },
  "workspaces:Team": { teamId: ["teamId"] },
  "workspaces:OauthClient": { oauthTokenId: ["vcsRepo.oauthTokenId"] },
  "scheduler:Namespace": { name: ["namespace", "json.Namespace"] },
  "scheduler:NodePool": { name: ["nodePool", "json.NodePool"] },
  "scheduler:AclPolicy": { name: ["policies"] },
  "scheduler:AclRole": { roleId: ["roles"] },
  "secrets:Mount": { path: ["mount"] },
  "secrets:AuthMethod": { path: ["authMount"], accessor: ["mountAccessor", "authMethodAccessors"] },
  "secrets:Policy": { name: ["policies", "tokenPolicies"] },
  "secrets:PasswordPolicy": { name: ["passwordPolicy"] },
  "secrets:MfaMethod": { methodId: ["mfaMethodIds"] },
  "secrets:Entity": { entityId: ["canonicalId", "memberEntityIds", "identityEntityIds"] },
  "secrets:Group": { groupId: ["canonicalId", "memberGroupIds", "identityGroupIds"] },
  "secrets:Namespace": { name: ["namespace"] },
  "mesh:AclPolicy": { name: ["policies"] },
  "mesh:AclRole": { name: ["roles"] },
};

/** A resource or a function call that other statements can refer to. */
export interface Referred {
  /** For a call: the token of the type whose objects it finds. */
  readonly token: string;
  /** Its outputs by name. */
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly variable: string;
}

/**
 * Finds the dependency of a resource whose output is the value of a property. Equal values alone are no reference: only
 * objects in `dependencies` count. If several of them have the value, the text stays.
 */
export function referenceFinder(token: string, dependencies: readonly Referred[]): FindReference {
  const ofService = dependencies.filter((one) => serviceOf(one.token) === serviceOf(token));
  return (path, text) => {
    const found = ofService.flatMap(({ token: type, outputs, variable }) =>
      Object.entries(REFERRED[type] ?? {})
        .filter(([output, paths]) => paths.includes(path) && outputs[output] === text)
        .map(([output]) => ({ kind: "reference" as const, variable, property: output, orEmpty: false })),
    );
    return new Set(found.map(({ variable }) => variable)).size === 1 ? found[0] : undefined;
  };
}
