import type { Specified } from "../provider/core/language/specified";

/** What a definition's rules say, a sentence each, after the property that each blames. */
export function ruleSentences({ rules = [], serviceText }: Specified): string[] {
  const sentences = rules.map(({ reads: [blamed], said }) => `\`${blamed}\`: ${said}.`);
  if (serviceText === undefined) return [...new Set(sentences)];
  // What the service read in a text is that text, to its author.
  const inText = new RegExp(`\`${serviceText.property}\\.[^\`]*\``, "g");
  return [...new Set(sentences.map((sentence) => sentence.replace(inText, `\`${serviceText.property}\``)))];
}
