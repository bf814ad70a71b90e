/**
 * Selects the dialect `neutral` before any other module of the fault tests is loaded: some property-test subjects read
 * the dialect when they are loaded. The rules apply to this dialect. In the dialect `real` a connection also sends
 * requests about the cluster.
 */
process.env.QUARTERDECK_TEST_DIALECT ??= "neutral";
