import type { CheckResponse, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { nameOf, typeOf } from "../../state/urn";
import type { PropertyMap } from "../../state/values";

/** The capabilities from a provider's handshake or configuration. */
export interface Abilities {
  readonly secrets: boolean;
  readonly resources: boolean;
  readonly previews: boolean;
}

/** The inputs and outputs of a resource in the state. */
export interface RecordedState {
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

/** The inputs that the provider returned, and the failures of its check. */
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

/** The three fields that identify the resource in every request. */
interface ResourceRequest<Request> {
  setUrn(urn: string): Request;
  setName(name: string): Request;
  setType(type: string): Request;
}

export function about<Request extends ResourceRequest<Request>>(urn: string, request: Request): Request {
  return request.setUrn(urn).setName(nameOf(urn)).setType(typeOf(urn));
}
