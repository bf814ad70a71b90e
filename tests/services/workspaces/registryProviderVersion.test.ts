import { createHash } from "node:crypto";
import type { HttpRequest } from "../../../provider/core/http/request";
import type { Values } from "../../../provider/core/language/object";
import registryProviderPlatform from "../../../provider/services/workspaces/registryProviderPlatform";
import registryProviderVersion from "../../../provider/services/workspaces/registryProviderVersion";
import { GPG_KEYS } from "../../../testing/tests/stub/gpg-keys";
import { Resource } from "../../steps/resource";
import { providerWorld, RELEASE } from "../../steps/subjects/registry";
import type { Fate } from "../../steps/world";
import { countOf, expectNoChanges, problemsOf, replacedBy } from "../expectations";
import { as } from "./workspace-scene";

const { zipFile, zipSha256, ...files } = RELEASE;
const version: Values = {
  name: "app",
  version: "1.0.0",
  keyId: GPG_KEYS.one.keyId,
  protocols: ["5.0"],
  ...files,
};
const platform: Values = {
  name: "app",
  version: "0.9.0",
  os: "linux",
  arch: "amd64",
  file: zipFile,
  shasum: zipSha256,
  uploadedSha256: zipSha256,
};
const VERSIONS = "/api/v2/organizations/acme/registry-providers/private/acme/app/versions";
const OTHER = createHash("sha256").update("another file").digest("hex");
const ROWS = [
  ["version", registryProviderVersion, version, "shasumsSha256", `${VERSIONS}/1.0.0`],
  [
    "platform",
    registryProviderPlatform,
    platform,
    "uploadedSha256",
    `${VERSIONS}/0.9.0/platforms/linux/amd64`,
  ],
] as const;

/** Gives the first upload this fate. */
function firstUpload(fate: Fate): (request: HttpRequest) => Fate {
  let isOver = false;
  return ({ file }) => {
    if (file === undefined || isOver) return "passes";
    isOver = true;
    return fate;
  };
}

describe.each(ROWS)("%s of a private provider", (_, definition, program, digest, path) => {
  function scene() {
    const world = providerWorld(definition);
    return { world, resource: new Resource(world, definition) };
  }
  const stored = async ({ world }: ReturnType<typeof scene>) => {
    const { json } = await world.send("GET", path, undefined, as("owner"));
    // The stub returns a JSON:API document.
    return (json as { data: { attributes: Values } }).data.attributes;
  };

  test("its files are uploaded to the URLs of the server's response, without the token", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    const uploads = world.requests.filter(({ file }) => file !== undefined);
    expect(uploads.map(({ method, skipsToken, body }) => [method, skipsToken, body])).toEqual(
      uploads.map(() => ["PUT", true, undefined]),
    );
    expect(uploads.map(({ url = "" }) => new URL(url).host)).toEqual(
      uploads.map(() => "archivist.stub.invalid"),
    );
    expect(resource.outputs[digest]).toBe(program[digest]);
    world.requests.length = 0;
    await expectNoChanges(resource, program);
    expect(world.requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  test("a changed file replaces it", async () => {
    const { resource } = scene();
    await resource.create(program);
    expect(replacedBy(resource, { ...program, [digest]: OTHER })).toEqual([digest]);
  });

  test("the next up completes it after a failed upload, without a second create", async () => {
    const { world, resource } = scene();
    world.fate = firstUpload({ answer: { status: 403, text: "expired" }, isCarriedOut: false });
    await expect(resource.create(program)).rejects.toThrow("returned 403");
    expect(resource.id).not.toBe("");
    expect(replacedBy(resource, program)).toEqual([]);
    expect(await resource.up(program)).toBe(true);
    expect(countOf(world, "POST")).toBe(1);
    await expectNoChanges(resource, program);
  });

  test("a refresh after a failed upload shows the missing file", async () => {
    const { world, resource } = scene();
    world.fate = firstUpload({ answer: { status: 403, text: "expired" }, isCarriedOut: false });
    await expect(resource.create(program)).rejects.toThrow("returned 403");
    await resource.refresh();
    expect(
      resource.preview(program).changes.map(({ path: [name], replaces }) => [name, replaces]),
    ).toContainEqual([digest, false]);
    await resource.up(program);
    await expectNoChanges(resource, program);
  });

  test.each([
    ["response lost", 1],
    ["request lost", 0],
  ] as const)(
    "an upload with a %s is decided by a read, and by %s downloads of the file",
    async (fate, downloads) => {
      const { world, resource } = scene();
      world.fate = firstUpload(fate);
      await resource.create(program);
      expect(world.requests.filter(({ expect: wanted }) => wanted === "digest")).toHaveLength(downloads);
      expect(resource.outputs[digest]).toBe(program[digest]);
      await expectNoChanges(resource, program);
    },
  );

  test("a file that is not the one of the preview is not uploaded", async () => {
    const { world, resource } = scene();
    await expect(resource.create({ ...program, [digest]: OTHER })).rejects.toThrow("has the SHA-256");
    expect(world.requests.filter(({ file }) => file !== undefined).length).toBe(0);
  });

  test("files that another user uploaded first are a conflict if they differ", async () => {
    const { world, resource } = scene();
    world.fate = async (request): Promise<Fate> => {
      if (request.file !== undefined)
        await world.deliver("PUT", new URL(request.url ?? "").pathname, "theirs", {}, {});
      return "passes";
    };
    await expect(resource.create(program)).rejects.toThrow();
    expect(resource.outputs[digest]).not.toBe(program[digest]);
  });

  test("needs a file or its digest", async () => {
    const { resource } = scene();
    const without = Object.fromEntries(
      Object.entries(program).filter(([name]) => !/File$|^file$|256$|^shasum$/.test(name)),
    );
    expect(problemsOf(resource, without).join("\n")).toMatch(/[fF]ile: is required if \w+ is not set/);
  });

  test("without its file it stays as it is, and cannot be created", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    const without = Object.fromEntries(
      Object.entries(program).filter(([name]) => !/File$|^file$/.test(name)),
    );
    expect(replacedBy(resource, without)).toEqual([]);
    await resource.up(without);
    await expectNoChanges(resource, without);
    await resource.delete();
    world.requests.length = 0;
    await expect(new Resource(world, definition).create(without)).rejects.toThrow("is missing");
    expect(countOf(world, "POST")).toBe(0);
  });

  test("is deleted with one request, and a refresh then removes it from the state", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    expect(await stored({ world, resource })).toBeDefined();
    await world.send("DELETE", path, undefined, as("owner"));
    expect(await resource.refresh()).toBe(false);
  });

  test("is removed from the state if its provider was deleted", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    await world.send("DELETE", VERSIONS.replace(/\/versions$/, ""), undefined, as("owner"));
    expect(await resource.refresh()).toBe(false);
  });

  test("an import downloads its files to compute their digests", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    const read = new Resource(world, definition);
    await read.get(resource.id);
    expect(read.outputs.name).toBe("app");
  });
});
