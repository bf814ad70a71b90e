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

/** The options of a trial. */
export interface TrialOptions {
  /** The project's folder; defaults to the current one. */
  readonly workDir?: string;
  /** A function that replaces the project's program. Each command calls it again. */
  readonly program?: PulumiFn;
  /** The stack's configuration. */
  readonly config?: ConfigMap;
  /** The start options of the mock servers. */
  readonly stub?: StubOptions;
  /** Further environment variables of the program and the provider. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A stack of a program, and the mock servers that it manages; the trial owns both and deletes them at its end. */
export interface Trial {
  readonly stack: Stack;
  readonly stub: Stub;
  /** The method and path of every request so far that was meant to change something. */
  writes(): Promise<readonly string[]>;
  /** Stops the mock servers, and removes the stack's files from the project's folder. */
  close(): Promise<void>;
}

/**
 * Opens a stack of a program on its own mock servers, with its own state. The stack uses the embedded engine, or the Pulumi
 * CLI if `PULUMI_ENGINE` is `cli`.
 */
export async function openTrial(options: TrialOptions = {}): Promise<Trial> {
  const { workDir = process.cwd(), program, config = {} } = options;
  const stub = await startStub(options.stub);
  const state = mkdtempSync(join(tmpdir(), "trial-"));
  // A name that no stack of the project has, because its settings file is in the same folder.
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
