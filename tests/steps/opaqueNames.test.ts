import fc from "fast-check";
import { addressParts } from "../../provider/core/language/address";
import { fieldsOf, innerSchema } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import { isWritable } from "../../provider/core/language/role";
import type { Service } from "../../provider/core/language/service";
import { isObject, type Json } from "../../provider/core/value/json";
import { rounds } from "../rounds";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { subjects } from "./subjects";
import type { World } from "./world";

/**
 * Names are opaque: a program with the name `okta` or `constructor` behaves exactly as with a meaningless name of the
 * same form. Each program runs twice, and everything that is sent, stored, shown and reported must be equal except for
 * that name.
 */

const DIALECTS = ["neutral", "real"] as const;

type Dialect = (typeof DIALECTS)[number];

/** The words of a service's dialects, from both sides of each table. */
function wordsOf({ dialects }: Service): string[] {
  return Object.values(dialects).flatMap(({ headers, members = {}, parameters, segments, defaults }) => [
    ...[headers, parameters, segments, defaults].flatMap((table) => Object.entries(table ?? {}).flat()),
    ...Object.entries(members).flatMap(([pattern, name]) => [...pattern.split("."), name]),
  ]);
}

const INHERITED = [...Object.getOwnPropertyNames(Object.prototype), "length", "prototype", "then", "toJSON"];

const WORDS = [
  ...new Set([
    ...[...new Set(subjects.map(([, { definition }]) => definition.service))].flatMap(wordsOf),
    ...INHERITED,
  ]),
].filter((word) => /\w{2}/.test(word));

const MOUNTS = { queueMount: "msgq", cloudMount: "cloud", directoryMount: "ldap" };
/** The mounts of the engines in these tests: these names are not free for a different engine. */
const MOUNTED = [...Object.values(MOUNTS), "rabbitmq", "aws"];

/** A name of the same form that is in no table. */
const twinOf = (word: string) => word.replace(/[a-z]/g, "q").replace(/[A-Z]/g, "Q").replace(/[0-9]/g, "7");

/** A program with a given word at one place. */
type Variant = (word: string) => Values;

/** Every place for a word in a program: as an address part, as a value, and as a key. */
function variantsOf({ definition }: Subject, program: Values): Variant[] {
  const parts = addressParts(definition);
  const open = fieldsOf(definition).filter(
    ({ name, facts, schema }) =>
      parts.includes(name) && isWritable(facts) && innerSchema(schema)?.def.type === "string",
  );
  return [
    ...open.map(
      ({ name }): Variant =>
        (word) => ({ ...program, [name]: word }),
    ),
    // The keys of the top level are properties of this package.
    ...Object.entries(program).flatMap(([name, value]) =>
      within(value, name).map(
        (variant): Variant =>
          (word) => ({ ...program, [name]: variant(word) }),
      ),
    ),
  ];
}

/** How many levels below these members the keys are the user's. */
const USER_KEYED: Readonly<Record<string, number>> = {
  Meta: 1,
  meta: 1,
  Env: 1,
  env: 1,
  Config: 9,
  config: 9,
  vhosts: 1,
  vhostTopics: 2,
  tagBindings: 1,
  iamTags: 1,
  Subsets: 1,
  subsets: 1,
  failover: 1,
};

function within(value: Json, at: string, isOpen = USER_KEYED[at] ?? 0): ((word: string) => Json)[] {
  if (typeof value === "string") {
    const inner = objectIn(value);
    if (inner !== undefined)
      return within(inner, at).map((variant) => (word) => JSON.stringify(variant(word)));
    // Base64, texts in their own language and the server's own types are not names.
    return value.includes("\n") || /ldif|template|filter|authMethodTypes/i.test(at) ? [] : [(word) => word];
  }
  if (Array.isArray(value))
    return value.flatMap((element, index) =>
      within(element, at).map(
        (variant) => (word: string) => value.map((one, own) => (own === index ? variant(word) : one)),
      ),
    );
  if (!isObject(value)) return [];
  const members = Object.entries(value);
  const added: Json = members[0]?.[1] ?? "text";
  const keys: ((word: string) => Json)[] =
    isOpen === 0
      ? []
      : [
          (word) => Object.fromEntries([...members, [word, added]]),
          ...members.map(
            ([key]) =>
              (word: string) =>
                Object.fromEntries(members.map(([one, own]) => [one === key ? word : one, own])),
          ),
        ];
  return [
    ...keys,
    ...members.flatMap(([key, member]) =>
      within(member, isOpen > 0 ? "" : key, isOpen > 0 ? isOpen - 1 : undefined).map(
        (variant) => (word: string) =>
          Object.fromEntries(members.map(([one, own]) => [one, one === key ? variant(word) : own])),
      ),
    ),
  ];
}

function objectIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A world in a dialect, with an additional engine that is mounted under the word. */
async function worldIn(subject: Subject, dialect: Dialect, word: string): Promise<World> {
  const world = await subject.world();
  world.stub.configure({ dialect });
  if (world.connection.service.name !== "secrets") return world.with({ dialect });
  const prefix = dialect === "real" ? "x-vault" : "x-secrets";
  const headers = { [`${prefix}-token`]: "root", "content-type": "application/json" };
  const { token } = subject.definition;
  const engine = /:(Queue|Cloud|Directory|Library)/.exec(token)?.[1];
  if (engine !== undefined) {
    const type = { Queue: ["msgq", "rabbitmq"], Cloud: ["cloud", "aws"] }[engine] ?? ["ldap", "ldap"];
    await world.send(
      "POST",
      `/v1/sys/mounts/${encodeURIComponent(word)}`,
      { type: type[dialect === "real" ? 1 : 0] ?? "" },
      headers,
    );
    await world.send(
      "POST",
      `/v1/${encodeURIComponent(word)}/config`,
      { binddn: "cn=admin", bindpass: "hush" },
      headers,
    );
  }
  return world.with({ dialect, ...MOUNTS });
}

/** Everything that the lifecycle of an object with this program sends, stores, shows and reports. */
async function runLifecycle(
  subject: Subject,
  dialect: Dialect,
  program: Values,
  later: Values,
  word: string,
): Promise<unknown[]> {
  const world = await worldIn(subject, dialect, word);
  const { definition } = subject;
  const observed: unknown[] = [];
  const resource = new Resource(world, definition);
  const steps: (() => Promise<unknown>)[] = [
    async () => {
      for (const inputs of [program, later]) {
        const problems = resource.check(inputs);
        if (problems.length > 0) throw new Error(JSON.stringify(problems));
        await resource.prepare(inputs);
      }
    },
    async () => resource.create(program),
    async () => resource.preview(program),
    async () => resource.refresh(),
    async () => resource.preview(program),
    async () => new Resource(world, definition).get(resource.id),
    async () => resource.preview(later),
    async () => resource.up(later),
    async () => resource.preview(later),
    async () => resource.delete(),
  ];
  for (const step of steps) {
    let end: unknown;
    try {
      end = await step();
    } catch (error) {
      observed.push(String(error));
      break;
    }
    const { __quarterdeck: _, ...outputs } = resource.outputs;
    observed.push(
      { end },
      { id: resource.id, inputs: resource.inputs, outputs },
      { held: world.stub.dump() },
    );
  }
  return [
    ...observed,
    ...world.requests.map(({ method, path, query, headers, body }) => ({
      method,
      path,
      query,
      headers,
      body,
    })),
    ...world.logged,
  ];
}

/**
 * A value as text, in which an object is a list of its members, so that no name has a special meaning. Lists are sorted, because
 * servers and this package sort by name.
 */
function plain(value: unknown, rename: (text: string) => string): string {
  if (typeof value === "string") return JSON.stringify(rename(value));
  // Seeded objects have timestamps of the machine's clock.
  if (typeof value === "number" && value > 1e12 && value < 1e13) return "a time";
  if (value instanceof Map) return plain([...value], rename);
  if (Array.isArray(value)) return sorted(value.map((one) => plain(one, rename)));
  if (typeof value !== "object" || value === null) return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return sorted(members.map(([name, member]) => `${plain(name, rename)}: ${plain(member, rename)}`));
}

function sorted(texts: string[]): string {
  return `[${texts.sort().join(",\n")}]`;
}

/**
 * Servers number tags and key-value tags in the order of their names, a hash covers the names, and a message can truncate a
 * value inside a name.
 */
function withoutNumbers(text: string): string {
  return text
    .replace(/\b(tag|tb)-\w{10,}\b/g, "a tag")
    .replace(/^[A-Za-z0-9+/]{43}=$/, "a hash")
    .replace(/\w*…/g, "…");
}

/** Replaces one name with another; a service may have changed its case, and takes some values in Base64. */
function renaming(from: string, to: string): (text: string) => string {
  const inBase64 = (text: string) => Buffer.from(text).toString("base64");
  const forms = (text: string) => [
    ...[text, encodeURIComponent(text), text.toLowerCase(), text.toUpperCase()],
    inBase64(text),
  ];
  const [before, after] = [forms(from), forms(to)];
  return (text) =>
    withoutNumbers(before.reduce((all, form, index) => all.replaceAll(form, after[index] ?? ""), text));
}

const RESERVED = "which the server keeps for itself";

async function expectOpaque(
  subject: Subject,
  dialect: Dialect,
  variant: Variant,
  later: Variant,
  word: string,
) {
  const twin = twinOf(word);
  const expected = await runLifecycle(subject, dialect, variant(twin), later(twin), twin);
  const found = await runLifecycle(subject, dialect, variant(word), later(word), word);
  // The server keeps some names for itself, and the definition rejects them.
  if (String(found[0]).includes(RESERVED)) return;
  const renamed = renaming(twin, word);
  for (const [index, own] of found.entries()) {
    const [is, should] = [plain(own, withoutNumbers), plain(expected[index], renamed)];
    // Jest compares only what differs: it is slow with large texts.
    if (is !== should) expect({ word, is }).toEqual({ word, is: should });
  }
  expect(found).toHaveLength(expected.length);
}

describe.each(DIALECTS)("in the dialect %s", (dialect) => {
  test.each(subjects)("%s treats every word as an ordinary name", async (_, subject) => {
    const programs = fc.sample(subject.programs, { numRuns: 200, seed: 7 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...programs),
        fc.nat(),
        fc.nat(),
        fc.constantFrom(...WORDS),
        async (program, first, second, word) => {
          fc.pre(subject.definition.service.name !== "secrets" || !MOUNTED.includes(word));
          const variant = choice(subject, program, first);
          const later: Variant = (own) => choice(subject, variant(own), second)(own);
          await expectOpaque(subject, dialect, variant, later, word);
        },
      ),
      { numRuns: runs(subject, rounds(400, 12)) },
    );
  });

  test.each(subjects)("%s looks up a program's names in own properties only", async (_, subject) => {
    const word = "inherited-word";
    for (const program of fc.sample(subject.programs, { numRuns: rounds(20, 2), seed: 11 })) {
      const variants = variantsOf(subject, program);
      for (const variant of variants.filter((_, index) => index % rounds(1, 4) === 0)) {
        const own = variant(word);
        expect(await inheritedLookups(word, () => runLifecycle(subject, dialect, own, own, word))).toEqual(
          [],
        );
      }
    }
  });
});

/** The functions that look up an own property read the object itself. */
const OWN_LOOK = /^(provider\/core\/value|testing\/stub)\/json\.ts:/;

/** Look-ups of an inherited property, by the line of this repository that made each. */
async function inheritedLookups(word: string, live: () => Promise<unknown>): Promise<string[]> {
  const looks = new Set<string>();
  const look = () => {
    // The next stack frame is the code that made the look-up.
    const [, line = ""] = (new Error().stack ?? "").split("\n").slice(1);
    const [by] = /(provider|testing)\/[\w./-]+:\d+/.exec(line) ?? [];
    if (by !== undefined && !OWN_LOOK.test(by)) looks.add(by);
    return undefined;
  };
  Object.defineProperty(Object.prototype, word, { configurable: true, get: look, set: look });
  try {
    await live();
  } finally {
    Reflect.deleteProperty(Object.prototype, word);
  }
  return [...looks];
}

function choice(subject: Subject, program: Values, number: number): Variant {
  const variants = variantsOf(subject, program);
  return variants[number % variants.length] ?? (() => program);
}
