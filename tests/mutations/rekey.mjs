/** A rekey and its verification: no share twice under one nonce, and no new key lost without a word. */

const REKEY = ["tests/services/secrets/rekey.test"];
const MISHAPS = ["tests/services/secrets/rekeyMishaps"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const rekey = [
  {
    what: "one answer alone is not believed that a rekey is no longer under way",
    find: 'if (known.phase !== "lost") await refuseUnderWay(work, known);',
    replace: "",
    tests: ["tests/faults/pairs.test"],
    only: "abandon a rekey",
  },
  {
    what: "an answer that shows no backup proves none gone",
    find: 'if (!isSuccess(answer) || typeof madeBy !== "string" || !isObject(keys))',
    replace: "if (!isSuccess(answer))",
    tests: ["tests/services/secrets/rekey.test"],
    only: "shows none and refuses none",
  },
  {
    what: "no share is given twice under one nonce",
    find: "    if (wordsIn(known.given).includes(mark)) continue;\n    work.keep({ ...known, being_given: mark });\n    const body = { key: share, nonce: wordIn(known.nonce) };\n    const { answer, lost } = await sendOnce(work.context, work.routes.update",
    replace:
      "    work.keep({ ...known, being_given: mark });\n    const body = { key: share, nonce: wordIn(known.nonce) };\n    const { answer, lost } = await sendOnce(work.context, work.routes.update",
    tests: REKEY,
    only: "too few",
  },
  {
    what: "the share that is being given is known before its request",
    find: "    work.keep({ ...known, being_given: mark });\n    const body = { key: share, nonce: wordIn(known.nonce) };\n    const { answer, lost } = await sendOnce(work.context, work.routes.update",
    replace:
      "    const body = { key: share, nonce: wordIn(known.nonce) };\n    const { answer, lost } = await sendOnce(work.context, work.routes.update",
    tests: REKEY,
    only: "together with its status",
  },
  {
    what: "a rekey of someone else is cancelled on request alone",
    find: "    throw foreign(status, isAsked);",
    replace: "",
    tests: REKEY,
    only: "someone else",
  },
  {
    what: "a rekey whose new shares were handed out is not adopted",
    find: "    if (isAsked && (await isInVerification(work, status))) throw completedElsewhere(status);\n",
    replace: "",
    tests: REKEY,
    only: "killed at its last share",
  },
  {
    what: "the other requests are sent only if the server said that it does not have the first",
    find: "if (isUnsupportedPath(answer)) continue;",
    replace: "if (!isSuccess(answer)) continue;",
    tests: ["tests/services/secrets/rekeyRoutes"],
    only: "not guessed",
  },
  {
    what: "a rekey goes on with the requests that started it",
    find: "recorded ? [recorded] : [UNAUTHENTICATED, AUTHENTICATED]",
    replace: "[UNAUTHENTICATED, AUTHENTICATED]",
    tests: ["tests/services/secrets/rekeyRoutes"],
    only: "that started a rekey",
  },
  {
    what: "a rekey whose start was lost is ours only where it is just as asked for",
    find: "if (!isAsAsked(now, asked))",
    replace: "if (!now.isStarted)",
    tests: REKEY,
    only: "start request is lost",
  },
  {
    what: "a rekey that somebody has given a share to is not taken for ours",
    find: "    status.progress === 0 &&\n    status.shares",
    replace: "    status.shares",
    tests: REKEY,
    only: "start request is lost",
  },
  {
    what: "shares that others gave are gone on with only where the program says so",
    find: "if (given === undefined && !isAllGiven && inputs.othersGiveShares !== true) {",
    replace: "if (given === undefined && !isAllGiven && inputs.othersGiveShares === null) {",
    tests: REKEY,
    only: "console",
  },
  {
    what: "shares that the service took back are given under another nonce",
    find: "if (status.progress === 0 && (given === undefined || known.taken_back === true)) {",
    replace: "if (status.progress < 0) {",
    tests: REKEY,
  },
  {
    what: "a backup that another rekey made is not handed out for ours",
    find: "if (madeBy !== nonce || fingerprints.length === 0) return undefined;",
    replace: "if (fingerprints.length === 0) return undefined;",
    tests: REKEY,
    only: "backup",
  },
  {
    what: "a backup that cannot be read now is not lost",
    find: "if (answer.status === 400 && /no backed-up keys/i.test(answer.text)) return undefined;",
    replace: "if (!isSuccess(answer)) return undefined;",
    tests: REKEY,
    only: "backup",
  },
  {
    what: "a rekey without verification that is no longer under way may have lost its shares, and is not begun anew",
    find: "if (inputs.requireVerification === false) return completedUnseen(work, known);",
    replace: "",
    tests: REKEY,
    only: "without verification",
  },
  {
    what: "new shares that were lost before they took effect are made again",
    find: "return isLastInDoubt(known) ? KEYS_LOST : againOrRefused",
    replace: "return againOrRefused",
    tests: [...REKEY, ...MISHAPS],
  },
  {
    what: "a rekey that someone else completed is theirs",
    find: "return isLastInDoubt(known) ? KEYS_LOST : againOrRefused",
    replace: "return known.nonce !== null ? KEYS_LOST : againOrRefused",
    tests: REKEY,
    only: "someone else completed",
  },
  {
    what: "a delete cancels a rekey only where it is ours",
    find: "if (isOurs(status, learnt)) await cancel(work, status.nonce);",
    replace: "await cancel(work, status.nonce);",
    tests: REKEY,
    only: "gave way",
  },
  {
    what: "a verification that counts what nobody knows begins again",
    find: "const now = given === undefined ? await restart(work, status) : status;",
    replace: "const now = status;",
    tests: REKEY,
    only: "a verification",
  },
  {
    what: "a rekey that is over is not taken for complete",
    find: 'if (!status.isStarted && isLastFor(known)) throw overAfter(work, "was lost");',
    replace: "if (!status.isStarted && isLastFor(known)) return complete(known);",
    tests: ["tests/services/secrets/rekey.test.ts"],
    only: "nothing shows which key",
  },
];
