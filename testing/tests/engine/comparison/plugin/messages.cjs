/** Messages of the plugin: values, errors with details, recorded calls, and lines in the engine's log. */
const { appendFileSync } = require("node:fs");
const { Metadata, credentials, status } = require("@grpc/grpc-js");
const { Any } = require("google-protobuf/google/protobuf/any_pb");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");
const { EngineClient } = require("@pulumi/pulumi/proto/engine_grpc_pb");
const engine = require("@pulumi/pulumi/proto/engine_pb");
const { ErrorResourceInitFailed } = require("@pulumi/pulumi/proto/provider_pb");
const { Status } = require("@pulumi/pulumi/proto/status_pb");
const { mark } = require("./secrets.cjs");

const struct = (values) => Struct.fromJavaScript(values);
const values = (request, name) => request[name]()?.toJavaScript();

function record(method, subject, request = {}) {
  const line = JSON.stringify({ process: process.pid, method, subject, request });
  appendFileSync(process.env.COMPARISON_CALLS, `${line}\n`);
}

/** A gRPC error with its details. */
function failure(message, detail, name) {
  const metadata = new Metadata();
  if (detail) {
    const any = new Any();
    any.pack(detail.serializeBinary(), name);
    const richStatus = new Status().setCode(status.UNKNOWN).setMessage(message).setDetailsList([any]);
    metadata.set("grpc-status-details-bin", Buffer.from(richStatus.serializeBinary()));
  }
  return { code: status.UNKNOWN, details: message, metadata };
}

/** The protocol's error for a partially created resource. */
function partialError(error, like) {
  const detail = new ErrorResourceInitFailed()
    .setId(error.id)
    .setProperties(struct(mark(error.properties, like)))
    .setInputs(struct(like))
    .setReasonsList(error.reasons);
  return failure(error.message, detail, "pulumirpc.ErrorResourceInitFailed");
}

/** A method of the service, which records its request before it responds. */
function method(name, recordedPart, respond) {
  return (call, callback) => {
    const { request } = call;
    const subject = request.getUrn?.() || request.getTok?.() || "";
    record(name, subject, recordedPart(request));
    Promise.resolve()
      .then(() => respond(request))
      .then(
        (response) => callback(null, response),
        (error) => callback(error.metadata ? error : failure(error.message)),
      );
  };
}

let log;
const logTo = (address) => {
  log?.close();
  log = new EngineClient(address, credentials.createInsecure());
};

/** Logs a line to the engine. */
function logWarning(urn, message, ephemeral) {
  const request = new engine.LogRequest()
    .setSeverity(engine.LogSeverity.WARNING)
    .setMessage(message)
    .setUrn(urn)
    .setEphemeral(ephemeral);
  return new Promise((resolve) => log.log(request, () => resolve()));
}

/** The recorded part of a request about the configuration of a provider. */
const configuring = (request) => ({
  type: request.getType(),
  name: request.getName(),
  olds: values(request, "getOlds"),
  ...(request.getOldInputs && { oldInputs: values(request, "getOldInputs") }),
  news: values(request, "getNews"),
});

/** The recorded part of a diff or an update request. */
const diffing = (request) => ({
  id: request.getId(),
  ignore: request.getIgnorechangesList(),
  olds: values(request, "getOlds"),
  oldInputs: values(request, "getOldInputs"),
  news: values(request, "getNews"),
});

module.exports = {
  configuring,
  diffing,
  failure,
  partialError,
  logTo,
  logWarning,
  method,
  record,
  struct,
  values,
};
