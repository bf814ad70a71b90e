import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { catalog } from "../../provider/catalog";
import { deprecationOf } from "../../provider/core/functions/define";
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

// Checks the texts of the reference and the hovers for sentences that say nothing, or that address the wrong reader.

interface Documented {
  readonly where: string;
  /** The resource, function or property that contains it. */
  readonly of: string;
  readonly property: Property;
}

/** A property and everything inside of it. */
function inside(of: string, property: Property, path: string): Documented[] {
  const where = `${path}.${property.name}`;
  return [{ where, of, property }, ...membersIn(property.shape, property.name, where)];
}

function membersIn(shape: Shape, of: string, where: string): Documented[] {
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

/** The distinct texts that are wrong. */
function wrong(documented: readonly Documented[], isWrong: (one: Documented) => boolean): string[] {
  return [...new Set(documented.filter(isWrong).map(({ where, property }) => `${where}: ${property.doc}`))];
}

const isSwitch = ({ property: { shape } }: Documented) => shape.kind === "boolean";

/** A word without a plural s. */
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

/** Whether a text only repeats the names of the property and of its container. */
function isRepetition({ of, property: { name, doc } }: Documented): boolean {
  const known = new Set([...wordsOf(name), ...wordsOf(of.split(":").at(-1) ?? "")]);
  // Code is a word of its own.
  const words = doc
    .replaceAll(/`[^`]*`/g, "code")
    .toLowerCase()
    .split(/[^a-z]+/)
    .map(stem);
  return words.every((word) => word === "" || LITTLE.has(word) || known.has(word));
}

describe("documentation of properties, members, arguments and results", () => {
  it("is not empty", () => {
    expect(wrong(everything, ({ property }) => property.doc === "")).toEqual([]);
  });

  it("does not only repeat the name", () => {
    expect(wrong(everything, isRepetition)).toEqual([]);
    const documented = (name: string, doc: string) => ({
      of: "a:Role",
      where: "",
      property: { ...(ofResources[0] as Documented).property, name, doc },
    });
    expect(isRepetition(documented("roleName", "The role's name."))).toBe(true);
    expect(isRepetition(documented("roleName", "The name of the role in the secrets engine."))).toBe(false);
  });

  it("does not only list values", () => {
    const onlyValues = /^(`[^`]*`|such as|empty|or|and|,|;|\.|…|\s)+$/;
    expect(wrong(everything, ({ property }) => onlyValues.test(property.doc))).toEqual([]);
  });

  it("consists of complete sentences", () => {
    expect(wrong(everything, ({ property }) => !/^[A-Z`-].*[.…]$/s.test(property.doc))).toEqual([]);
    expect(
      wrong(everything, ({ property }) => /^(For|While|In case)\b[^,;:]{0,40}\.$/.test(property.doc)),
    ).toEqual([]);
  });

  it("begins with a verb, or with True if, for a boolean", () => {
    const noVerb = /^(`|(A|An|The|This|That|It|Its|If|When|Where|Which|What|How|Also|Only|Default)\b)/;
    expect(wrong(everything.filter(isSwitch), ({ property }) => noVerb.test(property.doc))).toEqual([]);
  });

  it("names the unit of a duration or a size", () => {
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

/** Phrases that only concern the author of a program. */
const TO_WRITE: readonly (readonly [string, RegExp])[] = [
  ["a default", /\bDefault\b/],
  ["the effect of a removal", /\bdropped\b|\bleft out\b|\bleave it out\b|[Aa] removal/],
  [
    "the effect of a change",
    /\breplaces the resource\b|\b[Aa] change\b|\b[Rr]enaming\b|\bis managed\b|\b[Mm]anaged whole\b/,
  ],
  [
    "a requirement",
    /\b[Rr]equired (for|when|where|unless)\b|\b[Pp]rohibited\b|\bNot (for|together)\b|\bOnly for\b|\bNeeds\b/,
  ],
  ["a constraint", /\bmust (be|exist|not|begin|end|hold|have|stand)\b/],
  [
    "a program or a resource",
    /\b(this|the|a) (program|resource)\b(?! of this kind)|\b[Aa] create\b|\b[Aa]n update\b/,
  ],
  [
    "an instruction",
    /^(Set|Write|Give|Use|Apply|Delete|Fetch|Match|Keep|Cancel|Unlock|Take|Have|Remove|Override|Parse|Destroy)\b/,
  ],
];

/** The description of a condition may contain "must". */
const isState = (doc: string) => /^(When|Whether|True if|How long)\b/.test(doc);

describe("documentation of results", () => {
  // A boolean that is also an input begins with an imperative.
  it.each(TO_WRITE)("does not contain %s", (_, pattern) => {
    const isChecked = (one: Documented) => !isState(one.property.doc) && !isSwitch(one);
    expect(wrong(ofAnswers.filter(isChecked), ({ property: { doc } }) => pattern.test(doc))).toEqual([]);
  });

  it("has no default and no deprecation in the SDK's types", () => {
    const files = sdkFiles(definitions, allFunctions());
    for (const { service, name, typeName } of functions) {
      const [, result = ""] = (files.get(`sdk/${service}/${name}.ts`) ?? "").split(
        `export interface ${typeName}Result`,
      );
      expect(result).not.toMatch(/Default:|@deprecated/);
    }
  });

  it("omits the parts of a property that only concern inputs", () => {
    const depth = field(z.number().optional(), {
      doc: "Meters of water.",
      toWrite: "At most 9.",
      default: 7,
      deprecated: "Use `draught`.",
    });
    const type = { module: "harbour", name: "Quay" };
    expect(membersOf({ depth }, type)).toMatchObject([
      { doc: "Meters of water. At most 9.", facts: { default: 7 } },
    ]);
    const [answered] = membersOf({ depth }, type, true);
    expect(answered?.doc).toBe("Meters of water.");
    expect(answered?.facts).not.toHaveProperty("default");
    expect(answered?.facts).not.toHaveProperty("deprecated");
  });

  it("states for a replaced function that it always fails", () => {
    for (const { definition } of functions.filter((one) => one.definition.replaced !== undefined))
      expect(deprecationOf(definition)).toContain("always fails");
  });
});

describe("documentation of a resource's optional inputs", () => {
  const own = definitions.flatMap((definition) =>
    propertiesOf(definition)
      .filter(({ facts, required }) => isWritable(facts) && !required)
      .map((property) => ({
        definition,
        property,
        text: [property.doc, ...consequencesOf(definition, property)].join(" "),
        isForm: oneOfAt(definition)?.includes(property.name) === true,
      })),
  );
  const named = (some: typeof own) =>
    some.map(({ definition, property }) => `${definition.token} ${property.name}`);

  it("states what a removal does, or that a change replaces the resource", () => {
    const silent = own.filter(
      ({ property: { facts }, text, isForm }) =>
        !isSteering(facts) && !isForm && !/[Dd]ropped|[Rr]emov(?:ed|ing)|replaces the resource/.test(text),
    );
    expect(named(silent)).toEqual([]);
  });

  it("states what applies if the property is not set", () => {
    const silent = own.filter(
      ({ property, text, isForm }) =>
        !isForm &&
        defaultOf(property) === undefined &&
        !/[Dd]efault|[Dd]ropped|[Rr]emoved|none\b|[Ww]ithout|left out|leave it out|[Rr]equired (?:if|where)|Arbitrary values|too few shares|not needed any more|where there are no/.test(
          text,
        ),
    );
    expect(named(silent)).toEqual([]);
  });
});

describe("page of a resource", () => {
  const HEADS = {
    object: ["Import", "Refresh", "Conflicts", "Delete"],
    action: ["ID", "When it runs"],
    writeOnly: ["ID", "Updates", "Delete"],
    procedure: ["ID", "How it works", "Delete"],
  };

  it.each(definitions.map((definition) => [definition.token, definition] as const))(
    "has the headings of its kind, and states whether it can be imported: %s",
    (_, definition) => {
      const page = resourcePage(definition, undefined);
      for (const head of HEADS[definition.life.kind]) expect(page).toContain(`\n## ${head}\n`);
      expect(page).toMatch(
        definition.life.kind === "object" ? /`pulumi import quarterdeck:/ : /so it cannot be imported\./,
      );
      // Only resources that can be read by their ID have a `get`.
      if (definition.life.kind !== "object") expect(page).not.toContain("`get`");
      if (definition.life.kind === "object") expect(page).toContain("quarterdeck drift");
    },
  );
});

test("no description of the schema says the same sentence twice", () => {
  const schema = readFileSync(join(__dirname, "../../schema.json"), "utf8");
  const descriptions = [...schema.matchAll(/"description": ("(?:[^"\\]|\\.)*")/g)].map(
    ([, text = ""]) => JSON.parse(text) as string,
  );
  expect(descriptions.length).toBeGreaterThan(1_000);
  const twice = descriptions.filter((text) => {
    const [own = ""] = text.split("{{% examples %}}");
    const sentences = own.split(/(?<=\.)\s+/).filter((sentence) => sentence.length > 12);
    return new Set(sentences).size < sentences.length;
  });
  expect(twice).toEqual([]);
});
