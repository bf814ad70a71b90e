import { type Bridge, bridgeOfStack } from "./bridge";

/** What the runtime must know of a resource type; the generated classes hold it as data. */
export interface ResourceKind {
  /** `service:Type`. */
  readonly token: string;
  /** The properties that a program may write. */
  readonly inputs: readonly string[];
  /** Those among them that it must write. */
  readonly required: readonly string[];
  /** The properties that the service alone sets. */
  readonly outputs: readonly string[];
  /** The properties that are secret, whoever wrote them. */
  readonly secrets: readonly string[];
  /** The documents in which a secret may stand: by property, the names of the members that hold one. */
  readonly secretMembers: Readonly<Record<string, readonly string[]>>;
  /** Whether its service is asked in a preview what it would make of a change. */
  readonly isForetold?: boolean;
  /** The outputs that the resource's id says: by property, which segment of it. */
  readonly idSegments?: Readonly<Record<string, number>>;
}

/** What the types of resources begin with. It stands in every state, so it stays for ever. */
const BEGINNINGS: Readonly<Record<Bridge, string>> = {
  dynamic: "pulumi-nodejs:dynamic/quarterdeck/",
  plugin: "quarterdeck:",
};

/** The type under which the engine knows a resource, by how it reaches the provider. */
export function typeOn(bridge: Bridge, token: string): string {
  return BEGINNINGS[bridge] + token;
}

/** The type under which the engine of this stack knows a resource. */
export function typeOf({ token }: ResourceKind): string {
  return typeOn(bridgeOfStack(), token);
}

/** Whether a value is a resource of this kind on either bridge, also one that another copy of this package made. */
export function isOfKind(value: unknown, { token }: ResourceKind): boolean {
  const type = engineTypeOf(value);
  return type === typeOn("dynamic", token) || type === typeOn("plugin", token);
}

/** Whether a value is an explicit provider of this package, also one that another copy of it made. */
export function isProvider(value: unknown): boolean {
  return engineTypeOf(value) === "pulumi:providers:quarterdeck";
}

/** A resource's type; the engine's SDK puts it on it under this name. */
function engineTypeOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "__pulumiType" in value
    ? value.__pulumiType
    : undefined;
}
