import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Unserved } from "../../refusal";
import {
  ARCHIVE_SIGNATURE,
  ASSET_SIGNATURE,
  OUTPUT_SIGNATURE,
  RESOURCE_SIGNATURE,
  SECRET_SIGNATURE,
  SIGNATURE,
  UNKNOWN_ON_THE_WIRE,
} from "../../state/signatures";
import { isList, isMap, type PropertyMap, type PropertyValue, Secret, UNKNOWN } from "../../state/values";

/** The capabilities of the receiver. */
export interface Receiver {
  /** True: secrets are marked. False: they are sent as plain values. */
  readonly secrets: boolean;
  /** True: unknown values are sent as such. False: they are omitted. */
  readonly unknowns: boolean;
  /** True: resource references are sent as such. False: the resource's ID or URN is sent. */
  readonly resources: boolean;
}

/** The SDKs support all of these. */
export const PROGRAM: Receiver = { secrets: true, unknowns: true, resources: true };

export function toStruct(values: PropertyMap, receiver: Receiver): Struct {
  return Struct.fromJavaScript(writeMap(values, receiver));
}

export function fromStruct(struct: Struct | undefined): PropertyMap {
  return struct === undefined ? {} : readMap(struct.toJavaScript());
}

type Wire = null | boolean | number | string | Wire[] | { [key: string]: Wire };

function write(value: PropertyValue, receiver: Receiver): Wire | undefined {
  if (value === UNKNOWN) return receiver.unknowns ? UNKNOWN_ON_THE_WIRE : undefined;
  if (value instanceof Secret) {
    const content = write(value.value, receiver);
    if (!receiver.secrets || content === undefined) return content;
    return { [SIGNATURE]: SECRET_SIGNATURE, value: content };
  }
  if (isList(value)) return value.map((element) => write(element, receiver) ?? null);
  if (!isMap(value)) return value;
  if (value[SIGNATURE] === RESOURCE_SIGNATURE && !receiver.resources) {
    return write(value.id ?? value.urn ?? null, receiver);
  }
  return writeMap(value, receiver);
}

function writeMap(values: PropertyMap, receiver: Receiver): { [key: string]: Wire } {
  const written: { [key: string]: Wire } = {};
  for (const [name, value] of Object.entries(values)) {
    const content = write(value, receiver);
    if (content !== undefined) written[name] = content;
  }
  return written;
}

function read(value: unknown): PropertyValue {
  if (value === UNKNOWN_ON_THE_WIRE) return UNKNOWN;
  if (Array.isArray(value)) return value.map(read);
  if (typeof value !== "object" || value === null) {
    // Protocol values are JSON values; lists and maps are handled elsewhere.
    return value as null | boolean | number | string;
  }
  const map = value as { [key: string]: unknown };
  switch (map[SIGNATURE]) {
    case SECRET_SIGNATURE:
      return secret(read(map.value));
    case OUTPUT_SIGNATURE: {
      const content = "value" in map ? read(map.value) : UNKNOWN;
      return map.secret === true ? secret(content) : content;
    }
    case ASSET_SIGNATURE:
    case ARCHIVE_SIGNATURE:
      throw new Unserved("assets and archives");
    default:
      return readMap(map);
  }
}

const secret = (value: PropertyValue): Secret => (value instanceof Secret ? value : new Secret(value));

function readMap(map: { [key: string]: unknown }): PropertyMap {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, read(value)]));
}
