import { ActionableError, editProgram } from "../http/remedies";
import { type HttpResponse, isSuccess } from "../http/request";
import type { Address } from "../language/object";
import type { Route } from "../language/route";
import type { RequestContext } from "../language/stepInput";
import { digestOfFile } from "../value/fileDigest";
import { UnreadableFile } from "../value/regularFile";
import { errorFrom } from "./observe";
import { send } from "./send";

/** A file on another server, at a URL from a response. */
interface Located {
  /** The method, and the path that messages and permissions name in place of the URL, which gives access to the file. */
  readonly route: Route;
  readonly address: Address;
  readonly url: string;
}

/** A file to upload. */
interface Upload {
  readonly path: string;
  readonly sha256: string;
  /** Reads whether the server has the file. Omitted if the caller reads it, because the server processes the file first. */
  isStored?(): Promise<boolean>;
}

/**
 * Uploads a file, without the connection's token. The file must have this digest. A success of another host proves nothing, so
 * the caller reads whether the file is there.
 * @throws ActionableError, before anything is sent, if the file cannot be read or has another digest; ServiceError if the server
 * does not accept the file
 */
export async function uploadFile(
  context: RequestContext,
  { route, address, url }: Located,
  { path, sha256, isStored }: Upload,
): Promise<void> {
  const { size } = await checkedFile(path, sha256);
  const file = { path, sha256, size };
  const answer = await sendTo(context, { route, address, url }, { nature: "write", file });
  const isThere = isStored === undefined ? isSuccess(answer) : await isStored();
  if (isSuccess(answer) && isThere) return;
  // A request that was delivered twice is rejected the second time.
  const event = isThere ? "although the file is stored" : "although the file is not stored";
  const unexpected = isThere || isSuccess(answer) ? ({ event, outcome: "unknown" } as const) : undefined;
  throw errorFrom(context, answer, route, address, "write", unexpected);
}

/**
 * Downloads a file, without the connection's token, and returns its SHA-256. The content is not kept.
 * @throws ServiceError if the server does not return the file
 */
export async function digestAt(context: RequestContext, located: Located): Promise<string> {
  const answer = await sendTo(context, located, { nature: "read", expect: "digest" });
  if (!isSuccess(answer)) throw errorFrom(context, answer, located.route, located.address);
  return answer.text;
}

function sendTo(
  context: RequestContext,
  { route, address, url }: Located,
  options: Pick<Parameters<typeof send>[3], "nature" | "file" | "expect">,
): Promise<HttpResponse> {
  context.redactor.add([url]);
  const timeoutMs = Math.max(1, context.deadline - context.connection.runtime.now());
  return send(context, route, address, { expect: "text", ...options, url, timeoutMs });
}

async function checkedFile(path: string, sha256: string) {
  const named = `the file ${JSON.stringify(path)}`;
  const failed = (what: string) =>
    new ActionableError(`${named} ${what}; the file was not uploaded.`, [
      editProgram("create the file as the preview showed it, or run pulumi up again for the new content"),
    ]);
  try {
    const digest = await digestOfFile(path);
    if (digest.sha256 === sha256) return digest;
    throw failed(`has the SHA-256 ${digest.sha256}, and not ${sha256}`);
  } catch (error) {
    throw error instanceof UnreadableFile ? failed(error.message) : error;
  }
}
