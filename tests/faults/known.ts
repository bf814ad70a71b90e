/** Known deviations from the rules, with their reasons. A complete run fails if one of them no longer occurs. */
export const known: readonly {
  readonly token: RegExp;
  readonly lives: readonly string[];
  readonly fault: RegExp;
  readonly why: string;
}[] = [
  {
    token: /^(secrets|workspaces|scheduler):/,
    lives: ["delete", "replace"],
    fault: /^read from before the latest write$/,
    why: "a stale read shows a new object as deleted: responses of HCP Terraform and Vault have no age, and Nomad's index restarts with a new cluster",
  },
  {
    token: /^workspaces:Workspace$/,
    lives: ["update"],
    fault: /^read from before the latest write$/,
    why: "tags that a stale read does not show count as removed, and stay",
  },
  {
    token: /^workspaces:(RemoteStateConsumers|Workspace)$/,
    lives: ["delete", "update"],
    fault: /^a list with an empty page$/,
    why: "an empty list is accepted: the API does not document whether its count includes objects that the token cannot read",
  },
  {
    token: /^scheduler:Job$/,
    lives: ["update"],
    fault: /^carried out twice/,
    why: "a default that the service sets for a dropped property cannot be distinguished from another user's value",
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
];
