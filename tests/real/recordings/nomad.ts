import type { Json } from "../../../provider/core/value/json";
import type { Exchange } from "../../recorded/exchange";

/**
 * A name that no other test uses: the evaluation of a deleted job would start the deployment of the next job with its
 * name.
 */
const JOB = {
  ID: "recorded",
  Datacenters: ["dc9"],
  TaskGroups: [
    {
      Name: "front",
      Count: 1,
      Tasks: [
        {
          Name: "server",
          Driver: "raw_exec",
          Config: { command: "/bin/sleep", args: ["60"] },
          Env: { LEVEL: "info" },
        },
      ],
    },
  ],
};

/** The path of the job. */
const AT = `/v1/job/${JOB.ID}`;

const HCL = `job "parsed" {
  datacenters = ["dc9"]
  group "front" {
    task "server" {
      driver = "raw_exec"
      config {
        command = "/bin/sleep"
      }
    }
  }
}
`;

const [front] = JOB.TaskGroups;
const planOf = (about: string, Job: Json, more: object = {}): Exchange => ({
  about: `a plan of ${about}`,
  method: "POST",
  path: `${AT}/plan`,
  body: { Job, Diff: true },
  ...more,
});

/** The requests to Nomad. The jobs name a datacenter without nodes, so that they never run. */
export const nomad: readonly Exchange[] = [
  { about: "a job, without a token", method: "GET", path: AT, as: "nobody" },
  { about: "a job, with a token that does not exist", method: "GET", path: AT, as: "stranger" },
  { about: "a job that is not there", method: "GET", path: AT },
  { about: "no jobs", method: "GET", path: "/v1/jobs" },
  { about: "a path that is none", method: "GET", path: "/v1/nothing" },
  { about: "a register that is no JSON", method: "POST", path: "/v1/jobs", text: "{" },
  { about: "a register without a job", method: "POST", path: "/v1/jobs", body: {} },
  {
    about: "a job without groups",
    method: "POST",
    path: "/v1/jobs",
    body: { Job: { ...JOB, TaskGroups: [] } },
  },
  {
    about: "a job whose ID has a space",
    method: "POST",
    path: "/v1/jobs",
    body: { Job: { ...JOB, ID: `a ${JOB.ID}` } },
  },
  {
    about: "a number that no machine holds",
    method: "POST",
    path: "/v1/jobs",
    text: `{"Job":{"ID":"${JOB.ID}","Priority":1e1000}}`,
  },
  {
    about: "an update of a job that is not there",
    method: "POST",
    path: "/v1/jobs",
    body: { Job: JOB, EnforceIndex: true, JobModifyIndex: 7 },
  },
  planOf("a new job", JOB),
  planOf("a new job, without a token", JOB, { as: "nobody" }),
  planOf("another job than its path names", { ...JOB, ID: "other" }),
  planOf("a job without groups", { ...JOB, TaskGroups: [] }),
  { about: "a plan of nothing", method: "POST", path: `${AT}/plan`, body: { Diff: true } },
  {
    about: "a job, registered",
    method: "POST",
    path: "/v1/jobs",
    body: { Job: JOB, EnforceIndex: true, JobModifyIndex: 0 },
    keep: { index: ["JobModifyIndex"], evaluation: ["EvalID"] },
  },
  { about: "a job", method: "GET", path: AT },
  {
    about: "a job that is there, created",
    method: "POST",
    path: "/v1/jobs",
    body: { Job: JOB, EnforceIndex: true, JobModifyIndex: 0 },
  },
  {
    about: "a job under another index",
    method: "POST",
    path: "/v1/jobs",
    body: { Job: JOB, EnforceIndex: true, JobModifyIndex: 999999 },
  },
  planOf("a job as it is", JOB),
  planOf("another count", { ...JOB, TaskGroups: [{ ...front, Count: 3 }] }),
  planOf("another priority", { ...JOB, Priority: 70 }),
  planOf("a group more", { ...JOB, TaskGroups: [...JOB.TaskGroups, { ...front, Name: "back" }] }),
  { about: "a job, registered as it is", method: "POST", path: "/v1/jobs", body: { Job: JOB } },
  { about: "the jobs", method: "GET", path: "/v1/jobs" },
  { about: "the jobs by a filter that is none", method: "GET", path: "/v1/jobs?filter=%28" },
  { about: "a job's versions", method: "GET", path: `${AT}/versions` },
  { about: "the versions of nothing", method: "GET", path: "/v1/job/none/versions" },
  { about: "a job's submission that was not kept", method: "GET", path: `${AT}/submission?version=0` },
  { about: "a submission of no version", method: "GET", path: `${AT}/submission` },
  { about: "a job's summary", method: "GET", path: `${AT}/summary` },
  { about: "the summary of nothing", method: "GET", path: "/v1/job/none/summary" },
  { about: "the allocations of a job that nowhere fits", method: "GET", path: `${AT}/allocations` },
  { about: "the deployments of nothing", method: "GET", path: "/v1/job/none/deployments" },
  { about: "the latest deployment of nothing", method: "GET", path: "/v1/job/none/deployment" },
  { about: "a job's counts", method: "GET", path: `${AT}/scale` },
  // After the evaluation creates a deployment, the job cannot be scaled.
  { about: "the latest deployment of a job", method: "GET", path: `${AT}/deployment`, until: "ID" },
  {
    about: "a job, scaled",
    method: "POST",
    path: `${AT}/scale`,
    body: { Count: 2, Target: { Group: "front" } },
  },
  {
    about: "a group that is not there, scaled",
    method: "POST",
    path: `${AT}/scale`,
    body: { Count: 2, Target: { Group: "none" } },
  },
  {
    about: "nothing, scaled",
    method: "POST",
    path: "/v1/job/none/scale",
    body: { Count: 2, Target: { Group: "front" } },
  },
  {
    about: "text, parsed",
    method: "POST",
    path: "/v1/jobs/parse",
    body: { JobHCL: HCL, Canonicalize: false },
  },
  {
    about: "text that cannot be read",
    method: "POST",
    path: "/v1/jobs/parse",
    body: { JobHCL: 'job "x" {', Canonicalize: false },
  },
  { about: "no text, parsed", method: "POST", path: "/v1/jobs/parse", body: {} },
  {
    about: "an evaluation that is not there",
    method: "GET",
    path: "/v1/evaluation/11111111-2222-3333-4444-555555555555",
  },
  { about: "a job, stopped", method: "DELETE", path: AT },
  { about: "nothing, stopped", method: "DELETE", path: "/v1/job/none" },
  { about: "a job, purged", method: "DELETE", path: `${AT}?purge=true` },
  { about: "a job that was purged", method: "GET", path: AT },
];
