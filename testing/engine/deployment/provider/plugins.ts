import { createRequire } from "node:module";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ProviderHandshakeRequest, type ProviderHandshakeResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Unserved } from "../../refusal";
import type { Diagnostics } from "../operation/diagnostics";
import { ask, CHANNEL } from "../wire/grpc";
import { NodeProcess } from "../wire/processes";
import { isUnimplemented } from "./failure";
import type { Abilities } from "./protocol";
import { UnconfiguredProvider } from "./unconfigured";

/** The package of all dynamic resources of Node.js programs. */
export const DYNAMIC_PACKAGE = "pulumi-nodejs";

/** Where the plugins of one deployment live, and what they are told. */
interface PluginSetting {
  readonly engineAddress: string;
  /** The program's own folder: bare `require`s in a dynamic provider start here. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly diagnostics: Diagnostics;
}

/** Starts or attaches the servers of resource providers, and stops what it started. */
export class Plugins {
  private readonly closers: (() => Promise<void> | void)[] = [];

  constructor(private readonly setting: PluginSetting) {}

  /** A provider that is not configured yet, each on a server of its own. */
  async load(packageName: string): Promise<UnconfiguredProvider> {
    const attached = attachedPort(packageName, this.setting.environment);
    const port = attached ?? (await this.startDynamicHost(packageName));
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), CHANNEL);
    this.closers.push(() => client.close());
    const abilities = await this.greet(client);
    if (attached !== undefined) await this.attach(client);
    return new UnconfiguredProvider(client, abilities);
  }

  async stop(): Promise<void> {
    await Promise.all(this.closers.splice(0).map((close) => close()));
  }

  private async startDynamicHost(packageName: string): Promise<string> {
    if (packageName === "pulumi") throw new Unserved("stack references");
    if (packageName !== DYNAMIC_PACKAGE) throw new Unserved(`the provider plugin "${packageName}"`);
    const { directory, diagnostics } = this.setting;
    const script = dynamicProviderScript(directory);
    const onOutput = diagnostics.stream("info");
    return new Promise((resolve, reject) => {
      let port: string | undefined;
      const host = new NodeProcess({
        args: [script, this.setting.engineAddress],
        directory,
        environment: this.setting.environment,
        onOutput: (line) => {
          if (port !== undefined) return onOutput(line);
          port = line.trim();
          resolve(port);
        },
        onError: diagnostics.stream("info#err"),
      });
      this.closers.push(() => host.stop());
      host.ended.then(
        ({ code, signal }) =>
          reject(new Error(`the dynamic provider host ended: ${signal ?? `exit status ${code}`}`)),
        reject,
      );
    });
  }

  private async greet(client: ResourceProviderClient): Promise<Abilities | undefined> {
    const request = new ProviderHandshakeRequest()
      .setEngineAddress(this.setting.engineAddress)
      .setConfigureWithUrn(true);
    try {
      const response = await ask<ProviderHandshakeResponse>((done) => client.handshake(request, done));
      return {
        secrets: response.getAcceptSecrets(),
        resources: response.getAcceptResources(),
        previews: true,
      };
    } catch (error) {
      if (isUnimplemented(error)) return undefined;
      throw error;
    }
  }

  private async attach(client: ResourceProviderClient): Promise<void> {
    try {
      await ask<Empty>((done) =>
        client.attach(new PluginAttach().setAddress(this.setting.engineAddress), done),
      );
    } catch (error) {
      if (!isUnimplemented(error)) throw error;
    }
  }
}

/** A server that a test runs itself: `PULUMI_DEBUG_PROVIDERS=name:port,name:port`. */
function attachedPort(packageName: string, environment: PluginSetting["environment"]): string | undefined {
  const servers = environment.PULUMI_DEBUG_PROVIDERS ?? process.env.PULUMI_DEBUG_PROVIDERS ?? "";
  const attached = servers.split(",").map((one) => one.split(":"));
  return attached.find(([name]) => name === packageName)?.[1];
}

function dynamicProviderScript(directory: string): string {
  try {
    return createRequire(join(directory, "program.js")).resolve("@pulumi/pulumi/cmd/dynamic-provider");
  } catch (cause) {
    throw new Error(
      `@pulumi/pulumi cannot be found from ${directory}: install it there or in a folder above`,
      {
        cause,
      },
    );
  }
}
