import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { Unserved } from "../../refusal";
import type { Deployment } from "../decide/deployment";
import type { Executor } from "../execute/executor";
import { Bailed } from "../operation/bailed";
import { monitor } from "../program/monitor";
import { type ProgramEnd, startProgram } from "../program/start";
import { serve } from "../wire/grpc";
import { Registrar } from "./registrar";

/** What a program is told of the servers around it. */
export interface EvaluationSetting {
  readonly engineAddress: string;
  readonly parallel: number;
}

/**
 * Runs the program and does what it asks for, then `rest`, and only then lets the program end. Returns why it
 * failed, reported, where it was not for a step.
 */
export async function evaluate(
  deployment: Deployment,
  executor: Executor,
  setting: EvaluationSetting,
  rest: () => Promise<Error | undefined>,
): Promise<Error | undefined> {
  const { diagnostics, options, preview } = deployment;
  const { program } = options;
  if (!program) throw new Unserved(`${options.kind} without a program`);
  const registrar = new Registrar(deployment, executor);
  const registered = Promise.withResolvers<ProgramEnd>();
  const over = Promise.withResolvers<void>();
  const root = "local" in program ? program.local.root : options.workingDirectory;
  const service = monitor(
    { options, preview, root, parallel: setting.parallel, diagnostics },
    registrar,
    () => {
      registered.resolve({});
      return over.promise;
    },
  );
  const server = await serve([ResourceMonitorService, service]);
  const monitorAddress = server.address;
  const running = startProgram(program, { options, preview, ...setting, monitorAddress, diagnostics });
  let failure: Error | undefined;
  try {
    const ended = running.ended.then((end) => ("inline" in program ? orCutOff(end) : end));
    const end = await Promise.race([ended, registered.promise, stopped(executor)]);
    failure = report(deployment, end);
    if (failure) executor.cancel();
    await registrar.idle();
    if (!executor.stopped.aborted) failure = await rest();
    await executor.idle();
    failure ??= registrar.failure;
    await registrar.recordStackOutputs(
      failure !== undefined || executor.failure !== undefined || diagnostics.refused,
    );
  } finally {
    over.resolve();
    // A program may still fail after all that it wanted is there; one whose monitor goes away has no say any more.
    const end = await Promise.race([running.ended, stopped(executor)]);
    if (!failure && !executor.stopped.aborted) failure = report(deployment, end);
    await running.stop();
    server.stop();
  }
  return failure;
}

/**
 * An inline program that has registered everything says so before it ends. The SDK lets one that lost its connection
 * end without a word, as if it wanted nothing more: taken by its word, all that it has would be deleted.
 */
function orCutOff(end: ProgramEnd): ProgramEnd {
  if (end.error !== undefined || end.reported) return end;
  return { error: "the program lost its connection to the engine before it had registered everything" };
}

function report({ diagnostics }: Deployment, { error, reported }: ProgramEnd): Error | undefined {
  if (error !== undefined) diagnostics.error(error);
  return error !== undefined || reported ? new Bailed(error ?? "run bailed") : undefined;
}

function stopped(executor: Executor): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    if (executor.stopped.aborted) resolve({});
    executor.stopped.addEventListener("abort", () => resolve({}), { once: true });
  });
}
