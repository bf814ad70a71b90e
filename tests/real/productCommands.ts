import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mesh, scheduler, secrets, workspaces } from "../../sdk";
import { type Program, type Server, sendRequest } from "./servers/server";

/** One resource with two programs, and an edit with the product's own command. */
export interface Story {
  readonly token: string;
  make(which: "first" | "second"): unknown;
  /** The property that the command changes, as messages name it. */
  readonly changedProperty: string;
  edit(server: Server): Promise<void> | void;
  readonly editedWith: string;
}

const run = (program: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
  execFileSync(program, args, { env: { ...process.env, ...env }, stdio: "pipe", timeout: 60_000 });

const web = (count: number, level: string) => ({
  spec: {
    id: "web",
    taskGroups: [
      {
        name: "front",
        count,
        tasks: [
          {
            name: "server",
            driver: "raw_exec",
            config: { command: "/bin/sleep", args: ["600"] },
            env: { LEVEL: level },
            resources: { cpu: 20, memoryMB: 16 },
          },
        ],
      },
    ],
  },
  purge: true,
});

/** The story for each server. */
export const stories: Readonly<Record<Program, Story>> = {
  nomad: {
    token: "scheduler:Job",
    make: (which) => new scheduler.Job("scheduler-Job", web(1, which)),
    changedProperty: "count",
    editedWith: "nomad job run",
    edit: ({ address, token }) => {
      const env = { NOMAD_ADDR: address, NOMAD_TOKEN: token };
      // The command prints a job.
      const { Job } = JSON.parse(String(run("nomad", ["job", "inspect", "web"], env))) as {
        Job: { TaskGroups: { Count: number }[] };
      };
      for (const group of Job.TaskGroups) group.Count = 2;
      const file = join(mkdtempSync(join(tmpdir(), "quarterdeck-job-")), "job.json");
      writeFileSync(file, JSON.stringify({ Job }));
      run("nomad", ["job", "run", "-detach", "-json", file], env);
    },
  },
  bao: {
    token: "secrets:QueueRole",
    make: (which) =>
      new secrets.QueueRole("secrets-QueueRole", {
        name: "app",
        tags: which === "first" ? ["monitoring"] : ["management"],
      }),
    changedProperty: "tags",
    editedWith: "bao write",
    edit: ({ address, token }) => {
      run("bao", ["write", "msgq/roles/app", "tags=administrator"], { BAO_ADDR: address, BAO_TOKEN: token });
    },
  },
  otfd: {
    token: "workspaces:Workspace",
    make: (which) =>
      new workspaces.Workspace("workspaces-Workspace", {
        name: "app",
        description: which,
        forceDelete: true,
      }),
    changedProperty: "description",
    editedWith: "the product's API",
    edit: async ({ address, token }) => {
      await sendRequest(`${address}/api/v2/organizations/acme/workspaces/app`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/vnd.api+json" },
        body: { data: { type: "workspaces", attributes: { description: "theirs" } } },
      });
    },
  },
  consul: {
    token: "mesh:ServiceDefaults",
    make: (which) =>
      new mesh.ServiceDefaults("mesh-ServiceDefaults", {
        name: "web",
        spec: { protocol: "http", meta: { level: which } },
      }),
    changedProperty: "protocol",
    editedWith: "consul config write",
    edit: ({ address, token }) => {
      const file = join(mkdtempSync(join(tmpdir(), "quarterdeck-entry-")), "entry.json");
      writeFileSync(file, JSON.stringify({ Kind: "service-defaults", Name: "web", Protocol: "tcp" }));
      run("consul", ["config", "write", file], { CONSUL_HTTP_ADDR: address, CONSUL_HTTP_TOKEN: token });
    },
  },
};
