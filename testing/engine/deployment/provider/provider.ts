import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  type CheckResponse,
  CreateRequest,
  type CreateResponse,
  DeleteRequest,
  DiffRequest,
  type DiffResponse,
  InvokeRequest,
  type InvokeResponse,
  ReadRequest,
  type ReadResponse,
  UpdateRequest,
  type UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import {
  containsSecrets,
  containsUnknowns,
  mapValues,
  markSecrets,
  type PropertyMap,
  type PropertyValue,
  Secret,
} from "../../state/values";
import { ask, type Send } from "../wire/grpc";
import { fromStruct, type Receiver, toStruct } from "../wire/struct";
import { type Diff, readDiff, resolveUnknownDiff } from "./diff";
import { type HalfMade, ProviderFailure, providerFailure } from "./failure";
import { type Abilities, about, type Checked, type RecordedState, readChecked } from "./protocol";

/** Options of an update. */
interface UpdateOptions {
  readonly ignoreChanges: readonly string[];
  /** In seconds; 0 for the provider's default. */
  readonly timeout: number;
  readonly preview: boolean;
}

/** The fields of every response about a resource, other than its properties. */
export interface Told {
  /** True if the resource must be refreshed before each preview and update. */
  readonly refreshBeforeUpdate: boolean;
}

/** The result of reading a resource. */
export interface Found extends Told {
  readonly id: string;
  readonly outputs?: PropertyMap;
  readonly inputs?: PropertyMap;
}

/** A provider, or the substitute for one that cannot be configured yet. */
export type AnyProvider = { readonly [Method in keyof Provider]: Provider[Method] };

/** A configured provider: converts calls to a `ResourceProvider` server. */
export class Provider {
  constructor(
    private readonly client: ResourceProviderClient,
    private readonly abilities: Abilities,
  ) {}

  async check(
    urn: string,
    olds: PropertyMap,
    news: PropertyMap,
    options: { readonly preview: boolean; readonly seed: Uint8Array },
  ): Promise<Checked> {
    const receiver = this.receiver(options.preview);
    const request = about(urn, new CheckRequest())
      .setOlds(toStruct(olds, receiver))
      .setNews(toStruct(news, receiver))
      .setRandomseed(options.seed);
    const response = await this.send<CheckResponse>((done) => this.client.check(request, done));
    return readChecked(response, this.markResponse(fromStruct(response.getInputs()), news, options.preview));
  }

  /** The changes; if the provider cannot determine them, those of the inputs. */
  async diff(
    urn: string,
    id: string,
    old: RecordedState,
    news: PropertyMap,
    options: { readonly ignoreChanges: readonly string[]; readonly preview: boolean },
  ): Promise<Diff> {
    const receiver = this.receiver(options.preview);
    const request = about(urn, new DiffRequest())
      .setId(id)
      .setOldInputs(toStruct(old.inputs, receiver))
      .setOlds(toStruct(old.outputs, receiver))
      .setNews(toStruct(news, receiver))
      .setIgnorechangesList([...options.ignoreChanges]);
    const response = await this.send<DiffResponse>((done) => this.client.diff(request, done));
    return resolveUnknownDiff(readDiff(response), old.inputs, news, options.ignoreChanges);
  }

  async create(urn: string, inputs: PropertyMap, timeout: number, preview: boolean) {
    if (preview && !this.abilities.previews) return { id: "", outputs: inputs, refreshBeforeUpdate: false };
    const request = about(urn, new CreateRequest())
      .setProperties(toStruct(inputs, this.receiver(preview)))
      .setTimeout(timeout)
      .setPreview(preview);
    const response = await this.send<CreateResponse>((done) => this.client.create(request, done), inputs);
    const id = response.getId();
    if (id === "" && !preview) {
      throw new ProviderFailure(`plugin returned empty resource.ID from create '${urn}'`, true);
    }
    const outputs = this.markResponse(fromStruct(response.getProperties()), inputs, preview);
    return { id, outputs, refreshBeforeUpdate: response.getRefreshBeforeUpdate() };
  }

  async update(
    urn: string,
    id: string,
    old: RecordedState,
    news: PropertyMap,
    { ignoreChanges, timeout, preview }: UpdateOptions,
  ): Promise<{ readonly outputs: PropertyMap } & Told> {
    if (preview && !this.abilities.previews) return { outputs: news, refreshBeforeUpdate: false };
    const request = about(urn, new UpdateRequest())
      .setId(id)
      .setOldInputs(toStruct(old.inputs, this.receiver(false)))
      .setOlds(toStruct(old.outputs, this.receiver(false)))
      .setNews(toStruct(news, this.receiver(preview)))
      .setIgnorechangesList([...ignoreChanges])
      .setTimeout(timeout)
      .setPreview(preview);
    const response = await this.send<UpdateResponse>((done) => this.client.update(request, done), news);
    return {
      outputs: this.markResponse(fromStruct(response.getProperties()), news, preview),
      refreshBeforeUpdate: response.getRefreshBeforeUpdate(),
    };
  }

  /**
   * Reads a resource. If it does not exist, `outputs` is undefined or `id` is empty.
   * @param recorded the recorded state, if there is one
   */
  async read(urn: string, id: string, recorded: Partial<RecordedState>, timeout: number): Promise<Found> {
    const receiver = this.receiver(false);
    const { inputs: knownInputs, outputs: knownOutputs = {} } = recorded;
    const request = about(urn, new ReadRequest()).setId(id).setTimeout(timeout);
    if (recorded.outputs) request.setProperties(toStruct(knownOutputs, receiver));
    if (knownInputs) request.setInputs(toStruct(knownInputs, receiver));
    const response = await this.send<ReadResponse>((done) => this.client.read(request, done), knownOutputs);
    const outputs = this.markResponse(fromStruct(response.getProperties()), knownOutputs, false);
    const inputs = this.markResponse(fromStruct(response.getInputs()), knownInputs ?? {}, false);
    return {
      id: response.getId(),
      refreshBeforeUpdate: response.getRefreshBeforeUpdate(),
      ...(response.hasProperties() && { outputs }),
      ...(response.hasInputs() && { inputs }),
    };
  }

  async delete(urn: string, id: string, old: RecordedState, timeout: number): Promise<void> {
    const request = about(urn, new DeleteRequest())
      .setId(id)
      .setOldInputs(toStruct(old.inputs, this.receiver(false)))
      .setProperties(toStruct(old.outputs, this.receiver(false)))
      .setTimeout(timeout);
    await this.send<Empty>((done) => this.client.delete(request, done));
  }

  /** Calls a function. If the provider does not support secrets and an argument is secret, every result is marked secret. */
  async invoke(token: string, args: PropertyMap, preview: boolean): Promise<Checked> {
    const request = new InvokeRequest()
      .setTok(token)
      .setArgs(toStruct(args, this.receiver(false)))
      .setPreview(preview);
    const response = await this.send<InvokeResponse>((done) => this.client.invoke(request, done));
    const values = this.requireKnown(fromStruct(response.getReturn()));
    const hides = !this.abilities.secrets && containsSecrets(args);
    const secret = (value: PropertyValue) => (value instanceof Secret ? value : new Secret(value));
    return readChecked(response, hides ? mapValues(values, secret) : values);
  }

  private receiver(unknowns: boolean): Receiver {
    return { secrets: this.abilities.secrets, resources: this.abilities.resources, unknowns };
  }

  /** A response's values, with secrets marked again that the provider received as plain values. */
  private markResponse(values: PropertyMap, like: PropertyMap, preview: boolean): PropertyMap {
    const known = preview ? values : this.requireKnown(values);
    return this.abilities.secrets ? known : markSecrets(known, like);
  }

  private requireKnown(values: PropertyMap): PropertyMap {
    const unknown = Object.entries(values).find(([, value]) => containsUnknowns(value));
    if (unknown) throw new ProviderFailure(`unexpected unknown property value for "${unknown[0]}"`, false);
    return values;
  }

  private async send<Response>(call: Send<Response>, sent: PropertyMap = {}): Promise<Response> {
    try {
      return await ask(call);
    } catch (error) {
      const failure = providerFailure(error);
      if (!failure.partial || this.abilities.secrets) throw failure;
      const partial: HalfMade = { ...failure.partial, outputs: markSecrets(failure.partial.outputs, sent) };
      throw new ProviderFailure(failure.message, failure.unclear, partial);
    }
  }
}
