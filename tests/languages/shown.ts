import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Described {
  readonly description: string;
  /** Set if it is deprecated, and has no program. */
  readonly deprecationMessage?: string;
}

/** The programs of the committed schema's descriptions in one language, by token. */
export function shownIn(language: string): ReadonlyMap<string, string> {
  const schema: Readonly<Record<"resources" | "functions", Readonly<Record<string, Described>>>> = JSON.parse(
    readFileSync(join(__dirname, "../../schema.json"), "utf8"),
  );
  const fence = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\`\\n`, "s");
  return new Map(
    Object.entries({ ...schema.resources, ...schema.functions }).flatMap(([token, shown]) => {
      const [, program] = fence.exec(shown.description) ?? [];
      if (shown.deprecationMessage !== undefined) return [];
      if (program === undefined) throw new Error(`${token} shows no program in ${language}`);
      return [[token.replace(/^quarterdeck:/, ""), program] as const];
    }),
  );
}

/** The resources and calls that a YAML program declares. */
export interface Declared {
  readonly config?: Readonly<Record<string, { readonly type: string; readonly secret?: boolean }>>;
  readonly variables?: Readonly<Record<string, { readonly "fn::invoke": Invoke }>>;
  readonly resources?: Readonly<Record<string, Resource>>;
  readonly outputs?: Readonly<Record<string, string>>;
}

interface Invoke {
  readonly function: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface Resource {
  readonly type: string;
  readonly name?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** One registration of a resource, or one call. */
export interface Registered {
  readonly type: string;
  /** Empty for a call. */
  readonly name: string;
  readonly inputs: unknown;
}

/** The registrations of a YAML program. A reference to another resource's input is replaced by that input. */
export function registeredBy({ variables = {}, resources = {} }: Declared): Registered[] {
  const given = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(given);
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, given(inner)]));
    const [, key = "", property = ""] = /^\$\{(\w+)\.(\w+)\}$/.exec(String(value)) ?? [];
    return resources[key]?.properties?.[property] ?? value;
  };
  const registered = [
    ...Object.values(variables).map(({ "fn::invoke": { function: type, arguments: inputs } }) => ({
      type,
      name: "",
      inputs,
    })),
    ...Object.entries(resources).map(([key, { type, name = key, properties = {} }]) => ({
      type,
      name,
      inputs: properties,
    })),
  ];
  return registered.map((one) => ({ ...one, inputs: given(one.inputs) }));
}

/** A registration without values that only an engine knows (also as empty lists), and with normalized white space. */
export function comparable(value: unknown): unknown {
  if (typeof value === "string")
    return value.startsWith("${") ? undefined : value.trim().replace(/\s+/g, " ");
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, comparable(inner)] as const);
  return Object.fromEntries(members.filter(([, inner]) => inner !== undefined));
}
