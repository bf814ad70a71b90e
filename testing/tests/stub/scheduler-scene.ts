import { StubClock } from "../../stub/clock";
import { SchedulerService } from "../../stub/services/scheduler/service";
import type { Switches } from "../../stub/services/scheduler/settings";
import { type Answered, type Sent, send } from "./in-process";

/** The tokens of the scene, by what they may do. */
export const TOKENS = {
  manager: "token-manager",
  submitter: "token-submitter",
  overrider: "token-overrider",
  reader: "token-reader",
  lister: "token-lister",
  dispatcher: "token-dispatcher",
  scaler: "token-scaler",
  parser: "token-parser",
  stranger: "token-stranger",
} as const;

const SEED = {
  tokens: {
    [TOKENS.manager]: { accessor: "accessor-manager", management: true },
    [TOKENS.submitter]: {
      accessor: "accessor-submitter",
      namespaces: { default: ["submit-job", "read-job"] },
    },
    [TOKENS.overrider]: { namespaces: { default: ["submit-job", "policy-override"] } },
    [TOKENS.reader]: { namespaces: { default: ["read-job", "list-jobs"] } },
    [TOKENS.lister]: { namespaces: { "team-*": ["list-jobs"], "team-secret": ["deny"] } },
    [TOKENS.dispatcher]: { namespaces: { default: ["dispatch-job"] } },
    [TOKENS.scaler]: { namespaces: { default: ["scale-job", "read-job-scaling"] } },
    [TOKENS.parser]: { namespaces: { default: ["parse-job", "submit-job"] } },
    [TOKENS.stranger]: { namespaces: {} },
  },
  namespaces: ["team-web", "team-data", "team-secret"],
  nodePools: ["gpu"],
  regions: ["west"],
};

/** A cluster of two regions with a few namespaces, and a caller of each kind. Its clock is the test's. */
export class Scene {
  readonly service: SchedulerService;
  readonly clock = new StubClock(() => START);

  constructor(switches: Partial<Switches> = {}, seed: object = {}) {
    this.service = new SchedulerService({
      switches: { dialect: "neutral", injects: [], ...switches },
      seed: { ...SEED, ...seed },
      random: () => 0.5,
    });
  }

  /** Sends as the manager, unless `as` names another. */
  send(
    method: string,
    path: string,
    body?: unknown,
    { as = TOKENS.manager, ...sent }: Sent & { as?: string } = {},
  ): Promise<Answered> {
    return send(this.service, method, `/v1${path}`, {
      clock: this.clock,
      ...sent,
      headers: { "x-sched-token": as, ...sent.headers },
      ...(body === undefined ? {} : { body }),
    });
  }

  get(path: string, sent: Sent & { as?: string } = {}): Promise<Answered> {
    return this.send("GET", path, undefined, sent);
  }

  register(job: object, fields: object = {}, sent: Sent & { as?: string } = {}): Promise<Answered> {
    return this.send("POST", "/jobs", { Job: job, ...fields }, sent);
  }

  /** Registers a job that must be accepted, and answers the registration's body. */
  async existing(job: object, fields: object = {}): Promise<Answered["body"]> {
    const { status, body } = await this.register(job, fields);
    if (status !== 200) throw new Error(`register answered ${status}: ${body}`);
    return body;
  }

  /** Reads a job that must be there. */
  async job(id: string, query = ""): Promise<Answered["body"]> {
    const { status, body } = await this.get(`/job/${id}${query}`);
    if (status !== 200) throw new Error(`read answered ${status}: ${body}`);
    return body;
  }

  /** Lets so much time pass. */
  pass(milliseconds: number): void {
    this.clock.advance(milliseconds);
  }
}

/** The scene of the test that runs: each test has a new one. */
export let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});

export const START = Date.UTC(2030, 0, 1);
export const SECOND = 1_000;
export const MINUTE = 60_000;

/** The least of a service job: one group `web` with one task. */
export function serviceJob(id: string, fields: object = {}, group: object = {}, task: object = {}): object {
  return {
    ID: id,
    TaskGroups: [{ Name: "web", Tasks: [{ Name: "server", Driver: "docker", ...task }], ...group }],
    ...fields,
  };
}

export function batchJob(id: string, fields: object = {}, group: object = {}): object {
  return serviceJob(id, { Type: "batch", ...fields }, group);
}

/** The header that a blocking query waits on. */
export function indexOf({ headers }: Answered): number {
  return Number(headers["x-sched-index"]);
}
