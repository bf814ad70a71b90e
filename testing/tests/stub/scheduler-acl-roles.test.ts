import { scene, TOKENS } from "./scheduler-scene";

const AT = "/acl/role";
const READER = { Name: "reader", Policies: [{ Name: "read" }] };

beforeEach(() =>
  scene.send("POST", "/acl/policy/read", { Name: "read", Rules: 'agent { policy = "read" }' }),
);

describe("ACL roles of Nomad", () => {
  test("get an ID, which names them in every other request", async () => {
    const { body: role } = await scene.send("POST", AT, READER);
    expect(role).toMatchObject({ ...READER, ID: expect.stringMatching(/^[0-9a-f-]{36}$/), Description: "" });
    expect((await scene.get(`${AT}/${role.ID}`)).body).toEqual(role);
    expect((await scene.get(`${AT}/name/reader`)).body).toEqual(role);
    expect((await scene.get("/acl/roles")).body).toEqual([role]);
    const renamed = { ...READER, ID: role.ID, Name: "readers" };
    expect((await scene.send("PUT", `${AT}/${role.ID}`, renamed)).body).toMatchObject(renamed);
    expect((await scene.send("DELETE", `${AT}/${role.ID}`)).status).toBe(200);
    expect(await scene.get(`${AT}/${role.ID}`)).toMatchObject({ status: 404, body: "ACL role not found" });
  });

  test("have a unique name, existing policies and the ID of their path", async () => {
    await scene.send("POST", AT, READER);
    for (const [path, sent, body] of [
      [AT, READER, "role with name reader already exists"],
      [AT, { Name: "a.b", Policies: [] }, "at least one policy should be specified"],
      [AT, { Name: "other", Policies: [{ Name: "none" }] }, "cannot find policy none"],
      [AT, { ...READER, ID: "1" }, "cannot find role 1"],
      [`${AT}/2`, { ...READER, ID: "1" }, "ACL role ID does not match request path"],
    ] as const)
      expect(await scene.send("POST", path, sent)).toMatchObject({
        status: 400,
        body: expect.stringContaining(body),
      });
    expect((await scene.get("/acl/roles", { as: TOKENS.reader })).status).toBe(403);
  });
});
