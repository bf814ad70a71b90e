// Fails if a test asserts a duration: on a busy machine such a test fails without a bug. Tests bound work with counts, and
// `npm run bench` measures time. This script refuses clocks in arguments of `expect`, and timeouts below jest's own.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const CLOCKS = new Set([
  "Date.now",
  "performance.now",
  "process.hrtime",
  "process.hrtime.bigint",
  "process.cpuUsage",
  "process.uptime",
]);

/** The default timeout of a test in milliseconds: `testTimeout` in jest.config.cjs. */
const LEAST_TIMEOUT_MS = 30_000;

/** Tests on real servers measure the waiting time of their users; `npm test` does not run them. */
const MEASURES = /^real\//;

const files = readdirSync("tests", { recursive: true }).filter(
  (path) => /\.(ts|cjs|mjs)$/.test(path) && !MEASURES.test(path),
);
const found = files.flatMap((path) => clocksIn(join("tests", path)));
for (const line of found) console.error(`clocks: ${line}`);
console.log(`clocks: ${files.length} files of tests, ${found.length} assertions of time`);
process.exit(found.length === 0 ? 0 : 1);

function clocksIn(path) {
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const wrong = [];
  const durations = new Set();
  walk(file, (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined && isDuration(node.initializer))
      durations.add(node.name.getText());
  });
  walk(file, (node) => {
    if (!ts.isCallExpression(node)) return;
    const called = node.expression.getText().replace(/\.each[\s\S]*$/, "");
    const place = `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    const [first, , third] = node.arguments;
    if (called === "expect" && first !== undefined) {
      if (isDuration(first) || contains(first, (one) => ts.isIdentifier(one) && durations.has(one.text)))
        wrong.push(`${place}: it asserts a duration; count calls, requests or characters instead`);
    }
    const timeout = called === "jest.setTimeout" ? first : /^(test|it)$/.test(called) ? third : undefined;
    if (timeout !== undefined && ts.isNumericLiteral(timeout) && Number(timeout.text) < LEAST_TIMEOUT_MS)
      wrong.push(`${place}: the timeout is shorter than jest's own, and so asserts a duration`);
  });
  return wrong;
}

/** True for a difference in which one side reads a clock, or for a process time relative to an earlier reading. */
function isDuration(node) {
  return contains(
    node,
    (one) =>
      (ts.isBinaryExpression(one) &&
        one.operatorToken.kind === ts.SyntaxKind.MinusToken &&
        (contains(one.left, readsClock) || contains(one.right, readsClock)) &&
        !ts.isNumericLiteral(one.right)) ||
      (readsClock(one) && one.getText().startsWith("process.") && one.arguments.length > 0),
  );
}

function readsClock(node) {
  return ts.isCallExpression(node) && CLOCKS.has(node.expression.getText());
}

function contains(node, isIt) {
  let is = false;
  walk(node, (one) => {
    is ||= isIt(one);
  });
  return is;
}

function walk(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}
