/**
 * The role of a property. *identity*: part of the object's identity, so another value is another object. *managed*: the
 * program decides the value on the service. *steering*: an option of this provider, never sent. *server's*: an output that
 * only the service sets.
 */
export type Role = "identity" | "managed" | "steering" | "server's";

/** The part of the request that carries a property. A link has its own request. */
export type Location = "body" | "relationship" | "address" | "link";

/** When to send a property that the service never returns. */
export type WriteOnlySending = "when-changed" | "every-write" | "create-only";

/** A property's facts, complete or in part. */
interface RoleFacts {
  readonly role?: Role;
  readonly location?: Location;
  readonly writeOnly?: WriteOnlySending;
}

/** True if a program may write the property. */
export function isWritable({ role }: RoleFacts): boolean {
  return role !== "server's";
}

/** True if the property is an option of this provider, which is never sent. */
export function isSteering({ role }: RoleFacts): boolean {
  return role === "steering";
}

/** True if the property is part of the object's address. */
export function isAddress({ role, location }: RoleFacts): boolean {
  return role === "identity" || location === "address";
}

/** True if the property has its own requests, which follow the object's. */
export function isLink({ location }: RoleFacts): boolean {
  return location === "link";
}

/** True if the body of the object's own requests carries the property. A link has its own requests. */
export function isSent(facts: RoleFacts): boolean {
  const { location } = facts;
  return isWritable(facts) && !isSteering(facts) && location !== "address" && !isLink(facts);
}

/** True if the service returns the property. */
export function isShown(facts: RoleFacts): boolean {
  return !isSteering(facts) && facts.writeOnly === undefined;
}

/** True if the program manages the value, so that Quarterdeck writes it to the service. */
export function isManaged({ role = "managed" }: RoleFacts): boolean {
  return role === "managed";
}

/** True if Quarterdeck compares the program's value with the service's response. */
export function isCompared(facts: RoleFacts): boolean {
  return isManaged(facts) && isShown(facts);
}
