/** A JSON object of nested maps and strings. */
export type JsonMap = { readonly [key: string]: string | JsonMap };
