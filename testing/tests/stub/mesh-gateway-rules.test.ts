import { CERTIFICATE, createShortKey, createUnrelatedKey, PRIVATE_KEY } from "./mesh-certificate";
import { expectAccepted, rejectionMessage, testRejections } from "./mesh-rejections";
import { Scene, scene, TRUE } from "./mesh-scene";

describe("ingress-gateway", () => {
  const gateway = (listener: object, fields: object = {}) => ({
    Kind: "ingress-gateway",
    Name: "ingress",
    ...fields,
    Listeners: [{ Port: 80, Protocol: "http", Services: [{ Name: "web" }], ...listener }],
  });
  const service = (fields: object, listener: object = {}) =>
    gateway({ Services: [{ Name: "web", ...fields }], ...listener });
  const at = "(listener on port 80)";

  testRejections("an entry", (entry) => entry, {
    "protocol must be 'tcp', 'http', 'http2', or 'grpc'. 'udp' is an unsupported protocol": gateway({
      Protocol: "udp",
    }),
    "No service declared for listener with port 80": gateway({ Services: [] }),
    [`Multiple services per listener are only supported for L7 protocols, 'http', 'grpc' and 'http2' ${at}`]:
      gateway({ Protocol: "tcp", Services: [{ Name: "a" }, { Name: "b" }] }),
    [`Wildcard service name is only valid for protocol = 'http' ${at}`]: gateway({
      Protocol: "tcp",
      Services: [{ Name: "*" }],
    }),
    [`Associating hosts to a service is not supported for the tcp protocol ${at}`]: service(
      { Hosts: ["a"] },
      { Protocol: "tcp" },
    ),
    'request headers only valid for http, http2 and grpc protocols (service "web" on listener on port 80)':
      service({ RequestHeaders: { Add: { a: "b" } } }, { Protocol: "tcp" }),
    'response headers only valid for http, http2 and grpc protocols (service "web" on listener on port 80)':
      service({ ResponseHeaders: { Remove: ["a"] } }, { Protocol: "tcp" }),
    [`Service name cannot be blank ${at}`]: gateway({ Services: [{}] }),
    [`Associating hosts to a wildcard service is not supported ${at}`]: gateway({
      Services: [{ Name: "*", Hosts: ["a"] }],
    }),
    [`Wildcard namespace is not supported for ingress services ${at}`]: service({ Namespace: "*" }),
    [`Service web cannot be added multiple times ${at}`]: gateway({
      Services: [{ Name: "web" }, { Name: "web" }],
    }),
    [`Hosts must be unique within a specific listener ${at}`]: gateway({
      Services: [
        { Name: "web", Hosts: ["a"] },
        { Name: "b", Hosts: ["a"] },
      ],
    }),
    'Host "a.*.b" is not valid, a wildcard specifier is only allowed as the leftmost label': service({
      Hosts: ["a.*.b"],
    }),
    "Host '*' is not allowed when TLS is enabled, all hosts must be valid DNS records to add as a DNSSAN": {
      ...service({ Hosts: ["*"] }),
      TLS: { Enabled: true },
    },
    "no matching TLS version found for SSLv3": gateway({}, { TLS: { TLSMinVersion: "SSLv3" } }),
    "configuring max version TLSv1_2 less than the configured min version TLSv1_3 is invalid": gateway({
      TLS: { TLSMinVersion: "TLSv1_3", TLSMaxVersion: "TLSv1_2" },
    }),
    "TLS.SDS.ClusterName is required if CertResource is set": gateway(
      {},
      { TLS: { SDS: { CertResource: "c" } } },
    ),
    [`TLS.SDS.CertResource is required if ClusterName is set for gateway ${at}`]: gateway(
      {},
      { TLS: { SDS: { ClusterName: "c" } } },
    ),
    [`TLS.SDS.CertResource is required if ClusterName is set for listener ${at}`]: gateway({
      TLS: { SDS: { ClusterName: "c" } },
    }),
    [`TLS.SDS.ClusterName is required if CertResource is set ${at}`]: gateway({
      TLS: { SDS: { CertResource: "c" } },
    }),
    'A service specifying TLS.SDS.CertResource must have at least one item in Hosts (service "web" on listener on port 80)':
      service({ TLS: { SDS: { ClusterName: "c", CertResource: "r" } } }),
    'TLS.SDS.ClusterName is required if CertResource is set (service "web" on listener on port 80)': service({
      Hosts: ["a"],
      TLS: { SDS: { CertResource: "r" } },
    }),
  });

  test("rejects two listeners with the same port", async () => {
    const [listener] = gateway({}).Listeners;
    expect(await rejectionMessage({ ...gateway({}), Listeners: [listener, listener] })).toBe(
      "port 80 declared on two listeners",
    );
  });

  test.each([
    gateway({ Services: [{ Name: "web", Hosts: ["a.example.com", "*.b.example.com"] }] }),
    gateway({ Services: [{ Name: "*" }] }),
    gateway({ TLS: { SDS: { CertResource: "r" } } }, { TLS: { SDS: { ClusterName: "c" } } }),
    service({ Hosts: ["a"], TLS: { SDS: { ClusterName: "c", CertResource: "r" } } }),
  ])("accepts %j", (entry) => expectAccepted(entry));
});

describe("terminating-gateway", () => {
  const gateway = (...Services: object[]) => ({ Kind: "terminating-gateway", Name: "out", Services });

  test.each([
    [[{ SNI: "a" }], "Service name cannot be blank."],
    [[{ Name: "a", Namespace: "*" }], "Wildcard namespace is not supported for terminating gateway services"],
    [[{ Name: "a" }, { Name: "a" }], 'Service "a" was specified more than once within a namespace'],
    [
      [{ Name: "a", CertFile: "c" }],
      'Service "a" must have a CertFile, CAFile, and KeyFile specified for TLS origination',
    ],
    [
      [{ Name: "a", CAFile: "c", KeyFile: "k" }],
      'Service "a" must have a CertFile, CAFile, and KeyFile specified for TLS origination',
    ],
  ])("rejects the services %j", async (services, text) => {
    expect(await rejectionMessage(gateway(...services))).toBe(text);
  });

  test("accepts services with TLS files, an SNI, a namespace and a wildcard name", () =>
    expectAccepted(
      gateway(
        { Name: "a", CAFile: "c" },
        { Name: "a", Namespace: "team" },
        { Name: "*", CAFile: "a", CertFile: "b", KeyFile: "c", SNI: "d" },
      ),
    ));
});

describe("api-gateway", () => {
  const gateway = (...Listeners: object[]) => ({ Kind: "api-gateway", Name: "front", Listeners });
  const listener = (fields: object = {}) => ({ Name: "l", Port: 80, Protocol: "http", ...fields });

  testRejections("an entry", (listeners) => gateway(...listeners), {
    "api gateway must have at least one listener": [],
    'listener name "" is invalid, must be at least 1 character and contain only letters, numbers, or dashes':
      [listener({ Name: "" })],
    'listener name "L_1" is invalid, must be at least 1 character and contain only letters, numbers, or dashes':
      [listener({ Name: "L_1" })],
    'found multiple listeners with the name "l"': [listener(), listener({ Port: 81 })],
    'listeners "l" and "m" cannot be merged': [listener(), listener({ Name: "m", Hostname: "a" })],
    "unsupported listener protocol \"grpc\", must be one of 'tcp', or 'http'": [
      listener({ Protocol: "grpc" }),
    ],
    "hostname specification is not supported when using TCP": [listener({ Protocol: "tcp", Hostname: "a" })],
    "listener port 0 not in the range 1-65535": [listener({ Port: 0 })],
    "listener port 70000 not in the range 1-65535": [listener({ Port: 70_000 })],
    'host "a.*" is not valid, a wildcard specifier is only allowed as the left-most label': [
      listener({ Hostname: "a.*" }),
    ],
    "unsupported certificate kind: \"mesh\", must be 'file-system-certificate' or 'inline-certificate'": [
      listener({ TLS: { Certificates: [{ Kind: "mesh", Name: "a" }] } }),
    ],
    "certificate reference must have a name": [listener({ TLS: { Certificates: [{}] } })],
    "no matching TLS version found for x": [listener({ TLS: { MinVersion: "x" } })],
    "configuring CipherSuites is only applicable to connections negotiated with TLS 1.2 or earlier": [
      listener({ TLS: { MinVersion: "TLSv1_3", CipherSuites: ["x"] } }),
    ],
  });

  test("accepts two listeners with the same port, protocol and hostname", () =>
    expectAccepted(
      gateway(
        listener({ Hostname: "*.example.com" }),
        listener({ Name: "m-1.x", Hostname: "*.example.com" }),
      ),
    ));
});

describe("http-route and tcp-route", () => {
  const route = (fields: object) => ({ Kind: "http-route", Name: "r", ...fields });
  const match = (fields: object) => route({ Rules: [{}, { Matches: [{}, fields] }] });

  testRejections("an entry", (entry) => entry, {
    'host "*.example.com" must not be a wildcard': route({ Hostnames: ["*.example.com"] }),
    'Rule[1], Match[1], Method contains an invalid method "FETCH"': match({ Method: "fetch" }),
    "Rule[1], Match[1], Query[0], missing required Name field": match({ Query: [{ Match: "exact" }] }),
    "Rule[1], Match[1], Query[0], match type should be one of present, exact, or regex": match({
      Query: [{ Match: "suffix", Name: "q" }],
    }),
    "Rule[1], Match[1], Headers[0], missing required Name field": match({ Headers: [{ Match: "exact" }] }),
    "Rule[1], Match[1], Headers[0], match type should be one of present, exact, prefix, suffix, or regex":
      match({ Headers: [{ Name: "a" }] }),
    "Rule[1], Match[1], Path, match type should be one of exact, prefix, or regex": match({
      Path: { Match: "like", Value: "/" },
    }),
    "Rule[1], Match[1], Path, exact type match doesn't start with '/': \"a\"": match({
      Path: { Match: "exact", Value: "a" },
    }),
  });

  test.each(["http-route", "tcp-route"])(
    "%s: rejects a parent that is not an api-gateway or is listed twice",
    async (Kind) => {
      const parents = (...Parents: object[]) => ({ Kind, Name: "r", Parents });
      expect(await rejectionMessage(parents({ Kind: "ingress-gateway", Name: "a" }))).toBe(
        "unsupported parent kind: \"ingress-gateway\", must be 'api-gateway'",
      );
      expect(await rejectionMessage(parents({ Name: "a" }, { Name: "a", Kind: "api-gateway" }))).toBe(
        "route parents must be unique",
      );
      await expectAccepted(
        parents({ Name: "a" }, { Name: "a", SectionName: "s" }, { Name: "a", Namespace: "team" }),
      );
    },
  );

  test("rejects a tcp-route with two services", async () => {
    const entry = { Kind: "tcp-route", Name: "r", Services: [{ Name: "a" }, { Name: "b" }] };
    expect(await rejectionMessage(entry)).toBe("tcp-route currently only supports one service");
  });

  test("the default path of a match is the prefix /, and the default weight of a service is 1", async () => {
    const entry = route({
      Rules: [{ Matches: [{ Method: "get" }], Services: [{ Name: "a" }, { Name: "b", Weight: 7 }] }],
    });
    const { Rules } = await scene.existing(entry as never);
    expect(Rules[0].Matches).toEqual([
      { Headers: null, Method: "GET", Path: { Match: "prefix", Value: "/" }, Query: null },
    ]);
    expect(Rules[0].Services).toMatchObject([{ Weight: 1 }, { Weight: 7 }]);
  });
});

describe("inline-certificate with readsCertificates", () => {
  const certificate = (Certificate: string, PrivateKey: string) => ({
    Kind: "inline-certificate",
    Name: "web",
    Certificate,
    PrivateKey,
  });
  const switches = { readsCertificates: true };
  const malformed = (pem: string) => pem.replace(/\n.{10}/, "\n##########");

  test.each([
    ["an empty private key", CERTIFICATE, "", "failed to parse private key PEM"],
    ["a certificate that is not PEM", "text", PRIVATE_KEY, "failed to parse certificate PEM"],
    ["a malformed private key", CERTIFICATE, malformed(PRIVATE_KEY), "tls: failed to parse private key"],
    [
      "a malformed certificate",
      malformed(CERTIFICATE),
      PRIVATE_KEY,
      "failed to parse certificate: x509: malformed certificate",
    ],
    [
      "a private key that does not match the certificate",
      CERTIFICATE,
      createUnrelatedKey(),
      "tls: private key does not match public key",
    ],
    ["a 1024-bit private key", CERTIFICATE, createShortKey(), "key length must be at least 2048 bits"],
  ])("rejects %s", async (_name, pem, key, text) => {
    expect(await rejectionMessage(certificate(pem, key), switches)).toBe(text);
  });

  test("accepts text before the PEM blocks and returns it unchanged", async () => {
    const scene = new Scene(switches);
    const entry = certificate(`of web\n${CERTIFICATE}`, `of web\n${PRIVATE_KEY}`);
    expect((await scene.put(entry)).body).toBe(TRUE);
    expect((await scene.entry("inline-certificate", "web")).PrivateKey).toBe(`of web\n${PRIVATE_KEY}`);
  });

  test("accepts any text without readsCertificates", () => expectAccepted(certificate("one", "two")));
});

describe("exported-services", () => {
  const exported = (...Services: object[]) => ({ Kind: "exported-services", Name: "default", Services });
  const to = (...Consumers: object[]) => exported({ Name: "web", Consumers });

  testRejections("an entry", (entry) => entry, {
    'exported-services Name must be "default"': { ...exported(), Name: "other" },
    "Services[0]: service name cannot be empty": exported({ Consumers: [{ Peer: "p" }] }),
    "Services[0]: service name must be wildcard if namespace is wildcard": exported({
      Name: "web",
      Namespace: "*",
      Consumers: [{ Peer: "p" }],
    }),
    "Services[0]: must have at least one consumer": to(),
    "Services[0].Consumers[1]: must define at most one of Peer, Partition, or SamenessGroup": to(
      { Peer: "p" },
      { Peer: "p", Partition: "x" },
    ),
    "Services[0].Consumers[0]: exporting to all partitions (wildcard) is not supported": to({
      Partition: "*",
    }),
    "Services[0].Consumers[0]: exporting to all peers (wildcard) is not supported": to({ Peer: "*" }),
  });

  test("accepts an export of all services of all namespaces to a sameness group", () =>
    expectAccepted(exported({ Name: "*", Namespace: "*", Consumers: [{ SamenessGroup: "g" }] })));
});

describe("mesh", () => {
  const http = (RequestNormalization: object) => ({ HTTP: { Incoming: { RequestNormalization } } });

  testRejections("an entry", (fields) => ({ Kind: "mesh", Name: "mesh", ...fields }), {
    "no matching TLS version found for x": { TLS: { Incoming: { TLSMaxVersion: "x" } } },
    "configuring max version TLSv1_0 less than the configured min version TLSv1_2 is invalid": {
      TLS: { Outgoing: { TLSMinVersion: "TLSv1_2", TLSMaxVersion: "TLSv1_0" } },
    },
    "error in HTTP incoming request normalization configuration: no matching PathWithEscapedSlashesAction value found for x, please specify one of [IMPLEMENTATION_SPECIFIC_DEFAULT, KEEP_UNCHANGED, REJECT_REQUEST, UNESCAPE_AND_REDIRECT, UNESCAPE_AND_FORWARD]":
      http({ PathWithEscapedSlashesAction: "x" }),
    "error in HTTP incoming request normalization configuration: no matching HeadersWithUnderscoresAction value found for x, please specify one of [ALLOW, REJECT_REQUEST, DROP_HEADER]":
      http({ HeadersWithUnderscoresAction: "x" }),
  });

  test.each([
    { TLSMinVersion: "TLSv1_2" },
    { TLSMaxVersion: "TLSv1_2" },
    { TLSMinVersion: "TLSv1_2", TLSMaxVersion: "TLSv1_2" },
  ])("accepts the TLS versions %j", (Incoming) =>
    expectAccepted({ Kind: "mesh", Name: "mesh", TLS: { Incoming } }),
  );

  test("accepts TLS_AUTO as the minimum TLS version", () =>
    expectAccepted({
      Kind: "mesh",
      Name: "mesh",
      TLS: { Incoming: { TLSMinVersion: "TLS_AUTO", TLSMaxVersion: "TLSv1_2" } },
    }));
});
