import type { z } from "zod";
import type { Kind } from "./errors";
import type { HttpAnswer } from "./http/request";
import { isObject, type Json } from "./json";
import { lookUp, type Path, type Pattern } from "./path";

/** The names under which one family of servers speaks: its headers, members and path segments. */
export interface Dialect {
  /** Header names by their role (`token`, `namespace`, `index`…). */
  readonly headers: Readonly<Record<string, string>>;
  /** Members that are called otherwise than in the specification: its path there, and its name here. */
  readonly members?: Readonly<Record<Pattern, string>>;
  /** The name of the product's own command line, for messages that tell what to do. */
  readonly program?: string;
  /** Query parameters that are called otherwise than in the specification. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Path segments that are called otherwise than in the specification. */
  readonly segments?: Readonly<Record<string, string>>;
  /** What is taken where a setting is not given, and where that is another value than in the specification. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/** A connection's settings after defaults: what the configuration and the environment say. */
export type Settings = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** One control plane: where it is, how it is spoken to, how its answers read. */
export interface Service {
  /** Its name in the configuration: `quarterdeck:<name>`. */
  readonly name: string;
  readonly naming: "kebab" | "pascal" | "snake";
  /** The prefix of every path, `/v1`. */
  readonly prefix: string;
  readonly contentType: string;
  /** The service's own settings beside address, token and transport, with their facts. */
  readonly settings: Readonly<Record<string, z.ZodType>>;
  readonly dialects: Readonly<Record<string, Dialect>>;
  /** The headers of every request. */
  headers(settings: Settings, dialect: Dialect): Readonly<Record<string, string>>;
  /** The service's own words in an answer that is an error. */
  words(answer: HttpAnswer): string;
  /** Whether it answers 404 where the token has no right to look, too. */
  readonly hidesByNotFound?: boolean;
  /** What to do about an answer that is an error, where the service's own words do not say it: whole sentences. */
  advice?(answer: HttpAnswer): string | undefined;
  /** What an answer means, where its status does not say it. */
  kind?(answer: HttpAnswer): Kind | undefined;
  /** Takes an object out of the envelope in which the service answers. */
  open(answer: Json): { readonly [member: string]: Json };
}

/** Renames members between the specification's names and a dialect's. The value itself is not touched. */
export function renameMembers<V>(value: V, dialect: Dialect, to: "dialect" | "specification"): V {
  if (dialect.members === undefined) return value;
  const table = to === "dialect" ? dialect.members : specifiedNames(dialect.members);
  // Renaming keeps the value's shape but for names, which V does not fix.
  return renamed(value as Json, [], table, to) as V;
}

/** `at` is in the specification's names on either way, as the patterns are. */
function renamed(
  value: Json,
  at: Path,
  table: Readonly<Record<Pattern, string>>,
  to: "dialect" | "specification",
): Json {
  if (Array.isArray(value)) return value.map((element, index) => renamed(element, [...at, index], table, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const here = [...at, key];
      const name = lookUp(table, here) ?? key;
      return [name, renamed(member, to === "dialect" ? here : [...at, name], table, to)];
    }),
  );
}

/** A query with its parameters under a dialect's names. */
export function renameParameters<V>(
  query: Readonly<Record<string, V>>,
  { parameters = {} }: Dialect,
): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [parameters[name] ?? name, value]));
}

const inverted = new WeakMap<object, Readonly<Record<Pattern, string>>>();

/** A dialect's table the other way round: its names where they stand, and what the specification calls them. */
function specifiedNames(members: Readonly<Record<Pattern, string>>): Readonly<Record<Pattern, string>> {
  const known = inverted.get(members);
  if (known !== undefined) return known;
  const table = Object.fromEntries(
    Object.entries(members).map(([pattern, name]) => {
      const parts = pattern.split(".");
      return [[...parts.slice(0, -1), name].join("."), parts.at(-1) ?? ""];
    }),
  );
  inverted.set(members, table);
  return table;
}
