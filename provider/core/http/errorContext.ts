/** What the explanations quote. */
export interface ErrorContext {
  /** The origin, without userinfo. */
  readonly origin: string;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  /** The variable that names a proxy for this origin, where one is set. */
  readonly proxy: string | undefined;
  /** Whether a certificate of the client's own is set. */
  readonly ownCertificate: boolean;
}
