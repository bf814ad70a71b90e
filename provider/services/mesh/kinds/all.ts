import apiGateway from "./apiGateway";
import exportedServices from "./exportedServices";
import fileSystemCertificate from "./fileSystemCertificate";
import httpRoute from "./httpRoute";
import ingressGateway from "./ingressGateway";
import inlineCertificate from "./inlineCertificate";
import jwtProvider from "./jwtProvider";
import mesh from "./mesh";
import proxyDefaults from "./proxyDefaults";
import serviceDefaults from "./serviceDefaults";
import serviceIntentions from "./serviceIntentions";
import serviceResolver from "./serviceResolver";
import serviceRouter from "./serviceRouter";
import serviceSplitter from "./serviceSplitter";
import tcpRoute from "./tcpRoute";
import terminatingGateway from "./terminatingGateway";

/** The typed kinds of configuration entries, by the kind's name. */
export const typedKinds = {
  "api-gateway": apiGateway,
  "exported-services": exportedServices,
  "file-system-certificate": fileSystemCertificate,
  "http-route": httpRoute,
  "ingress-gateway": ingressGateway,
  "inline-certificate": inlineCertificate,
  "jwt-provider": jwtProvider,
  mesh,
  "proxy-defaults": proxyDefaults,
  "service-defaults": serviceDefaults,
  "service-intentions": serviceIntentions,
  "service-resolver": serviceResolver,
  "service-router": serviceRouter,
  "service-splitter": serviceSplitter,
  "tcp-route": tcpRoute,
  "terminating-gateway": terminatingGateway,
} as const;
