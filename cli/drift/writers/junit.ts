import { plural } from "../../plural";
import { type DriftReport, inOrder, PASSED_OVER, type ResourceReport, stackIn } from "../report";

/**
 * Writes a report as JUnit XML for CI systems: a suite for each type, a case for each resource. Drifted and missing are
 * failures, unreadable is an error, and ignored is skipped.
 */
export function junitOf(report: DriftReport): string {
  const resources = inOrder(report);
  const types = [...new Set(resources.map(({ type }) => type))].sort();
  const suites = types.map((type) =>
    suite(
      type,
      resources.filter((each) => each.type === type),
      report,
    ),
  );
  const stack = stackIn(report);
  const named = stack === undefined ? "quarterdeck drift" : `quarterdeck drift ${stack}`;
  const all = attributes({ name: named, ...totalsOf(resources), time: report.seconds.toFixed(3) });
  return `${['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites${all}>`, ...suites, "</testsuites>"].join("\n")}\n`;
}

function suite(type: string, resources: readonly ResourceReport[], { at }: DriftReport): string {
  const own = attributes({ name: type, ...totalsOf(resources), timestamp: at });
  return [`  <testsuite${own}>`, ...resources.map(testCase), "  </testsuite>"].join("\n");
}

function totalsOf(resources: readonly ResourceReport[]) {
  const count = (...words: readonly string[]) =>
    String(resources.filter(({ verdict }) => words.includes(verdict)).length);
  return {
    tests: String(resources.length),
    failures: count("drifted", "missing"),
    errors: count("unreadable"),
    skipped: count("ignored"),
  };
}

function testCase(verdict: ResourceReport): string {
  const own = attributes({ classname: verdict.type, name: caseName(verdict) });
  const outcome = outcomeOf(verdict);
  return outcome === undefined
    ? `    <testcase${own}/>`
    : `    <testcase${own}>\n      ${outcome}\n    </testcase>`;
}

/** The resource's name in the program and its ID, because some readers only know the ID. */
function caseName({ name, id }: ResourceReport): string {
  return id === "" || id === name ? name : `${name} (${id})`;
}

function outcomeOf(verdict: ResourceReport): string | undefined {
  const { why = "" } = verdict;
  switch (verdict.verdict) {
    case "in sync":
      return undefined;
    case "drifted":
      return element("failure", "drifted", fieldsText(verdict), linesOf(verdict));
    case "missing":
      return element("failure", "missing", "the object was deleted", why);
    case "unreadable":
      return element("error", "unreadable", "the object could not be read", why);
    case "ignored":
      return `<skipped${attributes({ message: passedOver(verdict) })}/>`;
  }
}

function fieldsText({ fields = [] }: ResourceReport): string {
  if (fields.length === 0) return "the last write is incomplete";
  return `${plural(fields.length, "field")} changed`;
}

function linesOf({ fields = [], why }: ResourceReport): string {
  const own = why === undefined ? [] : [why];
  return fields
    .map(
      ({ field, was, is, ignored }) =>
        `${field}: was ${was}, is ${is}${ignored ? ` (ignored: ${PASSED_OVER[ignored]})` : ""}`,
    )
    .concat(own)
    .join("\n");
}

function passedOver({ fields = [], ignored }: ResourceReport): string {
  if (ignored !== undefined) return `missing, ${PASSED_OVER[ignored]}`;
  return fields.map(({ field, ignored: by }) => `${field}: ${by ? PASSED_OVER[by] : "ignored"}`).join("; ");
}

function element(name: "failure" | "error", type: string, message: string, text: string): string {
  return `<${name}${attributes({ type, message })}>${escapeXml(text)}</${name}>`;
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
  "\n": "&#10;",
  "\t": "&#9;",
};

/** Escapes text for XML 1.0. Characters that XML cannot represent, even as references, become U+FFFD. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
      .replace(/[&<>"\r\n\t]/g, (sign) => ENTITIES[sign] ?? sign)
  );
}
