import type { Service } from "../../../provider/core/language/service";
import { connect } from "../../../provider/core/requests/connection";
import { type Configuration, ConfigurationError, givenSettings } from "../../../provider/core/requests/given";
import { mesh } from "../../../provider/services/mesh/service";
import { scheduler } from "../../../provider/services/scheduler/service";
import { secrets } from "../../../provider/services/secrets/service";
import { workspaces } from "../../../provider/services/workspaces/service";
import { testRuntime } from "../http/clients";

const surroundings = { runtime: testRuntime(), userAgent: "test", warn: () => undefined };

function configurationOf(service: Service, own: object, more: Omit<Configuration, "get">): Configuration {
  return { get: (key) => (key === `quarterdeck:${service.name}` ? JSON.stringify(own) : undefined), ...more };
}

/** The settings of a connection with the dialect real, without `dialect` itself. */
function settingsOf(service: Service, own: object, env: Configuration["env"], isStored = false) {
  const configuration = configurationOf(service, { dialect: "real", ...own }, { env, isStored });
  const { dialect: _, ...settings } = connect(service, undefined, configuration, surroundings).settings;
  return settings;
}

const PEM = { caFile: "/ca", clientCertFile: "/cert", clientKeyFile: "/key" };

test.each<[Service, Configuration["env"], object]>([
  [
    secrets,
    {
      VAULT_ADDR: "http://v:8200",
      VAULT_TOKEN: "t",
      VAULT_NAMESPACE: "n",
      VAULT_CACERT: "/ca",
      VAULT_CLIENT_CERT: "/cert",
      VAULT_CLIENT_KEY: "/key",
    },
    { address: "http://v:8200", token: "t", namespace: "n", ...PEM },
  ],
  [
    scheduler,
    {
      NOMAD_ADDR: "http://n:4646",
      NOMAD_TOKEN: "t",
      NOMAD_NAMESPACE: "n",
      NOMAD_REGION: "r",
      NOMAD_CACERT: "/ca",
      NOMAD_CLIENT_CERT: "/cert",
      NOMAD_CLIENT_KEY: "/key",
    },
    { address: "http://n:4646", token: "t", namespace: "n", region: "r", ...PEM },
  ],
  [
    mesh,
    {
      CONSUL_HTTP_ADDR: "c:8500",
      CONSUL_HTTP_TOKEN: "t",
      CONSUL_NAMESPACE: "n",
      CONSUL_PARTITION: "p",
      CONSUL_CACERT: "/ca",
      CONSUL_CLIENT_CERT: "/cert",
      CONSUL_CLIENT_KEY: "/key",
    },
    { address: "http://c:8500", token: "t", namespace: "n", partition: "p", ...PEM },
  ],
  [
    workspaces,
    { TFE_HOSTNAME: "tfe.example.com", TFE_TOKEN: "t", TFE_ORGANIZATION: "o" },
    { address: "https://tfe.example.com", token: "t", organization: "o" },
  ],
])(
  "the product's environment variables set the connection in the dialect real, and not in neutral: %#",
  (service, env, expected) => {
    expect(settingsOf(service, {}, env)).toEqual(expected);
    expect(settingsOf(service, { dialect: "neutral", address: "http://h", token: "u" }, env)).toEqual({
      address: "http://h",
      token: "u",
    });
  },
);

test.each<[Service, Configuration["env"], string]>([
  [mesh, { CONSUL_HTTP_ADDR: "c:8501", CONSUL_HTTP_SSL: "true" }, "https://c:8501"],
  [mesh, { CONSUL_HTTP_ADDR: "c:8501", CONSUL_HTTP_SSL: "false" }, "http://c:8501"],
  [mesh, { CONSUL_HTTP_ADDR: "https://c:8501" }, "https://c:8501"],
  [workspaces, { TFE_ADDRESS: "http://one", TFE_HOSTNAME: "other" }, "http://one"],
  [secrets, { BAO_ADDR: "http://bao", VAULT_ADDR: "http://vault" }, "http://bao"],
])("an address is parsed like in the product's own CLI: %#", (service, env, address) => {
  expect(settingsOf(service, {}, env).address).toBe(address);
});

describe("environment variables of the product", () => {
  const env = { VAULT_ADDR: "http://vault:8200", VAULT_TOKEN: "theirs", VAULT_CACERT: "/ca" };

  test("have a lower priority than the configuration and QUARTERDECK variables", () => {
    const own = { ...env, QUARTERDECK_SECRETS_CA_FILE: "/our-ca" };
    expect(settingsOf(secrets, { token: "ours" }, own)).toEqual({
      address: "http://vault:8200",
      token: "ours",
      caFile: "/our-ca",
    });
  });

  test("provide the token if the configured address is the one they contain", () => {
    expect(settingsOf(secrets, { address: "http://VAULT:8200/" }, env).token).toBe("theirs");
  });

  test("provide no token for a configured address if they contain only a token", () => {
    const { VAULT_ADDR: _, ...without } = env;
    expect(settingsOf(secrets, { address: "http://other" }, without)).toEqual({
      address: "http://other",
      caFile: "/ca",
    });
    const stored = { address: "http://other", token: "of then" };
    expect(settingsOf(secrets, stored, without, true).token).toBe("of then");
  });

  test("provide no token and no certificate for a different server", () => {
    expect(settingsOf(secrets, { address: "http://other" }, env)).toEqual({ address: "http://other" });
    const own = { ...env, QUARTERDECK_SECRETS_ADDRESS: "http://other" };
    expect(settingsOf(secrets, {}, own)).toEqual({ address: "http://other" });
  });

  test("replace the token stored in a state for the same server, unless a QUARTERDECK variable is set", () => {
    const stored = { address: "http://vault:8200", token: "of then" };
    expect(settingsOf(secrets, stored, env, true).token).toBe("theirs");
    expect(settingsOf(secrets, stored, { ...env, QUARTERDECK_SECRETS_TOKEN: "now" }, true).token).toBe("now");
    expect(settingsOf(secrets, { ...stored, address: "http://other" }, env, true).token).toBe("of then");
  });

  test("replace the certificate file stored in a state, unless a QUARTERDECK variable is set", () => {
    const stored = { address: "http://vault:8200", caFile: "/old" };
    expect(settingsOf(secrets, stored, env, true).caFile).toBe("/ca");
    const own = { ...env, QUARTERDECK_SECRETS_CA_FILE: "/ours" };
    expect(settingsOf(secrets, stored, own, true).caFile).toBe("/ours");
    const other = { QUARTERDECK_SECRETS_ADDRESS: "http://other", QUARTERDECK_SECRETS_CA_FILE: "/ours" };
    expect(settingsOf(secrets, stored, other, true)).toEqual(stored);
  });

  test("are named in the error if one is invalid or if all are missing", () => {
    const problemsOf = (own: Configuration["env"]) => {
      try {
        settingsOf(secrets, {}, own);
      } catch (error) {
        return (error as ConfigurationError).problems.map(({ reason }) => reason).join();
      }
      return "";
    };
    expect(problemsOf({ VAULT_ADDR: "vault" })).toMatch(/\(from VAULT_ADDR\)/);
    expect(problemsOf({})).toContain("set QUARTERDECK_SECRETS_ADDRESS or BAO_ADDR or VAULT_ADDR");
    expect(() => settingsOf(secrets, {}, {})).toThrow(ConfigurationError);
  });

  test("are reported as the source of each setting", () => {
    const configuration = configurationOf(secrets, { dialect: "real", token: "ours" }, { env });
    expect(givenSettings(secrets, undefined, configuration).variables).toEqual({
      address: "VAULT_ADDR",
      caFile: "VAULT_CACERT",
    });
  });
});

test("QUARTERDECK_SCHEDULER_TOKEN is not sent to an address other than QUARTERDECK_SCHEDULER_ADDRESS", () => {
  const env = { QUARTERDECK_SCHEDULER_ADDRESS: "http://b:4646", QUARTERDECK_SCHEDULER_TOKEN: "t" };
  expect(settingsOf(scheduler, { address: "http://a:4646" }, env)).toEqual({ address: "http://a:4646" });
  expect(settingsOf(scheduler, { address: "http://b:4646/" }, env)).toMatchObject({ token: "t" });
  expect(settingsOf(scheduler, {}, env)).toEqual({ address: "http://b:4646", token: "t" });
  // A token variable without an address variable applies to the configured server.
  const alone = { QUARTERDECK_SCHEDULER_TOKEN: "t" };
  expect(settingsOf(scheduler, { address: "http://a:4646" }, alone)).toMatchObject({ token: "t" });
});

test.each<[string, object, Configuration["env"], string, boolean]>([
  [
    "an environment variable",
    {},
    { NOMAD_ADDR: "http://n:4646", NOMAD_TOKEN: "t" },
    "The token comes from NOMAD_TOKEN.",
    true,
  ],
  [
    "the configuration",
    { address: "http://n:4646", token: "t" },
    {},
    "The token comes from quarterdeck:scheduler.token.",
    true,
  ],
  [
    "nowhere",
    { address: "http://n:4646" },
    {},
    "No token is set: set NOMAD_TOKEN or QUARTERDECK_SCHEDULER_TOKEN or quarterdeck:scheduler.token.",
    false,
  ],
])("the error for a rejected token from %s names its source", (_, own, env, text, isSet) => {
  const configuration = configurationOf(scheduler, own, { env });
  expect(connect(scheduler, undefined, configuration, surroundings).tokenAdvice).toEqual({ isSet, text });
});

test("an address without a scheme is a problem that names the schemes", () => {
  const configuration = configurationOf(scheduler, {}, { env: { NOMAD_ADDR: "127.0.0.1:4646" } });
  expect(() => connect(scheduler, undefined, configuration, surroundings)).toThrow(
    "quarterdeck:scheduler.address: must be a URL that begins with http:// or https:// (from NOMAD_ADDR)",
  );
});
