import type { Subject } from "../steps/subject";
import { subjects as all } from "../steps/subjects";
import { communityEntrySubjects } from "../steps/subjects/typedEntries";
import { reset } from "./reset";
import { givenServer, type Program } from "./servers/server";
import { secretsSubjects } from "./subjects/secrets";
import { workspaceSubjects } from "./subjects/workspaces";

/** How many stories of two programs and a person are tried. */
const STORIES = 12;

export type Named = readonly [token: string, subject: Subject];

/** Which service each program is. */
const SERVICES: Readonly<Record<Program, string>> = {
  nomad: "scheduler:",
  bao: "secrets:",
  otfd: "workspaces:",
  consul: "mesh:",
};

/** What a program does not have, and why; the rest of its service's subjects run on it as they are, or as named below. */
const LACKING: Readonly<Record<string, string>> = {
  ...each("secrets:Cloud", ["Root", "Lease", "Role", "StaticRole"], "bao has no engine for a cloud"),
  "workspaces:RegistryProvider": "otfd has no registry of providers",
  "workspaces:DataRetentionPolicy": "otfd has no retention policies",
  "workspaces:RemoteStateConsumers": "otfd has no list of consumers",
  ...each(
    "workspaces:Workspace",
    ["Lock", "SshKey"],
    "its programs name workspaces and keys by ids that only a stub can be told",
  ),
};

/** What needs more than the program, and is lacking where that was not found. */
const BESIDE: Readonly<Record<string, string>> =
  givenServer()?.program === "bao" && givenServer()?.more.directory === undefined
    ? each(
        "secrets:",
        ["DirectoryConfig", "DirectoryStaticRole", "DirectoryRole", "LibrarySet"],
        "bao was started without a directory: slapd is not on the PATH",
      )
    : {};

/** Everything that is not there. */
const MISSING: Readonly<Record<string, string>> = { ...LACKING, ...BESIDE };

const OWN: Readonly<Record<string, Subject>> = {
  ...Object.fromEntries(communityEntrySubjects.map((subject) => [subject.definition.token, subject])),
  ...secretsSubjects,
  ...workspaceSubjects,
};

/** The subjects of the server of this run, each in a world as it is: whoever lives several at once resets it for all. */
export const together: readonly Named[] = all
  .filter(([token]) => isServed(token) && MISSING[token] === undefined)
  .map(([token, subject]) => [token, OWN[token] ?? subject]);

/** The same, each in a world without what earlier stories left. */
export const subjects: readonly Named[] = together.map(([token, subject]) => [token, onServer(subject)]);

/** Those of which somebody can change something. */
export const changeable = subjects.filter(([, { isFixed }]) => !isFixed);

/** Those that somebody can take away. */
export const removable = subjects.filter(([, { takeAway }]) => takeAway);

/** What the server of this run lacks of its own service. */
export const lacking: readonly (readonly [token: string, why: string])[] = Object.entries(MISSING).filter(
  ([token]) => isServed(token),
);

function isServed(token: string): boolean {
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
