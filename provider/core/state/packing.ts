import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { editProgram, restoreState } from "../http/remedies";
import { formatJson, isObject } from "../value/json";
import { UnreadableRecordsError } from "./records";

/** The version of the container that stores records in a state; the records inside have a version of their own. */
const PACKED = 1;

/** The text that all records have in common, in their order. It must not change within a container version. */
const FRAME =
  '"procedure":{"phase":"","lease_id":""},"pending":{"kind":"create","inputs":{},"kind":"update","kind":"unverified",' +
  '"kind":"incomplete","reason":"","with":{"secrets":[""],"reading":{"of":"' +
  '{"v":1,"address":{"name":"","namespace":"default"},"lastApplied":{"name":""},"baseline":{},"observed":{},"revision":"","stamp":"1';

/** From this size on, the best compression is noticeably slow, and the fast one is as good. */
const LARGE = 200_000;

/** The other outputs in the state next to packed records, as the engine stores them. */
export type Beside = Readonly<Record<string, unknown>>;

/** The size of an unpacking buffer, in bytes. Most records are smaller, and each of them allocates one buffer. */
const CHUNK = 4096;

const CONTAINER = /^\{"v":1,"z":"([A-Za-z0-9+/=]*)"\}$/;

/** True if a text is packed records. */
export function isPacked(text: string): boolean {
  return text.startsWith(`{"v":${PACKED},"z":`);
}

/**
 * Packs the text of records. Leaves out the parts that the other outputs repeat, and the parts in the dictionary of the
 * service, which all of its records have in common. The packed text contains the dictionary's number. A checksum detects a
 * change of the outputs or the dictionary.
 */
export function pack(text: string, beside: Beside, dictionaries: readonly string[]): string {
  const number = dictionaries.length;
  const own = Buffer.from(text);
  const dictionary = dictionaryOf(number, beside, dictionaries);
  const level = own.length > LARGE ? 1 : 9;
  const head = Buffer.alloc(5);
  head.writeUInt8(number);
  head.writeUInt32BE(crc32(own), 1);
  const z = Buffer.concat([head, deflateRawSync(own, { level, memLevel: 9, dictionary })]);
  return formatJson({ v: PACKED, z: z.toString("base64") });
}

/**
 * The text of packed records.
 * @throws UnreadableRecordsError if the other outputs differ from those at the time of packing, or if the text is not packed
 * records
 */
export function unpack(text: string, beside: Beside, dictionaries: readonly string[]): string {
  const bytes = Buffer.from(CONTAINER.exec(text)?.[1] ?? "", "base64");
  if (bytes.length < 5) throw unreadable();
  const number = bytes.readUInt8();
  if (number > dictionaries.length)
    throw new UnreadableRecordsError(NEWER, [editProgram("update the package")]);
  const own = inflate(bytes.subarray(5), dictionaryOf(number, beside, dictionaries));
  if (own === undefined || crc32(own) !== bytes.readUInt32BE(1)) throw unreadable();
  return own.toString();
}

const NEWER =
  "the state was written by a newer version of pulumi-quarterdeck (its records are packed with a dictionary that this " +
  "package does not have).";

function unreadable(): UnreadableRecordsError {
  return new UnreadableRecordsError(
    "the records in the state do not match the outputs: the state was edited.",
    [restoreState()],
  );
}

function inflate(bytes: Buffer, dictionary: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(bytes, { dictionary, chunkSize: CHUNK });
  } catch {
    return undefined;
  }
}

/** The compression dictionary. The likeliest matches are at its end. */
function dictionaryOf(number: number, beside: Beside, dictionaries: readonly string[]): Buffer {
  return Buffer.from(`${dictionaries[number - 1] ?? ""}${FRAME}${besideText(beside)}`);
}

/**
 * Outputs as one text, which is equal before and after a round trip through an engine, in any order. Engines leave out null
 * in objects, and have no integers beyond a double. google-protobuf drops members with the name `__proto__`.
 */
export function besideText(beside: Beside): string {
  const shown = Object.entries(beside).filter(([name]) => !name.startsWith("__"));
  return canonicalJson(Object.fromEntries(shown));
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((part: unknown) => canonicalJson(part)).join(",")}]`;
  if (typeof value === "bigint") return `"${value}"`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(
    ([name, member]) => name !== "__proto__" && member !== null && member !== undefined,
  );
  const sorted = members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}
