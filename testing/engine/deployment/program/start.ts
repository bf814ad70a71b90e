import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb";
import { RunRequest, type RunResponse } from "@pulumi/pulumi/proto/language_pb";
import { Unserved } from "../../refusal";
import { plainConfig, secretKeys } from "../operation/configuration";
import type { Diagnostics } from "../operation/diagnostics";
import type { DeployOptions, Program } from "../operation/options";
import { providerFailure } from "../provider/failure";
import { ask, CHANNEL } from "../wire/grpc";
import { OwnProcess } from "../wire/processes";

/** The inputs for running a program. */
interface ProgramSetting {
  readonly options: DeployOptions;
  readonly preview: boolean;
  readonly parallel: number;
  readonly monitorAddress: string;
  readonly engineAddress: string;
  readonly diagnostics: Diagnostics;
}

/** The end of a program. `reported` is true if the program has logged its own errors. */
export interface ProgramEnd {
  readonly error?: string;
  readonly reported?: boolean;
}

export interface RunningProgram {
  readonly ended: Promise<ProgramEnd>;
  stop(): Promise<void>;
}

type Local = Extract<Program, { readonly local: unknown }>["local"];

export function startProgram(program: Program, setting: ProgramSetting): RunningProgram {
  return "inline" in program ? startInline(program.inline, setting) : startLocal(program.local, setting);
}

/** The folder and the entry point of a local program: `main` may be a folder or a file. */
export function programPlace({ root, main }: Pick<Local, "root" | "main">): {
  directory: string;
  entry: string;
} {
  if (main === undefined || main === "") return { directory: root, entry: "." };
  const path = resolve(root, main);
  const there = statSync(path, { throwIfNoEntry: false });
  if (!there) throw new Error(`project 'main' could not be read: stat ${path}: no such file or directory`);
  if (there.isDirectory()) return { directory: path, entry: "." };
  return { directory: dirname(path), entry: basename(path) };
}

function startInline(address: string, setting: ProgramSetting): RunningProgram {
  const { options } = setting;
  const client = new LanguageRuntimeClient(address, credentials.createInsecure(), CHANNEL);
  const request = new RunRequest()
    .setProject(options.project)
    .setStack(options.stack)
    .setOrganization(options.organization)
    .setPwd(options.workingDirectory)
    .setProgram(".")
    .setArgsList([setting.engineAddress])
    .setConfigsecretkeysList(secretKeys(options.config))
    .setDryrun(setting.preview)
    .setParallel(setting.parallel)
    .setMonitorAddress(setting.monitorAddress);
  for (const [key, value] of Object.entries(plainConfig(options.config)))
    request.getConfigMap().set(key, value);
  const ended = ask<RunResponse>((done) => client.run(request, done)).then(
    (response) => endOf(response.getError(), response.getBail()),
    (error: unknown) => ({ error: providerFailure(error).message }),
  );
  return {
    ended: ended.finally(() => client.close()),
    stop: () => Promise.resolve(client.close()),
  };
}

function endOf(error: string, bailed: boolean): ProgramEnd {
  if (bailed) return { reported: true };
  return error === "" ? {} : { error: `an unhandled error occurred: ${error}` };
}

/** The SDK's exit code for "the errors have been logged". */
const REPORTED = 32;

/** Runs `@pulumi/pulumi/cmd/run`, resolved from the program's folder, like the language host for Node.js. */
function startLocal(local: Local, setting: ProgramSetting): RunningProgram {
  const { options, diagnostics } = setting;
  const { directory, entry } = programPlace(local);
  const runtime = runtimeOptions(local.options);
  const flags: readonly (readonly [string, string])[] = [
    ["monitor", setting.monitorAddress],
    ["engine", setting.engineAddress],
    ["organization", options.organization],
    ["project", options.project],
    ["root-directory", local.root],
    ["stack", options.stack],
    ["pwd", directory],
    ["parallel", String(setting.parallel)],
  ];
  const started = new OwnProcess({
    args: [
      ...runtime.nodeargs,
      runScript(directory),
      ...flags.flatMap(([name, value]) => [`--${name}`, value]),
      ...(setting.preview ? ["--dry-run"] : []),
      entry,
    ],
    directory,
    environment: {
      ...options.environment,
      ...runtime.environment,
      PULUMI_CONFIG: JSON.stringify(oldStyleKeys(plainConfig(options.config))),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(secretKeys(options.config)),
    },
    onOutput: diagnostics.stream("info"),
    onError: diagnostics.stream("info#err"),
    input: "none",
    endsOn: "SIGTERM",
  });
  return {
    ended: started.ended.then(({ code }) => {
      if (code === 0) return {};
      return code === REPORTED
        ? { reported: true }
        : { error: `an unhandled error occurred: Program exited with non-zero exit code: ${code}` };
    }),
    stop: () => started.stop(),
  };
}

function runScript(directory: string): string {
  try {
    return createRequire(join(directory, "program.js")).resolve("@pulumi/pulumi/cmd/run");
  } catch (cause) {
    throw new Error("It looks like the Pulumi SDK has not been installed. Have you run pulumi install?", {
      cause,
    });
  }
}

/** The supported `runtime.options` of Pulumi.yaml for Node.js programs. */
function runtimeOptions(options: Local["options"]) {
  const { typescript = true, tsconfig, nodeargs = "" } = options;
  if (typeof typescript !== "boolean") throw new Error("typescript option must be a boolean");
  if (tsconfig !== undefined && typeof tsconfig !== "string")
    throw new Error("tsconfigpath option must be a string");
  if (typeof nodeargs !== "string") throw new Error("nodeargs option must be a string");
  if (/["'\\]/.test(nodeargs)) throw new Unserved("quotes in the runtime option `nodeargs`");
  return {
    nodeargs: nodeargs.split(/\s+/).filter((one) => one !== ""),
    environment: {
      ...(typescript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
      ...(tsconfig !== undefined && { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig }),
    },
  };
}

/** Converts `ns:key` to `ns:config:key`, the format of the language host. */
function oldStyleKeys(config: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace(":", ":config:"), value]),
  );
}
