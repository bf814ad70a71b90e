import { text } from "../../../core/language/members";

export * from "../../../core/language/members";

/** A duration with a unit, as the service writes it. */
export const duration = (doc: string, wire?: string) =>
  text(`${doc} A duration with a unit, such as \`15s\`.`, wire);
