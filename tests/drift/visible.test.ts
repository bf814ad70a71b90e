import fc from "fast-check";
import { diagnosisText } from "../../cli/doctor/text";
import { driftText } from "../../cli/drift/text";
import { junitOf } from "../../cli/drift/writers/junit";
import { markdownOf } from "../../cli/drift/writers/markdown";
import { htmlOf } from "../../cli/drift/writers/page/html";
import { listText } from "../../cli/list/text";
import { reportOf, verdictOf } from "./reports";

/** Characters that control a terminal, or change the order in which a text is displayed. */
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for these characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/** Characters that XML 1.0 cannot contain, not even as character references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for these characters
const ILLEGAL_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

const control = fc.constantFrom(
  ..."\u0000\u0007\b\u000b\r\u001b\u007f\u0085\u009b\u061c\u200e\u200f\u202a\u202e\u2066\u2069",
);
const hostile = fc
  .array(fc.oneof(control, fc.constantFrom("a", " ", "[2J", "]0;title", "|", "`", "\\")), { maxLength: 8 })
  .map((parts) => parts.join(""));

test("no output contains a character that controls a terminal or reverses a text", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const fields = [{ field: text, was: text, is: `${text}.` }];
      const own = { name: text, id: text, urn: text, settings: text, why: text };
      const report = {
        ...reportOf([
          verdictOf(1, { ...own, verdict: "drifted", fields }),
          verdictOf(2, { ...own, verdict: "unreadable" }),
        ]),
        stack: text,
      };
      const object = { type: text, id: text, name: text };
      const listed = {
        found: [object],
        apart: [{ ...object, why: text }],
        known: 0,
        absent: [{ of: text, why: text }],
        unconfigured: [],
        unread: [{ of: text, why: text }],
        unlistable: [],
        notes: [text],
      };
      const finding = { about: text, what: text, status: "FAIL", message: text, advice: text } as const;
      const outputs = {
        text: driftText(report, { verbose: true }).join("\n"),
        list: listText(listed as unknown as Parameters<typeof listText>[0], { verbose: true }).join("\n"),
        doctor: diagnosisText({ findings: [finding] } as unknown as Parameters<typeof diagnosisText>[0]).join(
          "\n",
        ),
        markdown: markdownOf(report),
        html: htmlOf(report),
      };
      for (const [name, output] of Object.entries(outputs))
        expect([name, CONTROL.exec(output)?.[0]]).toEqual([name, undefined]);
      expect(junitOf(report)).not.toMatch(ILLEGAL_IN_XML);
    }),
  );
});
