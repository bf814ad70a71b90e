import { isObject, type JsonValue } from "../../json";
import type { StubResponse } from "../../service";
import type { OauthClient } from "./access-records";
import { type ResourceDocument, readResource, resourceList } from "./documents";
import { invalid, notFound, type Problem } from "./errors";
import { answer, type Endpoint, NO_CONTENT, type Operation, theOrganization } from "./operation";
import { page } from "./paging";
import { timestamp } from "./render";
import type { World } from "./world";

const COLLECTION = "/organizations/:organization_name/oauth-clients";
const ITEM = "/oauth-clients/:client_id";
const SECTION = "API: OAuth clients";

/** The OAuth clients of an organization: list, create, show, update and delete. */
export const oauthClientEndpoints: readonly Endpoint[] = [
  { method: "GET", path: COLLECTION, section: SECTION, handle: list },
  { method: "POST", path: COLLECTION, section: SECTION, handle: create },
  { method: "GET", path: ITEM, section: SECTION, handle: show },
  { method: "PATCH", path: ITEM, section: SECTION, handle: update },
  { method: "DELETE", path: ITEM, section: SECTION, handle: remove },
];

const PROVIDERS: Readonly<Record<string, string>> = {
  ado_server: "Azure DevOps Server",
  ado_services: "Azure DevOps Services",
  bitbucket_data_center: "Bitbucket Data Center",
  bitbucket_hosted: "Bitbucket Cloud",
  bitbucket_server: "Bitbucket Server",
  bitbucket_server_legacy: "Bitbucket Server (legacy)",
  github: "GitHub",
  github_enterprise: "GitHub Enterprise",
  gitlab_hosted: "GitLab.com",
  gitlab_community_edition: "GitLab Community Edition",
  gitlab_enterprise_edition: "GitLab Enterprise Edition",
};

/** Adds a client for each OAuth token in an organization's settings. */
export function plantClients(world: World, organization: string, now: number): void {
  const tokens = Object.entries(world.organizations.get(organization)?.oauthTokens ?? {});
  for (const [token, { serviceProvider, clientName: name, url }] of tokens) {
    if ([...world.oauthClients.values()].some((client) => client.token === token)) continue;
    const id = token.replace(/^ot-/, "oc-");
    world.oauthClients.set(id, {
      ...BLANK,
      ...{ id, organization, createdAt: now, token, name, serviceProvider, httpUrl: url, apiUrl: url },
    });
  }
}

const BLANK = { key: null, rsaPublicKey: null, organizationScoped: true, projects: [], agentPool: null };

/** "If neither pagination query parameters are provided, the endpoint will not be paginated." */
function list(operation: Operation): StubResponse {
  const { request, world } = operation;
  const organization = theOrganization(operation);
  const own = [...world.oauthClients.values()].filter((client) => client.organization === organization);
  if (request.query.has("page[number]") || request.query.has("page[size]"))
    return answer(page(request, own, render));
  return answer({ data: own.map(render) });
}

/** "You can provide a pre-generated OAuth token string"; without it a person authorizes the client later. */
function create(operation: Operation): StubResponse {
  const { caller, identifiers, request } = operation;
  const organization = theOrganization(operation);
  if (!caller.manages(organization, "manageVcsSettings", false)) throw notFound();
  const { attributes } = readResource(request, "oauth-clients");
  const problems: Problem[] = [];
  const required = (name: string): string => {
    const value = attributes[name];
    if (typeof value === "string" && value !== "") return value;
    problems.push({ pointer: `/data/attributes/${name}`, detail: `${name} can't be blank` });
    return "";
  };
  const serviceProvider = required("service-provider");
  if (serviceProvider !== "" && !Object.hasOwn(PROVIDERS, serviceProvider))
    problems.push({ pointer: "/data/attributes/service-provider", detail: "service-provider is unknown" });
  if (serviceProvider === "ado_server") required("private-key");
  const blank: OauthClient = {
    ...BLANK,
    id: identifiers.fresh("oc"),
    organization,
    createdAt: request.now,
    token: null,
    name: null,
    serviceProvider,
    httpUrl: required("http-url"),
    apiUrl: required("api-url"),
  };
  return answer({ data: render(change(operation, blank, problems)) }, 201);
}

function show(operation: Operation): StubResponse {
  return answer({ data: render(theClient(operation)) });
}

function update(operation: Operation): StubResponse {
  return answer({ data: render(change(operation, theManagedClient(operation), [])) });
}

/** "Removing the OAuth Client will unlink workspaces that use this connection from their repositories." */
function remove(operation: Operation): StubResponse {
  const { world } = operation;
  const { id, organization, token } = theManagedClient(operation);
  world.oauthClients.delete(id);
  const settings = world.organizations.get(organization);
  if (token === null || settings === undefined) return NO_CONTENT;
  const { [token]: _, ...oauthTokens } = settings.oauthTokens;
  world.organizations.set(organization, { ...settings, oauthTokens });
  for (const workspace of [...world.workspaces.values()])
    if (workspace.vcsRepo?.oauthTokenId === token)
      world.workspaces.set(workspace.id, { ...workspace, vcsRepo: null });
  return NO_CONTENT;
}

/** Applies the members that a create and an update have in common. The server never shows the credentials. */
function change(operation: Operation, before: OauthClient, problems: Problem[]): OauthClient {
  const document = readResource(operation.request, "oauth-clients");
  const { attributes } = document;
  const text = (name: string, known: string | null): string | null => {
    const value = attributes[name];
    if (value === undefined || value === null || typeof value === "string")
      return value ?? (value === null ? null : known);
    problems.push({ pointer: `/data/attributes/${name}`, detail: `${name} must be a string` });
    return known;
  };
  const scoped = attributes["organization-scoped"];
  if (scoped !== undefined && typeof scoped !== "boolean")
    problems.push({ pointer: "/data/attributes/organization-scoped", detail: "must be a boolean" });
  const given = text("oauth-token-string", null);
  const after: OauthClient = {
    ...before,
    name: text("name", before.name),
    key: text("key", before.key),
    rsaPublicKey: text("rsa-public-key", before.rsaPublicKey),
    organizationScoped: scoped === undefined ? before.organizationScoped : scoped === true,
    ...relatedIn(operation, document),
    token: before.token ?? (given === null ? null : operation.identifiers.fresh("ot")),
  };
  for (const name of ["secret", "private-key"]) text(name, null);
  if (problems.length > 0) throw invalid(...problems);
  keep(operation.world, after);
  return after;
}

/** Stores a client. A workspace refers to the token in its organization's settings. */
function keep({ oauthClients, organizations }: World, client: OauthClient): void {
  oauthClients.set(client.id, client);
  const settings = organizations.get(client.organization);
  if (client.token === null || settings === undefined) return;
  const { serviceProvider, name, httpUrl: url } = client;
  const token = { serviceProvider, clientName: name ?? "", url };
  organizations.set(client.organization, {
    ...settings,
    oauthTokens: { ...settings.oauthTokens, [client.token]: token },
  });
}

/** The relationships in a body; a relationship that the body does not name stays. */
function relatedIn(
  { world: { objects } }: Operation,
  { relationships: { projects, "agent-pool": pool } }: ResourceDocument,
): Partial<Pick<OauthClient, "projects" | "agentPool">> {
  const existing = (id: JsonValue | undefined, type: string): string => {
    if (typeof id !== "string" || objects.get(id)?.type !== type) throw notFound();
    return id;
  };
  const at = "/data/relationships/projects/data";
  return {
    ...(isObject(projects) && {
      projects: resourceList(projects.data, "projects", at).map(({ id }) => existing(id, "projects")),
    }),
    ...(isObject(pool) && { agentPool: isObject(pool.data) ? existing(pool.data.id, "agent-pools") : null }),
  };
}

function theClient({ world, caller, request }: Operation): OauthClient {
  const client = world.oauthClients.get(request.params.client_id ?? "");
  if (client === undefined || !caller.isMember(client.organization)) throw notFound();
  return client;
}

function theManagedClient(operation: Operation): OauthClient {
  const client = theClient(operation);
  if (!operation.caller.manages(client.organization, "manageVcsSettings", false)) throw notFound();
  return client;
}

function render(client: OauthClient): unknown {
  const { id, organization, serviceProvider, token, agentPool, projects } = client;
  return {
    id,
    type: "oauth-clients",
    attributes: {
      "created-at": timestamp(client.createdAt),
      "callback-url": `https://app.example.com/auth/${id}/callback`,
      "connect-path": `/auth/${id}?organization_id=1`,
      "service-provider": serviceProvider,
      "service-provider-display-name": PROVIDERS[serviceProvider] ?? serviceProvider,
      name: client.name,
      "http-url": client.httpUrl,
      "api-url": client.apiUrl,
      key: client.key,
      "rsa-public-key": client.rsaPublicKey,
      "ado-org-name": null,
      "organization-scoped": client.organizationScoped,
    },
    relationships: {
      organization: { data: { id: organization, type: "organizations" } },
      projects: { data: projects.map((one) => ({ id: one, type: "projects" })) },
      "oauth-tokens": { data: token === null ? [] : [{ id: token, type: "oauth-tokens" }] },
      "agent-pool": { data: agentPool === null ? null : { id: agentPool, type: "agent-pools" } },
    },
    links: { self: `/api/v2/oauth-clients/${id}` },
  };
}
