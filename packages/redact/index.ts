/** Masks secrets in text, in whatever encoding the text quotes them. */
export { MASK, MOST_TEXT, Redactor, type SecretSource } from "./redactor";
export { type Secret, SHORTEST } from "./secret";
