import * as quarterdeck from "pulumi-quarterdeck";

/** Tells whenever a job of one team comes, goes or fails, until the signal ends it. */
export async function tellFailures(team: string, signal: AbortSignal): Promise<void> {
  const filter = quarterdeck.filter.selector("Meta", "team").equals(team);
  for await (const { jobs } of quarterdeck.scheduler.watchJobs({ namespace: "*", filter }, { signal })) {
    for (const { id, jobSummary } of jobs) {
      const groups = Object.entries(jobSummary?.summary ?? {});
      for (const [group, { failed }] of groups)
        if (failed > 0) console.log(`${id}/${group}: ${failed} failed`);
    }
  }
}
