import fc from "fast-check";
import type { HttpRequest } from "../../../provider/core/http/request";
import { SecretMap } from "../../../provider/core/state/secretMap";
import type { Json } from "../../../provider/core/value/json";
import libraryCheckOut from "../../../provider/services/secrets/libraryCheckOut";
import { Resource } from "../../steps/resource";
import type { Fate } from "../../steps/world";
import { actBeforeEach, refusal, setFate } from "../interference";
import { FAULTS, up, withFault } from "./faults";
import { DIRECTORY, scene } from "./scene";

const SET = "ldap/library/ops";
const program = { setName: "ops" };

async function library(set: { [name: string]: Json } = {}) {
  const own = { service_account_names: ["svc-1", "svc-2"], ttl: 3600, ...set };
  const staged = await scene(libraryCheckOut, { ...DIRECTORY, [SET]: own });
  staged.world.stub.seed({ tokens: { other: {} } });
  return { ...staged, status: () => staged.readServer(`${SET}/status`) };
}

/** Checks an account of a fresh library set out. */
async function checkOut() {
  const staged = await library();
  await staged.resource.create(program);
  return staged;
}

/** Sends a library request with another token. */
async function asOther(world: Resource["world"], path: string, body: Json): Promise<number> {
  const headers = { "x-secrets-token": "other", "content-type": "application/json" };
  return (await world.send("POST", `/v1/${path}`, body, headers)).status;
}

const checkedOutNames = (status: { [name: string]: Json }) =>
  Object.entries(status).flatMap(([name, entry]) => (Object(entry).available === false ? [name] : []));

describe('LDAP library account (A6, table "Library service account")', () => {
  test("available, POST check-out: checked out, with a lease of the ttl of the set", async () => {
    const { resource, status, world } = await checkOut();
    expect(checkedOutNames(await status())).toEqual(["svc-1"]);
    expect(resource.id).toBe("ldap/ops/svc-1");
    expect(resource.outputs).toMatchObject({
      serviceAccountName: "svc-1",
      password: expect.stringMatching(/\S/),
      leaseId: expect.stringContaining("library/ops/check-out"),
      leaseDuration: 3600,
      leaseEnds: new Date(world.now + 3_600_000).toISOString(),
    });
  });

  test("a requested ttl is sent, and the server limits it to the ttl of the set", async () => {
    const { resource, written } = await library();
    await resource.create({ ...program, ttl: "24h" });
    expect(written()).toEqual([{ ttl: 86_400 }]);
    expect(resource.outputs.leaseDuration).toBe(3600);
  });

  test("checked out, POST check-in by the borrower: available; the request contains the account name", async () => {
    const { resource, status, written } = await checkOut();
    await resource.delete();
    expect(written().at(-1)).toEqual({ service_account_names: ["svc-1"] });
    expect(checkedOutNames(await status())).toEqual([]);
  });

  test("checked out by another token, without enforcement or with manage: a delete does not check it in", async () => {
    for (const [set, extra] of [
      [{ disable_check_in_enforcement: true }, {}],
      [{}, { manage: true }],
    ] as const) {
      const { resource, world, status, theirs } = await library(set);
      await resource.create({ ...program, ...extra });
      await theirs(`${SET}/check-in`, { service_account_names: ["svc-1"] });
      expect(await asOther(world, `${SET}/check-out`, {})).toBe(200);
      await resource.delete();
      expect(checkedOutNames(await status())).toEqual(["svc-1"]);
    }
  });

  test("checked out, manage: true: a delete checks it in on the manage path", async () => {
    const { resource, world } = await library();
    await resource.create({ ...program, manage: true });
    await resource.delete();
    expect(world.requests.at(-1)?.path).toBe("/v1/ldap/library/manage/ops/check-in");
  });

  test("checked out, ttl elapsed: a refresh removes it from the state, and a delete sends no check-in", async () => {
    const { resource, world, status } = await checkOut();
    expect(await resource.refresh()).toBe(true);
    world.now += 3_600_000;
    expect(checkedOutNames(await status())).toEqual([]);
    expect(await resource.refresh()).toBe(false);
    await resource.delete();
    expect(world.requests.filter(({ path }) => path.endsWith("check-in"))).toEqual([]);
  });

  test("available, POST check-in: a delete succeeds if someone else checks the account in just before it", async () => {
    const { resource, world, theirs } = await checkOut();
    actBeforeEach(world, /check-in$/, () => theirs(`${SET}/check-in`, { service_account_names: ["svc-1"] }));
    await resource.delete();
  });

  test("no account available, POST check-out: 400, and the error has a remedy", async () => {
    const { resource, theirs } = await library();
    for (const _ of [1, 2]) await theirs(`${SET}/check-out`, {});
    await expect(resource.create(program)).rejects.toThrow(
      /returned 400: No service accounts available for check-out\. Check an account in/,
    );
    expect(resource.id).toBe("");
  });
});

describe("LDAP library check-out", () => {
  test("shows no changes, sends one request in a refresh, and preserves the password", async () => {
    const { resource, world } = await checkOut();
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

  test("a refresh removes it after someone checked it in, even if another token now has the account", async () => {
    const { resource, world, theirs } = await checkOut();
    await theirs(`${SET}/check-in`, { service_account_names: ["svc-1"] });
    expect(await asOther(world, `${SET}/check-out`, {})).toBe(200);
    expect(await resource.refresh()).toBe(false);
  });

  test("is replaced by the next up if its lease has ended, which the preview shows without a request", async () => {
    const { resource, world, status } = await checkOut();
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
    expect(notes).toEqual([`leaseEnds ${String(leaseEnds)} has passed, so pulumi up replaces the resource`]);
    expect(world.requests).toEqual([]);
    await resource.delete();
    await resource.create(program);
    expect(resource.preview(program).changes).toEqual([]);
    expect(checkedOutNames(await status())).toEqual(["svc-1"]);
  });

  test("shows no changes at any time if its lease does not expire", async () => {
    const { resource, world } = await library({ ttl: 0, max_ttl: 0 });
    await resource.create(program);
    world.now += 1e12;
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("is replaced if triggers or ttl change, and the account is checked in first", async () => {
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

  test("fails and checks the account in if the server ignored ttl", async () => {
    const { world, resource, status } = await library();
    const warnings = ["Endpoint ignored these unrecognized parameters: [ttl]"];
    world.transformResponse = ({ path }, answer) =>
      path.endsWith("check-out") ? { ...answer, json: { ...Object(answer.json), warnings } } : answer;
    const failure = await resource.create({ ...program, ttl: "30m" }).catch(String);
    expect(failure).toContain("with a warning that the server ignored ttl");
    expect(failure).toContain("The account was checked in again");
    expect(checkedOutNames(await status())).toEqual([]);
  });

  test("takes turns with other check-outs of the set, so that each records its own account", async () => {
    const { world, status } = await library({ service_account_names: ["a", "b", "c", "d"] });
    const all = ["1", "2", "3", "4"].map(() => new Resource(world, libraryCheckOut));
    let open = 0;
    let most = 0;
    world.fate = async ({ path }): Promise<Fate> => {
      if (path.endsWith("check-out")) most = Math.max(most, ++open);
      await new Promise(setImmediate);
      return "passes";
    };
    world.onResponse = ({ path }) => void (path.endsWith("check-out") && open--);
    await Promise.all(all.map((resource) => resource.create(program)));
    expect(most).toBe(1);
    expect(all.map(({ outputs }) => outputs.serviceAccountName).sort()).toEqual(["a", "b", "c", "d"]);
    expect(checkedOutNames(await status())).toHaveLength(4);
  });

  test("a refresh fails and preserves the state if the response is not a status of the set", async () => {
    const { resource, world } = await checkOut();
    const { outputs } = resource;
    for (const text of ["null", "{}", "[]", "true", '{"data":{}}', '{"data":{"another":{}}}']) {
      world.fate = () => refusal(200, text);
      await expect(resource.refresh()).rejects.toThrow("an object other than the requested object");
      expect(resource.outputs).toBe(outputs);
    }
  });

  test("marks password and leaseId as secret", () => {
    for (const name of ["password", "leaseId"])
      expect(new SecretMap(libraryCheckOut, {}).holdsSecret([name], "x")).toBe(true);
  });

  test("cannot be imported by its ID", async () => {
    const { resource } = await library();
    await expect(resource.get("ldap/ops/svc-1")).rejects.toThrow(
      /cannot be read by its ID or imported: .+ Next: /,
    );
  });
});

describe("LDAP library check-out with a lost response", () => {
  test("checks in the newly borrowed account by its name, and stores nothing in the state", async () => {
    const { resource, theirs, status, written } = await library();
    await theirs(`${SET}/check-out`, {});
    expect(await withFault(resource, { at: 1, fault: "response lost" }, () => resource.create(program))).toBe(
      true,
    );
    expect(written().at(-1)).toEqual({ service_account_names: ["svc-2"] });
    expect(checkedOutNames(await status())).toEqual(["svc-1"]);
    expect(resource.id).toBe("");
  });

  test("records a request that may still come, and the next up checks in the account borrowed by then", async () => {
    const { resource, world, status } = await library();
    let late: HttpRequest | undefined;
    world.onSleep = (milliseconds) => {
      world.now += milliseconds;
    };
    world.fate = (request) => {
      if (!request.path.endsWith("check-out") || late !== undefined) return "passes";
      late = request;
      return "request hangs";
    };
    await expect(resource.create(program)).rejects.toThrow("the server may still process the request");
    if (late === undefined) throw new Error("nothing was sent");
    await world.carryOut(late);
    expect(checkedOutNames(await status())).toEqual(["svc-1"]);
    await resource.up(program);
    expect(checkedOutNames(await status())).toHaveLength(1);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("the error names the account that was checked in again, and recommends pulumi up", async () => {
    const { resource, world } = await library();
    setFate(world, /check-out$/, "response lost");
    await expect(resource.create(program)).rejects.toThrow(
      /the response with the password of svc-1 was lost: .* The account was checked in again\. Next: pulumi up again\./,
    );
  });

  test("checks in none of several newly borrowed accounts, and the error names them", async () => {
    const { resource, world, status } = await library();
    actBeforeEach(world, /check-out$/, () => asOther(world, `${SET}/check-out`, {}), "response lost");
    await expect(resource.create(program)).rejects.toThrow(
      /Several accounts were checked out during the request \(svc-1, svc-2\)/,
    );
    expect(checkedOutNames(await status())).toEqual(["svc-1", "svc-2"]);
    world.now += 3_600_000;
    expect(checkedOutNames(await status())).toEqual([]);
  });

  test("if the check-in is lost too, the next up checks the account in before it checks one out", async () => {
    const { resource, world, status } = await library();
    world.fate = ({ path }) => {
      if (path.endsWith("check-out")) return "response lost";
      return path.endsWith("check-in") ? "request lost" : "passes";
    };
    await expect(resource.create(program)).rejects.toThrow("lost its connection");
    expect(checkedOutNames(await status())).toEqual(["svc-1"]);
    world.fate = () => "passes";
    expect(resource.preview(program).changes).toHaveLength(1);
    await resource.up(program);
    expect(checkedOutNames(await status())).toEqual(["svc-1"]);
    expect(world.requests.map(({ path }) => path.split("/").at(-1)).slice(-5)).toEqual([
      "status",
      "check-in",
      "status",
      "check-out",
      "status",
    ]);
    expect(resource.preview(program).changes).toEqual([]);
    await resource.delete();
    expect(checkedOutNames(await status())).toEqual([]);
  });
});

describe("LDAP library check-out in a set with other borrowers", () => {
  const one = { service_account_names: ["svc-1"] };

  test.each<[string, { [name: string]: Json }, { [name: string]: Json }]>([
    ["with manage: true", {}, { manage: true }],
    ["without check-in enforcement", { disable_check_in_enforcement: true }, {}],
    ["with check-in enforcement", {}, {}],
  ])(
    "does not check in an account that someone else borrowed while the request was lost (%s)",
    async (_, set, more) => {
      const { resource, world, status } = await library({ ...one, ...set });
      actBeforeEach(world, /check-out$/, () => asOther(world, `${SET}/check-out`, {}), "request lost");
      await expect(resource.create({ ...program, ...more })).rejects.toThrow(
        /The account stays checked out until its lease ends/,
      );
      expect(checkedOutNames(await status())).toEqual(["svc-1"]);
      expect(resource.id).toBe("");
    },
  );

  test("recognizes its borrower ID from an earlier check-out, and checks in without check-in enforcement", async () => {
    const { resource, world, status } = await library({ disable_check_in_enforcement: true });
    await new Resource(world, libraryCheckOut).create(program);
    setFate(world, /check-out$/, "response lost");
    await expect(resource.create(program)).rejects.toThrow("The account was checked in again");
    expect(checkedOutNames(await status())).toEqual(["svc-1"]);
  });

  test.each([false, true])(
    "starts again after its lease has ended if its borrower is unread (account borrowed again: %j)",
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
      expect(checkedOutNames(await status())).toEqual(isTaken ? ["svc-1"] : []);
    },
  );

  test("if response and status are lost, the next up leaves only its own account checked out", async () => {
    const { resource, world, status } = await library({ ttl: 0, max_ttl: 0 });
    let isDown = false;
    world.fate = ({ path }): Fate => {
      if (isDown) return "request lost";
      isDown = path.endsWith("check-out");
      return isDown ? "response lost" : "passes";
    };
    await expect(resource.create(program)).rejects.toThrow("Next: pulumi up again to read the status");
    world.fate = () => "passes";
    await resource.up(program);
    expect(checkedOutNames(await status())).toEqual([String(resource.outputs.serviceAccountName)]);
    await resource.delete();
    expect(checkedOutNames(await status())).toEqual([]);
  });

  test("after its lease has ended, a refresh removes it and a delete leaves a new check-out by the same token", async () => {
    const { resource, world, theirs, status } = await checkOut();
    world.now += 3_600_000;
    await theirs(`${SET}/check-out`, {});
    expect(await resource.refresh()).toBe(false);
    await resource.delete();
    expect(checkedOutNames(await status())).toEqual(["svc-1"]);
  });

  test("a refresh and a delete fail if the status of an existing set returns 400", async () => {
    const { resource, world, status } = await checkOut();
    const answer = { status: 400, text: '{"errors":["not now"]}' };
    world.fate = ({ path }) => (path.endsWith("/status") ? { answer, isCarriedOut: false } : "passes");
    await expect(resource.refresh()).rejects.toThrow("returned 400");
    await expect(resource.delete()).rejects.toThrow("returned 400");
    world.fate = () => "passes";
    await resource.delete();
    expect(checkedOutNames(await status())).toEqual([]);
  });

  test("a refresh removes it and a delete succeeds if its set was deleted", async () => {
    const { resource, theirs, deleteAsOther } = await checkOut();
    await theirs(`${SET}/check-in`, { service_account_names: ["svc-1"] });
    await deleteAsOther(SET);
    expect(await resource.refresh()).toBe(false);
    await resource.delete();
  });
});

test("a check-out that was sent twice on the way fails, and the next up checks in the account of the first", async () => {
  const { resource, world, status } = await library({ service_account_names: ["svc-1"] });
  let times = 0;
  world.fate = async (request): Promise<Fate> => {
    if (!request.path.endsWith("check-out")) return "passes";
    times += 1;
    if (times === 1) await world.carryOut(request);
    return "passes";
  };
  await expect(resource.create(program)).rejects.toThrow(
    /No service accounts available.* During the request, svc-1 was checked out: by someone else, or by this request/,
  );
  await resource.up(program);
  expect(checkedOutNames(await status())).toEqual(["svc-1"]);
  expect(times).toBe(2);
  expect(resource.preview(program).changes).toEqual([]);
});

test("does not check in an account that someone else checked out at the same moment", async () => {
  const { resource, world, status } = await library({ service_account_names: ["svc-1"] });
  actBeforeEach(world, /check-out$/, () => asOther(world, `${SET}/check-out`, {}));
  await expect(resource.create(program)).rejects.toThrow("by someone else, or by this request");
  await expect(resource.up(program)).rejects.toThrow("No service accounts available");
  expect(checkedOutNames(await status())).toEqual(["svc-1"]);
  expect(world.logged.join("\n")).toContain("svc-1 was checked out by someone else during the request");
});

test("logs an account that is already checked out with the same token, because a killed up may have left it", async () => {
  const { resource, world } = await library();
  const killed = new Resource(world, libraryCheckOut);
  await killed.create(program);
  expect(world.logged).toEqual([]);
  await resource.create(program);
  expect(world.logged.join("\n")).toMatch(
    /^info: svc-1 of the library set "ldap\/ops" was already checked out with the same token or entity, .*interrupted/,
  );
});

test("does not log an account that another borrower has", async () => {
  const { resource, world } = await library();
  await asOther(world, `${SET}/check-out`, {});
  await resource.create(program);
  expect(world.logged).toEqual([]);
});

describe.each(FAULTS)("LDAP library check-out and check-in with one fault (%s)", (fault) => {
  test.each([0, 1, 2, 3, 4, 5])(
    "at request %d leave no account checked out past its lease, and end with a working account",
    async (at) => {
      const { resource, world, status } = await library();
      await withFault(resource, { at, fault }, () => resource.create(program));
      const lost = checkedOutNames(await status()).length;
      // An account that a killed process borrowed is free again when its lease ends. Every other one is in the state.
      const known = resource.id === "" ? 0 : 1;
      expect(lost).toBeLessThanOrEqual(fault.startsWith("killed") ? 1 : known);
      for (
        let tries = 0;
        tries < 3 && (resource.id === "" || resource.record.pending !== undefined);
        tries++
      ) {
        await up(resource, program).catch(() => undefined);
      }
      expect(resource.outputs.password).toMatch(/\S/);
      expect(checkedOutNames(await status())).toContain(resource.outputs.serviceAccountName);

      await withFault(resource, { at, fault }, () => resource.delete());
      await resource.delete();
      expect(checkedOutNames(await status())).not.toContain(resource.outputs.serviceAccountName);
      world.now += 3_600_000;
      expect(checkedOutNames(await status())).toEqual([]);
    },
  );
});

test("two faults leave no account checked out that is not in the state, after its lease has ended", async () => {
  const fault = fc.record({ at: fc.nat(6), fault: fc.constantFrom(...FAULTS) });
  await fc.assert(
    fc.asyncProperty(fault, fault, async (first, second) => {
      const { resource, world, status } = await library({
        service_account_names: ["svc-1", "svc-2", "svc-3"],
      });
      await withFault(resource, first, () => resource.create(program));
      await withFault(resource, second, () => up(resource, program));
      for (let tries = 0; tries < 4; tries++) await up(resource, program).catch(() => undefined);
      expect(checkedOutNames(await status())).toContain(resource.outputs.serviceAccountName);
      await resource.delete();
      world.now += 3_600_000;
      expect(checkedOutNames(await status())).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
