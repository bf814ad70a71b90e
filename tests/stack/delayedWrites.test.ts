import * as quarterdeck from "../../sdk";
import type { FaultInput } from "../../testing/stub";
import { HEADERS } from "./console";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

/** An update whose write a part of the client delays, until someone else has changed the same value. */
interface Delayed {
  readonly settings?: (address: string) => object;
  readonly program: (value: string) => void;
  readonly match: {
    readonly service: "workspaces" | "scheduler" | "secrets" | "mesh";
    readonly method: string;
    readonly path?: string;
  };
  /** The response that delays the write: once, the server refuses it. */
  readonly refused?: {
    readonly status: number;
    readonly body: string;
    readonly headers?: Record<string, string>;
  };
  /** The faults that delay the write, if it is not refused, and the request at which the other user edits. */
  readonly slow?: {
    readonly faults: readonly FaultInput[];
    readonly until: FaultInput["match"];
    readonly skip: number;
  };
  /** Another user's edit of the same value, during the delay. */
  readonly edit: { readonly method: string; readonly path: string; readonly body: object };
  /** The value on the server. */
  readonly read: (stack: TestStack) => Promise<unknown>;
}

const NO_LEADER = "No cluster leader";
const NOT_ACTIVE = JSON.stringify({ errors: ["local node not active but active cluster node not found"] });
const LOGIN = "/v1/auth/approle/login";
const ROLE = "/v1/rabbitmq/roles/app";

async function answer(
  stack: TestStack,
  service: Delayed["match"]["service"],
  path: string,
): Promise<unknown> {
  const response = await fetch(stack.stub.addresses[service] + path, { headers: HEADERS[service] });
  return response.json();
}

const role = {
  program: (tags: string) => void new quarterdeck.secrets.QueueRole("app", { name: "app", tags: [tags] }),
  match: { service: "secrets", method: "POST", path: ROLE },
  edit: { method: "POST", path: ROLE, body: { tags: "theirs" } },
  read: async (stack) => ((await answer(stack, "secrets", ROLE)) as { data: { tags: string } }).data.tags,
} as const satisfies Partial<Delayed>;

const WORKSPACE = "/api/v2/organizations/acme/workspaces/app";

const CASES: Readonly<Record<string, Delayed>> = {
  "by a rate limit": {
    program: (description) =>
      void new quarterdeck.workspaces.Workspace("app", { name: "app", organization: "acme", description }),
    match: { service: "workspaces", method: "PATCH" },
    refused: { status: 429, body: "", headers: { "retry-after": "1" } },
    edit: {
      method: "PATCH",
      path: WORKSPACE,
      body: { data: { type: "workspaces", attributes: { description: "theirs" } } },
    },
    read: async (stack) =>
      (
        (await answer(stack, "workspaces", WORKSPACE)) as {
          data: { attributes: { description: string } };
        }
      ).data.attributes.description,
  },
  "by a new login": {
    ...role,
    settings: (address) => ({
      address,
      login: { path: "auth/approle/login", parameters: { role_id: "ci", secret_id: "canary" } },
    }),
    // The token expires during the read, and after the login the read is too old to be the basis of a write.
    slow: {
      faults: [
        { kind: "delay", match: { service: "secrets", method: "GET", path: ROLE }, milliseconds: 2500 },
        { kind: "delay", match: { service: "secrets", path: LOGIN }, skip: 1, milliseconds: 800 },
      ],
      until: { service: "secrets", path: LOGIN },
      skip: 1,
    },
  },
  "by a standby without an active server": { ...role, refused: { status: 500, body: NOT_ACTIVE } },
  "by a leader election (Nomad job)": {
    program: (priority) =>
      void new quarterdeck.scheduler.Job("web", {
        spec: {
          id: "web",
          priority: { first: 40, second: 50 }[priority] ?? 0,
          taskGroups: [{ name: "g", tasks: [{ name: "t", driver: "docker" }] }],
        },
        purge: true,
      }),
    match: { service: "scheduler", method: "POST" },
    refused: { status: 500, body: NO_LEADER },
    edit: {
      method: "POST",
      path: "/v1/jobs",
      body: {
        Job: {
          ID: "web",
          Priority: 60,
          TaskGroups: [{ Name: "g", Tasks: [{ Name: "t", Driver: "docker" }] }],
        },
      },
    },
    read: async (stack) =>
      ({ 60: "theirs" })[
        ((await answer(stack, "scheduler", "/v1/job/web")) as { Priority: number }).Priority
      ],
  },
  "by a leader election (Consul configuration entry)": {
    program: (protocol) =>
      void new quarterdeck.mesh.ServiceDefaults("web", {
        name: "web",
        spec: { protocol: { first: "http", second: "http2" }[protocol] ?? "" },
      }),
    match: { service: "mesh", method: "PUT" },
    refused: { status: 500, body: NO_LEADER },
    edit: {
      method: "PUT",
      path: "/v1/config",
      body: { Kind: "service-defaults", Name: "web", Protocol: "grpc" },
    },
    read: async (stack) =>
      ({ grpc: "theirs" })[
        ((await answer(stack, "mesh", "/v1/config/service-defaults/web")) as { Protocol: string }).Protocol
      ],
  },
};

describe.each(Object.entries(CASES))("a write that is delayed %s", (_, delayed) => {
  test("fails with a conflict if someone else edits the object during the delay, and preserves that edit", async () => {
    const { program, match, refused, slow, edit, read, settings } = delayed;
    const stack = await TestStack.open();
    try {
      if (settings !== undefined) {
        await stack.stub.seed("secrets", {
          logins: [
            {
              path: "auth/approle/login",
              parameters: { role_id: "ci", secret_id: "canary" },
              token: { policies: ["root"] },
              seconds: 2,
            },
          ],
        });
        const value = JSON.stringify(settings(stack.stub.addresses[match.service]));
        await stack.stack.setConfig(`quarterdeck:${match.service}`, { value, secret: true });
      }
      expect(await stack.up(async () => program("first"))).toMatchObject({ failure: undefined });
      const otherEdit = { requests: [{ ...edit, headers: HEADERS[match.service] }] };
      if (refused !== undefined)
        await stack.stub.fault({ kind: "status", match, ...refused }, { kind: "edit", match, ...otherEdit });
      if (slow !== undefined)
        await stack.stub.fault(...slow.faults, {
          kind: "edit",
          match: slow.until,
          skip: slow.skip,
          ...otherEdit,
        });
      const { failure, output } = await stack.up(async () => program("second"));
      expect(`${failure}${output}`).toMatch(/conflict: .* nothing was written/);
      await stack.stub.expectFaultsUsed();
      await expect(read(stack)).resolves.toBe("theirs");
    } finally {
      await stack.close();
    }
  });
});
