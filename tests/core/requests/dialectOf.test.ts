import type { Service } from "../../../provider/core/language/service";
import { connect } from "../../../provider/core/requests/connection";
import { otherDialectAdvice } from "../../../provider/core/requests/dialect";
import { mesh } from "../../../provider/services/mesh/service";
import { scheduler } from "../../../provider/services/scheduler/service";
import { secrets } from "../../../provider/services/secrets/service";
import { workspaces } from "../../../provider/services/workspaces/service";
import { testRuntime } from "../http/clients";

const SERVICES: readonly Service[] = [workspaces, scheduler, secrets, mesh];

/** The dialect of a connection with these own settings, settings for all services, and variables. */
function dialectUsed(
  service: Service,
  { own, all, env = {}, name }: { own?: string; all?: string; env?: Record<string, string>; name?: string },
): string | undefined {
  const settings = { address: "http://host", ...(own !== undefined && { dialect: own }) };
  const texts: Record<string, string | undefined> = {
    [`quarterdeck:${service.name}`]: JSON.stringify(settings),
    "quarterdeck:dialect": all,
    "quarterdeck:connections": JSON.stringify({ eu: { [service.name]: settings } }),
  };
  const surroundings = { runtime: testRuntime(), userAgent: "test", warn: () => undefined };
  const { dialect } = connect(service, name, { get: (key) => texts[key], env }, surroundings);
  return Object.entries(service.dialects).find(([, value]) => value === dialect)?.[0];
}

describe.each(SERVICES)("dialect of $name", (service) => {
  const ofService = `QUARTERDECK_${service.name.toUpperCase()}_DIALECT`;

  test("is real if nothing names it", () => {
    expect(dialectUsed(service, {})).toBe("real");
    expect(dialectUsed(service, { name: "eu" })).toBe("real");
  });

  test("comes from the service's setting, the setting for all, the service's variable or the variable for all", () => {
    const env = { [ofService]: "neutral", QUARTERDECK_DIALECT: "real" };
    expect(dialectUsed(service, { own: "real", all: "neutral", env })).toBe("real");
    expect(dialectUsed(service, { own: "neutral", all: "real", env })).toBe("neutral");
    expect(dialectUsed(service, { all: "real", env })).toBe("real");
    expect(dialectUsed(service, { env })).toBe("neutral");
    expect(dialectUsed(service, { env: { QUARTERDECK_DIALECT: "neutral" } })).toBe("neutral");
  });

  test("of a named connection follows its own setting and the setting for all, and no variable", () => {
    const env = { [ofService]: "neutral", QUARTERDECK_DIALECT: "neutral" };
    expect(dialectUsed(service, { name: "eu", env })).toBe("real");
    expect(dialectUsed(service, { name: "eu", all: "neutral" })).toBe("neutral");
    expect(dialectUsed(service, { name: "eu", own: "real", all: "neutral" })).toBe("real");
  });

  test("is rejected if it is unknown, with an error that names the setting", () => {
    expect(() => dialectUsed(service, { own: "toString" })).toThrow(
      `quarterdeck:${service.name}.dialect: is "toString"; allowed: neutral, real`,
    );
    expect(() => dialectUsed(service, { all: "vault" })).toThrow("quarterdeck:dialect: is");
    expect(() => dialectUsed(service, { env: { QUARTERDECK_DIALECT: "x" } })).toThrow(
      "QUARTERDECK_DIALECT: is",
    );
  });
});

describe("response with the headers of the other dialect", () => {
  const nomad = { "x-nomad-index": "5" };
  const site = (service: Service, name: "real" | "neutral", connection?: string) => ({
    service,
    // Every service has both dialects.
    dialect: service.dialects[name] ?? { headers: {} },
    ...(connection !== undefined && { name: connection }),
  });

  test.each<[Service, "real" | "neutral", Record<string, string>, string, string | undefined]>([
    [scheduler, "neutral", nomad, "quarterdeck:scheduler.dialect", undefined],
    [scheduler, "real", { "x-sched-index": "5" }, "quarterdeck:scheduler.dialect", undefined],
    [mesh, "neutral", { "x-consul-index": "5" }, "quarterdeck:connections.eu.mesh.dialect", "eu"],
    [workspaces, "neutral", { "tfp-api-version": "2.6" }, "quarterdeck:workspaces.dialect", undefined],
  ])(
    "causes advice with the other dialect and the command that sets it: %#",
    (service, used, headers, key, connection) => {
      const other = used === "real" ? "neutral" : "real";
      expect(otherDialectAdvice(site(service, used, connection), { headers })).toBe(
        `The server responds in the dialect "${other}", which this connection does not use. ` +
          `Run: pulumi config set --path --plaintext '${key}' ${other}`,
      );
    },
  );

  test("is the only response that causes this advice", () => {
    expect(otherDialectAdvice(site(scheduler, "real"), { headers: nomad })).toBeUndefined();
    expect(otherDialectAdvice(site(scheduler, "neutral"), { headers: {} })).toBeUndefined();
    expect(otherDialectAdvice(site(secrets, "neutral"), { headers: nomad })).toBeUndefined();
  });
});
