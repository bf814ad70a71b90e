import fc from "fast-check";
import type { HttpRequest } from "../../../provider/core/http/request";
import { SecretMap } from "../../../provider/core/state/secretMap";
import type { Json } from "../../../provider/core/value/json";
import libraryCheckOut from "../../../provider/services/secrets/libraryCheckOut";
import { Resource } from "../../steps/resource";
import type { Fate } from "../../steps/world";
import { actBeforeEach, refusal, setFate } from "../interference";
import { inTrouble, MISHAPS, up } from "./mishaps";
import { DIRECTORY, scene } from "./scene";

const SET = "ldap/library/ops";
const program = { setName: "ops" };

async function library(set: { [name: string]: Json } = {}) {
  const own = { service_account_names: ["svc-1", "svc-2"], ttl: 3600, ...set };
  const staged = await scene(libraryCheckOut, { ...DIRECTORY, [SET]: own });
  staged.world.stub.seed({ tokens: { other: {} } });
  return { ...staged, status: () => staged.held(`${SET}/status`) };
}

/** An account that is checked out. */
async function checkedOut() {
  const staged = await library();
  await staged.resource.create(program);
  return staged;
}

/** What another token does at the library. */
async function asOther(world: Resource["world"], path: string, body: Json): Promise<number> {
  const headers = { "x-secrets-token": "other", "content-type": "application/json" };
  return (await world.send("POST", `/v1/${path}`, body, headers)).status;
}

const names = (status: { [name: string]: Json }) =>
  Object.entries(status).flatMap(([name, entry]) => (Object(entry).available === false ? [name] : []));

describe("the table Library service account (A6), row by row", () => {
  test("available, POST check-out: checked out, with a lease of the set's ttl", async () => {
    const { resource, status, world } = await checkedOut();
    expect(names(await status())).toEqual(["svc-1"]);
    expect(resource.id).toBe("ldap/ops/svc-1");
    expect(resource.outputs).toMatchObject({
      serviceAccountName: "svc-1",
      password: expect.stringMatching(/\S/),
      leaseId: expect.stringContaining("library/ops/check-out"),
      leaseDuration: 3600,
      leaseEnds: new Date(world.now + 3_600_000).toISOString(),
    });
  });

  test("a requested ttl is capped at the set's", async () => {
    const { resource, written } = await library();
    await resource.create({ ...program, ttl: "24h" });
    expect(written()).toEqual([{ ttl: 86_400 }]);
    expect(resource.outputs.leaseDuration).toBe(3600);
  });

  test("checked out, POST check-in by the borrower: available, by its name", async () => {
    const { resource, status, written } = await checkedOut();
    await resource.delete();
    expect(written().at(-1)).toEqual({ service_account_names: ["svc-1"] });
    expect(names(await status())).toEqual([]);
  });

  test("checked out by another, without enforcement or by the privileged path: never touched by a delete of ours", async () => {
    for (const [set, extra] of [
      [{ disable_check_in_enforcement: true }, {}],
      [{}, { manage: true }],
    ] as const) {
      const { resource, world, status, theirs } = await library(set);
      await resource.create({ ...program, ...extra });
      await theirs(`${SET}/check-in`, { service_account_names: ["svc-1"] });
      expect(await asOther(world, `${SET}/check-out`, {})).toBe(200);
      await resource.delete();
      expect(names(await status())).toEqual(["svc-1"]);
    }
  });

  test("checked out, manage path: checked in by the privileged path, on request", async () => {
    const { resource, world } = await library();
    await resource.create({ ...program, manage: true });
    await resource.delete();
    expect(world.requests.at(-1)?.path).toBe("/v1/ldap/library/manage/ops/check-in");
  });

  test("checked out, the ttl elapses: gone at the next refresh, and a delete sends no check-in", async () => {
    const { resource, world, status } = await checkedOut();
    expect(await resource.refresh()).toBe(true);
    world.now += 3_600_000;
    expect(names(await status())).toEqual([]);
    expect(await resource.refresh()).toBe(false);
    await resource.delete();
    expect(world.requests.filter(({ path }) => path.endsWith("check-in"))).toEqual([]);
  });

  test("available, POST check-in: a success that lists nothing, once the status shows it available", async () => {
    const { resource, world, theirs } = await checkedOut();
    actBeforeEach(world, /check-in$/, () => theirs(`${SET}/check-in`, { service_account_names: ["svc-1"] }));
    await resource.delete();
  });

  test("no account available: 400, with what to do", async () => {
    const { resource, theirs } = await library();
    for (const _ of [1, 2]) await theirs(`${SET}/check-out`, {});
    await expect(resource.create(program)).rejects.toThrow(
      /answered 400: No service accounts available for check-out\. Check an account in/,
    );
    expect(resource.id).toBe("");
  });
});

describe("a check-out", () => {
  test("is quiet: a preview sends nothing, a refresh one request, and the password stays", async () => {
    const { resource, world } = await checkedOut();
    const { password } = resource.outputs;
    world.requests.length = 0;
    expect(resource.preview(program).changes).toEqual([]);
    expect(await resource.refresh()).toBe(true);
    expect(world.requests.map(({ path }) => path)).toEqual(["/v1/ldap/library/ops/status"]);
    expect(resource.preview(program).changes).toEqual([]);
    expect(resource.outputs.password).toBe(password);
    await resource.up({ ...program, manage: true });
    expect(resource.outputs.password).toBe(password);
    expect(world.requests).toHaveLength(1);
  });

  test("that somebody checked in is gone, also where somebody else has the account now", async () => {
    const { resource, world, theirs } = await checkedOut();
    await theirs(`${SET}/check-in`, { service_account_names: ["svc-1"] });
    expect(await asOther(world, `${SET}/check-out`, {})).toBe(200);
    expect(await resource.refresh()).toBe(false);
  });

  test("whose lease has ended is replaced by the next up, and the preview shows it without a request", async () => {
    const { resource, world, status } = await checkedOut();
    const { leaseEnds } = resource.outputs;
    world.requests.length = 0;
    world.now += 3_599_999;
    expect(resource.preview(program).changes).toEqual([]);
    world.now += 1;
    const { changes, deleteFirst, notes } = resource.preview(program);
    expect(changes).toEqual([
      { path: ["leaseEnds"], written: ["leaseEnds"], kind: "update", cause: "drift", replaces: true },
    ]);
    expect(deleteFirst).toBe(true);
    expect(notes).toEqual([`leaseEnds was ${String(leaseEnds)}: it is over, and is made anew`]);
    expect(world.requests).toEqual([]);
    await resource.delete();
    await resource.create(program);
    expect(resource.preview(program).changes).toEqual([]);
    expect(names(await status())).toEqual(["svc-1"]);
  });

  test("without a lease's end never ends by itself", async () => {
    const { resource, world } = await library({ ttl: 0, max_ttl: 0 });
    await resource.create(program);
    world.now += 1e12;
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("for other triggers, or another ttl, returns its account first, and checks one out anew", async () => {
    const { resource } = await library();
    await resource.create({ ...program, ttl: "30m", triggers: [1] });
    expect(resource.preview({ ...program, ttl: 1800, triggers: [1] }).changes).toEqual([]);
    for (const other of [
      { ttl: "30m", triggers: [2] },
      { ttl: "1h", triggers: [1] },
    ]) {
      const { changes, deleteFirst } = resource.preview({ ...program, ...other });
      expect(changes).toMatchObject([{ replaces: true }]);
      expect(deleteFirst).toBe(true);
    }
  });

  test("whose ttl the service says it ignored is checked in again, and said", async () => {
    const { world, resource, status } = await library();
    const warnings = ["Endpoint ignored these unrecognized parameters: [ttl]"];
    world.saying = ({ path }, answer) =>
      path.endsWith("check-out") ? { ...answer, json: { ...Object(answer.json), warnings } } : answer;
    const failure = await resource.create({ ...program, ttl: "30m" }).catch(String);
    expect(failure).toContain("with a warning that it ignored ttl");
    expect(failure).toContain("which was checked in again");
    expect(names(await status())).toEqual([]);
  });

  test("beside others of one set takes its turn, so that each knows its own account", async () => {
    const { world, status } = await library({ service_account_names: ["a", "b", "c", "d"] });
    const all = ["1", "2", "3", "4"].map(() => new Resource(world, libraryCheckOut));
    let open = 0;
    let most = 0;
    world.fate = async ({ path }): Promise<Fate> => {
      if (path.endsWith("check-out")) most = Math.max(most, ++open);
      await new Promise(setImmediate);
      return "passes";
    };
    world.afterwards = ({ path }) => void (path.endsWith("check-out") && open--);
    await Promise.all(all.map((resource) => resource.create(program)));
    expect(most).toBe(1);
    expect(all.map(({ outputs }) => outputs.serviceAccountName).sort()).toEqual(["a", "b", "c", "d"]);
    expect(names(await status())).toHaveLength(4);
  });

  test("is not taken for returned by what is no status of its set: a refresh fails, and keeps the state", async () => {
    const { resource, world } = await checkedOut();
    const { outputs } = resource;
    for (const text of ["null", "{}", "[]", "true", '{"data":{}}', '{"data":{"another":{}}}']) {
      world.fate = () => refusal(200, text);
      await expect(resource.refresh()).rejects.toThrow("not the object that was asked for");
      expect(resource.outputs).toBe(outputs);
    }
  });

  test("keeps its password and its lease encrypted", () => {
    for (const name of ["password", "leaseId"])
      expect(new SecretMap(libraryCheckOut, {}).holdsSecret([name], "x")).toBe(true);
  });

  test("cannot be read by its id alone", async () => {
    const { resource } = await library();
    await expect(resource.get("ldap/ops/svc-1")).rejects.toThrow(
      /cannot be read by its id, and so not be imported: .+ Next: /,
    );
  });
});

describe("a check-out whose answer is lost", () => {
  test("returns the account that was newly borrowed, by its name, and leaves nothing in the state", async () => {
    const { resource, theirs, status, written } = await library();
    await theirs(`${SET}/check-out`, {});
    expect(await inTrouble(resource, { at: 1, mishap: "answer lost" }, () => resource.create(program))).toBe(
      true,
    );
    expect(written().at(-1)).toEqual({ service_account_names: ["svc-2"] });
    expect(names(await status())).toEqual(["svc-1"]);
    expect(resource.id).toBe("");
  });

  test("that may still come is remembered: the next up returns what it has borrowed by then", async () => {
    const { resource, world, status } = await library();
    let late: HttpRequest | undefined;
    world.slept = (milliseconds) => {
      world.now += milliseconds;
    };
    world.fate = (request) => {
      if (!request.path.endsWith("check-out") || late !== undefined) return "passes";
      late = request;
      return "request hangs";
    };
    await expect(resource.create(program)).rejects.toThrow("which may still be carried out");
    if (late === undefined) throw new Error("nothing was sent");
    await world.carryOut(late);
    expect(names(await status())).toEqual(["svc-1"]);
    await resource.up(program);
    expect(names(await status())).toHaveLength(1);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("says which account it returned, and that the next up starts clean", async () => {
    const { resource, world } = await library();
    setFate(world, /check-out$/, "response lost");
    await expect(resource.create(program)).rejects.toThrow(
      /the answer was lost with the password of svc-1, which was checked in again: .* Next: pulumi up again\./,
    );
  });

  test("and that several newly borrowed accounts may be, returns none, and names them", async () => {
    const { resource, world, status } = await library();
    actBeforeEach(world, /check-out$/, () => asOther(world, `${SET}/check-out`, {}), "response lost");
    await expect(resource.create(program)).rejects.toThrow(
      /Several accounts were checked out meanwhile \(svc-1, svc-2\)/,
    );
    expect(names(await status())).toEqual(["svc-1", "svc-2"]);
    world.now += 3_600_000;
    expect(names(await status())).toEqual([]);
  });

  test("and whose return fails too, is returned by the next up before anything else", async () => {
    const { resource, world, status } = await library();
    world.fate = ({ path }) => {
      if (path.endsWith("check-out")) return "response lost";
      return path.endsWith("check-in") ? "request lost" : "passes";
    };
    await expect(resource.create(program)).rejects.toThrow("lost its connection");
    expect(names(await status())).toEqual(["svc-1"]);
    world.fate = () => "passes";
    expect(resource.preview(program).changes).toHaveLength(1);
    await resource.up(program);
    expect(names(await status())).toEqual(["svc-1"]);
    expect(world.requests.map(({ path }) => path.split("/").at(-1)).slice(-5)).toEqual([
      "status",
      "check-in",
      "status",
      "check-out",
      "status",
    ]);
    expect(resource.preview(program).changes).toEqual([]);
    await resource.delete();
    expect(names(await status())).toEqual([]);
  });
});

describe("a check-out beside others", () => {
  const one = { service_account_names: ["svc-1"] };

  test.each<[string, { [name: string]: Json }, { [name: string]: Json }]>([
    ["by the privileged path", {}, { manage: true }],
    ["where anybody may check in", { disable_check_in_enforcement: true }, {}],
    ["where only the borrower may", {}, {}],
  ])("never returns what a colleague has borrowed while our request was lost, %s", async (_, set, more) => {
    const { resource, world, status } = await library({ ...one, ...set });
    actBeforeEach(world, /check-out$/, () => asOther(world, `${SET}/check-out`, {}), "request lost");
    await expect(resource.create({ ...program, ...more })).rejects.toThrow(/It was left alone/);
    expect(names(await status())).toEqual(["svc-1"]);
    expect(resource.id).toBe("");
  });

  test("knows its own borrower from an earlier check-out, and returns where anybody may", async () => {
    const { resource, world, status } = await library({ disable_check_in_enforcement: true });
    await new Resource(world, libraryCheckOut).create(program);
    setFate(world, /check-out$/, "response lost");
    await expect(resource.create(program)).rejects.toThrow("of svc-2, which was checked in again");
    expect(names(await status())).toEqual(["svc-1"]);
  });

  test.each([false, true])(
    "whose borrower could not be read begins again once the lease has ended (somebody else has it: %j)",
    async (isTaken) => {
      const { resource, world, status } = await library({ service_account_names: ["svc-1", "svc-2"] });
      let looks = 0;
      world.fate = ({ path }) => (path.endsWith("status") && ++looks === 2 ? "request lost" : "passes");
      await resource.create(program).catch(() => undefined);
      world.fate = () => "passes";
      const { password } = resource.outputs;
      world.now += 3_600_000;
      if (isTaken) await asOther(world, `${SET}/check-out`, {});
      await resource.up(program);
      expect(resource.outputs.password).not.toBe(password);
      expect(resource.outputs.serviceAccountName).toBe(isTaken ? "svc-2" : "svc-1");
      await resource.delete();
      expect(names(await status())).toEqual(isTaken ? ["svc-1"] : []);
    },
  );

  test("whose answer and whose status are lost is told by the next up, which returns what it had borrowed", async () => {
    const { resource, world, status } = await library({ ttl: 0, max_ttl: 0 });
    let isDown = false;
    world.fate = ({ path }): Fate => {
      if (isDown) return "request lost";
      isDown = path.endsWith("check-out");
      return isDown ? "response lost" : "passes";
    };
    await expect(resource.create(program)).rejects.toThrow("Next: pulumi up again, which reads the status");
    world.fate = () => "passes";
    await resource.up(program);
    expect(names(await status())).toEqual([String(resource.outputs.serviceAccountName)]);
    await resource.delete();
    expect(names(await status())).toEqual([]);
  });

  test("whose lease has ended is gone, also where another program of the same token has the account by then", async () => {
    const { resource, world, theirs, status } = await checkedOut();
    world.now += 3_600_000;
    await theirs(`${SET}/check-out`, {});
    expect(await resource.refresh()).toBe(false);
    await resource.delete();
    expect(names(await status())).toEqual(["svc-1"]);
  });

  test("whose set's status is refused while the set is there is not gone", async () => {
    const { resource, world, status } = await checkedOut();
    const answer = { status: 400, text: '{"errors":["not now"]}' };
    world.fate = ({ path }) => (path.endsWith("/status") ? { answer, isCarriedOut: false } : "passes");
    await expect(resource.refresh()).rejects.toThrow("answered 400");
    await expect(resource.delete()).rejects.toThrow("answered 400");
    world.fate = () => "passes";
    await resource.delete();
    expect(names(await status())).toEqual([]);
  });

  test("whose set is gone is gone at a refresh, and deleted", async () => {
    const { resource, theirs, take } = await checkedOut();
    await theirs(`${SET}/check-in`, { service_account_names: ["svc-1"] });
    await take(SET);
    expect(await resource.refresh()).toBe(false);
    await resource.delete();
  });
});

test("a request that is sent twice on the way, and finds nothing the second time, is told; the next up gives back what the first took", async () => {
  const { resource, world, status } = await library({ service_account_names: ["svc-1"] });
  let times = 0;
  world.fate = async (request): Promise<Fate> => {
    if (!request.path.endsWith("check-out")) return "passes";
    times += 1;
    if (times === 1) await world.carryOut(request);
    return "passes";
  };
  await expect(resource.create(program)).rejects.toThrow(
    /No service accounts available.* Meanwhile svc-1 was checked out: by somebody else, or by this request/,
  );
  await resource.up(program);
  expect(names(await status())).toEqual(["svc-1"]);
  expect(times).toBe(2);
  expect(resource.preview(program).changes).toEqual([]);
});

test("what somebody took in the same moment is left to them", async () => {
  const { resource, world, status } = await library({ service_account_names: ["svc-1"] });
  actBeforeEach(world, /check-out$/, () => asOther(world, `${SET}/check-out`, {}));
  await expect(resource.create(program)).rejects.toThrow("by somebody else, or by this request");
  await expect(resource.up(program)).rejects.toThrow("No service accounts available");
  expect(names(await status())).toEqual(["svc-1"]);
  expect(world.logged.join("\n")).toContain("svc-1 was checked out meanwhile by somebody else");
});

test("an account that is out to the same borrower already is named: a killed up may have left it", async () => {
  const { resource, world } = await library();
  const killed = new Resource(world, libraryCheckOut);
  await killed.create(program);
  expect(world.logged).toEqual([]);
  await resource.create(program);
  expect(world.logged.join("\n")).toMatch(
    /^info: svc-1 of the library set "ldap\/ops" was out to the same borrower already: .*killed/,
  );
});

test("an account that is out to somebody else is not", async () => {
  const { resource, world } = await library();
  await asOther(world, `${SET}/check-out`, {});
  await resource.create(program);
  expect(world.logged).toEqual([]);
});

describe.each(MISHAPS)("a check-out and a check-in with one request %s", (mishap) => {
  test.each([0, 1, 2, 3, 4, 5])(
    "at request %d keep no account past its lease, and end with one that works",
    async (at) => {
      const { resource, world, status } = await library();
      await inTrouble(resource, { at, mishap }, () => resource.create(program));
      const lost = names(await status()).length;
      // What a killed process had borrowed comes back when its lease ends; nothing else is out that the state does not know.
      const known = resource.id === "" ? 0 : 1;
      expect(lost).toBeLessThanOrEqual(mishap.startsWith("killed") ? 1 : known);
      for (
        let tries = 0;
        tries < 3 && (resource.id === "" || resource.record.pending !== undefined);
        tries++
      ) {
        await up(resource, program).catch(() => undefined);
      }
      expect(resource.outputs.password).toMatch(/\S/);
      expect(names(await status())).toContain(resource.outputs.serviceAccountName);

      await inTrouble(resource, { at, mishap }, () => resource.delete());
      await resource.delete();
      expect(names(await status())).not.toContain(resource.outputs.serviceAccountName);
      world.now += 3_600_000;
      expect(names(await status())).toEqual([]);
    },
  );
});

test("two mishaps in one story leave no account out that the state does not know, once its lease has ended", async () => {
  const mishap = fc.record({ at: fc.nat(6), mishap: fc.constantFrom(...MISHAPS) });
  await fc.assert(
    fc.asyncProperty(mishap, mishap, async (first, second) => {
      const { resource, world, status } = await library({
        service_account_names: ["svc-1", "svc-2", "svc-3"],
      });
      await inTrouble(resource, first, () => resource.create(program));
      await inTrouble(resource, second, () => up(resource, program));
      for (let tries = 0; tries < 4; tries++) await up(resource, program).catch(() => undefined);
      expect(names(await status())).toContain(resource.outputs.serviceAccountName);
      await resource.delete();
      world.now += 3_600_000;
      expect(names(await status())).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
