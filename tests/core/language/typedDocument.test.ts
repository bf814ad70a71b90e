import fc from "fast-check";
import { z } from "zod";
import { field } from "../../../provider/core/language/facts";
import { typedDocument } from "../../../provider/core/language/typedDocument";
import { KEY } from "../../../provider/core/value/path";
import { UNKNOWN } from "../../../provider/core/value/unknown";

const route = z.strictObject({
  pathExact: field(z.string().optional(), { doc: "A path." }),
  tls: field(
    z.strictObject({ caFile: field(z.string().optional(), { doc: "A file.", wire: "CAFile" }) }).optional(),
    {
      doc: "TLS.",
      wire: "TLS",
    },
  ),
});
const schema = z.strictObject({
  meta: field(z.record(z.string(), z.string()).optional(), { doc: "The user's." }),
  routes: field(z.array(route).optional(), { doc: "Routes." }),
  failover: field(z.record(z.string(), route).optional(), { doc: "By subset." }),
});
const spelling = typedDocument(schema, "pascal");

const typed = {
  meta: { tls: "mine", routes: "mine" },
  routes: [{ pathExact: "/a", tls: { caFile: "/ca" } }],
  failover: { tls: { pathExact: "/b" } },
};
const wire = {
  Meta: { tls: "mine", routes: "mine" },
  Routes: [{ PathExact: "/a", TLS: { CAFile: "/ca" } }],
  Failover: { tls: { PathExact: "/b" } },
};

test("canonical converts members to the service's names at every depth and preserves the user's keys", () => {
  expect(spelling.canonical(typed)).toEqual(wire);
});

test("canonical leaves a document in the service's names unchanged", () => {
  expect(spelling.canonical(wire)).toEqual(wire);
});

test("restore converts members to the program's names and preserves members unknown to the schema", () => {
  expect(spelling.restore?.({ ...wire, Added: { tls: 1 } })).toEqual({ ...typed, Added: { tls: 1 } });
});

test("restore reverses canonical", () => {
  const text = fc.constantFrom("/a", "tls", "");
  const tls = fc.record({ caFile: text }, { requiredKeys: [] });
  const routes = fc.record({ pathExact: text, tls }, { requiredKeys: [] });
  const documents = fc.record(
    {
      meta: fc.dictionary(fc.constantFrom("tls", "PathExact", "constructor"), text),
      routes: fc.array(routes, { maxLength: 3 }),
      failover: fc.dictionary(fc.constantFrom("*", "routes"), routes),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(documents, (document) => {
      expect(spelling.restore?.(spelling.canonical(document))).toEqual(document);
    }),
  );
});

test("canonical preserves unknown values", () => {
  const document = { routes: [{ pathExact: UNKNOWN }] } as never;
  expect(spelling.canonical(document)).toEqual({ Routes: [{ PathExact: UNKNOWN }] });
});

test("restorePath converts a path to the program's names", () => {
  expect(spelling.restorePath?.(["Routes", `${KEY}web`, "TLS", "CAFile"])).toEqual([
    "routes",
    `${KEY}web`,
    "tls",
    "caFile",
  ]);
  expect(spelling.restorePath?.(["Failover", "tls", "PathExact"])).toEqual(["failover", "tls", "pathExact"]);
  expect(spelling.restorePath?.(["Meta", "TLS"])).toEqual(["meta", "TLS"]);
  expect(spelling.restorePath?.(["Added", "TLS"])).toEqual(["Added", "TLS"]);
});
