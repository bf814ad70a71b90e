/** A line of a `.terraformignore` file, as a pattern for paths relative to the directory. */
interface Rule {
  readonly parts: readonly Part[];
  readonly isNegated: boolean;
}

/**
 * A part of a pattern: any characters, any characters of one path segment, any number of folders, the inside of these folders,
 * or one character.
 */
type Part = "all" | "segment" | "folders" | "inside" | ((character: string) => boolean);

/** The paths of a directory that Terraform does not upload. */
export interface IgnoredPaths {
  hasPath(path: string): boolean;
  /** True for a folder of which Terraform reads no file. */
  hasFolder(path: string): boolean;
}

/** Terraform applies these before the rules of the file. */
const USUAL = [".terraform/", "!.terraform/modules/", ".git/"];

/**
 * The rules of a `.terraformignore` file (go-slug 1.0.0). They differ from those of a `.gitignore` file: a pattern with a slash
 * also matches in subfolders, a folder needs a slash at its end, and a file in an ignored folder can be included again.
 */
export function ignoredPaths(text: string): IgnoredPaths {
  const rules = [...USUAL, ...text.split("\n")].flatMap(ruleOf);
  const lastNegated = rules.findLastIndex(({ isNegated }) => isNegated);
  const lastMatch = (path: string) => rules.findLastIndex(({ parts }) => matches(parts, path));
  const hasPath = (path: string) => rules[lastMatch(path)]?.isNegated === false;
  return {
    hasPath,
    // An exception after the rule may include files of the folder again.
    hasFolder: (path) => !hasPath(path) && lastMatch(`${path}/`) > lastNegated,
  };
}

function ruleOf(line: string): Rule[] {
  const text = line.trim();
  const isNegated = text.startsWith("!");
  const path = isNegated ? text.slice(1) : text;
  if (path === "" || text.startsWith("#")) return [];
  const all = path.endsWith("/") ? `${path}**` : path;
  const pattern = all.startsWith("/") ? all.slice(1) : `**/${all}`;
  const tokens = pattern.match(/\*\*\/?|\*|\?|\\.|\[[^\]]+\]|./gsu) ?? [];
  return [{ parts: tokens.flatMap((token, at) => partsOf(token, at === tokens.length - 1)), isNegated }];
}

function partsOf(token: string, isLast: boolean): Part[] {
  if (token.startsWith("**")) return isLast ? ["all"] : ["folders", "inside"];
  if (token === "*") return ["segment"];
  if (token === "?") return [(character) => character !== "/"];
  if (token.startsWith("[") && token.endsWith("]")) return [inClass(token.slice(1, -1))];
  const literal = token.replace(/^\\(?=.)/su, "");
  return [(character) => character === literal];
}

/** The characters of a class such as `a-z_` or `^0-9`. */
function inClass(text: string): (character: string) => boolean {
  const isNegated = text.startsWith("^");
  const ranges = text.slice(isNegated ? 1 : 0).match(/.-.|./gsu) ?? [];
  return (character) =>
    isNegated !==
    ranges.some((range) => {
      const [first = "", , last = first] = [...range];
      return first <= character && character <= last;
    });
}

/** True if a pattern matches a complete path. It follows all positions in the pattern at once, so the time is linear. */
function matches(parts: readonly Part[], path: string): boolean {
  let reached = withSkipped(parts, [0]);
  for (const character of path)
    reached = withSkipped(
      parts,
      [...reached].flatMap((at) => after(parts[at], at, character)),
    );
  return reached.has(parts.length);
}

/** The positions after a character. */
function after(part: Part | undefined, at: number, character: string): number[] {
  if (typeof part === "function") return part(character) ? [at + 1] : [];
  if (part === undefined || (part === "segment" && character === "/")) return [];
  if (part === "segment" || part === "all") return [at];
  const inside = part === "folders" ? at + 1 : at;
  return character === "/" ? [inside, inside + 1] : [inside];
}

/** These positions, and those that follow parts that match nothing. */
function withSkipped(parts: readonly Part[], positions: readonly number[]): Set<number> {
  const reached = new Set(positions);
  for (const at of reached) {
    const part = parts[at];
    if (part === "folders") reached.add(at + 2);
    if (part === "segment" || part === "all") reached.add(at + 1);
  }
  return reached;
}
