import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020";
import { decodeHTML, decodeXML } from "entities";
import fc from "fast-check";
import { type DriftReport, summaryOf } from "../../cli/drift/report";
import { junitOf } from "../../cli/drift/writers/junit";
import { markdownOf } from "../../cli/drift/writers/markdown";
import { differing } from "../../cli/drift/writers/page/differing";
import { htmlOf } from "../../cli/drift/writers/page/html";
import { visible } from "../../cli/visible";
import { everything, reportOf, reports, verdictOf } from "./reports";

/** A string as XML can contain it. */
const held = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for these characters
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Parses the XML that the writer can produce, as strictly as a parser. @throws Error if it is not XML */
function parsed(xml: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const sign = /<\?xml[^>]*\?>|<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/y;
  while (sign.lastIndex < xml.length) {
    const at = sign.lastIndex;
    const found = sign.exec(xml);
    if (found === null) throw new Error(`no XML at ${xml.slice(at, at + 40)}`);
    const [, end, name = "", attributes = "", empty, text] = found;
    const inside = open.at(-1) ?? root;
    if (text !== undefined) inside.text += decoded(text);
    else if (end === "/") {
      if (open.pop()?.name !== name) throw new Error(`${name} was not open`);
    } else if (name !== "") {
      const own = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [
        key,
        decoded(value),
      ]);
      const element: Element = { name, attributes: Object.fromEntries(own), children: [], text: "" };
      inside.children.push(element);
      if (empty === "") open.push(element);
    }
  }
  if (open.length !== 1) throw new Error("something is still open");
  return root.children[0] ?? root;
}

function decoded(text: string): string {
  if (/&(?!(amp|lt|gt|quot|#13|#10|#9);)/.test(text)) throw new Error(`a bare ampersand in ${text}`);
  return decodeXML(text);
}

describe("JUnit", () => {
  test("is valid XML with one test case per resource, and contains every text", () => {
    fc.assert(
      fc.property(reports, (report) => {
        const suites = parsed(junitOf(report));
        const cases = suites.children.flatMap(({ children }) => children);
        expect(cases).toHaveLength(report.resources.length);
        const names = cases.map(({ attributes: { name = "" } }) => name).sort();
        const own = report.resources.map(({ name, id }) =>
          held(id === "" || id === name ? name : `${name} (${id})`),
        );
        expect(names).toEqual(own.sort());
        const why = report.resources.flatMap(({ verdict, why }) =>
          verdict === "missing" || verdict === "unreadable" ? [held(why ?? "")] : [],
        );
        const explained = cases.flatMap(({ children }) =>
          children.filter(({ attributes: { type } }) => type !== "drifted" && type !== undefined),
        );
        expect(explained.map(({ text }) => text).sort()).toEqual(why.sort());
      }),
    );
  });

  test("counts drifted and missing resources as failures, unreadable ones as errors, ignored ones as skipped", () => {
    const { attributes, children } = parsed(junitOf(everything));
    expect(attributes).toMatchObject({
      name: "quarterdeck drift shop/production",
      tests: "19",
      failures: "3",
      errors: "1",
      skipped: "2",
    });
    expect(children.map(({ attributes: { name } }) => name)).toEqual([
      "mesh:ConfigEntry",
      "scheduler:Job",
      "secrets:QueueRole",
      "workspaces:Workspace",
    ]);
    expect(junitOf(everything)).toContain("spec.taskGroups[&quot;web&quot;].count: was 3, is 5");
    expect(junitOf(everything)).toContain("spec.priority: was 50, is 60 (ignored: ignoreChanges)");
  });
});

describe("Markdown", () => {
  test("has a row of three columns for each drifted field, for any text", () => {
    fc.assert(
      fc.property(reports, (report) => {
        const lines = markdownOf(report).split("\n");
        const rows = lines.filter(
          (line) =>
            line.startsWith("| ") &&
            !/^\| (---|verdict|field|in sync|drifted|missing|unreadable|ignored)/.test(line),
        );
        expect(rows).toHaveLength(report.resources.flatMap(({ fields = [] }) => fields).length);
        // A bar without a backslash before it ends a cell.
        for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(4);
        for (const row of rows) expect(row).not.toContain("\\\\|");
        const headings = lines.filter((line) => line.startsWith("#"));
        expect(headings).toHaveLength(
          1 +
            report.counts.drifted +
            report.counts.missing +
            report.counts.unreadable +
            report.counts.ignored,
        );
      }),
    );
  });

  test("fits into a comment, and states how many resources are omitted", () => {
    const long = "x".repeat(5_000);
    const fields = [{ field: "spec", was: long, is: `${long}y` }];
    const text = markdownOf(
      reportOf(Array.from({ length: 500 }, (_, number) => verdictOf(number, { verdict: "drifted", fields }))),
    );
    expect(text.length).toBeLessThan(65_536);
    const shown = text.match(/^## /gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(50);
    expect(text).toContain(`and ${500 - shown} more, omitted`);
    expect(text).toMatch(/…x{150,}y` \|/);
  });

  test("begins with the stack and the summary", () => {
    expect(markdownOf(everything)).toMatch(
      /^# Drift of `shop\/production`\n\n\*\*1 unreadable, 1 missing, 2 drifted, 2 ignored, 13 in sync\*\*/,
    );
  });
});

describe("HTML page", () => {
  test("contains every text escaped, two scripts, and no external resources or event handlers", () => {
    fc.assert(
      fc.property(reports, (report) => {
        const page = htmlOf(report);
        const [, body = ""] = page.split("<body>");
        const tags = [...body.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name);
        expect(tags.filter((name) => name === "script")).toHaveLength(2);
        expect(page).not.toMatch(/ (src|href|on[a-z]+)=|url\(|@import/);
        const texts = report.resources.flatMap(({ name, id, fields = [] }) => [
          name,
          id,
          ...fields.flatMap(({ field }) => [field]),
        ]);
        const all = decodeHTML(body.replace(/<[^>]*>/g, ""));
        for (const text of texts)
          expect(all).toContain(
            decodeHTML(visible(text.toWellFormed().replaceAll("\0", "\ufffd")).replaceAll("&", "&amp;")),
          );
      }),
    );
  });

  test("allows its own style and script by their hashes", () => {
    const page = htmlOf(everything);
    for (const element of ["style", "script"]) {
      const [, text = ""] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(page) ?? [];
      expect(text).not.toBe("");
      expect(page).toContain(`${element}-src 'sha256-${createHash("sha256").update(text).digest("base64")}'`);
    }
  });

  test("marks where two values differ, and shows both completely", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "b", "😀", "é"), maxLength: 12 });
    fc.assert(
      fc.property(texts, texts, (was, is) => {
        const [before, now] = differing(was, is);
        expect([before.join(""), now.join("")]).toEqual([was, is]);
        expect([before[0], before[2]]).toEqual([now[0], now[2]]);
        if (was === is) expect(before[1]).toBe("");
      }),
    );
    expect(differing('"web:1.4"', '"web:1.5"')).toEqual([
      ['"web:1.', "4", '"'],
      ['"web:1.', "5", '"'],
    ]);
  });
});

describe("the published schema", () => {
  const schema = JSON.parse(readFileSync(join(__dirname, "../../docs/schemas/drift.json"), "utf8"));
  const isValid = new Ajv({ formats: { "date-time": /^\d{4}-\d\d-\d\dT[\d:.]+Z$/ } }).compile(schema);

  test("accepts every report", () => {
    fc.assert(
      fc.property(reports, (report) => expect([isValid(report), isValid.errors]).toEqual([true, null])),
    );
    expect(isValid(everything)).toBe(true);
  });

  test("rejects a report that lacks a property or has an unknown verdict", () => {
    for (const name of ["at", "resources", "counts", "requests", "seconds"] as const) {
      const { [name]: _, ...rest } = everything as DriftReport;
      expect(isValid(rest)).toBe(false);
    }
    const { verdict: _, ...rest } = verdictOf(1);
    expect(isValid({ ...everything, resources: [rest] })).toBe(false);
    expect(isValid({ ...everything, resources: [{ ...rest, verdict: "fine" }] })).toBe(false);
  });

  test("contains every property of a report", () => {
    const named = (properties: object) => Object.keys(properties).sort();
    const { properties, $defs } = schema;
    const members = (values: readonly object[]) => [...new Set(values.flatMap(Object.keys))].sort();
    expect(named(properties)).toEqual(members([everything]));
    const own = everything.resources;
    expect(named($defs.verdict.properties)).toEqual(members(own));
    expect(named($defs.verdict.properties.fields.items.properties)).toEqual(
      members(own.flatMap(({ fields = [] }) => fields)),
    );
    expect([...$defs.verdict.properties.verdict.enum].sort()).toEqual(Object.keys(everything.counts).sort());
  });
});

test("the summary omits verdicts without resources", () => {
  expect(summaryOf(everything)).toBe("1 unreadable, 1 missing, 2 drifted, 2 ignored, 13 in sync");
  expect(summaryOf(reportOf([]))).toBe("no resources");
});
