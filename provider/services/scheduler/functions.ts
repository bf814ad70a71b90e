import { blockingRules, defineFunction, field, NotFound, watchFields, watchValue } from "../../core";
import activity from "./jobActivity";
import { jobIndexes } from "./jobIndexes";
import { getJobStubs, getJobs, watchJobs } from "./jobList";
import { getJob, getJobVersions, wholeJob } from "./jobReads";
import { askedJob, jobFields, jobQuestion, queryMetaFields } from "./jobScope";
import { getJobSubmission, parseJob } from "./jobSources";
import objects from "./objectFunctions";

const { timeout: _, index: __, ...asked } = jobFields;

const watchJob = defineFunction({
  token: "scheduler:watchJob",
  doc: "Yields a Nomad job at the start and after every change; `job` is undefined while the job does not exist. The iteration continues after a server restart or an index reset, and ends when its signal is aborted. The token needs `namespace:read-job`.",
  section: "Read job; General conventions, blocking queries",
  ...jobQuestion,
  fields: { ...asked, ...watchFields },
  rules: blockingRules.slice(0, 1),
  result: {
    job: field(wholeJob().optional(), {
      doc: "The job with the field names of Nomad's API (`ID`, `TaskGroups`…). Unset while the job does not exist.",
      indexes: jobIndexes,
    }),
    ...queryMetaFields,
  },
  asks: {
    kind: "watch",
    changes: (context, args) =>
      watchValue(context, async (index, now) => {
        const waiting = index === undefined ? {} : { index };
        try {
          const { job, meta } = await askedJob(getJob, now, { ...args, ...waiting });
          return { value: { job, ...meta }, shows: job, index: meta.index };
        } catch (error) {
          if (!(error instanceof NotFound) || !/job not found/i.test(error.words)) throw error;
          return { value: {}, shows: null };
        }
      }),
  },
});

/** The Nomad functions. */
export default {
  getJob,
  getJobs,
  getJobStubs,
  parseJob,
  getJobSubmission,
  getJobVersions,
  ...activity,
  watchJob,
  watchJobs,
  ...objects,
};
