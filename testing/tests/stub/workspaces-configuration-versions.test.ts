import { gzipSync } from "node:zlib";
import { type Answered, send } from "./in-process";
import { Scene, TOKENS } from "./workspaces-scene";

let scene: Scene;
let workspace: string;
beforeEach(async () => {
  scene = new Scene();
  workspace = (await scene.create("web")).body.data.id;
});

const create = (attributes: object = {}, as: string = TOKENS.owner, id = workspace) =>
  scene.send(
    "POST",
    `/workspaces/${id}/configuration-versions`,
    { data: { type: "configuration-versions", attributes } },
    { as },
  );
const idOf = ({ body }: Answered): string => body.data.id;
const read = async (id: string) =>
  (await scene.send("GET", `/configuration-versions/${id}`)).body.data.attributes;
const current = async () =>
  (await scene.send("GET", `/workspaces/${workspace}`)).body.data.relationships[
    "current-configuration-version"
  ].data;

/** Uploads to the URL, without a token. */
const upload = ({ body }: Answered, content: Buffer) => {
  const { pathname } = new URL(body.data.attributes["upload-url"]);
  return send(scene.service, "PUT", pathname, { body: content, now: scene.now });
};

describe("Configuration versions", () => {
  test("POST returns 201 with a pending configuration version and its upload URL, which a GET does not show", async () => {
    const made = await create();
    expect(made.status).toBe(201);
    expect(made.body.data.attributes).toMatchObject({
      status: "pending",
      "auto-queue-runs": true,
      speculative: false,
      provisional: false,
      "upload-url": expect.stringMatching(/^http/),
    });
    expect(await read(idOf(made))).toMatchObject({ status: "pending", "upload-url": null });
  });

  test("an upload makes it the current configuration of the workspace", async () => {
    const made = await create();
    expect((await upload(made, gzipSync("files"))).status).toBe(200);
    expect(await read(idOf(made))).toMatchObject({ status: "uploaded" });
    expect(await current()).toEqual({ id: idOf(made), type: "configuration-versions" });
  });

  test.each(["speculative", "provisional"])(
    "a %s one does not become the current configuration",
    async (name) => {
      const made = await create({ [name]: true });
      await upload(made, gzipSync("files"));
      expect(await read(idOf(made))).toMatchObject({ status: "uploaded", [name]: true });
      expect(await current()).toBeNull();
    },
  );

  test("files that are not packed leave an errored configuration version", async () => {
    const made = await create();
    await upload(made, Buffer.from("plain"));
    expect(await read(idOf(made))).toMatchObject({ status: "errored", "error-message": expect.any(String) });
    expect(await current()).toBeNull();
  });

  test("a second upload is rejected", async () => {
    const made = await create();
    await upload(made, gzipSync("files"));
    expect((await upload(made, gzipSync("others"))).status).toBe(409);
  });

  test("a wrong type of a flag is rejected with 422", async () => {
    expect((await create({ speculative: "yes" })).status).toBe(422);
  });

  test("an unknown workspace and an unknown configuration version return 404", async () => {
    expect((await create({}, TOKENS.owner, "ws-none")).status).toBe(404);
    expect((await scene.send("GET", "/configuration-versions/cv-none")).status).toBe(404);
  });
});
