/** What functions answer, and what watches tell. */

const TABLES = ["tests/services/answers"];
const WATCHES = ["tests/services/scheduler/watchLists"];
const RECEIPT = ["tests/services/scheduler/jobReceipt"];
const PAGE = ["tests/services/workspaces/workspacePage"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const answers = [
  {
    what: "what stands in a text's place in an answer is told, whatever it is",
    find: 'return textIn(value) ?? (value === undefined ? "" : formatJson(value));',
    replace: "return String(value);",
    tests: ["tests/core/value/scalar"],
  },
  {
    what: "base64 of no text is no LDIF",
    find: 'const plain = isUtf8(bytes) ? bytes.toString("utf8") : "";',
    replace: 'const plain = bytes.toString("utf8");',
    tests: ["tests/services/answers/oddMembers"],
    only: "looks like base64",
  },
  {
    what: "half of a surrogate pair in an answer is read as the services read it",
    find: "return MAY_HOLD_HALVES.test(text) || !text.isWellFormed() ? wellFormed(value) : value;",
    replace: "return value;",
    tests: ["tests/core/value/json"],
  },
  {
    what: "an index in a typed answer is text",
    find: "if (schema instanceof z.ZodString) return textIn(value);",
    replace: "",
    tests: TABLES,
  },
  {
    what: "a list that the service says as null is an empty one in a typed answer",
    find: "if (schema instanceof z.ZodArray) return [];",
    replace: "",
    tests: TABLES,
  },
  {
    what: "what a workspace points to is answered",
    find: "    ...pointersOf(data),\n",
    replace: "",
    tests: TABLES,
  },
  {
    what: "a workspace in a list is answered as whole as one that is read",
    find: "return shown(workspace, body, address, workspaceShown);",
    replace: "return shown(workspace, body, address);",
    tests: TABLES,
  },
  {
    what: "a watch of a job's allocations waits for what comes after the index that it was told",
    find: "const waiting = { ...args, ...(index !== undefined && { index }) };",
    replace: "const waiting = { ...args, ...(index === null && { index }) };",
    tests: WATCHES,
    only: "waits for",
  },
  {
    what: "a watch of jobs waits for what comes after the index that it was told",
    find: "const value = await collected(stubs, now, { ...args, ...(index !== undefined && { index }) });",
    replace: "const value = await collected(stubs, now, { ...args, ...(index === null && { index }) });",
    tests: WATCHES,
    only: "waits",
  },
  {
    what: "what an earlier register told is not told of one whose answer was lost",
    find: "return ofObject(changes).length > 0 ? undefined : records.receipt;",
    replace: "return changes.length < 0 ? undefined : records.receipt;",
    tests: RECEIPT,
    only: "lost",
  },
  {
    what: "the version of somebody who registers right after us is not ours",
    find: "version: isOwn && version !== undefined ? Number(version) : undefined,",
    replace: "version: version !== undefined ? Number(version) : undefined,",
    tests: RECEIPT,
    only: "right after",
  },
  {
    what: "what a job told is in the records, and not in what is read",
    find: "if (facts.inReceipt) return records.receipt?.[name];",
    replace: "",
    tests: RECEIPT,
  },
  {
    what: "of a job that was taken over nothing is told",
    find: "if (receipt !== undefined) records = withReceipt(records, { ...receipt, ...learnt });",
    replace: "records = withReceipt(records, { ...receipt, ...learnt });",
    tests: RECEIPT,
    only: "taken over|did not start",
  },
  {
    what: "an output that earlier states lack is no news of the object",
    find: "return names.size > 0 && equalJson(own, { ...outputsInState(outputs) }) ? own : read;",
    replace: "return names.size < 0 && equalJson(own, { ...outputsInState(outputs) }) ? own : read;",
    tests: PAGE,
    only: "earlier version",
  },
];
