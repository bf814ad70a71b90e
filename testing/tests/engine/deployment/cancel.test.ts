import { status } from "@grpc/grpc-js";
import { CreateResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { answer, StatusError } from "../../../engine/deployment/wire/grpc";
import { AttachedProvider } from "./attached-provider";
import { Attached, byName, deployed } from "./deployed";

/** A provider whose creations wait for the cancel, and then end as a test wants. */
async function waiting(end: () => CreateResponse) {
  const controller = new AbortController();
  const heard = Promise.withResolvers<void>();
  let cancels = 0;
  const provider = await AttachedProvider.serve({
    create: answer(async () => {
      controller.abort();
      await heard.promise;
      return end();
    }),
    cancel: answer(() => {
      cancels += 1;
      heard.resolve();
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

test("whoever cancels reaches the plugin at once: a creation that gives up has made nothing", async () => {
  const { snapshot, diagnostics, error, cancels } = await waiting(() => {
    throw new StatusError(status.CANCELLED, "given up");
  });
  expect(error).toBeDefined();
  expect(diagnostics).toContain("error: given up");
  expect(byName(snapshot, "one")).toBeUndefined();
  expect(snapshot.pendingOperations).toEqual([]);
  // Once for the cancel, once for the end.
  expect(cancels).toBe(2);
});

test("a creation that goes through in spite of it is kept, and nothing is begun after it", async () => {
  const { snapshot, diagnostics } = await waiting(() => new CreateResponse().setId("made"));
  expect(byName(snapshot, "one")?.id).toBe("made");
  expect(byName(snapshot, "two")).toBeUndefined();
  expect(diagnostics).toContain("error: update canceled");
});
