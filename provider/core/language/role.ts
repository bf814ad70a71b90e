/**
 * Whose a property is. *identity*: part of what the object is, so that another value is another object. *managed*: the
 * program says what the service shall hold. *steering*: it steers this provider, and is never sent. *server's*: only the
 * service sets it, and it is an output.
 */
export type Role = "identity" | "managed" | "steering" | "server's";

/** Where a property travels. A link has a request of its own. */
export type Location = "body" | "relationship" | "address" | "link";

/** When the service is sent what it never answers. */
export type WriteOnlySending = "when-changed" | "every-write" | "create-only";

/** What is known of a property here: its facts, or some of them. */
interface RoleFacts {
  readonly role?: Role;
  readonly location?: Location;
  readonly writeOnly?: WriteOnlySending;
}

/** Whether a program may write it. */
export function isWritable({ role }: RoleFacts): boolean {
  return role !== "server's";
}

/** Whether it steers this provider, and the service never hears of it. */
export function isSteering({ role }: RoleFacts): boolean {
  return role === "steering";
}

/** Whether it tells where the object is. */
export function isAddress({ role, location }: RoleFacts): boolean {
  return role === "identity" || location === "address";
}

/** Whether it has requests of its own, which come after the object's. */
export function isLink({ location }: RoleFacts): boolean {
  return location === "link";
}

/** Whether it travels in the body of the object's own requests; a link has requests of its own. */
export function isSent(facts: RoleFacts): boolean {
  const { location } = facts;
  return isWritable(facts) && !isSteering(facts) && location !== "address" && !isLink(facts);
}

/** Whether the service answers it. */
export function isShown(facts: RoleFacts): boolean {
  return !isSteering(facts) && facts.writeOnly === undefined;
}

/** Whether the program manages its value: what it writes there is brought about. */
export function isManaged({ role = "managed" }: RoleFacts): boolean {
  return role === "managed";
}

/** Whether what the program writes is compared with what the service answers. */
export function isCompared(facts: RoleFacts): boolean {
  return isManaged(facts) && isShown(facts);
}
