import { gunzipSync } from "node:zlib";
import { request } from "undici";
import { StubClock } from "../../stub/clock";
import { startStub } from "../../stub/start";
import { serviceJob } from "./scheduler-scene";

/** A scheduler on loopback, stopped when the test is done with it. Nothing moves by itself: its clock stands still. */
async function withScheduler(test: (send: Send, advance: (milliseconds: number) => void) => Promise<void>) {
  const clock = new StubClock(() => Date.UTC(2030, 0, 1));
  const stub = await startStub({
    dialect: "neutral",
    clock,
    scheduler: { seed: { tokens: { root: { management: true } } } },
  });
  const send: Send = async (method, path, body, encoding = "gzip") => {
    const response = await request(`${stub.addresses.scheduler}/v1${path}`, {
      method,
      headers: { "x-sched-token": "root", "accept-encoding": encoding },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { statusCode: status, headers } = response;
    const sent = Buffer.from(await response.body.bytes());
    return { status, headers, bytes: headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent };
  };
  try {
    await test(send, (milliseconds) => stub.clock.advance(milliseconds));
  } finally {
    await stub.stop();
  }
}

type Send = (
  method: "GET" | "PUT" | "DELETE",
  path: string,
  body?: unknown,
  encoding?: string,
) => Promise<{ status: number; headers: Record<string, string | string[] | undefined>; bytes: Uint8Array }>;

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe("The scheduler over HTTP", () => {
  test("a job goes through its life, whatever its id holds", () =>
    withScheduler(async (send) => {
      const path = `/job/${encodeURIComponent("a/b c")}`;
      expect(text((await send("PUT", path, { Job: serviceJob("a/b c") })).bytes)).toContain(
        "contains a space",
      );
      const job = `/job/${encodeURIComponent("a/b%")}`;
      expect((await send("PUT", job, { Job: serviceJob("a/b%") })).status).toBe(200);
      expect((await send("GET", `${job}/versions`)).status).toBe(200);
      expect((await send("DELETE", `${job}?purge=true`)).status).toBe(200);
      const gone = await send("GET", job);
      expect([gone.status, gone.headers["content-type"], text(gone.bytes)]).toEqual([
        404,
        "text/plain; charset=utf-8",
        "job not found",
      ]);
    }));

  test("Compression: an answer is gzip where the request takes it, however short", () =>
    withScheduler(async (send) => {
      await send("PUT", "/jobs", { Job: serviceJob("web") });
      for (const path of ["/job/web", "/job/web/deployment", "/job/nobody"]) {
        const { headers, bytes } = await send("GET", path);
        expect([path, headers["content-encoding"]]).toEqual([path, "gzip"]);
        expect(text(bytes)).not.toBe("");
        const plain = await send("GET", path, undefined, "identity");
        expect([path, plain.headers["content-encoding"]]).toEqual([path, undefined]);
        expect(text(plain.bytes)).toBe(text(bytes));
      }
    }));

  test("a blocking query ends with the change that it waits for", () =>
    withScheduler(async (send, advance) => {
      const created = await send("PUT", "/jobs", { Job: serviceJob("web") });
      const index = created.headers["x-sched-index"];
      const waiting = send("GET", `/job/web/evaluations?index=${index}&wait=10m`);
      advance(60_000);
      const { status, headers } = await waiting;
      expect(status).toBe(200);
      expect(Number(headers["x-sched-index"])).toBeGreaterThan(Number(index));
    }));

  test("a job that never had a deployment has null for one", () =>
    withScheduler(async (send) => {
      expect(text((await send("GET", "/job/web/deployment")).bytes)).toBe("null");
    }));
});
