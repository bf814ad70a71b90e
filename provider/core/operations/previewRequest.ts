import { Canceled, ServiceError } from "../http/errors";
import type { StepContext } from "../language/resource";

/** A request that a preview can do without. */
interface PreviewRequest {
  /** The scopes in which a failure also prevents this request. */
  readonly scopes: readonly string[];
  /** The scope of a failure: one of `scopes`. */
  scopeOf(error: ServiceError): string;
  /** What a failure prevents, worded to precede the reason. */
  readonly unavailable: string;
  send(): Promise<void>;
}

/**
 * Sends a request that a preview can do without. A failure does not make the preview fail: a warning reports it once for its
 * scope, and later requests of that scope are not sent.
 */
export async function sendInPreview(
  { unavailableScopes, log }: Pick<StepContext, "unavailableScopes" | "log">,
  { scopes, scopeOf, unavailable, send }: PreviewRequest,
): Promise<void> {
  if (scopes.some((scope) => unavailableScopes?.has(scope))) return;
  try {
    await send();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const scope = scopeOf(error);
    // A concurrent request may have reported the failure already.
    if (error instanceof Canceled || unavailableScopes?.has(scope)) return;
    unavailableScopes?.add(scope);
    log("warning", `${unavailable}: ${error.summary}`);
  }
}
