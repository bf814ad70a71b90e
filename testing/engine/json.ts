/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonMap;
export type JsonMap = { readonly [key: string]: Json };

export const isJsonList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const isJsonMap = (value: Json | undefined): value is JsonMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);
