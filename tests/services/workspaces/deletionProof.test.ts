import type { HttpResponse } from "../../../provider/core/http/request";
import type { Address } from "../../../provider/core/language/object";
import type { AbsenceProof } from "../../../provider/core/language/reads";
import type { ObjectContext } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import { goneFromWorkspace } from "../../../provider/services/workspaces/ofWorkspace";
import { missingFromRegistry } from "../../../provider/services/workspaces/registryProviderGone";
import { workspaces } from "../../../provider/services/workspaces/service";
import { missingFromList } from "../../../provider/services/workspaces/workspaceGone";
import { answered, createCaller } from "../../core/requests/caller";

const NOT_FOUND = answered(404, { errors: [{ title: "not found" }] });

/** Runs a proof on the response to a read. Returns its verdict and its requests, which get these answers in order. */
async function runProof(
  proof: AbsenceProof,
  answer: HttpResponse,
  address: Address,
  ...answers: HttpResponse[]
) {
  const { context, sent } = createCaller(...answers);
  // A proof uses only the service of the connection.
  const asker = { ...context, connection: { ...context.connection, service: workspaces } } as ObjectContext;
  const isGone = await proof.proves(answer, asker, address);
  return { isGone, sent: sent.map(({ path, query }) => ({ path, query })) };
}

const page = (data: Json, next: number | null = null) =>
  answered(200, { data, meta: { pagination: { "next-page": next } } });

const listItem = (id: string, name: string): Json => ({ id, type: "workspaces", attributes: { name } });

/** Responses that do not prove that the list lacks the object. */
const INCONCLUSIVE_LISTS: readonly HttpResponse[] = [
  NOT_FOUND,
  answered(403, { errors: [] }),
  answered(200, {}),
  answered(200, { data: null }),
  answered(200, { data: null, meta: { pagination: { "next-page": null } } }),
  // Neither of these two says whether it is the last page.
  answered(200, { data: [] }),
  answered(200, { data: [], meta: { pagination: { "current-page": 1 } } }),
];

describe("proof that a workspace was deleted", () => {
  const address = { organization: "acme", workspaceId: "ws-1", name: "app" };

  test("succeeds if the organization's list contains only other IDs, even under the same name", async () => {
    const list = page([listItem("ws-2", "app"), listItem("ws-3", "web")]);
    const { isGone, sent } = await runProof(missingFromList, NOT_FOUND, address, list);
    expect(isGone).toBe(true);
    expect(sent).toMatchObject([{ path: "/organizations/acme/workspaces" }]);
  });

  test("fails if any page of the list contains the ID, even under a new name", async () => {
    const renamed = page([listItem("ws-1", "renamed")]);
    const { isGone, sent } = await runProof(missingFromList, NOT_FOUND, address, page([], 2), renamed);
    expect(isGone).toBe(false);
    expect(sent).toHaveLength(2);
    for (const { query } of sent) expect(query).not.toHaveProperty(["search[name]"]);
  });

  test.each(INCONCLUSIVE_LISTS)("fails if the list response is inconclusive: %j", async (list) => {
    expect((await runProof(missingFromList, NOT_FOUND, address, list)).isGone).toBe(false);
  });

  test.each([401, 403, 500, 502])("fails without a request if the read returned HTTP %d", async (status) => {
    const { isGone, sent } = await runProof(missingFromList, answered(status), address, page([]));
    expect({ isGone, sent }).toEqual({ isGone: false, sent: [] });
  });

  test("fails without a request if the organization is unknown", async () => {
    const { organization: _, ...rest } = address;
    expect(await runProof(missingFromList, NOT_FOUND, rest, page([]))).toEqual({ isGone: false, sent: [] });
  });
});

test("proof that a workspace was deleted searches the list by name if the ID is unknown", async () => {
  const address = { organization: "acme", name: "app" };
  const there = await runProof(missingFromList, NOT_FOUND, address, page([listItem("ws-1", "app")]));
  expect(there.isGone).toBe(false);
  expect(there.sent[0]?.query).toMatchObject({ "search[name]": "app" });
  const other = await runProof(missingFromList, NOT_FOUND, address, page([listItem("ws-1", "app-2")]));
  expect(other.isGone).toBe(true);
});

describe("proof that a registry provider was deleted", () => {
  const address = { organization: "acme", registryName: "private", namespace: "acme", name: "app" };
  const listWith = (more: { [member: string]: Json }) =>
    page([{ attributes: { "registry-name": "private", namespace: "acme", name: "app", ...more } }]);

  test("fails if the organization's list contains the provider", async () => {
    const { isGone, sent } = await runProof(missingFromRegistry, NOT_FOUND, address, listWith({}));
    expect(isGone).toBe(false);
    expect(sent[0]?.query).toMatchObject({ q: "app", "filter[registry_name]": "private" });
  });

  test.each([{ namespace: "other" }, { name: "app-2" }, { "registry-name": "public" }])(
    "succeeds if the only provider in the list differs in %j",
    async (other) => {
      expect((await runProof(missingFromRegistry, NOT_FOUND, address, listWith(other))).isGone).toBe(true);
    },
  );

  test.each(INCONCLUSIVE_LISTS)("fails if the list response is inconclusive: %j", async (list) => {
    expect((await runProof(missingFromRegistry, NOT_FOUND, address, list)).isGone).toBe(false);
  });

  test.each([403, 500])("fails without a request if the read returned HTTP %d", async (status) => {
    const { isGone, sent } = await runProof(missingFromRegistry, answered(status), address, page([]));
    expect({ isGone, sent }).toEqual({ isGone: false, sent: [] });
  });
});

describe("proof that a sub-resource of a workspace was deleted", () => {
  const proof = goneFromWorkspace("the server returns no part");
  const address = { organization: "acme", workspaceId: "ws-1" };
  const workspace = (id: string) => answered(200, { data: { id, attributes: {} } });

  test("succeeds if its workspace can be read, and fails if a different workspace is returned", async () => {
    expect((await runProof(proof, NOT_FOUND, address, workspace("ws-1"))).isGone).toBe(true);
    expect((await runProof(proof, NOT_FOUND, address, workspace("ws-2"))).isGone).toBe(false);
  });

  test("succeeds if its workspace was deleted, and fails if the list still contains the workspace", async () => {
    expect((await runProof(proof, NOT_FOUND, address, NOT_FOUND, page([]))).isGone).toBe(true);
    const list = page([listItem("ws-1", "app")]);
    expect((await runProof(proof, NOT_FOUND, address, NOT_FOUND, list)).isGone).toBe(false);
  });
});
