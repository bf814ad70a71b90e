import fc from "fast-check";
import type { Json } from "../../../provider/core/value/json";

/** A property that a program writes half of the time. */
export const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

/** The value without its undefined properties. */
export const defined = (value: object): { [member: string]: Json } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
