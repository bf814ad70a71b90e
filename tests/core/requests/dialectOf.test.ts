import type { Service } from "../../../provider/core/language/service";
import { connect } from "../../../provider/core/requests/connection";
import { mesh } from "../../../provider/services/mesh/service";
import { scheduler } from "../../../provider/services/scheduler/service";
import { secrets } from "../../../provider/services/secrets/service";
import { workspaces } from "../../../provider/services/workspaces/service";
import { testRuntime } from "../http/clients";

const SERVICES: readonly Service[] = [workspaces, scheduler, secrets, mesh];

/** The name of the dialect that a connection uses, with these settings of its own, of all services, and these variables. */
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

describe.each(SERVICES)("the dialect of $name", (service) => {
  const ofService = `QUARTERDECK_${service.name.toUpperCase()}_DIALECT`;

  test("is real if nothing names it", () => {
    expect(dialectUsed(service, {})).toBe("real");
    expect(dialectUsed(service, { name: "eu" })).toBe("real");
  });

  test("is the service's own setting, then the setting for all, then the service's variable, then the variable for all", () => {
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

  test("must exist, and the error names the setting that gives it", () => {
    expect(() => dialectUsed(service, { own: "toString" })).toThrow(
      `quarterdeck:${service.name}.dialect: is "toString"; allowed: neutral, real`,
    );
    expect(() => dialectUsed(service, { all: "vault" })).toThrow("quarterdeck:dialect: is");
    expect(() => dialectUsed(service, { env: { QUARTERDECK_DIALECT: "x" } })).toThrow(
      "QUARTERDECK_DIALECT: is",
    );
  });
});
