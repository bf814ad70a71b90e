import type { StubRequest, StubResponse, StubRoute } from "../../service";
import type { Caller } from "./callers";
import { notFound } from "./errors";
import { installable, packageOf, privateProvider } from "./provider-protocol";
import type { World } from "./world";

const PREFIX = "/api/registry/public/v1";

type Serve = (request: StubRequest, answer: (world: World, caller: Caller) => StubResponse) => StubResponse;

/**
 * The discovery document, which returns the prefix, and the provider registry protocol: the versions and packages of private
 * providers, and the versions of the proxied public registry's providers.
 * "Authentication there is the same as for every other endpoint."
 */
export function publicRegistryRoutes(serve: Serve): readonly StubRoute[] {
  const discovery = (path: string): StubRoute => ({
    method: "GET",
    path,
    section: "Public registry discovery",
    handle: () => json({ "providers.v1": `${PREFIX}/providers/` }),
  });
  return [
    // Each dialect has its own path for the document.
    discovery("/.well-known/engine.json"),
    discovery("/.well-known/terraform.json"),
    {
      method: "GET",
      path: `${PREFIX}/providers/:namespace/:name`,
      section: "Public registry",
      handle: (request) =>
        serve(request, (world) => {
          const versions = versionsOf(world, request);
          return json({ ...identity(request), version: versions.at(-1) ?? null, versions });
        }),
    },
    {
      method: "GET",
      path: `${PREFIX}/providers/:namespace/:name/versions`,
      section: "Public registry",
      handle: (request) =>
        serve(request, (world, caller) => {
          const own = privateProvider(world, caller, request);
          if (own !== undefined) return json({ id: identity(request).id, versions: installable(world, own) });
          return json({
            id: identity(request).id,
            versions: versionsOf(world, request).map((version) => ({
              version,
              protocols: ["5.0"],
              platforms: [],
            })),
          });
        }),
    },
    {
      method: "GET",
      path: `${PREFIX}/providers/:namespace/:name/:version/download/:os/:arch`,
      section: "Provider registry protocol",
      handle: (request) =>
        serve(request, (world, caller) => {
          const own = privateProvider(world, caller, request);
          if (own === undefined) throw notFound();
          return json(packageOf(world, own, request));
        }),
    },
  ];
}

function versionsOf(world: World, request: StubRequest): readonly string[] {
  const versions = world.publicProviders.get(identity(request).id);
  if (versions === undefined) throw notFound();
  return versions;
}

function identity(request: StubRequest): { id: string; namespace: string; name: string } {
  const { namespace = "", name = "" } = request.params;
  return { id: `${namespace}/${name}`, namespace, name };
}

function json(body: unknown): StubResponse {
  return { status: 200, headers: { "content-type": "application/json" }, body };
}
