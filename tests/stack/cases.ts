import type * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";
import type { Ask } from "./console";

type Values = Readonly<Record<string, unknown>>;

/** A resource type, with the programs and outside changes that the tests use. */
export interface Case {
  readonly token: string;
  make(name: string, inputs: Values, options?: pulumi.CustomResourceOptions): pulumi.CustomResource;
  /** The inputs of the first program. */
  readonly first: Values;
  /** An edit of the program that is an update in place. */
  readonly second: Values;
  /** An edit of the program that replaces. */
  readonly other: Values;
  /** The property that `second` changes, as messages name it. */
  readonly changed: RegExp;
  /** The object's name in messages; an ID that the server generates may be anything. */
  readonly named: RegExp;
  /** Changes outside the stack what `second` changes; `edited` is the new value. */
  edit(): Promise<void>;
  readonly edited: unknown;
  /** Changes outside the stack a property that no program manages. */
  readonly editUnmanaged?: () => Promise<void>;
  takeAway(): Promise<void>;
  /** The server's value of what the programs change, or undefined if the object does not exist. */
  holds(): Promise<unknown>;
  /** That value after each of the programs. */
  readonly held: readonly [first: unknown, second: unknown];
}

const WORKSPACES = "/api/v2/organizations/acme/workspaces/app";
const METHODS = "/v1/identity/mfa/method/okta";
const ENFORCEMENT = "/v1/identity/mfa/login-enforcement/everybody";

const job = (count: number, id = "web") => ({
  ID: id,
  TaskGroups: [{ Name: "front", Count: count, Tasks: [{ Name: "server", Driver: "docker" }] }],
});

/** The six resources. The login enforcement uses an MFA method, `guard`, which must exist. */
export function casesOn(ask: Ask, guard: string): readonly Case[] {
  async function workspaceId(): Promise<string> {
    return (await ask("workspaces", "GET", WORKSPACES)).body.data.id;
  }

  async function methodId(): Promise<string> {
    const { body } = await ask("secrets", "GET", `${METHODS}?list=true`);
    // biome-ignore lint/suspicious/noExplicitAny: the stub's response, whose shape the assertions check
    const entries: [string, any][] = Object.entries(body.data?.key_info ?? {});
    return entries.find(([, { name }]) => name === "staff")?.[0] ?? "none";
  }

  const patchWorkspace = async (attributes: Values) =>
    ask("workspaces", "PATCH", `/api/v2/workspaces/${await workspaceId()}`, {
      data: { type: "workspaces", attributes },
    });

  return [
    {
      token: "workspaces:Workspace",
      make: (name, inputs, options) => new quarterdeck.workspaces.Workspace(name, inputs as never, options),
      first: { name: "app", description: "first" },
      second: { name: "app", description: "second" },
      other: { name: "app", description: "first", organization: "other" },
      changed: /description/,
      named: /workspace "ws-/,
      edit: async () => void (await patchWorkspace({ description: "by hand" })),
      edited: "by hand",
      editUnmanaged: async () => void (await patchWorkspace({ "auto-apply": true })),
      takeAway: async () =>
        void (await ask("workspaces", "DELETE", `/api/v2/workspaces/${await workspaceId()}`)),
      holds: async () => (await ask("workspaces", "GET", WORKSPACES)).body.data?.attributes.description,
      held: ["first", "second"],
    },
    {
      token: "scheduler:Job",
      make: (name, inputs, options) => new quarterdeck.scheduler.Job(name, inputs as never, options),
      first: { json: job(2), purge: true },
      second: { json: job(3), purge: true },
      other: { json: job(2, "other"), purge: true },
      changed: /json\.TaskGroups\["front"\]\.Count/,
      named: /Nomad job "default\/web"/,
      edit: async () => void (await ask("scheduler", "POST", "/v1/jobs", { Job: job(7) })),
      edited: 7,
      takeAway: async () => void (await ask("scheduler", "DELETE", "/v1/job/web?purge=true")),
      holds: async () => {
        const { status, body } = await ask("scheduler", "GET", "/v1/job/web");
        return status === 200 ? body.TaskGroups[0].Count : undefined;
      },
      held: [2, 3],
    },
    {
      token: "secrets:QueueRole",
      make: (name, inputs, options) => new quarterdeck.secrets.QueueRole(name, inputs as never, options),
      first: { name: "app", tags: "monitoring" },
      second: { name: "app", tags: "management" },
      other: { name: "other", tags: "monitoring" },
      changed: /tags/,
      named: /RabbitMQ role "rabbitmq\/app"/,
      edit: async () =>
        void (await ask("secrets", "POST", "/v1/rabbitmq/roles/app", { tags: "policymaker" })),
      edited: "policymaker",
      editUnmanaged: async () =>
        void (await ask("secrets", "POST", "/v1/rabbitmq/roles/app", {
          tags: "monitoring",
          vhosts: JSON.stringify({ "/": { read: ".*" } }),
        })),
      takeAway: async () => void (await ask("secrets", "DELETE", "/v1/rabbitmq/roles/app")),
      holds: async () => (await ask("secrets", "GET", "/v1/rabbitmq/roles/app")).body.data?.tags,
      held: ["monitoring", "management"],
    },
    {
      token: "secrets:MfaMethod",
      make: (name, inputs, options) => new quarterdeck.secrets.MfaMethod(name, inputs as never, options),
      first: { methodName: "staff", orgName: "acme", apiToken: "canary-api-token" },
      second: { methodName: "staff", orgName: "acme-eu", apiToken: "canary-api-token" },
      other: { methodName: "other", orgName: "acme", apiToken: "canary-api-token", connection: "second" },
      changed: /orgName/,
      named: /Okta MFA method "/,
      edit: async () =>
        void (await ask("secrets", "POST", `${METHODS}/${await methodId()}`, {
          org_name: "theirs",
          api_token: "t",
        })),
      edited: "theirs",
      editUnmanaged: async () =>
        void (await ask("secrets", "POST", `${METHODS}/${await methodId()}`, {
          org_name: "acme",
          api_token: "t",
          primary_email: true,
        })),
      takeAway: async () => void (await ask("secrets", "DELETE", `${METHODS}/${await methodId()}`)),
      holds: async () => (await ask("secrets", "GET", `${METHODS}/${await methodId()}`)).body.data?.org_name,
      held: ["acme", "acme-eu"],
    },
    {
      token: "secrets:LoginEnforcement",
      make: (name, inputs, options) =>
        new quarterdeck.secrets.LoginEnforcement(name, inputs as never, options),
      first: { name: "everybody", mfaMethodIds: [guard], authMethodTypes: ["userpass"] },
      second: { name: "everybody", mfaMethodIds: [guard], authMethodTypes: ["ldap"] },
      other: { name: "nobody", mfaMethodIds: [guard], authMethodTypes: ["userpass"] },
      changed: /authMethodTypes/,
      named: /MFA login enforcement "everybody"/,
      edit: async () => {
        const { body } = await ask("secrets", "GET", ENFORCEMENT);
        const { mfa_method_ids } = body.data;
        await ask("secrets", "POST", ENFORCEMENT, { mfa_method_ids, auth_method_types: ["token"] });
      },
      edited: ["token"],
      editUnmanaged: async () => {
        const { body } = await ask("secrets", "GET", ENFORCEMENT);
        const { mfa_method_ids } = body.data;
        await ask("secrets", "POST", ENFORCEMENT, { mfa_method_ids, identity_group_ids: ["group-9"] });
      },
      takeAway: async () => void (await ask("secrets", "DELETE", ENFORCEMENT)),
      holds: async () => (await ask("secrets", "GET", ENFORCEMENT)).body.data?.auth_method_types,
      held: [["userpass"], ["ldap"]],
    },
    {
      token: "mesh:ConfigEntry",
      make: (name, inputs, options) => new quarterdeck.mesh.ConfigEntry(name, inputs as never, options),
      first: { kind: "service-defaults", name: "web", spec: { Protocol: "http", MaxInboundConnections: 10 } },
      second: {
        kind: "service-defaults",
        name: "web",
        spec: { Protocol: "http", MaxInboundConnections: 20 },
      },
      other: { kind: "service-defaults", name: "other", spec: { Protocol: "http" } },
      changed: /spec\.MaxInboundConnections/,
      named: /Consul configuration entry "\/(default)?\/service-defaults\/web"/,
      edit: async () =>
        void (await ask("mesh", "PUT", "/v1/config", {
          Kind: "service-defaults",
          Name: "web",
          Protocol: "http",
          MaxInboundConnections: 70,
        })),
      edited: 70,
      takeAway: async () => void (await ask("mesh", "DELETE", "/v1/config/service-defaults/web")),
      holds: async () => {
        const { status, body } = await ask("mesh", "GET", "/v1/config/service-defaults/web");
        return status === 200 ? body.MaxInboundConnections : undefined;
      },
      held: [10, 20],
    },
  ];
}
