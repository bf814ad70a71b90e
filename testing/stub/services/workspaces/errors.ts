import type { StubResponse } from "../../service";

/** One error object of the JSON:API format. */
export interface ApiError {
  readonly status: string;
  readonly title: string;
  readonly detail?: string;
  readonly source?: { readonly pointer: string };
}

/** An error response; the service formats it in the selected error form. */
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

/** 404: absent or unauthorized, which HCP Terraform does not distinguish. */
export function notFound(): Refusal {
  return new Refusal(404, [{ status: "404", title: "not found" }]);
}

export function unauthorized(): Refusal {
  return new Refusal(401, [{ status: "401", title: "unauthorized" }]);
}

export function conflict(detail: string): Refusal {
  return new Refusal(409, [{ status: "409", title: "conflict", detail }]);
}

/** 403, which only the registry uses: "public provider curation is disabled". */
export function forbidden(detail: string): Refusal {
  return new Refusal(403, [{ status: "403", title: "forbidden", detail }]);
}

/** 422 with every problem and its attribute. */
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

/** The error response in the selected error form. */
export function refusalResponse(refusal: Refusal, form: "objects" | "strings"): StubResponse {
  if (refusal.errors.length === 0) return { status: refusal.status, headers: refusal.headers };
  const errors =
    form === "objects" ? refusal.errors : refusal.errors.map((error) => error.detail ?? error.title);
  return { status: refusal.status, headers: { ...JSON_API, ...refusal.headers }, body: { errors } };
}

/** The content type of every request and response body. */
export const JSON_API = { "content-type": "application/vnd.api+json" } as const;
