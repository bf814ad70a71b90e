import { StubClock } from "../../stub/clock";
import { SchedulerService } from "../../stub/services/scheduler/service";
import type { Switches } from "../../stub/services/scheduler/settings";
import { type Answered, type Sent, send } from "./in-process";

/** The tokens of the scene, by their permissions. */
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

/** A cluster of two regions with a few namespaces and a token for each permission. The test controls its clock. */
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

  /** Sends a request as the manager, or as the token `as`. */
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

  /** Registers a job and returns the response body; throws if the stub rejects it. */
  async existing(job: object, fields: object = {}): Promise<Answered["body"]> {
    const { status, body } = await this.register(job, fields);
    if (status !== 200) throw new Error(`register returned ${status}: ${body}`);
    return body;
  }

  /** Reads a job; throws if it does not exist. */
  async job(id: string, query = ""): Promise<Answered["body"]> {
    const { status, body } = await this.get(`/job/${id}${query}`);
    if (status !== 200) throw new Error(`read returned ${status}: ${body}`);
    return body;
  }

  /** Advances the clock. */
  pass(milliseconds: number): void {
    this.clock.advance(milliseconds);
  }
}

/** The scene of the current test; each test gets a new scene. */
export let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});

export const START = Date.UTC(2030, 0, 1);
export const SECOND = 1_000;
export const MINUTE = 60_000;

/** A minimal service job: one group `web` with one task. */
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

/** The index header, which a blocking query passes back. */
export function indexOf({ headers }: Answered): number {
  return Number(headers["x-sched-index"]);
}
