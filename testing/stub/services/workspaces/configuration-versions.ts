import type { StubResponse } from "../../service";
import { fileUrl } from "./archivist";
import { isArchive } from "./configuration-files";
import { readResource } from "./documents";
import { invalid, notFound } from "./errors";
import { answer, type Endpoint, type Operation, theWorkspace } from "./operation";
import { timestamp } from "./render";
import type { ConfigurationVersion } from "./run-records";

const section = "API: configuration versions";

/** The configuration versions of workspaces: create and show. */
export const configurationVersionEndpoints: readonly Endpoint[] = [
  { method: "POST", path: "/workspaces/:workspace_id/configuration-versions", section, handle: create },
  { method: "GET", path: "/configuration-versions/:version_id", section, handle: show },
];

/** "When true, runs are queued automatically when the configuration version is uploaded." */
const FLAGS = { "auto-queue-runs": true, speculative: false, provisional: false };

function create(operation: Operation): StubResponse {
  const { world, request, identifiers, caller } = operation;
  const workspace = theWorkspace(operation);
  if (!caller.plans(workspace)) throw notFound();
  const { attributes } = readResource(request, "configuration-versions");
  const given = Object.entries(FLAGS).map(([name, usual]) => [name, attributes[name] ?? usual] as const);
  const problems = given
    .filter(([, value]) => typeof value !== "boolean")
    .map(([name]) => ({ pointer: `/data/attributes/${name}`, detail: `${name} must be a boolean` }));
  if (problems.length > 0) throw invalid(...problems);
  const flags = Object.fromEntries(given);
  const version: ConfigurationVersion = {
    id: identifiers.fresh("cv"),
    workspace: workspace.id,
    speculative: flags.speculative === true,
    provisional: flags.provisional === true,
    autoQueueRuns: flags["auto-queue-runs"] === true,
    createdAt: request.now,
    files: null,
  };
  world.configurationVersions.set(version.id, version);
  return answer({ data: render(version, fileUrl(request, "configuration", version.id)) }, 201);
}

function show({ world, request, caller }: Operation): StubResponse {
  const version = world.configurationVersions.get(request.params.version_id ?? "");
  const workspace = version && world.workspaces.get(version.workspace);
  if (version === undefined || workspace === undefined || !caller.reads(workspace)) throw notFound();
  return answer({ data: render(version, null) });
}

function statusOf(version: ConfigurationVersion): string {
  if (version.files === null) return "pending";
  return isArchive(version) ? "uploaded" : "errored";
}

/** The URL is shown only in the response to the create. */
function render(version: ConfigurationVersion, uploadUrl: string | null): unknown {
  const { id, autoQueueRuns, speculative, provisional, createdAt } = version;
  const status = statusOf(version);
  return {
    id,
    type: "configuration-versions",
    attributes: {
      "auto-queue-runs": autoQueueRuns,
      error: null,
      "error-message": status === "errored" ? "could not unpack the files" : null,
      provisional,
      source: "tfe-api",
      speculative,
      status,
      "status-timestamps": { "queued-at": timestamp(createdAt) },
      "upload-url": uploadUrl,
    },
    links: { self: `/api/v2/configuration-versions/${id}` },
  };
}
