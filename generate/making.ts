import type { FunctionDefinition } from "../provider/core/functions/define";

/** What a call makes, and what to write where it is to be made once. */
export function making({ makes }: FunctionDefinition): string[] {
  if (makes === undefined) return [];
  return [
    `Each call, and so each \`pulumi up\`, makes ${makes.what}: the resource \`${makes.keptBy}\` has it made once, and keeps it.`,
  ];
}
