// Every regular expression of the provider and of what runs in programs is linear: text from a service, or from a program,
// can be long, and was perhaps written to be slow to read. What is not linear is named with its place.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

// The checker takes its native build if this machine can run it, else the same code compiled to JavaScript, which takes
// several times as long.
process.env.RECHECK_BACKEND ??= "auto";
const { check } = await import("recheck");

/**
 * The same expression has the same verdict in every run: chance is seeded, and the work is bounded by steps alone. With the
 * checker's own limits of time, verdicts depended on what else ran on the machine.
 */
const DETERMINISTIC = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  randomSeed: 0,
};

/** A copy of a literal, by the name of the constant that holds it. */
const COPIED = /^[A-Z_]+$/;

const FOLDERS = ["packages", "provider", "stacks", "drift", "discover", "programs", "doctor", "sdk/runtime"];

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

/** The literals of a file, and a word on each expression that is put together while the program runs. */
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

/** What is wrong with an expression; undefined where it is linear. */
async function verdictOn(source, flags) {
  if (source === undefined) return "is put together at run time, so that nobody can check it";
  const { status, complexity, error } = await check(source, flags, DETERMINISTIC);
  if (status === "safe" && complexity.type !== "linear" && complexity.type !== "safe")
    return `is ${complexity.type}`;
  if (status === "safe") return undefined;
  return status === "vulnerable" ? `is ${complexity.summary}` : `could not be checked: ${error.kind}`;
}
