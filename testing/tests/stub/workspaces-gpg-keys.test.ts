import { GPG_KEYS } from "./gpg-keys";
import { answers, send } from "./in-process";
import { details, Scene, scene, TOKENS } from "./workspaces-scene";

const ALL = "/api/registry/private/v2/gpg-keys";
const { one, two } = GPG_KEYS;
const body = (attributes: object, type = "gpg-keys") => ({ data: { type, attributes } });
const ask = (method: string, path: string, content?: object, as: string = TOKENS.owner, on: Scene = scene) =>
  send(on.service, method, path, {
    now: on.now,
    headers: {
      authorization: `Bearer ${as}`,
      ...(content && { "content-type": "application/vnd.api+json" }),
    },
    ...(content && { body: content }),
  });
const add = (asciiArmor: string, namespace = "acme", as?: string) =>
  ask("POST", ALL, body({ namespace, "ascii-armor": asciiArmor }), as);
const listed = "filter%5Bnamespace%5D";

describe("GPG keys", () => {
  test.each([one, two])(
    "POST returns 201 with the ID that gpg shows for the key",
    async ({ asciiArmor, keyId }) => {
      const { status, body: made } = await add(asciiArmor);
      expect(status).toBe(201);
      expect(made.data).toMatchObject({
        type: "gpg-keys",
        attributes: { "key-id": keyId, "ascii-armor": asciiArmor, namespace: "acme", source: "" },
      });
      await answers(ask("GET", `${ALL}/acme/${keyId}`), 200, made);
    },
  );

  test("the list needs namespaces of the caller, and contains their keys", async () => {
    await add(one.asciiArmor);
    const { data } = (await ask("GET", `${ALL}?${listed}=acme,nowhere`)).body;
    expect(data).toMatchObject([{ attributes: { "key-id": one.keyId } }]);
    await answers(ask("GET", ALL), 400);
    await answers(ask("GET", `${ALL}?${listed}=nowhere`), 403);
  });

  test("a key can be added once, and only a public key", async () => {
    await add(one.asciiArmor);
    expect(details(await add(one.asciiArmor))).toEqual(["Key has already been taken"]);
    for (const text of ["", "a key", one.asciiArmor.replaceAll("PUBLIC", "PRIVATE")])
      expect(details(await add(text))).toEqual([
        "Ascii armor must be a public RSA or DSA key in ASCII armor",
      ]);
    expect(details(await add(two.asciiArmor, ""))).toEqual(["Namespace can't be blank"]);
  });

  test("PATCH moves a key to another organization of the caller", async () => {
    const both = new Scene();
    both.service.seed({
      tokens: { both: { user: "bo", organizations: { acme: ["owners"], other: ["owners"] } } },
    });
    await ask("POST", ALL, body({ namespace: "acme", "ascii-armor": one.asciiArmor }), "both", both);
    const path = `${ALL}/acme/${one.keyId}`;
    expect(
      (await ask("PATCH", path, body({ namespace: "other" }), "both", both)).body.data.attributes,
    ).toMatchObject({
      namespace: "other",
    });
    await answers(ask("GET", path, undefined, "both", both), 404);
    await answers(ask("GET", `${ALL}/other/${one.keyId}`, undefined, "both", both), 200);
  });

  test("DELETE returns 204, and then 404", async () => {
    await add(one.asciiArmor);
    const path = `${ALL}/acme/${one.keyId}`;
    await answers(ask("DELETE", path), 204);
    await answers(ask("DELETE", path), 404);
    await answers(ask("GET", path), 404);
  });

  test("writes need Manage Private Registry, and reads membership", async () => {
    await answers(add(one.asciiArmor, "acme", TOKENS.reader), 404);
    await answers(add(one.asciiArmor, "acme", TOKENS.registrar), 201);
    const path = `${ALL}/acme/${one.keyId}`;
    await answers(ask("GET", path, undefined, TOKENS.reader), 200);
    await answers(ask("GET", path, undefined, TOKENS.stranger), 404);
    await answers(ask("DELETE", path, undefined, TOKENS.reader), 404);
    await answers(ask("PATCH", path, body({ namespace: "acme" }), TOKENS.reader), 404);
  });
});
