import type { PropertyMap } from "./values";

/** One resource of the state, with the field names of the CLI's own checkpoint (version 3). */
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
  /** True for the old half of a replacement that still waits to be deleted. */
  readonly delete?: boolean;
  /** True for a resource that was deleted first and waits for its replacement. */
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
  /** True for a resource that is read before each preview and update, as its provider asked for. */
  readonly refreshBeforeUpdate?: boolean;
  readonly created?: string;
  readonly modified?: string;
  readonly sourcePosition?: string;
  /** Whatever else a CLI wrote there, kept as it was read. */
  readonly [further: string]: unknown;
}

/** An operation that had begun and of which no end is on record. */
export interface PendingOperation {
  readonly resource: ResourceState;
  readonly type: "creating" | "updating" | "deleting" | "reading" | "importing";
}

/** A stack's resources, in an order in which each stands after everything it depends on. */
export interface Snapshot {
  readonly resources: readonly ResourceState[];
  readonly pendingOperations: readonly PendingOperation[];
}
