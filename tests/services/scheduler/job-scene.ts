import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import job from "../../../provider/services/scheduler/job";
import { StubClock } from "../../../testing/stub/clock";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";

export const headers = { "x-sched-token": "manager", "content-type": "application/json" };
const SEED = { tokens: { manager: { management: true } }, namespaces: ["shop"], regions: ["west"] };

/** The smallest job, by the service's names. */
export const web = {
  ID: "web",
  TaskGroups: [{ Name: "front", Count: 2, Tasks: [{ Name: "server", Driver: "docker" }] }],
};

/** The same job, typed. */
export const typedWeb = {
  id: "web",
  taskGroups: [{ name: "front", count: 2, tasks: [{ name: "server", driver: "docker" }] }],
};

/** The same job in the scheduler's language. */
export const webText = `job "web" {
  group "front" {
    count = 2
    task "server" {
      driver = "docker"
    }
  }
}
`;

/** A scheduler with somebody at its console, and one job of a program. */
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

  /** A resource of another program, at the same service. */
  another(): Resource {
    return new Resource(this.world.another(), job);
  }

  /** Registers as somebody else, without a check. */
  async register(document: Json, query = ""): Promise<void> {
    const { status, text } = await this.send("POST", `/v1/jobs${query}`, { Job: document });
    if (status !== 200) throw new Error(text);
  }

  /** What the service holds. */
  async held(id = "web", query = ""): Promise<{ [member: string]: Json }> {
    // The service answers a job.
    return (await this.send("GET", `/v1/job/${id}${query}`)).json as { [member: string]: Json };
  }

  send(method: string, path: string, body?: Json) {
    return this.world.send(method, path, body, headers);
  }

  /** The bodies of the registers that this program sent. */
  get registers(): { [member: string]: Json }[] {
    return this.world.requests.flatMap(({ method, path, body }) =>
      // A register's body is an object.
      method === "POST" && path === "/v1/jobs" ? [body as { [member: string]: Json }] : [],
    );
  }

  /** Lets the service's time pass, a second at a time, while a request of the program is held back. */
  letTimePass(): void {
    let ticking: NodeJS.Timeout | undefined;
    this.world.fate = ({ query }) => {
      if (query?.index !== undefined) ticking = setInterval(() => this.clock.advance(1000), 0);
      return "passes";
    };
    this.world.afterwards = () => clearInterval(ticking);
  }

  /** What was shown while something was waited for. */
  get progress(): string[] {
    return this.world.logged.flatMap((line) => /^progress: (.*)/.exec(line)?.[1] ?? []);
  }

  /** How often the service was asked to read a job's text. */
  get parses(): number {
    return this.world.requests.filter(({ path }) => path === "/v1/jobs/parse").length;
  }
}
