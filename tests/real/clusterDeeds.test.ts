import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { AlreadyExistsError } from "../../provider/core/state/errors";
import type { Json } from "../../provider/core/value/json";
import { type Moment, momentsOf, SURE } from "./clustered/fall";
import { type Came, type Staged, staged, upUnder } from "./clustered/once";
import { deeds } from "./deeds";
import { procedures } from "./procedures";
import { until } from "./servers/cluster";
import { clusterOfTests, clusters } from "./servers/clusters";
import { BIND } from "./servers/directory";
import { ask, givenServer } from "./servers/server";
import { loginEnforcementOf } from "./subjects/secrets";

const single = givenServer();
const start = single && clusters[single.program];

const CERTAIN = momentsOf(SURE);

if (single?.program !== "bao" || start === undefined) {
  test.skip("nothing is done once on a cluster: the server is another one", () => undefined);
} else {
  const clustered = clusterOfTests(start, single);

  /** What a person reads, as soon as anybody answers. */
  async function read(path: string): Promise<{ [member: string]: Json }> {
    const { address, token } = clustered().server;
    let data: { [member: string]: Json } = {};
    await until(`${path} is answered`, async () => {
      const answer = await ask(`${address}/v1/${path}`, { headers: { "x-vault-token": token } });
      // Every answer of this service is in an envelope.
      data = (answer as { data: typeof data }).data;
      return true;
    });
    return data;
  }

  /** Whether the directory takes the password that whom the engine binds as had first. */
  function takesFirstPassword(): boolean {
    const who = ["-D", BIND.dn, "-w", BIND.password];
    try {
      execFileSync("ldapwhoami", ["-x", "-H", clustered().server.more.directory ?? "", ...who], {
        stdio: "ignore",
      });
      return true;
    } catch {
      return false;
    }
  }

  /** What shows that something was done, where anything does. */
  const SHOWN: Readonly<Record<string, () => unknown>> = {
    "secrets:DirectoryRoleRotation": async () => (await read("ldap/static-cred/db")).password,
    "secrets:DirectoryRootRotation": takesFirstPassword,
  };

  function note(what: string, moment: Moment, { said, told }: Came): void {
    process.stderr.write(`${what}, ${moment}: ${said.length} errors\n${told === "" ? "" : `  ${told}\n`}`);
  }

  const actions = deeds.filter(([, { definition }]) => definition.life.kind === "action");

  describe.each(actions)(`%s on three servers (${single.version})`, (token, deed) => {
    test.each(CERTAIN)(
      "is said to be done, undone or unclear as it is; the active server ends %s",
      async (_, moment) => {
        await clustered().cluster.whole(clustered().server.token);
        const { world, program } = await deed.scene();
        const own = await staged(clustered(), deed.definition, world);
        const shown = async () => SHOWN[token]?.();
        const before = await shown();
        const came = await upUnder(clustered(), own, program, moment);
        note(token, moment, came);
        expect(came.isDone).toBe(true);
        const hasMoved = (await shown()) !== before;
        const { outcome } = own.resource.outputs;
        if (outcome === "unclear") expect(came.told).toContain("it is not repeated");
        else expect([outcome, SHOWN[token] === undefined || hasMoved]).toEqual(["done", true]);
        expect(own.resource.preview(program).changes).toEqual([]);
        await own.way.close();
      },
    );
  });

  test(`a login enforcement that OpenBao deletes is back with its next server, and a create goes over nothing (${single.version})`, async () => {
    const { cluster, server } = clustered();
    await cluster.whole(server.token);
    const subject = loginEnforcementOf("deleted");
    const [program] = fc.sample(subject.programs, 1);
    if (program === undefined) throw new Error("it has programs");
    const own = await staged(clustered(), subject.definition, await subject.world());
    await own.resource.create(program);
    await own.resource.delete();
    expect(await own.resource.refresh()).toBe(false);
    await cluster.kill(await cluster.active());
    await own.way.close();
    // Its own fault: where this is no more, docs/clusters.md has a sentence too many.
    expect(await read("identity/mfa/login-enforcement/deleted")).toMatchObject({ name: "deleted" });
    const next = await staged(clustered(), subject.definition, await subject.world());
    await expect(next.resource.create(program)).rejects.toThrow(AlreadyExistsError);
    await next.way.close();
  });

  const connections = deeds.filter(([token]) => token === "secrets:QueueConnection");

  describe.each(connections)(`%s on three servers (${single.version})`, (token, deed) => {
    test.each(CERTAIN)("is in force in the end; the active server ends %s", async (_, moment) => {
      await clustered().cluster.whole(clustered().server.token);
      const { world, program, another = {} } = await deed.scene();
      let own = await staged(clustered(), deed.definition, world);
      const { address, token: root } = clustered().server;
      const headers = { "x-vault-token": root };
      const body = { tags: "monitoring" };
      await ask(`${address}/v1/msgq/roles/app`, { method: "POST", headers, body });
      for (const [written, beginning] of [
        [program, "a-"],
        [another, "b-"],
      ] as const) {
        await own.way.close();
        own = await staged(clustered(), deed.definition, world, own.resource);
        const came = await upUnder(clustered(), own, written, moment);
        note(token, moment, came);
        expect(came.isDone).toBe(true);
        expect(own.resource.preview(written).changes).toEqual([]);
        expect((await read("msgq/creds/app")).username).toMatch(beginning);
      }
      await own.way.close();
    });
  });

  const loans = procedures.filter(([token]) => token === "secrets:LibraryCheckOut");

  describe.each(loans)(`%s on three servers (${single.version})`, (token, { definition, scene }) => {
    /** Whom nobody has at the moment, and whom somebody has. */
    const borrowed = async () =>
      Object.entries(await read("ldap/library/ops/status"))
        // Each account is an object that says so.
        .filter(([, account]) => (account as { available: boolean }).available === false)
        .map(([name]) => name);

    test.each(CERTAIN)(
      "has one account, or says which it may have; the active server ends %s",
      async (_, moment) => {
        await clustered().cluster.whole(clustered().server.token);
        const { world, program } = await scene();
        const own: Staged = await staged(clustered(), definition, world);
        const came = await upUnder(clustered(), own, program, moment);
        note(token, moment, came);
        expect(came.isDone).toBe(true);
        const had = await borrowed();
        expect(had).toContain(own.resource.outputs.serviceAccountName);
        expect(own.resource.preview(program).changes).toEqual([]);
        await own.resource.delete();
        const left = await borrowed();
        for (const account of left) expect(came.told).toContain(account);
        await own.way.close();
      },
    );
  });
}
