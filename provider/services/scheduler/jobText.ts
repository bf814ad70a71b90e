import {
  type Dialect,
  endOfQuoted,
  errorOfRead,
  isObject,
  isSuccess,
  type Json,
  memoByObject,
  type ServiceText,
  send,
} from "../../core";
import { jobJson } from "./jobDocument";
import { inScope } from "./service";

const PARSE = {
  method: "POST",
  path: "/jobs/parse",
  query: inScope,
} as const;

/**
 * A job in HCL, which only Nomad can parse (specification: Parse job). The parsed job has the specification's names, like
 * every response. JSON text in this property has the names of the dialect.
 */
export const jobText = memoByObject(
  (dialect: Dialect): ServiceText => ({
    property: "hcl",
    with: ["variables", "hclv1"],
    // If others changed the job, a refresh returns JSON, because their change cannot be written into the HCL.
    plain(text) {
      const job = text.trimStart().startsWith("{") ? jobJson(dialect).canonical(text) : undefined;
      return isObject(job) ? job : undefined;
    },
    async read(context, inputs, address) {
      const body = {
        JobHCL: inputs.hcl ?? "",
        Canonicalize: false,
        ...(inputs.variables !== undefined && { Variables: variablesText(inputs.variables) }),
        ...(inputs.hclv1 === true && { HCLv1: true }),
      };
      const answer = await send(context, PARSE, address, { nature: "read", body });
      if (isSuccess(answer) && isJob(answer.json) && canBeOf(String(inputs.hcl), answer.json))
        return withoutNull(answer.json);
      throw errorOfRead(context, answer, PARSE, address);
    },
  }),
);

/** Removes the members that the HCL does not set. Nomad returns such members, the majority, as null. */
function withoutNull(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isObject(value)) return value;
  const written = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(written.map(([name, member]) => [name, withoutNull(member)]));
}

/** True if a response is a job and not other JSON. */
export function isJob(json: Json | undefined): json is { [member: string]: Json } {
  return isObject(json) && typeof json.ID === "string";
}

/** A job block, with its label quoted or unquoted. */
const BLOCK = /\bjob\s{1,20}(?:"([^"\n]{1,128})"|([\w-]{1,128}))\s{0,20}\{/g;

/** True if the text can define this job: its ID is the block's label, unless the text sets an ID. */
function canBeOf(text: string, job: { readonly [member: string]: Json }): boolean {
  const labels = [...text.matchAll(BLOCK)].map(([, quoted, plain]) => quoted ?? plain);
  const isOtherwise = labels.length === 0 || labels.some((label) => label?.includes("\\"));
  return isOtherwise || /\bid\s{0,20}=/i.test(text) || labels.some((label) => label === job.ID);
}

/** Variables in the format of a variables file. A string is such a file already. */
export function variablesText(variables: Json): string {
  if (!isObject(variables)) return typeof variables === "string" ? variables : "";
  return Object.entries(variables)
    .map(([name, value]) => `${name} = ${literal(value)}\n`)
    .join("");
}

/** A value in HCL syntax. Escapes template markers in strings. */
function literal(value: Json): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${quote(name)} = ${literal(member)}`);
  return `{ ${members.join(", ")} }`;
}

function quote(text: string): string {
  return JSON.stringify(text)
    .replace(/\\(.)/g, (pair, letter: string) => NOT_OF_JSON[letter] ?? pair)
    .replace(/[$%](?=\{)/g, "$&$&");
}

/** The JSON escapes that HCL does not have. */
const NOT_OF_JSON: Readonly<Record<string, string>> = { b: "\\u0008", f: "\\u000c" };

const TOKEN = /\b(?:secrets|mesh|vault|consul)_token"?\s{0,200}=\s{0,200}(?="|<<)/g;

/** The literal tokens in a job's text, quoted or as heredocs. */
export function tokensIn(text: string): string[] {
  const tokens: string[] = [];
  const token = new RegExp(TOKEN);
  while (token.test(text)) {
    const from = token.lastIndex;
    if (text[from] === "<") {
      const { value, end } = heredocAt(text, from);
      if (value !== "") tokens.push(value);
      token.lastIndex = end;
      continue;
    }
    const end = endOfQuoted(text, from);
    if (end === undefined) break;
    if (end - 1 > from + 1) tokens.push(text.slice(from + 1, end - 1));
    token.lastIndex = end;
  }
  return tokens;
}

/** The trimmed lines of a heredoc that starts at `<<`, up to its marker or the end of the text. */
function heredocAt(text: string, from: number): { readonly value: string; readonly end: number } {
  const lineEnd = (at: number) => (text.indexOf("\n", at) === -1 ? text.length : text.indexOf("\n", at));
  let end = lineEnd(from);
  const marker = text.slice(from, end).replace(/^<<-?/, "").trim();
  const lines: string[] = [];
  while (end < text.length) {
    const start = end + 1;
    end = lineEnd(start);
    const line = text.slice(start, end).trim();
    if (line === marker) break;
    lines.push(line);
  }
  return { value: lines.join("\n").trim(), end };
}

/** The names of secret members in a job's text. */
export const secretWords = ["secrets_token", "mesh_token", "vault_token", "consul_token"];
