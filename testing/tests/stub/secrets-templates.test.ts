import { createHash } from "node:crypto";
import { Randomness } from "../../stub/services/secrets/randomness";
import { TemplateError } from "../../stub/services/secrets/template-functions";
import { render } from "../../stub/services/secrets/templates";

const NOW = Date.UTC(2030, 0, 2, 3, 4, 5, 67);

function rendered(template: string, isLdif = false): string {
  return render(template, {
    fields: { DisplayName: "token-App", RoleName: "web_1" },
    randomness: new Randomness(),
    now: NOW,
    isLdif,
  });
}

describe("Templates", () => {
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

  test.each([
    ["plain", "plain"],
    ["a-{{.RoleName}}-{{ .DisplayName }}", "a-web_1-token-App"],
    ["{{ .DisplayName | uppercase }}", "TOKEN-APP"],
    ["{{ .DisplayName | lowercase }}", "token-app"],
    ["{{ .DisplayName | truncate 5 }}", "token"],
    ['{{ .DisplayName | replace "-" "." | lowercase }}', "token.app"],
    ["{{ sha256 .RoleName }}", sha256("web_1")],
    ["{{ .RoleName | base64 }}", "d2ViXzE="],
    ["{{ unix_time }}", "1893553445"],
    ["{{ unix_time_millis }}", "1893553445067"],
    ['{{ timestamp "2006-01-02T15:04:05Z07:00" }}', "2030-01-02T03:04:05Z"],
    ['{{ printf "%s:%d:%%" .RoleName 7 }}', "web_1:7:%"],
    ['{{ printf "v-%s" (.DisplayName | truncate 3) | uppercase }}', "V-TOK"],
    ["{{ printf `%q` .RoleName }}", '"web_1"'],
    ["{{ .RoleName | truncate_sha256 20 }}", "web_1"],
    ['{{ "}}" }}{{ `{{` }}', "}}{{"],
    // What the language has by itself is left out, and never refused.
    ['{{- if eq .RoleName "a" -}}x{{ else }}{{ .RoleName }}{{ end }}', "xweb_1"],
    ["{{ with $x := .RoleName }}{{ $x }}{{ end }}-{{ len .RoleName }}", "-"],
    ["{{/* .Nothing }} */}}a", "a"],
    ['{{ "abcdefghijklmnop" | truncate_sha256 12 }}', `abcd${sha256("efghijklmnop").slice(0, 8)}`],
  ])("%s", (template, expected) => {
    expect(rendered(template)).toBe(expected);
  });

  test("random and uuid draw anew each time", () => {
    expect(rendered("{{ random 20 }}")).toMatch(/^[A-Za-z0-9]{20}$/);
    const [first, second] = rendered("{{ uuid }} {{ uuid }}").split(" ");
    expect(first).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(second).not.toBe(first);
  });

  test("utf16le is available in LDIF templates only", () => {
    expect(rendered('{{ "pw" | utf16le | base64 }}', true)).toBe(
      Buffer.from("pw", "utf16le").toString("base64"),
    );
    expect(() => rendered('{{ "pw" | utf16le | base64 }}')).toThrow(TemplateError);
  });

  test.each([
    "{{ .Nothing }}",
    "{{ nothing }}",
    "{{ .RoleName",
    '{{ "}}" ',
    "{{ (.RoleName }}",
    "{{ .RoleName ) }}",
    "{{ .RoleName | }}",
    "{{ .RoleName | .DisplayName }}",
    "{{ random }}",
    "{{ .RoleName | truncate_sha256 8 }}",
    "{{ ? }}",
    "{{ }}",
  ])("%s is an error", (template) => {
    expect(() => rendered(template)).toThrow(TemplateError);
  });
});
