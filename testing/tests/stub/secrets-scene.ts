import { SecretsService } from "../../stub/services/secrets/service";
import type { Switches } from "../../stub/services/secrets/settings";
import { type Answered, type Sent, send } from "./in-process";

const SEED = {
  tokens: {
    root: {},
    "team-root": { namespace: "team" },
    reader: { policies: ["reader"] },
    keeper: { policies: ["keeper"] },
  },
  policies: {
    reader: { "msgq/roles/*": ["read", "list"], "msgq/roles": ["list"], "msgq/roles/hidden": ["deny"] },
    keeper: { "+/roles/+": ["create", "read", "update", "delete"], "team/msgq/*": ["read"] },
  },
  namespaces: { team: {}, "team/sub": {} },
};

/** A Vault stub with the root namespace, `team` and `team/sub`, and tokens with different permissions. */
export class Scene {
  readonly service: SecretsService;
  now = Date.UTC(2030, 0, 1);

  constructor(switches: Partial<Switches> = {}) {
    this.service = new SecretsService({ switches: { dialect: "neutral", ...switches }, seed: SEED });
  }

  send(
    method: string,
    path: string,
    body?: unknown,
    { as = "root", namespace = "", ...sent }: Sent & { as?: string; namespace?: string } = {},
  ): Promise<Answered> {
    return send(this.service, method, `/v1/${path}`, {
      now: this.now,
      ...sent,
      headers: {
        "x-secrets-token": as,
        ...(namespace === "" ? {} : { "x-secrets-namespace": namespace }),
        ...sent.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
  }

  read(path: string, options: { namespace?: string } = {}): Promise<Answered> {
    return this.send("GET", path, undefined, options);
  }

  write(path: string, body: unknown, options: { namespace?: string } = {}): Promise<Answered> {
    return this.send("POST", path, body, options);
  }

  /** Advances the stub's clock. */
  pass(seconds: number): void {
    this.now += seconds * 1000;
  }
}

/** The scene of the current test; each test gets a new scene. */
export let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});

/** The response of a read of an absent object and of a list without objects. */
export const NOT_FOUND = { status: 404, body: { errors: [] } };
