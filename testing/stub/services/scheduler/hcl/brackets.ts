import type { Source } from "./source";
import type { Node } from "./syntax";

export type ReadExpression = (source: Source) => Node;

/** Reads the contents of brackets after the opening one: a list, or a loop that produces one. */
export function readList(source: Source, at: number, read: ReadExpression): Node {
  source.skipLines();
  if (source.take(/for(?=\s+[\p{L}_])/uy) !== undefined) return comprehension(source, at, "]", read);
  const { args } = readItems(source, "]", at, read);
  return { kind: "list", items: args, at, source: textSince(source, at) };
}

/** Reads the contents of braces after the opening one: an object, or a loop that produces one. */
export function readObject(source: Source, at: number, read: ReadExpression): Node {
  source.skipLines();
  if (source.take(/for(?=\s+[\p{L}_])/uy) !== undefined) return comprehension(source, at, "}", read);
  const entries: (readonly [Node, Node])[] = [];
  for (;;) {
    source.skipLines();
    if (source.skip("}")) return { kind: "object", entries, at, source: textSince(source, at) };
    const key = objectKey(source, read);
    source.skipSpace();
    if (!source.skip("=") && !source.skip(":")) {
      throw source.refuse(
        "Missing attribute value",
        'Expected an attribute value, introduced by an equals sign ("=").',
      );
    }
    entries.push([key, inLines(source, read)]);
    source.skipSpace();
    source.skip(",");
  }
}

/** Reads comma-separated items up to the closing bracket; `...` may spread the last one. */
export function readItems(
  source: Source,
  closing: string,
  at: number,
  read: ReadExpression,
): { readonly args: readonly Node[]; readonly spreads: boolean } {
  const args: Node[] = [];
  for (;;) {
    source.skipLines();
    if (source.skip(closing)) return { args, spreads: false };
    args.push(read(source));
    source.skipLines();
    if (source.skip("...")) {
      requireClosing(source, closing, at);
      return { args, spreads: true };
    }
    if (!source.skip(",")) {
      requireClosing(source, closing, at);
      return { args, spreads: false };
    }
  }
}

/** A bare name is a literal key; any other key is an expression. */
function objectKey(source: Source, read: ReadExpression): Node {
  const at = source.at;
  const name = source.take(/[\p{L}_][\p{L}\p{N}_-]*(?=[ \t]*[=:])/uy);
  return name === undefined ? read(source) : { kind: "literal", value: name, at, source: name };
}

/** Reads `for key, value in collection : … if …`, after its first word. */
function comprehension(source: Source, at: number, closing: string, read: ReadExpression): Node {
  const names = [loopName(source)];
  source.skipLines();
  if (source.skip(",")) names.push(loopName(source));
  source.skipLines();
  if (source.take(/in(?=\s)/y) === undefined)
    throw source.refuse("Invalid 'for' expression", "The word in is expected here.");
  const over = inLines(source, read);
  if (!source.skip(":")) throw source.refuse("Invalid 'for' expression", "A colon is expected here.");
  const first = inLines(source, read);
  const isObject = source.skip("=>");
  const second = isObject ? inLines(source, read) : undefined;
  source.skip("...");
  source.skipLines();
  const condition = source.take(/if(?=\s)/y) === undefined ? undefined : inLines(source, read);
  requireClosing(source, closing, at);
  const [only = "", value] = names;
  return {
    kind: "for",
    keyName: value === undefined ? undefined : only,
    valueName: value ?? only,
    over,
    key: second === undefined ? undefined : first,
    value: second ?? first,
    condition,
    at,
    source: textSince(source, at),
  };
}

function loopName(source: Source): string {
  source.skipLines();
  const name = source.take(/[\p{L}_][\p{L}\p{N}_-]*/uy);
  if (name === undefined)
    throw source.refuse("Invalid 'for' expression", "A variable name is expected here.");
  return name;
}

/** Reads an expression that may be on lines of its own, as brackets allow. */
export function inLines(source: Source, read: ReadExpression): Node {
  source.skipLines();
  const node = read(source);
  source.skipLines();
  return node;
}

export function requireClosing(source: Source, closing: string, at: number): void {
  source.skipLines();
  if (source.skip(closing)) return;
  throw source.refuse(
    "Missing item separator or closing bracket",
    `Expected "${closing}" here.`,
    source.isAtEnd ? at : source.at,
  );
}

export function textSince(source: Source, at: number): string {
  return source.text.slice(at, source.at);
}
