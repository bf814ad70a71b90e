import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  type Metadata,
  Server,
  ServerCredentials,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  type CheckRequest,
  type ConfigureRequest,
  ConfigureResponse,
  GetSchemaResponse,
  type InvokeRequest,
  type ListRequest,
  type ListResponse,
  type ProviderHandshakeRequest,
  ProviderHandshakeResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { TraceContext } from "../../http/request";
import { traceContext } from "../../http/requestLog";
import type { AnyDefinition } from "../../language/resource";
import { namesIn, type StackNames } from "../../requests/userAgent";
import { problemText } from "../checking";
import { checkConfig, configurationProblems, diffConfig } from "./configuration";
import { failure, failureFrom } from "./failures";
import { invoke, listPage } from "./queries";
import { type CallContext, ResourceCalls } from "./resource";
import { type PluginPackage, Session } from "./session";
import { parseProperties } from "./values";

/** The engine's own limit: one message may contain a state. */
const MOST_BYTES = 400 * 1024 * 1024;

/**
 * Serves a package as a provider on a free port of the loopback interface.
 * @returns the port, and a function that stops the server
 */
export async function serve(own: PluginPackage): Promise<{ port: number; stop(): void }> {
  const server = new Server({
    "grpc.max_receive_message_length": MOST_BYTES,
    "grpc.max_send_message_length": MOST_BYTES,
  });
  server.addService(ResourceProviderService, providerService(own));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, stop: () => server.forceShutdown() };
}

/** The methods that every provider has. All other methods are reported as not implemented. */
function providerService(own: PluginPackage): UntypedServiceImplementation {
  const session = new Session(own);

  /** A call for one resource, by its URN. */
  const forResource = <Request extends { getUrn(): string }, Response>(
    call: (calls: ResourceCalls, request: Request, around: CallContext) => Promise<Response>,
  ): handleUnaryCall<Request, Response> =>
    unary((request, trace) => {
      const urn = request.getUrn();
      const calls = new ResourceCalls(resourceOf(own, typeIn(urn)));
      return session.run({ object: urn, trace }, (around) => call(calls, request, around));
    });

  return {
    handshake: unary((request: ProviderHandshakeRequest) => {
      // An engine that attaches later sends its address only then.
      if (request.getEngineAddress() !== "") session.attach(request.getEngineAddress());
      const response = new ProviderHandshakeResponse();
      response.setAcceptSecrets(true);
      return response;
    }),
    attach: unary((request: PluginAttach) => {
      session.attach(request.getAddress());
      return new Empty();
    }),
    getPluginInfo: unary(() => {
      const info = new PluginInfo();
      info.setVersion(own.version);
      return info;
    }),
    getSchema: unary(() => {
      const response = new GetSchemaResponse();
      response.setSchema(own.schema());
      return response;
    }),
    checkConfig: unary((request: CheckRequest) => {
      const response = checkConfig(own.services, request);
      session.markChecked();
      return response;
    }),
    diffConfig: unary(diffConfig),
    configure: unary((request: ConfigureRequest) => {
      const { values } = parseProperties(request.getArgs());
      const isGiven = isOfCommand(request);
      // No check precedes this call, unlike for a provider in a program.
      const problems = isGiven ? configurationProblems(own.services, values) : [];
      if (problems.length > 0) throw failure(problems.map(problemText).join("\n"), status.INVALID_ARGUMENT);
      session.configure(values, stackIn(request.getUrn()), isGiven);
      const response = new ConfigureResponse();
      response.setAcceptsecrets(true);
      response.setSupportspreview(true);
      return response;
    }),
    check: forResource((calls, request, around) => calls.check(request, around)),
    diff: forResource((calls, request, around) => calls.diff(request, around)),
    create: forResource((calls, request, around) => calls.create(request, around)),
    read: forResource((calls, request, around) => calls.read(request, around)),
    update: forResource((calls, request, around) => calls.update(request, around)),
    delete: forResource((calls, request, around) => calls.delete(request, around)),
    list: streaming((request: ListRequest, write: (part: ListResponse) => void, ended, trace) => {
      const definition = resourceOf(own, request.getToken());
      return session.run({ trace }, async ({ signal, ...rest }) => {
        const around = { ...rest, signal: AbortSignal.any([signal, ended]) };
        for await (const part of listPage(definition, request, around)) write(part);
      });
    }),
    invoke: unary((request: InvokeRequest, trace) => {
      const token = tokenIn(own, request.getTok());
      const definition = own.function(token);
      if (definition === undefined)
        throw failure(`${own.name} ${own.version} has no function ${token}`, status.NOT_FOUND);
      return session.run({ trace }, (around) => invoke(definition, request, around));
    }),
    cancel: unary(() => {
      session.cancel();
      return new Empty();
    }),
  };
}

/** A method with a single response. Converts its errors to the protocol's form. */
function unary<Request, Response>(
  answer: (request: Request, trace: TraceContext | undefined) => Response | Promise<Response>,
): handleUnaryCall<Request, Response> {
  return async ({ request, metadata }, callback: sendUnaryData<Response>) => {
    try {
      callback(null, await answer(request, traceOf(metadata)));
    } catch (error) {
      callback(failureFrom(error));
    }
  };
}

/** A method that responds in parts. `ended` aborts when the caller no longer waits for the rest. */
function streaming<Request, Response>(
  answer: (
    request: Request,
    write: (part: Response) => void,
    ended: AbortSignal,
    trace: TraceContext | undefined,
  ) => Promise<void>,
): handleServerStreamingCall<Request, Response> {
  return async (call) => {
    const controller = new AbortController();
    call.on("cancelled", () => controller.abort());
    try {
      await answer(call.request, (part) => call.write(part), controller.signal, traceOf(call.metadata));
      call.end();
    } catch (error) {
      call.emit("error", failureFrom(error));
    }
  };
}

/** The resource with this type. @throws a failure if the package does not have it */
function resourceOf(own: PluginPackage, type: string): AnyDefinition {
  const token = tokenIn(own, type);
  const definition = own.resource(token);
  if (definition !== undefined) return definition;
  throw failure(`${own.name} ${own.version} has no resource ${token}`, status.NOT_FOUND);
}

/**
 * True if the settings come from a person's single command (`pulumi do`) and not from a state. Neither of these is checked,
 * but a provider in a state has a name, and a provider made by a command has an empty name.
 */
function isOfCommand(request: ConfigureRequest): boolean {
  return request.getUrn()?.endsWith("::") === true;
}

/** The stack in the provider's own URN, which recent engines send. Otherwise, the project is in the environment. */
function stackIn(urn = ""): StackNames {
  const { stack, project = process.env.PULUMI_PROJECT } = namesIn(urn);
  return { project, stack };
}

/** The trace of a call, which a tracing engine sends with it. */
function traceOf(metadata: Metadata | undefined): TraceContext | undefined {
  const metadataValue = (name: string) => {
    const [value] = metadata?.get(name) ?? [];
    return typeof value === "string" ? value : undefined;
  };
  return traceContext(metadataValue("traceparent"), metadataValue("tracestate"));
}

/** The type in a URN: `urn:pulumi:<stack>::<project>::<parents' types>$<type>::<name>`. */
function typeIn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/** The package's own name of a type or function: `scheduler:Job` for `quarterdeck:scheduler:Job`. */
function tokenIn({ name }: PluginPackage, token: string): string {
  return token.startsWith(`${name}:`) ? token.slice(name.length + 1) : token;
}
