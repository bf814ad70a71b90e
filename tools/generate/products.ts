import type { DefinitionBase } from "../../provider/core/language/fields";

type Named = Pick<DefinitionBase, "product" | "doc" | "service">;

/** The product's noun as a title, with the product if the noun does not name it: "RabbitMQ role (Vault)". */
export function nounTitle({ product, service: { products } }: Named): string | undefined {
  if (product === undefined) return undefined;
  const title = product.noun.replace(/^./, (letter) => letter.toUpperCase());
  return title.startsWith(products.server) ? title : `${title} (${products.server})`;
}

/** The description of a resource: the product's noun and the equivalent in Terraform, then the definition's own text. */
export function resourceParagraphs(definition: Named): string[] {
  const noun = nounTitle(definition);
  const terraform = definition.product?.terraform;
  if (noun === undefined) return [definition.doc];
  return [terraform === undefined ? `${noun}.` : `${noun}; Terraform: ${terraform}.`, definition.doc];
}
