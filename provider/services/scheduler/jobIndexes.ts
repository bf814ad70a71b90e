/** The indexes of a job (specification: Job (full)), which Nomad returns as numbers. */
export const jobIndexes = [
  "CreateIndex",
  "ModifyIndex",
  "JobModifyIndex",
  ...["TaskGroups.*.Scaling", "TaskGroups.*.Tasks.*.ScalingPolicies.*"].flatMap((policy) => [
    `${policy}.CreateIndex`,
    `${policy}.ModifyIndex`,
  ]),
];

/** The indexes in a list of job stubs. */
export const stubIndexes = [...jobIndexes, "JobSummary.CreateIndex", "JobSummary.ModifyIndex"].map(
  (name) => `*.${name}`,
);

/** The indexes in a list of allocations, evaluations or deployments. */
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
