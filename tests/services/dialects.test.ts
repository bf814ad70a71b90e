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

/** A connection to a server that answers what it was sent, or always the same. */
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

/** The members that are called otherwise in one place of a service's documents: the specification's names, and the dialect's. */
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

/** A value in its place: `*` is an element of a list, and `{}` a value under a user's key. */
function placed(place: string, value: Json): Json {
  const segments = place.split(".").slice(0, -1);
  return segments.reduceRight<Json>(
    (inside, segment) =>
      segment === "*" ? [inside, inside] : { [segment === "{}" ? "constructor" : segment]: inside },
    value,
  );
}

test("there are renamed members", () => {
  expect(places.length).toBeGreaterThan(5);
});

test.each(places)(
  "$service.name, $dialect: every member at $place keeps its value, whatever others there are",
  async ({ service, dialect, place, names }) => {
    const { connection, sent } = echo(service, dialect);
    const all = [...new Set([...names.flat(), "Other"])];
    const objects = fc
      .shuffledSubarray(all)
      .map((chosen): Members => Object.fromEntries(chosen.map((name) => [name, { Name: name }])));
    await fc.assert(
      fc.asyncProperty(objects, async (object) => {
        const body = placed(place, object);
        const { json } = await connection.send(request(body));
        expect(json).toEqual(body);
        const wire = Object.entries(object).map(([name, value]) => {
          const [, there = undefined] = names.find(([own]) => own === name) ?? [];
          return [there, value] as const;
        });
        // What the dialect names otherwise goes by that name, and nothing else does.
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
  // A place is in an object, which holds members.
  return (path.length === 0 ? body : valueAt(body, path)) as Members;
}

test("an attribute of a workspace that has the specification's name of another is not taken for it", async () => {
  const attributes = { "engine-version": "theirs", "terraform-version": "1.9.8" };
  for (const given of [attributes, Object.fromEntries(Object.entries(attributes).reverse())]) {
    const { connection } = echo(workspaces, "real", { data: { attributes: given } });
    const { json } = await connection.send(request(null));
    expect(json).toMatchObject({ data: { attributes: { "engine-version": "1.9.8" } } });
  }
});

/** What was published: states hold records that nobody reads without them. */
const PUBLISHED: readonly (readonly [string, number])[] = [
  ["workspaces 1", 3931145084],
  ["scheduler 1", 432594561],
  ["secrets 1", 891215240],
  ["mesh 1", 701530479],
];

test("the dictionaries with which records are packed are those that were published", () => {
  const all = [workspaces, scheduler, secrets, mesh].flatMap(({ name, dictionaries }) =>
    (dictionaries?.() ?? []).map((text, at) => [`${name} ${at + 1}`, crc32(text)] as const),
  );
  expect(all).toEqual(PUBLISHED);
});

test("a dictionary is JSON, short enough to leave room beside it, and nothing in it looks like a secret of somebody", () => {
  for (const { dictionaries } of [workspaces, scheduler, secrets, mesh]) {
    for (const text of dictionaries?.() ?? []) {
      expect(text.length).toBeLessThan(8_000);
      const values = [...publicOfText(text).values].map((pair) => pair.split("\n")[1] ?? "");
      expect(values.filter((value) => value.length > 32 || /^[0-9a-f]{8}-/.test(value))).toEqual([]);
    }
  }
});
