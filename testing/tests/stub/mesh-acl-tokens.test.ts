import { MINUTE, Scene, scene } from "./mesh-scene";

const AT = "/acl/token";
const ID = "5a3e1b1c-6b0e-4a55-9d2a-0c3c8f1f7a10";

describe("Consul's ACL tokens", () => {
  test("get an accessor ID and a secret, which an update keeps", async () => {
    const { body: token } = await scene.send("PUT", AT, { Description: "a", ExpirationTTL: "1h" });
    expect(token).toMatchObject({ Local: false, ExpirationTime: expect.any(String) });
    expect(token.SecretID).not.toBe(token.AccessorID);
    const { body: updated } = await scene.send("PUT", `${AT}/${token.AccessorID}`, { Description: "b" });
    expect(updated).toMatchObject({
      SecretID: token.SecretID,
      ExpirationTime: token.ExpirationTime,
      Description: "b",
    });
    scene.clock.advance(61 * MINUTE);
    expect((await scene.get(`${AT}/${token.AccessorID}`)).status).toBe(403);
  });

  test("reject a second token of an accessor ID, and fixed members in an update", async () => {
    await scene.send("PUT", AT, { AccessorID: ID });
    for (const [path, sent, body] of [
      [AT, { AccessorID: ID }, "Invalid Token: AccessorID is already in use"],
      [`${AT}/${ID}`, { SecretID: ID }, "Changing a token's SecretID is not permitted"],
      [`${AT}/${ID}`, { Local: true }, `Cannot toggle local mode of ${ID}`],
      [`${AT}/${ID}`, { ExpirationTTL: "1h" }, `Cannot change expiration time of ${ID}`],
      [AT, { ExpirationTTL: "1s" }, "ExpirationTime cannot be less than 1m0s in the future (was 1s)"],
      [AT, { SecretID: "x" }, "Invalid Token: SecretID - not a valid UUID"],
      [AT, { AuthMethod: "jwt" }, "AuthMethod field is disallowed outside of login"],
      [
        AT,
        { ExpirationTTL: "1h", ExpirationTime: "2030-01-01T01:00:00Z" },
        "Token Expiration TTL and Expiration Time cannot both be set",
      ],
      [AT, { Roles: [{ Name: "none" }] }, 'No such ACL role with name "none"'],
    ] as const)
      expect(await scene.send("PUT", path, sent)).toMatchObject({ status: 500, body });
    expect((await scene.remove(`${AT}/${ID}`)).text).toBe("true");
    expect(await scene.get(`${AT}/${ID}`)).toMatchObject({
      status: 403,
      body: "token does not exist: ACL not found",
    });
  });

  test("hide their secret from a caller that may only read", async () => {
    const other = new Scene(
      {},
      { tokens: { manager: { management: true }, reader: { rules: { acl: "read" } } } },
    );
    await other.send("PUT", AT, { AccessorID: ID }, { as: "manager" });
    const seen = await other.get(`${AT}/${ID}`, { as: "reader" });
    expect(seen.body).toMatchObject({ AccessorID: ID, SecretID: "<hidden>" });
    expect((await other.get("/acl/tokens", { as: "reader" })).body).toHaveLength(1);
  });
});
