import type { HttpAnswer } from "../../../../provider/core/http/request";
import { sendAlike } from "../../../../provider/core/requests/shared/inList";
import { Snapshots } from "../../../../provider/core/requests/shared/snapshots";
import { answered, asking } from "../asking";

const route = { method: "GET", path: "/quays/{name}/status" } as const;

function sharing(...answers: readonly HttpAnswer[]) {
  const { context, sent, runtime } = asking(...answers);
  const shared = new Snapshots(() => runtime.now()).of("harbour");
  return { context: { ...context, shared }, alone: context, sent };
}

test("the same read of several is sent once, and all of them get its answer", async () => {
  const { context, sent } = sharing(answered(200, { berths: 3 }));
  const both = [sendAlike(context, route, { name: "north" }), sendAlike(context, route, { name: "north" })];
  const third = await sendAlike(context, route, { name: "north" });
  for (const one of await Promise.all(both)) expect(one.json).toEqual(third.json);
  expect(sent).toHaveLength(1);
});

test("another object is another read", async () => {
  const { context, sent } = sharing(answered(200, {}), answered(200, {}));
  await sendAlike(context, route, { name: "north" });
  await sendAlike(context, route, { name: "south" });
  expect(sent.map(({ path }) => path)).toEqual(["/quays/north/status", "/quays/south/status"]);
});

test("whoever shares nothing asks for itself", async () => {
  const { alone, sent } = sharing(answered(200, {}), answered(200, {}));
  await sendAlike(alone, route, { name: "north" });
  await sendAlike(alone, route, { name: "north" });
  expect(sent).toHaveLength(2);
});

test("a refusal is nobody else's: each asks for itself", async () => {
  const { context, sent } = sharing(answered(403, {}), answered(200, { berths: 3 }));
  expect((await sendAlike(context, route, { name: "north" })).status).toBe(403);
  expect((await sendAlike(context, route, { name: "north" })).status).toBe(200);
  expect(sent).toHaveLength(2);
});

test("who is cancelled does not wait for what somebody else has asked", async () => {
  const { context, sent } = sharing();
  const never = { ...context.connection, send: () => new Promise<HttpAnswer>(() => undefined) };
  void sendAlike({ ...context, connection: never }, route, { name: "north" });
  const ending = new AbortController();
  const asked = sendAlike({ ...context, signal: ending.signal }, route, { name: "north" });
  ending.abort();
  await expect(asked).rejects.toThrow("it was not expected to ask again");
  expect(sent).toHaveLength(1);
});
