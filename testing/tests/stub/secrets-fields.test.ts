import { createHash } from "node:crypto";
import { durationText, seconds } from "../../stub/services/secrets/durations";
import { Refusal } from "../../stub/services/secrets/errors";
import { Fields } from "../../stub/services/secrets/fields";
import type { FurtherFields } from "../../stub/services/secrets/further-field";
import { Randomness } from "../../stub/services/secrets/randomness";
import { TemplateError } from "../../stub/services/secrets/template-functions";
import { render } from "../../stub/services/secrets/templates";
import { answers } from "./in-process";
import { Scene, scene } from "./secrets-scene";

describe("Durations", () => {
  test.each([
    ["24h", 86_400],
    ["1d", 86_400],
    ["1h30m", 5400],
    ["90s", 90],
    ["1.5h", 5400],
    ["2500ms", 2],
    ["86400", 86_400],
    [86_400, 86_400],
    ["", 0],
    [0, 0],
    ["-5m", -300],
  ])("reads %j as %d seconds", (value, expected) => {
    expect(seconds(value)).toBe(expected);
  });

  test.each(["soon", "1 h", "h", "1w", 1.5, true, null, []])("returns undefined for %j", (value) => {
    expect(seconds(value)).toBeUndefined();
  });

  test.each([
    [0, "0s"],
    [59, "59s"],
    [60, "1m0s"],
    [1800, "30m0s"],
    [3599, "59m59s"],
    [3600, "1h0m0s"],
    [129_661, "36h1m1s"],
  ])("formats %d seconds as %s", (total, expected) => {
    expect(durationText(total)).toBe(expected);
  });
});

describe("Fields of a request body", () => {
  const read = (value: unknown) => new Fields({ field: value });

  test.each([
    [true, true],
    ["true", true],
    ["1", true],
    [1, true],
    [false, false],
    ["false", false],
    ["0", false],
    [0, false],
    ["", false],
  ])("reads %j as the boolean %s", (value, expected) => {
    expect(read(value).boolean("field")).toBe(expected);
  });

  test.each([
    [7, 7],
    ["7", 7],
    ["", 0],
  ])("reads %j as the integer %d", (value, expected) => {
    expect(read(value).integer("field")).toBe(expected);
  });

  test.each([
    ["text", "text"],
    [7, "7"],
    [true, "true"],
  ])("reads %j as the string %s", (value, expected) => {
    expect(read(value).string("field")).toBe(expected);
  });

  test.each([
    [
      ["a", "b"],
      ["a", "b"],
    ],
    ["a, b", ["a", "b"]],
    ["", []],
    [[], []],
  ])("reads %j as the list %j", (value, expected) => {
    expect(read(value).list("field")).toEqual(expected);
  });

  test.each([
    ["boolean", "yes"],
    ["integer", "seven"],
    ["integer", 1.5],
    ["string", {}],
    ["list", [1]],
    ["list", {}],
    ["duration", "soon"],
    ["duration", -1],
  ] as const)("a field of type %s rejects %j and names the field", (kind, value) => {
    const wrong = () => read(value)[kind]("field");
    expect(wrong).toThrow(Refusal);
    expect(wrong).toThrow('"field"');
  });

  test("an absent or null field has no value, but an empty string is a value", () => {
    for (const fields of [new Fields({}), read(null)]) {
      expect(fields.has("field")).toBe(false);
      expect(fields.string("field")).toBeUndefined();
    }
    expect(read("").has("field")).toBe(true);
  });
});

const ADDITIONAL_FIELDS: FurtherFields = {
  tone: { kind: "writable", initially: "low" },
  pitch: { kind: "reset when omitted", initially: 0 },
  made: { kind: "read-only", initially: "today" },
  shape: { kind: "refused", initially: "round" },
};

describe("Fields that are not in the specification", () => {
  const scene = () => {
    const service = new Scene();
    service.service.configure({ laterFields: ADDITIONAL_FIELDS });
    const read = async (path: string) => (await service.read(path)).body.data;
    return { service, read };
  };

  test("a write stores, resets, ignores or rejects a field according to its kind", async () => {
    const { service, read } = scene();
    const config = { binddn: "cn=admin", bindpass: "hush" };
    await service.write("ldap/config", { ...config, tone: "high", pitch: 3, made: "now" });
    expect(await read("ldap/config")).toMatchObject({
      tone: "high",
      pitch: 3,
      made: "today",
      shape: "round",
    });
    await service.write("ldap/config", { userdn: "ou=people" });
    expect(await read("ldap/config")).toMatchObject({ tone: "high", pitch: 0 });
    await answers(service.write("ldap/config", { tone: "low", shape: "flat" }), 400, {
      errors: ["shape cannot be set"],
    });
    expect(await read("ldap/config")).toMatchObject({ tone: "high" });
  });

  test("a write that replaces the object and a delete reset a writable field", async () => {
    const { service, read } = scene();
    await service.write("msgq/roles/app", { tags: "a", tone: "high" });
    expect(await read("msgq/roles/app")).toMatchObject({ tone: "high" });
    await service.write("msgq/roles/app", { tags: "b" });
    expect(await read("msgq/roles/app")).toMatchObject({ tone: "low" });
    await service.write("cloud/roles/app", { credential_type: "iam_user", policy_arns: "a", tone: "high" });
    await service.send("DELETE", "cloud/roles/app");
    await service.write("cloud/roles/app", { credential_type: "iam_user", policy_arns: "a" });
    expect(await read("cloud/roles/app")).toMatchObject({ tone: "low" });
  });

  test("a response with a body warns about a read-only field, but not about a writable field", async () => {
    const { service } = scene();
    const { body } = await service.write("cloud/static-roles/app", {
      username: "svc",
      rotation_period: 60,
      tone: "high",
      made: "now",
    });
    expect(body).toMatchObject({
      data: { tone: "high", made: "today" },
      warnings: ["Endpoint ignored these unrecognized parameters: [made]"],
    });
  });
});

describe("Okta MFA method with the legacy field production", () => {
  test("a read returns production instead of base_url; a write without either sets base_url to okta.com", async () => {
    const service = new Scene({ dialect: "real" });
    const asRoot = { headers: { "x-vault-token": "root" } };
    const path = "identity/mfa/method/okta";
    const write = (at: string, body: object) => service.send("POST", at, body, asRoot);
    const method = { org_name: "acme", api_token: "t" };
    const { body } = await write(path, { ...method, production: false });
    const own = `${path}/${body.data.method_id}`;
    const read = async () => (await service.send("GET", own, undefined, asRoot)).body.data;
    expect(await read()).toMatchObject({ production: false });
    expect(await read()).not.toHaveProperty("base_url");
    await write(own, method);
    expect(await read()).toMatchObject({ base_url: "okta.com" });
    expect(await read()).not.toHaveProperty("production");
  });
});

const NOW = Date.UTC(2030, 0, 2, 3, 4, 5, 67);

function renderTemplate(template: string, isLdif = false): string {
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
    // The stub accepts control structures and built-in functions, but does not evaluate them.
    ['{{- if eq .RoleName "a" -}}x{{ else }}{{ .RoleName }}{{ end }}', "xweb_1"],
    ["{{ with $x := .RoleName }}{{ $x }}{{ end }}-{{ len .RoleName }}", "-"],
    ["{{/* .Nothing }} */}}a", "a"],
    ['{{ "abcdefghijklmnop" | truncate_sha256 12 }}', `abcd${sha256("efghijklmnop").slice(0, 8)}`],
  ])("renders %s as %s", (template, expected) => {
    expect(renderTemplate(template)).toBe(expected);
  });

  test("random returns letters and digits, and uuid a different UUID each time", () => {
    expect(renderTemplate("{{ random 20 }}")).toMatch(/^[A-Za-z0-9]{20}$/);
    const [first, second] = renderTemplate("{{ uuid }} {{ uuid }}").split(" ");
    expect(first).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(second).not.toBe(first);
  });

  test("utf16le is available only in LDIF templates", () => {
    expect(renderTemplate('{{ "pw" | utf16le | base64 }}', true)).toBe(
      Buffer.from("pw", "utf16le").toString("base64"),
    );
    expect(() => renderTemplate('{{ "pw" | utf16le | base64 }}')).toThrow(TemplateError);
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
  ])("rejects %s", (template) => {
    expect(() => renderTemplate(template)).toThrow(TemplateError);
  });
});

const IGNORED = "Endpoint ignored these unrecognized parameters";
const REPLACED =
  "Endpoint replaced the value of these parameters with the values captured from the endpoint's path";

describe("Warnings", () => {
  test("a read returns a warning with its unknown query parameters in alphabetical order", async () => {
    await scene.write("msgq/roles/app", { tags: "monitoring" });
    const { body } = await scene.read("msgq/roles/app?zone=a&area=b");
    expect(body.warnings).toEqual([`${IGNORED}: [area zone]`]);
  });

  test("a list returns no warning for list=true, but one for an unknown parameter", async () => {
    await scene.write("msgq/roles/app", { tags: "monitoring" });
    expect((await scene.read("msgq/roles?list=true")).body.warnings).toBeNull();
    expect((await scene.read("msgq/roles?list=true&limit=x")).body.warnings).toEqual([`${IGNORED}: [limit]`]);
  });

  test("a write with a response body warns about unknown parameters and about parameters of the path", async () => {
    await scene.write("ldap/config", { binddn: "cn=admin", bindpass: "hush" });
    await scene.write("ldap/library/ops", { service_account_names: ["svc-1"], ttl: 3600 });
    const { body } = await scene.write("ldap/library/ops/check-out", { ttl: 60, name: "ops", until: "noon" });
    expect(body.warnings).toEqual([`${IGNORED}: [until]`, `${REPLACED}: [name]`]);
  });

  test("a write with an unknown parameter returns 204 if the response has no body", async () => {
    const answer = await scene.write("msgq/roles/app", { tags: "monitoring", color: "blue" });
    expect(answer).toMatchObject({ status: 204 });
  });
});
