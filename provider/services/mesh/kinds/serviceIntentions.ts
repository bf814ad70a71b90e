import { askingForOne, isObject, rule } from "../../../core";
import { block, blocks, choice, requiredBlocks, requiredText, text, texts } from "./members";
import { headerMatch, jwt, pathMatch, place } from "./parts";
import { typedEntry } from "./typedEntry";

const action = (doc: string) => choice({ allow: "Allow the traffic.", deny: "Deny the traffic." }, doc);

/** The callers that a service allows or denies (specification: part B). */
export default typedEntry({
  type: "ServiceIntentions",
  product: {
    noun: "Consul service-intentions entry",
    terraform: "`consul_config_entry_service_intentions`",
    docs: "https://developer.hashicorp.com/consul/connect/config-entries/service-intentions",
  },
  kind: "service-intentions",
  doc: "Consul `service-intentions` entry: the services that may call a service. Consul sorts the sources by precedence, so their order has no effect.",
  members: {
    sources: requiredBlocks(
      {
        name: requiredText("Name of the calling service, or `*` for all services."),
        action: action("Action for all traffic from the source; not together with `permissions`."),
        permissions: blocks(
          {
            action: action("Action for matching requests."),
            http: block(
              {
                ...pathMatch,
                header: blocks(headerMatch, "Headers that must all match."),
                methods: texts("HTTP methods; any of them matches."),
              },
              "Conditions for HTTP requests.",
              "HTTP",
            ),
            jwt,
          },
          "Permissions for individual requests; the first match applies. The called service must use an HTTP protocol.",
        ),
        type: text("Type of the source; `consul` is the only type."),
        description: text("Free text with at most 512 characters."),
        ...place,
        peer: text("Cluster peer of the calling service."),
        samenessGroup: text("Sameness group of the calling service (Consul Enterprise)."),
      },
      "Calling services and their permissions.",
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
