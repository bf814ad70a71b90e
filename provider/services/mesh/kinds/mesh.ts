import { block, flag, text } from "./members";
import { tlsBounds } from "./parts";
import { typedEntry } from "./typedEntry";

/** The settings of the entire mesh (specification: part B). */
export default typedEntry({
  type: "Mesh",
  product: {
    noun: "Consul mesh entry",
    terraform: "`consul_config_entry`",
    docs: "https://developer.hashicorp.com/consul/api-docs/config",
  },
  kind: "mesh",
  onlyName: "mesh",
  doc: "Consul `mesh` entry (there is only one, `mesh`): settings for the entire service mesh.",
  members: {
    transparentProxy: block(
      { meshDestinationsOnly: flag("Restrict transparent proxies to destinations in the mesh.") },
      "Transparent proxy settings.",
    ),
    allowEnablingPermissiveMutualTLS: flag("Allow services to set their mutual TLS mode to `permissive`."),
    validateClusters: flag("Make proxies validate that the clusters in their routes exist."),
    tls: block(
      {
        incoming: block(tlsBounds, "TLS settings for incoming connections."),
        outgoing: block(tlsBounds, "TLS settings for outgoing connections."),
      },
      "TLS versions and cipher suites in the mesh.",
      "TLS",
    ),
    http: block(
      {
        sanitizeXForwardedClientCert: flag("Remove the header `x-forwarded-client-cert`."),
        incoming: block(
          {
            requestNormalization: block(
              {
                insecureDisablePathNormalization: flag(
                  "Disable path normalization. This allows requests to bypass path rules.",
                ),
                mergeSlashes: flag("Merge adjacent slashes in paths."),
                pathWithEscapedSlashesAction: text(
                  "Action for paths with escaped slashes: `IMPLEMENTATION_SPECIFIC_DEFAULT`, `KEEP_UNCHANGED`, `REJECT_REQUEST`, `UNESCAPE_AND_REDIRECT` or `UNESCAPE_AND_FORWARD`.",
                ),
                headersWithUnderscoresAction: text(
                  "Action for headers with underscores: `ALLOW`, `REJECT_REQUEST` or `DROP_HEADER`.",
                ),
              },
              "Normalization of paths and headers in incoming requests.",
            ),
          },
          "Settings for incoming HTTP requests.",
        ),
      },
      "HTTP settings of the mesh.",
      "HTTP",
    ),
    peering: block(
      { peerThroughMeshGateways: flag("Connect the servers of cluster peers through mesh gateways.") },
      "Cluster peering settings.",
    ),
  },
});
