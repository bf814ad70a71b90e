import { type CreateRequest, CreateResponse } from "@pulumi/pulumi/proto/provider_pb";
import { rounds } from "../../../../tests/rounds";
import { answer } from "../../../engine/deployment/wire/grpc";
import { AttachedProvider } from "./attached-provider";
import { Attached, byName, deployed, Idle } from "./deployed";

const created = (request: CreateRequest) =>
  new CreateResponse().setId(request.getName()).setProperties(request.getProperties());

test("runs at most `parallel` operations at the same time", async () => {
  let running = 0;
  let most = 0;
  const provider = await AttachedProvider.serve({
    create: answer(async (request) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      running -= 1;
      return created(request);
    }),
  });
  const program = async () => {
    for (let index = 0; index < 10; index += 1) new Attached(`thing-${index}`);
  };
  const { environment } = provider;
  const { error } = await deployed(program, { environment, parallel: 3 });
  provider.stop();
  expect(error).toBeUndefined();
  expect(most).toBe(3);
});

test("after a cancellation no operation begins, and the running operation is awaited and saved", async () => {
  const cancellation = new AbortController();
  const names: string[] = [];
  const provider = await AttachedProvider.serve({
    create: answer(async (request) => {
      names.push(request.getName());
      cancellation.abort();
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      return created(request);
    }),
  });
  const program = async () => {
    const first = new Attached("first");
    new Attached("second", { value: first.id });
  };
  const { environment } = provider;
  const result = await deployed(program, { environment, signal: cancellation.signal });
  provider.stop();
  expect(names).toEqual(["first"]);
  expect(byName(result.snapshot, "first")?.id).toBe("first");
  expect(result.snapshot.pendingOperations).toEqual([]);
  expect(result.diagnostics).toEqual(["error: update canceled"]);
  expect(result.error).toBe("canceled");
});

test("creates hundreds of dynamic resources in one deployment", async () => {
  const count = rounds(1000, 200);
  const program = async () => {
    for (let index = 0; index < count; index += 1) new Idle(`thing-${index}`, { value: index });
  };
  const { changes, error } = await deployed(program);
  expect(error).toBeUndefined();
  expect(changes).toEqual({ create: count + 1 });
  // A benchmark measures the duration.
}, 300_000);
