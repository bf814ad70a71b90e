import type { Program } from "../../programs/program";
import { inTypeScript } from "../../programs/typescript";
import { inGo } from "./go";
import { inPython } from "./python";
import type { Signatures } from "./typed";
import { inYaml } from "./yaml";

/** A program by the languages of the schema's descriptions, under the names that Pulumi has for them. */
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
 * The part of a description that shows a program: each language's SDK and page shows what is written in it.
 * @param programs by language
 */
export function exampleText(programs: ReadonlyMap<string, string>): string {
  const blocks = [...programs].map(([language, text]) => `\`\`\`${language}\n${text}\`\`\`\n`);
  return `{{% examples %}}\n## Example Usage\n{{% example %}}\n\n${blocks.join("")}{{% /example %}}\n{{% /examples %}}`;
}
