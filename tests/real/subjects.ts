import type { Subject } from "../steps/subject";
import { subjects as all } from "../steps/subjects";
import { communityEntrySubjects } from "../steps/subjects/typedEntries";
import { reset } from "./reset";
import { givenServer, type Program } from "./servers/server";
import { secretsSubjects } from "./subjects/secrets";
import { workspaceSubjects } from "./subjects/workspaces";

/** The number of stories with two programs and another user. */
const STORIES = 12;

export type Named = readonly [token: string, subject: Subject];

/** The service of each server. */
const SERVICES: Readonly<Record<Program, string>> = {
  nomad: "scheduler:",
  bao: "secrets:",
  otfd: "workspaces:",
  consul: "mesh:",
};

/** Subjects that a server does not support, with the reason. The other subjects of its service run on it. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  ...each("secrets:Cloud", ["Root", "Lease", "Role", "StaticRole"], "bao has no engine for a cloud"),
  ...each(
    "secrets:",
    ["EntityAlias", "GroupAlias"],
    "its programs contain IDs of an auth method and an object that only a stub assigns",
  ),
  ...each(
    "scheduler:HostVolume",
    ["", "Registration"],
    "its programs contain the ID of a node that only a stub assigns",
  ),
  "workspaces:RegistryProvider": "otfd has no registry of providers",
  "workspaces:GpgKey": "otfd has no private registry of providers",
  "workspaces:RegistryProviderVersion": "otfd has no private registry of providers",
  "workspaces:RegistryProviderPlatform": "otfd has no private registry of providers",
  "workspaces:DataRetentionPolicy": "otfd has no retention policies",
  "workspaces:Project": "otfd has no projects",
  ...each(
    "workspaces:",
    ["Variable", "RunTrigger", "NotificationConfiguration"],
    "its programs contain the ID of a workspace that only a stub can assign",
  ),
  "workspaces:VariableSetVariable":
    "its programs contain the ID of a variable set that only a stub can assign",
  "workspaces:TeamAccess": "otfd has no access of teams to workspaces in this API",
  "workspaces:RemoteStateConsumers": "otfd has no list of consumers",
  ...each(
    "workspaces:Workspace",
    ["Lock", "SshKey"],
    "its programs contain IDs of workspaces and keys that only a stub can assign",
  ),
};

/** Subjects that need an additional program that was not found. */
const NEEDING_A_PROGRAM: Readonly<Record<string, string>> =
  givenServer()?.program === "bao" && givenServer()?.more.directory === undefined
    ? each(
        "secrets:",
        ["DirectoryConfig", "DirectoryStaticRole", "DirectoryRole", "LibrarySet"],
        "bao was started without a directory: slapd is not on the PATH",
      )
    : {};

/** All subjects that do not run. */
const ALL_UNSUPPORTED: Readonly<Record<string, string>> = { ...UNSUPPORTED, ...NEEDING_A_PROGRAM };

const ADAPTED: Readonly<Record<string, Subject>> = {
  ...Object.fromEntries(communityEntrySubjects.map((subject) => [subject.definition.token, subject])),
  ...secretsSubjects,
  ...workspaceSubjects,
};

/** The subjects of this run's server. They do not reset it: a test that runs several at the same time does that. */
export const together: readonly Named[] = all
  .filter(([token]) => isSupported(token) && ALL_UNSUPPORTED[token] === undefined)
  .map(([token, subject]) => [token, ADAPTED[token] ?? subject]);

/** The same subjects, each on a reset server. */
export const subjects: readonly Named[] = together.map(([token, subject]) => [token, onServer(subject)]);

/** Subjects that another user can edit. */
export const changeable = subjects.filter(([, { isFixed }]) => !isFixed);

/** Subjects that another user can delete. */
export const removable = subjects.filter(([, { takeAway }]) => takeAway);

/** The subjects of its own service that this run's server does not support. */
export const unsupported: readonly (readonly [token: string, why: string])[] = Object.entries(
  ALL_UNSUPPORTED,
).filter(([token]) => isSupported(token));

function isSupported(token: string): boolean {
  const server = givenServer();
  return server !== undefined && token.startsWith(SERVICES[server.program]);
}

function onServer(subject: Subject): Subject {
  return {
    ...subject,
    stories: STORIES,
    async world() {
      await reset();
      return subject.world();
    },
  };
}

function each(prefix: string, names: readonly string[], why: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [prefix + name, why]));
}
