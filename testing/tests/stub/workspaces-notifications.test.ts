import { answers } from "./in-process";
import { details, scene, TOKENS } from "./workspaces-scene";

const URL = "https://hooks.example.com/one";
const body = (attributes: object, relationships = {}) => ({
  data: { type: "notification-configurations", attributes, relationships },
});
const webhook = { name: "deploys", "destination-type": "generic", url: URL };

describe("Notification configurations", () => {
  let web: string;
  const create = (attributes: object, more = {}) =>
    scene.send("POST", `/workspaces/${web}/notification-configurations`, body(attributes), more);
  const existing = async (attributes: object = webhook): Promise<string> =>
    `/notification-configurations/${(await create(attributes)).body.data.id}`;
  beforeEach(async () => {
    web = await scene.existing("web");
  });

  test("POST returns 201, GET shows and lists it, and no response contains the token", async () => {
    const { status, body: made } = await create({ ...webhook, token: "hush", triggers: ["run:created"] });
    expect(status).toBe(201);
    expect(made.data).toMatchObject({
      type: "notification-configurations",
      attributes: { ...webhook, enabled: false, token: null, triggers: ["run:created"] },
      relationships: { subscribable: { data: { id: web, type: "workspaces" } }, users: { data: [] } },
    });
    const path = `/notification-configurations/${made.data.id}`;
    expect((await scene.send("GET", path)).body).toEqual(made);
    const { data } = (await scene.send("GET", `/workspaces/${web}/notification-configurations`)).body;
    expect(data).toEqual([made.data]);
  });

  test("PATCH keeps what it does not name, and never changes the destination type", async () => {
    const path = await existing({ ...webhook, triggers: ["run:created"] });
    const { attributes } = (
      await scene.send("PATCH", path, body({ name: "other", "destination-type": "slack" }))
    ).body.data;
    expect(attributes).toMatchObject({ ...webhook, name: "other", triggers: ["run:created"] });
  });

  test("rejects an unknown kind, an unknown trigger, an empty name and a webhook without a URL", async () => {
    expect((await create({ ...webhook, "destination-type": "pager" })).status).toBe(422);
    expect(details(await create({ ...webhook, triggers: ["run:none"] }))).toEqual([
      "run:none is not a trigger of a workspace",
    ]);
    expect(details(await create({ "destination-type": "generic" }))).toEqual([
      "Name can't be blank",
      "Url must be an HTTP or HTTPS URL",
    ]);
    await answers(create({ name: "mail", "destination-type": "email" }), 201);
  });

  test("is enabled only if the URL answers the verification request", async () => {
    const unreachable = { ...webhook, url: "https://hooks.invalid/one" };
    await answers(create({ ...unreachable, enabled: true }), 400);
    await answers(create({ ...webhook, enabled: true }), 201);
    const path = await existing(unreachable);
    await answers(scene.send("PATCH", path, body({ enabled: true })), 400);
    expect((await scene.send("GET", path)).body.data.attributes.enabled).toBe(false);
  });

  test("emails have users", async () => {
    const relationships = { users: { data: [{ id: "user-olga", type: "users" }] } };
    const attributes = { name: "mail", "destination-type": "email", enabled: true };
    const path = `/workspaces/${web}/notification-configurations`;
    const { data } = (await scene.send("POST", path, body(attributes, relationships))).body;
    expect(data.relationships).toMatchObject(relationships);
  });

  test("a workspace has at most 20, and deletes them with itself", async () => {
    const path = await existing();
    for (let n = 2; n <= 20; n++) await answers(create({ ...webhook, name: `hook-${n}` }), 201);
    expect((await create({ ...webhook, name: "hook-21" })).status).toBe(422);
    await answers(scene.send("POST", `/workspaces/${web}/actions/safe-delete`), 204);
    await answers(scene.send("GET", path), 404);
  });

  test("needs Admin permission on the workspace, and DELETE returns 204 and then 404", async () => {
    const path = await existing();
    await answers(create(webhook, { as: TOKENS.reader }), 404);
    await answers(scene.send("GET", path, undefined, { as: TOKENS.reader }), 404);
    await answers(scene.send("GET", path, undefined, { as: TOKENS.admin }), 200);
    await answers(scene.send("DELETE", path), 204);
    await answers(scene.send("DELETE", path), 404);
  });
});
