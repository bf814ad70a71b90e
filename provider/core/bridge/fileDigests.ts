import { fieldsOf, type Specified } from "../language/fields";
import type { Problem } from "../language/rules";
import { digestOfFile } from "../value/fileDigest";
import { metadataOf, type ProgramInputs, withMetadata } from "../value/programInputs";
import { UnreadableFile } from "../value/regularFile";
import { hasUnknown, UNKNOWN, type Value } from "../value/unknown";

/**
 * Adds the SHA-256 of each file that the inputs name, if the program does not write it. The state then contains it, a preview
 * shows a changed file as a changed digest, and no later step reads a file to compare it. A file that cannot be read is a
 * problem.
 */
export async function withFileDigests(
  definition: Specified,
  inputs: ProgramInputs,
): Promise<{ readonly inputs: ProgramInputs; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  const digests = new Map<string, Promise<string>>();
  let all = inputs;
  for (const { name, facts } of fieldsOf(definition)) {
    const { digestOf, digestBy = digestFile } = facts;
    const file = digestOf === undefined ? undefined : inputs[digestOf];
    if (file === undefined || (inputs[name] ?? undefined) !== undefined) continue;
    if (hasUnknown(file)) all = withInput(all, name, UNKNOWN);
    if (typeof file !== "string") continue;
    const digest = digests.get(file) ?? Promise.resolve(file).then(digestBy);
    digests.set(file, digest);
    try {
      all = withInput(all, name, await digest);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      const path = digestOf ?? name;
      const remedy = `create it, correct the path (relative to the program's folder), or set ${name}`;
      const reason = `${JSON.stringify(file)} ${error.message}: ${remedy}`;
      if (!problems.some((problem) => problem.path === path)) problems.push({ path, reason });
    }
  }
  return { inputs: all, problems };
}

const digestFile = async (path: string) => (await digestOfFile(path)).sha256;

function withInput(inputs: ProgramInputs, name: string, value: Value): ProgramInputs {
  return withMetadata({ ...inputs, [name]: value }, metadataOf(inputs));
}
