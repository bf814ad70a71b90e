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
}

/** The type under which the engine knows a resource. It stands in every state, so it stays for ever. */
export function typeOf(token: string): string {
  return `pulumi-nodejs:dynamic/quarterdeck/${token}`;
}

/** Whether a value is a resource of this type, also one that another copy of this package made. */
export function isOfType(value: unknown, type: string): boolean {
  // The engine's SDK puts a resource's type on it under this name.
  return (
    typeof value === "object" && value !== null && "__pulumiType" in value && value.__pulumiType === type
  );
}
