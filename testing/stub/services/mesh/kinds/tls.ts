import { serverError } from "../errors";
import { list } from "../shape/field";
import { text } from "../shape/scalars";
import { struct } from "../shape/struct";

/** The limits of a TLS connection. */
export const TLS_BOUNDS = { TLSMinVersion: text, TLSMaxVersion: text, CipherSuites: list(text) };

/** The source of a certificate. */
export const certificateSource = struct({ ClusterName: text, CertResource: text });

const VERSIONS = ["TLSv1_0", "TLSv1_1", "TLSv1_2", "TLSv1_3"];

interface Bounds {
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly suites: readonly string[] | undefined;
}

export function validateBounds({ min, max, suites }: Bounds): void {
  for (const version of [min, max]) {
    if (version === undefined || version === "TLS_AUTO" || VERSIONS.includes(version)) continue;
    throw serverError(`no matching TLS version found for ${version}`);
  }
  if (min !== undefined && max !== undefined && orderOf(min) >= 0 && orderOf(max) >= 0) {
    if (orderOf(max) < orderOf(min)) {
      throw serverError(
        `configuring max version ${max} less than the configured min version ${min} is invalid`,
      );
    }
  }
  if ((suites ?? []).length > 0 && min === "TLSv1_3") {
    throw serverError(
      "configuring CipherSuites is only applicable to connections negotiated with TLS 1.2 or earlier",
    );
  }
}

function orderOf(version: string): number {
  return VERSIONS.indexOf(version);
}
