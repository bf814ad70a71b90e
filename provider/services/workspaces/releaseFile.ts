import { z } from "zod";
import {
  ActionableError,
  type Address,
  digestAt,
  editProgram,
  get,
  isObject,
  type Link,
  type ObjectHookContext,
  type Observation,
  put,
  rerunUp,
  rule,
  uploadFile,
  type Values,
} from "../../core";

/** A SHA-256 as the server shows it. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hexadecimal digits");

/** The rule that a program names a file, or gives its digest. */
export const fileUnlessDigest = (file: string, digest: string) =>
  rule(
    [file, digest],
    (path, sum) => path === undefined && sum === undefined,
    `is required if ${digest} is not set`,
  );

/** A file of a release, which is uploaded after its object was created. */
interface ReleaseFile {
  /** The property with its SHA-256. */
  readonly field: string;
  /** The property with its local path. */
  readonly file: string;
  /** The file's name in the members of the server's response: `shasums` in `shasums-uploaded` and in `shasums-upload`. */
  readonly kind: string;
  /** The path of its object. */
  readonly of: string;
}

/**
 * The upload of a file, by its SHA-256. A file can be uploaded only once. The server shows that a file was uploaded, and not its
 * digest: if no state contains it, Quarterdeck downloads the file and computes the digest.
 */
export function releaseFile({ field, file, kind, of }: ReleaseFile): Link {
  const path = `${of}/${kind}`;
  return {
    field,
    async read(context, address, { written, body }) {
      if (body[`${kind}-uploaded`] !== true) return null;
      return written ?? uploaded(context, address, body);
    },
    async write(context, address, { to, inputs }) {
      // The upload URL of an earlier response may have expired.
      const found = await context.observe(address);
      if (found === undefined)
        throw new ActionableError(`${context.name(address)} was deleted.`, [rerunUp()], {
          changedBy: "unknown",
        });
      if (found.body[`${kind}-uploaded`] === true && (await uploaded(context, address, found.body)) === to)
        return;
      const url = linkIn(found.body, `${kind}-upload`);
      if (url === undefined) throw withoutUpload(context, address, field);
      const upload = {
        path: requireFile(inputs, file),
        sha256: String(to),
        isStored: async () => (await context.observe(address))?.body[`${kind}-uploaded`] === true,
      };
      await uploadFile(context, { route: put(path), address, url }, upload);
    },
  };

  /** The SHA-256 of the file that the server has. */
  async function uploaded(context: ObjectHookContext, address: Address, body: Observation["body"]) {
    const url = linkIn(body, `${kind}-download`);
    return url === undefined ? null : digestAt(context, { route: get(path), address, url });
  }
}

/**
 * The local path of a file to upload.
 * @throws ActionableError if the program does not name it
 */
export function requireFile(inputs: Values, file: string): string {
  const local = inputs[file];
  if (typeof local === "string") return local;
  throw new ActionableError(`${file} is missing: it has not been uploaded yet.`, [
    editProgram(`set ${file} to the local path`),
  ]);
}

function withoutUpload(context: ObjectHookContext, address: Address, field: string): ActionableError {
  return new ActionableError(
    `${context.name(address)}: the server offers no URL to upload the file of ${field}: someone else uploaded a different file, or the token lacks the permission.`,
    [editProgram("check the file, and that the token has the Manage Private Registry permission")],
    { changedBy: "unknown" },
  );
}

/** A URL in the links of an object; undefined if the response does not contain it. */
function linkIn(body: Observation["body"], name: string): string | undefined {
  const url = isObject(body.links) ? body.links[name] : undefined;
  return typeof url === "string" && url !== "" ? url : undefined;
}
