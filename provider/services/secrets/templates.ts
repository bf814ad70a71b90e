import type { Json } from "../../core";

/** The use of a template, which determines the names that it can refer to (specification: A6, Templates). */
interface TemplateContext {
  /** The fields that the template can refer to; unset if the specification does not list them. */
  readonly fields?: readonly string[];
  /** LDIF has functions that other templates do not have. */
  readonly isLdif?: boolean;
}

/** The user names of the LDAP engine's dynamic roles. */
export const usernameContext: TemplateContext = { fields: ["RoleName", "DisplayName"] };

/** The LDIF of the LDAP engine's dynamic roles. */
export const ldifContext: TemplateContext = {
  isLdif: true,
  fields: [
    "Username",
    "Password",
    "RoleName",
    "DisplayName",
    "IssueTime",
    "IssueTimeSeconds",
    "ExpirationTime",
    "ExpirationTimeSeconds",
  ],
};

const words = (text: string) => new Set(text.split(" "));
const SPECIFIED = words(
  "random truncate truncate_sha256 uppercase lowercase replace sha256 base64 unix_time unix_time_millis timestamp uuid",
);
const LDIF_ONLY = words("utf16le");
/** The keywords and built-in functions of the template language. */
const LANGUAGE = words(
  "if else end range with define template block break continue nil true false " +
    "print printf println html js urlquery len index slice and or not eq ne lt le gt ge call",
);

/**
 * Reports the one thing that the server certainly rejects (specification: A6, "Templates use double-brace fields"). Only the
 * server renders a template, and its language has more than the specification lists.
 */
export function templateProblem(value: Json | undefined): string | undefined {
  if (typeof value !== "string" || actionsIn(value) !== undefined) return undefined;
  return "is an invalid template: a {{ has no matching }}";
}

/** Preview notes about fields and functions of a template that the specification does not list (A6, Templates). */
export function templateDoubts(name: string, value: unknown, context: TemplateContext): string[] {
  const actions = typeof value === "string" ? (actionsIn(value) ?? []) : [];
  const fields = namesIn(actions, FIELD).filter((field) => !(context.fields?.includes(field) ?? true));
  const functions = namesIn(actions, WORD).filter((word) => !isAllowedName(word, context));
  return [
    ...fields.map(
      (field) =>
        `${name}: the template field .${field} is not documented for this template; documented fields: ${(context.fields ?? []).map((known) => `.${known}`).join(", ")}`,
    ),
    ...functions.map((word) => `${name}: the template function ${word} is not documented for this template`),
  ];
}

function isAllowedName(word: string, { isLdif = false }: TemplateContext): boolean {
  return LANGUAGE.has(word) || SPECIFIED.has(word) || (isLdif && LDIF_ONLY.has(word));
}

/** A field of the data itself: `.RoleName`, but not `$x.RoleName` or `1.5`. */
const FIELD = /(?<![\w$.)])\.([A-Za-z_]\w*)/g;
const WORD = /(?<![\w$.])([A-Za-z_]\w*)/g;

/** The distinct matches of the pattern, outside of literals and comments. */
function namesIn(actions: readonly string[], pattern: RegExp): string[] {
  const found = actions.flatMap((action) => [...action.matchAll(pattern)].map(([, name = ""]) => name));
  return [...new Set(found)];
}

const PIECE = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\/|\}\}|[\s\S]/y;

/** The text between double braces, without literals and comments; undefined if a brace is never closed. */
function actionsIn(template: string): string[] | undefined {
  const actions: string[] = [];
  for (let at = template.indexOf("{{"); at >= 0; at = template.indexOf("{{", at)) {
    let action = "";
    at += 2;
    for (;;) {
      PIECE.lastIndex = at;
      const piece = PIECE.exec(template)?.[0];
      if (piece === undefined) return undefined;
      at += piece.length;
      if (piece === "}}") break;
      action += piece.length === 1 ? piece : " ";
    }
    actions.push(action);
  }
  return actions;
}
