import type { Program } from "../../../cli/programs/program";
import { inTypeScript } from "../../../cli/programs/typescript";
import { inGo } from "./go";
import { inPython } from "./python";
import type { Signatures } from "./typed";
import { inYaml } from "./yaml";

/** Writes a program in each language of the schema's descriptions, by Pulumi's names of the languages. */
export function inEveryLanguage(
  program: Program,
  signatures: Signatures,
  goSdk: string,
): ReadonlyMap<string, string> {
  return new Map([
    ["typescript", inTypeScript(program)],
    ["python", inPython(program, signatures)],
    ["go", inGo(program, signatures, goSdk)],
    ["yaml", inYaml(program)],
  ]);
}

/**
 * The example section of a description; each language's SDK and page shows its own program.
 * @param programs by language
 */
export function exampleText(programs: ReadonlyMap<string, string>): string {
  const blocks = [...programs].map(([language, text]) => `\`\`\`${language}\n${text}\`\`\`\n`);
  return `{{% examples %}}\n## Example Usage\n{{% example %}}\n\n${blocks.join("")}{{% /example %}}\n{{% /examples %}}`;
}
