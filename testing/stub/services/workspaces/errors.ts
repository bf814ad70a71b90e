import type { StubResponse } from "../../service";

/** One error object of the JSON:API format. */
export interface ApiError {
  readonly status: string;
  readonly title: string;
  readonly detail?: string;
  readonly source?: { readonly pointer: string };
}

/** An answer that is not a success; the service words it in the error form that is switched on. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    readonly errors: readonly ApiError[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(errors[0]?.detail ?? errors[0]?.title ?? String(status));
  }
}

/** 404: absent or not authorised, which the service does not tell apart. */
export function notFound(): Refusal {
  return new Refusal(404, [{ status: "404", title: "not found" }]);
}

export function unauthorized(): Refusal {
  return new Refusal(401, [{ status: "401", title: "unauthorized" }]);
}

export function conflict(detail: string): Refusal {
  return new Refusal(409, [{ status: "409", title: "conflict", detail }]);
}

/** 403, which only the registry answers: "public provider curation is disabled". */
export function forbidden(detail: string): Refusal {
  return new Refusal(403, [{ status: "403", title: "forbidden", detail }]);
}

/** 422: what is wrong with which attribute; all of it at once. */
export function invalid(...problems: readonly Problem[]): Refusal {
  return new Refusal(
    422,
    problems.map(({ pointer, detail }) => ({
      status: "422",
      title: "invalid attribute",
      detail,
      source: { pointer },
    })),
  );
}

export interface Problem {
  readonly pointer: string;
  readonly detail: string;
}

/** The answer to a refusal, in the form that is switched on. */
export function refusalResponse(refusal: Refusal, form: "objects" | "strings"): StubResponse {
  if (refusal.errors.length === 0) return { status: refusal.status, headers: refusal.headers };
  const errors =
    form === "objects" ? refusal.errors : refusal.errors.map((error) => error.detail ?? error.title);
  return { status: refusal.status, headers: { ...JSON_API, ...refusal.headers }, body: { errors } };
}

/** The content type of every body, both ways. */
export const JSON_API = { "content-type": "application/vnd.api+json" } as const;
