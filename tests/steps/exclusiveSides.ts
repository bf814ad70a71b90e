import fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import type { Json } from "../../provider/core/value/json";
import directoryConfig from "../../provider/services/secrets/directoryConfig";
import dataRetentionPolicy from "../../provider/services/workspaces/dataRetentionPolicy";
import workspace from "../../provider/services/workspaces/workspace";
import { SecretsService } from "../../testing/stub/services/secrets/service";
import { WorkspacesService } from "../../testing/stub/services/workspaces/service";
import { expectAccepted } from "./rejectedRequest";
import { World } from "./world";

export type DialectName = "neutral" | "real";

/** One side of a pair of properties that exclude each other, and how people set it. */
interface Side {
  /** Values that are not empty. */
  readonly values: fc.Arbitrary<Json>;
  /** The part of a program that sets such a value. */
  program(value: Json): Values;
  /** The bodies of the requests with which another user sets it and clears the properties that exclude it. */
  outside(value: Json): readonly Json[];
}

/** A definition with exclusive properties, and what its objects need. */
export interface Excluding {
  readonly definition: Definition;
  /** The properties that every program sets in addition to the pair. */
  readonly base: Values;
  /** A property outside of every pair, with two values. */
  readonly unrelated?: { readonly first: Values; readonly second: Values };
  world(dialect: DialectName): Promise<World>;
  /** Sends one request as another user. */
  send(world: World, dialect: DialectName, body: Json): Promise<void>;
  /** Creates the object as another user, with the service's defaults. Undefined if it has no other properties. */
  make?(world: World, dialect: DialectName): Promise<void>;
  readonly sides: Readonly<Record<string, Side>>;
}

const apiHeaders = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };
const organizations = { acme: {} };
const tokens = { owner: { user: "olga", organizations: { acme: ["owners"] } } };

function workspacesWorld(definition: Definition, dialect: DialectName, workspaces: readonly object[]): World {
  const stub = new WorkspacesService({ seed: { tokens, organizations, workspaces }, switches: { dialect } });
  return new World(stub, definition, { token: "owner", organization: "acme", dialect });
}

async function byApi(world: World, method: string, path: string, data: Json): Promise<void> {
  expectAccepted(await world.send(method, `/api/v2${path}`, { data }, apiHeaders));
}

async function patchApp(world: World, attributes: Json): Promise<void> {
  const answer = await world.send("GET", "/api/v2/organizations/acme/workspaces/app", undefined, apiHeaders);
  expectAccepted(answer);
  const { data } = answer.json as { data: { id: string } };
  await byApi(world, "PATCH", `/workspaces/${data.id}`, { type: "workspaces", attributes });
}

const repository = { identifier: "acme/app", oauthTokenId: "ot-code" };
const repositoryOnWire = { identifier: "acme/app", "oauth-token-id": "ot-code" };
const byApp = { identifier: "acme/app", githubAppInstallationId: "ghain-code" };
const byAppOnWire = { identifier: "acme/app", "github-app-installation-id": "ghain-code" };
const noTriggers = {
  "trigger-prefixes": [],
  "trigger-patterns": [],
  "vcs-repo": { ...repositoryOnWire, "tags-regex": null },
};
const globs = fc.uniqueArray(fc.constantFrom("/a/**", "/b/*.tf", "/c"), { minLength: 1, maxLength: 2 });

const inWorkspace: Excluding = {
  definition: workspace,
  base: { name: "app" },
  unrelated: { first: { description: "one" }, second: { description: "two" } },
  world: async (dialect) => workspacesWorld(workspace, dialect, []),
  send: (world, _, attributes) => patchApp(world, attributes),
  make: (world) =>
    byApi(world, "POST", "/organizations/acme/workspaces", {
      type: "workspaces",
      attributes: { name: "app", "vcs-repo": repositoryOnWire },
    }),
  sides: {
    triggerPrefixes: {
      values: globs,
      program: (triggerPrefixes) => ({ triggerPrefixes, vcsRepo: repository }),
      outside: (value) => [noTriggers, { "trigger-prefixes": value }],
    },
    triggerPatterns: {
      values: globs,
      program: (triggerPatterns) => ({ triggerPatterns, vcsRepo: repository }),
      outside: (value) => [noTriggers, { "trigger-patterns": value }],
    },
    "vcsRepo.tagsRegex": {
      values: fc.constantFrom("^v", "^release-"),
      program: (tagsRegex) => ({ vcsRepo: { ...repository, tagsRegex } }),
      outside: (value) => [noTriggers, { "vcs-repo": { ...repositoryOnWire, "tags-regex": value } }],
    },
    autoDestroyAt: {
      values: fc.constantFrom("2031-01-01T00:00:00Z", "2032-06-01T12:00:00+02:00"),
      program: (autoDestroyAt) => ({ autoDestroyAt }),
      outside: (value) => [{ "auto-destroy-activity-duration": null, "auto-destroy-at": value }],
    },
    autoDestroyActivityDuration: {
      values: fc.constantFrom("14d", "12h"),
      program: (autoDestroyActivityDuration) => ({ autoDestroyActivityDuration }),
      outside: (value) => [{ "auto-destroy-at": null, "auto-destroy-activity-duration": value }],
    },
    inheritsProjectAutoDestroy: {
      values: fc.constant(true),
      program: (inheritsProjectAutoDestroy) => ({ inheritsProjectAutoDestroy }),
      outside: (value) => [{ "inherits-project-auto-destroy": value }],
    },
    "vcsRepo.oauthTokenId": {
      values: fc.constant("ot-code"),
      program: () => ({ vcsRepo: repository }),
      outside: () => [{ "vcs-repo": repositoryOnWire }],
    },
    "vcsRepo.githubAppInstallationId": {
      values: fc.constant("ghain-code"),
      program: () => ({ vcsRepo: byApp }),
      outside: () => [{ "vcs-repo": byAppOnWire }],
    },
  },
};

const inRetention: Excluding = {
  definition: dataRetentionPolicy,
  base: { workspaceId: "ws-app" },
  world: async (dialect) =>
    workspacesWorld(dataRetentionPolicy, dialect, [{ organization: "acme", name: "app", id: "ws-app" }]),
  send: (world, _, data) =>
    byApi(world, "POST", "/workspaces/ws-app/relationships/data-retention-policy", data),
  sides: {
    deleteOlderThanDays: {
      values: fc.constantFrom(1, 30, 90),
      program: (deleteOlderThanDays) => ({ deleteOlderThanDays }),
      outside: (value) => [
        {
          type: "data-retention-policy-delete-olders",
          attributes: { "delete-older-than-n-days": value },
        },
      ],
    },
    dontDelete: {
      values: fc.constant(true),
      program: (dontDelete) => ({ dontDelete }),
      outside: () => [{ type: "data-retention-policy-dont-deletes" }],
    },
  },
};

const inDirectory: Excluding = {
  definition: directoryConfig,
  base: { binddn: "cn=admin", bindpass: "hush-hush", mount: "ldap" },
  unrelated: { first: { userdn: "ou=one" }, second: { userdn: "ou=two" } },
  world: async (dialect) => {
    const stub = new SecretsService({ seed: { tokens: { root: {} } }, switches: { dialect } });
    return new World(stub, directoryConfig, { token: "root", dialect });
  },
  async send(world, dialect, body) {
    const headers = { [dialect === "real" ? "x-vault-token" : "x-secrets-token"]: "root" };
    expectAccepted(
      await world.send("POST", "/v1/ldap/config", body, { ...headers, "content-type": "application/json" }),
    );
  },
  make(world, dialect) {
    return this.send(world, dialect, { binddn: "cn=admin", bindpass: "other-secret" });
  },
  sides: {
    length: {
      values: fc.constantFrom(20, 32),
      program: (length) => ({ length }),
      outside: (value) => [{ password_policy: "" }, { length: value }],
    },
    passwordPolicy: {
      values: fc.constantFrom("strict", "plain"),
      program: (passwordPolicy) => ({ passwordPolicy }),
      outside: (value) => [{ password_policy: value }],
    },
  },
};

/** By their tokens, the definitions whose exclusive properties are compared. */
export const excluding: Readonly<Record<string, Excluding>> = Object.fromEntries(
  [inWorkspace, inRetention, inDirectory].map((each) => [each.definition.token, each]),
);
