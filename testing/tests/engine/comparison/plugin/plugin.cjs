/**
 * A provider plugin for the service of `../provider.cjs`. It records each call of an engine as one line of JSON in the
 * file of COMPARISON_CALLS. Its resources behave as in `../provider.cjs`; its configuration controls:
 *
 *   place       a change replaces the provider          label     CheckConfig rejects "bad"
 *   required    Configure reports "missing" by its key  quiet     DiffConfig returns unknown
 */
const { fstatSync } = require("node:fs");
const { Server, ServerCredentials } = require("@grpc/grpc-js");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const proto = require("@pulumi/pulumi/proto/provider_pb");
const { detailsOf } = require("./details.cjs");
const {
  configuring,
  diffing,
  failure,
  logTo,
  logWarning,
  method,
  partialError,
  record,
  struct,
  values,
} = require("./messages.cjs");
const { mark, unwrap } = require("./secrets.cjs");
const handler = require("../provider.cjs")();

handler.configure({ config: { require: () => process.env.COMPARISON_WORLD } });

/** Calls the handler with plain values, and converts an error of a partial create or update. */
async function callHandler(inputs, call) {
  try {
    return await call(unwrap(inputs));
  } catch (error) {
    throw error.reasons ? partialError(error, inputs) : error;
  }
}

/** Ends the process during a call if the inputs request it. */
const exitIfRequested = (inputs) => {
  if (inputs.other !== "deadly") return;
  console.error("the plugin is in trouble");
  process.exit(3);
};

const service = {
  handshake: method(
    "Handshake",
    (request) => ({
      engine: request.getEngineAddress(),
      root: request.getRootDirectory(),
      program: request.getProgramDirectory(),
      urn: request.getConfigureWithUrn(),
      invokeWithPreview: request.getInvokeWithPreview(),
    }),
    (request) => {
      logTo(request.getEngineAddress());
      return new proto.ProviderHandshakeResponse().setAcceptSecrets(true);
    },
  ),
  getPluginInfo: method(
    "GetPluginInfo",
    () => ({}),
    () => new PluginInfo().setVersion("1.2.0"),
  ),
  checkConfig: method("CheckConfig", configuring, (request) => {
    const news = values(request, "getNews");
    const failures =
      news.label === "bad" ? [new proto.CheckFailure().setProperty("label").setReason("must be good")] : [];
    return new proto.CheckResponse().setInputs(struct(news)).setFailuresList(failures);
  }),
  diffConfig: method("DiffConfig", configuring, (request) => {
    const [olds, news] = [values(request, "getOlds"), values(request, "getNews")];
    const response = new proto.DiffResponse();
    if (news.quiet) return response;
    const keys = Object.keys({ ...olds, ...news }).filter(
      (key) => JSON.stringify(olds[key]) !== JSON.stringify(news[key]),
    );
    const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
    return response
      .setChanges(keys.length > 0 ? DIFF_SOME : DIFF_NONE)
      .setDiffsList(keys)
      .setReplacesList(keys.filter((key) => key === "place"));
  }),
  configure: method(
    "Configure",
    (request) => ({
      id: request.getId(),
      type: request.getType(),
      name: request.getName(),
      args: values(request, "getArgs"),
      variables: Object.fromEntries(request.getVariablesMap().toArray()),
      secrets: request.getAcceptsecrets(),
      resources: request.getAcceptresources(),
      oldInputs: [request.getSendsOldInputs(), request.getSendsOldInputsToDelete()],
    }),
    (request) => {
      if (unwrap(values(request, "getArgs")).required === "missing") {
        const key = new proto.ConfigureErrorMissingKeys.MissingKey()
          .setName("things:required")
          .setDescription("what is required");
        const detail = new proto.ConfigureErrorMissingKeys().setMissingkeysList([key]);
        throw failure("something is missing", detail, "pulumirpc.ConfigureErrorMissingKeys");
      }
      return new proto.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    },
  ),
  check: method(
    "Check",
    (request) => ({
      type: request.getType(),
      name: request.getName(),
      olds: values(request, "getOlds"),
      news: values(request, "getNews"),
    }),
    async (request) => {
      const news = values(request, "getNews");
      const { inputs, failures } = await handler.check(unwrap(values(request, "getOlds")), unwrap(news));
      const checkFailures = failures.map(({ property, reason }) =>
        new proto.CheckFailure().setProperty(property).setReason(reason),
      );
      return new proto.CheckResponse().setInputs(struct(mark(inputs, news))).setFailuresList(checkFailures);
    },
  ),
  diff: method("Diff", diffing, async (request) => {
    const [olds, news] = [unwrap(values(request, "getOlds")), unwrap(values(request, "getNews"))];
    const { changes, replaces = [], deleteBeforeReplace } = await handler.diff(request.getId(), olds, news);
    if (changes === undefined) return new proto.DiffResponse();
    const details = changes ? detailsOf(olds, news, replaces) : {};
    const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
    const response = new proto.DiffResponse()
      .setChanges(changes ? DIFF_SOME : DIFF_NONE)
      .setReplacesList(replaces)
      .setDeletebeforereplace(deleteBeforeReplace)
      .setHasdetaileddiff(true)
      .setDiffsList([...new Set(Object.keys(details).map((path) => path.split(/[.[]/)[0]))]);
    for (const [path, kind] of Object.entries(details)) {
      response.getDetaileddiffMap().set(path, new proto.PropertyDiff().setKind(kind).setInputdiff(true));
    }
    return response;
  }),
  create: method(
    "Create",
    (request) => ({
      preview: request.getPreview(),
      timeout: request.getTimeout(),
      properties: values(request, "getProperties"),
    }),
    async (request) => {
      const inputs = values(request, "getProperties");
      if (request.getPreview()) {
        return new proto.CreateResponse().setProperties(struct({ ...inputs, computed: UNKNOWN }));
      }
      exitIfRequested(inputs);
      if (inputs.noisy) {
        await logWarning(request.getUrn(), `making ${inputs.name}`, true);
        await logWarning(request.getUrn(), `careful with ${inputs.name}`, false);
        await logWarning("", "careful with everything", false);
      }
      const { id, outs } = await callHandler(inputs, (plain) => handler.create(plain));
      return new proto.CreateResponse().setId(id).setProperties(struct(mark(outs, inputs)));
    },
  ),
  read: method(
    "Read",
    (request) => ({
      id: request.getId(),
      timeout: request.getTimeout(),
      inputs: values(request, "getInputs"),
      properties: values(request, "getProperties"),
    }),
    async (request) => {
      const like = values(request, "getProperties") ?? {};
      const { id, props, inputs } = await handler.read(request.getId(), unwrap(like));
      const response = new proto.ReadResponse().setId(id);
      if (id === "") return response;
      return response
        .setProperties(struct(mark(props, like)))
        .setInputs(struct(mark(inputs, values(request, "getInputs") ?? {})));
    },
  ),
  update: method(
    "Update",
    (request) => ({ ...diffing(request), preview: request.getPreview(), timeout: request.getTimeout() }),
    async (request) => {
      const news = values(request, "getNews");
      if (request.getPreview()) {
        const { computed } = values(request, "getOlds");
        return new proto.UpdateResponse().setProperties(struct({ ...news, computed }));
      }
      const { outs } = await callHandler(news, (plain) => handler.update(request.getId(), {}, plain));
      return new proto.UpdateResponse().setProperties(struct(mark(outs, news)));
    },
  ),
  delete: method(
    "Delete",
    (request) => ({
      id: request.getId(),
      timeout: request.getTimeout(),
      oldInputs: values(request, "getOldInputs"),
      properties: values(request, "getProperties"),
    }),
    async (request) => {
      await handler.delete(request.getId(), unwrap(values(request, "getProperties")));
      return new Empty();
    },
  ),
  invoke: method(
    "Invoke",
    (request) => ({ preview: request.getPreview(), args: values(request, "getArgs") }),
    (request) => {
      const args = values(request, "getArgs");
      if (args.fail) throw new Error("the function failed");
      const failures = args.invalid
        ? [new proto.CheckFailure().setProperty("invalid").setReason("must not be set")]
        : [];
      return new proto.InvokeResponse().setReturn(struct({ args })).setFailuresList(failures);
    },
  ),
  attach: method(
    "Attach",
    (request) => ({ address: request.getAddress() }),
    (request) => {
      logTo(request.getAddress());
      return new Empty();
    },
  ),
  cancel: method(
    "Cancel",
    () => ({}),
    () => new Empty(),
  ),
};

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

process.on("SIGINT", () => {
  record("SIGINT", "");
  process.exit();
});
if (process.env.COMPARISON_FAIL_START) {
  console.error("cannot start like this");
  process.exit(4);
}
record("start", "", { arguments: process.argv.slice(2), directory: process.cwd(), input: kindOf(0) });
const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
server.addService(ResourceProviderService, service);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
  console.log("a line that nobody sees");
});

/** The kind of a file descriptor: a pipe, or something else. */
function kindOf(descriptor) {
  const stats = fstatSync(descriptor);
  return stats.isFIFO() || stats.isSocket() ? "pipe" : "other";
}
