import { sameInDocument } from "../value/equality";
import { isObject, type Json, ownMember } from "../value/json";

/** Where two canonical values differ, as deep as both are objects. */
export function leavesThatDiffer(
  from: Json | undefined,
  to: Json | undefined,
  path: readonly (string | number)[],
): { path: readonly (string | number)[]; to: Json | undefined }[] {
  if (isObject(from) && isObject(to)) {
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return names.flatMap((name) => leavesThatDiffer(member(from, name), member(to, name), [...path, name]));
  }
  return sameInDocument(from, to) ? [] : [{ path, to }];
}

export function member(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? ownMember(value, name) : undefined;
}
