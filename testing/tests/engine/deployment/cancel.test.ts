import { status } from "@grpc/grpc-js";
import { CreateResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { answer, StatusError } from "../../../engine/deployment/wire/grpc";
import { AttachedProvider } from "./attached-provider";
import { Attached, byName, deployed } from "./deployed";

/** Deploys two things with a provider whose creations wait for a cancel call, and then return the result of `end`. */
async function deployedWithCancel(end: () => CreateResponse) {
  const controller = new AbortController();
  const canceled = Promise.withResolvers<void>();
  let cancels = 0;
  const provider = await AttachedProvider.serve({
    create: answer(async () => {
      controller.abort();
      await canceled.promise;
      return end();
    }),
    cancel: answer(() => {
      cancels += 1;
      canceled.resolve();
      return new Empty();
    }),
  });
  const program = async () => {
    const one = new Attached("one", { value: 1 });
    new Attached("two", { value: one.id });
  };
  const result = await deployed(program, { environment: provider.environment, signal: controller.signal });
  provider.stop();
  return { ...result, cancels };
}

test("a cancellation calls the plugin's Cancel, and a creation that then fails is not stored", async () => {
  const { snapshot, diagnostics, error, cancels } = await deployedWithCancel(() => {
    throw new StatusError(status.CANCELLED, "given up");
  });
  expect(error).toBeDefined();
  expect(diagnostics).toContain("error: given up");
  expect(byName(snapshot, "one")).toBeUndefined();
  expect(snapshot.pendingOperations).toEqual([]);
  // Once for the cancel, once for the end.
  expect(cancels).toBe(2);
});

test("a creation that succeeds after a cancellation is stored, and no other creation begins", async () => {
  const { snapshot, diagnostics } = await deployedWithCancel(() => new CreateResponse().setId("made"));
  expect(byName(snapshot, "one")?.id).toBe("made");
  expect(byName(snapshot, "two")).toBeUndefined();
  expect(diagnostics).toContain("error: update canceled");
});
