import fc from "fast-check";
import {
  ldifContext,
  readTemplate,
  type TemplateContext,
  usernameContext,
} from "../../../provider/services/secrets/templates/reading";
import { Randomness } from "../../../testing/stub/services/secrets/randomness";
import { render } from "../../../testing/stub/services/secrets/templates";

const anywhere: TemplateContext = {};

describe("a template of the section Templates is read without rendering it", () => {
  test.each([
    "plain",
    "v_{{.DisplayName}}_{{.RoleName}}_{{random 10}}_{{unix_time}}",
    '{{ printf "v-%s-%s" (.DisplayName | truncate 8) (random 20) | truncate 32 }}',
    '{{ .DisplayName | replace "-" "_" | lowercase }}',
    '{{- if (eq .RoleName "a") -}} a {{- else if .DisplayName }}{{ uuid }}{{ else }}b{{ end -}}',
    "{{ with $x := .RoleName }}{{ $x }}{{ end }}{{/* nothing */}}",
    "{{ $name := .RoleName }}{{ $name | uppercase }}",
    "{{ range $i := .RoleName }}x{{ end }}",
    '{{ timestamp "2006-01-02T15:04:05Z07:00" }}{{ unix_time_millis }}',
    '{{ .RoleName | truncate_sha256 20 | base64 }}{{ sha256 "x" }}{{ "}}" }}{{ `{{` }}',
    "{{-3}}",
  ])("%s is taken", (template) => {
    expect(readTemplate(template, usernameContext)).toMatchObject({ doubts: [] });
    expect(readTemplate(template, usernameContext).problem).toBeUndefined();
  });

  test.each<[string, string]>([
    ["{{ .Password }}", "there is no field .Password here; known: .RoleName, .DisplayName"],
    ['{{ "pw" | utf16le }}', "utf16le is available in LDIF templates only"],
    ["{{ random }}", "random needs a number of at least 1"],
    ["{{ random 0 }}", "random needs a number of at least 1"],
    ['{{ .RoleName | truncate "x" }}', "truncate needs a number of at least 1"],
    ["{{ .RoleName | truncate_sha256 8 }}", "truncate_sha256 needs a number of at least 9"],
    ['{{ replace "a" .RoleName }}', "replace needs what it replaces, what by, and a text"],
    ["{{ timestamp }}", "timestamp needs a format"],
    ["{{ .RoleName", "}} is missing"],
    ["{{ }}", "an action is empty"],
    ["{{ (.RoleName }}", "a parenthesis is not closed"],
    ["{{ .RoleName ) }}", "a parenthesis is closed that was not opened"],
    ["{{ .RoleName | }}", "a pipe must lead to a function"],
    ["{{ .RoleName | .DisplayName }}", "a pipe must lead to a function"],
    ["{{ .RoleName 3 }}", "a value takes no arguments"],
    ["{{ if .RoleName }}x", "if has no end"],
    ["x{{ end }}", "end stands without if, with or range"],
    ["{{ break }}", "break cannot be used here"],
    ["{{ if }}x{{ end }}", "a value is missing"],
    ["{{ ? }}", 'cannot read "? }}"'],
  ])("%s is refused: %s", (template, problem) => {
    expect(readTemplate(template, usernameContext).problem).toContain(problem);
  });

  test("LDIF has fields and a function of its own", () => {
    const ldif = 'unicodePwd::{{ printf "%q" .Password | utf16le | base64 }} {{ .IssueTime }}';
    expect(readTemplate(ldif, ldifContext).problem).toBeUndefined();
    expect(readTemplate("{{ .Type }}", anywhere).problem).toBeUndefined();
  });

  test("a function that the specification does not name is doubted, once, and not refused", () => {
    const { problem, doubts } = readTemplate(
      "{{ reverse .RoleName }}{{ .RoleName | reverse }}",
      usernameContext,
    );
    expect(problem).toBeUndefined();
    expect(doubts).toEqual(["the function reverse is none that the specification names"]);
  });
});

test("what defines templates of its own is not looked into, and that is said", () => {
  expect(readTemplate('{{ define "a" }}x{{ end }}{{ template "a" }}', usernameContext)).toEqual({
    doubts: ["define is not looked into here"],
    shortest: 0,
  });
});

describe("the shortest rendering of a template", () => {
  test.each<[string, number]>([
    ["abc", 3],
    ["{{ random 20 }}", 20],
    ["{{ .DisplayName }}", 0],
    ["a{{ uuid }}b", 38],
    ["{{ sha256 .DisplayName }}", 64],
    ['{{ printf "v-%s-%s" .DisplayName (random 20) }}', 23],
    ["{{ random 20 | truncate 8 }}", 8],
    ["{{ if .DisplayName }}abc{{ else }}ab{{ end }}", 2],
    ["{{ if .DisplayName }}abc{{ end }}", 0],
    ["{{ range .X }}abc{{ end }}", 0],
    ["{{ random 3 | base64 }}", 4],
    ['{{ printf "%.4s|%8s" (random 20) "x" }}', 13],
    ["{{ unknown 4 }}", 0],
    ["a {{- random 2 -}} b", 4],
  ])("%s has %d characters", (template, shortest) => {
    expect(readTemplate(template, anywhere).shortest).toBe(shortest);
  });

  test("is never longer than what the service renders", () => {
    const word = fc.stringMatching(/^[a-z-]{0,6}$/);
    const value = fc.oneof(
      fc.constantFrom(".RoleName", ".DisplayName", "uuid", "unix_time", "unix_time_millis"),
      fc.integer({ min: 1, max: 30 }).map((count) => `random ${count}`),
      word.map((text) => JSON.stringify(text)),
    );
    const pipe = fc.oneof(
      fc.constantFrom("uppercase", "lowercase", "sha256", "base64"),
      fc.integer({ min: 1, max: 40 }).map((count) => `truncate ${count}`),
      fc.integer({ min: 9, max: 40 }).map((count) => `truncate_sha256 ${count}`),
      fc.tuple(fc.constantFrom("a", "-", "ab"), word).map(([from, to]) => `replace "${from}" "${to}"`),
    );
    const pipeline = fc
      .tuple(value, fc.array(pipe, { maxLength: 3 }))
      .map(([first, rest]) => [first, ...rest].join(" | "));
    const formatted = fc
      .tuple(word, pipeline, pipeline)
      .map(([text, a, b]) => `printf "${text}%s-%s%%" (${a}) (${b})`);
    const action = fc.oneof(pipeline, formatted).map((inner) => `{{ ${inner} }}`);
    const template = fc.array(fc.oneof(word, action), { maxLength: 5 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(template, fc.constantFrom("", "token-App"), (text, display) => {
        const reading = readTemplate(text, usernameContext);
        expect(reading.problem).toBeUndefined();
        const rendered = render(text, {
          fields: { DisplayName: display, RoleName: "web" },
          randomness: new Randomness(),
          now: Date.UTC(2030, 0, 2),
          isLdif: false,
        });
        expect(rendered.length).toBeGreaterThanOrEqual(reading.shortest);
      }),
      { numRuns: 1000 },
    );
  });
});
