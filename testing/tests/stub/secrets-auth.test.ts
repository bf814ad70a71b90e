import { NOT_FOUND, Scene, scene } from "./secrets-scene";

const USER = "auth/userpass/users/app";
const ROLE = "auth/approle/role/app";
const error = (text: string) => ({ body: { errors: [expect.stringContaining(text)] } });

describe("userpass users", () => {
  test("have names in lower case, are listed and deleted, and never show the password", async () => {
    await scene.write("auth/userpass/users/App", { password: "p", token_policies: ["a"], token_ttl: "1h" });
    expect((await scene.read(USER)).body.data).toEqual({
      token_bound_cidrs: [],
      token_explicit_max_ttl: 0,
      token_max_ttl: 0,
      token_no_default_policy: false,
      token_num_uses: 0,
      token_period: 0,
      token_policies: ["a"],
      token_strictly_bind_ip: false,
      token_ttl: 3600,
      token_type: "default",
    });
    expect((await scene.send("LIST", "auth/userpass/users")).body.data).toEqual({ keys: ["app"] });
    expect((await scene.send("DELETE", USER)).status).toBe(204);
    expect(await scene.read(USER)).toMatchObject(NOT_FOUND);
  });

  test("need a password, and keep what a write omits", async () => {
    expect(await scene.write(USER, {})).toMatchObject(error("missing password"));
    await scene.write(USER, { password: "p", token_policies: ["a"] });
    await scene.write(USER, { token_num_uses: 3 });
    expect((await scene.read(USER)).body.data).toMatchObject({ token_policies: ["a"], token_num_uses: 3 });
    expect(await scene.write(USER, { password: "" })).toMatchObject(error("missing password"));
  });

  test("show the older name of a setting until a write sets it under its own name", async () => {
    await scene.write(USER, { password: "p", policies: ["a"], ttl: "1h" });
    expect((await scene.read(USER)).body.data).toMatchObject({
      ...{ policies: ["a"], token_policies: ["a"], ttl: 3600, token_ttl: 3600 },
    });
    await scene.write(USER, { token_policies: ["b"] });
    const { data } = (await scene.read(USER)).body;
    expect(data).toMatchObject({ token_policies: ["b"], ttl: 3600, token_ttl: 3600 });
    expect(data).not.toHaveProperty("policies");
  });

  test("have valid settings of tokens", async () => {
    const rejected: readonly (readonly [object, string])[] = [
      [{ token_type: "default-service" }, "invalid 'token_type' value"],
      [{ token_type: "batch", token_num_uses: 1 }, "limited use count"],
      [{ token_type: "batch", token_period: 1 }, "periodic tokens"],
      [{ token_ttl: "3h", token_max_ttl: "1h" }, "cannot be greater"],
      [{ token_num_uses: -1 }, "cannot be negative"],
      [{ token_bound_cidrs: "nonsense" }, "error parsing address"],
      [{ token_bound_cidrs: "10.0.0.1", token_strictly_bind_ip: true }, "conflicts with"],
    ];
    for (const [settings, text] of rejected)
      expect(await scene.write(USER, { password: "p", ...settings })).toMatchObject(error(text));
    await scene.write(USER, { password: "p", token_bound_cidrs: "10.0.0.1/32,10.0.0.0/8,::1/128" });
    expect((await scene.read(USER)).body.data).toMatchObject({
      token_bound_cidrs: ["10.0.0.1", "10.0.0.0/8", "::1"],
    });
  });
});

describe("AppRole roles", () => {
  test("have a role ID, which a request of its own returns", async () => {
    await scene.write(ROLE, {});
    expect((await scene.read(ROLE)).body.data).toMatchObject({
      bind_secret_id: true,
      local_secret_ids: false,
      secret_id_bound_cidrs: null,
      secret_id_num_uses: 0,
      secret_id_ttl: 0,
    });
    expect((await scene.read(`${ROLE}/role-id`)).body.data).toEqual({
      role_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    await scene.write(ROLE, { role_id: "own" });
    expect((await scene.read(`${ROLE}/role-id`)).body.data).toEqual({ role_id: "own" });
    expect(await scene.write("auth/approle/role/other", { role_id: "own" })).toMatchObject(
      error("already in use"),
    );
    expect(await scene.read("auth/approle/role/other/role-id")).toMatchObject(NOT_FOUND);
  });

  test("need a constraint", async () => {
    const open = { bind_secret_id: false };
    expect(await scene.write(ROLE, open)).toMatchObject(error("at least one constraint"));
    expect((await scene.write(ROLE, { ...open, secret_id_bound_cidrs: "10.0.0.0/8" })).status).toBe(204);
    expect(await scene.write(ROLE, { secret_id_bound_cidrs: ["x"] })).toMatchObject(error("CIDR"));
    expect(await scene.write(ROLE, { secret_id_num_uses: -1 })).toMatchObject(error("negative"));
  });

  test("are local or not from their creation", async () => {
    await scene.write(ROLE, { local_secret_ids: true });
    expect(await scene.write(ROLE, { local_secret_ids: true })).toMatchObject(error("during role creation"));
    expect((await scene.read(ROLE)).body.data).toMatchObject({ local_secret_ids: true });
  });

  test("move with their auth method, and are deleted with it", async () => {
    await scene.write(ROLE, {});
    await scene.write("sys/remount", { from: "auth/approle", to: "auth/robots" });
    expect((await scene.read("auth/robots/role/app")).status).toBe(200);
    expect((await scene.read(ROLE)).body.errors).toEqual([expect.stringContaining("no handler for route")]);
    await scene.send("DELETE", "sys/auth/robots");
    await scene.write("sys/auth/robots", { type: "approle" });
    expect(await scene.read("auth/robots/role/app")).toMatchObject(NOT_FOUND);
  });
});

test("an auth method without objects in the stub has no paths", async () => {
  await scene.write("sys/auth/cert", { type: "cert" });
  expect((await scene.read("auth/cert/certs/app")).body.errors).toEqual([
    expect.stringContaining("unsupported path"),
  ]);
  expect((await new Scene({}).read("auth/none/users/app")).status).toBe(404);
});
