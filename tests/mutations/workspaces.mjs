/** What the definitions of workspaces say: locks, deletes, consumers, tags. */

const LOCKS = ["tests/services/workspaces/lockTable"];
const DELETES = ["tests/services/workspaces/workspaceDelete"];
const CONSUMERS = ["tests/services/workspaces/remoteStateConsumers"];
const TAGS = ["tests/services/workspaces/workspaceTags"];

const REPOSITORY = {
  tests: ["tests/services/workspaces/workspaceRules", "tests/services/workspaces/workspace.test"],
};

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const workspaces = [
  {
    what: "a repository is got at in exactly one way",
    find: "if (!isWritten(repository) || isGiven(token) !== isGiven(installation)) return undefined;",
    replace: "if (!isWritten(repository) || isGiven(token) || isGiven(installation)) return undefined;",
    ...REPOSITORY,
  },
  {
    what: "a changed member of a repository goes with the way to it",
    find: 'sentTogether: ["identifier", "oauthTokenId", "githubAppInstallationId"],',
    replace: 'sentTogether: ["identifier", "oauthTokenId"],',
    tests: ["tests/steps/quiet", "tests/steps/conflict", "tests/services/workspaces/workspace.test"],
  },
  {
    what: "a lock that shows another reason than ours is someone else's",
    find: 'return shown === undefined || shown === (reason ?? "") ? PERHAPS_OURS : undefined;',
    replace: "return PERHAPS_OURS;",
    tests: LOCKS,
  },
  {
    what: "a lock whose answer was lost is remembered as only perhaps ours",
    find: "address: { ...found.address, ...carried }",
    replace: "address: { ...found.address }",
    tests: LOCKS,
  },
  {
    what: "force breaks no lock that is only perhaps ours",
    find: "return certainty !== PERHAPS_OURS.certainty && holder !== undefined && holderOf(body) === holder;",
    replace: "return holder !== undefined && holderOf(body) === holder;",
    tests: LOCKS,
  },
  {
    what: "force breaks no lock whose holder nobody names",
    find: "return certainty !== PERHAPS_OURS.certainty && holder !== undefined && holderOf(body) === holder;",
    replace: "return certainty !== PERHAPS_OURS.certainty && holderOf(body) === holder;",
    tests: LOCKS,
  },
  {
    what: "a lock that someone else took meanwhile is not ours",
    find: "return ours !== undefined && shown !== undefined && shown !== ours;",
    replace: "return false;",
    tests: LOCKS,
  },
  {
    what: "an unlock that met a conflict is done only where nobody holds the lock",
    find: "if (!isConflict || !(await isLockedByNobody(context, address))) throw error;",
    replace: "if (!isConflict) throw error;",
    tests: LOCKS,
  },
  {
    what: "an unlock waits while the latest state version is not finalised",
    find: "const waits = found.status === 503 &&",
    replace: "const waits = found.status === 505 &&",
    tests: LOCKS,
  },
  {
    what: "a create of a lock looks first whether somebody holds one",
    find: 'export const lookedForAndRefused = (says: RefusesExisting["says"]): RefusesExisting => ({\n  by: "a refusal",\n  looksFirst: true,',
    replace:
      'export const lookedForAndRefused = (says: RefusesExisting["says"]): RefusesExisting => ({\n  by: "a refusal",\n  looksFirst: false,',
    tests: LOCKS,
  },
  {
    what: "a workspace that still manages resources is not deleted",
    find: "  if (count > 0) {\n",
    replace: "  if (count < 0) {\n",
    tests: DELETES,
  },
  {
    what: "a locked workspace is not deleted without force",
    find: "  if (body.locked === true) {\n",
    replace: "  if (body.locked === null) {\n",
    tests: DELETES,
  },
  {
    what: "a workspace is deleted by force only where the program asks for it",
    find: "forced ? forcible : safe,",
    replace: "seen === undefined ? safe : forcible,",
    tests: DELETES,
  },
  {
    what: "a delete that the service is known to refuse is not sent",
    find: "  refuseWithoutRight(seen, address, forced);\n",
    replace: "",
    tests: DELETES,
  },
  {
    what: "a delete waits while the service still processes the workspace",
    find: "return answer.status === 409 && errorsIn(answer).some((text) => /being processed/i.test(text));",
    replace: "return answer.status === 410;",
    tests: DELETES,
  },
  {
    what: "a delete that is refused for managed resources is not repeated to the end of its time",
    find: "return answer.status === 409 && errorsIn(answer).some((text) => /being processed/i.test(text));",
    replace: "return answer.status === 409;",
    tests: DELETES,
  },
  {
    what: "a name that is taken is told as an object that exists",
    find: "return answer.status === 422 && errorsIn(answer).some((words) => /already been taken/i.test(words));",
    replace: "return answer.status === 423;",
    tests: ["tests/services/workspaces/workspace.test", "tests/services/workspaces/registryProvider"],
  },
  {
    what: "a create that is refused for its values is no object that exists",
    find: "return answer.status === 422 && errorsIn(answer).some((words) => /already been taken/i.test(words));",
    replace: "return answer.status === 422;",
    tests: ["tests/services/workspaces/workspace.test"],
    only: "for its values",
  },
  {
    what: "a provider that this token may not delete is not asked to be",
    find: 'if (permissions["can-delete"] === false) {',
    replace: 'if (permissions["can-delete"] === null) {',
    tests: ["tests/services/workspaces/registryProvider"],
  },
  {
    what: "consumers of others are removed only by a program that adopts",
    find: 'inputs.exclusive !== true || othersIn(found["consumer-ids"], inputs).length === 0,',
    replace: 'inputs.exclusive !== null || othersIn(found["consumer-ids"], inputs).length === 0,',
    tests: CONSUMERS,
  },
  {
    what: "while the state is shared with the whole organization the list says nothing of who was authorised",
    find: '  if (isSharedGlobally(body)) {\n    tell(context, "warning", SHARED_GLOBALLY);\n    return ours;\n  }\n',
    replace: "",
    tests: CONSUMERS,
  },
  {
    what: "a consumer that the token cannot read is taken to be as written",
    find: "  return [...shown, ...hidden];\n",
    replace: "  return shown;\n",
    tests: CONSUMERS,
  },
  {
    what: "a consumer that can be read, and is not listed, is missing",
    find: "      if (isSuccess(answer)) return false;\n",
    replace: "      if (isSuccess(answer)) return true;\n",
    tests: CONSUMERS,
  },
  {
    what: "consumers of which the list would show none are not taken for removed",
    find: "&& (await unreadable(context, ids)).length < ids.length;",
    replace: ";",
    tests: CONSUMERS,
  },
  {
    what: "a delete of consumers removes what the program wrote, and nobody else",
    find: "  const ids = wordsIn(consumerIds);\n  if (ids.length === 0) return;",
    replace:
      "  const ids = await shownConsumers(context, address);\n  if (wordsIn(consumerIds).length === 0) return;",
    tests: CONSUMERS,
  },
  {
    what: "an answer that lists other tags is not believed",
    find: 'return write(context, "PATCH", bindingsPath, address, { data }, (answer) => areShown(to, answer));',
    replace: 'return write(context, "PATCH", bindingsPath, address, { data });',
    tests: TAGS,
  },
  {
    what: "key-value tags that are to go, go also where the service's own request only adds",
    find: "(key) => !(isObject(to) && Object.hasOwn(to, key)),",
    replace: "() => false,",
    tests: TAGS,
  },
  {
    what: "flat tags that the program drops are removed",
    find: 'if (dropped.length > 0) await write(context, "DELETE", tagsPath, address, { data: dropped.map(tag) });',
    replace: "",
    tests: TAGS,
  },
  {
    what: "of the program's flat tags only those that are new are bound",
    find: "const added = after.filter((name) => !before.includes(name));",
    replace: "const added = after;",
    tests: TAGS,
  },
];
