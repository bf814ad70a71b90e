import type { Json } from "../../core/value/json";
import type { Spelling } from "../../core/value/spelling";

/** LDIF, or base64 of it: one value. It travels as it was written. */
export const ldif: Spelling = {
  name: "LDIF or base64 of it",
  canonical: (value) => (typeof value === "string" ? decoded(value) : value),
};

function decoded(text: string): string {
  const compact = text.replace(/\s/g, "");
  const isBase64 = compact !== "" && compact.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(compact);
  return isBase64 ? Buffer.from(compact, "base64").toString("utf8") : text;
}

/** What the service's own reader of LDIF takes. */
const CHANGE_TYPES = ["add", "delete", "modify"];
const LINE = /^([A-Za-z][\w;.-]*|\d+(\.\d+)*(;[\w-]+)*):/;

/**
 * What is wrong with LDIF, as far as the service checks it before it keeps it: entries apart by blank lines, each of
 * which begins with its `dn`, and lines of an attribute and its value.
 */
export function ldifProblem(value: Json | undefined): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  const entries = entriesIn(withoutActions(decoded(value)));
  if (entries.length === 0) return "must hold at least one entry of LDIF";
  return entries.map(entryProblem).find((problem) => problem !== undefined);
}

function entryProblem([first = "", ...lines]: readonly string[]): string | undefined {
  if (!/^dn::?\s*\S/.test(first))
    return `must begin each entry with its dn, not with ${JSON.stringify(first)}`;
  if (lines.length === 0) return `has an entry that is nothing but its dn: ${JSON.stringify(first)}`;
  const wrong = lines.find((line) => !(LINE.test(line) || /^(-$| )/.test(line)));
  if (wrong !== undefined) return `has a line that is no LDIF: ${JSON.stringify(wrong)}`;
  const type = lines.map((line) => /^changetype:\s*(\S*)/.exec(line)?.[1]).find((word) => word !== undefined);
  if (type !== undefined && !CHANGE_TYPES.includes(type)) {
    return `has the changetype ${JSON.stringify(type)}, which the service does not know; it knows ${CHANGE_TYPES.join(", ")}`;
  }
  if (type === "modify" && lines.at(-1)?.trim() !== "-")
    return "must end every change of a modify with a line of one -";
  return undefined;
}

/** Stands where a template's action stood; no text of a person holds it. */
const ACTION = "\uffff";

/** The text as a template would render it, as far as lines go: a value is some text, a line of its own is none. */
function withoutActions(text: string): string {
  let marked = "";
  let from = 0;
  for (let opening = text.indexOf("{{"); opening >= 0; opening = text.indexOf("{{", from)) {
    const closing = text.indexOf("}}", opening + 2);
    if (closing < 0) break;
    marked += text.slice(from, opening) + ACTION;
    from = closing + 2;
  }
  const lines = (marked + text.slice(from)).split("\n");
  return lines
    .filter((line, index) => index === lines.length - 1 || line.trim() !== ACTION)
    .join("\n")
    .replaceAll(ACTION, "value");
}

function entriesIn(text: string): string[][] {
  return text
    .replace(/\r\n/g, "\n")
    .split(/\n[ \t]*\n/)
    .map((entry) => entry.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#")))
    .map((lines, index) => (index === 0 ? lines.filter((line) => !/^version:\s*1\s*$/.test(line)) : lines))
    .filter((lines) => lines.length > 0);
}
