import { NOT_FOUND, Scene, scene } from "./secrets-scene";

const TABLES = [
  { table: "sys/mounts", prefix: "", type: "rabbitmq" },
  { table: "sys/auth", prefix: "auth/", type: "userpass" },
] as const;

describe.each(TABLES)("$table", ({ table, prefix, type }) => {
  const at = `${table}/teams/web`;

  test("lists every mount with the built-in ones, in its namespace only", async () => {
    await scene.write(at, { type, description: "web" }, { namespace: "team" });
    const { data } = (await scene.read(table, { namespace: "team" })).body;
    expect(data).toMatchObject({ "teams/web/": { type, description: "web" } });
    expect(Object.keys(data)).toContain(prefix === "" ? "sys/" : "token/");
    expect((await scene.read(table)).body.data).not.toHaveProperty("teams/web/");
  });

  test("tunes the settings that a request contains, and no others", async () => {
    await scene.write(at, { type, config: { default_lease_ttl: "1h", listing_visibility: "unauth" } });
    await scene.write(`${at}/tune`, { max_lease_ttl: "2h" });
    expect((await scene.read(at)).body.data.config).toMatchObject({
      default_lease_ttl: 3600,
      max_lease_ttl: 7200,
      listing_visibility: "unauth",
    });
    expect((await scene.write(`${at}/tune`, { default_lease_ttl: "3h" })).status).toBe(400);
  });

  test("moves a mount for as long as `remountMs`, and revokes the leases below it", async () => {
    await scene.write(at, { type });
    const { accessor } = (await scene.read(at)).body.data;
    scene.service.configure({ remountMs: 1000 });
    const { body } = await scene.write("sys/remount", { from: `${prefix}teams/web`, to: `${prefix}shop` });
    const status = `sys/remount/status/${body.data.migration_id}`;
    expect((await scene.read(status)).body.data.migration_info).toEqual({
      source_mount: `${prefix}teams/web/`,
      target_mount: `${prefix}shop/`,
      status: "in-progress",
    });
    scene.pass(1);
    expect((await scene.read(status)).body.data.migration_info.status).toBe("success");
    expect((await scene.read(`${table}/shop`)).body.data.accessor).toBe(accessor);
    expect((await scene.read(at)).status).toBe(400);
  });

  test("leaves a mount alone that is created later at the old path of a moved one", async () => {
    await scene.write(at, { type });
    await scene.write("sys/remount", { from: `${prefix}teams/web`, to: `${prefix}shop` });
    await scene.write(at, { type, description: "later" });
    expect((await scene.read(at)).body.data.description).toBe("later");
    expect((await scene.read(`${table}/shop`)).body.data.description).toBe("");
  });

  test("needs sudo for a move, and for auth methods", async () => {
    scene.service.seed({
      tokens: { limited: { policies: ["mounts"] } },
      policies: { mounts: { "sys/*": ["create", "read", "update", "delete"] } },
    });
    const as = "limited";
    expect((await scene.send("POST", at, { type }, { as })).status).toBe(prefix === "" ? 204 : 403);
    expect((await scene.send("GET", table, undefined, { as })).status).toBe(200);
    expect((await scene.send("POST", "sys/remount", { from: "a", to: "b" }, { as })).status).toBe(403);
  });

  test("has no built-in mount that can be changed", async () => {
    const [own] = prefix === "" ? ["sys"] : ["token"];
    expect((await scene.send("DELETE", `${table}/${own}`)).status).toBe(400);
    expect((await scene.write("sys/remount", { from: `${prefix}${own}`, to: `${prefix}x` })).status).toBe(
      400,
    );
  });
});

test("the status of an unknown move does not exist", async () => {
  expect(await scene.read("sys/remount/status/none")).toMatchObject(NOT_FOUND);
});

test("a moved engine keeps its objects, and its leases are revoked", async () => {
  const real = new Scene({ dialect: "real" });
  const headers = { "x-vault-token": "root" };
  const send = (method: string, path: string, body?: object) => real.send(method, path, body, { headers });
  await send("POST", "rabbitmq/config/connection", {
    connection_uri: "http://b:1",
    username: "a",
    password: "b",
  });
  await send("POST", "rabbitmq/roles/app", { tags: "x" });
  const { lease_id } = (await send("GET", "rabbitmq/creds/app")).body;
  await send("POST", "sys/remount", { from: "rabbitmq", to: "broker" });
  expect((await send("GET", "broker/roles/app")).body.data.tags).toBe("x");
  expect((await send("POST", "sys/leases/lookup", { lease_id })).status).toBe(400);
});
