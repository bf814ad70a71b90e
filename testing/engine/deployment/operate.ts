import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { deleteTheRest } from "./deletes";
import type { Program } from "./deploy";
import type { Deployment } from "./deployment";
import type { Executor } from "./executor";
import { serve } from "./grpc";
import { monitor } from "./monitor";
import { type ProgramEnd, type RunningProgram, startProgram } from "./program";
import { refresh } from "./refresh";
import { Bailed, NotServed } from "./refusals";
import { Registrar } from "./registrar";
import { checkTargets } from "./targeting";
import { pendingWarning } from "./warnings";

interface Setting {
  readonly engineAddress: string;
  readonly parallel: number;
}

/** The story of an operation: what is there is read again, the program says what it wants, the rest goes. */
export async function operate(deployment: Deployment, executor: Executor, setting: Setting): Promise<void> {
  const { diagnostics, options, preview } = deployment;
  if (options.kind === "refresh" || options.refreshFirst) {
    await refresh(deployment, executor);
    judge(deployment, executor);
    if (options.kind === "refresh") return;
  } else if (options.snapshot.pendingOperations.length > 0 && !preview) {
    diagnostics.warning(pendingWarning(options.snapshot.pendingOperations));
  }
  if (options.kind === "destroy") await destroy(deployment, executor);
  else await runProgram(deployment, executor, setting);
  judge(deployment, executor);
}

async function destroy(deployment: Deployment, executor: Executor): Promise<void> {
  checkTargets(deployment);
  await deleteTheRest(deployment, executor);
  await executor.idle();
}

async function runProgram(deployment: Deployment, executor: Executor, setting: Setting): Promise<void> {
  const { diagnostics, options, preview } = deployment;
  if (!options.program) throw new NotServed(`${options.kind} without a program`);
  const registrar = new Registrar(deployment, executor);
  const registered = Promise.withResolvers<ProgramEnd>();
  const over = Promise.withResolvers<void>();
  const implementation = monitor(
    { options, preview, parallel: setting.parallel, root: rootOf(options.program, options.workingDirectory) },
    registrar,
    () => {
      registered.resolve({});
      return over.promise;
    },
  );
  const server = await serve([ResourceMonitorService, implementation]);
  const program = startProgram(options.program, {
    options,
    preview,
    ...setting,
    monitorAddress: server.address,
    diagnostics,
  });
  try {
    const end = await Promise.race([program.ended, registered.promise, stopped(executor)]);
    await afterProgram(deployment, executor, registrar, end);
  } finally {
    over.resolve();
    await endOf(program);
    server.stop();
  }
}

/** What is left to do once the program has said all that it wants, or failed to. */
async function afterProgram(
  deployment: Deployment,
  executor: Executor,
  registrar: Registrar,
  end: ProgramEnd,
): Promise<void> {
  const { diagnostics } = deployment;
  let failure: Error | undefined;
  if (end.error !== undefined || end.reported) {
    failure = new Bailed(end.error ?? "run bailed");
    if (end.error !== undefined) diagnostics.error(end.error);
    executor.cancel();
  }
  await registrar.settle();
  if (!executor.stopped.aborted) {
    failure = await caught(diagnostics.error, async () => {
      const missing = await caught(diagnostics.error, async () => checkTargets(deployment));
      await deleteTheRest(deployment, executor);
      if (missing) throw missing;
    });
  }
  await executor.idle();
  failure ??= registrar.failure;
  await registrar.finish(failure !== undefined || executor.failure !== undefined || deployment.marks.failed);
  if (failure) throw failure;
}

/** The error of an action as one that has been reported. */
async function caught(
  report: (message: string) => void,
  action: () => Promise<void>,
): Promise<Error | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    if (error instanceof Bailed) return error;
    const message = error instanceof Error ? error.message : String(error);
    report(message);
    return new Bailed(message);
  }
}

/** Fails the operation where a step failed, something was reported, or the user has cancelled. */
function judge({ diagnostics, marks, options, preview }: Deployment, executor: Executor): void {
  const kind = preview ? "preview" : "update";
  if (executor.failure || marks.failed) {
    diagnostics.error(`${kind} failed`);
    throw new Bailed(executor.failure?.message ?? `${kind} failed`);
  }
  if (options.signal?.aborted) {
    diagnostics.error(`${kind} canceled`);
    throw new Bailed("canceled");
  }
}

function stopped(executor: Executor): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    if (executor.stopped.aborted) resolve({});
    executor.stopped.addEventListener("abort", () => resolve({}), { once: true });
  });
}

/** How long a program may take to notice that its monitor has gone. */
const PATIENCE_MS = 2_000;

async function endOf(program: RunningProgram): Promise<void> {
  const patience = new AbortController();
  const impatient = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS);
    patience.signal.addEventListener("abort", () => clearTimeout(timer));
  });
  await Promise.race([program.ended.catch(() => {}), impatient]);
  patience.abort();
  await program.stop();
}

const rootOf = (program: Program, workingDirectory: string): string =>
  "local" in program ? program.local.root : workingDirectory;
