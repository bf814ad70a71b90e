import { block, flag, text } from "./members";
import { tlsBounds } from "./parts";
import { typedEntry } from "./typedEntry";

/** The settings of the entire mesh (specification: part B). */
export default typedEntry({
  type: "Mesh",
  kind: "mesh",
  onlyName: "mesh",
  doc: "The `mesh` entry, of which there is one, `mesh`: what holds for the whole mesh.",
  members: {
    transparentProxy: block(
      { meshDestinationsOnly: flag("Whether proxies lead to services of the mesh only.") },
      "How transparent proxies work.",
    ),
    allowEnablingPermissiveMutualTLS: flag("Whether services may set their mutual TLS to `permissive`."),
    validateClusters: flag("Whether proxies check that the clusters of their routes exist."),
    tls: block(
      {
        incoming: block(tlsBounds, "The bounds for incoming connections."),
        outgoing: block(tlsBounds, "The bounds for outgoing connections."),
      },
      "The bounds of TLS in the mesh.",
      "TLS",
    ),
    http: block(
      {
        sanitizeXForwardedClientCert: flag("Whether the header `x-forwarded-client-cert` is taken away."),
        incoming: block(
          {
            requestNormalization: block(
              {
                insecureDisablePathNormalization: flag(
                  "Whether paths stay as they come. Opens a way around path rules.",
                ),
                mergeSlashes: flag("Whether neighbouring slashes become one."),
                pathWithEscapedSlashesAction: text(
                  "What becomes of a path with escaped slashes: `IMPLEMENTATION_SPECIFIC_DEFAULT`, `KEEP_UNCHANGED`, `REJECT_REQUEST`, `UNESCAPE_AND_REDIRECT` or `UNESCAPE_AND_FORWARD`.",
                ),
                headersWithUnderscoresAction: text(
                  "What becomes of headers with underscores: `ALLOW`, `REJECT_REQUEST` or `DROP_HEADER`.",
                ),
              },
              "How requests are brought into one form.",
            ),
          },
          "How incoming requests are treated.",
        ),
      },
      "How HTTP is treated.",
      "HTTP",
    ),
    peering: block(
      { peerThroughMeshGateways: flag("Whether peers reach each other's servers through mesh gateways.") },
      "How clusters are peered.",
    ),
  },
});
