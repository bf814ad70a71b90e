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

test("members take the service's names, at every depth, and the user's keys keep theirs", () => {
  expect(spelling.canonical(typed)).toEqual(wire);
});

test("what is in the service's names already stays as it is", () => {
  expect(spelling.canonical(wire)).toEqual(wire);
});

test("a program's names come back, and what the schema does not know keeps its own", () => {
  expect(spelling.restore?.({ ...wire, Added: { tls: 1 } })).toEqual({ ...typed, Added: { tls: 1 } });
});

test("both ways are each other's inverse", () => {
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

test("unknown parts pass through", () => {
  const document = { routes: [{ pathExact: UNKNOWN }] } as never;
  expect(spelling.canonical(document)).toEqual({ Routes: [{ PathExact: UNKNOWN }] });
});

test("a path reads as the program is written", () => {
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
