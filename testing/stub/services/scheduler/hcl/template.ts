import { Source } from "./source";
import type { Node } from "./syntax";

type ReadExpression = (source: Source) => Node;

/** Reads a quoted string with escapes and `${…}` expressions. */
export function readQuoted(source: Source, readExpression: ReadExpression): Node {
  const at = source.at;
  source.skip('"');
  const parts = readParts(source, readExpression, '"', at);
  return template(parts, at, source.text.slice(at, source.at));
}

/** Reads `<<END` and `<<-END`; the latter removes the indentation that all its lines share. */
export function readHeredoc(source: Source, readExpression: ReadExpression): Node | undefined {
  const at = source.at;
  const head = source.take(/<<-?[\p{L}_][\p{L}\p{N}_]*[ \t\r]*\n/uy);
  if (head === undefined) return undefined;
  const marker = head.replace(/^<<-?/, "").trim();
  const lines: string[] = [];
  for (;;) {
    const line = source.take(/[^\n]*/y) ?? "";
    if (line.trim() === marker) break;
    if (source.isAtEnd) {
      throw source.refuse("Unterminated template string", "No closing marker was found for the string.", at);
    }
    source.skip("\n");
    lines.push(`${line}\n`);
  }
  const text = (head.startsWith("<<-") ? outdent(lines) : lines).join("");
  return template(
    readParts(new Source(text), readExpression, undefined, 0),
    at,
    source.text.slice(at, source.at),
  );
}

function outdent(lines: readonly string[]): readonly string[] {
  const widths = lines
    .filter((line) => line.trim() !== "")
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const width = Math.min(...widths);
  return lines.map((line) =>
    line.trim() === "" ? line.slice(Math.min(width, line.length - 1)) : line.slice(width),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

function readParts(
  source: Source,
  readExpression: ReadExpression,
  closing: '"' | undefined,
  start: number,
): readonly (string | Node)[] {
  const parts: (string | Node)[] = [];
  let text = "";
  for (;;) {
    if (source.isAtEnd) {
      if (closing === undefined) return [...parts, text];
      throw source.refuse(
        "Unterminated template string",
        "No closing marker was found for the string.",
        start,
      );
    }
    if (closing !== undefined && source.skip(closing)) return [...parts, text];
    if (source.skip("$${")) text += "${";
    else if (source.skip("%%{")) text += "%{";
    else if (source.startsWith("${")) {
      parts.push(text, interpolation(source, readExpression));
      text = "";
    } else if (source.startsWith("%{")) {
      throw source.refuse("Unsupported template directive", "This stub reads no template directives.");
    } else if (closing !== undefined && source.skip("\\")) text += readEscape(source);
    else if (closing !== undefined && source.startsWith("\n")) {
      throw source.refuse(
        "Invalid multi-line string",
        "Quoted strings may not be split over multiple lines.",
      );
    } else text += source.take(/[\s\S]/uy) ?? "";
  }
}

function interpolation(source: Source, readExpression: ReadExpression): Node {
  const at = source.at;
  source.take(/\$\{~?/y);
  source.skipLines();
  const node = readExpression(source);
  source.skipLines();
  source.skip("~");
  if (!source.skip("}")) {
    throw source.refuse(
      "Unterminated template interpolation",
      "Expected a closing brace to end the interpolation expression.",
      at,
    );
  }
  return { ...node, source: source.text.slice(at, source.at) };
}

function readEscape(source: Source): string {
  const code = source.take(/u[\da-fA-F]{4}|U[\da-fA-F]{8}/y);
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
  const character = source.take(/[\s\S]/y) ?? "";
  const meant = ESCAPES[character];
  if (meant === undefined) {
    throw source.refuse(
      "Invalid escape sequence",
      `The symbol "${character}" is not a valid escape sequence selector.`,
    );
  }
  return meant;
}

function template(parts: readonly (string | Node)[], at: number, source: string): Node {
  const kept = parts.filter((part) => part !== "");
  const [only] = kept;
  if (kept.length === 0) return { kind: "literal", value: "", at, source };
  if (kept.length === 1 && typeof only === "string") return { kind: "literal", value: only, at, source };
  return { kind: "template", parts: kept, at, source };
}
