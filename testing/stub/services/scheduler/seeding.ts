import { canonicalJob } from "./canonical/job";
import { fromWire } from "./dialect";
import { inject } from "./injection";
import type { Writer } from "./job-store";
import { namespaceNamed, nodePoolNamed } from "./objects";
import { register } from "./registration";
import type { Seed } from "./settings";
import { job } from "./shape/job";
import { admitSubmission, submissionShape } from "./submission";
import { errorsText } from "./validation/errors";
import { jobErrors } from "./validation/job";

/** Adds a seed to one region; existing records stay. */
export function plant(seed: Seed, writer: Writer, region: string): void {
  const { world, switches } = writer;
  for (const namespace of seed.namespaces) world.namespaces.set(namespace, namespaceNamed(namespace));
  for (const pool of seed.nodePools) world.nodePools.set(pool, nodePoolNamed(pool));
  world.outcomes.push(...seed.outcomes);
  for (const { Job, Submission } of seed.jobs) {
    const sent = job.read(fromWire(Job, switches.dialect), "Job") ?? {};
    const admitted = canonicalJob(inject({ ...sent, Region: region }, switches), switches.defaultPriority);
    const errors = jobErrors(admitted, world);
    if (errors.length > 0)
      throw new Error(`the seed's job ${admitted.ID} is not valid: ${errorsText(errors)}`);
    const text = submissionShape.read(Submission, "Submission");
    const { submission } = admitSubmission(text, switches.largestSubmission);
    register(writer, { job: admitted, submission });
  }
}
