import { scene, TOKENS } from "./scheduler-scene";

test("client nodes are listed page by page, by prefix, and only with a permission", async () => {
  const first = await scene.get("/nodes?per_page=2");
  expect(first.body).toMatchObject([{ Name: "node-1" }, { Name: "node-2", Status: "ready" }]);
  const rest = await scene.get(`/nodes?per_page=2&next_token=${first.headers["x-sched-nexttoken"]}`);
  expect(rest.body).toMatchObject([{ Name: "node-3" }]);
  expect((await scene.get(`/nodes?prefix=${rest.body[0].ID}`)).body).toHaveLength(1);
  expect((await scene.get("/nodes", { as: TOKENS.reader })).status).toBe(403);
});

test("regions are listed for anyone", async () => {
  expect((await scene.get("/regions", { as: TOKENS.stranger })).body).toEqual(["global", "west"]);
});
