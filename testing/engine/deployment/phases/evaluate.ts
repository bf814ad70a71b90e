import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { Unserved } from "../../refusal";
import type { Deployment } from "../decide/deployment";
import type { Executor } from "../execute/executor";
import { Bailed } from "../operation/bailed";
import { monitor } from "../program/monitor";
import { type ProgramEnd, startProgram } from "../program/start";
import { serve } from "../wire/grpc";
import { Registrar } from "./registrar";

/** The settings of the servers around the program. */
export interface EvaluationSetting {
  readonly engineAddress: string;
  readonly parallel: number;
}

/**
 * Runs the program and the steps for its registrations, then `rest`, and then lets the program end. Returns the reported
 * reason if it failed for anything other than a step.
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
    const end = await Promise.race([ended, registered.promise, whenStopped(executor)]);
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
    // A program may fail after all its registrations. After a failed step its monitor closes, and its own result is ignored.
    const end = await Promise.race([running.ended, whenStopped(executor)]);
    if (!failure && !executor.stopped.aborted) failure = report(deployment, end);
    await running.stop();
    server.stop();
  }
  return failure;
}

/**
 * An inline program reports the end of its registrations before it ends. If the connection is lost, the SDK ends the program
 * silently, as if it were complete. Without this check the engine would delete all its resources.
 */
function orCutOff(end: ProgramEnd): ProgramEnd {
  if (end.error !== undefined || end.reported) return end;
  return { error: "the program lost its connection to the engine before it had registered everything" };
}

function report({ diagnostics }: Deployment, { error, reported }: ProgramEnd): Error | undefined {
  if (error !== undefined) diagnostics.error(error);
  return error !== undefined || reported ? new Bailed(error ?? "run bailed") : undefined;
}

function whenStopped(executor: Executor): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    if (executor.stopped.aborted) resolve({});
    executor.stopped.addEventListener("abort", () => resolve({}), { once: true });
  });
}
