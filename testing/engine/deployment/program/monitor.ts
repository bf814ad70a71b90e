import type { handleUnaryCall } from "@grpc/grpc-js";
import { CheckFailure } from "@pulumi/pulumi/proto/provider_pb";
import type { IResourceMonitorServer } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  DeploymentInfo,
  ReadResourceResponse,
  RegisterResourceResponse,
  type ResourceCallRequest,
  ResourceInvokeResponse,
  ResourceMonitorFeature,
  Result,
  SupportsFeatureResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Unserved } from "../../refusal";
import { plainConfig, secretKeys } from "../operation/configuration";
import type { Diagnostics } from "../operation/diagnostics";
import type { DeployOptions } from "../operation/options";
import { answer } from "../wire/grpc";
import { fromStruct, PROGRAM, toStruct } from "../wire/struct";
import { readPosition } from "./position";
import type { Registry } from "./registry";
import { readGoal, readInvocation, readReadGoal } from "./requests";

/** The features that the SDKs query. Some of them are refused by name when they are used. */
const FEATURES: Readonly<Record<string, ResourceMonitorFeature>> = {
  secrets: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_SECRETS,
  resourceReferences: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES,
  aliasSpecs: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_ALIAS_SPECS,
  deletedWith: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_DELETED_WITH,
  replaceWith: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_REPLACE_WITH,
  replacementTrigger: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_REPLACEMENT_TRIGGER,
  transforms: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_TRANSFORMS,
  invokeTransforms: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_INVOKE_TRANSFORMS,
  parameterization: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_PARAMETERIZATION,
  resourceHooks: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_RESOURCE_HOOKS,
  errorHooks: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_ERROR_HOOKS,
};

/** The settings that the monitor returns to the program. */
interface MonitorSetting {
  readonly options: DeployOptions;
  readonly preview: boolean;
  readonly parallel: number;
  /** The base of recorded source positions. */
  readonly root: string;
  readonly diagnostics: Diagnostics;
}

/** The resource monitor: passes the program's registrations to the registry, and returns the results. */
export function monitor(
  { options, preview, parallel, root, diagnostics }: MonitorSetting,
  registry: Registry,
  /** Called when the program has no further registrations; the program waits for the promise. */
  onShutdown: () => Promise<void>,
): IResourceMonitorServer {
  return {
    supportsFeature: answer((request) =>
      new SupportsFeatureResponse().setHassupport(request.getId() in FEATURES),
    ),

    getDeploymentInfo: answer(() => {
      const info = new DeploymentInfo()
        .setProject(options.project)
        .setStack(options.stack)
        .setOrganization(options.organization)
        .setDryrun(preview)
        .setParallel(parallel)
        .setConfigsecretkeysList(secretKeys(options.config))
        .setSupportedfeaturesList(Object.values(FEATURES));
      for (const [key, value] of Object.entries(plainConfig(options.config)))
        info.getConfigMap().set(key, value);
      return info;
    }),

    registerResource: answer(async (request) => {
      const position = readPosition(root, request.getSourceposition(), request.getStacktrace());
      const goal = readGoal(request, position);
      const { state, unknown } = await registry.register(goal);
      // A component's outputs may refer to resources that are not registered yet.
      const outputs = goal.custom ? (state.outputs ?? {}) : {};
      return new RegisterResourceResponse()
        .setUrn(state.urn)
        .setId(state.id ?? "")
        .setObject(toStruct(outputs, { ...PROGRAM, secrets: request.getAcceptsecrets() }))
        .setResult(Result.SUCCESS)
        .setUnknown(unknown);
    }),

    readResource: answer(async (request) => {
      const position = readPosition(root, request.getSourceposition(), request.getStacktrace());
      const { state } = await registry.read(readReadGoal(request, position));
      return new ReadResourceResponse()
        .setUrn(state.urn)
        .setProperties(toStruct(state.outputs ?? {}, { ...PROGRAM, secrets: request.getAcceptsecrets() }));
    }),

    registerResourceOutputs: answer(async (request) => {
      await registry.registerOutputs(request.getUrn(), fromStruct(request.getOutputs()));
      return new Empty();
    }),

    signalAndWaitForShutdown: answer(async () => {
      await onShutdown();
      return new Empty();
    }),

    invoke: answer(async (request) => {
      const answered = await registry.invoke(readInvocation(request));
      const failures = answered.failures.map(({ property, reason }) =>
        new CheckFailure().setProperty(property).setReason(reason),
      );
      return new ResourceInvokeResponse()
        .setReturn(toStruct(answered.inputs, { ...PROGRAM, resources: request.getAcceptresources() }))
        .setFailuresList(failures);
    }),
    call: refuse((request: ResourceCallRequest) => `the method "${request.getTok()}"`),
    existsResource: refuse(() => "looking whether a resource exists"),
    registerStackTransform: refuseAloud("stack transforms"),
    registerStackInvokeTransform: refuseAloud("invoke transforms"),
    registerResourceHook: refuseAloud("resource hooks"),
    registerErrorHook: refuseAloud("error hooks"),
    registerPackage: refuse(() => "parameterized packages"),
  };

  /** Reports the refusal here, because the SDK does not pass the error to the program. */
  function refuseAloud<Request, Response>(feature: string): handleUnaryCall<Request, Response> {
    return answer(() => {
      const refusal = new Unserved(feature);
      diagnostics.refuse(refusal.message);
      throw refusal;
    });
  }
}

function refuse<Request, Response>(
  feature: (request: Request) => string,
): handleUnaryCall<Request, Response> {
  return answer((request) => {
    throw new Unserved(feature(request));
  });
}
