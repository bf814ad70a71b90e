import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ConfigMap,
  LocalWorkspace,
  PulumiCommand,
  type PulumiFn,
  type Stack,
} from "@pulumi/pulumi/automation";
import { pickEngine } from "./engine";
import { environmentOf, type Stub, type StubOptions, startStub } from "./stub";

/** What a program is tried with. */
export interface TrialOptions {
  /** The project's folder; the current one where nothing is said. */
  readonly workDir?: string;
  /** A function in place of the project's program. It is called anew by each command. */
  readonly program?: PulumiFn;
  /** The stack's configuration. */
  readonly config?: ConfigMap;
  /** How the stub starts. */
  readonly stub?: StubOptions;
  /** More of the environment in which the program and the provider run. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A stack of a program, and the control planes that it manages; both are its own, and end with it. */
export interface Trial {
  readonly stack: Stack;
  readonly stub: Stub;
  /** Every request so far that was meant to change something: method and path. */
  writes(): Promise<readonly string[]>;
  /** Ends the control planes, and leaves nothing of the stack in the project's folder. */
  close(): Promise<void>;
}

/**
 * Opens a stack of a program on control planes of its own, with a state of its own: on the embedded engine, or on the Pulumi
 * CLI where `PULUMI_ENGINE` is `cli`.
 */
export async function openTrial(options: TrialOptions = {}): Promise<Trial> {
  const { workDir = process.cwd(), program, config = {} } = options;
  const stub = await startStub(options.stub);
  const state = mkdtempSync(join(tmpdir(), "trial-"));
  // No name that a stack of the project has: its settings are a file beside theirs.
  const stackName = `trial-${randomUUID().slice(0, 8)}`;
  const close = async () => {
    rmSync(join(workDir, `Pulumi.${stackName}.yaml`), { force: true });
    rmSync(state, { recursive: true, force: true });
    await stub.stop();
  };
  try {
    const { command, root } = pickEngine(process.env, { otherwise: "embedded", print: () => undefined });
    const workspace = {
      pulumiCommand: command ?? (await PulumiCommand.get(root === undefined ? {} : { root })),
      envVars: {
        PULUMI_BACKEND_URL: `file://${state}`,
        PULUMI_CONFIG_PASSPHRASE: "trial",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        ...environmentOf(stub),
        ...options.environment,
      },
    };
    const stack =
      program === undefined
        ? await LocalWorkspace.createStack({ stackName, workDir }, workspace)
        : await LocalWorkspace.createStack({ stackName, projectName: "trial", program }, workspace);
    await stack.setAllConfig(config);
    const writes = async () => (await stub.writes()).map(({ method, path }) => `${method} ${path}`);
    return { stack, stub, writes, close };
  } catch (error) {
    await close();
    throw error;
  }
}
