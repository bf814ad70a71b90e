import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  type CheckResponse,
  ConfigureRequest,
  type ConfigureResponse,
  CreateRequest,
  type CreateResponse,
  DeleteRequest,
  DiffRequest,
  type DiffResponse,
  ReadRequest,
  type ReadResponse,
  UpdateRequest,
  type UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { PropertyMap } from "../state";
import { type Diff, NO_DIFF, readDiff } from "./diff";
import { isUnimplemented, type Partial, ProviderFailure, providerFailure } from "./failure";
import { ask, type Send } from "./grpc";
import { nameOf, typeOf } from "./urn";
import { containsUnknowns, markSecrets, reveal } from "./values";
import { fromStruct, type Receiver, toStruct } from "./wire";

/** What a provider said about itself when it was greeted or configured. */
export interface Abilities {
  readonly secrets: boolean;
  readonly resources: boolean;
  readonly previews: boolean;
}

/** The inputs as the provider completed them, and what it finds wrong with them. */
export interface Checked {
  readonly inputs: PropertyMap;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

/** One configured provider: a `ResourceProvider` server, spoken to in the engine's own terms. */
export class Provider {
  private abilities: Abilities = { secrets: false, resources: false, previews: false };

  /** `greeted` is what the handshake told; a provider without one tells it when it is configured. */
  constructor(
    private readonly client: ResourceProviderClient,
    private readonly greeted: Abilities | undefined,
  ) {}

  async configure(urn: string, id: string, inputs: PropertyMap): Promise<void> {
    const request = new ConfigureRequest()
      .setUrn(urn)
      .setName(nameOf(urn))
      .setType(typeOf(urn))
      .setId(id)
      .setArgs(toStruct(inputs, { secrets: true, unknowns: true, resources: true }))
      .setAcceptsecrets(true)
      .setAcceptresources(true)
      .setSendsOldInputs(true)
      .setSendsOldInputsToDelete(true);
    const packageName = typeOf(urn).split(":")[2] ?? "";
    for (const [name, value] of Object.entries(inputs)) {
      const plain = reveal(value);
      const text = typeof plain === "string" ? plain : JSON.stringify(plain);
      request.getVariablesMap().set(`${packageName}:config:${name}`, text);
    }
    const response = await this.send<ConfigureResponse>((done) => this.client.configure(request, done));
    this.abilities = this.greeted ?? {
      secrets: response.getAcceptsecrets(),
      resources: response.getAcceptresources(),
      previews: response.getSupportspreview(),
    };
  }

  /** The checked configuration; a provider that does not check takes it as it is. */
  async checkConfig(urn: string, olds: PropertyMap, news: PropertyMap): Promise<Checked> {
    const receiver: Receiver = { secrets: false, resources: false, unknowns: true };
    const request = new CheckRequest()
      .setUrn(urn)
      .setName(nameOf(urn))
      .setType(typeOf(urn))
      .setOlds(toStruct(olds, receiver))
      .setNews(toStruct(news, receiver));
    try {
      const response = await ask<CheckResponse>((done) => this.client.checkConfig(request, done));
      return checked(response, markSecrets(fromStruct(response.getInputs()), news));
    } catch (error) {
      if (isUnimplemented(error)) return { inputs: news, failures: [] };
      throw providerFailure(error);
    }
  }

  async diffConfig(urn: string, old: Known, news: PropertyMap): Promise<Diff> {
    const receiver: Receiver = { secrets: false, resources: false, unknowns: true };
    const request = new DiffRequest()
      .setUrn(urn)
      .setName(nameOf(urn))
      .setType(typeOf(urn))
      .setOldInputs(toStruct(old.inputs, receiver))
      .setOlds(toStruct(old.outputs, receiver))
      .setNews(toStruct(news, receiver));
    try {
      return readDiff(await ask<DiffResponse>((done) => this.client.diffConfig(request, done)));
    } catch (error) {
      if (isUnimplemented(error)) return { ...NO_DIFF, changes: "unknown" };
      throw providerFailure(error);
    }
  }

  async check(
    urn: string,
    olds: PropertyMap | undefined,
    news: PropertyMap,
    preview: boolean,
    seed: Uint8Array,
  ) {
    const receiver = this.receiver(preview);
    const request = new CheckRequest()
      .setUrn(urn)
      .setName(nameOf(urn))
      .setType(typeOf(urn))
      .setOlds(toStruct(olds ?? {}, receiver))
      .setNews(toStruct(news, receiver))
      .setRandomseed(seed);
    const response = await this.send<CheckResponse>((done) => this.client.check(request, done));
    return checked(response, this.received(fromStruct(response.getInputs()), news, preview));
  }

  async diff(
    urn: string,
    id: string,
    old: Known,
    news: PropertyMap,
    ignore: readonly string[],
    preview: boolean,
  ) {
    const receiver = this.receiver(preview);
    const request = new DiffRequest()
      .setUrn(urn)
      .setName(nameOf(urn))
      .setType(typeOf(urn))
      .setId(id)
      .setOldInputs(toStruct(old.inputs, receiver))
      .setOlds(toStruct(old.outputs, receiver))
      .setNews(toStruct(news, receiver))
      .setIgnorechangesList([...ignore]);
    const response = await this.send<DiffResponse>((done) => this.client.diff(request, done));
    return readDiff(response) satisfies Diff;
  }

  async create(urn: string, inputs: PropertyMap, timeout: number, preview: boolean) {
    if (preview && !this.abilities.previews) return { id: "", outputs: inputs };
    const request = new CreateRequest()
      .setUrn(urn)
      .setName(nameOf(urn))
      .setType(typeOf(urn))
      .setProperties(toStruct(inputs, this.receiver(preview)))
      .setTimeout(timeout)
      .setPreview(preview);
    const response = await this.send<CreateResponse>((done) => this.client.create(request, done), inputs);
    if (response.getId() === "" && !preview) {
      throw new ProviderFailure(`plugin returned empty resource.ID from create '${urn}'`, true);
    }
    return {
      id: response.getId(),
      outputs: this.received(fromStruct(response.getProperties()), inputs, preview),
    };
  }

  async update(
    urn: string,
    id: string,
    old: Known,
    news: PropertyMap,
    options: {
      readonly ignoreChanges: readonly string[];
      readonly timeout: number;
      readonly preview: boolean;
    },
  ): Promise<PropertyMap> {
    const { preview } = options;
    if (preview && !this.abilities.previews) return news;
    const request = new UpdateRequest()
      .setUrn(urn)
      .setName(nameOf(urn))
      .setType(typeOf(urn))
      .setId(id)
      .setOldInputs(toStruct(old.inputs, this.receiver(false)))
      .setOlds(toStruct(old.outputs, this.receiver(false)))
      .setNews(toStruct(news, this.receiver(preview)))
      .setIgnorechangesList([...options.ignoreChanges])
      .setTimeout(options.timeout)
      .setPreview(preview);
    const response = await this.send<UpdateResponse>((done) => this.client.update(request, done), news);
    return this.received(fromStruct(response.getProperties()), news, preview);
  }

  /** `outputs` is undefined where the resource does not exist. */
  async read(urn: string, id: string, known: Known, timeout = 0) {
    const receiver = this.receiver(false);
    const request = new ReadRequest()
      .setUrn(urn)
      .setName(nameOf(urn))
      .setType(typeOf(urn))
      .setId(id)
      .setInputs(toStruct(known.inputs, receiver))
      .setProperties(toStruct(known.outputs, receiver))
      .setTimeout(timeout);
    const response = await this.send<ReadResponse>((done) => this.client.read(request, done), known.outputs);
    return {
      id: response.getId(),
      ...(response.hasProperties() && {
        outputs: this.received(fromStruct(response.getProperties()), known.outputs, false),
      }),
      ...(response.hasInputs() && {
        inputs: this.received(fromStruct(response.getInputs()), known.inputs, false),
      }),
    };
  }

  async delete(urn: string, id: string, old: Known, timeout: number): Promise<void> {
    const request = new DeleteRequest()
      .setUrn(urn)
      .setName(nameOf(urn))
      .setType(typeOf(urn))
      .setId(id)
      .setOldInputs(toStruct(old.inputs, this.receiver(false)))
      .setProperties(toStruct(old.outputs, this.receiver(false)))
      .setTimeout(timeout);
    await this.send<Empty>((done) => this.client.delete(request, done));
  }

  private receiver(unknowns: boolean): Receiver {
    return { secrets: this.abilities.secrets, resources: this.abilities.resources, unknowns };
  }

  /** What came back, with the secrets that the provider was sent as plain values marked again. */
  private received(values: PropertyMap, like: PropertyMap, preview: boolean): PropertyMap {
    const unknown = preview ? undefined : Object.entries(values).find(([, value]) => containsUnknowns(value));
    if (unknown) throw new ProviderFailure(`unexpected unknown property value for "${unknown[0]}"`, false);
    return this.abilities.secrets ? values : markSecrets(values, like);
  }

  private async send<Response>(call: Send<Response>, sent: PropertyMap = {}): Promise<Response> {
    try {
      return await ask(call);
    } catch (error) {
      const failure = providerFailure(error);
      if (!failure.partial || this.abilities.secrets) throw failure;
      const partial: Partial = { ...failure.partial, outputs: markSecrets(failure.partial.outputs, sent) };
      throw new ProviderFailure(failure.message, failure.unclear, partial);
    }
  }
}

function checked(response: CheckResponse, inputs: PropertyMap): Checked {
  const failures = response
    .getFailuresList()
    .map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));
  return { inputs, failures };
}

/** What is on record of a resource. */
export interface Known {
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}
