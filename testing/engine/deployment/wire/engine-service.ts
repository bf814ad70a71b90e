import type { IEngineServer } from "@pulumi/pulumi/proto/engine_grpc_pb";
import {
  GetRootResourceResponse,
  LogSeverity,
  RequirePulumiVersionResponse,
  SetRootResourceResponse,
} from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Unserved } from "../../refusal";
import type { Diagnostics } from "../operation/diagnostics";
import { answer } from "./grpc";

const SEVERITIES = {
  [LogSeverity.DEBUG]: "debug",
  [LogSeverity.INFO]: "info",
  [LogSeverity.WARNING]: "warning",
  [LogSeverity.ERROR]: "error",
} as const;

/** The engine service for programs and providers: logging, and the URN of the root resource. */
export function engineService(diagnostics: Diagnostics): IEngineServer {
  let root = "";
  return {
    log: answer((request) => {
      const severity = SEVERITIES[request.getSeverity()];
      diagnostics.say(
        severity,
        request.getMessage(),
        request.getUrn(),
        request.getStreamid(),
        request.getEphemeral(),
      );
      return new Empty();
    }),
    getRootResource: answer(() => new GetRootResourceResponse().setUrn(root)),
    setRootResource: answer((request) => {
      root = request.getUrn();
      return new SetRootResourceResponse();
    }),
    startDebugging: answer(() => {
      throw new Unserved("debugging");
    }),
    // The test double satisfies every version requirement.
    requirePulumiVersion: answer(() => new RequirePulumiVersionResponse()),
  };
}
