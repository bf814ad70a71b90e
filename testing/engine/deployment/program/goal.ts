import type { ResourceState } from "../../state/resource";
import type { PropertyMap } from "../../state/values";

/** What the program wants of one resource. */
export interface Goal {
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  readonly inputs: PropertyMap;
  readonly parent?: string;
  readonly provider?: string;
  /** The providers of what is below it, by package. */
  readonly providers: Readonly<Record<string, string>>;
  /** Of the plugin that is to serve it. */
  readonly version?: string;
  /** What is there already under this id is taken over. */
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

/** A resource that the program only looks at: `get`, or the resource option `id`. */
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

/** A function of a provider that the program calls. */
export interface Invocation {
  readonly token: string;
  readonly args: PropertyMap;
  readonly parent?: string;
  readonly provider?: string;
  readonly version?: string;
}

/** Another name that a resource may have had: a URN in full, or what was different in it. */
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

/** Where in the program it is asked for, as the state keeps it. */
export interface Position {
  readonly sourcePosition?: string;
  readonly stackTrace?: readonly { readonly sourcePosition?: string }[];
}

/** A goal of the engine's own, with nothing but what it cannot do without. */
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
