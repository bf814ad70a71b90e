import type { HttpResponse } from "../../../../provider/core/http/request";
import { sendAlike } from "../../../../provider/core/requests/shared/inList";
import { Snapshots } from "../../../../provider/core/requests/shared/snapshots";
import { answered, createCaller } from "../caller";

const route = { method: "GET", path: "/quays/{name}/status" } as const;

function sharing(...answers: readonly HttpResponse[]) {
  const { context, sent, runtime } = createCaller(...answers);
  const shared = new Snapshots(() => runtime.now()).of("harbour");
  return { context: { ...context, shared }, alone: context, sent };
}

test("sendAlike sends identical reads once and shares the response", async () => {
  const { context, sent } = sharing(answered(200, { berths: 3 }));
  const both = [sendAlike(context, route, { name: "north" }), sendAlike(context, route, { name: "north" })];
  const third = await sendAlike(context, route, { name: "north" });
  for (const one of await Promise.all(both)) expect(one.json).toEqual(third.json);
  expect(sent).toHaveLength(1);
});

test("sendAlike sends reads of different objects separately", async () => {
  const { context, sent } = sharing(answered(200, {}), answered(200, {}));
  await sendAlike(context, route, { name: "north" });
  await sendAlike(context, route, { name: "south" });
  expect(sent.map(({ path }) => path)).toEqual(["/quays/north/status", "/quays/south/status"]);
});

test("sendAlike sends identical reads separately without shared snapshots", async () => {
  const { alone, sent } = sharing(answered(200, {}), answered(200, {}));
  await sendAlike(alone, route, { name: "north" });
  await sendAlike(alone, route, { name: "north" });
  expect(sent).toHaveLength(2);
});

test("sendAlike does not share a rejection", async () => {
  const { context, sent } = sharing(answered(403, {}), answered(200, { berths: 3 }));
  expect((await sendAlike(context, route, { name: "north" })).status).toBe(403);
  expect((await sendAlike(context, route, { name: "north" })).status).toBe(200);
  expect(sent).toHaveLength(2);
});

test("sendAlike does not wait for another caller's read after a cancel", async () => {
  const { context, sent } = sharing();
  const never = { ...context.connection, send: () => new Promise<HttpResponse>(() => undefined) };
  void sendAlike({ ...context, connection: never }, route, { name: "north" });
  const ending = new AbortController();
  const canceled = sendAlike({ ...context, signal: ending.signal }, route, { name: "north" });
  ending.abort();
  await expect(canceled).rejects.toThrow("it was not expected to ask again");
  expect(sent).toHaveLength(1);
});
