import type { StubRequest, StubResponse, StubRoute } from "../../service";
import { storeConfiguration } from "./configuration-files";
import { conflict, notFound, Refusal } from "./errors";
import type { World } from "./world";

const PATH = "/v1/object";
const section = "API: uploads and downloads of files";

/** The files of a private provider, two of each version and one of each platform, and the files of a configuration version. */
export type FileKind = "shasums" | "shasums-sig" | "provider-binary" | "configuration";

type Serve = (request: StubRequest, answer: (world: World) => StubResponse) => StubResponse;

/**
 * The store of uploaded files. The URL alone gives access: like the stores behind the product, it rejects a request that also
 * carries credentials. A file is uploaded once.
 */
export function archivistRoutes(serve: Serve): readonly StubRoute[] {
  return [
    {
      method: "PUT",
      path: `${PATH}/:object`,
      section,
      handle: (request) =>
        serve(request, (world) => {
          refuseCredentials(request);
          const file = fileIn(world, request);
          if (file.content !== null) throw conflict("the file has already been uploaded");
          file.store(request.body.toString("base64"));
          return { status: 200 };
        }),
    },
    {
      method: "GET",
      path: `${PATH}/:object`,
      section,
      handle: (request) =>
        serve(request, (world) => {
          refuseCredentials(request);
          const { content } = fileIn(world, request);
          if (content === null) throw notFound();
          const headers = { "content-type": "application/octet-stream" };
          return { status: 200, headers, body: Buffer.from(content, "base64") };
        }),
    },
  ];
}

/** The URL of a file, on a host other than the API's. */
export function fileUrl({ headers }: StubRequest, kind: FileKind, id: string): string {
  const { host = "localhost", "x-forwarded-proto": scheme = "http" } = headers;
  const other = host.startsWith("127.0.0.1") ? host.replace("127.0.0.1", "localhost") : `archivist.${host}`;
  const own = headers["x-forwarded-proto"] === undefined ? other : host;
  return `${String(scheme)}://${own}${PATH}/${Buffer.from(`${kind}/${id}`).toString("base64url")}`;
}

function refuseCredentials({ headers }: StubRequest): void {
  if (headers.authorization === undefined) return;
  const detail = "only one authentication mechanism is allowed: the URL";
  throw new Refusal(400, [{ status: "400", title: "bad request", detail }]);
}

/** A file that a URL names, and how to store its content (base64). */
function fileIn(world: World, { params }: StubRequest) {
  const [kind, id = ""] = Buffer.from(params.object ?? "", "base64url")
    .toString()
    .split("/");
  const version = world.providerVersions.get(id);
  const platform = world.providerPlatforms.get(id);
  if (kind === "shasums" && version !== undefined)
    return {
      content: version.shasums,
      store: (shasums: string) => world.providerVersions.set(id, { ...version, shasums }),
    };
  if (kind === "shasums-sig" && version !== undefined)
    return {
      content: version.signature,
      store: (signature: string) => world.providerVersions.set(id, { ...version, signature }),
    };
  if (kind === "provider-binary" && platform !== undefined)
    return {
      content: platform.binary,
      store: (binary: string) => world.providerPlatforms.set(id, { ...platform, binary }),
    };
  const configuration = world.configurationVersions.get(id);
  if (kind === "configuration" && configuration !== undefined)
    return {
      content: configuration.files,
      store: (files: string) => storeConfiguration(world, { ...configuration, files }),
    };
  throw notFound();
}
