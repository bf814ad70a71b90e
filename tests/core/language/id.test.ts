import fc from "fast-check";
import { idTemplate } from "../../../provider/core/language/id";

const entry = idTemplate("{datacenter}/{namespace}/{kind}/{name}");
const workspace = idTemplate("{workspaceId}", "{organization}/{name}");
const part = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("a/b", "a:b", "%2F", "ü", "..", " "));

test("what an id template formats it parses, with and without a named connection", () => {
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

test("parts that nobody gave stay empty, and slashes in a part are encoded", () => {
  expect(entry.format({ kind: "service-defaults", name: "a/b" })).toBe("//service-defaults/a%2Fb");
  expect(entry.format({ kind: "mesh", name: "mesh" }, "prod:eu")).toBe("prod%3Aeu://mesh/mesh");
});

test("a part that the service always has can have a value until it is told", () => {
  const job = idTemplate("{namespace=default}/{jobId}");
  expect(job.template).toBe("{namespace}/{jobId}");
  expect(job.format({ jobId: "web" })).toBe("default/web");
  expect(job.format({ namespace: "shop", jobId: "web" }, "eu")).toBe("eu:shop/web");
  expect(job.parse("shop/web")).toEqual({ address: { namespace: "shop", jobId: "web" }, omitted: [] });
});

test("a realm stands in front of an id where it is said, and no name is taken for one", () => {
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

test("a workspace is found by its own id or by organization and name", () => {
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

test.each(["", "a/b/c", "acme/", "%E0%A4%A"])("%j is no id of a workspace", (id) => {
  expect(workspace.parse(id)).toBeUndefined();
});

test("a word of the template stands in every id, and nothing else is one", () => {
  const backup = idTemplate("recovery-key-backup");
  expect(backup.format({})).toBe("recovery-key-backup");
  expect(backup.format({}, "eu")).toBe("eu:recovery-key-backup");
  expect(backup.parse("eu:recovery-key-backup")).toEqual({ address: {}, omitted: [], connection: "eu" });
  expect(backup.parse("another")).toBeUndefined();
});

test("a short form names some of the parts, and leaves the others", () => {
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

test("a word in a short form is part of it", () => {
  const typed = idTemplate("{datacenter}/{namespace}/mesh/mesh", "mesh/mesh");
  expect(typed.parse("mesh/mesh")).toEqual({ address: {}, omitted: ["datacenter", "namespace"] });
  expect(typed.parse("mesh/other")).toBeUndefined();
});
