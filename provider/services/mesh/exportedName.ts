import { type Inputs, type Json, knownAmong } from "../../core";

/** The kind whose entries have the name of their partition. */
export const EXPORTED = "exported-services";

/** The reason why Consul certainly rejects this name. Without a partition in the program, the agent's partition decides. */
export function exportedNameProblem(name: Json | undefined, partition: Json | undefined): string | undefined {
  if (typeof name !== "string" || typeof partition !== "string" || name === partition) return undefined;
  return `must be ${JSON.stringify(partition)}: an ${EXPORTED} entry has the name of its partition`;
}

/** Preview notes about a name that only the agent can judge. */
export function exportedNameNotes(inputs: Inputs): string[] {
  const { name, partition } = knownAmong(inputs);
  const isOpen = typeof name === "string" && name !== "default" && (partition ?? null) === null;
  return isOpen
    ? [
        `name: an ${EXPORTED} entry has the name of its partition, which is "default" on Consul Community Edition; Consul rejects any other name`,
      ]
    : [];
}
