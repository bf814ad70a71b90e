/** What the definitions of jobs and of entries say, which a service checks by an index. */

const JOB = ["tests/services/scheduler/job.test"];
const WAIT = ["tests/services/scheduler/jobWait"];
const ENTRY = ["tests/services/mesh/configEntry"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const indexed = [
  {
    what: "a stopped job is taken over unasked",
    find: "creation: { takesOver: (found) => found.Stop === true },",
    replace: "creation: { takesOver: (found) => found.Stop === 1 },",
    tests: JOB,
  },
  {
    what: "a job that runs is taken over by a program that adopts alone",
    find: "creation: { takesOver: (found) => found.Stop === true },",
    replace: "creation: { takesOver: () => true },",
    tests: JOB,
  },
  {
    what: "a register is checked against the job's index",
    find: "EnforceIndex: true, JobModifyIndex: BigInt(token)",
    replace: "JobModifyIndex: BigInt(token)",
    tests: JOB,
  },
  {
    what: "an unchanged register, whose answer names another index, is still ours",
    find: "isStill: (named, body) => [body.JobModifyIndex, body.ModifyIndex].map(textIn).includes(named),",
    replace: "isStill: (named, body) => String(body.JobModifyIndex) === named,",
    tests: JOB,
    only: "either index",
  },
  {
    what: "a lost check of a register is told by its words, and no other failure",
    find: "return answer.status === 500 && /Enforcing job modify index \\d+: job /.test(answer.text);",
    replace: "return answer.status === 500;",
    tests: ["tests/steps/ownNo"],
    only: "job",
  },
  {
    what: "a group's count that the program changed is the program's, whatever the autoscaler made of it",
    find: "(name) => before === undefined || countIn(before, name) === countIn(job, name),",
    replace: "() => before !== undefined || before === undefined,",
    tests: JOB,
    only: "count",
  },
  {
    what: "a count moves as far as the bounds that the program moved ask for",
    find: '  return typeof Max === "number" ? Math.min(Max, atLeast) : atLeast;',
    replace: "  return count;",
    tests: JOB,
    only: "count",
  },
  {
    what: "deregisterOnDelete: false leaves the job running",
    find: "if (deletion.isSkipped?.(records.applied)) return;",
    replace: "",
    tests: JOB,
    only: "delete",
  },
  {
    what: "a job that is stopped already is not stopped again",
    find: "return found && context.deletion.isDone?.(found.body, inputs) ? undefined : found;",
    replace: "return found;",
    tests: JOB,
    only: "delete",
  },
  {
    what: "a wait for the deployment is not settled by that of another version",
    find: "wordIn(deployment.JobSpecModifyIndex) === wordIn(job.JobModifyIndex) &&",
    replace: "",
    tests: WAIT,
    only: "no node can take|new version",
  },
  {
    what: "a job that somebody purges while it is waited for is an error",
    find: 'if (now === undefined) throw never("someone else purged the job");',
    replace: "if (now === undefined) return;",
    tests: WAIT,
    only: "others take",
  },
  {
    what: "a job that somebody stops while it is waited for is an error",
    find: "if (now.Stop === true && job.Stop !== true)",
    replace: "if (now.Stop === 1)",
    tests: WAIT,
    only: "others take",
  },
  {
    what: "a job that somebody registers anew while it is waited for is an error",
    find: "if (wordIn(now.JobModifyIndex) !== wordIn(job.JobModifyIndex))",
    replace: "if (now.JobModifyIndex === null)",
    tests: WAIT,
    only: "others take",
  },
  {
    what: "the service is not asked to hold an answer back for longer than the operation may take",
    find: "return Math.max(1, Math.min(LONGEST_WAIT_S, Math.floor((leftMs * 16) / 17 / 1000)));",
    replace: "return LONGEST_WAIT_S + 0 * leftMs;",
    tests: ["tests/core/requests/follow"],
  },
  {
    what: "the service's own no ends a wait",
    find: "throw answer.status === 500 ? new AdvisedError(error.what, error.ways, error.end) : error;",
    replace: "throw error;",
    tests: ["tests/core/requests/follow"],
  },
  {
    what: "an entry's write and delete carry its index",
    find: "carry: (token) => ({ query: { cas: token } }),",
    replace: "carry: () => ({}),",
    tests: ENTRY,
  },
  {
    what: "a check-and-set that the mesh refuses is told by the word false",
    find: 'return answer.status === 200 && answer.text.trim() === "false";',
    replace: "return answer.status === 409;",
    tests: ENTRY,
  },
  {
    what: "an identical entry of someone else's is not taken for made by a create",
    find: "creation: { existing: lookedFor() },\n    deletion: deletesChecked",
    replace: "creation: {},\n    deletion: deletesChecked",
    tests: ENTRY,
  },
];
