import * as pulumi from "@pulumi/pulumi";
import {
  CreateResponse,
  DiffResponse,
  PropertyDiff,
  ProviderHandshakeResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { answer } from "../../../engine/deployment/wire/grpc";
import { SECRET_SIGNATURE, SIGNATURE } from "../../../engine/state/signatures";
import { Secret } from "../../../engine/state/values";
import { AttachedProvider, type Handlers } from "./attached-provider";
import { Attached, byName, deployed } from "./deployed";

let provider: AttachedProvider;

async function attach(handlers: Handlers) {
  provider = await AttachedProvider.serve(handlers);
  return { environment: provider.environment };
}

afterEach(() => provider.stop());

const secret = async () => void new Attached("one", { value: pulumi.secret("hidden") });

test("a provider that accepts secrets gets marked secrets, and its outputs are stored as returned", async () => {
  let received: unknown;
  const options = await attach({
    handshake: answer(() => new ProviderHandshakeResponse().setAcceptSecrets(true)),
    create: answer((request) => {
      received = request.getProperties()?.toJavaScript();
      return new CreateResponse().setId("id").setProperties(Struct.fromJavaScript({ made: "open" }));
    }),
  });
  const { snapshot } = await deployed(secret, options);
  expect(received).toEqual({ value: { [SIGNATURE]: SECRET_SIGNATURE, value: "hidden" } });
  expect(byName(snapshot, "one")?.outputs).toEqual({ made: "open" });
});

test("a provider that does not accept secrets gets plain values, and its returned values are marked again", async () => {
  let received: unknown;
  const options = await attach({
    create: answer((request) => {
      received = request.getProperties()?.toJavaScript();
      return new CreateResponse().setId("id").setProperties(request.getProperties());
    }),
  });
  const { snapshot } = await deployed(secret, options);
  expect(received).toEqual({ value: "hidden" });
  expect(byName(snapshot, "one")?.outputs).toEqual({ value: new Secret("hidden") });
});

test("a provider gets only the configuration of its own namespace", async () => {
  let received: unknown;
  const options = await attach({
    checkConfig: answer((request) => {
      received = request.getNews()?.toJavaScript();
      throw new Error("enough seen");
    }),
  });
  const config = { "attached:region": "here", "other:region": "there" };
  const { diagnostics } = await deployed(async () => void new Attached("one"), { ...options, config });
  expect(received).toEqual({ region: "here" });
  expect(diagnostics).toContain("error: enough seen");
});

test("a detailed diff with update-replace causes a replacement, and its event contains the diff", async () => {
  const options = await attach({
    diff: answer(() => {
      const response = new DiffResponse()
        .setChanges(DiffResponse.DiffChanges.DIFF_SOME)
        .setHasdetaileddiff(true);
      const kind = new PropertyDiff().setKind(PropertyDiff.Kind.UPDATE_REPLACE).setInputdiff(true);
      response.getDetaileddiffMap().set("value", kind);
      return response;
    }),
  });
  const program = (value: number) => async () => void new Attached("one", { value });
  const { snapshot } = await deployed(program(1), options);
  const { changes, events } = await deployed(program(2), { ...options, snapshot });
  expect(changes).toEqual({ same: 1, replace: 1 });
  const metadata = events.map(({ resourcePreEvent }) => resourcePreEvent?.metadata);
  expect(metadata.find((one) => one?.op === "replace")?.detailedDiff).toEqual({
    value: { diffKind: "update-replace", inputDiff: true },
  });
});

test("an unknown value in the response to a create call is an error", async () => {
  const options = await attach({
    create: answer(() =>
      new CreateResponse()
        .setId("id")
        .setProperties(Struct.fromJavaScript({ later: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" })),
    ),
  });
  const { diagnostics } = await deployed(async () => void new Attached("one"), options);
  expect(diagnostics).toContain('error: unexpected unknown property value for "later"');
});

test("the provider gets timeouts in seconds", async () => {
  let seconds = 0;
  const options = await attach({
    create: answer((request) => {
      seconds = request.getTimeout();
      return new CreateResponse().setId("id").setProperties(request.getProperties());
    }),
  });
  const resource = { customTimeouts: { create: "1m30.5s" } };
  await deployed(async () => void new Attached("one", {}, resource), options);
  expect(seconds).toBe(90.5);
});
