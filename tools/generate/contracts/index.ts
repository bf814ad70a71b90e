import { consul } from "./consul";
import type { Contract, Contracts } from "./contract";
import { hcpTerraform } from "./hcpTerraform";
import { nomad } from "./nomad";
import { vault } from "./vault";

/** The contracts of all products. */
export const CONTRACTS: readonly Contracts[] = [hcpTerraform, nomad, vault, consul];

/** The contract of a resource, with its product; undefined if the resource has none. */
export function contractOf(token: string): (Contract & Pick<Contracts, "product">) | undefined {
  for (const { product, resources } of CONTRACTS) {
    const contract = resources[token];
    if (contract !== undefined) return { product, ...contract };
  }
  return undefined;
}
