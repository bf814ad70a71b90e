import * as quarterdeck from "pulumi-quarterdeck";

/** Prints the failed allocations of a team's jobs after each change, until the signal aborts it. */
export async function printFailures(team: string, signal: AbortSignal): Promise<void> {
  const filter = quarterdeck.filter.selector("Meta", "team").equals(team);
  for await (const { jobs } of quarterdeck.scheduler.watchJobs({ namespace: "*", filter }, { signal })) {
    for (const { id, jobSummary } of jobs) {
      const groups = Object.entries(jobSummary?.summary ?? {});
      for (const [group, { failed }] of groups)
        if (failed > 0) console.log(`${id}/${group}: ${failed} failed`);
    }
  }
}
