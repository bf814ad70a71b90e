import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckResponse,
  ConfigureResponse,
  CreateResponse,
  DiffResponse,
  ProviderHandshakeResponse,
  ReadResponse,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { answer, type Served, serve } from "../../../engine/deployment/wire/grpc";

/** Methods of a plugin that a test replaces. The other methods accept everything and report no differences. */
export type Handlers = Partial<IResourceProviderServer>;

/** A provider plugin in the test's own process, to be attached as `attached:<port>`. */
export class AttachedProvider {
  private constructor(
    private readonly server: Served,
    readonly environment: { readonly PULUMI_DEBUG_PROVIDERS: string },
  ) {}

  static async serve(handlers: Handlers = {}): Promise<AttachedProvider> {
    // gRPC itself responds to calls of missing methods.
    const methods = { ...plain(), ...handlers } as UntypedServiceImplementation;
    const server = await serve([ResourceProviderService, methods]);
    return new AttachedProvider(server, {
      PULUMI_DEBUG_PROVIDERS: `attached:${server.address.split(":")[1]}`,
    });
  }

  stop(): void {
    this.server.stop();
  }
}

function plain(): Handlers {
  let count = 0;
  return {
    handshake: answer(() => new ProviderHandshakeResponse()),
    attach: answer(() => new Empty()),
    configure: answer(() => new ConfigureResponse()),
    checkConfig: answer((request) => new CheckResponse().setInputs(request.getNews())),
    diffConfig: answer(() => new DiffResponse()),
    check: answer((request) => new CheckResponse().setInputs(request.getNews())),
    diff: answer(() => new DiffResponse()),
    create: answer((request) => {
      count += 1;
      return new CreateResponse().setId(`id-${count}`).setProperties(request.getProperties());
    }),
    read: answer((request) =>
      new ReadResponse().setId(request.getId()).setProperties(request.getProperties()),
    ),
    update: answer((request) => new UpdateResponse().setProperties(request.getNews())),
    delete: answer(() => new Empty()),
  };
}
