import * as quarterdeck from "pulumi-quarterdeck";

const { and, not, selector } = quarterdeck.filter;

/** Returns the ids of a team's service jobs that are not stopped, in every namespace that the token can read. */
export async function servicesOf(team: string): Promise<unknown[]> {
  const filter = and(
    selector("Type").equals("service"),
    selector("Meta", "owner team").equals(team),
    not(selector("Stop").equals(true)),
  );
  const ids: unknown[] = [];
  for await (const job of quarterdeck.scheduler.eachJob({ namespace: "*", filter })) ids.push(job.ID);
  return ids;
}
