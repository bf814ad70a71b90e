/** The indexes of a job (specification: Job (full)), which its answers give as numbers. */
export const jobIndexes = [
  "CreateIndex",
  "ModifyIndex",
  "JobModifyIndex",
  ...["TaskGroups.*.Scaling", "TaskGroups.*.Tasks.*.ScalingPolicies.*"].flatMap((policy) => [
    `${policy}.CreateIndex`,
    `${policy}.ModifyIndex`,
  ]),
];

/** Those of a list of jobs' stubs. */
export const stubIndexes = [...jobIndexes, "JobSummary.CreateIndex", "JobSummary.ModifyIndex"].map(
  (name) => `*.${name}`,
);

/** Those of a list of what was done for a job: allocations, evaluations and deployments. */
export const activityIndexes = [
  "CreateIndex",
  "ModifyIndex",
  "AllocModifyIndex",
  "JobModifyIndex",
  "JobSpecModifyIndex",
  "JobCreateIndex",
  "NodeModifyIndex",
  "SnapshotIndex",
  "DeploymentStatus.ModifyIndex",
].map((name) => `*.${name}`);
