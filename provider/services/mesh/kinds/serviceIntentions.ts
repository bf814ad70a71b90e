import { askingForOne, isObject, rule } from "../../../core";
import { block, blocks, choice, requiredBlocks, requiredText, text, texts } from "./members";
import { headerMatch, jwt, pathMatch, place } from "./parts";
import { typedEntry } from "./typedEntry";

const action = (doc: string) => choice({ allow: "It may call.", deny: "It may not." }, doc);

/** The callers that a service allows or denies (specification: part B). */
export default typedEntry({
  type: "ServiceIntentions",
  kind: "service-intentions",
  doc: "A `service-intentions` entry: who may call a service. The service sorts the sources by a precedence of its own; their order means nothing.",
  members: {
    sources: requiredBlocks(
      {
        name: requiredText("The calling service, or `*`."),
        action: action("Whether it may call. Not together with permissions."),
        permissions: blocks(
          {
            action: action("Whether requests that match may pass."),
            http: block(
              {
                ...pathMatch,
                header: blocks(headerMatch, "Headers that must all match."),
                methods: texts("HTTP methods, any of them."),
              },
              "Which requests are meant.",
              "HTTP",
            ),
            jwt,
          },
          "What holds for single requests; the first that matches counts. The called service must speak HTTP.",
        ),
        type: text("`consul`, the only type."),
        description: text("Free text, at most 512 characters."),
        ...place,
        peer: text("The peer in which the calling service is."),
        samenessGroup: text("The sameness group in which it is (enterprise edition)."),
      },
      "The calling services.",
    ),
    jwt,
  },
  rules: [
    askingForOne(
      ["spec.sources[].action", "spec.sources[].permissions"],
      rule(
        ["spec.sources"],
        (sources) => {
          const wrong = (Array.isArray(sources) ? sources : []).find(
            (source) =>
              isObject(source) &&
              (source.action === undefined) ===
                !(Array.isArray(source.permissions) && source.permissions.length > 0),
          );
          return isObject(wrong)
            ? `must each have either action or permissions; ${JSON.stringify(wrong.name)} has ${wrong.action === undefined ? "neither" : "both"}`
            : undefined;
        },
        "must each have either action or permissions",
      ),
    ),
  ],
});
