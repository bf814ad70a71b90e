import { Scene, scene, TOKENS } from "./mesh-scene";

const AT = "/kv/apps/web";
const cas = (Index: number, more: object = {}) => [
  { KV: { Verb: "cas", Key: "apps/web", Value: "b24=", Index, ...more } },
];
const stale = 'failed to set key "apps/web", index is stale';

describe("Consul's KV store", () => {
  test("writes a key in a transaction under its index, and returns the index of the write", async () => {
    const created = await scene.send("PUT", "/txn", cas(0, { Flags: 7 }));
    expect(created.body).toMatchObject({ Results: [{ KV: { Key: "apps/web", Value: null, Flags: 7 } }] });
    const { ModifyIndex: index } = created.body.Results[0].KV;
    expect((await scene.get(AT)).body).toMatchObject([{ Value: "b24=", Flags: 7, ModifyIndex: index }]);
    for (const wrong of [0, index + 5])
      expect(await scene.send("PUT", "/txn", cas(wrong))).toMatchObject({
        status: 409,
        body: { Results: null, Errors: [{ OpIndex: 0, What: stale }] },
      });
    // Equal content changes nothing, and returns the same index.
    const same = await scene.send("PUT", "/txn", cas(index, { Flags: 7 }));
    expect(same.body.Results[0].KV.ModifyIndex).toBe(index);
  });

  test("keeps the lock of a session in a transaction", async () => {
    await scene.send("PUT", `${AT}?acquire=s1`, "on");
    const [{ ModifyIndex: index }] = (await scene.get(AT)).body;
    await scene.send("PUT", "/txn", cas(index));
    expect((await scene.get(AT)).body).toMatchObject([{ Value: "b24=", Session: "s1", LockIndex: 1 }]);
  });

  test("deletes a key under its index, and confirms the delete of an absent key", async () => {
    await scene.send("PUT", AT, "on");
    const [{ ModifyIndex: index }] = (await scene.get(AT)).body;
    expect((await scene.remove(`${AT}?cas=${index + 1}`)).text).toBe("false");
    expect((await scene.remove(`${AT}?cas=${index}`)).text).toBe("true");
    expect((await scene.remove(`${AT}?cas=${index}`)).text).toBe("true");
    const gone = await scene.get(AT);
    expect(gone).toMatchObject({ status: 404, text: "" });
    expect(gone.headers["x-mesh-index"]).toBeDefined();
  });

  test("lists keys under a prefix, and 404 if it shows none", async () => {
    for (const key of ["a/1", "a/2", "b"]) await scene.send("PUT", `/kv/${key}`, "x");
    expect((await scene.get("/kv/?keys")).body).toEqual(["a/1", "a/2", "b"]);
    expect((await scene.get("/kv/a/?recurse")).body).toMatchObject([{ Key: "a/1" }, { Key: "a/2" }]);
    expect((await scene.get("/kv/c?recurse")).status).toBe(404);
    const hidden = await scene.get("/kv/?recurse", { as: TOKENS.stranger });
    expect(hidden).toMatchObject({ status: 404, text: "" });
    expect((await scene.get("/kv/b", { as: TOKENS.stranger })).status).toBe(403);
  });

  test("rejects a transaction without permission as a conflict", async () => {
    const answer = await scene.send("PUT", "/txn", cas(0), { as: TOKENS.stranger });
    expect(answer).toMatchObject({ status: 409, body: { Results: null } });
    expect(answer.body.Errors[0].What).toMatch(/^Permission denied: .*'key:write' on "apps\/web"/);
    expect((await scene.send("PUT", "/txn", { KV: {} })).status).toBe(400);
  });

  test("ignores a namespace in a transaction of the community edition", async () => {
    const community = new Scene({ edition: "community" });
    expect((await community.send("PUT", "/txn", cas(0, { Namespace: "team" }))).status).toBe(200);
    expect((await community.get(AT)).body).toMatchObject([{ Value: "b24=" }]);
    expect((await community.get(`${AT}?ns=team`)).status).toBe(400);
  });
});
