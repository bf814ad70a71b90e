import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const root = join(__dirname, "../..");
const text = (file: string) => readFileSync(join(root, file), "utf8");

const Names = z.record(z.string(), z.string()).default({});
const manifest = z
  .object({
    version: z.string(),
    main: z.string(),
    types: z.string(),
    typesVersions: z.object({ "*": z.record(z.string(), z.tuple([z.string()])) }),
    exports: z.record(
      z.string(),
      z.union([z.string(), z.object({ types: z.string(), default: z.string() })]),
    ),
    files: z.array(z.string()),
    repository: z.object({ url: z.string() }),
    engines: Names,
    dependencies: Names,
    peerDependencies: Names,
  })
  .parse(JSON.parse(text("package.json")));
const testing = z
  .object({
    version: z.string(),
    engines: Names,
    dependencies: Names,
    peerDependencies: Names,
  })
  .parse(JSON.parse(text("testing/package.json")));
const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        version: z.string().optional(),
        optionalDependencies: Names,
        integrity: z.string().optional(),
      }),
    ),
  })
  .parse(JSON.parse(text("package-lock.json")));

const ENTRIES = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === "string" ? [] : [{ path, ...target }],
);

describe("every entry point", () => {
  test.each(ENTRIES)("$path has types for older module resolutions", ({ path, types }) => {
    const older = path === "." ? manifest.types : manifest.typesVersions["*"][path.slice(2)]?.[0];
    expect(older).toBe(types);
  });

  test.each(ENTRIES)("$path has compiled code and types", (entry) => {
    expect([entry.default, entry.types].filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  test("the main entry equals main and types, which are used without exports", () => {
    expect(manifest.exports["."]).toEqual({ types: manifest.types, default: manifest.main });
  });
});

describe("the lockfile", () => {
  test("lists the optional packages of every platform, so that `npm ci` works on each", () => {
    const missing = Object.entries(lock.packages).flatMap(([place, { optionalDependencies }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !placesFor(place, name).some((candidate) => lock.packages[candidate]?.integrity),
      ),
    );
    expect(missing).toEqual([]);
  });

  test("contains no registry URLs", () => {
    expect(text("package-lock.json")).not.toMatch(/https?:\/\/[^"]*\.tgz/);
  });
});

test("@pulumi/pulumi is the only peer dependency, and not a dependency", () => {
  expect(Object.keys(manifest.peerDependencies)).toEqual(["@pulumi/pulumi"]);
  expect(manifest.dependencies).not.toHaveProperty("@pulumi/pulumi");
});

describe("pulumi-quarterdeck-testing", () => {
  test("has the version of pulumi-quarterdeck, and requires exactly that version", () => {
    expect(testing.version).toBe(manifest.version);
    expect(testing.peerDependencies).toEqual({
      ...manifest.peerDependencies,
      "pulumi-quarterdeck": manifest.version,
    });
    expect(testing.engines).toEqual(manifest.engines);
  });

  test("shares only gRPC, protobuf and zod with the package, in the same versions", () => {
    const shared = Object.keys(testing.dependencies).filter((name) => name in manifest.dependencies);
    expect(shared.sort()).toEqual(["@grpc/grpc-js", "google-protobuf", "zod"]);
    for (const name of shared) expect(testing.dependencies[name]).toBe(manifest.dependencies[name]);
  });
});

test("every link of the README is absolute, and leads to an existing file or another site", () => {
  const home = `${manifest.repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/`;
  const links = [...text("README.md").matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
  const broken = links.filter((link) =>
    link.startsWith(home) ? !existsSync(join(root, link.slice(home.length))) : !link.startsWith("https://"),
  );
  expect(links.length).toBeGreaterThan(5);
  expect(broken).toEqual([]);
});

/** The folders in which Node looks for a package that another package requires. */
function placesFor(place: string, name: string): string[] {
  const parts = place.split("/node_modules/");
  const above = parts.map((_, index) => parts.slice(0, index + 1).join("/node_modules/"));
  return ["", ...above].map((folder) => `${folder === "" ? "" : `${folder}/`}node_modules/${name}`);
}
