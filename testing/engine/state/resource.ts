import type { PropertyMap } from "./values";

/** One resource of the state, with the field names of the CLI's checkpoint (version 3). */
export interface ResourceState {
  readonly urn: string;
  readonly type: string;
  readonly custom: boolean;
  readonly id?: string;
  readonly inputs?: PropertyMap;
  readonly outputs?: PropertyMap;
  readonly parent?: string;
  readonly provider?: string;
  readonly dependencies?: readonly string[];
  readonly propertyDependencies?: { readonly [property: string]: readonly string[] };
  readonly deletedWith?: string;
  readonly protect?: boolean;
  readonly external?: boolean;
  readonly retainOnDelete?: boolean;
  /** True for the old resource of a replacement that is waiting to be deleted. */
  readonly delete?: boolean;
  /** True for a resource that was deleted first and is waiting for its replacement. */
  readonly pendingReplacement?: boolean;
  readonly initErrors?: readonly string[];
  readonly additionalSecretOutputs?: readonly string[];
  readonly aliases?: readonly string[];
  readonly customTimeouts?: {
    readonly create?: number;
    readonly update?: number;
    readonly delete?: number;
    readonly read?: number;
  };
  readonly ignoreChanges?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly importID?: string;
  /** True if the provider requested a refresh before each preview and update. */
  readonly refreshBeforeUpdate?: boolean;
  readonly created?: string;
  readonly modified?: string;
  readonly sourcePosition?: string;
  /** Other fields that a CLI wrote; they are preserved. */
  readonly [further: string]: unknown;
}

/** An operation that began and has no recorded end. */
export interface PendingOperation {
  readonly resource: ResourceState;
  readonly type: "creating" | "updating" | "deleting" | "reading" | "importing";
}

/** A stack's resources; each follows its dependencies. */
export interface Snapshot {
  readonly resources: readonly ResourceState[];
  readonly pendingOperations: readonly PendingOperation[];
}
