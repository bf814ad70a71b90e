import { fieldNamed, type Specified } from "../../provider/core/language/fields";

/** The rules of a definition, one sentence each, with the property that each rule blames. */
export function ruleSentences({ rules = [], serviceText }: Specified): string[] {
  const sentences = rules.map(({ reads: [blamed], said }) => `\`${blamed}\`: ${said}.`);
  if (serviceText === undefined) return [...new Set(sentences)];
  // For the author, the parsed parts of a text are the text itself.
  const inText = new RegExp(`\`${serviceText.property}\\.[^\`]*\``, "g");
  return [...new Set(sentences.map((sentence) => sentence.replace(inText, `\`${serviceText.property}\``)))];
}

/**
 * The effect of two exclusive properties on each other, one sentence each. Documents are left out, because they are managed
 * as one unit anyway.
 */
export function exclusiveSentences(definition: Specified): string[] {
  return (definition.rules ?? []).flatMap(({ exclusive }) => {
    const [first = "", second = ""] = exclusive?.pair ?? [];
    const field = fieldNamed(definition, first.split(".")[0]);
    if (exclusive === undefined || field === undefined || field.facts.document !== undefined) return [];
    const { computed } = exclusive;
    const other = computed === first ? second : first;
    return [
      computed === undefined
        ? `\`${first}\` and \`${second}\`.`
        : `\`${computed}\` and \`${other}\`. If only \`${other}\` is set, the server computes \`${computed}\`.`,
    ];
  });
}
