import { scene, TOKENS } from "./mesh-scene";

const POLICY = "/acl/policy";
const ROLE = "/acl/role";
const RULES = 'key_prefix "" { policy = "read" }';
const existing = (kind: string) => `Invalid ${kind}: A ${kind} with Name "app" already exists`;

describe("Consul's ACL policies and roles", () => {
  test("get an ID, which names them in every other request", async () => {
    const { body: policy } = await scene.send("PUT", POLICY, { Name: "app", Rules: RULES });
    expect(policy).toMatchObject({ ID: expect.stringMatching(/^[0-9a-f-]{36}$/), Description: "" });
    expect((await scene.get(`${POLICY}/${policy.ID}`)).body).toEqual(policy);
    expect((await scene.get(`${POLICY}/name/app`)).body).toEqual(policy);
    const renamed = await scene.send("PUT", `${POLICY}/${policy.ID}`, { Name: "ops/app" });
    expect(renamed.body).toMatchObject({ ID: policy.ID, Name: "ops/app", Rules: "" });
    expect((await scene.get(`${POLICY}/name/ops%2Fapp`)).status).toBe(200);
    expect((await scene.remove(`${POLICY}/${policy.ID}`)).text).toBe("true");
    expect((await scene.remove(`${POLICY}/${policy.ID}`)).status).toBe(404);
    expect(await scene.get(`${POLICY}/${policy.ID}`)).toMatchObject({
      status: 404,
      body: "Requested policy does not exist: ACL not found",
    });
  });

  test("have unique names, known members and existing links", async () => {
    await scene.send("PUT", POLICY, { Name: "app" });
    await scene.send("PUT", ROLE, { Name: "app" });
    for (const [path, sent, status, body] of [
      [POLICY, { Name: "app" }, 500, existing("Policy")],
      [POLICY, { Name: "a b" }, 500, "invalid Name"],
      [POLICY, { Name: "b", Rules: "key {" }, 500, "Failed to parse ACL rules"],
      [POLICY, { Nothing: 1 }, 400, 'unknown field "Nothing"'],
      [`${POLICY}/1`, { Name: "b" }, 500, "invalid UUID"],
      [`${POLICY}/1`, { ID: "2" }, 400, "do not match"],
      [ROLE, { Name: "app" }, 500, existing("Role")],
      [ROLE, { Name: "b", Policies: [{ Name: "none" }] }, 500, 'No such ACL policy with name "none"'],
      [ROLE, { Name: "b", ServiceIdentities: [{ ServiceName: "A" }] }, 500, "invalid name"],
      [ROLE, { Name: "b", NodeIdentities: [{ NodeName: "n" }] }, 500, "missing the datacenter"],
      [ROLE, { Name: "b", TemplatedPolicies: [{ TemplateName: "none" }] }, 500, "invalid templated name"],
      [ROLE, { Name: "b", TemplatedPolicies: [{ TemplateName: "builtin/node" }] }, 500, "name is required"],
    ] as const)
      expect(await scene.send("PUT", path, sent)).toMatchObject({
        status,
        body: expect.stringContaining(body),
      });
    expect((await scene.get("/acl/roles", { as: TOKENS.stranger })).status).toBe(403);
  });

  test("have links by ID, whose names follow a rename, and which end with the policy", async () => {
    const { body: policy } = await scene.send("PUT", POLICY, { Name: "app" });
    const { body: role } = await scene.send("PUT", ROLE, {
      Name: "app",
      Policies: [{ Name: "app" }, { ID: policy.ID }],
      TemplatedPolicies: [{ TemplateName: "builtin/service", TemplateVariables: { Name: "web" } }],
    });
    expect(role).toMatchObject({
      Policies: [{ ID: policy.ID, Name: "app" }],
      TemplatedPolicies: [{ TemplateVariables: { name: "web" } }],
    });
    await scene.send("PUT", `${POLICY}/${policy.ID}`, { Name: "renamed" });
    expect((await scene.get(`${ROLE}/name/app`)).body.Policies).toEqual([{ ID: policy.ID, Name: "renamed" }]);
    await scene.remove(`${POLICY}/${policy.ID}`);
    expect((await scene.get(`${ROLE}/${role.ID}`)).body.Policies).toBeUndefined();
    expect((await scene.get("/acl/roles")).body).toHaveLength(1);
  });

  test("are listed", async () => {
    const { body: policy } = await scene.send("PUT", POLICY, { Name: "listed", Rules: RULES });
    const { body: policies } = await scene.get("/acl/policies");
    expect(policies).toContainEqual(expect.objectContaining({ ID: policy.ID, Name: "listed" }));
  });
});
