import { scene, TOKENS } from "./scheduler-scene";

const AT = "/acl/token";
const CLIENT = { Name: "app", Type: "client", Policies: ["b", "a"] };
const invalid = (text: string) => ({ status: 400, body: expect.stringContaining(text) });

async function created(body: object) {
  const response = await scene.send("POST", AT, body);
  expect(response.status).toBe(200);
  return response.body;
}

describe("ACL tokens of Nomad", () => {
  test("get an accessor ID and a secret, which only a read returns", async () => {
    const token = await created(CLIENT);
    expect(token).toMatchObject({
      ...CLIENT,
      Roles: null,
      Global: false,
      ExpirationTTL: "",
      ExpirationTime: null,
    });
    expect(token.SecretID).toMatch(/^[0-9a-f-]{36}$/);
    expect((await scene.get(`${AT}/${token.AccessorID}`)).body).toEqual(token);
    const { SecretID: _, ExpirationTTL: __, ...listed } = token;
    expect((await scene.get("/acl/tokens")).body).toEqual([listed]);
    expect((await scene.send("DELETE", `${AT}/${token.AccessorID}`)).status).toBe(200);
    expect(await scene.get(`${AT}/${token.AccessorID}`)).toMatchObject({
      status: 404,
      body: "ACL token not found",
    });
    expect(await scene.send("DELETE", `${AT}/${token.AccessorID}`)).toMatchObject(
      invalid("Cannot delete nonexistent tokens"),
    );
  });

  test("keep their secret and their creation in an update, and their expiration only if it is sent", async () => {
    const token = await created({ ...CLIENT, ExpirationTTL: "90m" });
    const { AccessorID, CreateTime, ExpirationTime, ExpirationTTL } = token;
    expect(Date.parse(ExpirationTime) - Date.parse(CreateTime)).toBe(5_400_000);
    const at = `${AT}/${AccessorID}`;
    expect(await scene.send("POST", at, { ...CLIENT, AccessorID })).toMatchObject(
      invalid("cannot update expiration TTL"),
    );
    const later = { ...CLIENT, AccessorID, ExpirationTTL, ExpirationTime: "2040-01-01T00:00:00Z" };
    expect(await scene.send("POST", at, later)).toMatchObject(invalid("cannot update expiration time"));
    const renamed = { ...CLIENT, AccessorID, ExpirationTTL, ExpirationTime, Name: "web" };
    expect((await scene.send("POST", at, renamed)).body).toMatchObject({
      Name: "web",
      SecretID: token.SecretID,
      CreateTime,
      ExpirationTime,
    });
    const without = { ...CLIENT, AccessorID, ExpirationTTL };
    expect((await scene.send("POST", at, without)).body).toMatchObject({ ExpirationTime: null });
    expect(await scene.send("POST", at, { ...without, Global: true })).toMatchObject(
      invalid("cannot toggle global mode"),
    );
  });

  test("have roles by ID or name, with their current names", async () => {
    await scene.send("POST", "/acl/policy/read", { Name: "read", Rules: 'agent { policy = "read" }' });
    const { ID } = (await scene.send("POST", "/acl/role", { Name: "ops", Policies: [{ Name: "read" }] }))
      .body;
    const { AccessorID, Roles } = await created({ Type: "client", Roles: [{ Name: "ops" }, { ID }] });
    expect(Roles).toEqual([{ ID, Name: "ops" }]);
    await scene.send("DELETE", `/acl/role/${ID}`);
    expect((await scene.get(`${AT}/${AccessorID}`)).body.Roles).toEqual([]);
  });

  test.each<[body: object, message: string]>([
    [{ Type: "client" }, "client token missing policies or roles"],
    [{ Type: "management", Policies: ["a"] }, "management token cannot be associated"],
    [{ Type: "other", Policies: ["a"] }, "token type must be client or management"],
    [{ ...CLIENT, Name: "x".repeat(257) }, "token name too long"],
    [{ ...CLIENT, ExpirationTTL: "1s" }, "expiration time cannot be less than 1m0s in the future (was 1s)"],
    [{ ...CLIENT, ExpirationTTL: "25h" }, "cannot be more than 24h0m0s in the future (was 25h0m0s)"],
    [{ Type: "client", Roles: [{ ID: "none" }] }, "cannot find role none"],
    [{ ...CLIENT, AccessorID: "none" }, "cannot find token none"],
  ])("rejects %j", async (body, message) => {
    expect(await scene.send("POST", AT, body)).toMatchObject(invalid(message));
  });

  test("are only visible to management tokens, and have the accessor ID of their path", async () => {
    expect((await scene.get("/acl/tokens", { as: TOKENS.reader })).status).toBe(403);
    expect(await scene.send("POST", `${AT}/other`, CLIENT)).toMatchObject(
      invalid("does not match request path"),
    );
  });
});
