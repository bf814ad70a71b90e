/** Writes of ours that were carried out and not read back; and what a person is told to do after an error. */

const UNREAD = ["tests/steps/unreadWrites"];
const WAYS = ["tests/core/http/waysOn"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const unread = [
  {
    what: "what is held where nobody wrote since is the answer, however it is spelled",
    find: "  if (isAnswer) return { ...rest, settled: now, seen: now };\n",
    replace: "",
    tests: UNREAD,
  },
  {
    what: "what the service takes once more with its old index is what it holds",
    find: "  if (isHeld !== true) return records;\n",
    replace: "  if (isHeld !== undefined) return records;\n",
    tests: UNREAD,
  },
  {
    what: "what the service does not take once more is someone else's",
    find: "  if (isHeld !== true) return records;\n",
    replace: "",
    tests: UNREAD,
  },
  {
    what: "a part whose request was not sent is as it was seen",
    find: "seen: { ...settled, ...only(before.seen, unwritten), ...(now && only(now, new Set(links))) },",
    replace: "seen: settled,",
    tests: UNREAD,
  },
  {
    what: "what somebody made of a link meanwhile is not recorded as seen",
    find: ".filter((name) => !moved.has(name));",
    replace: ".filter((name) => moved.size >= 0 && name.length > 0);",
    tests: ["tests/faults/pairs.test"],
    only: "key|consumers",
  },
  {
    what: "what a rule kept out of a body is not waited for",
    find: "    if (!(field.wire in sent)) return true;\n",
    replace: "",
    tests: UNREAD,
  },
  {
    what: "what went along with a write, and came back as written, is settled",
    find: "(isBack && !isLink(facts))",
    replace: "false",
    tests: UNREAD,
  },
  {
    what: "an object that was found can be taken over before it is removed",
    find: "...(adoption ? waysToAdopt(adoption) : []),",
    replace: "",
    tests: WAYS,
  },
  {
    what: "what is half made has the ways on of its reason",
    find: "waysOf(reason) ?? [upAgain()]",
    replace: "[upAgain()]",
    tests: WAYS,
  },
];
