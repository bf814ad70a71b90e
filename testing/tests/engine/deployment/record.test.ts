import { CreateResponse } from "@pulumi/pulumi/proto/provider_pb";
import { answer } from "../../../engine/deployment/wire/grpc";
import { AttachedProvider, type Handlers } from "./attached-provider";
import { Attached, byName, deployed } from "./deployed";

let provider: AttachedProvider;

async function attach(handlers?: Handlers) {
  provider = await AttachedProvider.serve(handlers);
  return { environment: provider.environment };
}

afterEach(() => provider.stop());

const chain = async () => {
  const first = new Attached("first", { value: 1 });
  new Attached("second", { value: first.id });
};

test("a pending operation is saved before it begins, and removed when it is done", async () => {
  const open: string[][] = [];
  let saved: readonly string[] = [];
  const { environment } = await attach({
    create: answer((request) => {
      open.push([request.getName(), ...saved]);
      return new CreateResponse().setId(request.getName()).setProperties(request.getProperties());
    }),
  });
  const { error, snapshot } = await deployed(chain, {
    environment,
    save: async ({ pendingOperations }) => {
      saved = pendingOperations.map(({ type, resource }) => `${type} ${resource.urn.split("::").at(-1)}`);
    },
  });
  expect(error).toBeUndefined();
  expect(open).toEqual([
    ["first", "creating first"],
    ["second", "creating second"],
  ]);
  expect(snapshot.pendingOperations).toEqual([]);
});

test("a created resource is saved before the creation of its dependent begins", async () => {
  const { environment } = await attach();
  const { saves } = await deployed(chain, { environment });
  const whenSecondBegan = saves.find(({ pendingOperations }) =>
    pendingOperations.some(({ resource }) => resource.urn.endsWith("::second")),
  );
  expect(byName(whenSecondBegan ?? { resources: [], pendingOperations: [] }, "first")?.id).toBe("id-1");
});

test("an unchanged state is the same object in the next snapshot", async () => {
  const { environment } = await attach();
  const { saves } = await deployed(chain, { environment });
  const last = saves.at(-1);
  const before = saves.findLast(
    (snapshot) => snapshot !== last && byName(snapshot, "first")?.id !== undefined,
  );
  expect(before && byName(before, "first")).toBe(last && byName(last, "first"));
});

test("a failed save stops the deployment before the next creation", async () => {
  const created: string[] = [];
  const { environment } = await attach({
    create: answer((request) => {
      created.push(request.getName());
      return new CreateResponse().setId(request.getName()).setProperties(request.getProperties());
    }),
  });
  const { error, diagnostics } = await deployed(chain, {
    environment,
    save: async (snapshot) => {
      if (byName(snapshot, "first")) throw new Error("the disk is full");
    },
  });
  expect(created).toEqual(["first"]);
  expect(error).toContain("the disk is full");
  expect(diagnostics).toContain("error: the disk is full");
});

test("a preview saves nothing", async () => {
  const { environment } = await attach();
  const { saves, changes, snapshot } = await deployed(chain, { kind: "preview", environment });
  expect(saves).toEqual([]);
  expect(changes).toEqual({ create: 3 });
  expect(snapshot.resources).toEqual([]);
});
