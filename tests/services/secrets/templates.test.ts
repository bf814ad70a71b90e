import fc from "fast-check";
import { ldif } from "../../../provider/services/secrets/ldif";
import {
  ldifContext,
  templateDoubts,
  templateProblem,
  usernameContext,
} from "../../../provider/services/secrets/templates";
import { Randomness } from "../../../testing/stub/services/secrets/randomness";
import { render } from "../../../testing/stub/services/secrets/templates";

const doubts = (template: string, context = usernameContext) => templateDoubts("x", template, context);

/** A call of each function in the section "Templates". */
const FUNCTIONS: readonly string[] = [
  "random 10",
  ".RoleName | truncate 5",
  ".RoleName | truncate_sha256 20",
  ".RoleName | uppercase",
  ".RoleName | lowercase",
  '.RoleName | replace "-" "_"',
  ".RoleName | sha256",
  ".RoleName | base64",
  "unix_time",
  "unix_time_millis",
  'timestamp "2006-01-02"',
  "uuid",
  'printf "%s" .RoleName',
];

describe('rows of the section "Templates"', () => {
  const row = { randomness: new Randomness(), now: 0 };

  test.each(FUNCTIONS)(
    "the function in {{ %s }} is accepted in every template, and the stub renders it",
    (call) => {
      const template = `{{ ${call} }}`;
      for (const context of [usernameContext, ldifContext, {}]) {
        expect([templateProblem(template), doubts(template, context)]).toEqual([undefined, []]);
      }
      expect(render(template, { ...row, fields: { RoleName: "web" }, isLdif: false })).not.toBe("");
    },
  );

  test("LDIF templates have eight fields, and username templates have RoleName and DisplayName", () => {
    const ofLdif =
      "Username Password RoleName DisplayName IssueTime IssueTimeSeconds ExpirationTime ExpirationTimeSeconds";
    expect(ldifContext.fields).toEqual(ofLdif.split(" "));
    expect(usernameContext.fields).toEqual(["RoleName", "DisplayName"]);
    for (const field of ofLdif.split(" ")) expect(doubts(`{{.${field}}}`, ldifContext)).toEqual([]);
  });

  test("utf16le is accepted only in LDIF templates", () => {
    expect(doubts("{{ .Password | utf16le }}", ldifContext)).toEqual([]);
    expect(doubts("{{ .RoleName | utf16le }}")).toHaveLength(1);
  });
});

describe("LDIF", () => {
  const text = "dn: cn={{.Username}},dc=example\nobjectClass: person\n";
  const encoded = Buffer.from(text).toString("base64");

  test("equals its base64 form, in one line or several, and is sent as written", () => {
    expect(ldif.canonical(encoded)).toBe(text);
    expect(ldif.canonical(encoded.replace(/.{20}/g, "$&\r\n"))).toBe(text);
    expect(ldif.encode).toBeUndefined();
  });

  test.each([text, "", "not base64!", "abc", "dn: x"])("is not decoded if it is not base64: %j", (plain) => {
    expect(ldif.canonical(plain)).toBe(plain);
  });
});

describe('template of the section "Templates"', () => {
  test.each([
    "",
    "plain }} text",
    "v_{{.DisplayName}}_{{.RoleName}}_{{random 10}}_{{unix_time}}",
    '{{ printf "v-%s-%s" (.DisplayName | truncate 8) (random 20) | truncate 32 }}',
    '{{- if (eq .RoleName "a") -}} a {{- else if .DisplayName }}{{ uuid }}{{ else }}b{{ end -}}',
    "{{ with $x := .RoleName }}{{ $x }}{{ $x.Anything }}{{ end }}{{/* nothing .Known here */}}",
    '{{ .RoleName | truncate_sha256 20 | base64 }}{{ sha256 "x" }}{{ "}} .Foo bar" }}{{ `{{` }}',
    "{{ 1.5 }}{{ '}' }}",
    // Only the server can decide if it renders these.
    "{{ random }}{{ .RoleName 3 }}{{ end }}{{ if }}",
    "{{ `}} }}",
    "{{ /* }}",
    '{{ define "a" }}x{{ end }}{{ template "a" }}',
  ])("accepts %j and leaves the check to the server", (template) => {
    expect(templateProblem(template)).toBeUndefined();
    expect(doubts(template)).toEqual([]);
  });

  test.each(["{{ .RoleName", "a{{b}}c{{", '{{ "}}"', "{{ `}}` | upper"])(
    "rejects %j, because a brace is never closed",
    (template) => {
      expect(templateProblem(template)).toContain("{{ has no matching }}");
    },
  );

  test("accepts fields and functions that are not in the specification, with one note for each", () => {
    const template = "{{ reverse .RoleName }}{{ .Password | reverse }}{{ .Password }}";
    expect(templateProblem(template)).toBeUndefined();
    expect(doubts(template)).toEqual([
      "x: the template field .Password is not documented for this template; documented fields: .RoleName, .DisplayName",
      "x: the template function reverse is not documented for this template",
    ]);
  });

  test("for LDIF, accepts fields and a function that other templates do not have", () => {
    const ldif = 'unicodePwd::{{ printf "%q" .Password | utf16le | base64 }} {{ .IssueTime }}';
    expect(doubts(ldif, ldifContext)).toEqual([]);
    expect(doubts("{{ utf16le .RoleName }}")).toEqual([
      "x: the template function utf16le is not documented for this template",
    ]);
  });

  test("accepts any field if its context lists none", () => {
    expect(doubts("{{ .Type }}{{ .Anything }}", {})).toEqual([]);
  });

  test("with random text, is rejected if no {{ is closed and accepted if it has no {{", () => {
    const part = fc.constantFrom("{{", "}}", '"', "`", "'", "/*", "*/", "\\", ".A", "b", "$", "\n", " ");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join("");
        if (!text.includes("{{")) expect(templateProblem(text)).toBeUndefined();
        if (text.includes("{{") && !text.includes("}}")) expect(templateProblem(text)).toBeDefined();
        expect(Array.isArray(doubts(text))).toBe(true);
      }),
    );
  });
});
