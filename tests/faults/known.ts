const SECOND_CLIENT =
  "the server accepts several clients with the same name: a request that is carried out late or twice, another user's equal create, or a list without the existing client leads to a second one";

/** Known deviations from the rules, with their reasons. A complete run fails if one of them no longer occurs. */
export const known: readonly {
  readonly token: RegExp;
  readonly lives: readonly string[];
  readonly fault: RegExp;
  readonly why: string;
}[] = [
  {
    token: /^(secrets|workspaces|scheduler):|^mesh:Acl/,
    lives: ["delete", "replace"],
    fault: /^read from before the latest write$/,
    why: "a stale read shows a new object as deleted: responses of HCP Terraform and Vault have no age, Nomad's index restarts with a new cluster, and Consul has no check-and-set for ACL objects",
  },
  {
    token: /^workspaces:(Workspace|Project)$/,
    lives: ["update"],
    fault: /^read from before the latest write$/,
    why: "tags that a stale read does not show count as removed, and stay",
  },
  {
    token: /^workspaces:(RemoteStateConsumers|Workspace|Project)$/,
    lives: ["delete", "update"],
    fault: /^a list with an empty page$/,
    why: "an empty list is accepted: the API does not document whether its count includes objects that the token cannot read",
  },
  {
    token: /^scheduler:(Namespace|NodePool)$/,
    lives: ["adopt"],
    fault: /^read from before the latest write$/,
    why: "an adoption writes back a value that the program does not set, as a stale read shows it: a write replaces the complete object",
  },
  {
    token: /^scheduler:Job$/,
    lives: ["update"],
    fault: /^carried out twice/,
    why: "a default that the service sets for a dropped property cannot be distinguished from another user's value",
  },
  {
    token: /^workspaces:RegistryProvider(Version|Platform)$/,
    lives: ["import", "adopt"],
    fault: /^200 with (an empty body|null|\{\}|HTML), (not )?carried out$/,
    why: "a file can have any content, so a download that a proxy answers is taken for the file",
  },
  {
    token: /^workspaces:RegistryProvider(Version|Platform)$/,
    lives: ["create"],
    fault: /^killed (before|when) it is carried out$/,
    why: "a killed create leaves an object without its files: a create that adopts only identical objects does not take it over",
  },
  {
    token: /^workspaces:ConfigurationVersion$/,
    lives: ["create"],
    fault: /^(40[13] in mid-operation|the token ends)$/,
    why: "only the response to the create contains the upload URL: after a rejected upload, the next pulumi up creates another configuration version. The first one has no files",
  },
  {
    token: /^workspaces:Workspace$/,
    lives: ["create"],
    fault: /^killed (before|when) it is carried out$/,
    why: "a killed create leaves a workspace without its flat tags, which have a request of their own: a create that adopts only identical objects does not take it over",
  },
  {
    token: /^workspaces:OauthClient$/,
    lives: ["create", "adopt"],
    fault:
      /^another user's equal create|, carried out [\d.]+ s later$|^carried out (after the probe|twice, the second answered)$|^read from before the latest write$|^a list with (an empty page|half of a page)$/,
    why: SECOND_CLIENT,
  },
  {
    token: /^workspaces:NotificationConfiguration$/,
    lives: ["create", "adopt"],
    fault:
      /^(another user's equal create just (before|after)|carried out (after the probe|twice, the second answered)|.*, carried out [\d.]+ s later|read from before the latest write|a list with an empty page)$/,
    why: "no document says that HCP Terraform rejects a second configuration of a name: a create that is carried out late or twice leaves one, and so does a list that does not contain the first one",
  },
  {
    token: /^scheduler:AclToken$/,
    lives: ["create", "adopt"],
    fault:
      /^(another user's equal create|carried out (twice|after the probe)|503 of a gateway|the connection reset, carried out|a list with an empty page|read from before the latest write)/,
    why: "Nomad chooses the accessor ID, and names of tokens are not unique: a create that arrives late, twice or beside another one makes a second token. Quarterdeck itself never sends a create again whose outcome is unknown.",
  },
];

/** Known deviations with two faults in one command, by the violated rule. */
export const knownOfTwo: readonly {
  readonly token: RegExp;
  /** One of the two faults. */
  readonly fault: RegExp;
  readonly wrong: RegExp;
  readonly why: string;
}[] = [
  {
    token: /^workspaces:RemoteStateConsumers$/,
    fault: /^a list with an empty page$/,
    wrong: /^destroyed, it leaves something behind/,
    why: "an empty list is accepted: consumers that our own write added, whose response was lost, then count as another user's",
  },
  {
    token: /^mesh:/,
    fault: /^read from before the latest write$/,
    wrong: /^the service holds something else/,
    why: "the probe after a delete is a stale read, which shows the object as deleted",
  },
  {
    token: /^scheduler:Job$/,
    // The other fault is another user's change.
    fault: /^(?!another user)/,
    wrong: /^(theirs stands|the service holds something else)/,
    why: "another user's additions between our write and its probe cannot be distinguished from the service's defaults, because the index of our write is unknown",
  },
  {
    token: /^workspaces:OauthClient$/,
    fault: /carried out|another user's equal create|^read from before the latest write$|^a list with/,
    wrong: /^the service holds something else/,
    why: SECOND_CLIENT,
  },
  {
    token: /^scheduler:AclToken$/,
    fault: /^(another user's equal create|carried out twice|503 of a gateway|the connection reset)/,
    wrong: /^(the service holds something else|it ended well, and the service holds something else)/,
    why: "names of Nomad's tokens are not unique, so Nomad creates a second one",
  },
];
