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

/** A provider's configuration is checked and compared in plain values. */
const PLAIN: Receiver = { secrets: false, resources: false, unknowns: true };

/** A provider's server before it is configured: it can look at a configuration, and take one. */
export class UnconfiguredProvider {
  /** `greeted` is what the handshake told; a provider without one tells it when it is configured. */
  constructor(
    readonly client: ResourceProviderClient,
    private readonly greeted: Abilities | undefined,
    /** Lets go of it; resolves once its process has ended, where it has one. */
    readonly close: () => Promise<void>,
  ) {}

  /** The checked configuration; a provider that does not check takes it as it is. */
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

  /** Where a preview does not know a setting yet, the provider is not asked, and so is nobody else in its place. */
  async configure(urn: string, id: string, inputs: PropertyMap): Promise<AnyProvider> {
    if (containsUnknowns(inputs)) return new UnknownProvider();
    const request = about(urn, new ConfigureRequest())
      .setId(id)
      .setArgs(toStruct(inputs, PROGRAM))
      .setAcceptsecrets(true)
      .setAcceptresources(true)
      .setSendsOldInputs(true)
      .setSendsOldInputsToDelete(true);
    // The older form of the same, for providers that read it.
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

/** The answer to a call that a provider need not know. */
async function optional<Response>(call: Send<Response>): Promise<Response | undefined> {
  try {
    return await ask(call);
  } catch (error) {
    if (isUnimplemented(error)) return undefined;
    throw providerFailure(error);
  }
}
