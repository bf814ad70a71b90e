/** A map of any depth, as JSON holds it. */
export type JsonMap = { readonly [key: string]: string | JsonMap };
