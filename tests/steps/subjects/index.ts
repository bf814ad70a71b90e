import type { Subject } from "../subject";
import { cloudSubjects } from "./cloud";
import { configEntrySubject } from "./configEntry";
import { directorySubjects } from "./directory";
import { jobSubject } from "./job";
import { ofWorkspaceSubjects } from "./ofWorkspace";
import { registryProviderSubject } from "./registryProvider";
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
import { typedEntrySubjects } from "./typedEntries";
import { workspaceSubject } from "./workspace";

/** The subject of every definition; a test compares the list with the catalog. */
export const subjects: readonly (readonly [string, Subject])[] = [
  workspaceSubject,
  ...ofWorkspaceSubjects,
  registryProviderSubject,
  jobSubject,
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
  configEntrySubject,
  ...typedEntrySubjects,
].map((subject) => [subject.definition.token, subject]);

/** The subjects that can be changed. */
export const changeable = subjects.filter(([, { isFixed }]) => !isFixed);

/** The subjects that another user can delete. */
export const removable = subjects.filter(([, { takeAway }]) => takeAway);
