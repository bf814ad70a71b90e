import { z } from "zod";
import { field } from "../../../core/facts";

/** `wire` where the service's name is not the member's own with a capital letter. */
function named(doc: string, wire: string | undefined) {
  return { doc, ...(wire !== undefined && { wire }) };
}

export const text = (doc: string, wire?: string) => field(z.string().optional(), named(doc, wire));
export const needed = (doc: string, wire?: string) => field(z.string().min(1), named(doc, wire));
export const flag = (doc: string, wire?: string) => field(z.boolean().optional(), named(doc, wire));
export const whole = (doc: string, wire?: string) => field(z.int().optional(), named(doc, wire));
export const texts = (doc: string, wire?: string) => field(z.array(z.string()).optional(), named(doc, wire));
export const wholes = (doc: string, wire?: string) => field(z.array(z.int()).optional(), named(doc, wire));

/** A map whose keys are the user's. */
export const textMap = (doc: string, wire?: string) =>
  field(z.record(z.string(), z.string()).optional(), named(doc, wire));
export const freeMap = (doc: string, wire?: string) =>
  field(z.record(z.string(), z.unknown()).optional(), named(doc, wire));

/** A duration with a unit, as the service writes it. */
export const duration = (doc: string, wire?: string) =>
  text(`${doc} A duration with a unit, such as \`15s\`.`, wire);

export const choice = <const V extends readonly [string, ...string[]]>(
  values: V,
  doc: string,
  wire?: string,
) => field(z.enum(values).optional(), named(doc, wire));

type Members = Readonly<Record<string, z.ZodType>>;

export const group = <S extends Members>(members: S, doc: string, wire?: string) =>
  field(z.strictObject(members).optional(), named(doc, wire));
export const groups = <S extends Members>(members: S, doc: string, wire?: string) =>
  field(z.array(z.strictObject(members)).optional(), named(doc, wire));

/** A list that must hold something. */
export const neededGroups = <S extends Members>(members: S, doc: string, wire?: string) =>
  field(z.array(z.strictObject(members)).min(1), named(doc, wire));
