/** Where the stub does not answer as the real server does, and why it stays so. */
interface Apart {
  readonly program: string;
  /** Beginning of the words by which an exchange is known; every exchange where it is empty. */
  readonly about: string;
  /** The member, from the status or the body on; `*` is any name, or any element. */
  readonly path: readonly string[];
  readonly because: string;
}

const onScheduler = (about: string, because: string, ...path: readonly string[]): Apart => ({
  program: "nomad",
  about,
  path,
  because,
});

const READERS_WORDS = "the words are those of another language's reader";
const OF_1_X = "releases before 2.0 answer it, empty";
const LATER = "blocks of secrets came with a later release than the specification's";
const NO_DEPLOYMENT =
  "the stub begins a deployment only where a test has it place something, so that nothing blocks the scaling";
const ZEROS =
  "the stub's parser answers null where the real one has an empty value; both are absent to a reader";

/** The open server speaks the API of another product, in its own words and with fewer members: its statuses count. */
const onOpenServer = (about: string, because: string, ...path: readonly string[]): Apart => ({
  program: "otfd",
  about,
  path,
  because,
});

const OWN_WORDS = "the stub has the words and members of the hosted product";

const KNOWN: readonly Apart[] = [
  onScheduler("an ACL policy", "the stub does not parse the rules of a policy", "body", "RulesJSON"),
  onOpenServer("", OWN_WORDS, "body"),
  onOpenServer("", OWN_WORDS, "type"),
  onOpenServer("the workspaces of nobody", "the open server lists nothing, and does not refuse", "status"),
  onOpenServer("a registry's provider", "the open server has no registry of providers", "status"),
  onOpenServer("a workspace without a name", "the hosted product answers 422", "status"),
  onOpenServer("a workspace of a name that is taken", "the hosted product answers 422", "status"),
  onOpenServer("a variable set of a name that is taken", "the hosted product answers 422", "status"),
  onOpenServer("an OAuth client, changed", "the open server has no such endpoint", "status"),
  onOpenServer("an agent token of another type, made", "the hosted product accepts both types", "status"),
  onOpenServer("an agent token without a description, made", "the hosted product answers 422", "status"),
  onOpenServer("run triggers without a direction", "the hosted product answers 400", "status"),
  onOpenServer("a notification of a trigger that does not exist", "the hosted product answers 422", "status"),
  onOpenServer("a workspace's key-value tags", "the open server has none", "status"),
  onOpenServer("a workspace, deleted safely", "the open server has no such action", "status"),
  ...["a variable of a key that is taken", "a sensitive variable"].map((about) =>
    onOpenServer(about, "the hosted product answers 422", "status"),
  ),
  onOpenServer("a variable of a set, of a key that is taken", "the hosted product answers 422", "status"),
  onOpenServer("a variable of a set, deleted", "the open server answers 200 with no body", "status"),
  onOpenServer("a variable, deleted", "the open server answers 200 with no body", "status"),
  onOpenServer("the projects", "the open server has no projects", "status"),
  onOpenServer("a run without a configuration version", "the stub's runs need no configuration", "status"),
  ...["a discarded run, applied", "an applied run, applied again"].map((about) =>
    onOpenServer(about, "the hosted product answers 409", "status"),
  ),
  onOpenServer("a workspace, deleted", "the stub's is gone since it was deleted safely", "status"),
  onScheduler(
    "a plan of",
    "the stub has no order of a diff's parts, and leaves out what is unchanged",
    "body",
    "Diff",
  ),
  ...["FailedTGAllocs", "CreatedEvals"].map((name) =>
    onScheduler("a plan of", "the stub's nodes are in every datacenter", "body", name),
  ),
  onScheduler("a register that is no JSON", READERS_WORDS, "body"),
  onScheduler("a number that no machine holds", READERS_WORDS, "body"),
  onScheduler("the jobs by a filter that is none", READERS_WORDS, "body"),
  onScheduler("text that cannot be read", READERS_WORDS, "body"),
  onScheduler("a path that is none", "an empty body has no type of its own", "type"),
  ...["VaultToken", "ConsulToken"].flatMap((name) => [
    onScheduler("", OF_1_X, "body", name),
    onScheduler("", OF_1_X, "body", "Versions", "*", name),
  ]),
  onScheduler("", LATER, "body", "TaskGroups", "*", "Tasks", "*", "Secrets"),
  onScheduler("", LATER, "body", "Versions", "*", "TaskGroups", "*", "Tasks", "*", "Secrets"),
  ...["KillSignal", "Kind", "Leader", "ShutdownDelay", "User", "CSIPluginConfig"].map((name) =>
    onScheduler("text, parsed", ZEROS, "body", "TaskGroups", "*", "Tasks", "*", name),
  ),
  onScheduler("text, parsed", ZEROS, "body", "Dispatched"),
  onScheduler("the latest deployment of a job", NO_DEPLOYMENT, "body"),
  ...["status", "type", "body"].map((name) => onScheduler("a job, scaled", NO_DEPLOYMENT, name)),
  {
    program: "bao",
    about: "a body that is no JSON",
    path: ["body", "errors"],
    because:
      "an earlier build says no more than that it is none, as the stub does; a later one has its reader's words",
  },
  {
    program: "bao",
    about: "a role's vhosts that are no JSON",
    path: ["body", "errors"],
    because: "the words after the colon are those of another language's reader",
  },
  {
    program: "bao",
    about: "a number that no machine holds",
    path: ["body", "errors"],
    because: "the stub's reader of JSON knows infinity; it refuses it all the same, with its own words",
  },
  {
    program: "bao",
    about: "a dynamic role with LDIF that cannot be read",
    path: ["body", "errors"],
    because: "the words after the colon are those of another reader of LDIF",
  },
  {
    program: "consul",
    about: "entries under a filter that names nothing",
    path: ["body"],
    because: "the stub's reader of filters has the words for a name that is missing deeper within",
  },
  {
    program: "consul",
    about: "an entry that is no JSON",
    path: ["body"],
    because: "the words after the colon are those of another language's reader",
  },
  {
    program: "consul",
    about: "a number that no machine holds",
    path: ["body"],
    because: "the stub's reader of JSON knows infinity; it refuses it all the same, with its own words",
  },
];

/** The members in which an exchange of a server is known to differ. */
export function apart(program: string, about: string): readonly (readonly string[])[] {
  return KNOWN.filter((one) => one.program === program && about.startsWith(one.about)).map(
    ({ path }) => path,
  );
}
