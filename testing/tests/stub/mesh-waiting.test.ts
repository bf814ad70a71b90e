import { type Answered, answers } from "./in-process";
import { defaults, HTTP_WEB, MINUTE, Scene, SECOND, scene, TOKENS } from "./mesh-scene";

const WEB = "/config/service-defaults/web";
const KIND = "/config/service-defaults";

/** An answer that may not have come yet. */
function watched(answer: Promise<Answered>) {
  const state: { answer?: Answered } = {};
  void answer.then((come) => {
    state.answer = come;
  });
  return state;
}

/** Lets everything that can go on now do so. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

function indexOf({ headers }: Answered): number {
  return Number(headers["x-mesh-index"]);
}

describe("Headers of a read", () => {
  test.each([WEB, KIND])("%s says at which index it was answered", async (path) => {
    const { ModifyIndex } = await scene.existing(defaults("web"));
    expect(indexOf(await scene.get(path))).toBe(ModifyIndex);
    const other = await scene.existing(defaults("other"));
    expect(indexOf(await scene.get(path))).toBe(other.ModifyIndex);
    await scene.remove("/config/service-defaults/other");
    expect(indexOf(await scene.get(path))).toBe(other.ModifyIndex + 1);
  });

  test("an absent entry has them too", async () => {
    const { status, headers } = await scene.get(WEB);
    expect(status).toBe(404);
    expect(headers).toMatchObject({
      "x-mesh-index": "1",
      "x-mesh-knownleader": "true",
      "x-mesh-lastcontact": "0",
    });
  });

  test("a write and a delete have none", async () => {
    for (const { headers } of [await scene.put(defaults("web")), await scene.remove(WEB)]) {
      expect(Object.keys(headers)).toEqual(["content-type"]);
    }
  });

  test("what is written already moves no index", async () => {
    await scene.put(defaults("web"));
    const before = indexOf(await scene.get(KIND));
    await scene.put(defaults("web"));
    await scene.remove("/config/service-defaults/other");
    expect(indexOf(await scene.get(KIND))).toBe(before);
  });
});

describe("Blocking queries", () => {
  /** A scene with `web` and `other`, and the index then. */
  async function waiting(path = WEB, query = "") {
    const scene = new Scene();
    await scene.put(defaults("other"));
    await scene.put(defaults("web", { Protocol: "http" }));
    const index = indexOf(await scene.get(path));
    return { scene, index, state: watched(scene.get(`${path}?index=${index}${query}`)) };
  }

  test.each([WEB, KIND])("%s past the current index waits for a change, and answers it", async (path) => {
    const { scene, index, state } = await waiting(path);
    await settled();
    expect(state.answer).toBeUndefined();
    await scene.put(defaults("web", { Protocol: "grpc" }));
    await settled();
    expect(state.answer?.status).toBe(200);
    expect(state.answer?.text).toContain('"Protocol":"grpc"');
    expect(indexOf(state.answer as Answered)).toBe(index + 1);
  });

  test.each([
    ["with an older index", "?index=1"],
    ["with index 0", "?index=0&wait=1m"],
    ["without an index", "?wait=1m"],
    ["with an empty index", "?index="],
  ])("%s there is no waiting", async (_name, query) => {
    const { scene } = await waiting();
    await answers(scene.get(WEB + query), 200);
  });

  test("a change of another entry does not end the wait for one", async () => {
    const { scene, state } = await waiting();
    await scene.put(defaults("other", { Protocol: "grpc" }));
    await settled();
    expect(state.answer).toBeUndefined();
    await scene.remove(WEB);
    await settled();
    expect(state.answer?.status).toBe(404);
  });

  test("a change of another kind does not end the wait for a list", async () => {
    const { scene, state } = await waiting(KIND);
    await scene.put({ Kind: "mesh", Name: "mesh" });
    await settled();
    expect(state.answer).toBeUndefined();
    await scene.put(defaults("third"));
    await settled();
    expect(state.answer?.body).toHaveLength(3);
  });

  test("a change of what the token may not read does not end the wait for a list", async () => {
    const scene = new Scene(
      {},
      { tokens: { t: { rules: { service: { web: "read" } } }, [TOKENS.manager]: { management: true } } },
    );
    await scene.put(defaults("web"));
    const index = indexOf(await scene.get(KIND));
    const state = watched(scene.get(`${KIND}?index=${index}`, { as: "t" }));
    await scene.put(defaults("secret"));
    await settled();
    expect(state.answer).toBeUndefined();
    await scene.put(defaults("web", { Protocol: "http" }));
    await settled();
    expect(state.answer?.body).toHaveLength(1);
  });

  test("what is absent can be waited for", async () => {
    const state = watched(scene.get(`${WEB}?index=1`));
    await settled();
    expect(state.answer).toBeUndefined();
    await scene.put(defaults("web"));
    await settled();
    expect(state.answer?.status).toBe(200);
  });

  test("what another datacenter changes does not end it", async () => {
    const { scene, state } = await waiting();
    await scene.put(defaults("web", { Protocol: "grpc" }), "?dc=dc2");
    await settled();
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
  ])("%p waits %d ms and up to a sixteenth longer, then answers what is there", async (query, wait) => {
    const { scene, index, state } = await waiting(WEB, query);
    // The scene's jitter is half of the sixteenth.
    const whole = wait + wait / 32;
    scene.clock.advance(whole - 2);
    await settled();
    expect(state.answer).toBeUndefined();
    scene.clock.advance(2);
    await settled();
    expect(state.answer?.status).toBe(200);
    expect(indexOf(state.answer as Answered)).toBe(index);
  });

  test("it ends where the caller has gone", async () => {
    const gone = new AbortController();
    const state = watched(scene.get(`${WEB}?index=1`, { signal: gone.signal }));
    await settled();
    expect(state.answer).toBeUndefined();
    gone.abort();
    await settled();
    expect(state.answer?.status).toBe(404);
  });

  test("it ends where the service is set back", async () => {
    const { scene, state } = await waiting();
    scene.service.reset();
    await settled();
    expect(state.answer?.status).toBe(404);
  });

  test("what an administrator changes ends it", async () => {
    const { scene, state } = await waiting();
    scene.service.seed({ reindexed: [{ kind: "service-defaults", name: "web" }] });
    await settled();
    expect(state.answer?.status).toBe(200);
  });

  test.each([
    ["?index=x", "Invalid index"],
    ["?index=-1", "Invalid index"],
    ["?index=1&wait=soon", "Invalid wait time"],
    ["?wait=5", "Invalid wait time"],
  ])("%s is 400", async (query, text) => {
    for (const path of [WEB, KIND]) {
      await answers(new Scene().get(path + query), 400, text);
    }
  });

  test("writes and deletes do not wait", async () => {
    await answers(scene.put(defaults("web"), "?index=99"), 200);
    await answers(scene.remove(`${WEB}?index=99`), 200);
  });
});

describe("Consistency modes", () => {
  test.each(["", "?consistent", "?stale"])("all are there: %p", async (mode) => {
    await scene.put(defaults("web"));
    for (const path of [WEB, KIND]) await answers(scene.get(path + mode), 200);
  });

  test("two at once are 400", async () => {
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
  ])("%p says how far behind it is: %s", async (mode, contact) => {
    const { headers } = await new Scene({ lastContactMilliseconds: 250 }).get(KIND + mode);
    expect(headers["x-mesh-lastcontact"]).toBe(contact);
  });

  test("a stale read may be answered from before the latest write", async () => {
    const scene = new Scene({ followersLag: true });
    await scene.put(defaults("web", { Protocol: "http" }));
    await scene.put(defaults("web", { Protocol: "grpc" }));
    expect((await scene.entry("service-defaults", "web")).Protocol).toBe("grpc");
    expect((await scene.entry("service-defaults", "web", "?consistent")).Protocol).toBe("grpc");
    expect((await scene.entry("service-defaults", "web", "?stale")).Protocol).toBe("http");
    await scene.put(defaults("other"));
    expect((await scene.entry("service-defaults", "web", "?stale")).Protocol).toBe("grpc");
  });

  test("a fault can have any read answered from before the latest write", async () => {
    await scene.put(defaults("web"));
    await answers(scene.get(WEB, { stale: true }), 404);
    await answers(scene.get(WEB), 200);
  });

  test("without a leader only stale reads are answered", async () => {
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
