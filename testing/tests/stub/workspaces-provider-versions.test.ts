import { createHash } from "node:crypto";
import { GPG_KEYS } from "./gpg-keys";
import { type Answered, answers, send } from "./in-process";
import { details, Scene, TOKENS } from "./workspaces-scene";

const PROVIDER = "/organizations/acme/registry-providers/private/acme/app";
const VERSIONS = `${PROVIDER}/versions`;
const PLATFORMS = `${VERSIONS}/1.0.0/platforms`;
const PROTOCOL = "/api/registry/public/v1/providers/acme/app";
const { keyId, asciiArmor } = GPG_KEYS.one;
const ZIP = Buffer.from([0x50, 0x4b, 0xff, 0x00, 0x80]);
const SHASUM = createHash("sha256").update(ZIP).digest("hex");

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
  scene.service.seed({
    registryProviders: [
      { organization: "acme", registryName: "private", namespace: "acme", name: "app" },
      { organization: "acme", registryName: "public", namespace: "hashicorp", name: "random" },
    ],
    gpgKeys: [{ namespace: "acme", asciiArmor }],
  });
});

const version = (attributes: object = {}) => ({
  data: {
    type: "registry-provider-versions",
    attributes: { version: "1.0.0", "key-id": keyId, protocols: ["5.0"], ...attributes },
  },
});
const platform = (attributes: object = {}) => ({
  data: {
    type: "registry-provider-platforms",
    attributes: {
      os: "linux",
      arch: "amd64",
      shasum: SHASUM,
      filename: "app_1.0.0_linux_amd64.zip",
      ...attributes,
    },
  },
});
/** Sends a request to a URL of a response, without a token. */
const at = (method: string, url: string, body?: Buffer, headers = {}) =>
  send(scene.service, method, new URL(url).pathname, { headers, ...(body && { body }) });
const linksOf = ({ body }: Answered): Record<string, string> => body.data.links;

describe("Versions of a private provider", () => {
  test("POST returns 201 with upload URLs on another host, and GET shows and lists the version", async () => {
    const made = await scene.send("POST", VERSIONS, version());
    expect(made.status).toBe(201);
    expect(made.body.data.attributes).toMatchObject({
      version: "1.0.0",
      "key-id": keyId,
      protocols: ["5.0"],
      "shasums-uploaded": false,
      "shasums-sig-uploaded": false,
    });
    const links = linksOf(made);
    expect(Object.keys(links)).toEqual(["shasums-upload", "shasums-sig-upload"]);
    expect(new URL(links["shasums-upload"] ?? "").host).toBe("archivist.stub.invalid");
    await answers(scene.send("GET", `${VERSIONS}/1.0.0`), 200, made.body);
    expect((await scene.send("GET", VERSIONS)).body.data).toEqual([made.body.data]);
    const { versions } = (await scene.send("GET", PROVIDER)).body.data.relationships;
    expect(versions.data).toEqual([{ id: made.body.data.id, type: "registry-provider-versions" }]);
  });

  test("a version is unique and semantic, and needs a known key and protocols", async () => {
    await scene.send("POST", VERSIONS, version());
    expect(details(await scene.send("POST", VERSIONS, version()))).toEqual([
      "Version has already been taken",
    ]);
    expect(
      details(
        await scene.send("POST", VERSIONS, version({ version: "one", "key-id": "x", protocols: ["3.0"] })),
      ),
    ).toEqual([
      "Version must be a semantic version",
      "Key must be the ID of a GPG key of the namespace",
      "Protocols must be some of 4.0, 5.0, 6.0",
    ]);
  });

  test("public providers have no versions here", async () => {
    await answers(
      scene.send("GET", `${PROVIDER.replace("private/acme/app", "public/hashicorp/random")}/versions`),
      403,
    );
  });

  test("an upload needs only its URL, rejects a token, and is possible once", async () => {
    const { "shasums-upload": url = "" } = linksOf(await scene.send("POST", VERSIONS, version()));
    await answers(at("PUT", url, ZIP, { authorization: `Bearer ${TOKENS.owner}` }), 400);
    await answers(at("GET", url), 404);
    await answers(at("PUT", url, ZIP), 200);
    await answers(at("PUT", url, ZIP), 409);
    const shown = await scene.send("GET", `${VERSIONS}/1.0.0`);
    expect(shown.body.data.attributes).toMatchObject({
      "shasums-uploaded": true,
      "shasums-sig-uploaded": false,
    });
    expect(Object.keys(linksOf(shown))).toEqual(["shasums-download", "shasums-sig-upload"]);
    expect((await at("GET", linksOf(shown)["shasums-download"] ?? "")).bytes).toEqual(ZIP);
    await answers(at("PUT", "http://x/v1/object/bm90aGluZw", ZIP), 404);
  });

  test("writes need Manage Private Registry, and reads membership", async () => {
    await answers(scene.send("POST", VERSIONS, version(), { as: TOKENS.reader }), 404);
    await answers(scene.send("POST", VERSIONS, version(), { as: TOKENS.registrar }), 201);
    await answers(scene.send("GET", `${VERSIONS}/1.0.0`, undefined, { as: TOKENS.reader }), 200);
    await answers(scene.send("GET", `${VERSIONS}/1.0.0`, undefined, { as: TOKENS.stranger }), 404);
    await answers(scene.send("DELETE", `${VERSIONS}/1.0.0`, undefined, { as: TOKENS.reader }), 404);
  });

  test("DELETE returns 204 and also deletes the platforms; deleting the provider deletes everything", async () => {
    await scene.send("POST", VERSIONS, version());
    await scene.send("POST", PLATFORMS, platform());
    await answers(scene.send("DELETE", `${VERSIONS}/1.0.0`), 204);
    await answers(scene.send("GET", `${VERSIONS}/1.0.0`), 404);
    await scene.send("POST", VERSIONS, version());
    await answers(scene.send("GET", `${PLATFORMS}/linux/amd64`), 404);
    await scene.send("POST", PLATFORMS, platform());
    await answers(scene.send("DELETE", PROVIDER), 204);
    expect(scene.service.dump()).toMatchObject({ providerVersions: {}, providerPlatforms: {} });
  });
});

describe("Platforms of a version", () => {
  beforeEach(() => scene.send("POST", VERSIONS, version()));

  test("POST returns 201 with an upload URL, and GET and the list show the platform", async () => {
    const made = await scene.send("POST", PLATFORMS, platform());
    expect(made.status).toBe(201);
    expect(made.body.data.attributes).toMatchObject({ shasum: SHASUM, "provider-binary-uploaded": false });
    await answers(scene.send("GET", `${PLATFORMS}/linux/amd64`), 200, made.body);
    expect((await scene.send("GET", PLATFORMS)).body.data).toEqual([made.body.data]);
    await answers(at("PUT", linksOf(made)["provider-binary-upload"] ?? "", ZIP), 200);
    const { data } = (await scene.send("GET", `${PLATFORMS}/linux/amd64`)).body;
    expect(data.attributes["provider-binary-uploaded"]).toBe(true);
    expect((await at("GET", data.links["provider-binary-download"])).bytes).toEqual(ZIP);
  });

  test("an operating system and architecture are unique, and every attribute is required", async () => {
    await scene.send("POST", PLATFORMS, platform());
    expect(details(await scene.send("POST", PLATFORMS, platform()))).toEqual([
      "Platform has already been taken",
    ]);
    expect(
      details(
        await scene.send("POST", PLATFORMS, platform({ os: "", arch: 1, shasum: "x", filename: null })),
      ),
    ).toEqual(["os is not valid", "arch is not valid", "shasum is not valid", "filename is not valid"]);
  });

  test("DELETE returns 204, and then 404", async () => {
    await scene.send("POST", PLATFORMS, platform());
    await answers(scene.send("DELETE", `${PLATFORMS}/linux/amd64`), 204);
    await answers(scene.send("DELETE", `${PLATFORMS}/linux/amd64`), 404);
    await answers(scene.send("POST", PLATFORMS, platform(), { as: TOKENS.reader }), 404);
  });
});

describe("The provider registry protocol", () => {
  const protocol = (path: string, as: string = TOKENS.owner) =>
    send(scene.service, "GET", `${PROTOCOL}/${path}`, { headers: { authorization: `Bearer ${as}` } });

  test("lists and describes a version only once all of its files were uploaded", async () => {
    const files = linksOf(await scene.send("POST", VERSIONS, version()));
    const zip = linksOf(await scene.send("POST", PLATFORMS, platform()));
    for (const url of Object.values({ ...files, ...zip })) {
      expect((await protocol("versions")).body).toEqual({ id: "acme/app", versions: [] });
      await answers(protocol("1.0.0/download/linux/amd64"), 404);
      await at("PUT", url, ZIP);
    }
    expect((await protocol("versions")).body.versions).toEqual([
      { version: "1.0.0", protocols: ["5.0"], platforms: [{ os: "linux", arch: "amd64" }] },
    ]);
    expect((await protocol("1.0.0/download/linux/amd64")).body).toMatchObject({
      filename: "app_1.0.0_linux_amd64.zip",
      shasum: SHASUM,
      signing_keys: { gpg_public_keys: [{ key_id: keyId, ascii_armor: asciiArmor }] },
    });
    await answers(protocol("1.0.0/download/linux/arm64"), 404);
    await answers(protocol("versions", TOKENS.stranger), 404);
    await answers(protocol("1.0.0/download/linux/amd64", TOKENS.stranger), 404);
  });
});
