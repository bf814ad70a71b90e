import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  type CheckResponse,
  ConfigureRequest,
  type ConfigureResponse,
  DiffRequest,
  type DiffResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { packageOf, typeOf } from "../../state/urn";
import { containsUnknowns, markSecrets, type PropertyMap, reveal } from "../../state/values";
import { ask, type Send } from "../wire/grpc";
import { fromStruct, PROGRAM, type Receiver, toStruct } from "../wire/struct";
import { type Diff, NO_DIFF, readDiff } from "./diff";
import { isUnimplemented, providerFailure } from "./failure";
import { type Abilities, about, type Checked, type RecordedState, readChecked } from "./protocol";
import { type AnyProvider, Provider } from "./provider";
import { UnknownProvider } from "./unknown";

/** Provider configurations are checked and diffed without secret marks. */
const PLAIN: Receiver = { secrets: false, resources: false, unknowns: true };

/** A provider's server before its configuration: it can check, diff and accept a configuration. */
export class UnconfiguredProvider {
  /**
   * `greeted` contains the capabilities from the handshake; a provider without a handshake returns them when it is
   * configured.
   */
  constructor(
    readonly client: ResourceProviderClient,
    private readonly greeted: Abilities | undefined,
    /** Closes the connection; resolves after its process, if any, has ended. */
    readonly close: () => Promise<void>,
  ) {}

  /** Checks a configuration; if the provider does not implement the check, the configuration is unchanged. */
  async check(urn: string, olds: PropertyMap, news: PropertyMap): Promise<Checked> {
    const request = about(urn, new CheckRequest())
      .setOlds(toStruct(olds, PLAIN))
      .setNews(toStruct(news, PLAIN));
    const response = await optional<CheckResponse>((done) => this.client.checkConfig(request, done));
    if (!response) return { inputs: news, failures: [] };
    return readChecked(response, markSecrets(fromStruct(response.getInputs()), news));
  }

  async diff(urn: string, old: RecordedState, news: PropertyMap): Promise<Diff> {
    const request = about(urn, new DiffRequest())
      .setOldInputs(toStruct(old.inputs, PLAIN))
      .setOlds(toStruct(old.outputs, PLAIN))
      .setNews(toStruct(news, PLAIN));
    const response = await optional<DiffResponse>((done) => this.client.diffConfig(request, done));
    return response ? readDiff(response) : { ...NO_DIFF, changes: "unknown" };
  }

  /** Configures the provider. If a preview has unknown settings, nothing is sent, and the substitute contacts no provider. */
  async configure(urn: string, id: string, inputs: PropertyMap): Promise<AnyProvider> {
    if (containsUnknowns(inputs)) return new UnknownProvider();
    const request = about(urn, new ConfigureRequest())
      .setId(id)
      .setArgs(toStruct(inputs, PROGRAM))
      .setAcceptsecrets(true)
      .setAcceptresources(true)
      .setSendsOldInputs(true)
      .setSendsOldInputsToDelete(true);
    // The older format of the same settings.
    for (const [name, value] of Object.entries(inputs)) {
      if (name === "version") continue;
      const plain = reveal(value);
      const text = typeof plain === "string" ? plain : JSON.stringify(plain);
      request.getVariablesMap().set(`${packageOf(typeOf(urn))}:config:${name}`, text);
    }
    try {
      const response = await ask<ConfigureResponse>((done) => this.client.configure(request, done));
      return new Provider(this.client, this.greeted ?? abilitiesOf(response));
    } catch (error) {
      throw providerFailure(error);
    }
  }
}

const abilitiesOf = (response: ConfigureResponse): Abilities => ({
  secrets: response.getAcceptsecrets(),
  resources: response.getAcceptresources(),
  previews: response.getSupportspreview(),
});

/** The response to an optional call; undefined if the provider does not implement it. */
async function optional<Response>(call: Send<Response>): Promise<Response | undefined> {
  try {
    return await ask(call);
  } catch (error) {
    if (isUnimplemented(error)) return undefined;
    throw providerFailure(error);
  }
}
