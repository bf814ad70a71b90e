import { WorkspacesService } from "../../stub/services/workspaces/service";
import type { Switches } from "../../stub/services/workspaces/settings";
import { type Answered, type Sent, send } from "./in-process";

/** The tokens of the scene, by the role of their owner. */
export const TOKENS = {
  owner: "token-owner",
  manager: "token-manager",
  reader: "token-reader",
  locker: "token-locker",
  otherLocker: "token-other-locker",
  admin: "token-admin",
  lockTeam: "token-lock-team",
  organization: "token-organization",
  registrar: "token-registrar",
  stranger: "token-stranger",
} as const;

const SEED = {
  tokens: {
    [TOKENS.owner]: { user: "olga", organizations: { acme: ["owners"] } },
    [TOKENS.manager]: { user: "mia", organizations: { acme: ["managers"] } },
    [TOKENS.reader]: { user: "rolf", organizations: { acme: ["readers"] } },
    [TOKENS.locker]: { user: "lena", organizations: { acme: ["lockers"] } },
    [TOKENS.otherLocker]: { user: "luca", organizations: { acme: ["lockers"] } },
    [TOKENS.admin]: { user: "ada", organizations: { acme: ["admins"] } },
    [TOKENS.lockTeam]: { team: "lockers", organization: "acme" },
    [TOKENS.organization]: { organization: "acme" },
    [TOKENS.registrar]: { user: "rita", organizations: { acme: ["registrars"] } },
    [TOKENS.stranger]: { user: "sven", organizations: { other: ["owners"] } },
  },
  organizations: {
    acme: {
      defaultAgentPool: "apool-large",
      teams: {
        managers: { manageWorkspaces: true },
        readers: { workspaces: { web: "read" } },
        lockers: { workspaces: { web: { runs: true, locking: true } } },
        admins: { workspaces: { web: "admin" } },
        registrars: { manageRegistry: true },
      },
    },
    other: {},
  },
};

/** An organization `acme` with a team for each access level and a member in each team. */
export class Scene {
  readonly service: WorkspacesService;
  now = Date.UTC(2030, 0, 1);

  constructor(switches: Partial<Switches> = {}) {
    this.service = new WorkspacesService({ switches: { dialect: "neutral", ...switches }, seed: SEED });
  }

  /** Sends a request as the owner, or as the token `as`. A body has the JSON:API content type. */
  send(
    method: string,
    path: string,
    body?: unknown,
    { as = TOKENS.owner, ...sent }: Sent & { as?: string } = {},
  ): Promise<Answered> {
    return send(this.service, method, `/api/v2${path}`, {
      now: this.now,
      ...sent,
      headers: {
        authorization: `Bearer ${as}`,
        ...(body === undefined ? {} : { "content-type": "application/vnd.api+json" }),
        ...sent.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
  }

  create(name: string, attributes: object = {}, relationships: object = {}): Promise<Answered> {
    return this.send(
      "POST",
      "/organizations/acme/workspaces",
      workspaceBody({ name, ...attributes }, relationships),
    );
  }

  /** Creates a workspace and returns its ID; throws if the stub rejects it. */
  async existing(name: string, attributes: object = {}): Promise<string> {
    const { status, body } = await this.create(name, attributes);
    if (status !== 201) throw new Error(`create returned ${status}: ${JSON.stringify(body)}`);
    return body.data.id;
  }

  patch(id: string, attributes: object, relationships: object = {}): Promise<Answered> {
    return this.send("PATCH", `/workspaces/${id}`, workspaceBody(attributes, relationships));
  }
}

/** The scene of the current test; each test gets a new scene. */
export let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});

export function workspaceBody(attributes: object, relationships: object = {}): object {
  return { data: { type: "workspaces", attributes, relationships } };
}

/** The `detail` of each error in an error response. */
export function details({ body }: Answered): readonly string[] {
  return body.errors.map((error: { detail: string }) => error.detail);
}

/** The `source.pointer` of each error in an error response. */
export function pointers({ body }: Answered): readonly string[] {
  return body.errors.map((error: { source: { pointer: string } }) => error.source.pointer);
}
