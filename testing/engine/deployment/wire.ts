import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Unserved } from "../refusal";
import { type PropertyMap, type PropertyValue, Secret, UNKNOWN } from "../state";
import { isList, isMap } from "./values";

/** How the protocol writes a value that is not known yet, at any depth. */
export const UNKNOWN_ON_THE_WIRE = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A map that has this key is not a map but what the key's value says. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";
const RESOURCE_SIGNATURE = "5cf8f73096256a8f31e491e813e4eb8e";
const OUTPUT_SIGNATURE = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const ASSET_SIGNATURE = "c44067f5952c0a294b673a41bacd8c17";
const ARCHIVE_SIGNATURE = "0def7320c3a5731c473e5ecbe6d01bc7";

/** What the receiver understands. */
export interface Receiver {
  /** Secrets keep their mark; without it they go as plain values. */
  readonly secrets: boolean;
  /** Unknown values are sent as such; without it they are left out. */
  readonly unknowns: boolean;
  /** References to resources are sent as such; without it as the resource's id, or its URN. */
  readonly resources: boolean;
}

/** The SDKs understand all of it. */
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
    // The protocol's values are JSON values, and the other kinds are dealt with above.
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
