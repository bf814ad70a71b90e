import type { Subject } from "../subject";
import { appRoleSubject, userpassUserSubject } from "./auth";
import { cloudSubjects } from "./cloud";
import { configEntrySubject } from "./configEntry";
import { directorySubjects } from "./directory";
import { hostVolumeRegistrationSubject, hostVolumeSubject } from "./hostVolume";
import { identitySubjects } from "./identity";
import { inOrganizationSubjects, teamSubject } from "./inOrganization";
import { jobSubject } from "./job";
import { kvSecretSubject } from "./keyValue";
import {
  keyValueSubject,
  aclPolicySubject as meshAclPolicySubject,
  aclRoleSubject as meshAclRoleSubject,
  aclTokenSubject as meshAclTokenSubject,
} from "./mesh";
import { notificationSubject } from "./notificationConfiguration";
import { ofWorkspaceSubjects } from "./ofWorkspace";
import { registrySubjects } from "./registry";
import { registryProviderSubject } from "./registryProvider";
import { runTriggerSubject } from "./runTrigger";
import {
  aclPolicySubject,
  aclRoleSubject,
  aclTokenSubject,
  namespaceSubject,
  nodePoolSubject,
  variableSubject,
} from "./scheduler";
import {
  authMethodSubject,
  loginEnforcementSubject,
  mfaMethodSubject,
  mountSubject,
  passwordPolicySubject,
  policySubject,
  queueLeaseSubject,
  queueRoleSubject,
} from "./secrets";
import { secretsNamespaceSubject } from "./secretsNamespace";
import { teamAccessSubject } from "./teamAccess";
import { typedEntrySubjects } from "./typedEntries";
import { variableSetVariableSubject, workspaceVariableSubject } from "./variable";
import { workspaceSubject } from "./workspace";

/** The subject of every definition; a test compares the list with the catalog. */
export const subjects: readonly (readonly [string, Subject])[] = [
  workspaceSubject,
  ...ofWorkspaceSubjects,
  registryProviderSubject,
  workspaceVariableSubject,
  ...inOrganizationSubjects,
  variableSetVariableSubject,
  ...registrySubjects,
  runTriggerSubject,
  notificationSubject,
  teamSubject,
  teamAccessSubject,
  jobSubject,
  namespaceSubject,
  variableSubject,
  nodePoolSubject,
  aclPolicySubject,
  aclRoleSubject,
  hostVolumeSubject,
  hostVolumeRegistrationSubject,
  aclTokenSubject,
  queueRoleSubject,
  mountSubject,
  authMethodSubject,
  policySubject,
  passwordPolicySubject,
  mfaMethodSubject,
  loginEnforcementSubject,
  ...cloudSubjects,
  ...directorySubjects,
  queueLeaseSubject,
  kvSecretSubject,
  userpassUserSubject,
  appRoleSubject,
  ...identitySubjects,
  secretsNamespaceSubject,
  configEntrySubject,
  ...typedEntrySubjects,
  keyValueSubject,
  meshAclPolicySubject,
  meshAclRoleSubject,
  meshAclTokenSubject,
].map((subject) => [subject.definition.token, subject]);

/** The subjects that can be changed. */
export const changeable = subjects.filter(([, { isFixed }]) => !isFixed);

/** The subjects that another user can delete. */
export const removable = subjects.filter(([, { takeAway }]) => takeAway);
