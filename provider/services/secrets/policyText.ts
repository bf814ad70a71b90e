import { z } from "zod";

/** The server decodes a text that is valid base64, so that a read would return another text than the written one. */
const BASE64 = /^[A-Za-z0-9+/=\s]+$/;

/** The text of a policy. */
export const policyText = z
  .string()
  .min(1)
  .refine(
    (text) => !BASE64.test(text),
    "must be the policy itself, not its base64 encoding, which the server decodes",
  );
