import { serverError } from "../errors";
import { always, list } from "../shape/field";
import { flag, text } from "../shape/scalars";
import { struct } from "../shape/struct";
import { CLUSTER, defineKind, placeOf, SERVICE, serviceText } from "./define";
import { PLACED } from "./placement";

/** The services outside the mesh that a gateway represents. */
export const terminatingGateway = defineKind({
  kind: "terminating-gateway",
  write: CLUSTER,
  read: SERVICE,
  fields: {
    Services: always(
      list(
        struct({
          Name: text,
          CAFile: text,
          CertFile: text,
          KeyFile: text,
          SNI: text,
          DisableAutoHostRewrite: flag,
          ...PLACED,
        }),
      ),
    ),
  },
  validate({ Services = [] }, self) {
    const seen = new Set<string>();
    for (const service of Services) {
      const { Name, CAFile, CertFile, KeyFile } = service;
      if (Name === undefined) throw serverError("Service name cannot be blank.");
      const namespace = placeOf(service, self);
      if (namespace === "*") {
        throw serverError("Wildcard namespace is not supported for terminating gateway services");
      }
      const quoted = JSON.stringify(serviceText({ name: Name, namespace }));
      if (seen.has(quoted))
        throw serverError(`Service ${quoted} was specified more than once within a namespace`);
      seen.add(quoted);
      const isWhole = CAFile !== undefined && CertFile !== undefined && KeyFile !== undefined;
      if ((CertFile !== undefined || KeyFile !== undefined) && !isWhole) {
        throw serverError(
          `Service ${JSON.stringify(Name)} must have a CertFile, CAFile, and KeyFile specified for TLS origination`,
        );
      }
    }
  },
});
