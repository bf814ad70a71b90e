import { intentions, SAMPLES, Scene, TRUE } from "./mesh-scene";

const PROVIDER = SAMPLES["jwt-provider"];
const URI = "https://login.example.com/keys";
const remote = (more: object) => ({ JSONWebKeySet: { Remote: { URI, ...more } } });

async function putProvider(fields: object) {
  const scene = new Scene();
  return scene.put({ Kind: "jwt-provider", Name: "staff", ...fields });
}

/** Intentions whose only permission demands a token of the provider `staff`. */
const DEMANDING = intentions("web", {
  Name: "shop",
  Permissions: [{ Action: "allow", HTTP: { PathPrefix: "/" }, JWT: { Providers: [{ Name: "staff" }] } }],
});

describe("jwt-provider", () => {
  test.each<[string, object, string]>([
    ["no keys", {}, "JSONWebKeySet is required"],
    [
      "two sources of keys",
      { JSONWebKeySet: { Local: { Filename: "/a" }, Remote: { URI } } },
      "exactly one of Local or Remote",
    ],
    [
      "two local keys",
      { JSONWebKeySet: { Local: { Filename: "/a", JWKS: "e30=" } } },
      "exactly one of String or filename",
    ],
    ["keys that are not base64", { JSONWebKeySet: { Local: { JWKS: "{}" } } }, "valid base64 encoded string"],
    ["no URI", { JSONWebKeySet: { Remote: { UseSNI: true } } }, "Remote JWKS URI is required"],
    ["an invalid URI", { JSONWebKeySet: { Remote: { URI: "keys" } } }, "Remote JWKS URI is invalid"],
    [
      "a longer first interval than the maximum",
      remote({ RetryPolicy: { RetryPolicyBackOff: { BaseInterval: "2s", MaxInterval: "1s" } } }),
      "MaxInterval should be greater or equal",
    ],
    [
      "an unknown discovery type",
      remote({ JWKSCluster: { DiscoveryType: "DNS" } }),
      "unsupported jwks cluster discovery type",
    ],
    [
      "no CA certificates",
      remote({ JWKSCluster: { TLSCertificates: {} } }),
      "CaCertificateProviderInstance or TrustedCA",
    ],
    [
      "two CA certificates",
      remote({ JWKSCluster: { TLSCertificates: { TrustedCA: { Filename: "/a", InlineString: "b" } } } }),
      "exactly one of: Filename",
    ],
    [
      "a location with two places",
      { ...remote({}), Locations: [{ Header: { Name: "a" }, Cookie: { Name: "b" } }] },
      "header, query param or cookie",
    ],
    [
      "a location without a name",
      { ...remote({}), Locations: [{ QueryParam: {} }] },
      "query param name must be specified",
    ],
    [
      "forwarding without a header",
      { ...remote({}), Forwarding: { PadForwardPayloadHeader: true } },
      "Header name required",
    ],
  ])("with %s returns 500", async (_, fields, message) => {
    const { status, body } = await putProvider(fields);
    expect(status).toBe(500);
    expect(body).toContain(message);
  });

  test("is needed by intentions that name it", async () => {
    const scene = new Scene();
    await scene.put({ Kind: "service-defaults", Name: "web", Protocol: "http" });
    const early = await scene.put(DEMANDING);
    expect(early).toMatchObject({
      status: 500,
      body: expect.stringContaining("Referenced JWT Provider does not exist. Provider Name: staff"),
    });
    expect(await scene.put(PROVIDER)).toMatchObject({ body: TRUE });
    expect(await scene.put(DEMANDING)).toMatchObject({ body: TRUE });
  });

  test("cannot be deleted while intentions name it", async () => {
    const scene = new Scene();
    await scene.put({ Kind: "service-defaults", Name: "web", Protocol: "http" });
    await scene.put(PROVIDER);
    await scene.put(DEMANDING);
    expect(await scene.remove("/config/jwt-provider/staff")).toMatchObject({
      status: 500,
      body: expect.stringContaining("referenced by an intention. Provider name: staff, intention name: web"),
    });
    await scene.remove("/config/service-intentions/web");
    expect((await scene.remove("/config/jwt-provider/staff")).status).toBe(200);
  });
});
