import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { claims, doubts } from "./claims";

const PROVIDER = join(__dirname, "../../provider");

/** Words by which a message says that something was done, was not done, or who did it. */
const OF_THE_CLASS =
  /\bnothing (?:more )?was\b|\b(?:was|were|it is|is|are) (?:not )?(?:written|sent|done|carried out|checked (?:out|in)|deleted|cancelled|registered|taken over|left alone|left behind|just written|borrowed|returned|repeated)\b|somebody|others moved|right after|\bours\b|(?:written|moved) with this|no account shows|create was refused/i;

/** What speaks of other things than of what this step did. */
const OF_OTHER_THINGS: readonly (readonly [phrase: RegExp, of: string])[] = [
  [
    /^Nothing is written\.$|What was written is seen, and not written twice|no more is written|enforcement selects somebody|^the service's own controller/,
    "a preview, a rule, or a reason",
  ],
  [
    /^\s*nothing is written|^was cancelled$|it was cancelled while it waited|before it was sent$/,
    "the caller's own",
  ],
  [
    /correct it where it is written|who is written here|is already written|sshKeyId is written/,
    "the program",
  ],
  [/the state was written by|somebody edited the state/, "the state"],
  [
    /may be missed|in which objects are written|where the login is sent|is not sent there|not revoked/,
    "tokens and clusters",
  ],
  [/^ours$|^not ours$|^somebody$|perhaps ours/, "a word of a table, or of who holds a lock"],
  [
    /is taken over|purged the job|is not deleted while|which are left behind|forceUnlock|without force/,
    "a forecast",
  ],
  [
    /comes back when|were checked out meanwhile|was checked out meanwhile, and/,
    "what others borrowed, told with its doubt",
  ],
  [/unlock it although|wait until it is done|may be ours, and|ours might be given/, "what to do next"],
  [/which makes it if it is absent|which reads the status, and returns/, "what to do next"],
  [/it is not repeated, because it is unclear/, "an action that is left open"],
  [/^the deployment|deployment is not done/, "the service's own work"],
  [/were lost (?:twice )?with|is no longer under way|a rekey is under way/, "the status of a rekey"],
  [/took the write, and says|with what is not the object/, "the service's answer"],
  [/was not read to its end/, "a file on this machine"],
  [/Only the old state entry is removed/, "an old entry of an object that this command manages"],
  [/server refused to take back|sent back .* as read/, "members that an update sends back"],
  [/uses `sys.rekey-recovery-key` if/, "the paths of a rekey"],
  [/it is deleted, and |garbage collection has removed it/, "what a job has left, and its end"],
];

test("each sentence of the provider that says what was done, or by whom, is one that the judge knows", () => {
  const unknown = messages.filter(({ text }) => {
    if (OF_OTHER_THINGS.some(([phrase]) => phrase.test(text))) return false;
    const rest = [...claims.map(({ says }) => says), ...doubts].reduce(
      (left, phrase) => left.replaceAll(new RegExp(phrase, "gi"), "…"),
      text,
    );
    return OF_THE_CLASS.test(rest);
  });
  expect(unknown.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
});

test.each(claims)("the provider says that $claims", ({ says }) => {
  expect(messages.some(({ text }) => says.test(text))).toBe(true);
});

test("no doubt and no phrase of other things is listed that nobody says", () => {
  const unsaid = [...doubts, ...OF_OTHER_THINGS.map(([phrase]) => phrase)].filter(
    (phrase) => !messages.some(({ text }) => phrase.test(text)),
  );
  expect(unsaid).toEqual([]);
});

interface Message {
  readonly at: string;
  readonly text: string;
}

const DOCUMENTS =
  /^(?:doc|toWrite|notes|why|section|description|summary|makes|done|unclear|never|identical)$/;

/** Every text of the sources of that class, but for documentation. */
const messages: readonly Message[] = readdirSync(PROVIDER, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !/\/(?:spec|records|kinds)\//.test(file))
  .flatMap(messagesIn);

function messagesIn(file: string): Message[] {
  const text = readFileSync(join(PROVIDER, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Message[] = [];
  const walk = (node: ts.Node): void => {
    if (isDocumentation(node)) return;
    const said = textOf(node);
    // What the reference says of a resource's steps.
    if (said && /^A (?:create|refresh|delete) /.test(said)) return;
    if (said !== undefined && OF_THE_CLASS.test(said)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ at: `${file}:${line + 1}`, text: said });
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
}

/** A text as it is said, with dots for what is put in. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…");
}

/** Members that hold what the reference says, and the texts of fields and words. */
function isDocumentation(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node)) return DOCUMENTS.test(node.name.getText());
  return (
    ts.isCallExpression(node) && /^(?:text|time|count|flag|read|optional)\w*$/.test(node.expression.getText())
  );
}
