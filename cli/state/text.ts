import { hangValue, hangWords, indentWords } from "../columns";
import { visibleIn } from "../visible";
import type { Known } from "./known";

/** Formats the records of a state for a terminal. */
export function stateText(known: readonly Known[]): string[] {
  return known.flatMap((one, at) => [...(at === 0 ? [] : [""]), ...knownText(visibleIn(one))]);
}

function knownText({ type, name, id, records, why, size }: Known): string[] {
  const head = hangWords(`${type} ${JSON.stringify(name)} `, `(${id})`, 4);
  if (records === undefined) return [...head, ...indentWords(why ?? "no records: run pulumi refresh", 2)];
  const { told, sections } = records;
  const unpacked = size.packed < size.whole ? ` (${size.whole} bytes unpacked)` : "";
  return [
    ...head,
    ...told.flatMap((sentence) => indentWords(sentence, 2)),
    ...sections.flatMap(({ what, lines }) => [`  ${what}`, ...lines.flatMap(lineText)]),
    `  stored in ${size.packed} bytes${unpacked}`,
  ];
}

/** A property and its value, or a row of the table of changes. */
function lineText(line: string): string[] {
  const [, name = "", value = ""] = /^(\w+: )?(.*)$/s.exec(line) ?? [];
  return hangValue(`    ${name}`, value);
}
