// Checks that every regular expression of the provider and of code in programs runs in linear time: text from a server or a
// program can be long, and may be crafted to be slow. Each expression that is not linear is reported with its position.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

// The checker uses its native build if this machine can run it, otherwise the same code compiled to JavaScript, which takes
// several times as long.
process.env.RECHECK_BACKEND ??= "auto";
const { check } = await import("recheck");

/**
 * Makes the verdicts deterministic: a fixed random seed, and limits on steps instead of time. With the checker's default
 * time limits, verdicts depended on the load of the machine.
 */
const DETERMINISTIC = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  randomSeed: 0,
};

/** A constant that contains a literal to copy, by its name. */
const COPIED = /^[A-Z_]+$/;

const FOLDERS = ["packages", "provider", "cli", "sdk/runtime"];

const expressions = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => expressionsIn(join(folder, path))),
);

const keyOf = ({ source, flags }) => `/${source}/${flags}`;
const each = [...new Map(expressions.map((one) => [keyOf(one), one]))];
const known = new Map(
  await Promise.all(each.map(async ([key, { source, flags }]) => [key, await verdictOn(source, flags)])),
);
const wrong = expressions.flatMap((one) => {
  const verdict = known.get(keyOf(one));
  return verdict === undefined ? [] : [`${one.place}: ${keyOf(one)} ${verdict}`];
});
for (const line of wrong) console.error(`expressions: ${line}`);
console.log(`expressions: ${expressions.length}, of which ${wrong.length} are not known to be linear`);
process.exit(wrong.length === 0 ? 0 : 1);

/** The regular expression literals of a file, and an entry for each expression that is built at run time. */
function expressionsIn(path) {
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const place = `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    const isCopy =
      ts.isNewExpression(node) && node.arguments?.length === 1 && COPIED.test(node.arguments[0].getText());
    if (ts.isNewExpression(node) && node.expression.getText() === "RegExp" && !isCopy) {
      found.push({ place, source: undefined, flags: "" });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The problem with an expression; undefined if it is linear. */
async function verdictOn(source, flags) {
  if (source === undefined) return "is put together at run time, so that nobody can check it";
  const { status, complexity, error } = await check(source, flags, DETERMINISTIC);
  if (status === "safe" && complexity.type !== "linear" && complexity.type !== "safe")
    return `is ${complexity.type}`;
  if (status === "safe") return undefined;
  return status === "vulnerable" ? `is ${complexity.summary}` : `could not be checked: ${error.kind}`;
}
