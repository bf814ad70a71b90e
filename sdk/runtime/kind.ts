import { type Bridge, bridgeOfStack } from "./bridge";

/** The metadata of a resource type; the generated classes contain it. */
export interface ResourceKind {
  /** `service:Type`. */
  readonly token: string;
  /** The input properties. */
  readonly inputs: readonly string[];
  /** The required inputs. */
  readonly required: readonly string[];
  /** The properties that only the server sets. */
  readonly outputs: readonly string[];
  /** The properties that are always secret. */
  readonly secrets: readonly string[];
  /** The documents that may contain secrets: by property, the names of their secret members. */
  readonly secretMembers: Readonly<Record<string, readonly string[]>>;
  /** True if the provider asks the server for a plan in a preview. */
  readonly isForetold?: boolean;
  /** The outputs that are part of the resource's ID: by property, the index of the segment. */
  readonly idSegments?: Readonly<Record<string, number>>;
}

/** The prefixes of resource types. Every state contains them, so they must never change. */
const BEGINNINGS: Readonly<Record<Bridge, string>> = {
  dynamic: "pulumi-nodejs:dynamic/quarterdeck/",
  plugin: "quarterdeck:",
};

/** The engine's type of a resource on a bridge. */
export function typeOn(bridge: Bridge, token: string): string {
  return BEGINNINGS[bridge] + token;
}

/** The engine's type of a resource in this stack. */
export function typeOf({ token }: ResourceKind): string {
  return typeOn(bridgeOfStack(), token);
}

/** True if a value is a resource of this type on either bridge, even if a different copy of this package created it. */
export function isOfKind(value: unknown, { token }: ResourceKind): boolean {
  const type = engineTypeOf(value);
  return type === typeOn("dynamic", token) || type === typeOn("plugin", token);
}

/** True if a value is an explicit provider of this package, even if a different copy of the package created it. */
export function isProvider(value: unknown): boolean {
  return engineTypeOf(value) === "pulumi:providers:quarterdeck";
}

/** The type of a resource; Pulumi's SDK stores it under this name. */
function engineTypeOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "__pulumiType" in value
    ? value.__pulumiType
    : undefined;
}
