import { jobForms, jobSubjectOf } from "../../steps/subjects/job";
import { REGION } from "../servers/nomadCluster";
import type { Named } from "../subjects";

/** A job in each form, and one whose program sets its region. All of them can run at the same time. */
export const separateJobs: readonly Named[] = [
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
