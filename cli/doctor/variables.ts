import type { Dialect, Service } from "../../provider/core/language/service";
import { commonSettings, environmentName, TOKEN_SETTINGS } from "../../provider/core/language/settings";
import { type Given, isSamePlace } from "../../provider/core/requests/given";
import { type Found, warn } from "./report";

/** The sources of the settings. */
interface Sources {
  readonly dialect: Dialect;
  /** The source of the settings that are not from the environment. */
  readonly source: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Reports environment variables that are set but unused because other settings take precedence. A variable with the value
 * that is used anyway is not reported.
 */
export function ignoredVariables(
  service: Service,
  { given, variables }: Given,
  { dialect, source, env }: Sources,
): Found[] {
  const product = service.dialects.real?.variables;
  const ofProduct = Object.entries(product?.names ?? {}).flatMap(([setting, names]) =>
    names.map((name) => ({ setting, name })),
  );
  const own = Object.keys({ ...commonSettings, ...service.settings }).map((setting) => ({
    setting,
    name: environmentName(service, setting),
  }));
  const ignored = [...own, ...ofProduct].filter(
    ({ setting, name }) =>
      (env[name] ?? "") !== "" && !Object.values(variables).includes(name) && !isUsedAnyway(setting, name),
  );
  const from = (setting: string) => variables[setting] ?? source;
  const isProduct = ({ name }: { readonly name: string }) => ofProduct.some((other) => other.name === name);
  const other = ignored.find((one) => isProduct(one) && one.setting === "address");
  return [...Map.groupBy(ignored, reason)].map(([why, all]) => {
    const names = all.map(({ name }) => name).join(", ");
    const isLost = all.some(({ setting }) => isToken(setting)) && !TOKEN_SETTINGS.some((name) => given[name]);
    const advice =
      "Quarterdeck never sends a token to an address from a different source: set the token and the address in one place.";
    return warn(`${names} ignored: ${why}`, isLost ? advice : undefined);
  });

  function reason(one: { readonly setting: string; readonly name: string }): string {
    const { setting } = one;
    if (isProduct(one) && dialect.variables === undefined) return "the dialect is not real";
    if (isProduct(one) && other !== undefined)
      return `the address is ${String(given.address)}, from ${from("address")}`;
    const way = isToken(setting) ? TOKEN_SETTINGS.find((name) => given[name] !== undefined) : setting;
    if (way === undefined || given[way] === undefined) return `the address is from ${from("address")}`;
    return `${way} is from ${from(way)}`;
  }

  function isUsedAnyway(setting: string, name: string): boolean {
    const [used, text = ""] = [given[setting], env[name]];
    if (used === undefined) return false;
    if (setting !== "address") return String(used) === text;
    const isOwn = own.some((variable) => variable.name === name);
    return isSamePlace(used, isOwn || !product?.address ? text : product.address(text, env));
  }
}

const isToken = (setting: string) => TOKEN_SETTINGS.some((name) => name === setting);

/** The source of each setting, as text. */
export function settingSources({ given, variables }: Given, source: string): string {
  const own = Object.keys(given).filter((name) => variables[name] === undefined);
  const parts = [
    ...(own.length > 0 ? [`${own.join(", ")} from ${source}`] : []),
    ...Object.entries(variables).map(([name, variable]) => `${name} from ${variable}`),
  ];
  return parts.join("; ");
}
