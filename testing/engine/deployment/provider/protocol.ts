import type { CheckResponse, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { nameOf, typeOf } from "../../state/urn";
import type { PropertyMap } from "../../state/values";

/** What a provider said of itself when it was greeted or configured. */
export interface Abilities {
  readonly secrets: boolean;
  readonly resources: boolean;
  readonly previews: boolean;
}

/** What is on record of a resource. */
export interface RecordedState {
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

/** The inputs as the provider completed them, and what it finds wrong with them. */
export interface Checked {
  readonly inputs: PropertyMap;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

export function readChecked(response: CheckResponse | InvokeResponse, inputs: PropertyMap): Checked {
  const failures = response
    .getFailuresList()
    .map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));
  return { inputs, failures };
}

/** Every request says which resource it is about, in three ways. */
interface ResourceRequest<Request> {
  setUrn(urn: string): Request;
  setName(name: string): Request;
  setType(type: string): Request;
}

export function about<Request extends ResourceRequest<Request>>(urn: string, request: Request): Request {
  return request.setUrn(urn).setName(nameOf(urn)).setType(typeOf(urn));
}
