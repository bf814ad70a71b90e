import * as quarterdeck from "../../../sdk";
import type { FaultInput } from "../../../testing/stub";
import { INITIAL_SHARES } from "../../../testing/stub/services/secrets/rekey/records";
import type { Ask } from "../console";

const { mesh, scheduler, secrets, workspaces } = quarterdeck;

const GROUPS = [{ Name: "front", Count: 1, Tasks: [{ Name: "server", Driver: "docker" }] }];
const job = (ID: string, Priority: number) => ({
  json: { ID, Priority, Meta: { team: "a" }, TaskGroups: GROUPS },
  purge: true,
});
const unreadable = (match: FaultInput["match"], skip = 0): FaultInput => ({
  kind: "status",
  match: { method: "GET", ...match },
  skip,
  times: "always",
  status: 403,
  body: "Permission denied",
});

/** A resource with an incomplete or unverified state, and the cause. */
interface Part {
  /** The type and name, as at the end of its URN. */
  readonly urn: string;
  /** @param repaired as the later program that completes it */
  make(repaired: boolean): unknown;
  /** The fault that made its step fail. Without it, the step fails because of its inputs. */
  readonly fault?: FaultInput;
}

/** Resources whose step did not complete. Each is run alone, after the resources of `drifted`. */
export function halfDone(): readonly Part[] {
  const parts: Part[] = [
    {
      urn: "workspaces:Workspace::half",
      make: (repaired) =>
        new workspaces.Workspace("half", {
          name: "half",
          description: "half made",
          sshKeyId: repaired ? "sshkey-deploy" : "sshkey-none",
          tagNames: ["half"],
        }),
    },
    {
      urn: "scheduler:Job::unread",
      make: () => new scheduler.Job("unread", job("unread", 60)),
      fault: unreadable({ service: "scheduler", path: "/v1/job/unread" }),
    },
    {
      urn: "secrets:QueueRole::unread",
      make: () => new secrets.QueueRole("unread", { name: "unread", tags: "monitoring" }),
      fault: unreadable({ service: "secrets", path: "/v1/msgq/roles/unread" }, 1),
    },
    {
      urn: "mesh:ServiceDefaults::unread",
      make: () => new mesh.ServiceDefaults("unread", { name: "unread", spec: { protocol: "http" } }),
      fault: unreadable({ service: "mesh", path: "/v1/config/service-defaults/unread" }, 1),
    },
    {
      urn: "secrets:RecoveryKeyRekey::rekey",
      make: (repaired) =>
        new secrets.RecoveryKeyRekey("rekey", {
          secretShares: 3,
          secretThreshold: 2,
          shares: INITIAL_SHARES.slice(0, repaired ? 2 : 1),
          requireVerification: false,
        }),
    },
  ];
  const lost: Part = {
    urn: "secrets:QueueRole::perhaps",
    make: () => new secrets.QueueRole("perhaps", { name: "perhaps", tags: "monitoring" }),
    fault: {
      kind: "lostResponse",
      match: { service: "secrets", path: "/v1/msgq/roles/perhaps" },
      skip: 1,
      times: "always",
    },
  };
  return [...parts, lost];
}

/** Resources that someone else changes later. */
export function drifted(): void {
  new workspaces.Workspace("drifted", { name: "drifted", description: "ours", autoApply: true });
  new scheduler.Job("drifted", job("drifted", 50));
  new secrets.QueueRole("drifted", { name: "drifted", tags: "monitoring" });
  new mesh.ConfigEntry("drifted", {
    kind: "service-defaults",
    name: "drifted",
    spec: { Protocol: "http", MaxInboundConnections: 10 },
  });
}

/** Someone else's changes of all resources of `drifted`. */
export async function drift(ask: Ask): Promise<void> {
  const { body } = await ask("workspaces", "GET", "/api/v2/organizations/acme/workspaces/drifted");
  await ask("workspaces", "PATCH", `/api/v2/workspaces/${body.data.id}`, {
    data: { type: "workspaces", attributes: { description: "theirs" } },
  });
  const { json } = job("drifted", 70);
  await ask("scheduler", "POST", "/v1/jobs", { Job: { ...json, Meta: { team: "b" } } });
  await ask("secrets", "POST", "/v1/msgq/roles/drifted", { tags: "policymaker" });
  await ask("mesh", "PUT", "/v1/config", {
    Kind: "service-defaults",
    Name: "drifted",
    Protocol: "http",
    MaxInboundConnections: 70,
  });
}
