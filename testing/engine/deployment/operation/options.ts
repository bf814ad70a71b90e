import type { EngineEvent, Op } from "../../events";
import type { Snapshot } from "../../state/resource";
import type { PropertyValue } from "../../state/values";

/** Where the program is that wants the resources. */
export type Program =
  /** It already runs behind a `LanguageRuntime` server: the address that the CLI gets as `--client`. */
  | { readonly inline: string }
  /** It is a folder, run in a process of its own by the SDK's `cmd/run`. */
  | {
      readonly local: {
        /** The project's folder, where Pulumi.yaml is. */
        readonly root: string;
        /** `main` of Pulumi.yaml, relative to the root: a folder or a file. */
        readonly main?: string;
        /** `runtime.options` of Pulumi.yaml. */
        readonly options: Readonly<Record<string, unknown>>;
      };
    };

/** A provider plugin of which Pulumi.yaml says where it is. */
export interface DeclaredPlugin {
  readonly name: string;
  /** The folder of its executable, `pulumi-resource-<name>`. */
  readonly path: string;
}

export interface DeployOptions {
  readonly kind: "preview" | "up" | "refresh" | "destroy";
  /** With `refresh`: a refresh that saves nothing. With `destroy`: a preview of the destroy. */
  readonly previewOnly?: boolean;
  readonly project: string;
  readonly stack: string;
  readonly organization: string;
  /** Where plugins start, and what programs see as the working directory. */
  readonly workingDirectory: string;
  readonly program?: Program;
  readonly plugins?: readonly DeclaredPlugin[];
  /** Environment variables beside the process's own, for a local program and for plugins. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The stack's configuration, decrypted: `"ns:key"` to a string, or to a {@link Secret} of one. */
  readonly config: Readonly<Record<string, PropertyValue>>;
  readonly snapshot: Snapshot;
  /** URNs, or globs of them, as the CLI takes them. */
  readonly targets?: readonly string[];
  readonly targetDependents?: boolean;
  /** URNs, or globs of them, of the resources to replace (`--replace`). */
  readonly replaced?: readonly string[];
  /** How many resource operations may run at once. */
  readonly parallel?: number;
  /** `up --refresh`, `preview --refresh`, `destroy --refresh`. */
  readonly refreshFirst?: boolean;
  /** `refresh --run-program` and `destroy --run-program`: refused by name. */
  readonly runProgram?: boolean;
  /** `--continue-on-error`: refused by name. */
  readonly continueOnError?: boolean;
  /** Called after every change of the state; the next thing that depends on it waits for the promise. */
  save(snapshot: Snapshot): Promise<void>;
  /** Called in order. The receiver numbers and dates the events. */
  emit(event: EngineEvent): void;
  /** No new steps once it is aborted; those that run are awaited. */
  readonly signal?: AbortSignal;
}

export interface DeployResult {
  /** How many resources each operation touched, as the summary counts them. */
  readonly changes: Partial<Record<Op, number>>;
  /** The state after the last step; for a preview, the state that was given. */
  readonly snapshot: Snapshot;
  /** Why it failed. */
  readonly error?: string;
  /** True where events have told all about the failure; else the CLI prints it, as `error: …`. */
  readonly reported?: boolean;
  readonly durationSeconds: number;
}
