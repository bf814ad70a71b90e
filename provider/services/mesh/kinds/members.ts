import { text } from "../../../core/members";

export * from "../../../core/members";

/** A duration with a unit, as the service writes it. */
export const duration = (doc: string, wire?: string) =>
  text(`${doc} A duration with a unit, such as \`15s\`.`, wire);
