import type { HttpAnswer } from "../../../provider/core/http/request";
import type { Address } from "../../../provider/core/language/object";
import type { GoneProof } from "../../../provider/core/language/reads";
import type { ObjectContext } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import { goneFromWorkspace } from "../../../provider/services/workspaces/ofWorkspace";
import { missingFromRegistry } from "../../../provider/services/workspaces/registryProviderGone";
import { workspaces } from "../../../provider/services/workspaces/service";
import { missingFromList } from "../../../provider/services/workspaces/workspaceGone";
import { answered, asking } from "../../core/requests/asking";

const NOT_FOUND = answered(404, { errors: [{ title: "not found" }] });

/** What a proof makes of an answer to a read, and the requests that it sends for that, which are answered so. */
async function judged(proof: GoneProof, answer: HttpAnswer, address: Address, ...answers: HttpAnswer[]) {
  const { context, sent } = asking(...answers);
  // A proof reads by the service of its connection alone.
  const asker = { ...context, connection: { ...context.connection, service: workspaces } } as ObjectContext;
  const isGone = await proof.proves(answer, asker, address);
  return { isGone, sent: sent.map(({ path, query }) => ({ path, query })) };
}

const page = (data: Json, next: number | null = null) =>
  answered(200, { data, meta: { pagination: { "next-page": next } } });

const listed = (id: string, name: string): Json => ({ id, type: "workspaces", attributes: { name } });

/** What no token may take for a list without the object. */
const NO_LISTS: readonly HttpAnswer[] = [
  NOT_FOUND,
  answered(403, { errors: [] }),
  answered(200, {}),
  answered(200, { data: null }),
  // Neither says whether it is the last page.
  answered(200, { data: [] }),
  answered(200, { data: [], meta: { pagination: { "current-page": 1 } } }),
];

describe("a workspace that is not found by its id", () => {
  const address = { organization: "acme", workspaceId: "ws-1", name: "app" };

  test("is gone where the organization's list holds others only, of whatever names", async () => {
    const list = page([listed("ws-2", "app"), listed("ws-3", "web")]);
    const { isGone, sent } = await judged(missingFromList, NOT_FOUND, address, list);
    expect(isGone).toBe(true);
    expect(sent).toMatchObject([{ path: "/organizations/acme/workspaces" }]);
  });

  test("is there where the list holds its id, under another name by now, and on whichever page", async () => {
    const renamed = page([listed("ws-1", "renamed")]);
    const { isGone, sent } = await judged(missingFromList, NOT_FOUND, address, page([], 2), renamed);
    expect(isGone).toBe(false);
    expect(sent).toHaveLength(2);
    for (const { query } of sent) expect(query).not.toHaveProperty(["search[name]"]);
  });

  test.each(NO_LISTS)("is not taken for gone where there is no list to see: %j", async (list) => {
    expect((await judged(missingFromList, NOT_FOUND, address, list)).isGone).toBe(false);
  });

  test.each([401, 403, 500, 502])("is not looked for where the answer was %d", async (status) => {
    const { isGone, sent } = await judged(missingFromList, answered(status), address, page([]));
    expect({ isGone, sent }).toEqual({ isGone: false, sent: [] });
  });

  test("is not taken for gone where nobody knows its organization", async () => {
    const { organization: _, ...rest } = address;
    expect(await judged(missingFromList, NOT_FOUND, rest, page([]))).toEqual({ isGone: false, sent: [] });
  });
});

test("a workspace that is known by its name alone is looked for by that", async () => {
  const address = { organization: "acme", name: "app" };
  const there = await judged(missingFromList, NOT_FOUND, address, page([listed("ws-1", "app")]));
  expect(there.isGone).toBe(false);
  expect(there.sent[0]?.query).toMatchObject({ "search[name]": "app" });
  const other = await judged(missingFromList, NOT_FOUND, address, page([listed("ws-1", "app-2")]));
  expect(other.isGone).toBe(true);
});

describe("a provider that is not found by its name", () => {
  const address = { organization: "acme", registryName: "private", namespace: "acme", name: "app" };
  const held = (more: { [member: string]: Json }) =>
    page([{ attributes: { "registry-name": "private", namespace: "acme", name: "app", ...more } }]);

  test("is there where the organization's list holds it", async () => {
    const { isGone, sent } = await judged(missingFromRegistry, NOT_FOUND, address, held({}));
    expect(isGone).toBe(false);
    expect(sent[0]?.query).toMatchObject({ q: "app", "filter[registry_name]": "private" });
  });

  test.each([{ namespace: "other" }, { name: "app-2" }, { "registry-name": "public" }])(
    "is gone where the list holds another one only: %j",
    async (other) => {
      expect((await judged(missingFromRegistry, NOT_FOUND, address, held(other))).isGone).toBe(true);
    },
  );

  test.each(NO_LISTS)("is not taken for gone where there is no list to see: %j", async (list) => {
    expect((await judged(missingFromRegistry, NOT_FOUND, address, list)).isGone).toBe(false);
  });

  test.each([403, 500])("is not looked for where the answer was %d", async (status) => {
    const { isGone, sent } = await judged(missingFromRegistry, answered(status), address, page([]));
    expect({ isGone, sent }).toEqual({ isGone: false, sent: [] });
  });
});

describe("what has a path of its own below a workspace, and is not found", () => {
  const address = { organization: "acme", workspaceId: "ws-1" };
  const workspace = (id: string) => answered(200, { data: { id, attributes: {} } });

  test("is gone where its workspace can be read, and no other answers in its place", async () => {
    expect((await judged(goneFromWorkspace, NOT_FOUND, address, workspace("ws-1"))).isGone).toBe(true);
    expect((await judged(goneFromWorkspace, NOT_FOUND, address, workspace("ws-2"))).isGone).toBe(false);
  });

  test("is gone with its workspace, and is there where the list holds that", async () => {
    expect((await judged(goneFromWorkspace, NOT_FOUND, address, NOT_FOUND, page([]))).isGone).toBe(true);
    const list = page([listed("ws-1", "app")]);
    expect((await judged(goneFromWorkspace, NOT_FOUND, address, NOT_FOUND, list)).isGone).toBe(false);
  });
});
