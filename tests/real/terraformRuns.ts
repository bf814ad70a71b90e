import run from "../../provider/services/workspaces/run";
import { WorkspacesService } from "../../testing/stub/services/workspaces/service";
import { archiveOf } from "../recorded/archive";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { sendRequest, theServer } from "./servers/server";

/** Terraform has the resource `terraform_data` built in, so no provider is downloaded. */
export const CONFIGURATION = `
variable "size" {
  default = "small"
}
variable "delay" {
  default = 0
}
resource "terraform_data" "app" {
  input            = var.size
  triggers_replace = var.size
  provisioner "local-exec" {
    command = "sleep \${var.delay}"
  }
  lifecycle {
    precondition {
      condition     = var.size != "none"
      error_message = "An app needs a size."
    }
  }
}
output "size" {
  value = terraform_data.app.output
}
output "sizes" {
  value = { all = ["small", "large"], count = 2 }
}
output "password" {
  value     = "hush"
  sensitive = true
}
output "nothing" {
  value = null
}
`;

/** A run without a stack, on this run's server. */
export function scene() {
  const world = new World(new WorkspacesService({ switches: { dialect: "neutral" } }), run, {
    token: "owner",
    organization: "acme",
  });
  return { world, resource: new Resource(world, run) };
}

/** Sends a JSON:API request as an administrator. Rejects if the server does not answer with a success. */
export async function ask<T>(method: string, path: string, data?: object): Promise<T> {
  const { address, token } = theServer();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/vnd.api+json" };
  const answer = await sendRequest(`${address}/api/v2/${path}`, {
    method,
    headers,
    ...(data && { body: { data } }),
  });
  // A JSON:API document, as the caller expects it.
  return answer as T;
}

/** Creates the workspace `app` with a configuration, which the Terraform of this machine executes. */
export async function deployable(configuration: string, settings: object = {}): Promise<string> {
  const attributes = { name: "app", "terraform-version": theServer().more.terraform, ...settings };
  const { data } = await ask<{ data: { id: string } }>("POST", "organizations/acme/workspaces", {
    type: "workspaces",
    attributes,
  });
  await upload(data.id, configuration);
  return data.id;
}

/** Uploads a configuration. Returns the ID of its version. */
export async function upload(workspaceId: string, configuration: string): Promise<string> {
  const { data } = await ask<{ data: { id: string; attributes: { "upload-url": string } } }>(
    "POST",
    `workspaces/${workspaceId}/configuration-versions`,
    { type: "configuration-versions", attributes: { "auto-queue-runs": false } },
  );
  const answer = await fetch(data.attributes["upload-url"], {
    method: "PUT",
    body: new Uint8Array(archiveOf(configuration)),
    signal: AbortSignal.timeout(30_000),
  });
  if (!answer.ok) throw new Error(`the upload returned ${answer.status}`);
  return data.id;
}

interface Run {
  readonly id: string;
  readonly attributes: { readonly status: string };
}

/** The runs of a workspace, the oldest first. */
export async function runsOf(workspaceId: string): Promise<readonly Run[]> {
  const { data } = await ask<{ data: Run[] }>("GET", `workspaces/${workspaceId}/runs`);
  return data.reverse();
}

/** The statuses of the runs of a workspace, the oldest first. */
export async function statusesOf(workspaceId: string): Promise<readonly string[]> {
  return (await runsOf(workspaceId)).map(({ attributes }) => attributes.status);
}

/** Acts on a run as another user, for example with `apply`. */
export async function act(runId: unknown, action: string): Promise<void> {
  await ask("POST", `runs/${String(runId)}/actions/${action}`);
}
