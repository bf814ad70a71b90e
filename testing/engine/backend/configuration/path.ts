import { Refusal } from "../../refusal";

/** A path inside a structured value: member names and list indices. */
export type PropertyPath = readonly (string | number)[];

/** Parses a path of `--path`: `root.nested`, `root["any name"]` and `root[0]`, in any combination. */
export function parsePath(text: string): PropertyPath {
  const path: (string | number)[] = [];
  let rest = text;
  if (rest.startsWith(".")) throw invalid("expected property path to start with a name or index");
  while (rest !== "") {
    if (rest.startsWith(".")) {
      rest = rest.slice(1);
      if (rest === "") throw invalid("expected property path to end with a name or index");
      if (rest.startsWith("[")) throw invalid("expected property name after '.'");
    }
    const [element, length] = rest.startsWith('["')
      ? parseQuotedKey(rest)
      : rest.startsWith("[")
        ? index(rest)
        : name(rest);
    path.push(element);
    rest = rest.slice(length);
  }
  return path;
}

/** Formats the path as the shortest text that parses to it. */
export function formatPath(path: PropertyPath): string {
  return path
    .map((element, position) => {
      if (typeof element === "number") return `[${element}]`;
      if (!/^[A-Za-z_$][\w$]*$/.test(element)) return `["${element.replaceAll('"', '\\"')}"]`;
      return position === 0 ? element : `.${element}`;
    })
    .join("");
}

function name(rest: string): [string, number] {
  const length = rest.search(/[.[]/);
  const element = length === -1 ? rest : rest.slice(0, length);
  return [element, element.length];
}

function index(rest: string): [string | number, number] {
  const end = rest.indexOf("]");
  if (end === -1) throw invalid("missing closing bracket in array index");
  const segment = rest.slice(1, end);
  if (segment === "*") return ["*", end + 1];
  if (!/^[+-]?\d+$/.test(segment)) {
    throw invalid(`invalid array index: strconv.ParseInt: parsing "${segment}": invalid syntax`);
  }
  return [Number(segment), end + 1];
}

/** Parses `["…"]`; only quotes can be escaped. */
function parseQuotedKey(rest: string): [string, number] {
  const [, content, bracket] = /^\["((?:\\"|[^"])*)"(\]?)/s.exec(rest) ?? [];
  if (content === undefined) throw invalid("missing closing quote in property name");
  if (bracket !== "]") throw invalid("missing closing bracket in property access");
  return [content.replaceAll('\\"', '"'), content.length + '[""]'.length];
}

const invalid = (reason: string) => new Refusal(`invalid config key path: ${reason}`);
