import { fieldNamed, type Specified } from "../provider/core/language/fields";

/** What a definition's rules say, a sentence each, after the property that each blames. */
export function ruleSentences({ rules = [], serviceText }: Specified): string[] {
  const sentences = rules.map(({ reads: [blamed], said }) => `\`${blamed}\`: ${said}.`);
  if (serviceText === undefined) return [...new Set(sentences)];
  // What the service read in a text is that text, to its author.
  const inText = new RegExp(`\`${serviceText.property}\\.[^\`]*\``, "g");
  return [...new Set(sentences.map((sentence) => sentence.replace(inText, `\`${serviceText.property}\``)))];
}

/** What becomes of the other one of two exclusive properties, a sentence each. Documents are managed as one unit anyway. */
export function exclusiveSentences(definition: Specified): string[] {
  return (definition.rules ?? []).flatMap(({ exclusive }) => {
    const [first = "", second = ""] = exclusive?.pair ?? [];
    const field = fieldNamed(definition, first.split(".")[0]);
    if (exclusive === undefined || field === undefined || field.facts.document !== undefined) return [];
    const { computed } = exclusive;
    const other = computed === first ? second : first;
    return [
      computed === undefined
        ? `\`${first}\` and \`${second}\`: while the program sets one of them, the other one is managed as empty.`
        : `\`${other}\` is managed as empty while the program sets \`${computed}\`. Next to \`${other}\` the server computes \`${computed}\` itself.`,
    ];
  });
}
