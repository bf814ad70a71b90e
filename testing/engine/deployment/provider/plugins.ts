import { dirname } from "node:path";
import { connectivityState, credentials, Metadata } from "@grpc/grpc-js";
import { PluginAttach, type PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ProviderHandshakeRequest, type ProviderHandshakeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { DeclaredPlugin } from "../operation/options";
import { ask, CHANNEL } from "../wire/grpc";
import { isUnimplemented, providerFailure } from "./failure";
import { type Launch, launchOf } from "./launch";
import { type PluginPlace, PluginProcess } from "./plugin-process";
import type { Abilities } from "./protocol";
import { UnconfiguredProvider } from "./unconfigured";
import { isOlder } from "./versions";

/** The settings of the plugins of one deployment. */
interface PluginSetting extends PluginPlace {
  /** The plugins in Pulumi.yaml. */
  readonly declared: readonly DeclaredPlugin[];
}

/** The timeout for the cancellation of a plugin. */
const PATIENCE_MS = 5_000;

/** Starts or attaches to the servers of resource providers, and stops those that it started. */
export class Plugins {
  private readonly loaded = new Set<UnconfiguredProvider>();

  constructor(private readonly setting: PluginSetting) {}

  /**
   * Loads an unconfigured provider with its own server.
   * @param version the version that the program requests; an older plugin causes a warning
   */
  async load(packageName: string, version: string | undefined): Promise<UnconfiguredProvider> {
    const attached = attachedPort(packageName, this.setting.environment);
    const provider =
      attached === undefined
        ? await this.start(launchOf(packageName, this.setting.directory, this.setting.declared))
        : await this.attach(attached);
    this.loaded.add(provider);
    await this.inform(provider.client, packageName, version);
    return provider;
  }

  /** Stops a plugin that is no longer needed. */
  async unload(provider: UnconfiguredProvider): Promise<void> {
    if (!this.loaded.delete(provider)) return;
    await cancel(provider.client);
    await provider.close();
  }

  /** Asks every plugin to end its operations soon. */
  async cancel(): Promise<void> {
    await Promise.all([...this.loaded].map(({ client }) => cancel(client)));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.loaded].map((provider) => this.unload(provider)));
  }

  private async attach(port: string): Promise<UnconfiguredProvider> {
    const client = clientOn(Number(port));
    const close = async () => client.close();
    try {
      const abilities = await this.greet(client, undefined);
      await optional(
        ask<Empty>((done) => client.attach(new PluginAttach().setAddress(this.setting.engineAddress), done)),
      );
      return new UnconfiguredProvider(client, abilities, close);
    } catch (error) {
      client.close();
      throw error;
    }
  }

  private async start(launch: Launch): Promise<UnconfiguredProvider> {
    const process = new PluginProcess(launch, this.setting);
    let client: ResourceProviderClient | undefined;
    const close = async () => {
      const state = client?.getChannel().getConnectivityState(false);
      client?.close();
      await process.stop(state !== undefined && state !== connectivityState.READY);
    };
    try {
      client = clientOn(await process.port());
      const abilities = await this.greet(client, dirname(launch.binary));
      return new UnconfiguredProvider(client, abilities, close);
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** `folder` contains the plugin's files; undefined for an attached plugin. */
  private async greet(
    client: ResourceProviderClient,
    folder: string | undefined,
  ): Promise<Abilities | undefined> {
    const request = new ProviderHandshakeRequest()
      .setEngineAddress(this.setting.engineAddress)
      .setConfigureWithUrn(true)
      .setSupportsViews(true)
      .setSupportsRefreshBeforeUpdate(true)
      .setInvokeWithPreview(true);
    if (folder !== undefined) request.setRootDirectory(folder).setProgramDirectory(folder);
    const response = await optional(
      ask<ProviderHandshakeResponse>((done) => client.handshake(request, done)),
    );
    return (
      response && {
        secrets: response.getAcceptSecrets(),
        resources: response.getAcceptResources(),
        previews: true,
      }
    );
  }

  private async inform(
    client: ResourceProviderClient,
    packageName: string,
    version: string | undefined,
  ): Promise<void> {
    const info = await optional(ask<PluginInfo>((done) => client.getPluginInfo(new Empty(), done)));
    const own = info?.getVersion() ?? "";
    if (version === undefined || !isOlder(own, version)) return;
    this.setting.diagnostics.warning(
      `resource plugin ${packageName} is expected to have version >=${version}, but has ${own}; ` +
        "the wrong version may be on your path, or this may be a bug in the plugin",
    );
  }
}

/** A private subchannel pool: a reused port must not share connection state with an earlier client. */
const OWN_CHANNEL = { ...CHANNEL, "grpc.use_local_subchannel_pool": 1 };

const clientOn = (port: number): ResourceProviderClient =>
  new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), OWN_CHANNEL);

/** Errors are ignored, because the process is stopped next. */
async function cancel(client: ResourceProviderClient): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  await ask<Empty>((done) => client.cancel(new Empty(), new Metadata(), { deadline }, done)).catch(
    () => undefined,
  );
}

/** The response to an optional call; undefined if the provider does not implement it. */
async function optional<Response>(answer: Promise<Response>): Promise<Response | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isUnimplemented(error)) return undefined;
    throw providerFailure(error);
  }
}

/** The port of a server that a test runs: `PULUMI_DEBUG_PROVIDERS=name:port,name:port`. */
function attachedPort(packageName: string, environment: PluginSetting["environment"]): string | undefined {
  const servers = environment.PULUMI_DEBUG_PROVIDERS ?? process.env.PULUMI_DEBUG_PROVIDERS ?? "";
  const attached = servers.split(",").map((one) => one.split(":"));
  return attached.find(([name]) => name === packageName)?.[1];
}
