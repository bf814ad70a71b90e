import { availableParallelism } from "node:os";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { Unserved } from "../refusal";
import type { Deployment } from "./decide/deployment";
import { Marks } from "./decide/marks";
import { Targets } from "./decide/targets";
import { Executor } from "./execute/executor";
import { Bailed, errorOf } from "./operation/bailed";
import { maskedConfig } from "./operation/configuration";
import { Diagnostics } from "./operation/diagnostics";
import type { DeployOptions, DeployResult } from "./operation/options";
import { operate } from "./phases/operate";
import { programPlace } from "./program/start";
import { Plugins } from "./provider/plugins";
import { Providers } from "./provider/providers";
import { Ledger } from "./record/ledger";
import { engineService } from "./wire/engine-service";
import { serve } from "./wire/grpc";

/**
 * Runs one operation on one stack, with the servers that it needs, and emits all its events. Resolves with an `error` if
 * resources failed; rejects only for a bug in this engine.
 */
export async function deploy(options: DeployOptions): Promise<DeployResult> {
  const began = performance.now();
  const preview = options.kind === "preview" || options.previewOnly === true;
  const diagnostics = new Diagnostics(options.emit);
  const directory = attempt(() => {
    refuseMissingTargets(options);
    return directoryOf(options);
  });
  if (directory instanceof Error) return failedResult(options, directory.message);
  options.emit({ preludeEvent: { config: maskedConfig(options.config) } });
  const ledger = new Ledger(options.snapshot, preview ? () => Promise.resolve() : options.save);
  const engine = await serve([EngineService, engineService(diagnostics)]);
  const plugins = new Plugins({
    engineAddress: engine.address,
    directory,
    environment: pluginEnvironment(options),
    declared: options.plugins ?? [],
    diagnostics,
  });
  const deployment: Deployment = {
    options,
    preview,
    diagnostics,
    ledger,
    providers: new Providers(plugins, options.snapshot.resources),
    targets: new Targets(options.targets ?? []),
    replaced: new Targets(options.replaced ?? []),
    marks: new Marks(),
  };
  // Four operations per processor, like the CLI.
  const parallel = options.parallel ?? availableParallelism() * 4;
  const executor = new Executor(deployment, parallel);
  const cancel = () => {
    executor.cancel();
    void plugins.cancel();
  };
  options.signal?.addEventListener("abort", cancel);
  if (options.signal?.aborted) cancel();
  const errorAfter = async (act: () => Promise<void>, before?: Error): Promise<Error | undefined> => {
    try {
      await act();
      return before;
    } catch (error) {
      return before ?? errorOf(error);
    }
  };
  const operated = await errorAfter(async () => {
    refuse(options);
    await operate(deployment, executor, { engineAddress: engine.address, parallel });
  });
  options.signal?.removeEventListener("abort", cancel);
  await plugins.stop();
  engine.stop();
  const failure = await errorAfter(() => ledger.close(), operated);
  const durationSeconds = Math.max(1, Math.ceil((performance.now() - began) / 1000));
  options.emit({
    summaryEvent: {
      maybeCorrupt: executor.maybeCorrupt,
      durationSeconds,
      resourceChanges: executor.changes,
      PolicyPacks: {},
      isPreview: preview,
      result: failure ? "failed" : "succeeded",
    },
  });
  options.emit({ cancelEvent: {} });
  return {
    changes: executor.changes,
    snapshot: preview ? options.snapshot : ledger.snapshot(),
    ...(failure && { error: failure.message, reported: failure instanceof Bailed }),
    durationSeconds,
  };
}

/** Refuses a refresh or destroy with targets that are not in the state. */
function refuseMissingTargets({ kind, snapshot, targets = [] }: DeployOptions): void {
  if (kind !== "refresh" && kind !== "destroy") return;
  const there = new Set(snapshot.resources.map(({ urn }) => urn));
  const missing = new Targets(targets).named.find((urn) => !there.has(urn));
  if (missing !== undefined) throw new Error(`no resource named '${missing}' found`);
}

function attempt(act: () => string): string | Error {
  try {
    return act();
  } catch (error) {
    return errorOf(error);
  }
}

function failedResult(options: DeployOptions, error: string): DeployResult {
  options.emit({ cancelEvent: {} });
  return { changes: {}, snapshot: options.snapshot, error, durationSeconds: 0 };
}

function refuse({ runProgram, continueOnError }: DeployOptions): void {
  if (runProgram) throw new Unserved("--run-program");
  if (continueOnError) throw new Unserved("--continue-on-error");
}

/** The working directory of provider hosts: the program's folder, or the caller's for an inline program. */
function directoryOf({ program, workingDirectory }: DeployOptions): string {
  return program && "local" in program ? programPlace(program.local).directory : workingDirectory;
}

function pluginEnvironment({ program, project, environment }: DeployOptions): Record<string, string> {
  const runtime = program && "local" in program ? Object.entries(program.local.options) : [];
  return {
    ...environment,
    ...Object.fromEntries(
      runtime.map(([name, value]) => [`PULUMI_RUNTIME_${name.toUpperCase()}`, String(value)]),
    ),
    PULUMI_PROJECT: project,
    PULUMI_NODEJS_PROJECT: project,
  };
}
