import { isObject, type Json, type Observation, type Spelling } from "../../core";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes as a program writes them: as text, or in Base64 if they are not text. */
function written(bytes: Buffer): Json {
  try {
    return utf8.decode(bytes);
  } catch {
    return { base64: bytes.toString("base64") };
  }
}

/** A value: text, or the Base64 of its bytes. */
export const textOrBytes: Spelling = {
  doc: "The text and the Base64 of the same bytes are equal.",
  canonical: (value) =>
    isObject(value) && typeof value.base64 === "string"
      ? written(Buffer.from(value.base64, "base64"))
      : value,
  encode: (value) =>
    isObject(value) && typeof value.base64 === "string"
      ? value.base64
      : Buffer.from(String(value)).toString("base64"),
};

/** A key with its value as a program writes it. Consul returns the bytes in Base64, and null for an empty value. */
export function withWrittenValue(entry: Observation["body"]): Observation["body"] {
  const { Value: value } = entry;
  if (value !== null && typeof value !== "string") return entry;
  return { ...entry, Value: written(Buffer.from(value ?? "", "base64")) };
}
