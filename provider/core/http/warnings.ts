/** What a service warns of in an answer that is a success. */
export interface ServiceWarning {
  readonly text: string;
  /** The members and parameters of the request, by the wire's names, that it says it did not take as they were sent. */
  readonly notTaken?: readonly string[];
}

/**
 * What HTTP's own headers warn of: `Warning` (RFC 9111, section 5.5), `Deprecation` (RFC 9745) and `Sunset` (RFC 8594).
 * Warnings of caches (codes 1xx) say nothing of the service.
 */
export function warningsInHeaders({
  headers,
}: {
  readonly headers: Readonly<Record<string, string>>;
}): ServiceWarning[] {
  const { warning = "", deprecation, sunset } = headers;
  const own = [...warning.matchAll(/\b(\d{3}) \S+ "((?:[^"\\]|\\.)*)"/g)].flatMap(
    ([, code = "", text = ""]) => (code.startsWith("1") ? [] : [text.replace(/\\(.)/g, "$1")]),
  );
  const since = deprecation === undefined ? undefined : dateIn(deprecation);
  const deprecated =
    deprecation === undefined
      ? []
      : [`this endpoint is deprecated${since === undefined ? "" : ` since ${since}`}`];
  const ends = sunset === undefined || sunset === "" ? [] : [`this endpoint is said to end at ${sunset}`];
  return [...own, ...deprecated, ...ends].map((text) => ({ text }));
}

/** The date of a structured field, `@1688169599`; undefined where it says no date, as drafts of the RFC did. */
function dateIn(field: string): string | undefined {
  const [, seconds] = /^@(-?\d{1,11})$/.exec(field.trim()) ?? [];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000).toISOString();
}
