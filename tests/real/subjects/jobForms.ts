import { jobForms, jobSubjectOf } from "../../steps/subjects/job";
import { REGION } from "../servers/nomadCluster";
import type { Named } from "../subjects";

/** A job in each form in which it may be written, and one whose program says its region: all at the same time. */
export const jobsApart: readonly Named[] = [
  ...(["json", "spec", "hcl"] as const).map((form): Named => {
    const id = `in-${form}`;
    return [`scheduler:Job by ${form}`, { ...jobSubjectOf(id), programs: jobForms(id)[form] }];
  }),
  [
    "scheduler:Job in a region",
    {
      ...jobSubjectOf("in-region"),
      programs: jobForms("in-region").json.map((program) => ({ ...program, region: REGION })),
    },
  ],
];
