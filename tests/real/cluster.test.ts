import { createClient } from "../../provider/core/http/client";
import { systemRuntime } from "../../provider/core/http/runtime";
import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { ConflictError } from "../../provider/core/state/conflict";
import type { Json } from "../../provider/core/value/json";
import job from "../../provider/services/scheduler/job";
import mfaMethod from "../../provider/services/secrets/mfaMethod";
import queueRole from "../../provider/services/secrets/queueRole";
import type { StubService } from "../../testing/stub/service";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { startBaoCluster } from "./servers/baoCluster";
import type { Cluster } from "./servers/cluster";
import { startNomadCluster } from "./servers/nomadCluster";
import { ask, Begun, givenServer } from "./servers/server";

const server = givenServer();

/** An object, two programs for it, and what a person writes over it. */
interface Story {
  readonly definition: AnyDefinition;
  readonly first: Values;
  readonly second: Values;
  edit(at: string, headers: Record<string, string>, resource: Resource): Promise<void>;
}

const jobOf = (Priority: number): { [member: string]: Json } => ({
  ID: "clustered",
  Priority,
  Datacenters: ["dc1"],
  TaskGroups: [{ Name: "main", Tasks: [{ Name: "main", Driver: "raw_exec", Config: { command: "true" } }] }],
});

const STORIES: Readonly<Record<string, readonly Story[]>> = {
  bao: [
    {
      definition: queueRole,
      first: { name: "app", tags: "monitoring" },
      second: { name: "app", tags: "management" },
      edit: async (at, headers) => {
        await ask(`${at}/v1/msgq/roles/app`, { method: "POST", headers, body: { tags: "policymaker" } });
      },
    },
    {
      definition: mfaMethod,
      first: { methodName: "corporate", orgName: "acme", apiToken: "one" },
      second: { methodName: "corporate", orgName: "umbrella", apiToken: "one" },
      edit: async (at, headers, { id }) => {
        const body = { method_name: "corporate", org_name: "theirs", api_token: "one" };
        const path = `identity/mfa/method/okta/${id.split("/").at(-1)}`;
        await ask(`${at}/v1/${path}`, { method: "POST", headers, body });
      },
    },
  ],
  nomad: [
    {
      definition: job,
      first: { json: jobOf(50), purge: true },
      second: { json: jobOf(60), purge: true },
      edit: async (at, headers) => {
        await ask(`${at}/v1/jobs`, { method: "POST", headers, body: { Job: jobOf(70) } });
      },
    },
  ],
};

const STARTS = {
  bao: { start: startBaoCluster, header: "x-vault-token", settings: { queueMount: "msgq" } },
  nomad: { start: startNomadCluster, header: "x-nomad-token", settings: {} },
} as const;

/** When the active server is ended: just before a write is sent, or while it is under way. */
const MOMENTS = ["before it is written", "while it is written"] as const;

/** How long the commands of a story may take in a cluster that has lost its active server. */
const ROUNDS = 20;

if (server?.program !== "bao" && server?.program !== "nomad") {
  test.skip("no cluster is tried: the server is another one", () => undefined);
} else {
  const { program, version } = server;
  const { start, header, settings } = STARTS[program];
  const stories = (STORIES[program] ?? []).map((story) => [story.definition.token, story] as const);
  const begun = new Begun();
  let cluster: Cluster;
  let headers: Record<string, string>;

  beforeAll(async () => {
    const started = await start(begun);
    cluster = started.cluster;
    headers = { [header]: started.token };
    if (program !== "bao") return;
    const { address } = await cluster.active();
    await ask(`${address}/v1/sys/mounts/msgq`, { method: "POST", headers, body: { type: "rabbitmq" } });
    await whole();
  });

  afterAll(() => begun.end());

  const whole = () => cluster.whole(headers[header] ?? "");

  /** A world by way of one server, where something happens as a write begins. */
  function worldAt(address: string, { definition }: Story, onWrite: () => unknown = () => undefined): World {
    // Only where it is, and that time is real, is asked of what stands in a stub's place.
    const reached = { settings: { address, dialect: "real", ...settings }, runtime: systemRuntime };
    const stub = { name: definition.service.name, reached } as unknown as StubService;
    const token = headers[header] ?? "";
    return new World(
      stub,
      definition,
      { token },
      {
        runtime: systemRuntime,
        createClient: (options) => {
          const client = createClient(options);
          return {
            close: () => client.close(),
            async send(request) {
              if (request.nature === "write") await onWrite();
              return client.send(request);
            },
          };
        },
      },
    );
  }

  /** The same command until it succeeds, with what each that failed has said. */
  async function again(deed: () => Promise<unknown>): Promise<string[]> {
    const said: string[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      try {
        await deed();
        return said;
      } catch (error) {
        if (error instanceof ConflictError) throw error;
        said.push(String(error));
      }
    }
    throw new Error(`${said[0]}\n${said.length} errors, the last: ${said.at(-1)}`);
  }

  /** Whether the object is there, as the active server has it. */
  async function isThere(resource: Resource, story: Story): Promise<boolean> {
    const there = new Resource(worldAt((await cluster.active()).address, story), story.definition);
    there.id = resource.id;
    there.outputs = resource.outputs;
    return there.refresh();
  }

  describe.each(stories)(`%s, by a standby of three servers (${version})`, (_, story) => {
    test("fifty times created, updated, refreshed and deleted, with nothing to tell", async () => {
      await whole();
      const { address } = await cluster.standby();
      for (let times = 0; times < 50; times++) {
        const world = worldAt(address, story);
        const resource = new Resource(world, story.definition);
        await resource.create(story.first);
        expect(resource.preview(story.first).changes).toEqual([]);
        await resource.up(story.second);
        expect(resource.preview(story.second).changes).toEqual([]);
        expect(await resource.refresh()).toBe(true);
        expect(resource.preview(story.second).changes).toEqual([]);
        expect(world.logged).toEqual([]);
        await resource.delete();
      }
    });

    test("thirty edits just before an up are conflicts, and none is lost", async () => {
      await whole();
      const [active, standby] = [await cluster.active(), await cluster.standby()];
      for (let times = 0; times < 30; times++) {
        const resource = new Resource(worldAt(standby.address, story), story.definition);
        await resource.create(story.first);
        await story.edit(active.address, headers, resource);
        await expect(resource.up(story.second)).rejects.toThrow(ConflictError);
        await resource.delete().catch(() => resource.refresh().then(() => resource.delete()));
      }
    });

    test.each(MOMENTS)(
      "the active server ends %s: a create, an update and a delete come to their end",
      async (moment) => {
        let isArmed = false;
        const onWrite = async () => {
          if (!isArmed) return;
          isArmed = false;
          const ended = cluster.active().then((active) => cluster.kill(active));
          if (moment === "before it is written") await ended;
        };
        const resources: Resource[] = [];
        const armed = async (deed: (resource: Resource) => Promise<unknown>) => {
          await whole();
          const { address } = await cluster.standby();
          const resource = new Resource(worldAt(address, story, onWrite), story.definition);
          const last = resources.at(-1);
          if (last !== undefined) {
            resource.id = last.id;
            resource.outputs = last.outputs;
            resource.inputs = last.inputs;
          }
          resources.push(resource);
          isArmed = true;
          const said = await again(() => deed(resource));
          expect(isArmed).toBe(false);
          return { resource, said };
        };

        const made = await armed(async (resource) => {
          if (resource.id !== "") {
            if (!(await resource.refresh())) throw new Error("it was made, and is gone");
            return resource.up(story.first);
          }
          return resource.create(story.first);
        });
        expect(made.resource.preview(story.first).changes).toEqual([]);
        expect(await isThere(made.resource, story)).toBe(true);

        const updated = await armed(async (resource) => {
          await resource.refresh();
          await resource.up(story.second);
        });
        await updated.resource.refresh();
        expect(updated.resource.preview(story.second).changes).toEqual([]);

        const deleted = await armed(async (resource) => {
          await resource.delete();
        });
        await whole();
        expect(await isThere(deleted.resource, story)).toBe(false);
        const told = { made, updated, deleted };
        for (const [what, { said }] of Object.entries(told))
          process.stderr.write(
            `${story.definition.token} ${what}, ${moment}: ${said.length} errors\n${said.map((one) => `  ${one}\n`).join("")}`,
          );
      },
    );

    test("an edit that the ended server took is a conflict by the next one", async () => {
      await whole();
      const [active, standby] = [await cluster.active(), await cluster.standby()];
      const resource = new Resource(worldAt(standby.address, story), story.definition);
      await resource.create(story.first);
      await story.edit(active.address, headers, resource);
      await cluster.kill(active);
      const conflicts: unknown[] = [];
      await again(async () => {
        try {
          await resource.up(story.second);
        } catch (error) {
          if (!(error instanceof ConflictError)) throw error;
          conflicts.push(error);
        }
      });
      expect(conflicts).toHaveLength(1);
      await whole();
      await resource.refresh();
      await resource.delete();
    });
  });
}
