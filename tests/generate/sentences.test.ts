import { z } from "zod";
import { catalog } from "../../provider/catalog";
import { field } from "../../provider/core/language/facts";
import { isSteering, isWritable } from "../../provider/core/language/role";
import { allFunctions } from "../../provider/functions";
import { resourcePage } from "../../tools/generate/docs";
import { describeFunction } from "../../tools/generate/functions";
import { oneOfAt } from "../../tools/generate/oneOf";
import { servicesOf } from "../../tools/generate/schema";
import { settingsShape } from "../../tools/generate/schemaConfiguration";
import { sdkFiles } from "../../tools/generate/sdk";
import { consequencesOf, defaultOf } from "../../tools/generate/sentences";
import { membersOf, type Property, propertiesOf, type Shape } from "../../tools/generate/shape";

// What the reference and the hovers say: classes of sentences that tell nothing, or that tell it to the wrong reader.

interface Told {
  readonly where: string;
  /** What it is a member of. */
  readonly of: string;
  readonly property: Property;
}

/** A property and everything inside of it. */
function inside(of: string, property: Property, path: string): Told[] {
  const where = `${path}.${property.name}`;
  return [{ where, of, property }, ...membersIn(property.shape, property.name, where)];
}

function membersIn(shape: Shape, of: string, where: string): Told[] {
  switch (shape.kind) {
    case "list":
    case "map":
      return membersIn(shape.of, of, `${where}[]`);
    case "either":
      return shape.of.flatMap((part) => membersIn(part, of, where));
    case "object":
      return shape.members.flatMap((member) => inside(of, member, where));
    default:
      return [];
  }
}

const definitions = Object.values(catalog).map((load) => load());
const functions = allFunctions().map(describeFunction);

const ofResources = definitions.flatMap((definition) =>
  propertiesOf(definition).flatMap((property) => inside(definition.token, property, definition.token)),
);
const ofArguments = functions.flatMap(({ definition, args }) =>
  args.flatMap((property) => inside(definition.token, property, definition.token)),
);
const ofAnswers = functions.flatMap(({ definition, result }) =>
  result.flatMap((property) => inside(definition.token, property, definition.token)),
);
const ofSettings = servicesOf(definitions).flatMap((service) => {
  const shape = settingsShape(service);
  return shape.kind === "object"
    ? shape.members.flatMap((member) => inside(service.name, member, service.name))
    : [];
});
const everything = [...ofResources, ...ofArguments, ...ofAnswers, ...ofSettings];

/** Each by its sentence, once. */
function wrong(told: readonly Told[], isWrong: (told: Told) => boolean): string[] {
  return [...new Set(told.filter(isWrong).map(({ where, property }) => `${where}: ${property.doc}`))];
}

/** A word without what makes it several. */
const stem = (word: string) => word.replace(/s$/, "");
const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .map(stem);
const LITTLE = new Set(
  "the a an of its it is are be to for in on by with that which whether and or from as how what this each text".split(
    " ",
  ),
);

/** Whether a sentence has no word that the names of the property, and of what it is in, do not have. */
function isRepetition({ of, property: { name, doc } }: Told): boolean {
  const known = new Set([...wordsOf(name), ...wordsOf(of.split(":").at(-1) ?? "")]);
  // A word in code says something of its own.
  const words = doc
    .replaceAll(/`[^`]*`/g, "code")
    .toLowerCase()
    .split(/[^a-z]+/)
    .map(stem);
  return words.every((word) => word === "" || LITTLE.has(word) || known.has(word));
}

describe("what is said of a property, a member, an argument or an answer", () => {
  it("is something", () => {
    expect(wrong(everything, ({ property }) => property.doc === "")).toEqual([]);
  });

  it("says more than its name", () => {
    expect(wrong(everything, isRepetition)).toEqual([]);
    const told = (name: string, doc: string) => ({
      of: "a:Role",
      where: "",
      property: { ...(ofResources[0] as Told).property, name, doc },
    });
    expect(isRepetition(told("roleName", "The role's name."))).toBe(true);
    expect(isRepetition(told("roleName", "The name by which the engine knows the role."))).toBe(false);
  });

  it("says what values mean, and not only which there are", () => {
    const onlyValues = /^(`[^`]*`|such as|empty|or|and|,|;|\.|…|\s)+$/;
    expect(wrong(everything, ({ property }) => onlyValues.test(property.doc))).toEqual([]);
  });

  it("is of whole sentences", () => {
    expect(wrong(everything, ({ property }) => !/^[A-Z`-].*[.…]$/s.test(property.doc))).toEqual([]);
    expect(
      wrong(everything, ({ property }) => /^(For|While|In case)\b[^,;:]{0,40}\.$/.test(property.doc)),
    ).toEqual([]);
  });

  it("says what a boolean property does, with a verb first", () => {
    const isSwitch = ({ property: { shape } }: Told) => shape.kind === "boolean";
    expect(
      wrong(everything.filter(isSwitch), ({ property }) => !/^(Whether|Register|Stop) /.test(property.doc)),
    ).toEqual([]);
  });

  it("names the unit of a time or a size", () => {
    const times = /(ttl|period|timeout|interval|delay|average|lease|deadline|cooldown|grace|splay)s?$/i;
    const units = /second|minute|hour|day|unit|nano|milli|whatever is asked/i;
    const isNumber = ({ shape }: Property) => shape.kind === "number" || shape.kind === "integer";
    expect(
      wrong(
        everything,
        ({ property }) => isNumber(property) && times.test(property.name) && !units.test(property.doc),
      ),
    ).toEqual([]);
    const sizes = /(MB|memory|bytes)$/;
    expect(
      wrong(
        everything,
        ({ property }) =>
          isNumber(property) && sizes.test(property.name) && !/megabyte|bytes/.test(property.doc),
      ),
    ).toEqual([]);
  });
});

/** What only who writes a property need know. */
const TO_WRITE: readonly (readonly [string, RegExp])[] = [
  ["a default", /\bDefault\b/],
  ["what a removal does", /\bdropped\b|\bleft out\b|\bleave it out\b|[Aa] removal/],
  [
    "what a change does",
    /\breplaces the resource\b|\b[Aa] change\b|\b[Rr]enaming\b|\bis managed\b|\b[Mm]anaged whole\b/,
  ],
  [
    "what is to be given",
    /\b[Rr]equired (for|when|where|unless)\b|\b[Pp]rohibited\b|\bNot (for|together)\b|\bOnly for\b|\bNeeds\b/,
  ],
  ["a bound", /\bmust (be|exist|not|begin|end|hold|have|stand)\b/],
  [
    "a program or a resource",
    /\b(this|the|a) (program|resource)\b(?! of this kind)|\b[Aa] create\b|\b[Aa]n update\b/,
  ],
  [
    "an order",
    /^(Set|Write|Give|Use|Apply|Delete|Fetch|Match|Keep|Cancel|Unlock|Take|Have|Remove|Override|Parse|Destroy)\b/,
  ],
];

/** A state of affairs may well say what must be. */
const isState = (doc: string) => /^(When|Whether|How long)\b/.test(doc);

describe("what is said of an answer", () => {
  it.each(TO_WRITE)("is in words of answers, without %s", (_, pattern) => {
    expect(wrong(ofAnswers, ({ property: { doc } }) => pattern.test(doc) && !isState(doc))).toEqual([]);
  });

  it("has no default and no advice in the SDK's types either", () => {
    const files = sdkFiles(definitions, allFunctions());
    for (const { service, name, typeName } of functions) {
      const [, result = ""] = (files.get(`sdk/${service}/${name}.ts`) ?? "").split(
        `export interface ${typeName}Result`,
      );
      expect(result).not.toMatch(/Default:|@deprecated/);
    }
  });

  it("leaves out what only who writes the property need know, which its resource says", () => {
    const depth = field(z.number().optional(), {
      doc: "Metres of water.",
      toWrite: "At most 9.",
      default: 7,
      deprecated: "Use `draught`.",
    });
    const type = { module: "harbour", name: "Quay" };
    expect(membersOf({ depth }, type)).toMatchObject([
      { doc: "Metres of water. At most 9.", facts: { default: 7 } },
    ]);
    const [answered] = membersOf({ depth }, type, true);
    expect(answered?.doc).toBe("Metres of water.");
    expect(answered?.facts).not.toHaveProperty("default");
    expect(answered?.facts).not.toHaveProperty("deprecated");
  });

  it("does not say of a function that makes nothing that it makes something", () => {
    for (const { definition } of functions.filter((one) => one.definition.replaced !== undefined))
      expect(definition.doc).toMatch(/any more\.$/);
  });
});

describe("what is said of a resource's inputs", () => {
  const own = definitions.flatMap((definition) =>
    propertiesOf(definition)
      .filter(({ facts, required }) => isWritable(facts) && !required)
      .map((property) => ({
        definition,
        property,
        said: [property.doc, ...consequencesOf(definition, property)].join(" "),
        isForm: oneOfAt(definition)?.includes(property.name) === true,
      })),
  );
  const named = (some: typeof own) =>
    some.map(({ definition, property }) => `${definition.token} ${property.name}`);

  it("tells what becomes of the object where the program drops it, or that another one takes its place", () => {
    const silent = own.filter(
      ({ property: { facts }, said, isForm }) =>
        !isSteering(facts) && !isForm && !/[Dd]ropped|A change replaces the resource/.test(said),
    );
    expect(named(silent)).toEqual([]);
  });

  it("tells what holds where nothing is written", () => {
    const silent = own.filter(
      ({ property, said, isForm }) =>
        !isForm &&
        defaultOf(property) === undefined &&
        !/[Dd]efault|[Dd]ropped|none\b|[Ww]ithout|left out|leave it out|required where|not needed any more|where there are no/.test(
          said,
        ),
    );
    expect(named(silent)).toEqual([]);
  });
});

describe("a resource's page", () => {
  const HEADS = {
    object: ["Id, and reading what exists", "Refreshing", "Conflicts", "Deleting"],
    action: ["Id", "When it acts"],
    writeOnly: ["Id", "Writing", "Deleting"],
    procedure: ["Id", "How it goes", "Deleting"],
  };

  it.each(definitions.map((definition) => [definition.token, definition] as const))(
    "tells its requests, and how it is imported, refreshed, refused and deleted: %s",
    (_, definition) => {
      const page = resourcePage(definition, undefined);
      for (const head of HEADS[definition.life.kind]) expect(page).toContain(`\n## ${head}\n`);
      expect(page).toMatch(
        definition.life.kind === "object" ? /`pulumi import quarterdeck:/ : /so it cannot be imported\./,
      );
      // Only what can be read by its id has a `get`.
      if (definition.life.kind !== "object") expect(page).not.toContain("`get`");
      if (definition.life.kind === "object") expect(page).toContain("quarterdeck drift");
    },
  );
});
