import takingOver from "../../cli/import/adoptProgram";
import { listServices, surroundings } from "../../cli/list/discover";
import { inTypeScript } from "../../cli/programs/typescript";
import { programOf } from "../command/programOf";
import { TestStack } from "../stack/stack";
import { stories } from "./productCommands";
import { reset } from "./reset";
import { isOnPath } from "./servers/onPath";
import { givenServer, type Server, sendRequest } from "./servers/server";

const server = givenServer();

const SETTINGS = {
  nomad: { service: "scheduler", own: {} },
  bao: { service: "secrets", own: { queueMount: "msgq", directoryMount: "ldap" } },
  otfd: { service: "workspaces", own: { organization: "acme" } },
  consul: { service: "mesh", own: {} },
} as const;

/** A value of each object that every write changes. */
const LAST_CHANGES: Readonly<Record<Server["program"], (server: Server) => Promise<unknown>>> = {
  nomad: async ({ address, token }) => {
    const headers = { "x-nomad-token": token };
    const jobs = (await sendRequest(`${address}/v1/jobs`, { headers })) as {
      ID: string;
      JobModifyIndex: number;
    }[];
    return jobs.map(({ ID, JobModifyIndex }) => [ID, JobModifyIndex]);
  },
  otfd: async ({ address, token }) => {
    const headers = { authorization: `Bearer ${token}` };
    const { data } = (await sendRequest(`${address}/api/v2/organizations/acme/workspaces`, { headers })) as {
      data: { id: string; attributes: Record<string, unknown> }[];
    };
    return data.map(({ id, attributes }) => [id, attributes["updated-at"]]);
  },
  // OpenBao stores no modification times. The preview compares the objects.
  bao: async () => undefined,
  consul: async ({ address, token }) => {
    const headers = { "x-consul-token": token };
    const entries = await sendRequest(`${address}/v1/config/service-defaults`, { headers });
    return (entries as { Name: string; ModifyIndex: number }[]).map(({ Name, ModifyIndex }) => [
      Name,
      ModifyIndex,
    ]);
  },
};

if (server === undefined) {
  test.skip("an import needs a real server", () => undefined);
} else {
  process.env.PULUMI_ENGINE ??= isOnPath("pulumi") ? "cli" : "embedded";
  const { program, address, token } = server;
  const { service, own } = SETTINGS[program];
  const settings = { address, token, dialect: "real", ...own };

  test(`the generated program imports all objects without a write and shows no changes (${server.version})`, async () => {
    await reset();
    const original = await TestStack.open({ [service]: settings });
    const importing = await TestStack.open({ [service]: settings });
    try {
      const created = await original.up(async () => {
        stories[program].make("first");
      });
      expect(created.failure).toBeUndefined();
      const configuration = new Map([[`quarterdeck:${service}`, JSON.stringify(settings)]]);
      const options = { configuration, env: {}, services: [service] };
      const environment = surroundings(options);
      const { found } = await listServices(options, environment);
      const imported = await takingOver(found, environment);
      expect(imported.unread).toEqual([]);
      expect(imported.program.statements.length).toBeGreaterThan(0);
      for (const { name } of imported.settings)
        await importing.stack.setConfig(name, { value: "x", secret: true });
      const before = await LAST_CHANGES[program](server);
      const text = inTypeScript(imported.program);
      const count = imported.program.statements.length + 1;
      expect(await importing.up(programOf(text))).toMatchObject({
        failure: undefined,
        changes: { create: count },
      });
      expect(await LAST_CHANGES[program](server)).toEqual(before);
      expect(await importing.preview(programOf(text))).toMatchObject({ changes: { same: count } });
    } finally {
      await importing.close();
      await original.destroy();
      await original.close();
    }
  });
}
