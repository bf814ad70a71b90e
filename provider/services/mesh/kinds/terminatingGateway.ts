import { blocks, flag, requiredText, text } from "./members";
import { place } from "./parts";
import { typedEntry } from "./typedEntry";

/** The services outside of the mesh that a gateway represents (specification: part B). */
export default typedEntry({
  type: "TerminatingGateway",
  kind: "terminating-gateway",
  doc: "A `terminating-gateway` entry: which services outside of the mesh a gateway stands for.",
  members: {
    services: blocks(
      {
        name: requiredText("The service, or `*` for all."),
        caFile: text("The file, at the gateway, with the authority to trust (PEM).", "CAFile"),
        certFile: text("The file, at the gateway, with its certificate (PEM). Needs caFile and keyFile."),
        keyFile: text("The file, at the gateway, with the certificate's key (PEM)."),
        sni: text("The server name in the handshake.", "SNI"),
        disableAutoHostRewrite: flag("Whether the host header stays as it is."),
        ...place,
      },
      "The services outside of the mesh that it leads to.",
    ),
  },
});
