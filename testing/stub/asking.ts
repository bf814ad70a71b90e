const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "LIST"]);

/**
 * POST requests that change nothing: parse, validate and plan a job; look up a lease or a wrapping token; query a token's
 * permissions.
 */
const ASKED_BY_POST =
  /^\/v1\/(?:jobs\/parse|validate\/job|job\/[^/]+\/plan|sys\/(?:leases|wrapping)\/lookup|sys\/capabilities-self|internal\/acl\/authorize)$/;

/**
 * True if a request is meant to change nothing.
 * @param path without a query
 */
export function onlyAsks(method: string, path: string): boolean {
  return READS.has(method) || ASKED_BY_POST.test(path);
}

/** The requests that are meant to change something. */
export function writesAmong<Request extends { readonly method: string; readonly path: string }>(
  requests: readonly Request[],
): Request[] {
  return requests.filter(({ method, path }) => !onlyAsks(method, path));
}
