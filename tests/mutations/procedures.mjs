/** What is done once, what is never shown, and what takes several steps: nothing twice, and nothing lost. */

const DEEDS = ["tests/steps/deeds"];
const ISSUED = ["tests/services/secrets/credentials"];
const LIBRARY = ["tests/services/secrets/libraryCheckOut"];
const REKEY = ["tests/services/secrets/rekey.test"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const procedures = [
  {
    what: "an act that its witness shows not to have happened fails",
    find: '  if (outcome.kind === "not shown" && !outcome.why.mayStillHappen) throw doubtError(outcome, upAgain());',
    replace: "",
    tests: DEEDS,
  },
  {
    what: "an act that may still be carried out is not asked to be repeated",
    find: '  if (outcome.kind === "not shown" && !outcome.why.mayStillHappen) throw doubtError(outcome, upAgain());',
    replace: '  if (outcome.kind === "not shown") throw doubtError(outcome, upAgain());',
    tests: DEEDS,
    only: "hangs",
  },
  {
    what: "an act is known to have happened by what its witness shows to have moved",
    find: "return equalJson(before, now) ? { happened: false } : { happened: true, found: now };",
    replace: "return { happened: false };",
    tests: DEEDS,
  },
  {
    what: "an act that finds nothing left to do is done",
    find: 'means: (answer) => (isDoneAlready?.(answer) ? "done already" : undefined),\n    ...(isAnswered && { isAnswered: (answer) => isAnswered(answer, address) }),',
    replace: "...(isAnswered && { isAnswered: (answer) => isAnswered(answer, address) }),",
    tests: ["tests/services/workspaces/forceUnlock"],
  },
  {
    what: "an act acts once: a refresh and an update send nothing",
    find: "update: (_input, old, inputs) => updateStateOnly(definition, old, inputs),\n      remove: async () => undefined,",
    replace:
      "update: async (input, _old, inputs) => (await act(definition, input, inputs)).outputs,\n      remove: async () => undefined,",
    tests: DEEDS,
  },
  {
    what: "what is never shown, and whose answer was lost, is written again by the next up",
    find: 'if (outcome.kind !== "open") return made(inputs);',
    replace: "return made(inputs);",
    tests: DEEDS,
  },
  {
    what: "a first write of what is never shown counts as nothing written where its answer was lost",
    find: "    Object.fromEntries(local),\n  );",
    replace: "    inputs,\n  );",
    tests: DEEDS,
  },
  {
    what: "a later write of what is never shown counts as the one before where its answer was lost",
    find: "return (await writeWhole(definition, context, records.address, inputs, records.applied)).outputs;",
    replace: "return (await writeWhole(definition, context, records.address, inputs, inputs)).outputs;",
    tests: [...DEEDS, "tests/steps/lateParts", "tests/services/secrets/queueConnection"],
  },
  {
    what: "what is never shown is not written where the service need not hear of a change",
    find: "if (!sends) return outputsOf(definition, { ...inputs }, { ...records, applied: inputs }, {});",
    replace: "",
    tests: [...DEEDS, "tests/services/secrets/queueConnection"],
  },
  {
    what: "a procedure that has kept nothing leaves nothing in the state",
    find: 'if (step === "create" && Object.keys(latest).length === 0) throw error;',
    replace: "",
    tests: ["tests/steps/procedures"],
  },
  {
    what: "what a procedure has learnt is in the state, whatever fails after it",
    find: "const latest = kept() ?? before.learnt ?? {};",
    replace: "const latest = before.learnt ?? {};",
    tests: REKEY,
    only: "too few shares",
  },
  {
    what: "what a procedure knew before stays known where an up fails before it learns more",
    find: "const latest = kept() ?? before.learnt ?? {};",
    replace: "const latest = kept() ?? {};",
    tests: [...REKEY, ...ISSUED],
  },
  {
    what: "a procedure that is done is not gone on with",
    find: "if (records.unfinished === undefined) return updateStateOnly(definition, outputs, inputs);",
    replace: "",
    tests: ["tests/steps/procedures", ...ISSUED],
  },
  {
    what: "what kept a procedure from going on is told later without its secrets",
    find: "unfinished: work.context.redactor.mask(reason.message)",
    replace: "unfinished: reason.message",
    tests: ["tests/steps/proceeding"],
  },
  {
    what: "what a procedure knew is masked in what fails later",
    find: "if (records.learnt !== undefined) learn(records.learnt);",
    replace: "",
    tests: ["tests/steps/proceeding"],
  },
  {
    what: "what a refresh of a procedure learns is kept",
    find: "const now = { ...records, learnt };",
    replace: "const now = records;",
    tests: ["tests/steps/proceeding"],
  },
  {
    what: "what is over by its own clock is made anew",
    find: "return Date.parse(end) <= connection.runtime.now() ? { output, end } : undefined;",
    replace: "return undefined;",
    tests: LIBRARY,
    only: "lease has ended",
  },
  {
    what: "what lives beside its replacement is ended after that is made",
    find: "moved.length === 0 && !isCreatedBeforeDelete(definition),",
    replace: "moved.length === 0,",
    tests: ISSUED,
    only: "other triggers",
  },
  {
    what: "credentials whose answer was lost are never asked for again",
    find: 'if (learnt.open === true) throw open(fresh, "an earlier answer was lost.");',
    replace: "",
    tests: ISSUED,
    only: "lost",
  },
  {
    what: "credentials that may have been issued are kept as open",
    find: "    keep({ open: true });\n",
    replace: "",
    tests: ISSUED,
    only: "lost",
  },
  {
    what: "the lease of credentials that a success did not hold is kept, to be revoked",
    find: "keep({ ...issued, open: true });",
    replace: "keep({ open: true });",
    tests: ISSUED,
    only: "success does not hold",
  },
  {
    what: "a revocation that was lost is done only where the lease is over",
    find: "    if (isOver) return;",
    replace: "    if (isOver !== undefined) return;",
    tests: ISSUED,
    only: "revocation",
  },
  {
    what: "a refused revocation keeps the credentials in the state",
    find: "if (!isSuccess(answer)) throw errorFrom(context, answer, revoke, {});",
    replace: "",
    tests: ISSUED,
    only: "revoke",
  },
  {
    what: "check-outs of one set take their turns",
    find: "const turn = before.then(run, run);",
    replace: "const turn = run();",
    tests: LIBRARY,
    only: "turn",
  },
  {
    what: "an account that was newly borrowed by a lost request is returned",
    find: "if (lost) throw await afterLostAnswer(work, before, lost);",
    replace: "if (lost) throw lost;",
    tests: LIBRARY,
    only: "lost",
  },
  {
    what: "where several accounts are newly borrowed none is returned",
    find: "  if (others.length > 0) {\n    return",
    replace: "  if (others.length < 0) {\n    return",
    tests: LIBRARY,
    only: "several",
  },
  {
    what: "an account that is somebody else's by then is left alone",
    find: "return known.borrower === undefined || known.borrower === account.borrower;",
    replace: "return true;",
    tests: LIBRARY,
  },
  {
    what: "an account is returned in doubt only where the service knows its borrowers",
    find: 'if (isInDoubt && (await isOpenToAll(work))) return "cannot be told";',
    replace: "",
    tests: LIBRARY,
  },
  {
    what: "an account whose return failed is returned before another is borrowed",
    find: "work.keep({ to_return: only, ...(account && { borrower: account.borrower }) });",
    replace: "",
    tests: LIBRARY,
  },
  {
    what: "what the set's status showed before a doubt is kept for the next up",
    find: "  if (after === undefined) {\n    work.keep({ before: snapshotOf(before) });",
    replace: "  if (after === undefined) {",
    tests: LIBRARY,
    only: "lost",
  },
  {
    what: "an account whose lease has ended is not checked in",
    find: 'if (account === "" || hasEnded(work, learnt)) return;',
    replace: 'if (account === "") return;',
    tests: LIBRARY,
    only: "by then",
  },
  {
    what: "a check-in that the service accepted is done only where the account is available",
    find: 'if (now === undefined || now.isAvailable) return "returned";',
    replace: 'return "returned";',
    tests: LIBRARY,
  },
];
