import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import job from "../../../provider/services/scheduler/job";
import { StubClock } from "../../../testing/stub/clock";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";

export const headers = { "x-sched-token": "manager", "content-type": "application/json" };
const SEED = { tokens: { manager: { management: true } }, namespaces: ["shop"], regions: ["west"] };

/** The smallest job, in the names of Nomad's API. */
export const web = {
  ID: "web",
  TaskGroups: [{ Name: "front", Count: 2, Tasks: [{ Name: "server", Driver: "docker" }] }],
};

/** The same job as `spec`. */
export const typedWeb = {
  id: "web",
  taskGroups: [{ name: "front", count: 2, tasks: [{ name: "server", driver: "docker" }] }],
};

/** The same job in HCL. */
export const webText = `job "web" {
  group "front" {
    count = 2
    task "server" {
      driver = "docker"
    }
  }
}
`;

/** A mock Nomad server with other users, and one job of a program. */
export class JobScene {
  readonly stub: SchedulerService;
  readonly world: World;
  readonly resource: Resource;
  readonly clock = new StubClock(() => Date.UTC(2030, 0, 1));

  constructor(settings: Values = {}, options: ConstructorParameters<typeof SchedulerService>[0] = {}) {
    this.stub = new SchedulerService({
      seed: SEED,
      random: () => 0.5,
      ...options,
      switches: { dialect: "neutral", ...options.switches },
    });
    this.world = new World(this.stub, job, { token: "manager", ...settings });
    this.world.clock = this.clock;
    this.resource = new Resource(this.world, job);
  }

  /** A resource of a different program on the same server. */
  another(): Resource {
    return new Resource(this.world.another(), job);
  }

  /** Registers a job as another user, without an index check. */
  async register(document: Json, query = ""): Promise<void> {
    const { status, text } = await this.send("POST", `/v1/jobs${query}`, { Job: document });
    if (status !== 200) throw new Error(text);
  }

  /** The job that the server stores. */
  async held(id = "web", query = ""): Promise<{ [member: string]: Json }> {
    // The server returns a job.
    return (await this.send("GET", `/v1/job/${id}${query}`)).json as { [member: string]: Json };
  }

  send(method: string, path: string, body?: Json) {
    return this.world.send(method, path, body, headers);
  }

  /** The bodies of the registrations that this program sent. */
  get registers(): { [member: string]: Json }[] {
    return this.world.requests.flatMap(({ method, path, body }) =>
      // The body of a registration is an object.
      method === "POST" && path === "/v1/jobs" ? [body as { [member: string]: Json }] : [],
    );
  }

  /** Advances the server's clock, a second at a time, while a blocking query of the program is open. */
  letTimePass(): void {
    let ticking: NodeJS.Timeout | undefined;
    this.world.fate = ({ query }) => {
      if (query?.index !== undefined) ticking = setInterval(() => this.clock.advance(1000), 0);
      return "passes";
    };
    this.world.onResponse = () => clearInterval(ticking);
  }

  /** The progress messages of waits. */
  get progress(): string[] {
    return this.world.logged.flatMap((line) => /^progress: (.*)/.exec(line)?.[1] ?? []);
  }

  /** The number of requests to parse HCL. */
  get parses(): number {
    return this.world.requests.filter(({ path }) => path === "/v1/jobs/parse").length;
  }
}
