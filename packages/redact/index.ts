/** Masks secrets in text, however the text encodes them. */
export { MASK, MOST_TEXT, Redactor, type SecretSupplier } from "./redactor";
export { type Secret, SHORTEST } from "./secret";
