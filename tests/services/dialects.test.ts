import { crc32 } from "node:zlib";
import fc from "fast-check";
import { systemRuntime } from "../../provider/core/http/options";
import type { Connection, Service } from "../../provider/core/language/service";
import { connect } from "../../provider/core/requests/connection";
import { publicOfText } from "../../provider/core/state/secretCopies";
import type { Json } from "../../provider/core/value/json";
import { valueAt } from "../../provider/core/value/path";
import { mesh } from "../../provider/services/mesh/service";
import { scheduler } from "../../provider/services/scheduler/service";
import { secrets } from "../../provider/services/secrets/service";
import { workspaces } from "../../provider/services/workspaces/service";

type Members = { readonly [member: string]: Json };

/** A connection to a server that returns each request's body, or always the same answer. */
function echo(
  service: Service,
  dialect: string,
  answer?: Json,
): { connection: Connection; sent: () => Json } {
  let sent: Json = null;
  const configuration = {
    get: (key: string) =>
      key === `quarterdeck:${service.name}`
        ? JSON.stringify({ address: "http://echo.invalid", dialect })
        : undefined,
    env: {},
  };
  const connection = connect(service, undefined, configuration, {
    runtime: systemRuntime,
    userAgent: "test",
    warn: () => undefined,
    createClient: () => ({
      close: async () => undefined,
      send: async ({ body = null }) => {
        sent = body;
        const json = answer ?? body;
        return { status: 200, headers: {}, text: JSON.stringify(json), json, attempts: 1 };
      },
    }),
  });
  return { connection, sent: () => sent };
}

const request = (body: Json) =>
  ({ method: "POST", path: "/", nature: "read", body, label: { definition: "test", step: "call" } }) as const;

/** The renamed members in one place of a service's documents: [name in the specification, name in the dialect]. */
const places = [workspaces, scheduler, secrets, mesh].flatMap((service) =>
  Object.entries(service.dialects).flatMap(([dialect, { members = {} }]) => {
    const byPlace = Map.groupBy(Object.entries(members), ([pattern]) =>
      pattern.slice(0, pattern.lastIndexOf(".") + 1),
    );
    return [...byPlace].map(([place, entries]) => {
      const names = entries.map(([pattern, name]) => [pattern.slice(place.length), name] as const);
      return { service, dialect, place, names };
    });
  }),
);

/** Nests a value in a place: `*` is a list element, and `{}` a value of a free-form map. */
function nested(place: string, value: Json): Json {
  const segments = place.split(".").slice(0, -1);
  return segments.reduceRight<Json>(
    (inside, segment) =>
      segment === "*" ? [inside, inside] : { [segment === "{}" ? "constructor" : segment]: inside },
    value,
  );
}

test("more than five places in the services' documents have renamed members", () => {
  expect(places.length).toBeGreaterThan(5);
});

test.each(places)(
  '$service.name, $dialect: members at "$place" are renamed on the wire and keep their values',
  async ({ service, dialect, place, names }) => {
    const { connection, sent } = echo(service, dialect);
    const all = [...new Set([...names.flat(), "Other"])];
    const objects = fc
      .shuffledSubarray(all)
      .map((chosen): Members => Object.fromEntries(chosen.map((name) => [name, { Name: name }])));
    await fc.assert(
      fc.asyncProperty(objects, async (object) => {
        const body = nested(place, object);
        const { json } = await connection.send(request(body));
        expect(json).toEqual(body);
        const wire = Object.entries(object).map(([name, value]) => {
          const [, there = undefined] = names.find(([own]) => own === name) ?? [];
          return [there, value] as const;
        });
        // Renamed members have the dialect's name on the wire, and no member is lost.
        const found = membersAt(place, sent());
        expect(Object.keys(found)).toHaveLength(Object.keys(object).length);
        for (const [there, value] of wire) if (there !== undefined) expect(found[there]).toEqual(value);
      }),
    );
  },
);

function membersAt(place: string, body: Json): Members {
  const path = place
    .split(".")
    .slice(0, -1)
    .map((segment) => (segment === "*" ? 0 : segment === "{}" ? "constructor" : segment));
  // Every place is inside an object.
  return (path.length === 0 ? body : valueAt(body, path)) as Members;
}

test("engine-version is read from terraform-version even if the response also has an engine-version", async () => {
  const attributes = { "engine-version": "theirs", "terraform-version": "1.9.8" };
  for (const given of [attributes, Object.fromEntries(Object.entries(attributes).reverse())]) {
    const { connection } = echo(workspaces, "real", { data: { attributes: given } });
    const { json } = await connection.send(request(null));
    expect(json).toMatchObject({ data: { attributes: { "engine-version": "1.9.8" } } });
  }
});

/** The CRC-32 of each published dictionary. Stored records can be read only with the same dictionary. */
const PUBLISHED: readonly (readonly [string, number])[] = [
  ["workspaces 1", 3931145084],
  ["scheduler 1", 432594561],
  ["secrets 1", 891215240],
  ["mesh 1", 701530479],
];

test("the dictionaries that compress records are unchanged since they were published", () => {
  const all = [workspaces, scheduler, secrets, mesh].flatMap(({ name, dictionaries }) =>
    (dictionaries?.() ?? []).map((text, at) => [`${name} ${at + 1}`, crc32(text)] as const),
  );
  expect(all).toEqual(PUBLISHED);
});

test("a dictionary is JSON of less than 8,000 characters and contains nothing that looks like a secret", () => {
  for (const { dictionaries } of [workspaces, scheduler, secrets, mesh]) {
    for (const text of dictionaries?.() ?? []) {
      expect(text.length).toBeLessThan(8_000);
      const values = [...publicOfText(text).values].map((pair) => pair.split("\n")[1] ?? "");
      expect(values.filter((value) => value.length > 32 || /^[0-9a-f]{8}-/.test(value))).toEqual([]);
    }
  }
});
