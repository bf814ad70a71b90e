import type { Subject } from "../subject";
import { cloudSubjects } from "./cloud";
import { configEntrySubject } from "./configEntry";
import { directorySubjects } from "./directory";
import { jobSubject } from "./job";
import { ofWorkspaceSubjects } from "./ofWorkspace";
import { registryProviderSubject } from "./registryProvider";
import { loginEnforcementSubject, mfaMethodSubject, queueLeaseSubject, queueRoleSubject } from "./secrets";
import { typedEntrySubjects } from "./typedEntries";
import { workspaceSubject } from "./workspace";

/** Every definition, with what the laws need to try it; a test holds the list to the catalog. */
export const subjects: readonly (readonly [string, Subject])[] = [
  workspaceSubject,
  ...ofWorkspaceSubjects,
  registryProviderSubject,
  jobSubject,
  queueRoleSubject,
  mfaMethodSubject,
  loginEnforcementSubject,
  ...cloudSubjects,
  ...directorySubjects,
  queueLeaseSubject,
  configEntrySubject,
  ...typedEntrySubjects,
].map((subject) => [subject.definition.token, subject]);

/** Those of which somebody can change something. */
export const changeable = subjects.filter(([, { isFixed }]) => !isFixed);

/** Those that somebody can take away. */
export const removable = subjects.filter(([, { takeAway }]) => takeAway);
