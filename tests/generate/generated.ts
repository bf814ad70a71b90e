import type { Sources } from "../../tools/generate";

/** The generator's own half in JavaScript, with the types that it has no place for. */
interface Generated {
  /** The sources beside the definitions. */
  sourcesBeside(): Pick<Sources, "package" | "examples" | "endpoints">;
  /** The files as the repository's formatter leaves them. */
  formatted(files: ReadonlyMap<string, string>): Map<string, string>;
  /** What differs in the repository, and what is left there. */
  stale(files: ReadonlyMap<string, string>, mark: string): { differing: string[]; left: string[] };
}

export const { sourcesBeside, formatted, stale }: Generated = require("../../tools/generated.cjs");
