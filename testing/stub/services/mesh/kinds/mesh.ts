import { serverError } from "../errors";
import { always } from "../shape/field";
import { flag, text } from "../shape/scalars";
import { inline, struct } from "../shape/struct";
import { CLUSTER, defineKind } from "./define";
import { TLS_BOUNDS, validateBounds } from "./tls";

const ESCAPED_SLASHES = [
  "IMPLEMENTATION_SPECIFIC_DEFAULT",
  "KEEP_UNCHANGED",
  "REJECT_REQUEST",
  "UNESCAPE_AND_REDIRECT",
  "UNESCAPE_AND_FORWARD",
];
const UNDERSCORES = ["ALLOW", "REJECT_REQUEST", "DROP_HEADER"];

/** The settings of the complete mesh. */
export const mesh = defineKind({
  kind: "mesh",
  write: CLUSTER,
  read: [],
  onlyName: "mesh",
  fields: {
    TransparentProxy: inline({ MeshDestinationsOnly: always(flag) }),
    AllowEnablingPermissiveMutualTLS: flag,
    ValidateClusters: flag,
    TLS: struct({ Incoming: struct(TLS_BOUNDS), Outgoing: struct(TLS_BOUNDS) }),
    HTTP: struct({
      SanitizeXForwardedClientCert: always(flag),
      Incoming: struct({
        RequestNormalization: struct({
          InsecureDisablePathNormalization: always(flag),
          MergeSlashes: always(flag),
          PathWithEscapedSlashesAction: always(text),
          HeadersWithUnderscoresAction: always(text),
        }),
      }),
    }),
    Peering: struct({ PeerThroughMeshGateways: always(flag) }),
  },
  validate({ TLS, HTTP }) {
    for (const bounds of [TLS?.Incoming, TLS?.Outgoing]) {
      validateBounds({
        min: bounds?.TLSMinVersion,
        max: bounds?.TLSMaxVersion,
        suites: bounds?.CipherSuites,
      });
    }
    const normalization = HTTP?.Incoming?.RequestNormalization;
    for (const [field, action, allowed] of [
      ["PathWithEscapedSlashesAction", normalization?.PathWithEscapedSlashesAction, ESCAPED_SLASHES],
      ["HeadersWithUnderscoresAction", normalization?.HeadersWithUnderscoresAction, UNDERSCORES],
    ] as const) {
      if (action === undefined || allowed.includes(action)) continue;
      throw serverError(
        `error in HTTP incoming request normalization configuration: no matching ${field} value found for ${action}, please specify one of [${allowed.join(", ")}]`,
      );
    }
  },
});
