/** The protocol's representation of an unknown value, at any depth. */
export const UNKNOWN_ON_THE_WIRE = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The key that marks a map as a special value; the key's value is its type. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";
export const RESOURCE_SIGNATURE = "5cf8f73096256a8f31e491e813e4eb8e";
export const OUTPUT_SIGNATURE = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
export const ASSET_SIGNATURE = "c44067f5952c0a294b673a41bacd8c17";
export const ARCHIVE_SIGNATURE = "0def7320c3a5731c473e5ecbe6d01bc7";
