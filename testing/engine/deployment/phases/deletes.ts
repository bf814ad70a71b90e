import { decideDeletes } from "../decide/deletes";
import type { Deployment } from "../decide/deployment";
import type { Executor } from "../execute/executor";
import { deletionRounds } from "./rounds";

/** Deletes the resources that the program no longer contains and replaced resources, in dependency order. */
export async function deleteTheRest(deployment: Deployment, executor: Executor): Promise<void> {
  const { base } = deployment.ledger;
  const { keeps, deletes } = await decideDeletes(deployment);
  const keeping = await executor.begin(keeps);
  await keeping.over;
  for (const round of deletionRounds(deletes, base.entries)) {
    if (executor.stopped.aborted) return;
    const needed = base.dependenciesOf(executor.kept);
    await executor.together(round.filter(({ old }) => !needed.has(old)));
  }
}
