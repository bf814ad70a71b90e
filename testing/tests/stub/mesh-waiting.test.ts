import { type Answered, answers } from "./in-process";
import { defaults, HTTP_WEB, MINUTE, Scene, SECOND, scene, TOKENS } from "./mesh-scene";

const WEB = "/config/service-defaults/web";
const KIND = "/config/service-defaults";

/** Tracks a response: `answer` is undefined while the request is pending. */
function track(answer: Promise<Answered>) {
  const state: { answer?: Answered } = {};
  void answer.then((received) => {
    state.answer = received;
  });
  return state;
}

/** Lets all pending promise callbacks run. */
async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

function indexOf({ headers }: Answered): number {
  return Number(headers["x-mesh-index"]);
}

describe("Headers of reads", () => {
  test.each([WEB, KIND])("%s returns the current index", async (path) => {
    const { ModifyIndex } = await scene.existing(defaults("web"));
    expect(indexOf(await scene.get(path))).toBe(ModifyIndex);
    const other = await scene.existing(defaults("other"));
    expect(indexOf(await scene.get(path))).toBe(other.ModifyIndex);
    await scene.remove("/config/service-defaults/other");
    expect(indexOf(await scene.get(path))).toBe(other.ModifyIndex + 1);
  });

  test("a read of an absent entry returns 404 with the headers", async () => {
    const { status, headers } = await scene.get(WEB);
    expect(status).toBe(404);
    expect(headers).toMatchObject({
      "x-mesh-index": "1",
      "x-mesh-knownleader": "true",
      "x-mesh-lastcontact": "0",
    });
  });

  test("a write and a delete return only the content type", async () => {
    for (const { headers } of [await scene.put(defaults("web")), await scene.remove(WEB)]) {
      expect(Object.keys(headers)).toEqual(["content-type"]);
    }
  });

  test("writing identical content and deleting an absent entry do not change the index", async () => {
    await scene.put(defaults("web"));
    const before = indexOf(await scene.get(KIND));
    await scene.put(defaults("web"));
    await scene.remove("/config/service-defaults/other");
    expect(indexOf(await scene.get(KIND))).toBe(before);
  });
});

describe("Blocking queries", () => {
  /** Starts a blocking query in a scene with `web` and `other`, with the current index. */
  async function startBlockingQuery(path = WEB, query = "") {
    const scene = new Scene();
    await scene.put(defaults("other"));
    await scene.put(defaults("web", { Protocol: "http" }));
    const index = indexOf(await scene.get(path));
    return { scene, index, state: track(scene.get(`${path}?index=${index}${query}`)) };
  }

  test.each([WEB, KIND])("%s with the current index waits for a change and returns it", async (path) => {
    const { scene, index, state } = await startBlockingQuery(path);
    await flushPromises();
    expect(state.answer).toBeUndefined();
    await scene.put(defaults("web", { Protocol: "grpc" }));
    await flushPromises();
    expect(state.answer?.status).toBe(200);
    expect(state.answer?.text).toContain('"Protocol":"grpc"');
    expect(indexOf(state.answer as Answered)).toBe(index + 1);
  });

  test.each([
    ["with an older index", "?index=1"],
    ["with index 0", "?index=0&wait=1m"],
    ["without an index", "?wait=1m"],
    ["with an empty index", "?index="],
  ])("a read %s returns immediately", async (_name, query) => {
    const { scene } = await startBlockingQuery();
    await answers(scene.get(WEB + query), 200);
  });

  test("a change of a different entry does not end the wait, but a delete of the entry does", async () => {
    const { scene, state } = await startBlockingQuery();
    await scene.put(defaults("other", { Protocol: "grpc" }));
    await flushPromises();
    expect(state.answer).toBeUndefined();
    await scene.remove(WEB);
    await flushPromises();
    expect(state.answer?.status).toBe(404);
  });

  test("a change of a different kind does not end the wait of a list", async () => {
    const { scene, state } = await startBlockingQuery(KIND);
    await scene.put({ Kind: "mesh", Name: "mesh" });
    await flushPromises();
    expect(state.answer).toBeUndefined();
    await scene.put(defaults("third"));
    await flushPromises();
    expect(state.answer?.body).toHaveLength(3);
  });

  test("a change of an entry that the token cannot read does not end the wait of a list", async () => {
    const scene = new Scene(
      {},
      { tokens: { t: { rules: { service: { web: "read" } } }, [TOKENS.manager]: { management: true } } },
    );
    await scene.put(defaults("web"));
    const index = indexOf(await scene.get(KIND));
    const state = track(scene.get(`${KIND}?index=${index}`, { as: "t" }));
    await scene.put(defaults("secret"));
    await flushPromises();
    expect(state.answer).toBeUndefined();
    await scene.put(defaults("web", { Protocol: "http" }));
    await flushPromises();
    expect(state.answer?.body).toHaveLength(1);
  });

  test("a read of an absent entry waits until the entry is created", async () => {
    const state = track(scene.get(`${WEB}?index=1`));
    await flushPromises();
    expect(state.answer).toBeUndefined();
    await scene.put(defaults("web"));
    await flushPromises();
    expect(state.answer?.status).toBe(200);
  });

  test("a change in a different datacenter does not end the wait", async () => {
    const { scene, state } = await startBlockingQuery();
    await scene.put(defaults("web", { Protocol: "grpc" }), "?dc=dc2");
    await flushPromises();
    expect(state.answer).toBeUndefined();
    scene.clock.advance(20 * MINUTE);
  });

  test.each([
    ["", 5 * MINUTE],
    ["&wait=10s", 10 * SECOND],
    ["&wait=1m30s", 90 * SECOND],
    ["&wait=0s", 5 * MINUTE],
    ["&wait=10m", 10 * MINUTE],
    ["&wait=1h", 10 * MINUTE],
  ])("%p waits %d ms plus jitter, then returns the unchanged entry", async (query, wait) => {
    const { scene, index, state } = await startBlockingQuery(WEB, query);
    // The jitter is up to a sixteenth of the wait time; `random` of the scene makes it half of that.
    const total = wait + wait / 32;
    scene.clock.advance(total - 2);
    await flushPromises();
    expect(state.answer).toBeUndefined();
    scene.clock.advance(2);
    await flushPromises();
    expect(state.answer?.status).toBe(200);
    expect(indexOf(state.answer as Answered)).toBe(index);
  });

  test("the wait ends if the caller disconnects", async () => {
    const connection = new AbortController();
    const state = track(scene.get(`${WEB}?index=1`, { signal: connection.signal }));
    await flushPromises();
    expect(state.answer).toBeUndefined();
    connection.abort();
    await flushPromises();
    expect(state.answer?.status).toBe(404);
  });

  test("a reset ends the wait", async () => {
    const { scene, state } = await startBlockingQuery();
    scene.service.reset();
    await flushPromises();
    expect(state.answer?.status).toBe(404);
  });

  test("a seed that reindexes the entry ends the wait", async () => {
    const { scene, state } = await startBlockingQuery();
    scene.service.seed({ reindexed: [{ kind: "service-defaults", name: "web" }] });
    await flushPromises();
    expect(state.answer?.status).toBe(200);
  });

  test.each([
    ["?index=x", "Invalid index"],
    ["?index=-1", "Invalid index"],
    ["?index=1&wait=soon", "Invalid wait time"],
    ["?wait=5", "Invalid wait time"],
  ])("%s returns 400", async (query, text) => {
    for (const path of [WEB, KIND]) {
      await answers(new Scene().get(path + query), 400, text);
    }
  });

  test("a write and a delete with an index return immediately", async () => {
    await answers(scene.put(defaults("web"), "?index=99"), 200);
    await answers(scene.remove(`${WEB}?index=99`), 200);
  });
});

describe("Consistency modes", () => {
  test.each(["", "?consistent", "?stale"])("the mode %p is accepted", async (mode) => {
    await scene.put(defaults("web"));
    for (const path of [WEB, KIND]) await answers(scene.get(path + mode), 200);
  });

  test("stale and consistent at the same time return 400", async () => {
    for (const path of [WEB, KIND]) {
      await answers(
        new Scene().get(`${path}?stale&consistent`),
        400,
        "Cannot specify ?stale with ?consistent, conflicting semantics.",
      );
    }
  });

  test.each([
    ["", "0"],
    ["?consistent", "0"],
    ["?stale", "250"],
  ])("%p returns the last contact %s", async (mode, contact) => {
    const { headers } = await new Scene({ lastContactMilliseconds: 250 }).get(KIND + mode);
    expect(headers["x-mesh-lastcontact"]).toBe(contact);
  });

  test("with followersLag, a stale read returns the entry before the latest write", async () => {
    const scene = new Scene({ followersLag: true });
    await scene.put(defaults("web", { Protocol: "http" }));
    await scene.put(defaults("web", { Protocol: "grpc" }));
    expect((await scene.entry("service-defaults", "web")).Protocol).toBe("grpc");
    expect((await scene.entry("service-defaults", "web", "?consistent")).Protocol).toBe("grpc");
    expect((await scene.entry("service-defaults", "web", "?stale")).Protocol).toBe("http");
    await scene.put(defaults("other"));
    expect((await scene.entry("service-defaults", "web", "?stale")).Protocol).toBe("grpc");
  });

  test("a read with the stale fault returns the state before the latest write", async () => {
    await scene.put(defaults("web"));
    await answers(scene.get(WEB, { stale: true }), 404);
    await answers(scene.get(WEB), 200);
  });

  test("without a leader, only stale reads succeed", async () => {
    const scene = new Scene({}, HTTP_WEB);
    scene.service.configure({ knownLeader: false });
    const refusal = { status: 500, body: "No cluster leader" };
    for (const mode of ["", "?consistent"]) expect(await scene.get(WEB + mode)).toMatchObject(refusal);
    expect(await scene.put(defaults("web"))).toMatchObject(refusal);
    expect(await scene.remove(WEB)).toMatchObject(refusal);
    const { status, headers } = await scene.get(`${WEB}?stale`);
    expect([status, headers["x-mesh-knownleader"]]).toEqual([200, "false"]);
  });
});
