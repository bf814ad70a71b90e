import { z } from "zod";
import { field, words } from "../../../core";
import { block, blocks, requiredBlocks, requiredText, text, texts } from "./members";
import { jwt, reference } from "./parts";
import { typedEntry } from "./typedEntry";

const jwtPolicy = (doc: string) => block({ jwt }, doc);

/** The listeners of an API gateway (specification: part B). */
export default typedEntry({
  type: "ApiGateway",
  kind: "api-gateway",
  doc: "An `api-gateway` entry: what a gateway for routes listens on. What is bound to it stands in its `Status`, which the service owns.",
  members: {
    listeners: requiredBlocks(
      {
        name: requiredText("The listener's name: lower-case letters, digits, dashes and dots."),
        hostname: text(
          "The host names that it takes, with `http` only; a wildcard as the left-most label only.",
        ),
        port: field(z.int().min(1).max(65_535), { doc: "The port on which it listens." }),
        protocol: field(words({ http: "Requests.", tcp: "Plain connections." }), { doc: "What it speaks." }),
        tls: block(
          {
            certificates: blocks(
              reference,
              "The certificates; `inline-certificate` entries where no kind is given.",
            ),
            minVersion: text("The lowest version of TLS."),
            maxVersion: text("The highest version of TLS."),
            cipherSuites: texts("The cipher suites, for TLS 1.2 and earlier."),
          },
          "How it is encrypted.",
          "TLS",
        ),
        override: jwtPolicy("What holds for every route, whatever it says itself (enterprise edition)."),
        default: jwtPolicy("What holds for routes that say nothing themselves (enterprise edition)."),
      },
      "What it listens on.",
    ),
  },
});
