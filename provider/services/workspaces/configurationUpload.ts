import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ActionableError,
  type Address,
  digestOfFile,
  editProgram,
  errorFrom,
  errorOfRead,
  follow,
  get,
  isSuccess,
  type Json,
  manualCheck,
  type ProcedureInput,
  type ProcedureProgress,
  post,
  probeAfter,
  put,
  type RequestContext,
  rerunUp,
  ServiceError,
  send,
  sendOnce,
  stringIn,
  UnreadableFile,
  uploadFile,
} from "../../core";
import { packDirectory } from "./configurationDirectory";
import { document } from "./jsonApi";
import { notInResponse } from "./notInResponse";
import { requireFile } from "./releaseFile";
import { workspaces } from "./service";

const create = post("/workspaces/{workspaceId}/configuration-versions");
const ONE = "/configuration-versions/{configurationVersionId}";
const one = get(ONE);
// The URL of the response replaces this path, which only messages name.
const upload = put(`${ONE}/upload`);

const asDocument = document("configuration-versions");

/** A configuration version in a response, as one flat object. */
type Version = { readonly [member: string]: Json } & { readonly id: string; readonly status: string };

/**
 * Creates a configuration version and uploads the directory. If an earlier `pulumi up` left one without files, another one is
 * created: HCP Terraform uses none without files.
 * @throws ActionableError if the directory cannot be packed or the server rejects it; ServiceError if a request fails
 */
export async function uploadConfiguration(work: ProcedureInput): Promise<ProcedureProgress> {
  const { context, address, body, inputs } = work;
  const earlier = await earlierVersion(work);
  if (earlier?.status === "uploaded") return known(earlier);
  const directory = requireFile(inputs, "directory");
  const folder = mkdtempSync(join(tmpdir(), "quarterdeck-"));
  try {
    const path = join(folder, "configuration.tar.gz");
    packed(directory, path, stringIn(inputs.sha256));
    const attributes = { ...body, "auto-queue-runs": false };
    const { answer, lost } = await sendOnce(context, create, address, asDocument(attributes));
    if (lost !== undefined) throw lostCreate(address, lost.summary);
    const version = workspaces.unwrap(answer.json ?? null);
    const url = version["upload-url"];
    if (!isSuccess(answer) || !isVersion(version) || typeof url !== "string" || url === "")
      throw errorFrom(context, answer, create, address);
    work.save(known(version));
    await sendArchive(work, version, path, url);
    return known({ ...version, status: "uploaded" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads the status. A configuration version that the server does not show keeps its last status. */
export async function readStatus(work: ProcedureInput): Promise<ProcedureProgress> {
  const found = await earlierVersion(work);
  return found === undefined ? work.progress : known(found);
}

/** The configuration version that the state contains; undefined if the server does not show it. */
async function earlierVersion({
  context,
  address,
  progress: { id },
}: ProcedureInput): Promise<Version | undefined> {
  return typeof id === "string" ? readVersion(context, placeOf(address, id)) : undefined;
}

const placeOf = (address: Address, id: string): Address => ({ ...address, configurationVersionId: id });

function packed(directory: string, path: string, sha256: string): void {
  try {
    packDirectory(directory, path, sha256);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new ActionableError(
      `the directory ${JSON.stringify(directory)} ${error.message}; it was not uploaded.`,
      [
        editProgram(
          "create the files as the preview showed them, or run pulumi up again for the new content",
        ),
      ],
    );
  }
}

/** Uploads the archive, and waits until the server has processed it. */
async function sendArchive(work: ProcedureInput, version: Version, path: string, url: string): Promise<void> {
  const { context, address } = work;
  const place = placeOf(address, version.id);
  const { sha256 } = await digestOfFile(path);
  try {
    await uploadFile(context, { route: upload, address: place, url }, { path, sha256 });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Nobody else knows the URL, so uploaded files are those of this upload, even if its response is lost.
    const isUploaded = await probeAfter(context, error, async (asking) => {
      const found = (await readVersion(asking, place))?.status === "uploaded";
      return { isApplied: found, found };
    }).catch(() => false);
    if (!isUploaded) throw error;
    return;
  }
  await processed(work, version);
}

/**
 * Waits until the server has processed the files.
 * @throws ActionableError if it rejects them, or does not end in time
 */
function processed({ context, address, save }: ProcedureInput, { id }: Version): Promise<true> {
  const name = `configuration version ${id}`;
  return follow(
    context,
    { route: one, address: placeOf(address, id) },
    (answer) => {
      const now = workspaces.unwrap(answer);
      if (!isVersion(now) || now.id !== id) throw notInResponse(name);
      save(known(now));
      if (now.status !== "errored") return now.status === "uploaded" ? true : undefined;
      throw new ActionableError(
        `${name} is errored: the server cannot use the files. ${stringIn(now["error-message"])}`.trim(),
        [editProgram("correct the files of the directory")],
        { outcome: "applied" },
      );
    },
    () =>
      new ActionableError(
        `${name} is not uploaded after the timeout of this operation (timeouts).`,
        [rerunUp(" to continue, or to upload the directory again")],
        { outcome: "applied" },
      ),
  );
}

/**
 * Reads a configuration version; undefined if the server does not show it.
 * @throws ServiceError for every other response
 */
async function readVersion(context: RequestContext, place: Address): Promise<Version | undefined> {
  const answer = await send(context, one, place, { nature: "read" });
  if (answer.status === 404) return undefined;
  const version = workspaces.unwrap(answer.json ?? null);
  if (isSuccess(answer) && isVersion(version) && version.id === place.configurationVersionId) return version;
  throw errorOfRead(context, answer, one, place);
}

function isVersion(body: { readonly [member: string]: Json }): body is Version {
  return typeof body.id === "string" && typeof body.status === "string";
}

const known = ({ id, status }: Version): ProcedureProgress => ({ id, status });

function lostCreate({ workspaceId = "" }: Address, why: string): ActionableError {
  return new ActionableError(
    `workspace "${workspaceId}": the response to the create of a configuration version was lost: ${why} A configuration version without files may remain. HCP Terraform uses it for no run.`,
    [
      rerunUp(" to create another configuration version"),
      manualCheck("Pending configuration versions of the workspace can be ignored."),
    ],
    { outcome: "unknown" },
  );
}
