import { isObject, type Json, returnedIndex, textIn, wholeIn } from "../../core";

const indexIn = (index: Json | undefined) => wholeIn(index) ?? 0n;

/** The check-and-set of a variable: the query parameter `cas` with the modify index, 0 for "only if absent". */
export const variableCheck = returnedIndex({
  token: "ModifyIndex",
  requestParts: (token) => ({ query: { cas: token } }),
  returnedToken: ({ json }) => (isObject(json) ? wholeIn(json.ModifyIndex)?.toString() : undefined),
  isOwn: (named, { CreateIndex: created, ModifyIndex: latest }, planned = "0") =>
    [created, planned].every((index) => BigInt(named) >= indexIn(index)) && BigInt(named) <= indexIn(latest),
  isUnchangedSince: (named, { ModifyIndex: latest }) => textIn(latest) === named,
  // Nomad stores no earlier versions of a variable.
  versions: async () => [],
  alsoChangedBy: "a lock that someone acquires or releases",
  rejectsCurrent:
    "the variable is locked: only the holder of the lock may change or delete it. Wait until the lock is released or expires",
});
