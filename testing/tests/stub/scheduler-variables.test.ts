import { indexOf, scene, TOKENS } from "./scheduler-scene";

const AT = "/var/nomad/jobs/web";
const ITEMS = { Items: { Vault: "value", key: "" } };

const written = async (query = "") => (await scene.send("POST", `${AT}${query}`, ITEMS)).body;

describe("variables", () => {
  test("are returned by a write, with an index that each write increments", async () => {
    const { ModifyIndex: first } = await written();
    const { ModifyIndex: second, CreateIndex } = await written();
    expect([CreateIndex, second > first]).toEqual([first, true]);
    const read = await scene.get(AT);
    expect(read.body).toMatchObject({ ...ITEMS, Namespace: "default", Path: "nomad/jobs/web" });
    expect(indexOf(read)).toBe(second);
  });

  test("are checked by cas, and a conflict returns the variable as it is, or none", async () => {
    const { ModifyIndex } = await written("?cas=0");
    expect(await scene.send("POST", `${AT}?cas=0`, ITEMS)).toMatchObject({
      status: 409,
      body: { ...ITEMS, ModifyIndex },
    });
    expect((await scene.send("POST", `${AT}?cas=${ModifyIndex + 9}`, ITEMS)).status).toBe(409);
    expect((await scene.send("DELETE", `${AT}?cas=${ModifyIndex + 9}`)).status).toBe(409);
    expect((await scene.send("DELETE", `${AT}?cas=${ModifyIndex}`)).status).toBe(204);
    expect(await scene.send("DELETE", `${AT}?cas=${ModifyIndex}`)).toMatchObject({
      status: 409,
      body: { Path: "nomad/jobs/web", ModifyIndex: 0 },
    });
    expect((await scene.send("DELETE", AT)).status).toBe(204);
    expect(await scene.get(AT)).toMatchObject({ status: 404, body: "variable not found" });
    expect((await scene.send("POST", `${AT}?cas=x`, ITEMS)).body).toContain("can not parse cas");
  });

  test("need items and a valid path", async () => {
    for (const [path, body] of [
      ["/var/a.b", 'invalid path "a.b"'],
      ["/var/nomad", '"nomad" is a reserved top-level directory path'],
      ["/var/nomad/web", 'only paths at "nomad/jobs"'],
      ["/var/nomad/job-templates", '"nomad/job-templates" is a reserved directory path'],
    ] as const)
      expect(await scene.send("POST", path, ITEMS)).toMatchObject({
        status: 400,
        body: expect.stringContaining(body),
      });
    expect((await scene.send("POST", AT, {})).body).toBe("variable missing required Items object");
    const large = { Items: { a: "x".repeat(65_536) } };
    expect((await scene.send("POST", AT, large)).body).toBe(
      "RPC Error:: 400,variables are limited to 64KiB in total size",
    );
  });

  test("are written, read, listed and deleted only with their own capabilities", async () => {
    await written();
    const as = TOKENS.reader;
    expect(await scene.get("/vars", { as })).toMatchObject({ status: 200, body: [] });
    for (const [method, path] of [
      ["GET", AT],
      ["POST", AT],
      ["DELETE", AT],
    ] as const)
      expect((await scene.send(method, path, ITEMS, { as })).status).toBe(403);
  });

  test("are listed page by page in all namespaces, without their items", async () => {
    await written();
    await written("?namespace=team-web");
    await scene.send("POST", "/var/app", ITEMS);
    const first = await scene.get("/vars?namespace=*&per_page=2");
    expect(first.body.map(({ Path }: { Path: string }) => Path)).toEqual(["app", "nomad/jobs/web"]);
    expect(JSON.stringify(first.body)).not.toContain("Items");
    const rest = await scene.get(
      `/vars?namespace=*&per_page=2&next_token=${first.headers["x-sched-nexttoken"]}`,
    );
    expect(rest.body).toMatchObject([{ Namespace: "team-web", Path: "nomad/jobs/web" }]);
    expect((await scene.get("/vars?prefix=nomad/")).body).toHaveLength(1);
  });

  test("are changed only by the holder of their lock, which only a management token sees", async () => {
    const { ModifyIndex } = await written();
    const locked = (await scene.send("POST", `${AT}?lock-acquire`, { Lock: { TTL: "20s" } })).body;
    expect(locked).toMatchObject({ ...ITEMS, Lock: { TTL: "20s", LockDelay: "15s" } });
    expect(locked.ModifyIndex).toBeGreaterThan(ModifyIndex);
    for (const method of ["POST", "DELETE"])
      expect(await scene.send(method, `${AT}?cas=${locked.ModifyIndex}`, ITEMS)).toMatchObject({
        status: 409,
        body: { ModifyIndex: 0 },
      });
    expect((await scene.send("POST", AT, { ...ITEMS, Lock: { TTL: "20s" } })).status).toBe(400);
    const own = { Items: { key: "new" }, Lock: { ID: locked.Lock.ID } };
    expect((await scene.send("POST", AT, own)).body).toMatchObject({ Items: { key: "new" } });
    await scene.send("POST", `${AT}?lock-release`, { Lock: { ID: locked.Lock.ID } });
    expect((await scene.get(AT)).body).not.toHaveProperty("Lock");
    expect((await scene.send("POST", AT, ITEMS)).status).toBe(200);
  });
});
