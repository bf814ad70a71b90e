import { type HttpResponse, type Issued, isObject, type Json } from "../core";

/** The token in a response, in the format of Nomad and Consul. Its lifetime is computed from the server's own clock. */
export function issuedToken({ json }: HttpResponse): Issued | undefined {
  if (!isObject(json)) return undefined;
  const { SecretID: token, CreateTime: made, ExpirationTime: end } = json;
  if (typeof token !== "string" || token === "") return undefined;
  const seconds = (timeOf(end) - timeOf(made)) / 1000;
  return { token, ...(seconds > 0 && { seconds }), isRenewable: false };
}

function timeOf(value: Json | undefined): number {
  return typeof value === "string" ? Date.parse(value) : Number.NaN;
}
