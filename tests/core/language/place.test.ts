import { z } from "zod";
import { Redactor } from "../../../packages/redact";
import { addressOf, addressParts } from "../../../provider/core/language/address";
import { field } from "../../../provider/core/language/facts";
import type { Specified } from "../../../provider/core/language/fields";
import { partsFromResponse, place, setting } from "../../../provider/core/language/place";
import type { Connection } from "../../../provider/core/language/service";
import { UNKNOWN } from "../../../provider/core/value/unknown";
import { exampleService } from "../../generate/exampleDefinition";
import { testRuntime } from "../http/clients";

/** A connection that only provides settings. */
const connectionWith = (settings: Connection["settings"]): Connection => ({
  service: exampleService,
  aliases: [],
  settings,
  dialect: exampleService.dialects.neutral ?? { headers: {} },
  runtime: testRuntime(),
  redactor: new Redactor(),
  send: () => Promise.reject(new Error("it was not expected to ask")),
});

const part = (doc: string) => field(z.string().optional(), { doc, role: "identity" });

const pier: Specified = {
  token: "harbour:Pier",
  doc: "A pier.",
  section: "Piers",
  service: exampleService,
  fields: { port: part("The port."), kind: part("The kind."), owner: part("Whose it is.") },
  where: place(["{port}/{owner}/{name}", "{name}"], {
    defaults: { port: setting("port", { unset: "home" }) },
    fromInputs: ({ name }) => ({ name }),
    follows: {
      owner: {
        part: "port",
        appliesTo: ({ kind }) => kind === "public",
        reason: "a public pier is its port's",
      },
    },
  }),
};

describe("address of an object", () => {
  const connection = connectionWith({ port: "Kiel" });
  const parts = (inputs: Parameters<typeof addressOf>[2], by = connection) => addressOf(pier, by, inputs);

  test("contains the program's values, or else the connection's settings", () => {
    expect(parts({ port: "Jade", name: "east" })).toEqual({ port: "Jade", name: "east" });
    expect(parts({ name: "east" })).toEqual({ port: "Kiel", name: "east" });
    expect(parts({ name: "east" }, connectionWith({ port: "" }))).toEqual({ name: "east" });
  });

  test("derives a part from another part only if the program does not set it", () => {
    expect(parts({ kind: "public" })).toMatchObject({ owner: "Kiel" });
    expect(parts({ kind: "public", owner: "Ida" })).toMatchObject({ owner: "Ida" });
    expect(parts({ kind: "private" })).not.toHaveProperty("owner");
    expect(parts({ kind: "public", owner: UNKNOWN })).toMatchObject({ owner: UNKNOWN });
    expect(parts({ kind: "public", port: UNKNOWN })).not.toHaveProperty("owner");
  });

  test("consists of the identity properties and the parts with a default, without a name that may change", () => {
    expect(addressParts(pier)).toEqual(["port", "kind", "owner"]);
  });

  test("parses the forms of its ID and reports the parts that a form omits", () => {
    const { id } = place(["{port}/{name}", "{name}"]);
    expect([id.template, id.others]).toEqual(["{port}/{name}", ["{name}"]]);
    expect(id.parse("east")).toMatchObject({ address: { name: "east" }, omitted: ["port"] });
  });
});

test("answeredParts returns only non-empty strings, from a member or a function", () => {
  const answered = {
    port: "Port",
    name: "Name",
    owner: ({ Owner }: { readonly [member: string]: unknown }) => (Owner === "nobody" ? undefined : "Ida"),
  };
  expect(partsFromResponse({ fromResponse: answered }, { Port: "Kiel", Name: "", Owner: "nobody" })).toEqual({
    port: "Kiel",
  });
  expect(partsFromResponse({ fromResponse: answered }, { Port: 7, Owner: "some" })).toEqual({ owner: "Ida" });
  expect(partsFromResponse({}, { Port: "Kiel" })).toEqual({});
});
