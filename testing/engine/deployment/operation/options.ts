import type { EngineEvent, Op } from "../../events";
import type { Snapshot } from "../../state/resource";
import type { PropertyValue } from "../../state/values";

/** The location of the program. */
export type Program =
  /** A running `LanguageRuntime` server; this is the address that the CLI receives as `--client`. */
  | { readonly inline: string }
  /** A folder; the SDK's `cmd/run` runs it in its own process. */
  | {
      readonly local: {
        /** The project's folder, with Pulumi.yaml. */
        readonly root: string;
        /** `main` in Pulumi.yaml, relative to the root: a folder or a file. */
        readonly main?: string;
        /** `runtime.options` in Pulumi.yaml. */
        readonly options: Readonly<Record<string, unknown>>;
      };
    };

/** A provider plugin with a path in Pulumi.yaml. */
export interface DeclaredPlugin {
  readonly name: string;
  /** The folder of its executable, `pulumi-resource-<name>`. */
  readonly path: string;
}

export interface DeployOptions {
  readonly kind: "preview" | "up" | "refresh" | "destroy";
  /** With `refresh`: saves nothing. With `destroy`: only previews. */
  readonly previewOnly?: boolean;
  readonly project: string;
  readonly stack: string;
  readonly organization: string;
  /** The folder in which plugins start, and the program's working directory. */
  readonly workingDirectory: string;
  readonly program?: Program;
  readonly plugins?: readonly DeclaredPlugin[];
  /** Additional environment variables for a local program and for plugins. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The stack's decrypted configuration: `"ns:key"` to a string, or a {@link Secret} of a string. */
  readonly config: Readonly<Record<string, PropertyValue>>;
  readonly snapshot: Snapshot;
  /** URNs or globs, as in the CLI. */
  readonly targets?: readonly string[];
  readonly targetDependents?: boolean;
  /** URNs or globs of the resources to replace (`--replace`). */
  readonly replaced?: readonly string[];
  /** The maximum number of concurrent resource operations. */
  readonly parallel?: number;
  /** `up --refresh`, `preview --refresh`, `destroy --refresh`. */
  readonly refreshFirst?: boolean;
  /** `refresh --run-program` and `destroy --run-program`: unsupported, refused by name. */
  readonly runProgram?: boolean;
  /** `--continue-on-error`: unsupported, refused by name. */
  readonly continueOnError?: boolean;
  /** Saves the state after every change; dependent steps wait for the promise. */
  save(snapshot: Snapshot): Promise<void>;
  /** Receives events in order. The receiver adds numbers and timestamps. */
  emit(event: EngineEvent): void;
  /** After an abort no new steps begin; running steps are awaited. */
  readonly signal?: AbortSignal;
}

export interface DeployResult {
  /** The number of resources per operation, for the summary. */
  readonly changes: Partial<Record<Op, number>>;
  /** The state after the last step; for a preview, the original state. */
  readonly snapshot: Snapshot;
  /** The reason for a failure. */
  readonly error?: string;
  /** True if events have reported the failure completely; otherwise the CLI prints it as `error: …`. */
  readonly reported?: boolean;
  readonly durationSeconds: number;
}
