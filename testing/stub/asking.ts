const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "LIST"]);

/** What is asked by a POST and changes nothing: what a job's text says, whether a job is right, and what it would do. */
const ASKED_BY_POST = /^\/v1\/(?:jobs\/parse|validate\/job|job\/[^/]+\/plan)$/;

/**
 * Whether a request is meant to change nothing.
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
