import type { ResourceState } from "../../state/resource";
import type { PropertyMap } from "../../state/values";

/** The registration of one resource. */
export interface Goal {
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  readonly inputs: PropertyMap;
  readonly parent?: string;
  readonly provider?: string;
  /** The providers for its children, by package. */
  readonly providers: Readonly<Record<string, string>>;
  /** The version of its plugin. */
  readonly version?: string;
  /** The ID of an existing resource to import. */
  readonly importId?: string;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly aliases: readonly Alias[];
  readonly protect?: boolean | undefined;
  readonly retainOnDelete?: boolean | undefined;
  readonly deletedWith?: string;
  readonly deleteBeforeReplace?: boolean;
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  readonly additionalSecretOutputs: readonly string[];
  readonly customTimeouts: NonNullable<ResourceState["customTimeouts"]>;
  readonly position: Position;
}

/** A resource that the program only reads: `get`, or the resource option `id`. */
export interface ReadGoal {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly parent?: string;
  readonly provider?: string;
  readonly version?: string;
  readonly dependencies: readonly string[];
  readonly additionalSecretOutputs: readonly string[];
  readonly position: Position;
}

/** A provider function that the program calls. */
export interface Invocation {
  readonly token: string;
  readonly args: PropertyMap;
  readonly parent?: string;
  readonly provider?: string;
  readonly version?: string;
}

/** An earlier name of a resource: a complete URN, or the parts that differed. */
export type Alias =
  | { readonly urn: string }
  | {
      readonly name?: string;
      readonly type?: string;
      readonly stack?: string;
      readonly project?: string;
      readonly parent?: string;
      readonly noParent?: boolean;
    };

/** The position of the registration in the program, as in the state. */
export interface Position {
  readonly sourcePosition?: string;
  readonly stackTrace?: readonly { readonly sourcePosition?: string }[];
}

/** A goal that the engine itself creates, with only the required fields. */
export function plainGoal(goal: Pick<Goal, "type" | "name" | "custom" | "inputs">): Goal {
  return {
    ...goal,
    providers: {},
    dependencies: [],
    propertyDependencies: {},
    aliases: [],
    ignoreChanges: [],
    replaceOnChanges: [],
    additionalSecretOutputs: [],
    customTimeouts: {},
    position: {},
  };
}
