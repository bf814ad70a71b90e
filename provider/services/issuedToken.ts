import { type HttpAnswer, type Issued, isObject, type Json } from "../core";

/** The token of an answer in the form that the scheduler and the mesh give it. How long it lasts is by their own clocks. */
export function issuedToken({ json }: HttpAnswer): Issued | undefined {
  if (!isObject(json)) return undefined;
  const { SecretID: token, CreateTime: made, ExpirationTime: end } = json;
  if (typeof token !== "string" || token === "") return undefined;
  const seconds = (timeOf(end) - timeOf(made)) / 1000;
  return { token, ...(seconds > 0 && { seconds }), isRenewable: false };
}

function timeOf(value: Json | undefined): number {
  return typeof value === "string" ? Date.parse(value) : Number.NaN;
}
