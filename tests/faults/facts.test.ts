import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const PROVIDER = join(__dirname, "../../provider");

/** Words with which a message reports what was done, what was not done, or who did it. */
const REPORTS =
  /\bnothing (?:more )?was\b|\b(?:was|were|it is|is|are) (?:not )?(?:written|sent|done|carried out|checked (?:out|in)|deleted|canceled|registered|taken over|left alone|left behind|just written|borrowed|returned|repeated)\b|somebody|someone else|others moved|right after|\bours\b|(?:written|moved) with this|shows no account|create was refused/i;

/** Messages that do not report about a write of their operation. */
const OTHERS = [/the operation was canceled while it waited/];

test("each error and notice that reports what was done, or by whom, carries it as data", () => {
  const files = readdirSync(PROVIDER, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const reports = files.flatMap(messagesIn).filter(({ text }) => REPORTS.test(text));
  expect(reports.length).toBeGreaterThan(30);
  const without = reports.filter(
    ({ hasFacts, text }) => !hasFacts && !OTHERS.some((other) => other.test(text)),
  );
  expect(without.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
  expect(OTHERS.filter((other) => !reports.some(({ text }) => other.test(text)))).toEqual([]);
});

interface Message {
  readonly at: string;
  readonly text: string;
  readonly hasFacts: boolean;
}

/** The messages of a source file: new errors with remedies, and calls of `log`. The facts are the third argument. */
function messagesIn(file: string): Message[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(PROVIDER, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: Message[] = [];
  const visit = (node: ts.Node): void => {
    const [text, ...others] = messageIn(node);
    if (text !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({
        at: `${file}:${line + 1}`,
        text: literalsIn(text).join("…"),
        hasFacts: others.length > 0,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The text and the facts of a node that creates a message. */
function messageIn(node: ts.Node): readonly ts.Expression[] {
  if (ts.isNewExpression(node) && node.expression.getText() === "ActionableError") {
    const [text, , ...facts] = node.arguments ?? [];
    return text ? [text, ...facts] : [];
  }
  if (ts.isCallExpression(node) && /(?:^|\.)log$/.test(node.expression.getText()))
    return node.arguments.slice(1);
  return [];
}

function literalsIn(node: ts.Node): string[] {
  const own =
    ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
  const inner: string[] = [];
  ts.forEachChild(node, (child) => void inner.push(...literalsIn(child)));
  return own ? [node.text, ...inner] : inner;
}
