import fc from "fast-check";
import { idTemplate } from "../../../provider/core/language/id";

const entry = idTemplate("{datacenter}/{namespace}/{kind}/{name}");
const workspace = idTemplate("{workspaceId}", "{organization}/{name}");
const part = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("a/b", "a:b", "%2F", "ü", "..", " "));

test("a template parses every ID that it formats, with and without a named connection", () => {
  const address = fc.record(
    { datacenter: part, namespace: part, kind: part, name: part },
    { requiredKeys: ["kind", "name"] },
  );
  fc.assert(
    fc.property(address, fc.option(part, { nil: undefined }), (parts, connection) => {
      const parsed = entry.parse(entry.format(parts, connection));
      expect(parsed).toEqual(
        connection === undefined
          ? { address: parts, omitted: [] }
          : { address: parts, omitted: [], connection },
      );
    }),
  );
});

test("a template formats missing parts as empty strings and encodes slashes inside parts", () => {
  expect(entry.format({ kind: "service-defaults", name: "a/b" })).toBe("//service-defaults/a%2Fb");
  expect(entry.format({ kind: "mesh", name: "mesh" }, "prod:eu")).toBe("prod%3Aeu://mesh/mesh");
});

test("a template formats the default of a part that is missing from the address", () => {
  const job = idTemplate("{namespace=default}/{jobId}");
  expect(job.template).toBe("{namespace}/{jobId}");
  expect(job.format({ jobId: "web" })).toBe("default/web");
  expect(job.format({ namespace: "shop", jobId: "web" }, "eu")).toBe("eu:shop/web");
  expect(job.parse("shop/web")).toEqual({ address: { namespace: "shop", jobId: "web" }, omitted: [] });
});

test('an ID can start with a region and "@", and no other part is parsed as a region', () => {
  const job = idTemplate("[{region}@]{namespace=default}/{jobId}", "{jobId}");
  expect(job.template).toBe("{namespace}/{jobId}");
  const names = fc.oneof(part, fc.constantFrom("a@b", "@", "@@", "a:b@c/d", "eu:west@default/web"));
  const optional = fc.option(names, { nil: undefined });
  fc.assert(
    fc.property(
      fc.record({ namespace: names, jobId: names }),
      optional,
      optional,
      (own, region, connection) => {
        expect(job.parse(job.format(own, connection, region))).toEqual({
          address: { ...own, ...(region !== undefined && { region }) },
          omitted: region === undefined ? ["region"] : [],
          ...(connection !== undefined && { connection }),
        });
      },
    ),
  );
  expect(job.format({ namespace: "shop", jobId: "web", region: "eu" })).toBe("shop/web");
  expect(job.parse("eu@web")).toEqual({ address: { region: "eu", jobId: "web" }, omitted: ["namespace"] });
  expect(job.parse("@shop/web")).toMatchObject({ address: { namespace: "@shop" } });
  expect(idTemplate("{mount}/{name}").parse("a@b/c")).toMatchObject({ address: { mount: "a@b" } });
});

test("the template of a workspace parses a workspace ID, or an organization and a name", () => {
  expect(workspace.parse("ws-1")).toEqual({ address: { workspaceId: "ws-1" }, omitted: [] });
  expect(workspace.parse("acme/app")).toEqual({
    address: { organization: "acme", name: "app" },
    omitted: ["workspaceId"],
  });
  expect(workspace.parse("eu:acme/app")).toEqual({
    address: { organization: "acme", name: "app" },
    omitted: ["workspaceId"],
    connection: "eu",
  });
});

test.each(["", "a/b/c", "acme/", "%E0%A4%A"])("the template of a workspace rejects the ID %j", (id) => {
  expect(workspace.parse(id)).toBeUndefined();
});

test("a template without parts accepts only its literal text, with or without a connection", () => {
  const backup = idTemplate("recovery-key-backup");
  expect(backup.format({})).toBe("recovery-key-backup");
  expect(backup.format({}, "eu")).toBe("eu:recovery-key-backup");
  expect(backup.parse("eu:recovery-key-backup")).toEqual({ address: {}, omitted: [], connection: "eu" });
  expect(backup.parse("another")).toBeUndefined();
});

test("a short form sets some of the parts and reports the others as omitted", () => {
  const short = idTemplate("{datacenter}/{namespace}/{kind}/{name}", "{kind}/{name}");
  expect(short.parse("service-defaults/web")).toEqual({
    address: { kind: "service-defaults", name: "web" },
    omitted: ["datacenter", "namespace"],
  });
  expect(short.parse("//service-defaults/web")).toEqual({
    address: { kind: "service-defaults", name: "web" },
    omitted: [],
  });
  expect(short.parse("default/service-defaults/web")).toBeUndefined();
});

test("a literal word in a short form must match", () => {
  const typed = idTemplate("{datacenter}/{namespace}/mesh/mesh", "mesh/mesh");
  expect(typed.parse("mesh/mesh")).toEqual({ address: {}, omitted: ["datacenter", "namespace"] });
  expect(typed.parse("mesh/other")).toBeUndefined();
});
