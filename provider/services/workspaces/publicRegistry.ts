import { z } from "zod";
import {
  defineFunction,
  encodeSegment,
  errorFrom,
  field,
  filledPath,
  functionFields,
  type HttpResponse,
  isObject,
  isSuccess,
  type RequestContext,
  stringIn,
} from "../../core";
import { workspaces } from "./service";

const DISCOVERY = "/.well-known/engine.json";

/** Reads a provider of the public registry through the server, which is a proxy for it. */
export const getPublicRegistry = defineFunction({
  token: "workspaces:getPublicRegistry",
  doc: "Reads a provider from the public registry through the HCP Terraform server. The registry's path comes from the server's discovery document, and requests use the connection's token.",
  section: "What the service does, public registry discovery",
  service: workspaces,
  fields: {
    namespace: field(z.string().min(1), {
      doc: "Namespace of the provider in the public registry.",
      location: "address",
    }),
    name: field(z.string().min(1), { doc: "Name of the provider.", location: "address" }),
    ...functionFields,
  },
  result: {
    prefix: field(z.string(), {
      doc: "Path prefix of the registry's provider endpoints, from the discovery document.",
    }),
    namespace: field(z.string(), { doc: "Namespace of the provider." }),
    name: field(z.string(), { doc: "Name of the provider." }),
    versions: field(z.array(z.string()), { doc: "Versions of the provider, as listed by the registry." }),
  },
  asks: {
    kind: "call",
    async call(context, { namespace, name }) {
      const prefix = await discoverPath(context);
      const own = `${encodeSegment(String(namespace))}/${encodeSegment(String(name))}/versions`;
      const { json } = await get(context, `${prefix.replace(/\/$/, "")}/${own}`);
      const versions = isObject(json) && Array.isArray(json.versions) ? json.versions : [];
      return {
        prefix,
        namespace: String(namespace),
        name: String(name),
        versions: versions.map((version) => stringIn(isObject(version) ? version.version : version)),
      };
    },
  },
});

/**
 * The path of the registry's provider endpoints, from the discovery document.
 * @throws Error if the document names no path, or names another server, which must not receive the token.
 */
async function discoverPath(context: RequestContext): Promise<string> {
  const { json } = await get(context, filledPath(DISCOVERY, {}, context.connection));
  const named = isObject(json) ? json["providers.v1"] : undefined;
  if (typeof named !== "string") {
    throw new Error(`workspaces: the discovery document contains no provider registry (providers.v1)`);
  }
  const address = new URL(String(context.connection.settings.address));
  const url = new URL(named, address);
  if (url.origin !== address.origin) {
    throw new Error(
      `workspaces: the discovery document points to ${url.origin}, which is a different server; the token was not sent there`,
    );
  }
  return url.pathname;
}

async function get(context: RequestContext, at: string): Promise<HttpResponse> {
  const { connection, label, redactor, deadline, signal } = context;
  const answer = await connection.send({
    label,
    secrets: redactor,
    method: "GET",
    path: at,
    isAtRoot: true,
    nature: "read",
    deadline,
    ...(signal && { signal }),
  });
  if (!isSuccess(answer)) throw errorFrom(context, answer, { method: "GET", path: at }, {});
  return answer;
}
