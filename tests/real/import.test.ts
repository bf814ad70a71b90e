import takingOver from "../../cli/import/adoptProgram";
import { listServices, surroundings } from "../../cli/list/discover";
import { inTypeScript } from "../../cli/programs/typescript";
import { programOf } from "../command/programOf";
import { TestStack } from "../stack/stack";
import { stories } from "./productCommands";
import { reset } from "./reset";
import { isOnPath } from "./servers/onPath";
import { ask, givenServer, type Server } from "./servers/server";

const server = givenServer();

const SETTINGS = {
  nomad: { service: "scheduler", own: {} },
  bao: { service: "secrets", own: { queueMount: "msgq", directoryMount: "ldap" } },
  otfd: { service: "workspaces", own: { organization: "acme" } },
  consul: { service: "mesh", own: {} },
} as const;

/** What the server says of its objects when they are written: any write of ours would move it. */
const STAMPS: Readonly<Record<Server["program"], (server: Server) => Promise<unknown>>> = {
  nomad: async ({ address, token }) => {
    const headers = { "x-nomad-token": token };
    const jobs = (await ask(`${address}/v1/jobs`, { headers })) as { ID: string; JobModifyIndex: number }[];
    return jobs.map(({ ID, JobModifyIndex }) => [ID, JobModifyIndex]);
  },
  otfd: async ({ address, token }) => {
    const headers = { authorization: `Bearer ${token}` };
    const { data } = (await ask(`${address}/api/v2/organizations/acme/workspaces`, { headers })) as {
      data: { id: string; attributes: Record<string, unknown> }[];
    };
    return data.map(({ id, attributes }) => [id, attributes["updated-at"]]);
  },
  // Its objects have no times; what they are is compared by the preview.
  bao: async () => undefined,
  consul: async ({ address, token }) => {
    const headers = { "x-consul-token": token };
    const entries = await ask(`${address}/v1/config/service-defaults`, { headers });
    return (entries as { Name: string; ModifyIndex: number }[]).map(({ Name, ModifyIndex }) => [
      Name,
      ModifyIndex,
    ]);
  },
};

if (server === undefined) {
  test.skip("nothing is taken over: no server was started", () => undefined);
} else {
  process.env.PULUMI_ENGINE ??= isOnPath("pulumi") ? "cli" : "embedded";
  const { program, address, token } = server;
  const { service, own } = SETTINGS[program];
  const settings = { address, token, dialect: "real", ...own };

  test(`what is on ${server.version} is taken over without a write, and is quiet`, async () => {
    await reset();
    const maker = await TestStack.open({ [service]: settings });
    const taker = await TestStack.open({ [service]: settings });
    try {
      const made = await maker.up(async () => {
        stories[program].make("first");
      });
      expect(made.failure).toBeUndefined();
      const configuration = new Map([[`quarterdeck:${service}`, JSON.stringify(settings)]]);
      const options = { configuration, env: {}, services: [service] };
      const around = surroundings(options);
      const { found } = await listServices(options, around);
      const taken = await takingOver(found, around.host);
      expect(taken.unread).toEqual([]);
      expect(taken.program.statements.length).toBeGreaterThan(0);
      for (const name of taken.settings) await taker.stack.setConfig(name, { value: "x", secret: true });
      const before = await STAMPS[program](server);
      const text = inTypeScript(taken.program);
      const count = taken.program.statements.length + 1;
      expect(await taker.up(programOf(text))).toMatchObject({
        failure: undefined,
        changes: { create: count },
      });
      expect(await STAMPS[program](server)).toEqual(before);
      expect(await taker.preview(programOf(text))).toMatchObject({ changes: { same: count } });
    } finally {
      await taker.close();
      await maker.destroy();
      await maker.close();
    }
  });
}
