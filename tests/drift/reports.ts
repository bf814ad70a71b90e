import fc from "fast-check";
import { countsOf, type DriftReport, type MovedField, type ResourceReport } from "../../cli/drift/report";

/** Strings that are difficult for a writer: markup, line ends, and characters that a format cannot contain. */
const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom(..."|`\\<>&\"'*_#@[](){}\n\r\t \0\u0001\u2028\ufffe\ud800a"),
    maxLength: 30,
  }),
  fc.constantFrom(
    "</script><script>alert(1)</script>",
    "]]>",
    "-->",
    "constructor",
    "__proto__",
    "",
    "a\\|b",
    "```",
  ),
);

const ignoredBy = fc.constantFrom("program", "rule", "baseline");

const fields: fc.Arbitrary<MovedField> = fc.record(
  { field: texts, was: texts, is: texts, ignored: ignoredBy },
  { requiredKeys: ["field", "was", "is"] },
);

const named = {
  urn: texts,
  type: fc.constantFrom("scheduler:Job", "mesh:ConfigEntry", "secrets:QueueRole"),
  name: texts,
  id: texts,
  settings: texts,
};

const verdicts: fc.Arbitrary<ResourceReport> = fc.oneof(
  fc.record({ ...named, verdict: fc.constant("in sync") }),
  fc.record(
    {
      ...named,
      verdict: fc.constant("drifted"),
      fields: fc.array(fields, { minLength: 1, maxLength: 4 }),
      when: fc.constant("2030-01-01T00:00:00Z"),
    },
    { requiredKeys: ["urn", "type", "name", "id", "verdict", "settings", "fields"] },
  ),
  fc.record({ ...named, verdict: fc.constantFrom("missing", "unreadable"), why: texts }),
  fc.record({ ...named, verdict: fc.constant("ignored"), ignored: ignoredBy, why: texts }),
);

/** A report of these resources. */
export function reportOf(resources: readonly ResourceReport[], more: Partial<DriftReport> = {}): DriftReport {
  return {
    at: "2030-01-01T12:34:56.789Z",
    resources,
    counts: countsOf(resources),
    requests: 7,
    seconds: 0.25,
    ...more,
  };
}

/** Random reports. */
export const reports: fc.Arbitrary<DriftReport> = fc
  .tuple(
    fc.uniqueArray(verdicts, { selector: ({ urn }) => urn, maxLength: 8 }),
    fc.option(texts, { nil: undefined }),
  )
  .map(([resources, stack]) => reportOf(resources, stack === undefined ? {} : { stack }));

/** A resource of a report, by its number. */
export function verdictOf(number: number, more: Partial<ResourceReport> = {}): ResourceReport {
  const name = `app-${number}`;
  return {
    urn: `urn:pulumi:dev::shop::quarterdeck:scheduler:Job::${name}`,
    type: "scheduler:Job",
    name,
    id: `default/${name}`,
    verdict: "in sync",
    settings: "the stack's configuration",
    ...more,
  };
}

/** A report with a resource of each verdict, and each reason to be ignored. */
export const everything = reportOf(
  [
    verdictOf(1),
    verdictOf(2, {
      verdict: "drifted",
      when: "2030-01-01T09:15:00Z",
      fields: [
        { field: 'spec.taskGroups["web"].count', was: "3", is: "5" },
        {
          field: 'spec.taskGroups["web"].tasks["server"].config',
          was: '{"image":"registry.example/web:1.4.2","ports":["http"]}',
          is: '{"image":"registry.example/web:1.5.0-rc1","ports":["http"]}',
        },
        { field: "spec.priority", was: "50", is: "60", ignored: "program" },
      ],
    }),
    verdictOf(3, {
      verdict: "missing",
      why: "the service answers 404 for it",
      type: "mesh:ConfigEntry",
      id: "dc1/default/service-defaults/api",
      name: "api",
    }),
    verdictOf(4, {
      verdict: "unreadable",
      why: "secrets GET /v1/rabbitmq/roles/app: returned 403: permission denied\nGive the token the permission to read it.",
      type: "secrets:QueueRole",
      id: "rabbitmq/app",
    }),
    verdictOf(5, {
      verdict: "ignored",
      fields: [{ field: "description", was: '"one"', is: '"two"', ignored: "rule" }],
      type: "workspaces:Workspace",
      id: "ws-CqL8nDqNuUnbDVxE",
    }),
    verdictOf(6, { verdict: "ignored", ignored: "baseline", why: "the service answers 404 for it" }),
    verdictOf(7, {
      verdict: "drifted",
      fields: [
        { field: "vhosts", was: "[secret]", is: "[secret]" },
        { field: "tags", was: "(none)", is: '"monitoring"' },
      ],
      type: "secrets:QueueRole",
      id: "rabbitmq/ops",
    }),
    ...Array.from({ length: 12 }, (_, index) => verdictOf(20 + index)),
  ],
  { project: "shop", stack: "production" },
);
