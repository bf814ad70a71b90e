import type { Sources } from "../../tools/generate";

/** The types of the generator's part in JavaScript. */
interface Generated {
  /** The sources beside the definitions. */
  sourcesBeside(): Pick<Sources, "package" | "examples" | "endpoints" | "pages">;
  /** The files, formatted as the repository. */
  formatted(files: ReadonlyMap<string, string>): Map<string, string>;
  /** The files of the repository that differ, and those that are obsolete. */
  stale(files: ReadonlyMap<string, string>, mark: string): { differing: string[]; left: string[] };
}

export const { sourcesBeside, formatted, stale }: Generated = require("../../tools/generated.cjs");
