import { z } from "zod";
import { field } from "../../../core";
import { block, blocks, flag, requiredText, text, texts } from "./members";
import { certificateSource, limits, meta, modified, passiveHealthCheck, place, tlsBounds } from "./parts";
import { typedEntry } from "./typedEntry";

const tls = (doc: string) =>
  block(
    { enabled: flag("Whether connections are encrypted."), sds: certificateSource, ...tlsBounds },
    doc,
    "TLS",
  );

/** The listeners of a gateway into the mesh (specification: part B). */
export default typedEntry({
  type: "IngressGateway",
  kind: "ingress-gateway",
  doc: "An `ingress-gateway` entry: what a gateway into the mesh listens on, and to which services it leads.",
  members: {
    tls: tls("How its listeners are encrypted."),
    listeners: blocks(
      {
        port: field(z.int().min(1).max(65_535), { doc: "The port; one listener each." }),
        protocol: text("What it speaks: `tcp` (the default), `http`, `http2` or `grpc`."),
        tls: tls("How this listener is encrypted."),
        services: blocks(
          {
            name: requiredText("The service, or `*` for all, with HTTP."),
            hosts: texts("The host names by which it is told apart, with HTTP."),
            tls: block({ sds: certificateSource }, "The service's own certificate.", "TLS"),
            ...modified,
            ...limits,
            passiveHealthCheck,
            meta,
            ...place,
          },
          "The services to which it leads; with `tcp` one only.",
        ),
      },
      "What it listens on.",
    ),
    defaults: block({ ...limits, passiveHealthCheck }, "What holds for every service."),
  },
});
