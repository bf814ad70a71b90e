import type * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";
import { watching } from "../drift/watching";
import type { TestStack } from "../stack/stack";

/** Deploys a stack with only this job, and watches it without polling. */
export async function deployAndWatch(
  stack: TestStack,
  job: { readonly [member: string]: pulumi.Input<unknown> },
) {
  const { failure } = await stack.up(async () => {
    new quarterdeck.scheduler.Job("watched", { json: job });
  });
  expect(failure).toBeUndefined();
  const configuration = new Map(
    Object.entries(await stack.stack.getAllConfig()).map(([key, { value }]) => [key, value]),
  );
  const state = JSON.stringify(await stack.stack.exportStack());
  const own = watching({ state, configuration, interval: 3600 });
  try {
    await own.until(() => own.ofKind("began").length > 0, "it begins", 2000);
  } catch (error) {
    await own.end();
    throw error;
  }
  /** Whether the last event of the job reports this priority. */
  const hasReported = (Priority: number) => () =>
    own.ofKind("resource").at(-1)?.fields?.[0]?.is === String(Priority);
  return { ...own, hasReported };
}
