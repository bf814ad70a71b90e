import fc from "fast-check";
import {
  ldifContext,
  templateDoubts,
  templateProblem,
  usernameContext,
} from "../../../provider/services/secrets/templates";

const doubts = (template: string, context = usernameContext) => templateDoubts("x", template, context);

describe("a template of the section Templates", () => {
  test.each([
    "",
    "plain }} text",
    "v_{{.DisplayName}}_{{.RoleName}}_{{random 10}}_{{unix_time}}",
    '{{ printf "v-%s-%s" (.DisplayName | truncate 8) (random 20) | truncate 32 }}',
    '{{- if (eq .RoleName "a") -}} a {{- else if .DisplayName }}{{ uuid }}{{ else }}b{{ end -}}',
    "{{ with $x := .RoleName }}{{ $x }}{{ $x.Anything }}{{ end }}{{/* nothing .Known here */}}",
    '{{ .RoleName | truncate_sha256 20 | base64 }}{{ sha256 "x" }}{{ "}} .Foo bar" }}{{ `{{` }}',
    "{{ 1.5 }}{{ '}' }}",
    // Whether the service renders these is for the service to say.
    "{{ random }}{{ .RoleName 3 }}{{ end }}{{ if }}",
    "{{ `}} }}",
    "{{ /* }}",
    '{{ define "a" }}x{{ end }}{{ template "a" }}',
  ])("%j is left to the service", (template) => {
    expect(templateProblem(template)).toBeUndefined();
    expect(doubts(template)).toEqual([]);
  });

  test.each(["{{ .RoleName", "a{{b}}c{{", '{{ "}}"', "{{ `}}` | upper"])(
    "%j is refused: a brace is never closed",
    (template) => {
      expect(templateProblem(template)).toContain("{{ has no }}");
    },
  );

  test("that names a field or a function of which the specification does not know is told, once each, and not refused", () => {
    const template = "{{ reverse .RoleName }}{{ .Password | reverse }}{{ .Password }}";
    expect(templateProblem(template)).toBeUndefined();
    expect(doubts(template)).toEqual([
      "x: the field .Password is none that the specification names here; it names .RoleName, .DisplayName",
      "x: the function reverse is none that the specification names here",
    ]);
  });

  test("of LDIF has fields and a function of its own", () => {
    const ldif = 'unicodePwd::{{ printf "%q" .Password | utf16le | base64 }} {{ .IssueTime }}';
    expect(doubts(ldif, ldifContext)).toEqual([]);
    expect(doubts("{{ utf16le .RoleName }}")).toEqual([
      "x: the function utf16le is none that the specification names here",
    ]);
  });

  test("without listed fields may name any", () => {
    expect(doubts("{{ .Type }}{{ .Anything }}", {})).toEqual([]);
  });

  test("is read to its end, whatever it is", () => {
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
