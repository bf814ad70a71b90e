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
    why: "an answer from before the object was made shows it as gone: the workspaces and the secrets do not say how old an answer is, and the scheduler's index is as low after its cluster was made anew",
  },
  {
    token: /^workspaces:Workspace$/,
    lives: ["update"],
    fault: /^read from before the latest write$/,
    why: "tags that an old answer does not show are taken for gone already, and stay",
  },
  {
    token: /^workspaces:(RemoteStateConsumers|Workspace)$/,
    lives: ["delete", "update"],
    fault: /^a list that lacks a page$/,
    why: "an empty list is believed: whether its count holds what the token cannot read is not specified",
  },
  {
    token: /^scheduler:Job$/,
    lives: ["update"],
    fault: /^carried out twice/,
    why: "what the service fills in again for what the program dropped cannot be told from somebody's",
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
    fault: /^a list that lacks a page$/,
    wrong: /^destroyed, it leaves something behind/,
    why: "an empty list is believed: what our own write has added to it, whose answer was lost, is taken for somebody's then",
  },
  {
    token: /^mesh:/,
    fault: /^read from before the latest write$/,
    wrong: /^the service holds something else/,
    why: "the look in place of a delete's answer is answered from before the object was made, and shows it as gone",
  },
  {
    token: /^scheduler:Job$/,
    // The other fault is another user's change.
    fault: /^(?!another user)/,
    wrong: /^(theirs stands|the service holds something else)/,
    why: "what somebody adds where the program writes nothing, between our write and the look in place of its answer, cannot be told from what the service fills in: the index of our own write is not known then",
  },
];
