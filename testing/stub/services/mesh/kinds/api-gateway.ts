import { serverError } from "../errors";
import { always, list, map, optional } from "../shape/field";
import { count, flag, integer, text } from "../shape/scalars";
import { type Body, inline, struct } from "../shape/struct";
import { CLUSTER, defineKind, SERVICE } from "./define";
import { jwtRequirement } from "./jwt";
import { reference } from "./placement";
import { upstreamLimits } from "./proxy";
import { certificateSource, TLS_BOUNDS, validateBounds } from "./tls";

const LISTENER = {
  Name: always(text),
  Hostname: always(text),
  Port: always(integer),
  Protocol: always(text),
  TLS: inline({
    Certificates: always(list(reference)),
    MaxVersion: always(text),
    MinVersion: always(text),
    CipherSuites: always(list(text)),
    SDS: certificateSource,
  }),
  Override: struct({ JWT: jwtRequirement }),
  Default: struct({ JWT: jwtRequirement }),
  MaxRequestHeadersKB: optional(count),
};

export type ApiListener = Body<typeof LISTENER>;

/** The listeners of an API gateway. */
export const apiGateway = defineKind({
  kind: "api-gateway",
  write: CLUSTER,
  read: SERVICE,
  hasStatus: true,
  fields: {
    Listeners: always(list(struct(LISTENER))),
    TLS: struct({ Enabled: always(flag), SDS: certificateSource, ...TLS_BOUNDS }),
    Defaults: upstreamLimits,
    ExtAuthz: struct({ Enabled: always(flag) }),
  },
  normalize: (body) => ({
    ...body,
    ...(body.Listeners !== undefined && { Listeners: body.Listeners.map(normalizeListener) }),
  }),
  validate({ Listeners = [] }) {
    if (Listeners.length === 0) throw serverError("api gateway must have at least one listener");
    validateNames(Listeners);
    const byPort = new Map<number, ApiListener>();
    for (const listener of Listeners) {
      const merged = byPort.get(listener.Port ?? 0);
      byPort.set(listener.Port ?? 0, listener);
      if (merged === undefined) continue;
      if (merged.Hostname !== listener.Hostname || merged.Protocol !== listener.Protocol) {
        throw serverError(
          `listeners ${JSON.stringify(merged.Name)} and ${JSON.stringify(listener.Name)} cannot be merged`,
        );
      }
    }
    for (const listener of Listeners) validateListener(listener);
  },
});

/** The bindings of an API gateway; the controller derives this entry from the gateway and its routes. */
export const boundApiGateway = defineKind({
  kind: "bound-api-gateway",
  write: [],
  read: SERVICE,
  fields: {
    Listeners: always(
      list(
        struct({
          Name: always(text),
          Routes: always(list(reference)),
          Certificates: always(list(reference)),
        }),
      ),
    ),
    Services: always(map(list(reference))),
  },
});

function normalizeListener(listener: ApiListener): ApiListener {
  const { Protocol, TLS } = listener;
  return {
    ...listener,
    ...(Protocol !== undefined && { Protocol: Protocol.toLowerCase() }),
    ...(TLS?.Certificates !== undefined && {
      TLS: {
        ...TLS,
        Certificates: TLS.Certificates.map((certificate) => ({ Kind: "inline-certificate", ...certificate })),
      },
    }),
  };
}

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function validateNames(listeners: readonly ApiListener[]): void {
  const names = new Set<string>();
  for (const { Name = "" } of listeners) {
    if (!NAME.test(Name)) {
      throw serverError(
        `listener name ${JSON.stringify(Name)} is invalid, must be at least 1 character and contain only letters, numbers, or dashes`,
      );
    }
    if (names.has(Name)) throw serverError(`found multiple listeners with the name ${JSON.stringify(Name)}`);
    names.add(Name);
  }
}

function validateListener({ Protocol = "", Hostname = "", Port = 0, TLS }: ApiListener): void {
  if (Protocol !== "http" && Protocol !== "tcp") {
    throw serverError(
      `unsupported listener protocol ${JSON.stringify(Protocol)}, must be one of 'tcp', or 'http'`,
    );
  }
  if (Protocol === "tcp" && Hostname !== "") {
    throw serverError("hostname specification is not supported when using TCP");
  }
  if (Port <= 0 || Port > 65_535) throw serverError(`listener port ${Port} not in the range 1-65535`);
  if (Hostname.replace(/^\*\./, "").includes("*")) {
    throw serverError(
      `host ${JSON.stringify(Hostname)} is not valid, a wildcard specifier is only allowed as the left-most label`,
    );
  }
  for (const { Kind, Name } of TLS?.Certificates ?? []) {
    if (Kind !== "inline-certificate" && Kind !== "file-system-certificate") {
      throw serverError(
        `unsupported certificate kind: ${JSON.stringify(Kind)}, must be 'file-system-certificate' or 'inline-certificate'`,
      );
    }
    if (Name === undefined) throw serverError("certificate reference must have a name");
  }
  validateBounds({ min: TLS?.MinVersion, max: TLS?.MaxVersion, suites: TLS?.CipherSuites });
}
