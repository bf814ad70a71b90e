import { Metadata } from "@grpc/grpc-js";
import { CreateRequest, InvokeRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { type Stub, startStub, TEST_TOKENS } from "../../../../testing/stub";
import { type AttachedEngine, attachedEngine } from "./client";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const URN = "urn:pulumi:dev::platform::quarterdeck:mesh:ServiceDefaults::web";

let stub: Stub;
let engine: AttachedEngine;

beforeEach(async () => {
  stub = await startStub();
  engine = await attachedEngine({ mesh: { address: stub.addresses.mesh, token: TEST_TOKENS.mesh } });
});
afterEach(async () => {
  engine.stop();
  await stub.stop();
});

/** The trace headers that an engine sends with a call. */
function traceHeaders(): Metadata {
  const metadata = new Metadata();
  metadata.set("traceparent", `00-${TRACE}-b7ad6b7169203331-01`);
  metadata.set("tracestate", "congo=t61rcWkgMzE");
  return metadata;
}

const traces = async () =>
  (await stub.requests()).map(({ headers }) => [headers.traceparent, headers.tracestate]);

test.each([
  ["a call for a resource", createWith],
  ["a call of a function", invokeWith],
])("the requests of %s belong to the trace that the engine sent with it", async (_, call) => {
  await call(traceHeaders());
  const sent = await traces();
  expect(sent.length).toBeGreaterThan(0);
  for (const each of sent)
    expect(each).toEqual([expect.stringMatching(`^00-${TRACE}-[0-9a-f]{16}-01$`), "congo=t61rcWkgMzE"]);
  await stub.clearRequests();
  await call(new Metadata());
  for (const each of await traces()) expect(each).toEqual([undefined, undefined]);
});

let createCount = 0;

async function createWith(metadata: Metadata): Promise<void> {
  createCount += 1;
  const request = new CreateRequest();
  request.setUrn(URN);
  request.setProperties(Struct.fromJavaScript({ name: `web-${createCount}`, protocol: "http" }));
  await new Promise((resolve, reject) => {
    engine.client.create(request, metadata, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

async function invokeWith(metadata: Metadata): Promise<void> {
  const request = new InvokeRequest();
  request.setTok("quarterdeck:mesh:getConfigEntries");
  request.setArgs(Struct.fromJavaScript({ kind: "service-defaults" }));
  await new Promise((resolve, reject) => {
    engine.client.invoke(request, metadata, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}
