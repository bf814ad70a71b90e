/** What is done once, what is never shown, and what takes several steps: nothing twice, and nothing lost. */

const DEEDS = ["tests/steps/deeds"];
const ISSUED = ["tests/services/secrets/credentials"];
const LEASES = ["tests/services/secrets/credentialLeases"];
const LIBRARY = ["tests/services/secrets/libraryCheckOut"];
const REKEY = ["tests/services/secrets/rekey.test"];

/** An act that is sent once more where it is not known whether it was carried out. */
const sentOnceMore = (after, token) => ({
  find: '  const answer = "answer" in outcome ? outcome.answer : undefined;',
  replace: `  if (outcome.kind === "${after}")
    await send(context, route, address, { nature: "single-use" }).catch(() => undefined);
  const answer = "answer" in outcome ? outcome.answer : undefined;`,
  tests: ["tests/faults/faults.test"],
  only: `whatever goes wrong with a request of a ${token} `,
  every: 1,
});

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const procedures = [
  ...["DirectoryRoleRotation", "WorkspaceForceUnlock"].map((name) => ({
    what: `a ${name} that its witness shows is not sent again`,
    ...sentOnceMore("shown", `\\w+:${name}`),
  })),
  ...["CloudRootRotation", "DirectoryRootRotation", "RecoveryBackupDeletion"].map((name) => ({
    what: `a ${name} of which nobody knows whether it was carried out is not sent again`,
    ...sentOnceMore("open", `\\w+:${name}`),
  })),
  {
    what: "an act that the service itself refused, and shows nothing of, fails",
    find: '  if (outcome.kind === "not shown" && outcome.why.isOwnRefusal) throw outcome.why;\n',
    replace: "",
    tests: DEEDS,
  },
  {
    what: "an act that may still be carried out is not asked to be repeated",
    find: '  if (outcome.kind === "not shown" && outcome.why.isOwnRefusal) throw outcome.why;',
    replace: '  if (outcome.kind === "not shown") throw outcome.why;',
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
    find: "  if (!goesOn) return updateStateOnly(definition, outputs, inputs);\n",
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
    find: "  if (left !== undefined) throw left;\n",
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
    find: "keep({ ...all, open: true });",
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
    find: "if (!isSuccess(answer)) throw errorFrom(context, answer, revoke, address);",
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
  {
    what: "credentials whose lease is no more are gone by a refresh",
    find: "if (answer.status === 400 && errorsIn(answer)?.some((error) => /^invalid lease$/i.test(error)))",
    replace: "if (answer.status === 410)",
    tests: LEASES,
    only: "gone by a refresh",
  },
  {
    what: "a refusal that says nothing of a lease proves nothing of it",
    find: "errorsIn(answer)?.some((error) => /^invalid lease$/i.test(error))",
    replace: "errorsIn(answer)?.length !== 0",
    tests: LEASES,
    only: "keep their state",
  },
  {
    what: "an answer that names another lease is none",
    find: "    if (lease.id !== id) throw errorOfRead(context, answer, lookUp, address);\n",
    replace: "",
    tests: LEASES,
    only: "another",
  },
  {
    what: "what was just issued is not due at once",
    find: "if (now < end - Math.min(before, given / 2) * 1000) return undefined;",
    replace: "if (now < end - before * 1000) return undefined;",
    tests: LEASES,
    only: "half over",
  },
  {
    what: "a lease at its max TTL is not renewed again",
    find: "    ...(isLast && { is_last: true }),\n",
    replace: "",
    tests: LEASES,
    only: "max TTL",
  },
  {
    what: "a renewal that is refused for good leads to new ones",
    find: "  keep({ ...learnt, is_last: true });\n",
    replace: "",
    tests: LEASES,
    only: "refused for good",
  },
  {
    what: "a renewal whose answer was lost is looked up",
    find: "? { happened: true, found: seen }\n          : { happened: false, found: seen };",
    replace: "? { happened: false, found: seen }\n          : { happened: false, found: seen };",
    tests: LEASES,
    only: "looked up",
  },
  {
    what: "a preview shows what is due",
    find: '    ...(due ? [whole([due.output], { cause: "drift", replaces: due.isReplacement })] : []),\n',
    replace: "",
    tests: LEASES,
  },
  {
    what: "what is due and goes on is done by an update",
    find: "records.unfinished !== undefined || due?.isReplacement === false;",
    replace: "records.unfinished !== undefined;",
    tests: LEASES,
  },
  {
    what: "a preview of a renewal does not know the lease's end",
    find: "...(due && { [due.output]: UNKNOWN })",
    replace: "",
    tests: LEASES,
    only: "stay",
  },
  {
    what: "credentials that a service did not wrap are not kept",
    find: "    keep({ ...lease, open: true });\n",
    replace: "    keep({ ...membersIn(members, properties), ...lease, open: true });\n",
    tests: LEASES,
    only: "does not wrap",
  },
  {
    what: "what nobody has unwrapped is unwrapped by a delete, for its lease",
    find: "const lease = isWrapped(learnt) ? await leaseUnwrapped(work) : leaseIdIn(learnt);",
    replace: "const lease = leaseIdIn(learnt);",
    tests: LEASES,
    only: "nobody unwrapped",
  },
  {
    what: "credentials that were issued without a parameter say so, and are kept",
    find: "    throw notAsAsked(kept);\n",
    replace: "    return kept;\n",
    tests: LEASES,
    only: "without a parameter",
  },
  {
    what: "a function that would make something fails",
    find: "    if (why !== undefined) throw new Error(why);\n",
    replace: "",
    tests: ["tests/services/secrets/functions"],
    only: "would make",
  },
];
