import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import * as automationServer from "@pulumi/pulumi/automation/server";
import { type ILanguageRuntimeServer, LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import { deploy } from "../../../engine/deployment/deploy";
import type { DeployOptions, DeployResult } from "../../../engine/deployment/operation/options";
import { serve } from "../../../engine/deployment/wire/grpc";
import type { EngineEvent } from "../../../engine/events";
import type { ResourceState, Snapshot } from "../../../engine/state/resource";
import { leaveRejectionsToPrograms } from "../rejections";

/** The Automation API's own server for inline programs; its declarations leave it out as internal. */
const { LanguageServer } = automationServer as unknown as {
  LanguageServer: new (program: PulumiFn) => ILanguageRuntimeServer;
};

/** The result of a deployment, with its events, saved snapshots and diagnostics. */
export interface Deployed extends DeployResult {
  readonly events: readonly EngineEvent[];
  readonly saves: readonly Snapshot[];
  readonly diagnostics: readonly string[];
}

/** Deploys an inline program from an empty state, unless `options` contain a snapshot. */
export async function deployed(
  program: PulumiFn,
  options: Partial<Omit<DeployOptions, "program">> = {},
  /** Wraps the language server between the engine and the program. */
  between: (server: ILanguageRuntimeServer) => ILanguageRuntimeServer = (server) => server,
): Promise<Deployed> {
  const listenAgain = leaveRejectionsToPrograms();
  const language = await serve([LanguageRuntimeService, between(methodsOf(new LanguageServer(program)))]);
  const events: EngineEvent[] = [];
  const saves: Snapshot[] = [];
  const result = await deploy({
    kind: "up",
    project: "tests",
    stack: "dev",
    organization: "organization",
    workingDirectory: process.cwd(),
    program: { inline: language.address },
    config: {},
    snapshot: { resources: [], pendingOperations: [] },
    ...options,
    save: async (snapshot) => {
      saves.push(snapshot);
      await options.save?.(snapshot);
    },
    emit: (event) => events.push(event),
  });
  language.stop();
  await listenAgain();
  const diagnostics = events.flatMap(({ diagnosticEvent: diagnostic }) =>
    diagnostic && diagnostic.severity !== "debug"
      ? [`${diagnostic.severity}: ${diagnostic.message.trimEnd()}`]
      : [],
  );
  return { ...result, events, saves, diagnostics };
}

/** gRPC calls own and inherited methods of an object, but does not bind their `this`. */
function methodsOf(server: ILanguageRuntimeServer): ILanguageRuntimeServer {
  return Object.assign(server, { run: server.run.bind(server) });
}

/** A resource of the package that a test attaches. */
export class Attached extends pulumi.CustomResource {
  declare readonly value: pulumi.Output<unknown>;

  constructor(name: string, inputs: pulumi.Inputs = {}, options?: pulumi.CustomResourceOptions) {
    super("attached:index:Thing", name, { value: undefined, ...inputs }, options);
  }
}

const IDLE = `exports.handler = () => require(${JSON.stringify(resolve(__dirname, "idle-provider.cjs"))})()`;

/** A dynamic resource whose provider does nothing. */
export class Idle extends pulumi.CustomResource {
  constructor(name: string, inputs: pulumi.Inputs = {}, options?: pulumi.CustomResourceOptions) {
    super("pulumi-nodejs:dynamic/tests:Idle", name, { ...inputs, __provider: IDLE }, options);
  }
}

export const byName = (snapshot: Snapshot, name: string): ResourceState | undefined =>
  snapshot.resources.find(({ urn }) => urn.endsWith(`::${name}`));
