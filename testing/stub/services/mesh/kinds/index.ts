import { apiGateway, boundApiGateway } from "./api-gateway";
import type { Kind } from "./define";
import { exportedServices } from "./exported-services";
import { fileSystemCertificate } from "./file-system-certificate";
import { ingressGateway } from "./ingress-gateway";
import { inlineCertificate } from "./inline-certificate";
import { jwtProvider } from "./jwt-provider";
import { mesh } from "./mesh";
import { proxyDefaults } from "./proxy-defaults";
import { httpRoute, tcpRoute } from "./routes";
import { serviceDefaults } from "./service-defaults";
import { serviceIntentions } from "./service-intentions";
import { serviceResolver } from "./service-resolver";
import { serviceRouter } from "./service-router";
import { serviceSplitter } from "./service-splitter";
import { terminatingGateway } from "./terminating-gateway";

/** Every kind of the section "Configuration entry", in the section's order. */
export const KINDS: ReadonlyMap<string, Kind> = new Map(
  [
    apiGateway,
    boundApiGateway,
    exportedServices,
    fileSystemCertificate,
    httpRoute,
    ingressGateway,
    inlineCertificate,
    jwtProvider,
    mesh,
    proxyDefaults,
    serviceDefaults,
    serviceIntentions,
    serviceResolver,
    serviceRouter,
    serviceSplitter,
    tcpRoute,
    terminatingGateway,
  ].map((kind: Kind) => [kind.kind, kind]),
);
