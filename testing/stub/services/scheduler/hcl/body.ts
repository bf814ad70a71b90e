import { parseExpression } from "./expression";
import { Source } from "./source";
import type { Attribute, Block, Body } from "./syntax";

/** Reads the complete text: attributes and blocks. Throws an {@link HclError} at the first mistake. */
export function parseBody(text: string): Body {
  const source = new Source(text);
  const body = readBody(source);
  if (!source.isAtEnd) {
    throw source.refuse(
      "Argument or block definition required",
      "An argument or block definition is required here.",
    );
  }
  return body;
}

const NAME = /[\p{L}_][\p{L}\p{N}_-]*/uy;

function readBody(source: Source): Body {
  const at = source.at;
  const attributes: Attribute[] = [];
  const blocks: Block[] = [];
  for (;;) {
    source.skipLines();
    const start = source.at;
    const name = source.take(NAME);
    if (name === undefined) return { attributes, blocks, at };
    source.skipSpace();
    if (source.startsWith("=") && !source.startsWith("==")) {
      source.skip("=");
      if (attributes.some((attribute) => attribute.name === name)) {
        throw source.refuse("Attribute redefined", `The argument "${name}" was already set.`, start);
      }
      attributes.push({ name, value: parseExpression(source), at: start });
      requireLineEnd(source);
    } else {
      blocks.push(readBlock(source, name, start));
    }
  }
}

function readBlock(source: Source, type: string, at: number): Block {
  const labels: string[] = [];
  for (;;) {
    source.skipSpace();
    const quoted = source.take(/"(?:[^"\\\n]|\\.)*"/y);
    const label = quoted?.slice(1, -1) ?? source.take(NAME);
    if (label === undefined) break;
    labels.push(label);
  }
  if (!source.skip("{")) {
    throw source.refuse(
      "Invalid block definition",
      'Either a quoted string block label or an opening brace ("{") is expected here.',
    );
  }
  const body = readBody(source);
  if (!source.skip("}")) {
    throw source.isAtEnd
      ? source.refuse(
          "Unclosed configuration block",
          "There is no closing brace for this block before the end of the file.",
          at,
        )
      : source.refuse(
          "Argument or block definition required",
          "An argument or block definition is required here.",
        );
  }
  return { type, labels, body, at };
}

/** One attribute per line; a block on one line may contain one attribute. */
function requireLineEnd(source: Source): void {
  source.skipSpace();
  if (source.isAtEnd || source.startsWith("\n") || source.startsWith("}")) return;
  throw source.refuse("Missing newline after argument", "An argument definition must end with a newline.");
}
